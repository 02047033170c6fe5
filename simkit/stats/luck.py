"""How much of a game's score is the luck of the deal, from deals played with the seats swapped."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from simkit.answer import Estimate
from simkit.stats.ratios import centred_square, nothing, student
from simkit.tally import Moments


def luck_columns(first: NDArray[np.int64], second: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """The five columns a Moments needs for `luck`: s₁, s₂, s₁², s₁s₂, s₂².

    Args:
        first: one player's score in the deal's first game, shape (deals,), below 2³¹ in size.
        second: the same player's score in the second game, with the seats swapped.

    Raises:
        ValueError: a score is too large to be squared.
    """
    s1, s2 = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    if any(s.size and max(-int(s.min()), int(s.max())) >= 2**31 for s in (s1, s2)):
        raise ValueError("scores of 2^31 and more cannot be squared")
    return s1, s2, s1 * s1, s1 * s2, s2 * s2


def luck(moments: Moments) -> Estimate:
    """The deal's share of the variance of the score, −Cov(s₁, s₂)/Var(s), with a 95 % interval by the delta method.

    A player's score is the deal's favour plus the play's; with the seats swapped the deal's favour changes its sign, so
    that −Cov(s₁, s₂) is the variance of the deal's part. Var(s) is the mean of the two games' variances. The share can
    come out below 0: when one deal favours the same player from both seats.

    Args:
        moments: of the five columns of `luck_columns` (the interval needs fourth moments).
    """
    if moments.n < 2:
        return nothing(moments.n)
    n, (sum1, sum2) = moments.n, moments.sums[:2]
    m1, m2 = Fraction(sum1, n), Fraction(sum2, n)
    covariance = Fraction(moments.sums[3], n) - m1 * m2
    variance = (Fraction(moments.sums[2] + moments.sums[4], n) - m1**2 - m2**2) / 2
    if variance == 0:
        return nothing(n)
    value = -covariance / variance
    # A deal moves the share by −(u + value v)/variance; u = (s₁−m₁)(s₂−m₂), v = ((s₁−m₁)² + (s₂−m₂)²)/2.
    # Multiplied out, these are the coefficients of the five columns.
    influence = {0: -m2 - value * m1, 1: -m1 - value * m2, 2: value / 2, 3: Fraction(1), 4: value / 2}
    return student(value, centred_square(moments, influence) / (n * variance) ** 2, Fraction(n), n, 2 * n)
