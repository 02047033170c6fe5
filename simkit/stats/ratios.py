"""Estimates of ratios of sums, with intervals that take the deal, not the game, as the unit.

The games of one deal depend on each other, so the variance is that of the deals' residuals (linearisation, "delta
method"; Cochran, Sampling Techniques, 3rd ed., 6.4). All sums are integers until the last division: no cancellation.

Few deals may carry all of the denominator (a card that is seldom drawn). Small-sample corrections therefore count
Kish's effective number of deals (Σb)²/Σb², which is n when b is constant and the deals with b = 1 when b is 0 or 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist

from simkit.answer import Estimate
from simkit.tally import Moments

LEVEL = 0.95
_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


def mean(moments: Moments, a: int = 0) -> Estimate:
    """The mean of column a per deal, with Student's 95 % interval."""
    n, total = moments.n, moments.sums[a]
    if n == 0:
        return nothing(0)
    return student(Fraction(total, n), centred_square(moments, {a: 1}) / n**2, Fraction(n), n, n)


def ratio(moments: Moments, a: int = 0, b: int = 1, units: int = 1) -> Estimate:
    """Σa/Σb with a 95 % interval by the delta method over deals and Student's t.

    `units` is what one game counts in both columns: more than 1 where a draw is shared.

    The variance is Σ(a − r b)²/(Σb)² · m/(m − 1), with m Kish's effective number of deals. For proportions use `share`,
    which stays honest near 0 and 1. The error is NaN below two effective deals, everything is NaN when Σb is 0.
    """
    total = moments.sums[b]
    if total == 0:
        return nothing(moments.n)
    value, deals = Fraction(moments.sums[a], total), _effective_deals(moments, b)
    return student(value, _ratio_variance(moments, a, b), deals, moments.n, total // units)


def share(moments: Moments, a: int = 0, b: int = 1, units: int = 1) -> Estimate:
    """The proportion Σa/Σb, 0 ≤ a ≤ b in every deal, with a 95 % Wilson interval on the effective number of games.

    That number is p (1 − p)/variance, with the variance over deals. When the games of a deal offset each other it may
    exceed the games played; the terms that keep the interval honest near 0 and 1 then count the games. When no deal
    deviates (all won, none won, all halved) it is the effective number of deals, as if a deal's games were one. With
    one game a deal this is Wilson's interval (Wilson 1927; design effect: Korn & Graubard 1998).

    `units`: as in `ratio`.

    Raises:
        ValueError: a is not between 0 and b.
    """
    wins, total = moments.sums[a], moments.sums[b]
    if total == 0:
        return nothing(moments.n)
    if not 0 <= wins <= total or (moments.low is not None and min(moments.low[a], moments.low[b]) < 0):
        raise ValueError(f"column {a} is no part of column {b}: not a share")
    p, variance = Fraction(wins, total), _ratio_variance(moments, a, b)
    games = min(p * (1 - p) / variance, Fraction(total, units)) if variance else _effective_deals(moments, b)
    low, high = _wilson(float(p), float(variance), float(games))
    plain = ratio(moments, a, b, units)
    se = plain.se if variance else (high - low) / (2 * _Z)
    return replace(plain, low=low, high=high, se=se)


def difference(moments: Moments, a1: int = 0, b1: int = 1, a2: int = 2, b2: int = 3, units: int = 1) -> Estimate:
    """Σa1/Σb1 − Σa2/Σb2 on the same deals, with a 95 % interval by the delta method; covariances are in the variance.

    Identical columns (an ablation that changes nothing) give exactly 0 with the interval 0 to 0. That is by design: the
    same deals were played twice and no deal differed. `count` is the smaller denominator; `units` as in `ratio`.
    """
    return contrast(moments, ((1, a1, b1), (-1, a2, b2)), units)


def contrast(moments: Moments, terms: Sequence[tuple[int | Fraction, int, int]], units: int = 1) -> Estimate:
    """Ratios added and subtracted on the same deals, with interval and `count` as in `difference`.

    `terms` are (weight, column a, column b) of each ratio Σa/Σb; a weight may be a fraction, for means of ratios.
    """
    totals = [moments.sums[b] for _, _, b in terms]
    if not all(totals):
        return nothing(moments.n)
    value, coefficients = Fraction(0), dict[int, Fraction]()
    for (weight, a, b), total in zip(terms, totals, strict=True):
        part = weight * Fraction(moments.sums[a], total)
        value += part
        for column, times in ((a, Fraction(weight) / total), (b, -part / total)):  # a column may be in several ratios
            coefficients[column] = coefficients.get(column, Fraction(0)) + times
    deals = min(_effective_deals(moments, b) for _, _, b in terms)
    return student(value, centred_square(moments, coefficients), deals, moments.n, min(totals) // units)


def centred_square(moments: Moments, coefficients: Mapping[int, Fraction | int]) -> Fraction:
    """Σ(y − ȳ)² over the deals for y = Σ coefficient · column, exact."""
    square = sum(ci * cj * moments.product(i, j) for i, ci in coefficients.items() for j, cj in coefficients.items())
    total = sum(c * moments.sums[i] for i, c in coefficients.items())
    return square - Fraction(total) ** 2 / moments.n


def nothing(deals: int) -> Estimate:
    """The estimate when nothing was observed in `deals` deals: NaN."""
    return Estimate(math.nan, math.nan, math.nan, math.nan, deals, 0)


def student(value: Fraction, variance: Fraction, effective: Fraction, deals: int, count: int) -> Estimate:
    """An estimate with Student's 95 % interval; its error is NaN at one effective deal.

    Args:
        value: the estimate.
        variance: its variance without small-sample correction.
        effective: the number of deals it rests on.
        deals: as in Estimate.
        count: as in Estimate.
    """
    if effective <= 1:
        return Estimate(float(value), math.nan, math.nan, math.nan, deals, count)
    se = math.sqrt(variance * effective / (effective - 1))
    half = student_quantile(float(effective)) * se
    return Estimate(float(value), float(value) - half, float(value) + half, se, deals, count)


def student_quantile(deals: float, level: float = LEVEL) -> float:
    """How many standard errors an interval of `level` reaches to each side, from that many (effective) deals."""
    from scipy.special import stdtrit  # a match does without scipy until its end

    return float(stdtrit(deals - 1, (1 + level) / 2))


def _effective_deals(moments: Moments, b: int) -> Fraction:
    return Fraction(moments.sums[b] ** 2, moments.product(b, b))


def _ratio_variance(moments: Moments, a: int, b: int) -> Fraction:
    """Σ(a − r b)²/(Σb)²: of the ratio, without small-sample correction."""
    total = moments.sums[b]
    return centred_square(moments, {a: total, b: -moments.sums[a]}) / total**4


def _wilson(p: float, variance: float, games: float) -> tuple[float, float]:
    """Wilson's interval where the variance need not be p (1 − p)/games."""
    shrink = 1 + _Z**2 / games
    centre = (p + _Z**2 / (2 * games)) / shrink
    half = _Z * math.sqrt(variance + (_Z / (2 * games)) ** 2) / shrink
    # At 0 and 1 the bound is exact; rounding must not put it inside.
    return max(0.0, centre - half) if p > 0 else 0.0, min(1.0, centre + half) if p < 1 else 1.0
