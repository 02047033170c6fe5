"""The difference of two estimates of different deals, from nothing but their own intervals."""

from __future__ import annotations

import math

from simkit.answer import Estimate


def unpaired_difference(first: Estimate, second: Estimate) -> Estimate:
    """`first` − `second` with an interval that takes the two as independent.

    Each end is as far from the difference as the near ends of the two intervals are from their estimates, squares added
    (MOVER; Newcombe, Statistics in Medicine 17, 1998, method 10; Zou & Donner, Statistics in Medicine 27, 2008). It
    keeps what is uneven in the intervals of shares near 0 and 1, and the level of the two intervals.

    Where the two were taken from the same deals it is wider than need be if the deals push both the same way, and too
    narrow if they push against each other.
    """
    value = first.value - second.value
    low = value - math.hypot(first.value - first.low, second.high - second.value)
    high = value + math.hypot(first.high - first.value, second.value - second.low)
    deals, count = min(first.deals, second.deals), min(first.count, second.count)
    return Estimate(value, low, high, math.hypot(first.se, second.se), deals, count)
