"""The kind sweep: one rule over several values, all on the same deals: what changes, and by how much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simkit.answer import Answer, Chart, Column, Estimate, Table, Verdict
from simkit.plan import Results
from simkit.questions import coverage
from simkit.questions.base import Asked, Kind, Lineup, half_width, is_mirror, listed, number, under
from simkit.questions.examples import replays
from simkit.questions.forest import forest_chart
from simkit.questions.sweep_cases import (
    COUNTS,
    OF_A_MATCH,
    MeasureName,
    Sweep,
    arm_of,
    lineups_of,
    option_of,
    plan,
    reference_of,
    settings_of,
)
from simkit.questions.words import MOST_NAMED, everywhere, needed, points, span, toml_value, within
from simkit.stats.verdicts import Wording, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS: dict[str, str] = {
    "first_player": "games won by the first player",
    "length": "{length} a game",
    "comebacks": "comebacks",
    "lead_changes": "lead changes a game",
    "chance": "games decided by luck",
    "luck": "luck of the deal",
    "unfinished": "games that did not end",
}
MEANING: dict[str, str] = {
    "first_player": "The first player is the one named first; against itself, whoever sits in seat 0.",
    "comebacks": "A comeback: the winner was once behind by a quarter of the starting {unit} or more.",
    "chance": "Decided by luck: 0 % when the better strategy wins every game, 100 % when each wins half, as between "
    "equals.",
    "luck": "Luck of the deal: how far the winner changes with the seats when a deal is played again with the seats "
    "swapped. Cards drawn later depend on what is played before, so that it is about the first hands above all, and "
    "below 0 % when a deal suits one strategy from both seats. A strategy without chance has 100 % against itself.",
}
HOW_TO_JUDGE = (
    "The margin judges how a value changes who wins: 'too strong' and 'too weak' say that it moves the win rate up or "
    "down by more than the margin, 'fair' that it does not."
)
MOST_CHANGES = 2  # so many measures are shown with their changes; with more, these are only in the CSV file


def answer(asked: Asked, results: Results) -> Answer:
    """What each value does, its change from the rule as it is, and whether that changes who wins."""
    settings, found, option = settings_of(asked), lineups_of(asked), option_of(asked)
    arms = [arm_of(asked, lineup, value).name for lineup in found for value in settings.values]
    covered, dead = coverage.coverage_table(asked, results, arms, f"at all values of {option}")
    verdicts, reference = _verdicts(asked, results, found), reference_of(asked)
    shown, home = found[-1], arm_of(asked, found[-1], reference).name
    return Answer(
        question=asked.experiment.title or f"What does {option} do?",
        summary=_summary(asked, results, found, verdicts),
        headline=results.estimate(results.plan.headline),
        verdicts=tuple(verdicts),
        tables=(_table(asked, results, found), covered),
        charts=(
            *_forest(asked, found, verdicts),
            *(_chart(asked, results, found, name) for name in _charted(settings)),
        ),
        notes=(*_unfinished(asked, results, found), *dead),
        replays=replays(asked, results, shown, home, {option: reference}),
        how_to_judge=HOW_TO_JUDGE if verdicts else "",
    )


def _verdicts(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[Verdict]:
    """Does a value change who wins, against the rule as it is? Judged where the first player's win rate is measured."""
    if "first_player" not in settings_of(asked).measures:
        return []
    judged = [
        (
            f"{option_of(asked)} = {toml_value(value)}",
            results.estimate(f"first_player/change/{arm_of(asked, lineup, value).name}"),
            under(lineup),
        )
        for lineup in found
        for value in settings_of(asked).values
        if value != reference_of(asked)
    ]
    return judge(judged, asked.experiment.margin, Wording(effect=f"it changes {_whose(found)} win rate by", of=""))


def _whose(found: Sequence[Lineup]) -> str:
    """Whose win rate is meant: a mirror has no first strategy, only a first seat."""
    mirrors = [is_mirror(lineup) for lineup in found]
    if all(mirrors):
        return "seat 0's"
    return "the first player's (in a mirror, seat 0's)" if any(mirrors) else "the first player's"


