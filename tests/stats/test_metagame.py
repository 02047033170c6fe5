"""The meta-game between strategies: right answers from published definitions, worked out for small matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from simkit.stats.metagame import alpha_rank, antisymmetric, cycles, cyclic_share, exploitability, nash, ratings

# Worked out by hand from the definitions (Balduzzi et al. 2019; Omidshafiei et al. 2019).
UNEVEN = np.array([[0, -0.5, 1], [0.5, 0, -0.1], [-1, 0.1, 0]])
LADDER = 0.2 * np.array([[j - i for j in range(3)] for i in range(3)])
CIRCLE = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) * 0.3

payoffs = arrays(np.float64, st.integers(2, 6).map(lambda n: (n, n)), elements=st.floats(-0.5, 0.5, width=32)).map(
    antisymmetric
)


def test_the_mixture_of_an_uneven_circle() -> None:
    assert nash(UNEVEN) == pytest.approx([0.0625, 0.625, 0.3125], abs=1e-9)
    assert exploitability(UNEVEN, nash(UNEVEN)) == pytest.approx(0, abs=1e-9)
    assert exploitability(UNEVEN, np.full(3, 1 / 3)) == pytest.approx(1 / 6)


def test_ratings_and_cycles_of_an_uneven_circle() -> None:
    assert ratings(UNEVEN) == pytest.approx([0.166667, 0.133333, -0.3], abs=1e-6)
    assert cyclic_share(UNEVEN) == pytest.approx(0.677249, abs=1e-6)


def test_alpha_rank_of_an_uneven_circle() -> None:
    assert alpha_rank(UNEVEN, 50, 0.1) == pytest.approx([0.284427, 0.582887, 0.132686], abs=1e-6)
    assert alpha_rank(UNEVEN, 50, 0.1, local=True) == pytest.approx([0.212956, 0.677147, 0.109897], abs=1e-6)


def test_a_ladder_has_no_cycle_and_a_best_strategy() -> None:
    assert cyclic_share(LADDER) == pytest.approx(0, abs=1e-12)
    assert nash(LADDER) == pytest.approx([1, 0, 0])
    assert alpha_rank(LADDER, 50, 0.1) == pytest.approx([0.665241, 0.244728, 0.090031], abs=1e-6)


def test_stone_paper_scissors_is_all_circle() -> None:
    assert nash(CIRCLE) == pytest.approx([1 / 3] * 3)
    assert cyclic_share(CIRCLE) == pytest.approx(1)
    assert alpha_rank(CIRCLE) == pytest.approx([1 / 3] * 3)
    assert cycles(CIRCLE > 0) == [(0, 2, 1)]


def test_equal_strategies_have_no_share_of_circles() -> None:
    zeros = np.zeros((3, 3))
    assert np.isnan(cyclic_share(zeros))
    assert alpha_rank(zeros) == pytest.approx([1 / 3] * 3)
    assert cycles(zeros > 0) == []


@given(payoffs)
@settings(max_examples=60, deadline=None)
def test_nobody_wins_against_the_mixture_whatever_the_payoffs(matrix: np.ndarray) -> None:
    mixture = nash(matrix)
    assert mixture.sum() == pytest.approx(1)
    assert (mixture >= 0).all()
    assert exploitability(matrix, mixture) < 1e-6


@given(payoffs)
@settings(max_examples=60, deadline=None)
def test_every_circle_is_one_and_is_told_once(matrix: np.ndarray) -> None:
    found = cycles(matrix > 0)
    assert all(matrix[i, j] > 0 and matrix[j, k] > 0 and matrix[k, i] > 0 for i, j, k in found)
    assert len({frozenset(circle) for circle in found}) == len(found)
    n = len(matrix)
    trace = int(np.trace(np.linalg.matrix_power((matrix > 0).astype(int), 3)))
    assert trace == 3 * len(found), n


def test_regret_matching_finds_the_same_value() -> None:
    """Regret matching (Hart and Mas-Colell 2000): its average play is an equilibrium in the limit."""
    regrets, total = np.array([1.0, 0, 0]), np.zeros(3)
    for _ in range(200_000):
        positive = np.maximum(regrets, 0)
        play = positive / positive.sum() if positive.sum() > 0 else np.full(3, 1 / 3)
        total += play
        won = UNEVEN @ play
        regrets += won - play @ won
    assert exploitability(UNEVEN, total / total.sum()) < 0.001
