"""What the values of a rule are judged by, in the grid and on fresh deals, and the answer in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simkit.answer import Estimate, Verdict
from simkit.plan import Results
from simkit.questions.base import Asked, Lineup, shifted, under
from simkit.questions.fair_cases import (
    aim_words,
    arm_at,
    chosen_value,
    found_lineups,
    rule_words,
    settings_of,
    share_name,
    target_of,
)
from simkit.questions.sweep_axes import name_of
from simkit.questions.sweep_verdicts import runs
from simkit.questions.words import counted, needed, nothing_ended, points, within
from simkit.stats.verdicts import Wording, judge


@dataclass(frozen=True)
class Judged:
    """A value under a line-up: the verdict, and the deviation from the target that it is on."""

    lineup: Lineup
    value: Any
    deviation: Estimate
    verdict: Verdict


@dataclass(frozen=True)
class Found:
    """Everything that was judged.

    Attributes:
        chosen: the value whose largest deviation in the grid is the smallest.
        grid: all values under all line-ups.
        fresh: the chosen one on fresh deals; empty when these have not been played.
    """

    chosen: Any
    grid: Sequence[Judged]
    fresh: Sequence[Judged]

    @property
    def of_chosen(self) -> list[Judged]:
        """The chosen value in the grid."""
        return [one for one in self.grid if one.value == self.chosen]

    def values_that_are(self, values: Sequence[Any], *words: str) -> list[Any]:
        """The values with one of these words under every line-up."""
        return [v for v in values if all(one.verdict.verdict in words for one in self.grid if one.value == v)]


def judge_all(asked: Asked, results: Results) -> Found:
    """The verdicts of the grid, corrected for all of them, and those of the chosen value on fresh deals."""
    chosen = chosen_value(asked, results)
    places = [(line, value) for line in found_lineups(asked) for value in settings_of(asked).values]
    again = [(line, chosen) for line in found_lineups(asked)]
    fresh = _judge(asked, results.fresh, again, ", on fresh deals") if results.fresh is not None else []
    return Found(chosen, _judge(asked, results, places, ""), fresh)


def _judge(asked: Asked, results: Results, places: Sequence[tuple[Lineup, Any]], where: str) -> list[Judged]:
    whose, aim = aim_words(asked)
    wording = Wording(effect=f"{whose} differs from {aim} by", of="")
    effects, cases = [], []
    for lineup, value in places:
        arm = arm_at(asked, lineup, value)
        effects.append(shifted(results.estimate(share_name(arm)), -target_of(asked, arm)))
        cases.append((f"{rule_words(asked, value)}{where}", effects[-1], under(lineup)))
    verdicts = judge(cases, asked.experiment.margin, wording)
    return [
        Judged(lineup, value, effect, verdict)
        for (lineup, value), effect, verdict in zip(places, effects, verdicts, strict=True)
    ]


def farthest(judged: Sequence[Judged]) -> Judged:
    """The line-up that is farthest from the target; one without a win rate last."""
    return max(judged, key=lambda one: -1.0 if math.isnan(one.deviation.value) else abs(one.deviation.value))


def sentences(asked: Asked, found: Found) -> list[str]:
    """Which value makes the game fair, how sure that is, and what else the grid shows."""
    if nothing := nothing_ended([one.verdict for one in found.grid]):
        return [nothing]
    return [_answer(asked, found), *_optimism(found), *_others(asked, found)]


def _answer(asked: Asked, found: Found) -> str:
    limit, name, whose = within(asked.experiment.margin), rule_words(asked, found.chosen), aim_words(asked)
    judged = found.fresh or found.of_chosen
    where = "on fresh deals" if found.fresh else "on the deals it was chosen on (fresh ones have not been played)"
    seen = f"{where} {whose[0]} differs from {whose[1]} by {_most(found, judged)}"
    words = {one.verdict.verdict for one in judged}
    if words == {"fair"}:
        return f"{name} makes the game fair within your margin of {limit}: {seen}."
    if words & {"too strong", "too weak"}:
        if _none_is_fair(asked, found):
            head = f"None of the {len(settings_of(asked).values)} values makes the game fair within {limit}"
        else:
            head = f"No value is shown to make the game fair within {limit}"
        return f"{head}. The nearest is {name}: {seen}."
    open_ones = [one.verdict for one in judged if one.verdict.verdict == "undecided"]
    return f"The nearest value is {name}, but whether it is fair within {limit} is open: {seen}. {needed(open_ones)}"


def _most(found: Found, judged: Sequence[Judged]) -> str:
    """`+0.3 ± 0.2 points`; of several line-ups the one that is farthest off."""
    one = farthest(judged)
    if math.isnan(one.deviation.value):
        return "an unknown amount, for no game came to an end"
    at_most = f" at most, with {under(one.lineup)}" if len(judged) > 1 else f" ({under(one.lineup)})"
    return f"{points(one.verdict)} points{at_most}"


def _none_is_fair(asked: Asked, found: Found) -> bool:
    """Whether every value is shown to be unfair under some line-up."""
    values = settings_of(asked).values
    bad = {one.value for one in (*found.grid, *found.fresh) if one.verdict.verdict.startswith("too")}
    return all(value in bad for value in values)


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
    name, several = name_of(settings_of(asked).key), len(found_lineups(asked)) > 1
    everywhere = f" with all {counted(len(found_lineups(asked)), 'line-up')}" if several else ""
    parts = []
    if fair := [value for value in found.values_that_are(values, "fair") if value in others]:
        parts.append(f"fair as well{everywhere}: {runs(values, fair)}")
    unfair = {one.value for one in found.grid if one.verdict.verdict.startswith("too")}
    if bad := [value for value in others if value in unfair]:
        parts.append(f"not fair{' with some line-up' if several else ''}: {runs(values, bad)}")
    if rest := [value for value in others if value not in fair and value not in unfair]:
        parts.append(f"open: {runs(values, rest)}")
    return [f"Of the other values of {name}, on the grid's deals: {'; '.join(parts)}."] if parts else []