def _summary(asked: Asked, results: Results, found: Sequence[Lineup], verdicts: Sequence[Verdict]) -> str:
    """Whether it changes who wins, if that was asked; then what becomes of each measure from end to end."""
    settings = settings_of(asked)
    first, last = settings.values[0], settings.values[-1]
    parts = [
        f"{_words(asked, name)} {_from_to(asked, results, found, name)}"
        for name in _charted(settings)
        if name != "first_player"
    ]
    sentences = [_who_wins(asked, verdicts)] if verdicts else []
    if parts:
        ends = f"From {option_of(asked)} = {toml_value(first)} to {toml_value(last)}"
        many = " (ranges span the line-ups)" if len(found) > 1 else ""
        sentences.append(f"{ends}{many}: {'; '.join(parts)}.")
    return " ".join(sentences)


def _who_wins(asked: Asked, verdicts: Sequence[Verdict]) -> str:
    limit = within(asked.experiment.margin)
    changed = [v for v in verdicts if v.verdict.startswith("too")]
    undecided = [v for v in verdicts if v.verdict == "undecided"]
    if changed:
        most = sorted(changed, key=lambda v: -abs(v.estimate))[:MOST_NAMED]
        seen = listed(f"{v.subject} under {v.under} ({points(v)} points)" for v in most)
        more = f" and in {len(changed) - len(most)} more cases" if len(changed) > len(most) else ""
        rest = [v for v in verdicts if v not in changed]
        how_far = " and how far it is changed" if len({v.subject for v in verdicts}) > 1 else ""
        depends = f"It depends on who plays{how_far}. By" if rest else "By"
        text = f"{depends} more than your margin of {limit} the win rate changes with {seen}{more}"
        return f"{text}, elsewhere by {span(rest)} points." if rest else f"{text}."
    if undecided:
        return (
            f"Whether it changes who wins is not decided within {limit} in {len(undecided)} of {len(verdicts)} "
            f"verdicts: the changes go from {span(verdicts)} points of win rate. {needed(undecided)}"
        )
    return (
        f"Who wins does not depend on it: under {everywhere(verdicts)} win rates change by {span(verdicts)} points, "
        f"inside your margin of {limit}."
    )


def _from_to(asked: Asked, results: Results, found: Sequence[Lineup], name: str) -> str:
    """A measure at the first and at the last value; of several line-ups the lowest and the highest."""
    values, telling = settings_of(asked).values, _telling(found, name)
    ends = [
        [results.estimate(f"{name}/{arm_of(asked, lineup, value).name}") for lineup in telling]
        for value in (values[0], values[-1])
    ]
    steps = [last.value - first.value for first, last in zip(*ends, strict=True)]
    if any(math.isnan(step) for step in steps):
        return "not seen at both ends"
    verb = "rise" if min(steps) > 0 else "fall" if max(steps) < 0 else "go"
    return f"{verb} from {_range(name, ends[0])} to {_range(name, ends[1])}"


def _range(name: str, estimates: Sequence[Estimate]) -> str:
    """One estimate with its interval; of several the lowest and the highest, without."""
    if len(estimates) == 1:
        return _shown(name, estimates[0])
    scale, unit = (1, "") if name in COUNTS else (100, " %")
    values = [f"{scale * e.value:.1f}".replace("-", "−") for e in sorted(estimates, key=lambda e: e.value)]
    return f"{values[0]}–{values[-1]}{unit}" if not values[0].startswith("−") else f"{values[0]} to {values[-1]}{unit}"


def _telling(found: Sequence[Lineup], name: str) -> list[Lineup]:
    """The line-ups that say something: of luck those of different strategies, where skill could decide as well."""
    telling = [lineup for lineup in found if name not in OF_A_MATCH or not is_mirror(lineup)]
    return telling or list(found)


def _charted(settings: Sweep) -> list[MeasureName]:
    """The measures that are shown at once: the luck of the deal, which needs words, only where it is all there is."""
    return [name for name in settings.measures if name != "luck" or "chance" not in settings.measures]


def _words(asked: Asked, name: str) -> str:
    return WORDS[name].format(length=asked.game.length)


def _shown(name: str, estimate: Estimate) -> str:
    from simkit.report import numbers

    pm = half_width(estimate)
    return numbers.number(estimate.value, pm) if name in COUNTS else numbers.percent(estimate.value, pm)


