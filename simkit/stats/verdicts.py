"""Verdicts: estimates judged against the designer's margin, corrected for how many are judged at once.

One rule decides: a verdict is what its own interval shows. Inside ±margin: fair; outside: too strong or too weak;
across a margin: undecided. The p value is 1 minus the level of the widest interval that would still decide, which is
twice the one-sided p value at the nearer margin. (Inside, that is two one-sided tests, Schuirmann 1987, at 2.5 % each
instead of the usual 5 %, so that it is the 95 % interval the reader sees that lies inside.)

A list is corrected by Holm's step-down method (1979): of m verdicts the clearest is drawn from an interval of level
1 − 5 %/m, the next of 1 − 5 %/(m − 1), and so on; from the first undecided one on, all from the same. Those intervals
are shown, so that number, interval, p value and word never contradict each other. The chance that any verdict of the
list is wrong stays within 5 % (for directional decisions: Shaffer 1980). The intervals are Holm-corrected, not
simultaneous: what holds together at 95 % is the list of verdicts.

Where hardly any deal differs, the usual interval is far too sure: of 300 deals of which one in 100 differs, one or none
does in 20 of 100 runs, and its interval stays below a margin of 1 point. So where fewer than MINIMUM_DEALS deals
differ, one more is thought to have gone up and one down (Bonett & Price 2012, for paired proportions). Where none does,
the effect is taken to be none: the rule for an ablation that changes nothing.

Estimates with a confidence sequence (simkit.stats.always_valid) are judged by its intervals and p values in the same
way. The verdicts then hold whenever the run was stopped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scipy.special import stdtr

from simkit.answer import Estimate, Judgement, Verdict
from simkit.stats.intervals import needed_deals
from simkit.stats.ratios import student_quantile

# Below this an approximate interval of a skewed quantity is not to be trusted.
MINIMUM_DEALS = 30
# more_deals when no number of deals can be named: the estimate sits at the margin, or nothing was seen.
MOST_DEALS = 10**9
MOST_DIGITS = 6

Case = tuple[str, Estimate, str]


@dataclass(frozen=True)
class Wording:
    """How an effect is put into words.

    Attributes:
        effect: what stands before the number ("holding it adds"); empty: the number carries its sign.
        unit: the unit in the plural ("points"), used with the margin too.
        one: the unit in the singular.
        of: what follows the unit of the effect, with its space (" of win rate").
        scale: how many units 1 is (100 points).
    """

    effect: str = ""
    unit: str = "points"
    one: str = "point"
    of: str = " of win rate"
    scale: float = 100.0


WIN_RATE = Wording()


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm-adjusted p values, in the order given (Holm 1979)."""
    from statsmodels.stats.multitest import multipletests  # slow to import

    return [float(p) for p in multipletests(p_values, method="holm")[1]] if len(p_values) else []


def judge(
    cases: Sequence[Case], margin: float, wording: Wording | Sequence[Wording] = WIN_RATE, error_rate: float = 0.05
) -> list[Verdict]:
    """Judges effects against ±margin; the whole list is wrong anywhere with a chance of at most error_rate.

    An effect with a standard error of 0 (an ablation that changes nothing) is where its estimate is once there are so
    many deals that a change beyond the margin would have been seen in one of them: n deals that are all alike leave out
    1 − (1 − level)^(1/n) of deals that differ by 1, about 3/n (the rule of three). With fewer than MINIMUM_DEALS deals,
    or so few observations, the verdict is undecided whatever the interval.

    Args:
        cases: (subject, estimate of the effect, strategies it was seen under).
        margin: what difference matters, in the estimates' unit, 0 or more.
        wording: the effect in words, one for all or one a case.
        error_rate: 0.05 for intervals of 95 %.

    Returns:
        One Verdict a case, in order, with Holm-corrected interval and p value.

    Raises:
        ValueError: a negative margin.
    """
    if not margin >= 0:
        raise ValueError(f"a margin of {margin}: must be 0 or more")
    p_values = [_p_value(estimate, margin) for _, estimate, _ in cases]
    adjusted = holm(p_values)
    decided = sum(p <= error_rate for p in adjusted)
    order = sorted(range(len(cases)), key=p_values.__getitem__)
    wordings = [wording] * len(cases) if isinstance(wording, Wording) else wording
    verdicts = {}
    for rank, index in enumerate(order):
        level = 1 - error_rate / (len(cases) - min(rank, decided))
        corrected = "" if len(cases) == 1 else "Holm-corrected "
        always = "always-valid " if cases[index][1].sequence else ""
        interval = f"{corrected}{always}{100 * (1 - error_rate):g} % interval"
        verdicts[index] = _verdict(
            cases[index], margin, level, adjusted[index], rank < decided, wordings[index], interval
        )
    return [verdicts[index] for index in range(len(cases))]


def _observations(estimate: Estimate) -> int:
    return min(estimate.deals, estimate.count)


def _p_value(estimate: Estimate, margin: float) -> float:
    """Twice the one-sided p value at the nearer margin; 1 when there is too little to judge."""
    if _observations(estimate) < MINIMUM_DEALS or math.isnan(estimate.se):
        return 1.0
    if estimate.sequence:
        return max(estimate.sequence.p_value(margin), estimate.sequence.p_value(-margin))
    distance = abs(abs(estimate.value) - margin)
    if estimate.se == 0:
        return float((1 - min(distance, 1)) ** _observations(estimate))
    return float(2 * stdtr(_observations(estimate) - 1, -distance / _error(estimate)))


