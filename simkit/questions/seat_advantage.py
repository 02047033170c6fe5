"""The kind seat_advantage: win rate of each seat against an equal share, per strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simkit.answer import Answer, Chart, Column, Table, Verdict
from simkit.experiment import Settings
from simkit.measures import SeatWinRate
from simkit.plan import Plan, Ratio, Results, Series
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Kind, Lineup, Pairs, arm_name, lineups, listed, number, shifted, under
from simkit.questions.words import replay_command
from simkit.stats.verdicts import Wording, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class SeatAdvantage(Settings):
    """The table [seat_advantage]."""

    pairs: Pairs = "mirrors"


def _lineups(asked: Asked) -> list[Lineup]:
    settings = asked.experiment.settings
    assert isinstance(settings, SeatAdvantage)
    return lineups(asked, settings.pairs)


def plan(asked: Asked) -> Plan:
    """Each line-up as it is."""
    found = _lineups(asked)
    arms = {arm.name: arm for arm in (asked.base_arm(line) for line in (*found, *asked.mirrors()))}
    arms |= {arm.name: arm for arm in pool.pool_arms(asked)}
    series: list[Series] = [
        Ratio(f"seat/{seat}/{arm_name(line)}", arm_name(line), SeatWinRate(seat))
        for line in found
        for seat in range(asked.seats)
    ]
    series += pool.pool_series(asked) + pool.length_series(asked) + coverage.coverage_series(asked, found)
    return Plan(tuple(arms.values()), tuple(series), f"seat/0/{arm_name(found[0])}", asked.seats)


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
    covered, dead = coverage.coverage_table(asked, results, found)
    tables = [_seat_table(asked, results, found)]
    charts = [_forest(asked, verdicts)]
    if len(asked.labels) > 1:
        tables.append(pool.matrix_table(asked, results))
        charts.append(pool.matrix_chart(asked, results))
    everyone = [*asked.mirrors(), *(arm.lineup for arm in pool.pool_arms(asked))]
    return Answer(
        question=asked.experiment.title or "Does the seat matter?",
        summary=_summary(asked, verdicts),
        headline=shifted(results.estimate(f"seat/0/{arm_name(found[0])}"), -share),
        verdicts=tuple(verdicts),
        tables=(*tables, covered),
        charts=(*charts, pool.length_chart(asked, results)),
        notes=(*pool.unfinished_notes(asked, results, everyone), *dead),
        replays=(("the first deal of the run", replay_command(asked, found[0], 0)),),
    )


def _summary(asked: Asked, verdicts: list[Verdict]) -> str:
    margin = f"±{asked.experiment.margin * 100:g} points"
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.verdict, []).append(verdict)
    if set(groups) == {"fair"}:
        low, high = min(v.low for v in verdicts) * 100, max(v.high for v in verdicts) * 100
        seen = listed(dict.fromkeys(v.under for v in verdicts))
        return (
            f"The seat does not matter: under {seen} its effect on the win rate lies between {low:+.2f} and "
            f"{high:+.2f} points, inside your margin of {margin}."
        ).replace("-", "−")
    parts = []
    words = {"fair": f"fair within {margin}", "too strong": "an advantage", "too weak": "a handicap"}
    for word, group in groups.items():
        seen = listed(f"{v.subject} under {v.under} ({v.estimate * 100:+.2f} points)" for v in group)
        parts.append(f"{words.get(word, 'undecided')}: {seen}".replace("-", "−"))
    return f"The seat may matter. {'; '.join(parts)}."


def _seat_table(asked: Asked, results: Results, found: list[Lineup]) -> Table:
    import pandas as pd

    rows = []
    for line in found:
        for seat in range(asked.seats):
            estimate = results.estimate(f"seat/{seat}/{arm_name(line)}")
            row = {"under": under(line), "seat": str(seat), **number("win_rate", estimate)}
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
        },
        "Every deal is played in all seatings, so that a seat's win rate does not mix with who sits there.",
    )


def _forest(asked: Asked, verdicts: list[Verdict]) -> Chart:
    rows = [(v.under, v.subject, v.estimate, v.low, v.high) for v in verdicts]
    ends = "; ".join(f"{v.subject} {v.estimate * 100:+.2f} under {v.under}" for v in verdicts)

    def draw() -> Figure:
        from simkit.report.charts import forest

        return forest(rows, asked.experiment.margin)

    alt = f"Points of win rate above an equal share, by seat and strategy: {ends}."
    return Chart("seats", "What the seat adds to the win rate", alt, draw)


KIND = Kind("seat_advantage", "does the place at the table matter", SeatAdvantage, plan, answer)
