"""Where a win rate crosses a target: a logistic line over a rule's values, and Fieller's interval for the crossing.

What a card adds is a difference of two win rates, of any sign: there the line is straight, by least squares.

The win rates of all values are of the same deals, so that they depend on each other; the covariance of the line is that
of the deals ("sandwich" with the deals as clusters: Liang & Zeger 1986). The crossing is a ratio of two normal numbers:
its interval is Fieller's (1954), which may be unbounded, and then says that the slope is not known well enough.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats.ratios import LEVEL, student_quantile
from simkit.tally import Moments

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Crossing:
    """The value at which a logistic line crosses a target.

    Attributes:
        value: of the rule; NaN when the line is level.
        low, high: ends of the 95 % interval; when it is not `bounded`, all values up to `low` and all from `high` on
            (NaN and NaN: every value).
        bounded: whether the interval has two ends.
        slope: of the line, in logits for 1 of the rule (of differences: in their own unit); `slope_se` its standard
            error.
        largest_miss: of the line from a measured win rate.
        misfit: p value of the line as a whole (Wald, over the values less two); NaN with two values, which fit always.
    """

    value: float
    low: float
    high: float
    bounded: bool
    slope: float
    slope_se: float
    largest_miss: float
    misfit: float


def share_covariance(moments: Moments) -> Floats:
    """Covariance of the shares Σa/Σb of moments whose columns are a, b, a, b, …; the deals are the unit.

    Shape (shares, shares) float64, in shares squared. All sums are exact until the last division.
    """
    k, n = len(moments.sums) // 2, moments.n
    shares = [Fraction(moments.sums[2 * i], moments.sums[2 * i + 1]) for i in range(k)]

    def entry(i: int, j: int) -> float:
        (a, b), (c, d) = (2 * i, 2 * i + 1), (2 * j, 2 * j + 1)
        square = moments.product(a, c) - shares[j] * moments.product(a, d)
        square += shares[i] * (shares[j] * moments.product(b, d) - moments.product(b, c))
        return float(square / (moments.sums[b] * moments.sums[d]) * Fraction(n, max(n - 1, 1)))

    return np.array([[entry(i, j) for j in range(k)] for i in range(k)], dtype=np.float64)


def crossing(values: Sequence[float], moments: Moments, target: float) -> Crossing | None:
    """Where the shares of `moments` (columns a, b, a, b, …, a pair a value) cross a target.

    Args:
        values: of the rule, two or more different numbers.
        moments: of the deals.
        target: a share between 0 and 1, both excluded.

    Returns:
        None where no line can be drawn: a share of 0 or 1, nothing observed, or fewer than two deals.
    """
    wins, games = (np.array(moments.sums[i::2], dtype=np.float64) for i in (0, 1))
    if moments.n < 2 or not games.all() or not (wins > 0).all() or not (wins < games).all():
        return None
    half = student_quantile(moments.n, LEVEL)
    return cross_shares(values, wins / games, games, share_covariance(moments), target, half)


def cross_shares(
    values: Sequence[float], shares: ArrayLike, games: ArrayLike, covariance: Floats, target: float, quantile: float
) -> Crossing:
    """The same of shares, the games that each rests on, their covariance, and the quantile of the interval."""
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    x, r, weight = (np.asarray(numbers, dtype=np.float64) for numbers in (values, shares, games))
    middle = float(x.mean())
    design = np.column_stack([np.ones_like(x), x - middle])
    weight = weight / weight.mean()  # of the line only their proportions matter
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a line meets all win rates: through two values it always does
        line = GLM(r, design, family=Binomial(), var_weights=weight).fit()
    fitted = np.asarray(line.fittedvalues)
    information = design.T @ (design * (weight * fitted * (1 - fitted))[:, None])
    spread = np.linalg.solve(information, design.T * weight)  # of the line's two numbers, by share
    of_line = spread @ covariance @ spread.T
    place = float(np.log(target / (1 - target)))
    rest = np.eye(len(x)) - (design * (fitted * (1 - fitted))[:, None]) @ spread
    return _crossed(middle, line.params - [place, 0.0], of_line, quantile, (r - fitted, rest @ covariance @ rest.T))


def crossing_of_differences(values: Sequence[float], moments: Moments, target: float) -> Crossing | None:
    """Where differences of two shares (columns a, b, c, d, …: Σa/Σb − Σc/Σd a value) cross a target.

    Returns:
        None where no line can be drawn: nothing observed, no difference in any deal, or fewer than two deals.
    """
    if moments.n < 2 or not all(moments.sums[1::2]):
        return None
    wins, games = (np.array(moments.sums[i::2], dtype=np.float64) for i in (0, 1))
    first_less_second = np.kron(np.eye(len(values)), [1.0, -1.0])
    covariance = first_less_second @ share_covariance(moments) @ first_less_second.T
    if not covariance.any():
        return None
    half = student_quantile(moments.n, LEVEL)
    return cross_differences(values, first_less_second @ (wins / games), covariance, target, half)


def cross_differences(
    values: Sequence[float], differences: ArrayLike, covariance: Floats, target: float, quantile: float
) -> Crossing:
    """The same of differences, their covariance, and the quantile of the interval."""
    x, y = (np.asarray(numbers, dtype=np.float64) for numbers in (values, differences))
    middle = float(x.mean())
    design = np.column_stack([np.ones_like(x), x - middle])
    spread = np.linalg.pinv(design)
    line, rest = spread @ y, np.eye(len(x)) - design @ spread
    of_line = spread @ covariance @ spread.T
    return _crossed(middle, line - [target, 0.0], of_line, quantile, (rest @ y, rest @ covariance @ rest.T))


def _crossed(middle: float, line: Floats, of_line: Floats, quantile: float, missed: tuple[Floats, Floats]) -> Crossing:
    """The crossing of a line (at `middle`, less the target, and slope); `missed` is by how much, and its covariance."""
    low, high, bounded = fieller(line, of_line, quantile)
    slope, (miss, spread) = float(line[1]), missed
    return Crossing(
        value=middle - float(line[0]) / slope if slope else math.nan,
        low=middle + low,
        high=middle + high,
        bounded=bounded,
        slope=slope,
        slope_se=math.sqrt(max(0.0, of_line[1, 1])),
        largest_miss=float(np.abs(miss).max()),
        misfit=_misfit(miss, spread),
    )


def _misfit(miss: Floats, covariance: Floats) -> float:
    """P value of the line as a whole."""
    from scipy.stats import chi2

    freedom = len(miss) - 2
    if not freedom:
        return math.nan
    wald = float(miss @ np.linalg.pinv(covariance, rcond=1e-9, hermitian=True) @ miss)
    return float(chi2.sf(wald, freedom))


def fieller(line: Floats, covariance: Floats, quantile: float) -> tuple[float, float, bool]:
    """Fieller's set for where intercept + slope · x is 0: every x at which that is within `quantile` standard errors.

    Returns:
        (low, high, True): all from low to high; (low, high, False): all up to low and from high on, which is every x
        when both are NaN.
    """
    (a, b), q = line, quantile * quantile
    square = b * b - q * covariance[1, 1]
    linear = 2 * (a * b - q * covariance[0, 1])
    constant = a * a - q * covariance[0, 0]
    inside = linear * linear - 4 * square * constant
    if square > 0:  # then there are two roots, but for rounding
        root = math.sqrt(max(0.0, inside))
        return (-linear - root) / (2 * square), (-linear + root) / (2 * square), True
    if square == 0 or inside <= 0:
        return math.nan, math.nan, False
    low, high = sorted((-linear + sign * math.sqrt(inside)) / (2 * square) for sign in (1, -1))
    return low, high, False
