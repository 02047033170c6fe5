"""Resamples of the deals: the right random numbers, the same ones whatever the batches, exact sums."""

from __future__ import annotations

import json
from math import exp, factorial

import numpy as np
import pytest

from simkit.resamples import RESAMPLES, Resamples, weights


def columns(deals: np.ndarray) -> list[np.ndarray]:
    return [deals % 7 - 3, np.full(len(deals), 2)]


def test_batches_add_up_to_the_whole_in_any_order() -> None:
    deals = np.arange(50)
    whole = Resamples.of(columns(deals), deals, seed=9)
    parts = [Resamples.of(columns(some), some, seed=9) for some in (deals[30:], deals[:10], deals[10:30])]
    assert parts[0] + parts[1] + parts[2] == whole
    assert Resamples.from_json(json.loads(json.dumps(whole.to_json()))) == whole
    assert Resamples.of(columns(deals), deals, seed=10) != whole


def test_the_first_row_has_every_deal_once() -> None:
    deals = np.arange(100, 120)
    found = Resamples.of(columns(deals), deals, seed=1)
    assert found.plain.tolist() == [int((deals % 7 - 3).sum()), 40]
    assert found.sums.shape == (1 + RESAMPLES, 2)
    drawn = weights(deals, 1)
    assert (found.sums[:, 1] == 2 * drawn.sum(axis=1)).all()


def test_a_deal_counts_as_often_as_a_poisson_variable_of_mean_1() -> None:
    drawn = weights(np.arange(2_000), seed=2026)[1:]
    for times in range(5):
        chance = exp(-1) / factorial(times)
        share = float((drawn == times).mean())
        assert share == pytest.approx(chance, abs=4 * (chance / drawn.size) ** 0.5)
    assert abs(np.corrcoef(drawn[0], drawn[1])[0, 1]) < 0.1
    assert abs(np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1]) < 0.3


def test_the_largest_seed_and_a_far_deal_have_numbers_too() -> None:
    assert weights(np.array([2**40]), 2**64 - 1).shape == (1 + RESAMPLES, 1)


def test_the_spread_of_resampled_means_is_their_standard_error() -> None:
    """For 300 samples: the bootstrap's 95 % interval of a mean covers the truth at about the nominal rate."""
    rng, covered = np.random.default_rng(3), 0
    for _ in range(300):
        values = rng.poisson(3.0, 150)
        deals = rng.integers(0, 2**40, 150)
        sums = Resamples.of([values, np.ones_like(values)], deals, 4).sums
        means = sums[1:, 0] / sums[1:, 1]
        low, high = np.quantile(means, [0.025, 0.975])
        covered += low <= 3.0 <= high
    assert 0.95 - 4 * (0.05 * 0.95 / 300) ** 0.5 - 0.01 < covered / 300 < 0.995
