"""What the kind seat_advantage plays: each line-up at tables of each size, and the series observed of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo

from simkit.experiment import Settings
from simkit.measures import PerGame, SeatLead, SeatWinRate
from simkit.plan import Plan
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Lineup, Pairs, arm_name, lineups, under
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.questions.seat_advantage import roles as seat_roles
from simkit.questions.stakes import JudgedBy, stakes_of
from simkit.questions.sweep.axes import RULES, check_settings, rule_values
from simkit.series import Ratio, Series

PLAYERS = "players"  # the rule that says how many play, in games that have it


def _sizes(sizes: tuple[int, ...], info: ValidationInfo) -> tuple[int, ...]:
    """Sizes of tables that the game can be played at, ascending."""
    context = info.context or {}
    game, key = context.get("game"), f"{RULES}{PLAYERS}"
    if game is None:
        return sizes
    if all(option.name != PLAYERS for option in game.options):
        raise ValueError(f"{game.name} has no rule `{PLAYERS}` that says how many play")
    found = tuple(sorted(rule_values(key, sizes, context)))
    check_settings([((key, size),) for size in found], context)
    return found


class SeatAdvantage(Settings):
    """The table [seat_advantage].

    Attributes:
        players: the same is asked at tables of each of these sizes.
        pairs: line-ups, see simkit.questions.base.
        judged_by: whether verdicts are on games won or on the score; None: on what the game is played for.
    """

    players: Annotated[tuple[int, ...], Field(min_length=1), AfterValidator(_sizes)] | None = None
    pairs: Pairs = "mirrors"
    judged_by: JudgedBy | None = None


@dataclass(frozen=True, eq=False)
class Case:
    """A line-up at one table; `asked` is the question at that table, under its rules."""

    asked: Asked
    lineup: Lineup

    @property
    def arm(self) -> str:
        """Name of its arm."""
        return arm_name(self.lineup)

    @property
    def under(self) -> str:
        """The line-up in words."""
        return under(self.lineup)

    @property
    def seats(self) -> range:
        """The seats at the table."""
        return range(len(self.lineup))


def settings_of(asked: Asked) -> SeatAdvantage:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, SeatAdvantage)
    return table


def many_sizes(asked: Asked) -> bool:
    """Whether tables of several sizes are asked about."""
    return settings_of(asked).players is not None


def cases(asked: Asked) -> list[Case]:
    """All line-ups, each at all tables from the smallest on."""
    settings = settings_of(asked)
    tables = [asked] if settings.players is None else [asked.with_rules({PLAYERS: n}) for n in settings.players]
    found = [Case(table, line) for table in tables for line in lineups(table, settings.pairs)]
    names = list(dict.fromkeys(case.under for case in found))
    return sorted(found, key=lambda case: names.index(case.under))


def by_lineup(found: Sequence[Case]) -> dict[str, list[Case]]:
    """The cases of each line-up, by its words."""
    groups: dict[str, list[Case]] = {}
    for case in found:
        groups.setdefault(case.under, []).append(case)
    return groups


def plan(asked: Asked) -> Plan:
    """Each line-up as it is; where a role can be chosen, also with player 0 barred from it."""
    found, series, stakes = cases(asked), list[Series](), stakes_of(asked)
    for case in found:
        arm = case.arm
        series += [Ratio(f"seat/{seat}/{arm}", arm, SeatWinRate(seat)) for seat in case.seats]
        series += [Ratio(f"lead/{seat}/{arm}", arm, SeatLead(seat)) for seat in case.seats]
        series += [stakes.seat_series(seat, arm) for seat in case.seats if stakes.by_score]
        if many_sizes(asked):
            series.append(Ratio(f"length/{arm}", arm, PerGame(asked.game.length)))
        series += [*pool.gap_series(arm), *example_series(asked, arm), *seat_roles.role_series(asked, case.lineup)]
    series += coverage.coverage_series(asked, [case.arm for case in found])
    arms = [case.asked.base_arm(case.lineup) for case in found]
    arms += [arm for case in found for arm in seat_roles.barred_arms(case.asked, case.lineup)]
    made = Plan(tuple(arms), tuple(series), _headline(asked, found[0]))
    return with_ladder(asked, [case.lineup for case in found], made)


def _headline(asked: Asked, case: Case) -> str:
    chosen = seat_roles.chosen_roles(asked)
    stakes = stakes_of(asked)
    return seat_roles.judged_name(asked, chosen[0], case.lineup) if chosen else stakes.seat_series(0, case.arm).name