def _table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    import pandas as pd

    settings, rows = settings_of(asked), []
    for lineup in found:
        for value in settings.values:
            arm = arm_of(asked, lineup, value).name
            row: dict[str, Any] = {"under": under(lineup), "value": toml_value(value)}
            for name in settings.measures:
                row |= number(name, results.estimate(f"{name}/{arm}"))
                if name not in OF_A_MATCH:
                    row |= number(f"{name}_change", results.estimate(f"{name}/change/{arm}"))
            rows.append(row)
    return Table(
        "sweep",
        f"What {option_of(asked)} changes",
        pd.DataFrame(rows),
        _columns(asked),
        _how_to_read(asked),
    )


def _columns(asked: Asked) -> dict[str, Column]:
    columns = {"under": Column("strategies"), "value": Column(option_of(asked))}
    for name in settings_of(asked).measures:
        is_count = name in COUNTS
        columns[name] = Column(_words(asked, name), "number" if is_count else "percent", f"{name}_pm")
        if name not in OF_A_MATCH and len(settings_of(asked).measures) <= MOST_CHANGES:
            change = f"{name}_change"
            words = "change" if is_count else "change (points)"
            columns[change] = Column(words, "number" if is_count else "points", f"{change}_pm")
    return columns


def _how_to_read(asked: Asked) -> str:
    measures = settings_of(asked).measures
    reference = f"{option_of(asked)} = {toml_value(reference_of(asked))}"
    text = [f"Changes are from {reference}, on the same deals."]
    if len(measures) > MOST_CHANGES:
        text = [f"All values are played on the same deals; the CSV file has the changes from {reference}."]
    return " ".join(text + [MEANING[m].format(unit=asked.game.score_unit) for m in measures if m in MEANING])


def _forest(asked: Asked, found: Sequence[Lineup], verdicts: Sequence[Verdict]) -> list[Chart]:
    """The verdicts in a picture, if there are any."""
    if not verdicts:
        return []
    subjects = dict.fromkeys(v.subject for v in verdicts)
    what = f"What {next(iter(subjects)) if len(subjects) == 1 else 'each value'} changes in {_whose(found)} win rate"
    reference = f"{option_of(asked)} = {toml_value(reference_of(asked))}"
    return [forest_chart(asked, verdicts, "verdicts", what, f", compared with {reference}")]


def _chart(asked: Asked, results: Results, found: Sequence[Lineup], name: str) -> Chart:
    settings, option = settings_of(asked), option_of(asked)
    values = list(settings.values)
    numeric = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
    x = values if numeric else [toml_value(v) for v in values]
    series = {}
    for lineup in _telling(found, name):
        made = [results.estimate(f"{name}/{arm_of(asked, lineup, v).name}") for v in values]
        series[under(lineup)] = (x, [e.value for e in made], [e.low for e in made], [e.high for e in made])
    is_count, words = name in COUNTS, _words(asked, name)
    about = next(o.about for o in asked.game.options if o.name == option)

    def draw() -> Figure:
        from simkit.report.charts import lines

        label = words if is_count else f"{words}, per cent of games"
        return lines(series, f"{option}: {about}", label, scale=1.0 if is_count else 100.0)

    ends = "; ".join(f"{label}: {_ends(data, is_count)}" for label, data in series.items())
    return Chart(name, f"{words[0].upper()}{words[1:]}", f"{words} over {option}. {ends}.", draw)


def _ends(data: tuple[Any, ...], is_count: bool) -> str:
    first, last = data[1][0], data[1][-1]
    return f"{first:.1f} to {last:.1f}" if is_count else f"{first:.1%} to {last:.1%}"


def _unfinished(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[str]:
    notes = []
    for lineup in found:
        for value in settings_of(asked).values:
            games, of = results.moments(f"unfinished/{arm_of(asked, lineup, value).name}").sums
            if games:
                what = f"{option_of(asked)} = {toml_value(value)}, {under(lineup)}"
                notes.append(f"{games:,} of {of:,} games did not end by the rules with {what}.")
    return notes or ["All games came to an end by the rules at every value."]


KIND = Kind("sweep", "what does a rule change, over several values", Sweep, plan, answer)
