"""Tables and charts of the kind fair_rule, and where a line through the values crosses the target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simkit.answer import Chart, Column, Table
from simkit.plan import Results
from simkit.questions.base import Asked, Lineup, half_width, number, under
from simkit.questions.fair_cases import (
    aim_words,
    arm_at,
    found_lineups,
    rule_words,
    settings_of,
    share_name,
    target_of,
    together_name,
)
from simkit.questions.fair_verdicts import Found, Judged
from simkit.questions.forest import forest_chart
from simkit.questions.sweep_axes import RULES, is_number, name_of, value_words
from simkit.stats.crossing import Crossing, crossing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LINES = 4  # in one chart, so that their bands can be told apart
POOR_FIT = 0.01  # p value below which the line is said not to fit
WORDS = {"fair": "fair", "undecided": "undecided", "too strong": "above", "too weak": "below"}


def crossings(asked: Asked, results: Results) -> dict[Lineup, Crossing]:
    """Where each line-up's win rate crosses the target, for a rule of numbers; without those that show no line."""
    values = settings_of(asked).values
    if not is_number(values):
        return {}
    found = {}
    for lineup in found_lineups(asked):
        aims = {target_of(asked, arm_at(asked, lineup, value)) for value in values}
        if len(aims) == 1:  # a rule may say how many play: then an even share is not the same everywhere
            found[lineup] = crossing(values, results.moments(together_name(lineup)), aims.pop())
    return {lineup: one for lineup, one in found.items() if one is not None}


def values_table(asked: Asked, results: Results, found: Found) -> Table:
    """Every value under every line-up."""
    import pandas as pd

    name, (whose, aim) = name_of(settings_of(asked).key), aim_words(asked)
    rows: list[dict[str, Any]] = []
    for one in found.grid:
        share = results.estimate(share_name(arm_at(asked, one.lineup, one.value)))
        row = {"under": under(one.lineup), name: value_words(one.value), **number("win_rate", share)}
        row |= {"deviation": one.verdict.estimate, "deviation_low": one.verdict.low, "deviation_high": one.verdict.high}
        row |= {"deviation_pm": (one.verdict.high - one.verdict.low) / 2, "verdict": WORDS[one.verdict.verdict]}
        rows.append(row | {"games": share.count, "chosen": "chosen" if one.value == found.chosen else ""})
    columns = {
        "under": Column("strategies"),
        name: Column(name),
        "win_rate": Column(f"{whose}", "percent", "win_rate_pm"),
        "deviation": Column(f"off {aim} (points)", "points", "deviation_pm"),
        "verdict": Column("verdict"),
        "chosen": Column("nearest"),
    }
    how = (
        f"All values are played on the same deals. 'Above' and 'below' say that {whose} is beyond your margin around "
        f"{aim}. The intervals of the deviations are corrected for the number of rows. The nearest value is the one "
        "whose largest deviation over all line-ups is the smallest."
    )
    return _dashed(Table("values", "Every value tried", pd.DataFrame(rows), columns, how))


def fresh_table(asked: Asked, found: Found) -> list[Table]:
    """The chosen value in the grid and on fresh deals."""
    import pandas as pd

    if not found.fresh:
        return []
    rows = []
    for before, after in zip(found.of_chosen, found.fresh, strict=True):
        row = {"under": under(after.lineup), **number("grid", before.deviation), **number("fresh", after.deviation)}
        drift = after.deviation.value - before.deviation.value
        row |= {"drift": drift, "drift_pm": math.hypot(half_width(before.deviation), half_width(after.deviation))}
        rows.append(row | {"verdict": WORDS[after.verdict.verdict], "games": after.deviation.count})
    columns = {
        "under": Column("strategies"),
        "grid": Column("off in the grid (points)", "points", "grid_pm"),
        "fresh": Column("off on fresh deals (points)", "points", "fresh_pm"),
        "drift": Column("from one to the other", "points", "drift_pm"),
        "verdict": Column("verdict on fresh deals"),
        "games": Column("fresh games", "count"),
    }
    how = (
        "The value was chosen because it looked best in the grid, and part of that is luck. The fresh deals had no say "
        "in the choice: believe their column."
    )
    title = f"{rule_words(asked, found.chosen)}, once more on fresh deals"
    return [_dashed(Table("fresh", title, pd.DataFrame(rows), columns, how))]


def crossing_table(asked: Asked, lines: dict[Lineup, Crossing]) -> list[Table]:
    """Where the win rate of each line-up crosses the target."""
    import pandas as pd

    if not lines:
        return []
    rows, name = [], name_of(settings_of(asked).key)
    for lineup, one in lines.items():
        row: dict[str, Any] = {"under": under(lineup), "crosses": _value_words(asked, one)}
        row |= {
            "between": "not known" if _misfits(one) else interval_words(one),
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "bounded": one.bounded,
        }
        row |= {"slope": 25 * one.slope, "slope_pm": 25 * 1.96 * one.slope_se}  # logits are 4 times steeper at a half
        rows.append(row | {"miss": 100 * one.largest_miss, "misfit": one.misfit, "misses": _miss_words(one)})
    columns = {
        "under": Column("strategies"),
        "crosses": Column(f"fair {name}"),
        "between": Column("95 % interval"),
        "slope": Column("points for each 1 more", "number", "slope_pm"),
        "misses": Column("the curve misses"),
    }
    how = (
        f"A smooth curve (logistic) is laid through the win rates at all values; the fair {name} is where it crosses "
        f"{aim_words(asked)[1]}. The interval counts deals, and that all values share them (Fieller). Where the win "
        "rate hardly moves with the rule it has no end: then no value can be named, nor ruled out. Where the curve "
        "misses by more than chance nothing is read from it; points for each 1 more hold near a half."
    )
    return [Table("crossing", f"The {name} at which the game would be fair", pd.DataFrame(rows), columns, how)]


