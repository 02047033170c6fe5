"""What the kind tournament plays: every line-up of the pool, or a balanced sample of them, all on the same deals."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement
from math import comb
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from simkit.experiment import Settings
from simkit.measures import WinRate, WinRates
from simkit.plan import Plan
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Lineup, arm_name, is_mirror
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.series import Pooled, Ratio, Resampled, Series

MOST_LINEUPS = 400
CANDIDATES = 50  # of which each line-up of a sample is the best
PAYOFFS, SHARES = "payoffs", "shares"


class Tournament(Settings):
    """The table [tournament]: `lineups` is "all", or how many of them are drawn at tables of more than two."""

    lineups: Literal["all"] | Annotated[int, Field(ge=2, le=MOST_LINEUPS)] = Field("all", validate_default=True)

    @field_validator("lineups")
    @classmethod
    def _not_too_many(cls, lineups: Literal["all"] | int, info: ValidationInfo) -> Literal["all"] | int:
        context = info.context or {}
        game, rules, labels = context.get("game"), context.get("rules", {}), context.get("strategies", ())
        if game is None or len(rules) < len(game.options) or len(labels) < 2:
            return lineups
        seats = game.seats(rules)
        count = comb(len(labels) + seats - 1, seats) - len(labels)
        if seats == 2 and lineups != "all":
            raise ValueError("at a table of two every pair plays; leave it out")
        if lineups == "all" and count > MOST_LINEUPS:
            raise ValueError(
                f"{count:,} line-ups of {seats} are too many; name how many to draw, {MOST_LINEUPS} at most"
            )
        return lineups


def tournament_of(asked: Asked) -> Tournament:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, Tournament)
    return table


def lineups_of(asked: Asked) -> list[Lineup]:
    """The line-ups that play; the seats of each are moved on, so that their order matters little."""
    wanted = tournament_of(asked).lineups
    every = [line for line in combinations_with_replacement(asked.labels, asked.seats) if not is_mirror(line)]
    if asked.seats == 2 or wanted == "all" or wanted >= len(every):
        return every
    return _sample(asked, wanted)


def _sample(asked: Asked, wanted: int) -> list[Lineup]:
    """Different line-ups in which the strategies have about the same number of seats: the best of many, one by one."""
    rng = random.Random(f"line-ups {asked.experiment.seed}")
    found: dict[Lineup, None] = {}
    seats: Counter[str] = Counter()
    while len(found) < wanted:
        drawn = [tuple(sorted(rng.choices(asked.labels, k=asked.seats))) for _ in range(CANDIDATES)]
        new = [line for line in drawn if line not in found and not is_mirror(line)]
        if new:
            best = min(new, key=lambda line: sum((seats + Counter(line))[label] ** 2 for label in asked.labels))
            found[best] = None
            seats += Counter(best)
    return list(found)


def players_of(line: Lineup) -> dict[str, tuple[int, ...]]:
    """Label -> its players in a line-up."""
    return {label: tuple(p for p, mine in enumerate(line) if mine == label) for label in dict.fromkeys(line)}


def plan(asked: Asked) -> Plan:
    """Each line-up; the share of the games that each strategy wins, over all of them and in resamples."""
    found = lineups_of(asked)
    series: list[Series] = [
        Pooled(
            f"share/{label}",
            tuple((arm_name(line), WinRates(players_of(line)[label])) for line in found if label in line),
        )
        for label in asked.labels
    ]
    for line in found:
        series += pool.gap_series(arm_name(line))
    if asked.seats == 2:
        series += [Ratio(f"pool/{arm_name(line)}", arm_name(line), WinRate(0)) for line in found]
        parts = tuple((arm_name(line), WinRate(0)) for line in found)
        series.append(Resampled(PAYOFFS, parts, asked.experiment.seed))
    else:
        each = tuple((arm_name(line), WinRates(players)) for line in found for players in players_of(line).values())
        series.append(Resampled(SHARES, each, asked.experiment.seed))
    series += coverage.coverage_series(asked, [arm_name(line) for line in found])
    series += example_series(asked, arm_name(found[0]))
    made = Plan(tuple(asked.base_arm(line) for line in found), tuple(series), f"share/{asked.labels[0]}")
    return with_ladder(asked, asked.mirrors(), made) if asked.seats == 2 else made
