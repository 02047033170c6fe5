"""Tables and charts of the kind fair_rule, and where a line through the values crosses the target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simkit.answer import Chart, Column, Estimate, Table
from simkit.plan import Results
from simkit.questions.base import Asked, half_width, number, shifted
from simkit.questions.fair_rule.aims import (
    Aim,
    common_words,
    deviation,
    effect_name,
    judged_aims,
    rule_words,
    target_at,
    together_name,
)
from simkit.questions.fair_rule.cases import Stages
from simkit.questions.fair_rule.settings import settings_of
from simkit.questions.fair_rule.verdicts import Found, Judged
from simkit.questions.forest import forest_chart
from simkit.questions.sweep.axes import RULES, is_number, name_of, value_words
from simkit.stats.crossing import Crossing, crossing, crossing_of_differences

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LINES = 4  # in one chart, so that their bands can be told apart
POOR_FIT = 0.01  # p value below which the line is said not to fit
WORDS = {"fair": "fair", "undecided": "undecided", "too strong": "above", "too weak": "below"}
LOGITS_TO_POINTS, SHARE_TO_POINTS = 25, 100  # logits are 4 times steeper at a half


def crossings(asked: Asked, results: Results) -> dict[Aim, Crossing]:
    """Where each aim is met, for a rule of numbers; without those that show no line."""
    values = settings_of(asked).values
    if not is_number(values):
        return {}
    found = {}
    for aim in judged_aims(asked, results):
        targets = {target_at(asked, aim, value) for value in values}
        if len(targets) == 1:  # a rule may say how many play: then an even share is not the same everywhere
            cross = crossing if aim.card is None else crossing_of_differences
            found[aim] = cross(values, results.moments(together_name(aim)), targets.pop())
    return {aim: one for aim, one in found.items() if one is not None}


def values_table(asked: Asked, results: Results, found: Found) -> Table:
    """Every value and every aim."""
    import pandas as pd

    name, (whose, aim) = name_of(settings_of(asked).key), common_words(asked)
    rows: list[dict[str, Any]] = []
    for one in found.grid:
        effect = results.estimate(effect_name(asked, one.aim, one.value))
        row = {"under": one.aim.under, name: value_words(one.value), **number("win_rate", effect)}
        row |= {"aimed_at": one.aim.aim}
        row |= {"deviation": one.verdict.estimate, "deviation_low": one.verdict.low, "deviation_high": one.verdict.high}
        row |= {"deviation_pm": (one.verdict.high - one.verdict.low) / 2, "verdict": WORDS[one.verdict.verdict]}
        rows.append(row | {"games": effect.count, "chosen": "chosen" if one.value == found.chosen else ""})
    own = len({one.aim.aim for one in found.grid}) > 1
    columns = {
        "under": Column("strategies"),
        name: Column(name),
        "win_rate": Column(whose, "percent" if found.grid[0].aim.card is None else "points", "win_rate_pm"),
        **({"aimed_at": Column("aimed at")} if own else {}),
        "deviation": Column(f"off {aim} (points)", "points", "deviation_pm"),
        "verdict": Column("verdict"),
        "chosen": Column("nearest"),
    }
    how = (
        f"All values are played on the same deals. 'Above' and 'below' say that {whose} is beyond your margin around "
        f"{aim}. The intervals of the deviations are corrected for the number of rows. The nearest value is the one "
        "whose largest deviation over all line-ups is the smallest."
    )
    title = "Every value tried, by re-tuned strategies" if found.before else "Every value tried"
    return dashed(Table("values", title, pd.DataFrame(rows), columns, how))


def fresh_table(asked: Asked, found: Found) -> list[Table]:
    """The chosen value in the grid and on fresh deals."""
    import pandas as pd

    if not found.fresh:
        return []
    rows = []
    for before, after in zip(found.of_chosen, found.fresh, strict=True):
        row = {"under": after.aim.under, **number("grid", before.deviation), **number("fresh", after.deviation)}
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
    return [dashed(Table("fresh", title, pd.DataFrame(rows), columns, how))]


def crossing_table(asked: Asked, lines: dict[Aim, Crossing]) -> list[Table]:
    """Where each aim is met."""
    import pandas as pd

    if not lines:
        return []
    rows, name = [], name_of(settings_of(asked).key)
    for aim, one in lines.items():
        row: dict[str, Any] = {"under": aim.under, "crosses": _value_words(asked, one)}
        row |= {
            "between": "not known" if _misfits(one) else interval_words(one),
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "bounded": one.bounded,
        }
        points = LOGITS_TO_POINTS if aim.card is None else SHARE_TO_POINTS
        row |= {"slope": points * one.slope, "slope_pm": points * 1.96 * one.slope_se}
        rows.append(row | {"miss": 100 * one.largest_miss, "misfit": one.misfit, "misses": _miss_words(one)})
    columns = {
        "under": Column("strategies"),
        "crosses": Column(f"fair {name}"),
        "between": Column("95 % interval"),
        "slope": Column("points for each 1 more", "number", "slope_pm"),
        "misses": Column("the line misses"),
    }
    of_card = next(iter(lines)).card is not None
    laid = "A straight line is laid" if of_card else "A smooth curve (logistic) is laid"
    near = "" if of_card else "; points for each 1 more hold near a half"
    how = (
        f"{laid} through {common_words(asked)[0]} at all values; the fair {name} is where it crosses "
        f"{common_words(asked)[1]}. The interval counts deals, and that all values share them (Fieller). Where the "
        "rule hardly moves it, it has no end: then no value can be named, nor ruled out. Where the line "
        f"misses by more than chance nothing is read from it{near}."
    )
    return [Table("crossing", f"The {name} at which the game would be fair", pd.DataFrame(rows), columns, how)]


def crossing_sentences(asked: Asked, lines: dict[Aim, Crossing]) -> list[str]:
    """The crossings in words, for the notes."""
    name = name_of(settings_of(asked).key)
    told = []
    for aim, one in lines.items():
        if _misfits(one):
            text = f"it misses what was measured by {_miss_words(one)}, so that no fair {name} is read from it"
        elif one.bounded:
            text = f"fair at {name} {_value_words(asked, one)} (95 % interval {interval_words(one)})"
        elif math.isnan(one.low):
            text = f"{name} changes too little to name a fair value or to rule one out"
        else:
            text = f"whether more or less {name} is fairer is not known; the 95 % interval has {interval_words(one)}"
        told.append(f"A {'curve' if aim.card is None else 'line'} through all values, {aim.under}: {text}.")
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
    most = f"{100 * one.largest_miss:.1g}"
    return f"up to {most} {'point' if most == '1' else 'points'}{', more than chance' if _misfits(one) else ''}"


def charts(asked: Asked, stages: Stages, found: Found) -> list[Chart]:
    """What is judged over the values, a few aims in each; the chosen value on fresh deals; and before re-tuning."""
    made = _charts(asked, stages.grid, found, ", re-tuned" if found.before else "")
    if found.fresh:
        made.append(_fresh_chart(asked, found.fresh))
    if found.before:
        made += _charts(asked, stages.shipped, found, ", strategies as they are", "_before")
    return made


def _charts(asked: Asked, results: Results, found: Found, played: str, suffix: str = "") -> list[Chart]:
    aims, made = found.aims, []
    for i in range(0, len(aims), MOST_LINES):
        name = f"values{suffix}{f'_{i // MOST_LINES}' if i else ''}"
        made.append(_chart(asked, results, found, aims[i : i + MOST_LINES], name, played))
    return made


def _fresh_chart(asked: Asked, fresh: Sequence[Judged]) -> Chart:
    whose, aim = common_words(asked)
    title = f"{rule_words(asked, fresh[0].value)} on fresh deals: how far {whose} is from {aim}"
    return forest_chart(asked, [one.verdict for one in fresh], "fresh", title, f", {whose} less {aim}")


def _chart(asked: Asked, results: Results, found: Found, aims: Sequence[Aim], name: str, played: str) -> Chart:
    values, chosen = settings_of(asked).values, rule_words(asked, found.chosen)
    (whose, aim), margin = common_words(asked), asked.experiment.margin
    x: list[Any] = list(values) if is_number(values) else [value_words(value) for value in values]
    targets = {target_at(asked, one, value) for one in found.aims for value in values}
    if len(targets) == 1:  # the numbers themselves, around the one that is aimed at
        target = targets.pop()
        label = f"{whose}, {'per cent' if aims[0].card is None else 'points of win rate'}"
    else:
        target, label = 0.0, f"points that {whose} is off {aim}"
    series = {one.under: (x, *_shown(asked, results, one, target)) for one in aims}
    place = found.chosen if is_number(values) else values.index(found.chosen)

    def draw() -> Figure:
        from simkit.report.charts import lines as draw_lines

        remark = f"dotted: {chosen}, the nearest"
        figure = draw_lines(series, _axis_words(asked), label, band=(target - margin, target + margin), remark=remark)
        figure.axes[0].axvline(place, color="0.5", linestyle=":", linewidth=1.5, zorder=0.5)
        return figure

    title = f"{whose[0].upper()}{whose[1:]} at each value{played}; nearest to fair: {chosen}"
    ends = "; ".join(f"{who}: {100 * y[0]:.1f} to {100 * y[-1]:.1f}" for who, (_, y, _, _) in series.items())
    return Chart(name, title, f"{title}. In {label}: {ends}.", draw)


def _shown(asked: Asked, results: Results, aim: Aim, target: float) -> tuple[list[float], list[float], list[float]]:
    """How far each value is off an aim, around `target`: estimates and the ends of their intervals."""
    off: list[Estimate] = [
        shifted(deviation(asked, results, aim, value), target) for value in settings_of(asked).values
    ]
    return [e.value for e in off], [e.low for e in off], [e.high for e in off]


def _axis_words(asked: Asked) -> str:
    """What the rule is, for the axis of a chart."""
    key = settings_of(asked).key
    about = {f"{RULES}{option.name}": option.about for option in asked.game.options}
    return f"{name_of(key)}: {about[key]}"


def dashed(table: Table) -> Table:
    """The table, with a word on dashes where it has any."""
    if not table.frame[list(table.columns)].isna().any(axis=None):
        return table
    how = f"{table.how_to_read} A dash: no game came to an end."
    return Table(table.name, table.title, table.frame, table.columns, how)
