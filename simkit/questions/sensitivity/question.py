"""The kind sensitivity: which of several rules and parameters matters most, over all their values at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simkit.answer import Answer, Chart, Column, Estimate, Format, Table
from simkit.plan import Results
from simkit.questions import coverage
from simkit.questions.base import Asked, Kind, arm_name, half_width, is_mirror, listed, no_subjects, number, under
from simkit.questions.examples import replays
from simkit.questions.ladder import Seen, ladder_of
from simkit.questions.ladder_views import LadderViews
from simkit.questions.sensitivity.cases import Sensitivity, lineups_of, plan, shown_of, stuck_name, table_of
from simkit.questions.sensitivity.found import Found, findings
from simkit.questions.sensitivity.words import amount, in_words, luck_in_words, what_would_help
from simkit.questions.sweep.axes import is_number, name_of, value_words
from simkit.questions.sweep.measures import Shown
from simkit.stats.sensitivity import CHANGE, MORRIS_SIZE, MORRIS_SPREAD, SOBOL_FIRST, SOBOL_TOTAL, Method

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_VALUES = 4  # of a key that a table names one by one
SOBOL, MORRIS = ("in all", "by itself"), ("a step is worth (μ*)", "differing by (σ)")


def answer(asked: Asked, results: Results) -> Answer:
    """What matters most for each measure, what hardly matters, and how much is interaction."""
    found, lineup = findings(asked, results), lineups_of(asked)[-1]
    base, names = arm_name(lineup), _names(asked)
    arms = [arm_name(one) for one in lineups_of(asked)]
    covered, dead = coverage.coverage_table(asked, results, arms, "at all settings")
    is_whole = len(table_of(asked).settings) == math.prod(map(len, table_of(asked).keys.values()))
    charts = [_chart(asked, one) for one in found if one.state in ("known", "noise")]
    views = _over_strength(asked, results, found)
    return Answer(
        question=asked.experiment.title or f"Which matters most: {listed(names)}?",
        summary=" ".join(in_words(found, names)),
        headline=results.estimate(results.plan.headline),
        verdicts=(),
        tables=(*_tables(asked, found), *views.tables(), _ranges(asked, found), covered),
        charts=(*charts, *views.charts()),
        notes=(
            *_size(asked, is_whole),
            *luck_in_words(found),
            *what_would_help(found, is_whole),
            *_unfinished(asked, results),
            *dead,
        ),
        replays=replays(asked, results, lineup, base),
    )


def _over_strength(asked: Asked, results: Results, found: Sequence[Found]) -> LadderViews:
    """How much each key matters over the strength of play, for the first measure of which that is known."""
    known = [one for one in found if one.state == "known"]
    shown = next((one.shown for one in known), shown_of(asked)[0])
    names, seen = _names(asked), []
    for one in known:
        if one.shown == shown:
            for name, value, half in zip(names, one.rank.value.tolist(), one.rank.half.tolist(), strict=True):
                seen.append(Seen(name, under(one.lineup), value, value - half, value + half))
    is_sobol = table_of(asked).method == "sobol"
    unit = "per cent of the variation (ST)" if is_sobol else f"{_unit(shown)} a step (μ*)"
    form: Format = "percent" if is_sobol else "number" if shown.kind == "count" else "points"
    ladder = ladder_of(asked, results, lineups_of(asked))
    return LadderViews(ladder, seen, f"What matters for {shown.words}", unit, form)


def _unit(shown: Shown) -> str:
    return shown.words if shown.kind == "count" else "points"


def _names(asked: Asked) -> list[str]:
    return [name_of(key) for key in table_of(asked).keys]


def _tables(asked: Asked, found: Sequence[Found]) -> list[Table]:
    """A table for each measure."""
    return [_table(asked, [one for one in found if one.shown.name == shown.name]) for shown in shown_of(asked)]


def _table(asked: Asked, mine: Sequence[Found]) -> Table:
    import pandas as pd

    shown, rows_of = mine[0].shown, _sobol_rows if mine[0].method == "sobol" else _morris_rows
    frame, columns = pd.DataFrame([row for one in mine for row in rows_of(asked, one)]), _columns(asked, mine)
    how = _how_to_read(mine[0].method) if shown.name == table_of(asked).measures[0] else "Read as the first table."
    how += f" {shown.meaning}" if shown.meaning else ""
    if frame[list(columns)].isna().any(axis=None):
        how += " A dash stands where too little was seen."
    return Table(f"sensitivity_{shown.name}", f"What matters for {shown.words}", frame, columns, how)


def _columns(asked: Asked, mine: Sequence[Found]) -> dict[str, Column]:
    effect: Format = "number" if mine[0].shown.kind == "count" else "points"
    columns = _who_column(asked) if len(mine) > 1 else {}
    columns |= {"key": Column("rule or parameter"), "values": Column("values tried")}
    if mine[0].method == "sobol":
        return columns | {
            "total": Column("in all (ST)", "percent", "total_pm"),
            "first": Column("by itself (S1)", "percent", "first_pm"),
            "interaction": Column("with others", "percent", "interaction_pm"),
            "change": Column("from first value to last", effect, "change_pm"),
        }
    return columns | {
        "size": Column("a step is worth (μ*)", effect, "size_pm"),
        "spread": Column("differing by (σ)", effect, "spread_pm"),
        "change": Column("a step up changes (μ)", effect, "change_pm"),
    }


def _sobol_rows(asked: Asked, one: Found) -> list[dict[str, Any]]:
    parts = {"total": SOBOL_TOTAL, "first": SOBOL_FIRST, "change": CHANGE}
    rows = _rows(asked, one, parts)
    for row, i in zip(rows, one.order, strict=True):
        row |= {"interaction": one.interaction.value[i], "interaction_pm": one.interaction_half[i]}
    return rows


def _morris_rows(asked: Asked, one: Found) -> list[dict[str, Any]]:
    return _rows(asked, one, {"size": MORRIS_SIZE, "spread": MORRIS_SPREAD, "change": CHANGE})


def _rows(asked: Asked, one: Found, parts: dict[str, int]) -> list[dict[str, Any]]:
    """A row a key, those that matter most first: each number with its half-width and the two parts of that."""
    keys, rows = list(table_of(asked).keys.items()), []
    for i in one.order:
        key, values = keys[i]
        row: dict[str, Any] = {"under": _who(asked, one), "key": name_of(key), "values": _tried(values)}
        for name, part in parts.items():
            row[name] = one.indices.value[part, i]
            row[f"{name}_pm"] = one.half[part, i]
            row[f"{name}_pm_settings"] = one.indices.design_half[part, i]
            row[f"{name}_pm_deals"] = one.indices.deals_half[part, i]
        rows.append(row)
    return rows


def _tried(values: Sequence[Any]) -> str:
    if len(values) <= MOST_VALUES or not is_number(values):
        return ", ".join(value_words(value) for value in values)
    return f"{value_words(values[0])} to {value_words(values[-1])}"


def _how_to_read(method: Method) -> str:
    if method == "sobol":
        text = (
            "All combinations count, each value of a rule as often as its others. 'In all' is the share of the "
            "variation that is left on average when all the other rules are fixed (Sobol's total index ST), 'by "
            "itself' the share that is gone when this one is fixed (S1); 'with others' is the difference: what it does "
            "only in combination. Shares in all may add up to more than 100 %. The last column is the mean with the "
            "last value less the mean with the first."
        )
    else:
        text = (
            "A step moves one rule on by half of its list of values, the others staying as they are. μ* is the mean "
            "size of what that changes, σ how much the change differs from place to place (Morris): a large σ means "
            "that it depends on the other rules, or on where in its list the rule stands. μ is the mean change with "
            "its sign, for a step towards the end of the list."
        )
    return (
        f"{text} All settings are played on the same deals: with deals of its own for each, their luck would look like "
        "an effect of the rules and make the numbers too large. ± holds the uncertainty of the choice of settings and "
        "of the deals, added as squares; the CSV file has both apart."
    )


def _ranges(asked: Asked, found: Sequence[Found]) -> Table:
    """The lowest and the highest setting of each measure, a row each, with the value of each key."""
    import pandas as pd

    rows = []
    for one in found:
        for end, place in zip(("lowest", "highest"), one.ends, strict=True):
            row: dict[str, Any] = {"measure": one.shown.words, "under": _who(asked, one), "end": end}
            row |= {"text": _written(one, one.at(place)), "base_text": _written(one, one.base)}
            row |= {name_of(key): value_words(value) for key, value in one.settings[place]}
            row |= {**number("value", one.at(place)), **number("base", one.base), "luck_of_the_deals": one.noise}
            rows.append(row)
    columns = {"measure": Column("measure")} | (_who_column(asked) if len(lineups_of(asked)) > 1 else {})
    columns |= {"end": Column(""), "text": Column("setting"), "base_text": Column("rules as they are")}
    columns |= {name: Column(name) for name in _names(asked)}
    how = (
        "The lowest and the highest of all settings that were played, and their values. Picked from many, they lie a "
        "little too far apart."
    )
    frame = pd.DataFrame(rows)
    if any(one.state == "not seen" for one in found):
        how += " A dash stands for what was not seen."
    return Table("ranges", "How far each measure goes", frame, columns, how)


def _who(asked: Asked, one: Found) -> str:
    """A line-up in a table: only the strategy, where all of them meet themselves."""
    return one.lineup[0] if all(map(is_mirror, lineups_of(asked))) else under(one.lineup)


def _who_column(asked: Asked) -> dict[str, Column]:
    return {"under": Column("all play" if all(map(is_mirror, lineups_of(asked))) else "strategies")}


def _written(one: Found, estimate: Estimate) -> str:
    """A value of the measure in its own unit."""
    from simkit.report import numbers

    write = numbers.number if one.shown.kind == "count" else numbers.percent
    return write(estimate.value, half_width(estimate))


def _chart(asked: Asked, one: Found) -> Chart:
    """Two bars a key: ST and S1, or μ* and σ."""
    names, is_sobol = _names(asked), one.method == "sobol"
    parts = (SOBOL_TOTAL, SOBOL_FIRST) if is_sobol else (MORRIS_SIZE, MORRIS_SPREAD)
    is_share = is_sobol or one.shown.kind == "share"
    words = SOBOL if is_sobol else MORRIS
    unit = "per cent of the variation" if is_sobol else "points" if is_share else one.shown.words
    rows = []
    for i in one.order:
        pair = [(one.indices.value[part, i], one.half[part, i]) for part in parts]
        first, second = ((float(v), float(v - h), float(v + h)) for v, h in pair)
        rows.append((names[i], first, second))

    def draw() -> Figure:
        from simkit.report.charts import twin_bars

        return twin_bars(rows, words, unit, 100.0 if is_share else 1.0)

    whose = f", {under(one.lineup)}" if len(lineups_of(asked)) > 1 else ""
    title = f"What matters for {one.shown.words}{whose}"
    told = "; ".join(
        f"{names[i]} "
        + ", ".join(
            f"{word} {amount(one.indices.value[part, i], one.half[part, i], one)}"
            for word, part in zip(words, parts, strict=True)
        )
        for i in one.order
    )
    place = lineups_of(asked).index(one.lineup)
    return Chart(f"{one.shown.name}_{place}", title, f"{title}: {told}.", draw)


def _size(asked: Asked, is_whole: bool) -> list[str]:
    """How large the design is."""
    table = table_of(asked)
    possible = math.prod(map(len, table.keys.values()))
    many = f"all {possible:,}" if is_whole else f"{len(table.settings):,} of {possible:,}"
    return [
        f"The design has {len(table.rows):,} points: {many} possible settings, each played once, by the same "
        "strategies on the same deals."
    ]


def _unfinished(asked: Asked, results: Results) -> list[str]:
    notes = []
    for lineup in lineups_of(asked):
        games, of = results.moments(stuck_name(lineup)).sums
        if games:
            notes.append(f"{games:,} of {of:,} games over all settings did not end by the rules, {under(lineup)}.")
    return notes or ["All games came to an end by the rules at every setting."]


KIND = Kind(
    "sensitivity",
    "which of several rules and parameters matters most, over all their values",
    Sensitivity,
    plan,
    answer,
    subjects=no_subjects,
)
