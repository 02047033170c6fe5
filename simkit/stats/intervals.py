"""Intervals of a proportion, and how many deals a wanted width needs."""

from __future__ import annotations

import math
from typing import Literal

from scipy.special import ndtri


def wilson(successes: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval (1927) of a proportion of independent trials; NaN without trials."""
    return _proportion(successes, trials, level, "wilson")


def jeffreys(successes: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """Jeffreys' equal-tailed interval of a proportion: quantiles of Beta(½ + successes, ½ + failures)."""
    return _proportion(successes, trials, level, "jeffreys")


def never_seen(trials: float, level: float = 0.95) -> float:
    """The highest share that something can have and still not be seen in so many independent trials, at that level.

    About 3/trials, the rule of three (Hanley & Lippman-Hand, JAMA 249, 1983); 1 without trials.
    """
    return 1 - (1 - level) ** (1 / trials) if trials else 1.0


def needed_deals(se: float, deals: int, half_width: float, level: float = 0.95) -> int:
    """About how many deals in all narrow the interval of `level` to ± half_width, as the error shrinks with their root.

    Args:
        se: the standard error seen after `deals` deals.
        deals: deals so far.
        half_width: the wanted half-width, in the unit of se.
        level: the interval's level.

    Returns:
        Deals in all, at least 1.

    Raises:
        ValueError: the half-width is not positive, or the error is not known (NaN).
    """
    if not half_width > 0 or math.isnan(se):
        raise ValueError(f"no plan for a half-width of {half_width} from a standard error of {se}")
    return max(1, math.ceil(deals * (float(ndtri((1 + level) / 2)) * se / half_width) ** 2))


def _proportion(
    successes: float, trials: float, level: float, method: Literal["wilson", "jeffreys"]
) -> tuple[float, float]:
    from statsmodels.stats.proportion import proportion_confint  # slow to import

    if trials == 0:
        return math.nan, math.nan
    low, high = proportion_confint(successes, trials, alpha=1 - level, method=method)
    return float(low), float(high)
