"""How widely a value spreads over games: its standard deviation, with the deal as the unit."""

from __future__ import annotations

import math
from fractions import Fraction

from simkit.answer import Estimate
from simkit.stats.ratios import centred_square, nothing, student
from simkit.tally import Moments

COLUMNS = 3  # of one spread: the sum of the values a deal, of their squares, and how many there are


def spread(moments: Moments, first: int = 0) -> Estimate:
    """The standard deviation of a value over all games, with a 95 % interval by the delta method over deals.

    Args:
        moments: a deal's sum of the values, sum of their squares, and their number, in three columns from `first`.
    """
    value, influence = _influence(moments, first)
    if math.isnan(value):
        return nothing(moments.n)
    return _estimate(value, moments, influence, moments.sums[first + 2])


def spread_difference(moments: Moments) -> Estimate:
    """The standard deviation of one arm less that of another on the same deals: six columns, three an arm."""
    (one, influence), (other, more) = (_influence(moments, first) for first in (0, COLUMNS))
    if math.isnan(one) or math.isnan(other):
        return nothing(moments.n)
    both = influence | {column: -weight for column, weight in more.items()}
    return _estimate(one - other, moments, both, min(moments.sums[2], moments.sums[COLUMNS + 2]))


def _estimate(value: float, moments: Moments, influence: dict[int, Fraction], count: int) -> Estimate:
    """Columns may be equal by pairs, as in an arm less itself: that is exactly 0 with no width."""
    deals = Fraction(moments.n)
    return student(Fraction(value), centred_square(moments, influence), deals, moments.n, count)


def _influence(moments: Moments, first: int) -> tuple[float, dict[int, Fraction]]:
    """A standard deviation, and how much each column moves it (the gradient); NaN when nothing spreads.

    s = √(Q/N − (S/N)²), so that ds = (dQ − 2 m dS + (m² − v) dN) / (2 s N) with m = S/N and v = s².
    """
    total, squares, many = moments.sums[first : first + COLUMNS]
    if moments.n < 2 or many == 0:
        return math.nan, {}
    mean = Fraction(total, many)
    variance = Fraction(squares, many) - mean**2
    value = math.sqrt(variance)
    if value == 0:
        return 0.0, {}
    scale = 1 / (2 * Fraction(value) * many)
    weights = (-2 * mean, Fraction(1), mean**2 - variance)
    return value, {first + i: weight * scale for i, weight in enumerate(weights)}
