"""Seats at tables of several sizes: maps of what each seat adds, its win rates, and how long games are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simkit.answer import Chart, Column, Estimate, Table
from simkit.plan import Results
from simkit.questions.base import Asked, half_width, number
from simkit.questions.examples import length_name
from simkit.questions.seat_advantage.cases import Case, by_lineup
from simkit.questions.seat_advantage.verdicts import Judged, added
from simkit.questions.stakes import stakes_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NONE = (math.nan, math.nan)


def _added(results: Results, case: Case, seat: int) -> tuple[float, float]:
    """What a seat adds above what equals have, and half the width of its interval, in hundredths."""
    estimate = added(results, stakes_of(case.asked), case, seat)
    return 100 * estimate.value, 100 * half_width(estimate)


def maps(asked: Asked, results: Results, found: Sequence[Case], judged: Sequence[Judged]) -> list[Chart]:
    """For each line-up, the last first: table size against seat, all in one scale of colours."""
    deepest = max((abs(_added(results, case, seat)[0]) for case in found for seat in case.seats), default=math.nan)
    groups = by_lineup(found)
    return [
        _map(asked, results, name, groups[name], judged, deepest, "seats" if i == 0 else f"seats_{i}")
        for i, name in enumerate(reversed(groups))
    ]


def _map(
    asked: Asked,
    results: Results,
    under: str,
    found: Sequence[Case],
    judged: Sequence[Judged],
    deepest: float,
    name: str,
) -> Chart:
    most = max(len(case.seats) for case in found)
    cells = [[_added(results, case, s) if s in case.seats else NONE for s in range(most)] for case in found]
    values, widths = np.moveaxis(np.array(cells), 2, 0)
    beyond = {(one.case.arm, one.seat) for one in judged if one.verdict.verdict.startswith("too")}
    beyond |= {(one.case.arm, 1) for one in judged if (one.case.arm, 0) in beyond and len(one.case.seats) == 2}
    framed = np.array([[(case.arm, seat) in beyond for seat in range(most)] for case in found])
    stakes = stakes_of(asked)
    limit = stakes.within(asked.experiment.margin)

    def draw() -> Figure:
        from simkit.report.charts import heat

        rows, columns = [f"{len(case.seats)} players" for case in found], [f"seat {seat}" for seat in range(most)]
        unit, words = f"{stakes.unit_in_full} above {stakes.even}", f"beyond your margin of {limit}"
        heads = ("players at the table", "seat", unit)
        return heat(
            rows, columns, values, widths, *heads, hatched="", framed=framed, framed_words=words, deepest=deepest
        )

    title = f"What each seat adds to {stakes.total}, {under}"
    ends = [
        f"with {len(case.seats)} players {_best_and_worst(case, row)}" for case, row in zip(found, values, strict=True)
    ]
    return Chart(name, title, f"{title}, in {stakes.unit} above {stakes.even}: {'; '.join(ends)}.", draw)


def _best_and_worst(case: Case, row: Sequence[float]) -> str:
    own = {seat: row[seat] for seat in case.seats if math.isfinite(row[seat])}
    if not own:
        return "no game ended"
    best, worst = max(own, key=own.__getitem__), min(own, key=own.__getitem__)
    return f"seat {best} {own[best]:+.1f}, seat {worst} {own[worst]:+.1f}"


def size_table(asked: Asked, results: Results, found: Sequence[Case]) -> Table:
    """Win rate of each seat, a row a line-up and table; the leads in the CSV file."""
    import pandas as pd

    most, rows = max(len(case.seats) for case in found), []
    for case in found:
        row: dict[str, Any] = {"under": case.under, "players": len(case.seats)}
        row |= {"games": results.estimate(f"seat/0/{case.arm}").count, "even": 1 / len(case.seats)}
        for seat in case.seats:
            row |= number(f"seat_{seat}", results.estimate(f"seat/{seat}/{case.arm}"))
            if not asked.game.only_wins(case.asked.rules):
                row |= number(f"lead_{seat}", results.estimate(f"lead/{seat}/{case.arm}"))
        rows.append(row)
    columns = {
        "under": Column("strategies"),
        "players": Column("players", "count"),
        "games": Column("games", "count"),
        "even": Column("even share", "percent"),
    }
    columns |= {f"seat_{seat}": Column(f"seat {seat} wins", "percent", f"seat_{seat}_pm") for seat in range(most)}
    how = (
        "Every deal is played in all seatings, so that a seat's win rate does not mix with who sits there. Intervals "
        "count deals, not games: a strategy without chance plays the same game in every seating when it meets itself. "
        "A dash: there is no such seat, or no game ended."
    )
    return Table("seats", "Win rate of each seat", pd.DataFrame(rows), columns, how)


def length_table(asked: Asked, results: Results, found: Sequence[Case]) -> Table:
    """How long games are, a row a line-up and table."""
    import pandas as pd

    unit, rows = asked.game.length, []
    for case in found:
        lengths, rounded = results.histogram(length_name(case.arm)), number("length", _length(results, case))
        row: dict[str, Any] = {"under": case.under, "players": len(case.seats), **rounded}
        row |= {"middle": lengths.quantile(0.5), "long": lengths.quantile(0.95), "longest": max(lengths.counts)}
        rows.append(row | number("unfinished", results.estimate(f"unfinished/{case.arm}")))
    columns = {
        "under": Column("strategies"),
        "players": Column("players", "count"),
        "length": Column(f"{unit} a game", "number", "length_pm"),
        "middle": Column("half of them at most", "count"),
        "long": Column("19 of 20 at most", "count"),
        "longest": Column("longest", "count"),
        "unfinished": Column("did not end", "percent", "unfinished_pm"),
    }
    how = f"All games count, {unit} of those that did not end by the rules up to where they were stopped."
    return Table("lengths", "How long games are", pd.DataFrame(rows), columns, how)


def _length(results: Results, case: Case) -> Estimate:
    return results.estimate(f"length/{case.arm}")


def length_chart(asked: Asked, results: Results, found: Sequence[Case]) -> Chart:
    """The mean length over the number of players, a line a line-up."""
    series = {}
    for name, mine in by_lineup(found).items():
        made = [_length(results, case) for case in mine]
        sizes = [len(case.seats) for case in mine]
        series[name] = (sizes, [e.value for e in made], [e.low for e in made], [e.high for e in made])
    unit = f"{asked.game.length} a game"

    def draw() -> Figure:
        from simkit.report.charts import lines

        return lines(series, "players", unit, scale=1.0)

    title = f"How many {asked.game.length} a game lasts, by number of players"
    ends = "; ".join(f"{name} {values[0]:.1f} to {values[-1]:.1f}" for name, (_, values, *_) in series.items())
    return Chart("length", title, f"{title}. From the smallest table to the largest: {ends}.", draw)


def length_sentence(asked: Asked, results: Results, found: Sequence[Case]) -> str:
    """How long games are at the smallest table and at the largest."""
    from simkit.report import numbers

    parts = []
    for name, mine in by_lineup(found).items():
        ends = [_length(results, case) for case in (mine[0], *mine[1:][-1:])]
        known = [numbers.number(e.value, half_width(e)).partition(" ±")[0] for e in ends]
        parts.append(f"{' to '.join(known)} under {name}")
    sizes = sorted({len(case.seats) for case in found})
    between = f"From {sizes[0]} to {sizes[-1]} players" if len(sizes) > 1 else f"With {sizes[0]} players"
    return f"{between} a game lasts so many {asked.game.length}: {'; '.join(parts)}."
