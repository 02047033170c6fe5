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
from simkit.questions.base import Asked, Kind, Lineup, arm_name, half_width, listed, no_subjects, number, under
from simkit.questions.examples import replays
from simkit.questions.ladder import Seen, ladder_of
from simkit.questions.ladder_views import LadderViews
from simkit.questions.opening_value.cases import (
    ALL,
    WHATS,
    What,
    groupings,
    lineups_of,
    name_of,
    plan,
    probe_of,
    table_of,
    worth,
)
from simkit.questions.opening_value.settings import OpeningValue
from simkit.questions.words import MOST_NAMED, points
from simkit.stats.verdicts import MINIMUM_DEALS, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEWEST = MINIMUM_DEALS  # positions of a class that is shown
NOWHERE = "nowhere"
SIGNS = {"too strong": "pays", "too weak": "costs", "fair": "changes nothing"}  # verdicts of a margin of 0


def answer(asked: Asked, results: Results) -> Answer:
    """The value on the whole, the rule of thumb, and the table and maps that a player can use."""
    found = lineups_of(asked)
    covered, dead = coverage.coverage_table(asked, results, [arm_name(lineup) for lineup in found])
    ladder, effects = ladder_of(asked, results, found), {under(line): _overall(results, line, "wins") for line in found}
    words = probe_of(asked).words
    seen = [Seen.of(words, where, effect) for where, effect in effects.items()]
    views = LadderViews(ladder, seen, f"What {words} now adds to the win rate, in points")
    signs = judge([(words, effect, where) for where, effect in effects.items()], 0.0)
    charts = [_map(asked, results, lineup, grouping) for lineup in reversed(found) for grouping in _mapped(asked)]
    charts += [_by_class(asked, results, found)] if _has_one_feature(asked) else []
    return Answer(
        question=asked.experiment.title or f"What is {probe_of(asked).words} worth?",
        summary=" ".join([*ladder.flip(signs, str, SIGNS), _summary(asked, results, found)]),
        headline=_overall(results, found[0], "wins"),
        verdicts=(),
        tables=(_overall_table(asked, results, found), _full_table(asked, results, found), *views.tables(), covered),
        charts=(*charts[:1], *views.charts(), *charts[1:]),
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
    probe = probe_of(asked)
    return probe.never_words if table_of(asked).against == "never" else probe.later_words


def _gain(asked: Asked) -> str:
    """What the maps count, in words."""
    return "points of win rate" if worth(asked) == "wins" else f"{asked.game.score_unit} of lead"


def _summary(asked: Asked, results: Results, found: Sequence[Lineup]) -> str:
    """The value over all positions, line-up by line-up; then from where on it pays, where play is strongest."""
    probe, parts = probe_of(asked), []
    for lineup in found[-MOST_NAMED:]:
        wins = _overall(results, lineup, "wins")
        if math.isnan(wins.value):
            parts.append(f"nothing is known under {under(lineup)}: it came up in no game that ended by the rules")
            continue
        value = f"{points(wins)} points of win rate"
        if worth(asked) == "lead":
            value = f"{_signed(_overall(results, lineup, 'lead'))} {_gain(asked)} ({value})"
        parts.append(f"{value} under {under(lineup)}")
    what = probe.words[0].upper() + probe.words[1:]
    where = "where the decision comes up" if table_of(asked).when else "where it can be done"
    head = f"{what} now, compared with {_otherwise(asked)}, in all positions {where}: {'; '.join(parts)}."
    rule = _by_class_words if _has_one_feature(asked) else _rule_of_thumb
    return " ".join([head, *rule(asked, results, found[-1])])


def _has_one_feature(asked: Asked) -> bool:
    return len(probe_of(asked).features) == 1


def _known_classes(asked: Asked, results: Results, lineup: Lineup, what: What) -> list[tuple[int, Estimate]]:
    """The classes of the only feature that were seen often enough."""
    cells = results.cells(name_of(lineup, "full", what))
    return [(place, cells[place]) for place in sorted(cells) if cells[place].count >= FEWEST]


def _by_class_words(asked: Asked, results: Results, lineup: Lineup) -> list[str]:
    """In which classes of the only feature it pays, and in which it costs."""
    (feature,) = probe_of(asked).features
    known = _known_classes(asked, results, lineup, worth(asked))
    if not known:
        return []
    groups = {
        "it pays": [place for place, e in known if e.low > 0],
        "it costs": [place for place, e in known if e.high < 0],
        "it is open": [place for place, e in known if e.low <= 0 <= e.high],
    }
    told = "; ".join(f"{word} at {listed(map(feature.class_words, some))}" for word, some in groups.items() if some)
    return [f"Under {under(lineup)}, class by class: {told}."]


def _signed(estimate: Estimate) -> str:
    from simkit.report import numbers

    return numbers.number(estimate.value, half_width(estimate), signed=True)


def _rule_of_thumb(asked: Asked, results: Results, lineup: Lineup) -> list[str]:
    """For each class of the first feature, from which class of the second on it pays."""
    rows, columns = groupings(asked)["first"]
    cells = results.cells(name_of(lineup, "first", worth(asked)))
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
    return [f"Under {under(lineup)} it pays as follows ({rows.words}: {columns.words}). {told}."]


def _where(known: Sequence[int], pays: Sequence[int], columns: Feature) -> str:
    """Which classes pay: `everywhere`, `nowhere`, `from 15 on`, `up to 9`, or one by one, as names always are."""
    if not pays:
        return NOWHERE
    if list(pays) == list(known):
        return "everywhere"
    in_a_row = len(pays) > 1 and not columns.names
    if in_a_row and list(pays) == [i for i in known if i >= pays[0]]:
        return f"from {columns.lows[pays[0]]} on"
    if in_a_row and list(pays) == [i for i in known if i <= pays[-1]]:
        return f"up to {columns.lows[pays[-1] + 1] - 1}"
    return f"only at {listed(columns.class_words(i) for i in pays)}"


def _overall_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    import pandas as pd

    rows = []
    for lineup in found:
        row: dict[str, Any] = {"under": under(lineup)}
        for what in WHATS:
            row |= number(what, _overall(results, lineup, what))
        rows.append(row | {"positions": _overall(results, lineup, "lead").count})
    more = "; the CSV files have the own score too" if worth(asked) == "lead" else ""
    how = f"All positions together{more}. {_how_to_read(asked)} A dash: it never came up."
    return Table("overall", f"What {probe_of(asked).words} is worth", pd.DataFrame(rows), _columns(asked, ()), how)


def _full_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    """Every class of everything a player knows, the strongest line-up first."""
    import pandas as pd

    features, rows = probe_of(asked).features, []
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
    lead = Column(f"changes the lead by ({asked.game.score_unit})", "number", "lead_pm")
    return (
        {"under": Column("strategies")}
        | {feature.name: Column(feature.words) for feature in features}
        | ({"lead": lead} if worth(asked) == "lead" else {})
        | {"wins": Column("changes the win rate by (points)", "points", "wins_pm")}
        | {"positions": Column("positions", "count")}
    )


def _how_to_read(asked: Asked) -> str:
    return (
        f"The same game is played on with {probe_of(asked).words} now and with {_otherwise(asked)}; ± is a half-width "
        f"of 95 % for each number by itself. {_which_positions(asked)} So positions count as often as they come, "
        "whether their player would choose so or not."
    )


def _which_positions(asked: Asked) -> str:
    if table_of(asked).when:
        return "One position a game, the first of the player's in which the decision comes up."
    return "One position a game, drawn by chance from those in which the decision may come up."


def _seen(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[str]:
    """In how many games the decision came up."""
    games = {lineup: results.moments(f"unfinished/{arm_name(lineup)}").sums[1] for lineup in found}
    parts = [f"{_overall(results, line, 'lead').count:,} of {games[line]:,} under {under(line)}" for line in found]
    time = "" if table_of(asked).when else " at the time drawn"
    return [f"The decision came up{time} in {'; '.join(parts)} games."]


def _by_class(asked: Asked, results: Results, found: Sequence[Lineup]) -> Chart:
    """The change of the win rate in each class of the only feature."""
    (feature,) = probe_of(asked).features
    rows = [
        (feature.class_words(place), under(lineup), e)
        for lineup in reversed(found)
        for place, e in _known_classes(asked, results, lineup, "wins")
    ]
    title = f"What {probe_of(asked).words} now adds to the win rate, by position"
    told = "; ".join(f"{name} {points(e)}, {where}" for name, where, e in rows) or "no class was seen often enough"

    def draw() -> Figure:
        from simkit.report.charts import forest

        return forest([(name, where, e.value, e.low, e.high) for name, where, e in rows])

    return Chart("by_class", title, f"{title}, in points: {told}.", draw)


def _map(asked: Asked, results: Results, lineup: Lineup, grouping: str) -> Chart:
    """Two features against each other: the change of the lead as a map."""
    rows, columns = groupings(asked)[grouping]
    what, width = worth(asked), len(columns.lows)
    cells: Mapping[int, Estimate] = results.cells(name_of(lineup, grouping, what))
    seen = [divmod(cell, width) for cell, estimate in cells.items() if estimate.count >= FEWEST]
    here = [sorted({place[axis] for place in seen}) for axis in (0, 1)]  # no row or column without a number
    grid = [[_shown(cells.get(row * width + column), what) for column in here[1]] for row in here[0]]
    values, widths = ([[cell[i] for cell in line] for line in grid] for i in (0, 1))
    names = [[axis.class_words(i) for i in places] for axis, places in zip((rows, columns), here, strict=True)]

    def draw() -> Figure:
        from simkit.report.charts import heat

        return heat(names[0], names[1], values, widths, rows.words, columns.words, _gain(asked))

    added = "the win rate, in points" if what == "wins" else f"the lead, in {asked.game.score_unit}"
    title = f"What {probe_of(asked).words} now adds to {added}, {under(lineup)}"
    told = "; ".join(
        f"{rows.words} {row}, {columns.words} {column}: {value:+.1f}"
        for row, line in zip(names[0], values, strict=True)
        for column, value in zip(names[1], line, strict=True)
        if not math.isnan(value)
    )
    return Chart(f"map_{grouping}_{arm_name(lineup)}".replace(" ", "_"), title, f"{title}. {told}.", draw)


def _shown(estimate: Estimate | None, what: What) -> tuple[float, float]:
    """Value and half-width, of a win rate in points; NaN for a class that was hardly seen."""
    if estimate is None or estimate.count < FEWEST:
        return math.nan, math.nan
    scale = 100 if what == "wins" else 1
    return scale * estimate.value, scale * half_width(estimate)


KIND = Kind(
    "opening_value",
    "what is a decision worth when it comes up, by what its player knows then",
    OpeningValue,
    plan,
    answer,
    subjects=no_subjects,
)
