"""What the values of a rule are judged by, in the grid and on fresh deals, and the answer in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simkit.answer import Estimate, Verdict
from simkit.plan import Results
from simkit.questions.base import Asked
from simkit.questions.fair_rule.aims import Aim, deviation, judged_aims, rule_words, thing_words
from simkit.questions.fair_rule.cases import Stages, chosen_value
from simkit.questions.fair_rule.settings import settings_of
from simkit.questions.sweep.axes import name_of
from simkit.questions.sweep.verdicts import runs
from simkit.questions.words import counted, needed, nothing_ended, points, within
from simkit.stats.verdicts import Wording, judge

FRESH, RETUNED = "on fresh deals", "strategies re-tuned"
MOST_FAILING = 6  # line-ups whose failures a sentence tells


@dataclass(frozen=True)
class Judged:
    """A value and an aim: the verdict, and the deviation from the aim that it is on."""

    aim: Aim
    value: Any
    deviation: Estimate
    verdict: Verdict


@dataclass(frozen=True)
class Found:
    """Everything that was judged.

    Attributes:
        chosen: the value whose largest deviation in the grid is the smallest.
        grid: all values and all aims; with re-tuned strategies where these have been played.
        fresh: the chosen one on fresh deals; empty when these have not been played.
        before: the grid before strategies were re-tuned; empty when they were not.
    """

    chosen: Any
    grid: Sequence[Judged]
    fresh: Sequence[Judged]
    before: Sequence[Judged] = ()

    @property
    def aims(self) -> list[Aim]:
        """What was judged at each value."""
        return list(dict.fromkeys(one.aim for one in self.grid))

    @property
    def of_chosen(self) -> list[Judged]:
        """The chosen value in the grid."""
        return [one for one in self.grid if one.value == self.chosen]


def values_that_are(judged: Sequence[Judged], values: Sequence[Any], *words: str) -> list[Any]:
    """The values with one of these words for every aim."""
    return [v for v in values if all(one.verdict.verdict in words for one in judged if one.value == v)]


def judge_all(asked: Asked, stages: Stages) -> Found:
    """The verdicts of the grid, corrected for all of them, and those of the chosen value on fresh deals."""
    chosen = chosen_value(asked, stages)
    aims, values = judged_aims(asked, stages.grid), settings_of(asked).values
    places, again = [(aim, value) for aim in aims for value in values], [(aim, chosen) for aim in aims]
    tuned = [] if stages.tuned is None else [RETUNED]
    return Found(
        chosen,
        _judge(asked, stages.grid, places, tuned),
        _judge(asked, stages.fresh, again, [*tuned, FRESH]) if stages.fresh is not None else [],
        _judge(asked, stages.shipped, places, []) if tuned else [],
    )


def subjects(asked: Asked) -> list[str]:
    """What `judge_all` judges, by its words."""
    tuned = [] if settings_of(asked).retune is None else [RETUNED]
    stages = [[], tuned, [*tuned, FRESH]]
    words = [", ".join([rule_words(asked, value), *where]) for where in stages for value in settings_of(asked).values]
    return list(dict.fromkeys(words))


def _judge(asked: Asked, results: Results, places: Sequence[tuple[Aim, Any]], where: Sequence[str]) -> list[Judged]:
    cases, wordings = [], []
    for aim, value in places:
        effect = deviation(asked, results, aim, value)
        cases.append((", ".join([rule_words(asked, value), *where]), effect, aim.under))
        wordings.append(Wording(effect=f"{aim.whose} differs from {aim.aim} by", of=""))
    verdicts = judge(cases, asked.experiment.margin, wordings)
    return [
        Judged(aim, value, effect, verdict)
        for (aim, value), (_, effect, _), verdict in zip(places, cases, verdicts, strict=True)
    ]


def farthest(judged: Sequence[Judged]) -> Judged:
    """The one that is farthest from its aim; one that could not be observed last."""
    return max(judged, key=lambda one: -1.0 if math.isnan(one.deviation.value) else abs(one.deviation.value))


def sentences(asked: Asked, found: Found, of_tuning: Sequence[str] = ()) -> list[str]:
    """Which value makes the game fair, how sure that is, what re-tuning has to do with it, and the rest of the grid."""
    if nothing := nothing_ended([one.verdict for one in found.grid]):
        return [nothing]
    return [_answer(asked, found), *_optimism(found), *of_tuning, *_others(asked, found), *_failing(asked, found)]


def _answer(asked: Asked, found: Found) -> str:
    limit, name = within(asked.experiment.margin), rule_words(asked, found.chosen)
    judged = found.fresh or found.of_chosen
    where = FRESH if found.fresh else "on the deals it was chosen on (fresh ones have not been played)"
    where = f"{where}, with re-tuned strategies," if found.before else where
    seen = f"{where} {_most(judged)}"
    words, thing = {one.verdict.verdict for one in judged}, thing_words(asked)
    if words == {"fair"}:
        return f"{name} makes {thing} fair within your margin of {limit}: {seen}."
    if words & {"too strong", "too weak"}:
        if _none_is_fair(asked, found):
            head = f"None of the {len(settings_of(asked).values)} values makes {thing} fair within {limit}"
        else:
            head = f"No value is shown to make {thing} fair within {limit}"
        return f"{head}. The nearest is {name}: {seen}."
    open_ones = [one.verdict for one in judged if one.verdict.verdict == "undecided"]
    return f"The nearest value is {name}, but whether it is fair within {limit} is open: {seen}. {needed(open_ones)}"


def _most(judged: Sequence[Judged]) -> str:
    """Whose win rate differs from what by how much; of several line-ups that of the one that is farthest off."""
    one = farthest(judged)
    differs = f"{one.aim.whose} differs from {one.aim.aim} by"
    if math.isnan(one.deviation.value):
        return f"{differs} an unknown amount, for no game came to an end"
    several = len(judged) > 1
    named = "" if one.aim.names_lineup else f", with {one.aim.under}" if several else f" ({one.aim.under})"
    return f"{differs} {points(one.verdict)} points{' at most' if several else ''}{named}"


def _none_is_fair(asked: Asked, found: Found) -> bool:
    """Whether every value is shown to be unfair for some line-up."""
    bad = {one.value for one in (*found.grid, *found.fresh) if one.verdict.verdict.startswith("too")}
    return all(value in bad for value in settings_of(asked).values)


def _optimism(found: Found) -> list[str]:
    """How much better the chosen value looked on the deals that it was chosen on."""
    if not found.fresh:
        return []
    before, after = (abs(100 * farthest(judged).deviation.value) for judged in (found.of_chosen, found.fresh))
    if math.isnan(before) or math.isnan(after):
        return []
    which = "the largest of these" if len(found.fresh) > 1 else "that"
    return [f"In the grid that it was chosen from, {which} was {before:.2f} points off; on fresh deals {after:.2f}."]


def _others(asked: Asked, found: Found) -> list[str]:
    """What the grid says of the values that were not chosen."""
    values = settings_of(asked).values
    others = [value for value in values if value != found.chosen]
    name, aims = name_of(settings_of(asked).key), found.aims
    several = len(aims) > 1
    everywhere = f" with all {counted(len(aims), 'line-up')}" if several else ""
    parts = []
    if fair := values_that_are(found.grid, others, "fair"):
        parts.append(f"fair as well{everywhere}: {runs(values, fair)}")
    unfair = {one.value for one in found.grid if one.verdict.verdict.startswith("too")}
    if bad := [value for value in others if value in unfair]:
        parts.append(f"not fair{' with some line-up' if several else ''}: {runs(values, bad)}")
    if rest := [value for value in others if value not in fair and value not in unfair]:
        parts.append(f"open: {runs(values, rest)}")
    return [f"Of the other values of {name}, on the grid's deals: {'; '.join(parts)}."] if parts else []


def _failing(asked: Asked, found: Found) -> list[str]:
    """Which line-up fails at which values, where there are several."""
    values, aims = settings_of(asked).values, found.aims
    parts = []
    for aim in aims if len(aims) > 1 else ():
        for word, side in (("too strong", "above"), ("too weak", "below")):
            bad = [one.value for one in found.grid if one.aim == aim and one.verdict.verdict == word]
            if bad:
                parts.append(f"{aim.under} is {side} at {runs(values, bad)}")
    more = f"; and {len(parts) - MOST_FAILING} more in the table" if len(parts) > MOST_FAILING else ""
    told = "; ".join(parts[:MOST_FAILING])
    return [f"Who misses by more than the margin, and where: {told}{more}."] if parts else []
