"""What may be best: the true best is among it, and one alone is named only when all others are beaten."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import norm, t

from simkit.answer import Estimate
from simkit.stats.best import at_level, best_of

DEALS = 10_000


def estimate(value: float, se: float, deals: int = DEALS) -> Estimate:
    return Estimate(value, value - 2 * se, value + 2 * se, se, deals, 2 * deals)


def apart(values: list[float], se: float, deals: int = DEALS) -> Callable[[int, int], Estimate]:
    """Differences of numbers that all have the same error."""
    return lambda i, j: estimate(values[i] - values[j], se, deals)


def test_one_alone_is_best_when_its_intervals_over_all_others_lie_above_zero() -> None:
    values = [0.50, 0.60, 0.52]
    best = best_of(values, apart(values, 0.01))
    assert best is not None
    assert (best.leader, best.among) == (1, (1,))
    assert {i: round(lead.value, 12) for i, lead in best.leads.items()} == {0: 0.1, 2: 0.08}


@pytest.mark.parametrize(("gap", "among"), [(2.23, (0, 1)), (2.25, (0,))])
def test_the_level_is_shared_by_the_others(gap: float, among: tuple[int, ...]) -> None:
    assert norm.ppf(1 - 0.05 / 2 / 2) == pytest.approx(2.2414, abs=1e-4)  # two others: 97.5 % each
    values = [0.5 + 0.01 * gap, 0.5, 0.1]
    best = best_of(values, apart(values, 0.01))
    assert best is not None
    assert best.among == among


def test_equal_numbers_may_all_be_best_and_cannot_differ() -> None:
    values = [0.4, 0.4]
    best = best_of(values, apart(values, 0.0))
    assert best is not None
    assert (best.among, best.widest) == ((0, 1), 0)


def test_one_that_only_a_third_beats_is_left_out() -> None:
    values, errors = [0.53, 0.52, 0.50], {frozenset((1, 2)): 0.001}
    best = best_of(values, lambda i, j: estimate(values[i] - values[j], errors.get(frozenset((i, j)), 0.05)))
    assert best is not None
    assert best.among == (0, 1)
    assert best.widest == pytest.approx(0.01 + 0.05 * t.ppf(1 - 0.025 / 2, DEALS - 1))


def test_what_was_not_seen_is_never_among_the_best() -> None:
    values = [math.nan, 0.5, 0.6]
    best = best_of(values, apart(values, 0.001))
    assert best is not None
    assert (best.leader, best.among, set(best.leads)) == (2, (2,), {1})
    assert best_of([math.nan, math.nan], apart(values, 0.001)) is None


def test_few_deals_leave_nothing_out() -> None:
    values = [0.1, 0.9]
    best = best_of(values, apart(values, 0.001, deals=29))
    assert best is not None
    assert best.among == (0, 1)
    assert best.widest == math.inf


def test_an_interval_of_95_percent_is_students() -> None:
    made = at_level(estimate(0.2, 0.01, deals=31), 0.95)
    assert made.high - 0.2 == pytest.approx(0.01 * t.ppf(0.975, 30))


def test_the_true_best_is_left_out_in_at_most_one_of_twenty() -> None:
    """Five numbers, the best of them by so little that the others often come out higher; errors are correlated."""
    rng, missed, runs = np.random.default_rng(7), 0, 2_000
    truth, se = np.array([0.5, 0.5, 0.5, 0.5, 0.5001]), 0.01
    for _ in range(runs):
        seen = truth + se * rng.standard_normal(5) + 0.05 * rng.standard_normal()
        best = best_of(list(seen), apart(list(seen), se * math.sqrt(2)))
        assert best is not None
        missed += 4 not in best.among
    assert 0 < missed / runs <= 0.05
