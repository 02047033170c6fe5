"""What re-tuning has found at each value, what it gains, and what it changes: tables and sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from simkit.answer import Column, Table
from simkit.plan import Results
from simkit.questions import tuning
from simkit.questions.base import Asked, half_width, number
from simkit.questions.fair_rule.aims import rule_words
from simkit.questions.fair_rule.cases import Stages, nearest_value
from simkit.questions.fair_rule.settings import settings_of
from simkit.questions.fair_rule.tuned import PROOF_DEALS, Tuning, gain_of, retune_of, tries_deals
from simkit.questions.fair_rule.verdicts import Found, Judged, values_that_are
from simkit.questions.fair_rule.views import WORDS, dashed
from simkit.questions.sweep.axes import name_of, value_words
from simkit.questions.sweep.verdicts import runs
from simkit.questions.words import counted, points, toml_value


def tables(asked: Asked, stages: Stages, found: Found) -> list[Table]:
    """The parameters at each value with what they gain, and the verdicts before and after."""
    if stages.tunings is None or stages.tuned is None:
        return []
    gains = _gains(asked, stages.tunings, stages.tuned)
    return [_before_and_after(asked, found), gains, _parameters(asked, stages.tunings)]


def sentences(asked: Asked, stages: Stages, found: Found) -> list[str]:
    """What was tuned, at what cost, and which values it makes fair or unfair."""
    if settings_of(asked).retune is None:
        return []
    if stages.tunings is None or stages.tuned is None:
        return ["The strategies play as they are here: they have not been re-tuned yet."]
    return [_tuned(asked, stages.tunings, stages.tuned), _changed(asked, stages, found)]


def _tuned(asked: Asked, tunings: Sequence[Tuning], tuned: Results) -> str:
    gained = [one for one in tunings if one.adopted]
    what = f"Of {counted(len(tunings), 'tuning')} (each strategy at each value), "
    if not gained:
        return f"{what}none gained anything for certain: all strategies play as they are."
    gains = sorted((gain_of(asked, tuned, one) for one in gained), key=lambda gain: gain.value)
    ends = " to ".join(dict.fromkeys(points(gain) for gain in (gains[0], gains[-1])))
    rest = "" if len(gained) == len(tunings) else "; the others play as they are"
    return f"{what}{counted(len(gained), 'tuning').split()[0]} gained for certain; on fresh deals {ends} points{rest}."


def _changed(asked: Asked, stages: Stages, found: Found) -> str:
    """Which values re-tuning makes fair, and which it makes unfair."""
    values = settings_of(asked).values
    before, after = (values_that_are(judged, values, "fair") for judged in (found.before, found.grid))
    parts = []
    if lost := [value for value in before if value not in after]:
        parts.append(f"fair as the strategies are, but not shown to be so when they are re-tuned: {runs(values, lost)}")
    if won := [value for value in after if value not in before]:
        parts.append(f"shown to be fair only when they are re-tuned: {runs(values, won)}")
    head = f"changes which values are shown to be fair: {'; '.join(parts)}" if parts else ""
    head = head or "does not change which values are shown to be fair"
    return f"Re-tuning {head}.{_other_choice(asked, stages, found)}"


def _other_choice(asked: Asked, stages: Stages, found: Found) -> str:
    """That the strategies as they are would have led to another value."""
    nearest = nearest_value(asked, stages.shipped)
    return "" if nearest == found.chosen else f" As they are, {rule_words(asked, nearest)} would be the nearest."


def notes(asked: Asked, stages: Stages) -> list[str]:
    """What re-tuning cost and what it stands for."""
    if stages.tunings is None:
        return []
    retune, deals = retune_of(asked), tries_deals(asked, stages.shipped.moments(stages.shipped.plan.headline).n)
    tries = max(one.tries for one in stages.tunings)
    asked_for = "" if deals == retune.deals else f" (the {deals} of this run, where {retune.deals} were allowed)"
    return [
        f"Re-tuning: at each value each strategy tried up to {tries:,} sets of parameters on {deals:,} deals each"
        f"{asked_for}, against those whom it meets in the line-ups judged, all of whom played as they are. The "
        f"best {tuning.FINALISTS + 1} were compared on {tuning.FINAL_DEALS * deals:,} other deals, and the winner was "
        f"taken where it gained for certain on {PROOF_DEALS * deals:,} more. That is one round of best answers, not "
        "what strategies would come to that keep answering each other.",
        *_kept(asked, stages.tunings),
        *(_doubtful(asked, stages.tunings, stages.tuned) if stages.tuned is not None else []),
        "The games to look at below were played by the strategies as they are, before they were re-tuned.",
    ]


def _before_and_after(asked: Asked, found: Found) -> Table:
    import pandas as pd

    name, rows = name_of(settings_of(asked).key), []
    for before, after in zip(found.before, found.grid, strict=True):
        row: dict[str, Any] = {"under": after.aim.under, name: value_words(after.value)}
        row |= {**_side("before", before), **_side("after", after)}
        rows.append(row | {"changed": "changed" if before.verdict.verdict != after.verdict.verdict else ""})
    columns = {
        "under": Column("strategies"),
        name: Column(name),
        "before": Column("off, as they are (points)", "points", "before_pm"),
        "before_verdict": Column("verdict, as they are"),
        "after": Column("off, re-tuned (points)", "points", "after_pm"),
        "after_verdict": Column("verdict, re-tuned"),
        "changed": Column("verdict changes"),
    }
    how = (
        "How far each value is off what is aimed at, by the strategies as they are and by the same ones with the "
        "parameters that they found best at that value. The re-tuned ones play on deals of their own, which no "
        "search has seen; the intervals are corrected for the number of rows."
    )
    return dashed(Table("retuned", "Before and after re-tuning", pd.DataFrame(rows), columns, how))


def _side(name: str, one: Judged) -> dict[str, Any]:
    half = (one.verdict.high - one.verdict.low) / 2
    return {name: one.verdict.estimate, f"{name}_pm": half, f"{name}_verdict": WORDS[one.verdict.verdict]}


def _gains(asked: Asked, tunings: Sequence[Tuning], tuned: Results) -> Table:
    import pandas as pd

    name, rows = name_of(settings_of(asked).key), []
    for one in sorted(tunings, key=lambda one: asked.labels.index(one.label)):
        row = {"strategy": one.label, name: value_words(one.value), **number("gain", gain_of(asked, tuned, one))}
        found = ", ".join(f"{key} = {toml_value(value)}" for key, value in one.parameters.items())
        rows.append(row | {"plays": "re-tuned" if one.adopted else "as it is", "tries": one.tries, "found": found})
    how = (
        "What each strategy gains by the best parameters that it found at each value: it alone plays by them, all "
        "others as they are, on deals that no search has seen, in points of win rate. A strategy plays 're-tuned' only "
        "where its gain was beyond doubt (95 % interval) on earlier deals that had no say in the search; elsewhere it "
        "plays as it is. The CSV file has all parameters that were found."
    )
    columns = {
        "strategy": Column("strategy"),
        name: Column(name),
        "gain": Column("gain (points)", "points", "gain_pm"),
        "plays": Column("plays"),
        "tries": Column("sets of parameters tried", "count"),
    }
    return dashed(Table("gains", "What each strategy gains by re-tuning", pd.DataFrame(rows), columns, how))


def _parameters(asked: Asked, tunings: Sequence[Tuning]) -> Table:
    """The parameters that each strategy plays by, a column a value."""
    import pandas as pd

    name, values = name_of(settings_of(asked).key), settings_of(asked).values
    rows: list[dict[str, Any]] = []
    for label in sorted({one.label for one in tunings}, key=asked.labels.index):
        mine = {one.value: one for one in tunings if one.label == label}
        usual = asked.experiment.strategies[label].parameters
        for key in mine[values[0]].parameters:
            row = {"strategy": label, "parameter": key, "usual": toml_value(usual[key])}
            played = [mine[value].parameters[key] if mine[value].adopted else usual[key] for value in values]
            rows.append(row | {f"at_{i}": toml_value(value) for i, value in enumerate(played)})
    columns = {"strategy": Column("strategy"), "parameter": Column("parameter"), "usual": Column("as it is")}
    columns |= {f"at_{i}": Column(f"{name} {value_words(value)}") for i, value in enumerate(values)}
    how = (
        "How each strategy plays at each value. Where re-tuning gained nothing for certain that is as it is. "
        "Parameters that hardly matter may stand anywhere."
    )
    return Table("parameters", "The parameters at each value", pd.DataFrame(rows), columns, how)


def _kept(asked: Asked, tunings: Sequence[Tuning]) -> list[str]:
    """Strategies that play as they are at some values, since tuning gained nothing for certain there."""
    told = []
    for label in dict.fromkeys(one.label for one in tunings):
        kept = [one for one in tunings if one.label == label and not one.adopted]
        if kept:
            where = ", ".join(rule_words(asked, one.value) for one in kept)
            told.append(f"{label} plays as it is at {where}: what it found there gained nothing for certain.")
    return told


def _doubtful(asked: Asked, tunings: Sequence[Tuning], tuned: Results) -> list[str]:
    """Tunings that were taken, and gain nothing on fresh deals after all."""
    told = []
    for one in tunings:
        gain = gain_of(asked, tuned, one)
        if one.adopted and not math.isnan(gain.value) and gain.value <= half_width(gain):
            told.append(
                f"What {one.label} found at {rule_words(asked, one.value)} seemed to gain, but on fresh deals it is "
                f"{points(gain)} points."
            )
    return told
