"""The spread of a value over games against NumPy, and its interval's coverage."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.stats.spread import spread, spread_difference
from simkit.tally import Moments


def columns(values: np.ndarray) -> list[np.ndarray]:
    """Of values (deals, games): their sums, the sums of their squares, how many there are, a deal."""
    return [values.sum(axis=1), (values**2).sum(axis=1), np.full(len(values), values.shape[1])]


def draw(rng: np.random.Generator, deals: int, sd: float = 20) -> np.ndarray:
    """Two whole-number scores a deal that share the deal's part, so that games are not independent."""
    deal = rng.normal(0, 0.6 * sd, (deals, 1))
    return np.rint(deal + rng.normal(0, 0.8 * sd, (deals, 2))).astype(np.int64)


def test_it_is_the_standard_deviation_of_all_games() -> None:
    values = draw(np.random.default_rng(1), 500)
    found = spread(Moments.of(columns(values)))
    assert found.value == pytest.approx(values.std(), abs=1e-9)
    assert (found.deals, found.count) == (500, 1000)


def test_95_per_cent_of_the_intervals_hold_the_true_value() -> None:
    """900 samples of 200 deals: the share has a standard error of 0.7 points."""
    rng = np.random.default_rng(2)
    true = np.sqrt(20**2 + 1 / 12)  # rounding to whole numbers adds 1/12 to the variance
    found = [spread(Moments.of(columns(draw(rng, 200)))) for _ in range(900)]
    held = np.mean([e.low <= true <= e.high for e in found])
    assert held == pytest.approx(0.95, abs=0.03)


def test_95_per_cent_of_the_intervals_of_differences_hold_the_true_one() -> None:
    """Both arms share part of each score, as arms on the same deals do."""
    rng = np.random.default_rng(3)
    held = []
    for _ in range(900):
        one = draw(rng, 200)
        other = np.rint(1.5 * one + rng.normal(0, 5, one.shape)).astype(np.int64)
        found = spread_difference(Moments.of([*columns(one), *columns(other)]))
        true = np.sqrt(20**2 + 1 / 12) - np.sqrt(1.5**2 * (20**2 + 1 / 12) + 25 + 1 / 12)
        held.append(found.low <= true <= found.high)
        assert found.value == pytest.approx(one.std() - other.std(), abs=1e-9)
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)


def test_the_same_arm_twice_differs_by_exactly_nothing() -> None:
    values = columns(draw(np.random.default_rng(4), 50))
    found = spread_difference(Moments.of([*values, *values]))
    assert (found.value, found.low, found.high) == (0, 0, 0)


def test_without_deals_nothing_is_known_and_equal_values_do_not_spread() -> None:
    assert np.isnan(spread(Moments.zero(3)).value)
    still = spread(Moments.of(columns(np.full((40, 2), 7))))
    assert (still.value, still.low, still.high) == (0, 0, 0)