def crossing_sentences(asked: Asked, lines: dict[Lineup, Crossing]) -> list[str]:
    """The crossings in words, for the notes."""
    name = name_of(settings_of(asked).key)
    told = []
    for lineup, one in lines.items():
        if _misfits(one):
            text = f"it misses measured win rates by {_miss_words(one)}, so that no fair {name} is read from it"
        elif one.bounded:
            text = f"fair at {name} {_value_words(asked, one)} (95 % interval {interval_words(one)})"
        elif math.isnan(one.low):
            text = f"{name} moves the win rate too little to name a fair value or to rule one out"
        else:
            text = f"whether more or less {name} is fairer is not known; the 95 % interval has {interval_words(one)}"
        told.append(f"A curve through all values, {under(lineup)}: {text}.")
    return told


def interval_words(one: Crossing) -> str:
    """`14.2 to 17.9`, or what an unbounded interval holds."""
    if math.isnan(one.low):
        return "no end: every value is possible"
    low, high = (_rounded(end, one) for end in (one.low, one.high))
    return f"{low} to {high}" if one.bounded else f"no end: up to {low}, and from {high} on"


def _value_words(asked: Asked, one: Crossing) -> str:
    """The crossing, and whether it lies beyond the values that were played."""
    values = settings_of(asked).values
    if _misfits(one) or not one.bounded:
        return "not known"
    beyond = "" if min(values) <= one.value <= max(values) else ", beyond the values played"
    return f"{_rounded(one.value, one)}{beyond}"


def _rounded(value: float, one: Crossing) -> str:
    from simkit.report import numbers

    return numbers.number(value, decimals=numbers.decimals_of(abs(one.high - one.low) / 2))


def _misfits(one: Crossing) -> bool:
    """Whether the win rates are shown not to lie on a curve of this kind."""
    return one.misfit < POOR_FIT


def _miss_words(one: Crossing) -> str:
    """By how much the curve misses the measured win rates, and whether that can be chance."""
    if math.isnan(one.misfit):
        return "nothing (two values)"
    return f"up to {100 * one.largest_miss:.1g} points{', more than chance' if _misfits(one) else ''}"


def charts(asked: Asked, results: Results, found: Found) -> list[Chart]:
    """The win rates over the values, a few line-ups in each; and the chosen value on fresh deals."""
    lines = found_lineups(asked)
    parts = [lines[i : i + MOST_LINES] for i in range(0, len(lines), MOST_LINES)]
    made = [_chart(asked, results, found, part, f"_{i}" if i else "") for i, part in enumerate(parts)]
    if found.fresh:
        made.append(_fresh_chart(asked, found.fresh))
    return made


def _fresh_chart(asked: Asked, fresh: Sequence[Judged]) -> Chart:
    whose, aim = aim_words(asked)
    title = f"{rule_words(asked, fresh[0].value)} on fresh deals: how far {whose} is from {aim}"
    return forest_chart(asked, [one.verdict for one in fresh], "fresh", title, f", {whose} less {aim}")


def _chart(asked: Asked, results: Results, found: Found, lines: Sequence[Lineup], suffix: str) -> Chart:
    values, chosen = settings_of(asked).values, rule_words(asked, found.chosen)
    x: list[Any] = list(values) if is_number(values) else [value_words(value) for value in values]
    series, aims = {}, set()
    for lineup in lines:
        arms = [arm_at(asked, lineup, value) for value in values]
        aims |= {target_of(asked, arm) for arm in arms}
        made = [results.estimate(share_name(arm)) for arm in arms]
        series[under(lineup)] = (x, [e.value for e in made], [e.low for e in made], [e.high for e in made])
    whose, margin = aim_words(asked)[0], asked.experiment.margin
    aim = aims.pop()
    band = None if aims else (aim - margin, aim + margin)
    place = found.chosen if is_number(values) else values.index(found.chosen)

    def draw() -> Figure:
        from simkit.report.charts import lines as draw_lines

        remark = f"dotted: {chosen}, the nearest"
        label = f"{whose}, per cent"
        figure = draw_lines(series, _axis_words(asked), label, band=band, remark=remark)
        figure.axes[0].axvline(place, color="0.5", linestyle=":", linewidth=1.5, zorder=0.5)
        return figure

    title = f"{whose[0].upper()}{whose[1:]} at each value; nearest to fair: {chosen}"
    ends = "; ".join(f"{label}: {data[1][0]:.1%} to {data[1][-1]:.1%}" for label, data in series.items())
    return Chart(f"values{suffix}", title, f"{title}. {ends}.", draw)


def _axis_words(asked: Asked) -> str:
    """What the rule is, for the axis of a chart."""
    key = settings_of(asked).key
    about = {f"{RULES}{option.name}": option.about for option in asked.game.options}
    return f"{name_of(key)}: {about[key]}"


def _dashed(table: Table) -> Table:
    """The table, with a word on dashes where it has any."""
    if not table.frame[list(table.columns)].isna().any(axis=None):
        return table
    how = f"{table.how_to_read} A dash: no game came to an end."
    return Table(table.name, table.title, table.frame, table.columns, how)
