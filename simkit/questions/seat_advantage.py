"""The kind seat_advantage: win rate of each seat against an equal share, per strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simkit.answer import Answer, Chart, Column, Table, Verdict
from simkit.experiment import Settings
from simkit.measures import SeatLead, SeatWinRate
from simkit.plan import Plan, Ratio, Results, Series
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Kind, Lineup, Pairs, arm_name, lineups, listed, number, shifted, under
from simkit.questions.examples import example_series, replays
from simkit.questions.forest import forest_chart
from simkit.questions.words import MOST_NAMED, everywhere, needed, nothing_ended, points, span, within
from simkit.stats.verdicts import Wording, judge

if TYPE_CHECKING:
    pass


class SeatAdvantage(Settings):
    """The table [seat_advantage]."""

    pairs: Pairs = "mirrors"


def _lineups(asked: Asked) -> list[Lineup]:
    settings = asked.experiment.settings
    assert isinstance(settings, SeatAdvantage)
    return lineups(asked, settings.pairs)


def plan(asked: Asked) -> Plan:
    """Each line-up as it is."""
    found, series = _lineups(asked), list[Series]()
    for line in found:
        arm = arm_name(line)
        series += [Ratio(f"seat/{seat}/{arm}", arm, SeatWinRate(seat)) for seat in range(asked.seats)]
        series += [Ratio(f"lead/{seat}/{arm}", arm, SeatLead(seat)) for seat in range(asked.seats)]
        series += [*pool.gap_series(arm), *example_series(asked, arm)]
    series += coverage.coverage_series(asked, [arm_name(line) for line in found])
    arms = tuple(asked.base_arm(line) for line in found)
    return Plan(arms, tuple(series), f"seat/0/{arm_name(found[0])}")


def answer(asked: Asked, results: Results) -> Answer:
    """A verdict a line-up on seat 0's advantage (with more seats: on each seat's)."""
    found = _lineups(asked)
    share = 1 / asked.seats
    seats = range(asked.seats - 1) if asked.seats == 2 else range(asked.seats)
    judged = [
        (f"seat {seat}", shifted(results.estimate(f"seat/{seat}/{arm_name(line)}"), -share), under(line))
        for line in found
        for seat in seats
    ]
    verdicts = judge(judged, asked.experiment.margin, Wording(effect="sitting there adds"))
    covered, dead = coverage.coverage_table(asked, results, [arm_name(line) for line in found])
    return Answer(
        question=asked.experiment.title or "Does the seat matter?",
        summary=_summary(asked, verdicts),
        headline=shifted(results.estimate(f"seat/0/{arm_name(found[0])}"), -share),
        verdicts=tuple(verdicts),
        tables=(_seat_table(asked, results, found), covered),
        charts=(_forest(asked, verdicts), pool.length_chart(asked, results, found)),
        notes=(*pool.gap_notes(asked, results, found), *dead),
        replays=replays(asked, results, found[-1], arm_name(found[-1])),
    )


def _summary(asked: Asked, verdicts: Sequence[Verdict]) -> str:
    """Whether the seat matters, where, and how far an undecided verdict is from being decided."""
    from simkit.report import numbers

    if nothing := nothing_ended(verdicts):
        return nothing
    limit = within(asked.experiment.margin)
    named = {
        word: [v for v in verdicts if v.verdict == word] for word in ("too strong", "too weak", "undecided", "fair")
    }
    biased, undecided = named["too strong"] + named["too weak"], named["undecided"]
    if biased:
        worst = max(biased, key=lambda v: abs(v.estimate))
        rest = len(verdicts) - len(biased)
        only = f" In {rest} of {len(verdicts)} verdicts no advantage beyond that is shown." if rest else ""
        seen = listed(f"{v.subject} under {v.under} ({points(v)} points)" for v in biased[:MOST_NAMED])
        more = f" and {len(biased) - MOST_NAMED} more, up to {points(worst)}" if len(biased) > MOST_NAMED else ""
        return f"Yes, the seat matters beyond your margin of {limit} of win rate: {seen}{more}.{only}"
    if not undecided:
        low, high = (numbers.points(end) for end in (min(v.low for v in verdicts), max(v.high for v in verdicts)))
        return (
            f"The seat does not matter: under {everywhere(verdicts)} what sitting in it adds to the win rate lies "
            f"between {low} and {high} points (corrected 95 % intervals), inside your margin of {limit}."
        )
    open_ones = f"{len(undecided)} of {len(verdicts)} verdicts are" if len(verdicts) > 1 else "the verdict is"
    estimates = f"the estimate{'s go from' if len(verdicts) > 1 else ' is'} {span(verdicts)}"
    return (
        f"No seat is shown to matter, but {open_ones} not decided within {limit} "
        f"of win rate: {estimates} points. {needed(undecided)}"
    )


def _seat_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    import pandas as pd

    rows = []
    for line in found:
        for seat in range(asked.seats):
            estimate = results.estimate(f"seat/{seat}/{arm_name(line)}")
            row = {"under": under(line), "seat": str(seat), **number("win_rate", estimate)}
            row |= number("lead", results.estimate(f"lead/{seat}/{arm_name(line)}"))
            rows.append(row | {"games": estimate.count})
    return Table(
        "seats",
        "Win rate of each seat",
        pd.DataFrame(rows),
        {
            "under": Column("strategies"),
            "seat": Column("seat"),
            "win_rate": Column("games won", "percent", "win_rate_pm"),
            "games": Column("of games", "count"),
            "lead": Column(f"score above the others' ({asked.game.score_unit})", "number", "lead_pm"),
        },
        "Every deal is played in all seatings, so that a seat's win rate does not mix with who sits there. Intervals "
        "count deals, not games: a strategy without chance plays the same game twice when it meets itself.",
    )


def _forest(asked: Asked, verdicts: Sequence[Verdict]) -> Chart:
    whose = "seat 0" if len({v.subject for v in verdicts}) == 1 else "a seat"
    title = f"What sitting in {whose} adds to the win rate"
    return forest_chart(asked, verdicts, "seats", title, " above an equal share, by seat and strategy")


KIND = Kind("seat_advantage", "does the place at the table matter", SeatAdvantage, plan, answer)
