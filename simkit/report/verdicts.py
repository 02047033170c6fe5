"""How verdicts are told apart wherever they are shown: by word, sign and order, never by colour alone."""

from __future__ import annotations

import math
from collections.abc import Iterable

from simkit.answer import Judgement, Verdict
from simkit.report import numbers

SIGNS: dict[Judgement, str] = {"fair": "✓", "too strong": "▲", "too weak": "▼", "undecided": "?"}


def judge_interval(low: float, high: float, margin: float) -> Judgement:
    """The verdict on an interval against ±margin, all in the same unit; NaN is undecided."""
    if low > margin:
        return "too strong"
    if high < -margin:
        return "too weak"
    return "fair" if -margin <= low and high <= margin else "undecided"


def effect(verdict: Verdict) -> str:
    """What a verdict on a win rate rests on, in points: `+0.42 ± 0.03`, or `none` when no game went another way."""
    half_width = (verdict.high - verdict.low) / 2
    return "none" if verdict.estimate == half_width == 0 else numbers.points(verdict.estimate, half_width)


def most_extreme_first(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """What a designer must see first: too strong and too weak, then the largest estimates, unobserved ones last."""

    def urgency(verdict: Verdict) -> tuple[bool, float]:
        size = 0.0 if math.isnan(verdict.estimate) else abs(verdict.estimate)
        return not verdict.verdict.startswith("too"), -size

    return sorted(verdicts, key=urgency)