def _verdict(
    case: Case, margin: float, level: float, p: float, decided: bool, wording: Wording, interval: str
) -> Verdict:
    subject, estimate, under = case
    low, high = _interval(estimate, level, decided)
    judgement = _judgement(estimate.value, margin) if decided else "undecided"
    more = None if decided else _more_deals(estimate, margin, level)
    verdict = Verdict(subject, estimate.value, low, high, margin, judgement, under, p, more, sentence="")
    return replace(verdict, sentence=_sentence(verdict, estimate, wording, interval))


def _interval(estimate: Estimate, level: float, decided: bool) -> tuple[float, float]:
    if estimate.sequence:
        return estimate.sequence.interval(level)
    half, n = math.nan, _observations(estimate)
    if n > 1 and estimate.se == 0:
        half = 0.0 if decided else 1 - (1 - level) ** (1 / n)
    elif n > 1:
        half = student_quantile(n, level) * _error(estimate)
    return estimate.value - half, estimate.value + half


def _error(estimate: Estimate) -> float:
    """The standard error; where hardly any deal differs, with a deal more that went up by 1 and one that went down."""
    n = _observations(estimate)
    differ = n * (n * estimate.se**2 + estimate.value**2)  # deals, if each differs by 1
    is_known = estimate.se == 0 or differ >= MINIMUM_DEALS
    return estimate.se if is_known else math.sqrt(estimate.se**2 + 2 / n**2)


def _judgement(value: float, margin: float) -> Judgement:
    if abs(value) <= margin:
        return "fair"
    return "too strong" if value > 0 else "too weak"


def _more_deals(estimate: Estimate, margin: float, level: float) -> int:
    """About how many deals more until the interval around the same estimate lies on one side of the nearer margin."""
    if estimate.count == 0:
        return MOST_DEALS
    needed = math.ceil(estimate.deals * MINIMUM_DEALS / _observations(estimate))
    distance = abs(abs(estimate.value) - margin)
    if estimate.se > 0 or estimate.se == 0:
        if distance * MOST_DEALS <= (estimate.se or 1):
            return MOST_DEALS
        needed = max(needed, _needed(estimate, distance, level))
    return min(MOST_DEALS, max(1, needed - estimate.deals))


def _needed(estimate: Estimate, half_width: float, level: float) -> int:
    """About how many deals in all narrow the interval to ± half_width."""
    if estimate.se == 0 and estimate.sequence is None:
        alike = math.log(1 - level) / math.log1p(-half_width) if half_width < 1 else 1
        return math.ceil(alike * estimate.deals / _observations(estimate))
    if estimate.sequence is None:
        return needed_deals(_error(estimate), estimate.deals, half_width, level)
    low, high = estimate.sequence.interval(level)
    return math.ceil(estimate.deals * ((high - low) / 2 / half_width) ** 2)


def _sentence(verdict: Verdict, estimate: Estimate, wording: Wording, interval: str) -> str:
    if estimate.count == 0:
        return f"{verdict.subject} is undecided under {verdict.under}: never seen in {estimate.deals:,} deals."
    margin = f"±{_quantity(f'{verdict.margin * wording.scale:g}', wording)}"
    digits = _digits(verdict, wording.scale)
    value = _number(verdict.estimate, wording.scale, digits)
    if not wording.effect and verdict.estimate > 0:
        value = f"+{value}"
    shown = f"{wording.effect} {_quantity(value, wording)}{wording.of}".lstrip()
    if not math.isnan(verdict.low):
        low, high = (_number(bound, wording.scale, digits) for bound in (verdict.low, verdict.high))
        shown += f" ({interval} {low} to {high})"
    match verdict.verdict:
        case "fair":
            return f"{verdict.subject} is fair within {margin} under {verdict.under}: {shown}."
        case "undecided":
            outlook = _outlook(verdict, estimate)
            return f"{verdict.subject} is undecided within {margin} under {verdict.under}: {shown}; {outlook}."
        case _:
            side = "above" if verdict.verdict == "too strong" else "below"
            return (
                f"{verdict.subject} is {verdict.verdict} under {verdict.under}: {shown}, {side} the margin of {margin}."
            )


def _outlook(verdict: Verdict, estimate: Estimate) -> str:
    """What an undecided verdict needs."""
    if verdict.more_deals is None or verdict.more_deals >= MOST_DEALS:
        return "that is at the margin itself, so that how many more deals would decide it cannot be told"
    reason = "too few deals for a verdict, " if _observations(estimate) < MINIMUM_DEALS else ""
    return f"{reason}needs about {int(float(f'{verdict.more_deals:.1e}')):,} more deals"


def _quantity(number: str, wording: Wording) -> str:
    return f"{number} {wording.one if number.lstrip('+−') == '1' else wording.unit}"


def _number(value: float, scale: float, digits: int) -> str:
    return f"{value * scale:z.{digits}f}".replace("-", "−")


def _digits(verdict: Verdict, scale: float) -> int:
    """Decimals to the digit that is known, and more where rounding would put a bound on the margin's other side."""
    half = scale * (verdict.high - verdict.low) / 2
    digits = max(0, -math.floor(math.log10(half))) if half > 0 else 1
    while digits < MOST_DIGITS and any(
        _side(round(bound * scale, digits), verdict.margin * scale) != _side(bound * scale, verdict.margin * scale)
        for bound in (verdict.low, verdict.high)
    ):
        digits += 1
    return digits


def _side(bound: float, margin: float) -> tuple[float, float]:
    """Which side of each margin a bound is on; on the margin itself is a third answer."""
    return math.copysign(bound != margin, bound - margin), math.copysign(bound != -margin, bound + margin)
