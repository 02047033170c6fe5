"""The kind sweep: rules and parameters over several values, all on the same deals: what changes, and by how much."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from simkit.answer import Answer, Chart, Column, Estimate, Table
from simkit.plan import Results
from simkit.questions import coverage
from simkit.questions.base import Asked, Kind, Lineup, half_width, is_mirror, number, under
from simkit.questions.examples import replays
from simkit.questions.forest import forest_chart
from simkit.questions.ladder import Ladder, Seen, ladder_of
from simkit.questions.ladder_views import LadderViews
from simkit.questions.sweep.axes import (
    RULES,
    Setting,
    Sweep,
    home_words,
    is_joint,
    is_number,
    lineups_of,
    name_of,
    parameters_in,
    reference_of,
    rules_in,
    settings_of,
    sweep_of,
    value_words,
    words_of,
)
from simkit.questions.sweep.best import best_table, contests
from simkit.questions.sweep.best_words import best_in_words
from simkit.questions.sweep.cases import arm_of, plan, shown_of
from simkit.questions.sweep.maps import best_maps
from simkit.questions.sweep.measures import JUDGED_BY, Shown
from simkit.questions.sweep.verdicts import Judged, how_to_judge, in_words, judge_settings, subjects
from simkit.questions.words import MOST_NAMED, counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_CHANGES = 2  # so many measures are shown with their changes; with more, these are only in the CSV file
MOST_ROWS = 12  # verdicts that a picture of intervals holds; more are drawn as lines
MOST_LINES = 4  # in one chart, so that their bands can be told apart


def answer(asked: Asked, results: Results) -> Answer:
    """What each setting does, its change from the reference, and where the game is fair."""
    found = lineups_of(asked)
    arms = [arm_of(asked, lineup, setting).name for lineup in found for setting in settings_of(asked)]
    covered, dead = coverage.coverage_table(asked, results, arms, "at all settings")
    judged, reference = judge_settings(asked, results), reference_of(asked)
    home, best = arm_of(asked, found[-1], reference).name, contests(asked, results)
    ends, is_map = _ends(asked, results, found), any(one.condition for one in best)
    ladder, views = _ladder(asked, results, judged)
    charts = [*best_maps(asked, best), *_charts(asked, results, found, judged)]
    flip = ladder.flip([one.verdict for one in judged if not is_joint(asked, one.lineup)])
    summed_up = best_table(asked, best)
    tables = (summed_up, _table(asked, results, found), *views.tables(), covered)
    return Answer(
        question=asked.experiment.title or f"What {_do(asked)} {_names(asked)} do?",
        summary=" ".join([*flip, *best_in_words(asked, best), *in_words(asked, judged), *([] if is_map else ends)]),
        headline=results.estimate(results.plan.headline),
        verdicts=tuple(one.verdict for one in judged),
        tables=tuple(table for table in tables if table is not None),
        charts=(*charts[:1], *views.charts(), *charts[1:]),
        notes=(*(ends if is_map else []), *_unfinished(asked, results, found), *dead),
        replays=replays(asked, results, found[-1], home, rules_in(reference), parameters_in(reference)),
        how_to_judge=how_to_judge(asked, judged),
        in_short=summed_up.name if summed_up else "",
    )


def _ladder(asked: Asked, results: Results, judged: Sequence[Judged]) -> tuple[Ladder, LadderViews]:
    """The verdicts over the strength of play; the first measure where nothing is judged."""
    found = lineups_of(asked)
    ladder = ladder_of(asked, results, found)
    if judged:
        title = _verdict_title([one for one in judged if under(one.lineup) in ladder.rungs] or judged)
        return ladder, LadderViews(ladder, [Seen.judged(one.verdict) for one in judged], title)
    shown = shown_of(asked)[0]
    seen = [
        Seen.of(words_of(setting), under(lineup), _estimate(asked, results, shown, lineup, setting))
        for lineup in found
        for setting in settings_of(asked)
    ]
    is_count, title = shown.kind == "count", f"{shown.words[0].upper()}{shown.words[1:]}"
    return ladder, LadderViews(ladder, seen, title, *((shown.words, "number") if is_count else ("per cent", "percent")))


def _names(asked: Asked) -> str:
    return " and ".join(name_of(key) for key in sweep_of(asked).axes)


def _do(asked: Asked) -> str:
    return "does" if len(sweep_of(asked).axes) == 1 else "do"


def _ends(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[str]:
    """What becomes of each measure from the first value of the first key to its last, the other keys as they are."""
    key, values = next(iter(sweep_of(asked).axes.items()))
    rest = reference_of(asked)[1:]
    first, last = (((key, value), *rest) for value in (values[0], values[-1]))
    told = [shown for shown in _told(asked) if shown.name != JUDGED_BY]
    parts = [f"{shown.words} {_from_to(asked, results, found, shown, (first, last))}" for shown in told[:MOST_NAMED]]
    if len(told) > MOST_NAMED:
        parts.append(f"{counted(len(told) - MOST_NAMED, 'more measure')} in the table")
    if not parts:
        return []
    ends = f"From {name_of(key)} = {value_words(values[0])} to {value_words(values[-1])}"
    others = f", with {words_of(rest)}" if rest else ""
    many = " (ranges span the line-ups)" if len(found) > 1 else ""
    return [f"{ends}{others}{many}: {'; '.join(parts)}."]


def _told(asked: Asked) -> list[Shown]:
    """The measures that are shown at once: the luck of the deal, which needs words, only where it is all there is."""
    measures = shown_of(asked)
    names = [shown.name for shown in measures]
    return [shown for shown in measures if shown.name != "luck" or "chance" not in names]


def _from_to(
    asked: Asked, results: Results, found: Sequence[Lineup], shown: Shown, ends: tuple[Setting, Setting]
) -> str:
    """A measure at two settings; of several line-ups the lowest and the highest."""
    first, last = (
        [_estimate(asked, results, shown, lineup, setting) for lineup in _telling(found, shown)] for setting in ends
    )
    steps = [b.value - a.value for a, b in zip(first, last, strict=True)]
    if any(math.isnan(step) for step in steps):
        return "not seen at both ends"
    return f"{_range(shown, first)} → {_range(shown, last)}"


def _estimate(asked: Asked, results: Results, shown: Shown, lineup: Lineup, setting: Setting) -> Estimate:
    return results.estimate(f"{shown.name}/{arm_of(asked, lineup, setting).name}")


def _range(shown: Shown, estimates: Sequence[Estimate]) -> str:
    """One estimate with its interval; of several the lowest and the highest, without."""
    from simkit.report import numbers

    if len(estimates) == 1:
        write = numbers.number if shown.kind == "count" else numbers.percent
        return write(estimates[0].value, half_width(estimates[0]))
    known = [half_width(e) * (1 if shown.kind == "count" else 100) for e in estimates]
    decimals = numbers.decimals_of(median(known)) if all(k > 0 for k in known) else 1
    scale, unit = (1, "") if shown.kind == "count" else (100, " %")
    low, *_, high = (numbers.number(scale * v, decimals=decimals) for v in sorted(e.value for e in estimates))
    dash = " … " if low.startswith(numbers.MINUS) else "–"
    return f"{low}{unit}" if low == high else f"{low}{dash}{high}{unit}"


def _telling(found: Sequence[Lineup], shown: Shown) -> list[Lineup]:
    """The line-ups that say something: of luck those of different strategies, where skill could decide as well."""
    telling = [lineup for lineup in found if not shown.of_a_match or not is_mirror(lineup)]
    return telling or list(found)


def _table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    import pandas as pd

    rows = []
    for lineup in found:
        for setting in settings_of(asked):
            arm = arm_of(asked, lineup, setting).name
            row: dict[str, Any] = {"under": under(lineup)}
            row |= {name_of(key): value_words(value) for key, value in setting}
            for shown in shown_of(asked):
                row |= number(shown.name, results.estimate(f"{shown.name}/{arm}"))
                if not shown.of_a_match:
                    row |= number(f"{shown.name}_change", results.estimate(f"{shown.name}/change/{arm}"))
            rows.append(row)
    title = f"What {_names(asked)} changes" if len(sweep_of(asked).axes) == 1 else f"What {_names(asked)} change"
    frame, columns, how = pd.DataFrame(rows), _columns(asked), _how_to_read(asked)
    if frame[list(columns)].isna().any(axis=None):
        how += " A dash stands where too little was seen."
    return Table("sweep", title, frame, columns, how)


def _columns(asked: Asked) -> dict[str, Column]:
    keys = [name_of(key) for key in sweep_of(asked).axes]
    columns = {"under": Column("strategies")} | {name: Column(name) for name in keys}
    for shown in shown_of(asked):
        is_count = shown.kind == "count"
        columns[shown.name] = Column(shown.words, "number" if is_count else "percent", f"{shown.name}_pm")
        if not shown.of_a_match and len(shown_of(asked)) <= MOST_CHANGES:
            change = f"{shown.name}_change"
            words = "change" if is_count else "change (points)"
            columns[change] = Column(words, "number" if is_count else "points", f"{change}_pm")
    return columns


def _how_to_read(asked: Asked) -> str:
    homes = " or ".join(dict.fromkeys(home_words(asked, lineup) for lineup in lineups_of(asked)))
    text = [f"Changes are from {homes}, on the same deals."]
    if len(shown_of(asked)) > MOST_CHANGES:
        text = [f"All settings are played on the same deals; the CSV file has the changes from {homes}."]
    for shown in sorted(shown_of(asked), key=lambda shown: -len(shown.meaning)):  # one may be a part of another
        text += [shown.meaning] if not any(shown.meaning in said for said in text) else []
    return " ".join(text)


def _charts(asked: Asked, results: Results, found: Sequence[Lineup], judged: Sequence[Judged]) -> list[Chart]:
    """The verdicts as intervals if they are few; every measure as lines over the first key."""
    charts = []
    if judged and len(judged) <= MOST_ROWS:
        homes = dict.fromkeys(home_words(asked, one.lineup) for one in judged)
        what = f", compared with {' or '.join(homes)} or, between equals, with an even share"
        verdicts = [one.verdict for one in judged]
        charts.append(forest_chart(asked, verdicts, "verdicts", _verdict_title(judged), what))
    for shown in _told(asked):
        charts += _line_charts(asked, results, _telling(found, shown), shown)
    return charts


def _verdict_title(judged: Sequence[Judged]) -> str:
    kinds = {is_mirror(one.lineup) for one in judged}
    if kinds == {True}:
        return "How far the first player's win rate is from an even share"
    return "What each setting changes in the first player's win rate" if kinds == {False} else "Who wins, by setting"


def _line_charts(asked: Asked, results: Results, found: Sequence[Lineup], shown: Shown) -> list[Chart]:
    """One chart; one a line-up where the lines would be too many."""
    others = list(dict.fromkeys(setting[1:] for setting in settings_of(asked)))
    if len(found) > 1 and len(others) > 1 and len(found) * len(others) > MOST_LINES:
        return [_chart(asked, results, [lineup], others, shown, f"_{i}") for i, lineup in enumerate(found)]
    return [_chart(asked, results, found, others, shown)]


def _chart(
    asked: Asked, results: Results, found: Sequence[Lineup], others: Sequence[Setting], shown: Shown, suffix: str = ""
) -> Chart:
    key, values = next(iter(sweep_of(asked).axes.items()))
    x = values if is_number(values) else [value_words(v) for v in values]
    is_alone, series = len(found) == 1 and len(others[0]) == 1, {}  # then each line's name is a bare value
    remark = f"a line for each {name_of(others[0][0][0])}" if is_alone else ""
    for lineup in found:
        for other in others:
            made = [_estimate(asked, results, shown, lineup, ((key, value), *other)) for value in values]
            who = [under(lineup)] if len(found) > 1 or not other else []
            what = [value_words(other[0][1]) if is_alone else words_of(other)] if other else []
            label = ", ".join([*who, *what])
            series[label] = (x, [e.value for e in made], [e.low for e in made], [e.high for e in made])
    is_count = shown.kind == "count"
    whose = f", {under(found[0])}" if len(found) == 1 else ""
    title = f"{shown.words[0].upper()}{shown.words[1:]}{whose}"
    band = _band(asked, found, shown)

    def draw() -> Figure:
        from simkit.report.charts import lines

        label = shown.words if is_count else f"{shown.words}, per cent"
        scale = 1.0 if is_count else 100.0
        return lines(series, _axis_words(asked, key), label, band=band, scale=scale, remark=remark)

    ends = "; ".join(f"{label}: {_first_and_last(data, is_count)}" for label, data in series.items())
    return Chart(f"{shown.name}{suffix}", title, f"{title}, over {name_of(key)}. {ends}.", draw)


def _band(asked: Asked, found: Sequence[Lineup], shown: Shown) -> tuple[float, float] | None:
    """The margin around an even share, where all that is shown is judged by that."""
    if shown.name != JUDGED_BY or not all(is_mirror(lineup) for lineup in found):
        return None
    seats = {len(arm_of(asked, lineup, setting).lineup) for lineup in found for setting in settings_of(asked)}
    if len(seats) > 1:  # an even share is not the same everywhere
        return None
    even, margin = 1 / seats.pop(), asked.experiment.margin
    return even - margin, even + margin


def _axis_words(asked: Asked, key: str) -> str:
    """What a key is, for the axis of a chart."""
    about: Mapping[str, str] = {f"{RULES}{option.name}": option.about for option in asked.game.options}
    return f"{name_of(key)}: {about[key]}" if key in about else name_of(key)


def _first_and_last(data: tuple[Any, ...], is_count: bool) -> str:
    first, last = data[1][0], data[1][-1]
    return f"{first:.1f} to {last:.1f}" if is_count else f"{first:.1%} to {last:.1%}"


def _unfinished(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[str]:
    notes = []
    for lineup in found:
        for setting in settings_of(asked):
            games, of = results.moments(f"unfinished/{arm_of(asked, lineup, setting).name}").sums
            if games:
                what = f"{words_of(setting)}, {under(lineup)}"
                notes.append(f"{games:,} of {of:,} games did not end by the rules with {what}.")
    return notes or ["All games came to an end by the rules at every setting."]


KIND = Kind(
    "sweep",
    "what do rules or parameters change, over several values",
    Sweep,
    plan,
    answer,
    of_wins=True,
    subjects=subjects,
)
