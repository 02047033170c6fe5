"""Differences of estimates that stand on deals of their own."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simkit.answer import Estimate
from simkit.stats.intervals import wilson
from simkit.stats.ratios import nothing, ratio
from simkit.stats.unpaired import unpaired_difference
from simkit.tally import Moments


def proportion(wins: int, games: int) -> Estimate:
    p, (low, high) = wins / games, wilson(wins, games)
    return Estimate(p, low, high, math.sqrt(p * (1 - p) / games), games, games)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((10, 10), (0, 20), 0.6791, 1.0)],
)
def test_shares_have_newcombes_interval(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    """Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10."""
    found = unpaired_difference(proportion(*first), proportion(*second))
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_the_other_way_round_is_the_mirror_image() -> None:
    a, b = proportion(56, 70), proportion(48, 80)
    there, back = unpaired_difference(a, b), unpaired_difference(b, a)
    assert (there.value, there.low, there.high, there.se) == (-back.value, -back.high, -back.low, back.se)
    assert (there.deals, there.count) == (70, 70)


def test_nothing_observed_makes_nothing_known() -> None:
    found = unpaired_difference(proportion(1, 2), nothing(5))
    assert all(math.isnan(x) for x in (found.value, found.low, found.high, found.se))


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng, hits, repeats = np.random.default_rng(3), 0, 1000
    for _ in range(repeats):
        sides = [ratio(Moments.of([rng.poisson(m, 60), np.ones(60, int)])) for m in (5, 3)]
        found = unpaired_difference(*sides)
        hits += found.low <= 2 <= found.high
    assert abs(hits / repeats - 0.95) < 4 * math.sqrt(0.95 * 0.05 / repeats)
