"""The kind opening_value: what a decision is worth, in positions reached in play, by what its player knows then.

The same deal is played on with the decision taken and with it not taken; up to that turn both games are one and the
same. So each difference is caused by the decision, and by what the same players make of it afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from simkit.answer import Answer, Chart, Column, Estimate, Table
from simkit.games.base import Feature
from simkit.plan import Results
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Kind, Lineup, arm_name, half_width, listed, number, under
from simkit.questions.examples import replays
from simkit.questions.opening_cases import (
    ALL,
    WHATS,
    OpeningValue,
    groupings,
    lineups_of,
    name_of,
    plan,
    probe_of,
    table_of,
)
from simkit.questions.words import MOST_NAMED, points
from simkit.stats.verdicts import MINIMUM_DEALS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEWEST = MINIMUM_DEALS  # positions of a class that is shown
NOWHERE = "nowhere"


def answer(asked: Asked, results: Results) -> Answer:
    """The value on the whole, the rule of thumb, and the table and maps that a player can use."""
    found = lineups_of(asked)
    covered, dead = coverage.coverage_table(asked, results, [arm_name(lineup) for lineup in found])
    charts = [_map(asked, results, lineup, grouping) for lineup in reversed(found) for grouping in _mapped(asked)]
    return Answer(
        question=asked.experiment.title or f"What is {probe_of(asked).words} worth?",
        summary=_summary(asked, results, found),
        headline=_overall(results, found[0], "wins"),
        verdicts=(),
        tables=(_overall_table(asked, results, found), _full_table(asked, results, found), covered),
        charts=tuple(charts),
        notes=(*_seen(asked, results, found), *pool.gap_notes(asked, results, found), *dead),
        replays=replays(asked, results, found[-1], arm_name(found[-1])),
    )


def _overall(results: Results, lineup: Lineup, what: Any) -> Estimate:
    """The value over all positions; NaN where the decision never came."""
    return results.estimate(name_of(lineup, ALL, what))


def _mapped(asked: Asked) -> list[str]:
    """The groupings by two features, which make a map."""
    return [name for name, features in groupings(asked).items() if name not in (ALL, "full") and len(features) == 2]


def _otherwise(asked: Asked) -> str:
    """What the decision is compared with, in words."""
    return "not doing it at all" if table_of(asked).against == "never" else "not doing it this turn"


def _summary(asked: Asked, results: Results, found: Sequence[Lineup]) -> str:
    """The value over all positions, line-up by line-up; then from where on it pays, where play is strongest."""
    from simkit.report import numbers

    probe, unit = probe_of(asked), asked.game.score_unit
    parts = []
    for lineup in found[-MOST_NAMED:]:
        lead, wins = _overall(results, lineup, "lead"), _overall(results, lineup, "wins")
        if math.isnan(lead.value):
            parts.append(f"nothing is known under {under(lineup)}: it came up in no game that ended by the rules")
            continue
        value = numbers.number(lead.value, half_width(lead), signed=True)
        parts.append(f"{value} {unit} of lead ({points(wins)} points of win rate) under {under(lineup)}")
    what = probe.words[0].upper() + probe.words[1:]
    head = f"{what} now, compared with {_otherwise(asked)}, in all positions where it can be done: {'; '.join(parts)}."
    return " ".join([head, *_rule_of_thumb(asked, results, found[-1])])


def _rule_of_thumb(asked: Asked, results: Results, lineup: Lineup) -> list[str]:
    """For each class of the first feature, from which class of the second on it pays."""
    rows, columns = groupings(asked)["first"]
    cells = results.cells(name_of(lineup, "first", "lead"))
    parts = []
    for row in range(len(rows.lows)):
        line = [cells.get(row * len(columns.lows) + column) for column in range(len(columns.lows))]
        known = [(i, e) for i, e in enumerate(line) if e is not None and e.count >= FEWEST]
        if not known:
            continue
        pays = [i for i, e in known if e.low > 0]
        where = _where([i for i, _ in known], pays, columns)
        parts.append((rows.class_words(row), where))
    if not parts:
        return []
    if all(where == NOWHERE for _, where in parts):
        return [f"It pays nowhere under {under(lineup)}, whatever the {rows.words} and the {columns.words}."]
    told = "; ".join(f"{who}: {where}" for who, where in parts)
    return [f"Under {under(lineup)} it pays, by {rows.words}, at {columns.words} as follows. {told}."]


def _where(known: Sequence[int], pays: Sequence[int], columns: Feature) -> str:
    """Which classes pay: `everywhere`, `nowhere`, `from 15 on`, `up to 9`, or one by one (names always)."""
    if not pays:
        return NOWHERE
    if list(pays) == list(known):
        return "everywhere"
    if list(pays) == [i for i in known if i >= pays[0]] and not columns.names:
        return f"from {columns.lows[pays[0]]} on"
    if list(pays) == [i for i in known if i <= pays[-1]] and not columns.names:
        return f"up to {columns.lows[pays[-1] + 1] - 1}"
    return f"at {listed(columns.class_words(i) for i in pays)}"


def _overall_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    import pandas as pd

    rows = []
    for lineup in found:
        row: dict[str, Any] = {"under": under(lineup)}
        for what in WHATS:
            row |= number(what, _overall(results, lineup, what))
        rows.append(row | {"positions": _overall(results, lineup, "lead").count})
    how = (
        f"All positions together; the CSV files have the own score too. {_how_to_read(asked)} A dash: it never came up."
    )
    return Table("overall", f"What {probe_of(asked).words} is worth", pd.DataFrame(rows), _columns(asked, ()), how)


def _full_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    """Every class of everything a player knows, the strongest line-up first."""
    import pandas as pd

    features = probe_of(asked).features
    rows = []
    for lineup in reversed(found):
        estimates = {what: results.cells(name_of(lineup, "full", what)) for what in WHATS}
        for cell, places in enumerate(product(*(range(len(feature.lows)) for feature in features))):
            lead = estimates["lead"].get(cell)
            if lead is None or lead.count < FEWEST:
                continue
            row: dict[str, Any] = {"under": under(lineup)}
            row |= {f.name: f.class_words(place) for f, place in zip(features, places, strict=True)}
            for what in WHATS:
                row |= number(what, estimates[what][cell])
            rows.append(row | {"positions": lead.count})
    columns = _columns(asked, features)
    names = [name for key, column in columns.items() for name in (key, column.half_width) if name]
    how = f"Classes seen in fewer than {FEWEST} positions are left out. {_how_to_read(asked)}"
    return Table("value", "By what the player knows", pd.DataFrame(rows, columns=None if rows else names), columns, how)


def _columns(asked: Asked, features: Sequence[Feature]) -> dict[str, Column]:
    unit = asked.game.score_unit
    return (
        {"under": Column("player against opponent")}
        | {feature.name: Column(feature.words) for feature in features}
        | {
            "lead": Column(f"changes the lead by ({unit})", "number", "lead_pm"),
            "wins": Column("changes the win rate by (points)", "points", "wins_pm"),
            "positions": Column("positions", "count"),
        }
    )


def _how_to_read(asked: Asked) -> str:
    return (
        f"The same game is played on with {probe_of(asked).words} now and with {_otherwise(asked)}; ± is a half-width "
        "of 95 % for each number by itself. One position a game: a turn, and one of the cases that come up then, are "
        "drawn by chance. So hands count as often as they come, whether their player would choose so or not."
    )


def _seen(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[str]:
    """In how many games the decision came up."""
    games = {lineup: results.moments(f"unfinished/{arm_name(lineup)}").sums[1] for lineup in found}
    parts = [f"{_overall(results, line, 'lead').count:,} of {games[line]:,} under {under(line)}" for line in found]
    return [f"The decision came up at the turn drawn in {'; '.join(parts)} games."]


def _map(asked: Asked, results: Results, lineup: Lineup, grouping: str) -> Chart:
    """Two features against each other: the change of the lead as a map."""
    rows, columns = groupings(asked)[grouping]
    cells: Mapping[int, Estimate] = results.cells(name_of(lineup, grouping, "lead"))
    width = len(columns.lows)
    grid = [[_shown(cells.get(row * width + column)) for column in range(width)] for row in range(len(rows.lows))]
    values, widths = ([[cell[i] for cell in line] for line in grid] for i in (0, 1))
    unit = asked.game.score_unit

    def draw() -> Figure:
        from simkit.report.charts import heat

        labels = [[feature.class_words(i) for i in range(len(feature.lows))] for feature in (rows, columns)]
        return heat(labels[0], labels[1], values, widths, rows.words, columns.words, f"{unit} of lead")

    title = f"What {probe_of(asked).words} now adds to the lead, in {unit}, {under(lineup)}"
    told = "; ".join(
        f"{rows.words} {rows.class_words(r)}, {columns.words} {columns.class_words(c)}: {value:+.1f}"
        for r, line in enumerate(values)
        for c, value in enumerate(line)
        if not math.isnan(value)
    )
    return Chart(f"map_{grouping}_{arm_name(lineup)}".replace(" ", "_"), title, f"{title}. {told}.", draw)


def _shown(estimate: Estimate | None) -> tuple[float, float]:
    """Value and half-width; NaN for a class that was hardly seen."""
    if estimate is None or estimate.count < FEWEST:
        return math.nan, math.nan
    return estimate.value, half_width(estimate)


KIND = Kind(
    "opening_value",
    "what is a decision worth when it comes up, by what its player knows then",
    OpeningValue,
    plan,
    answer,
)
