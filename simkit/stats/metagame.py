"""The meta-game between strategies: who should be played, when everybody may choose.

A is the payoff matrix: A[i, j] is what strategy i wins against j above an even share, antisymmetric (A = −Aᵀ). What
follows from it holds for the strategies in it, and for no others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def antisymmetric(payoffs: Floats) -> Floats:
    """The antisymmetric part of (…, n, n) payoffs, ½ (A − Aᵀ)."""
    return (payoffs - np.swapaxes(payoffs, -1, -2)) / 2


def nash(payoffs: Floats) -> Floats:
    """A Nash mixture of the zero-sum game: no strategy wins against it on average; by linear programming.

    Args:
        payoffs: (n, n), antisymmetric.

    Returns:
        The mixture, (n,), adding up to 1.
    """
    from scipy.optimize import linprog  # slow to import

    n = len(payoffs)
    # Largest v with payoffsᵀ p ≥ v and p a mixture; unknowns p_1 … p_n, v.
    bounds = [(0, None)] * n + [(None, None)]
    found = linprog(
        [0.0] * n + [-1.0],
        A_ub=np.column_stack([-payoffs.T, np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=[[1.0] * n + [0.0]],
        b_eq=[1.0],
        bounds=bounds,
        method="highs",
    )
    assert found.x is not None  # a mixture always exists
    mixture: Floats = np.clip(found.x[:n], 0, None)
    mixture /= mixture.sum()
    return mixture


def exploitability(payoffs: Floats, mixture: Floats) -> float:
    """What the best answer wins against a mixture, max (A p)."""
    return float(np.max(payoffs @ mixture))


def ratings(payoffs: Floats) -> Floats:
    """The mean of each row: what a strategy wins against one drawn evenly from the pool."""
    means: Floats = payoffs.mean(axis=1)
    return means


def cyclic_share(payoffs: Floats) -> float:
    """Which part of the payoffs is a cycle rather than better and worse, ‖A − (r_i − r_j)‖² / ‖A‖²; NaN for zeros.

    Balduzzi et al. 2019, "Open-ended learning in symmetric zero-sum games": the Hodge decomposition, r the ratings.
    """
    r = ratings(payoffs)
    whole = float(np.sum(payoffs**2))
    return float(np.sum((payoffs - (r[:, None] - r[None, :])) ** 2)) / whole if whole else float("nan")


def alpha_rank(payoffs: Floats, population: int = 50, alpha: float = 0.1, local: bool = False) -> Floats:
    """How often a population plays each strategy when better ones spread in it (Omidshafiei et al. 2019, "α-Rank").

    Args:
        payoffs: (n, n), antisymmetric.
        population: how many individuals.
        alpha: how strongly payoffs decide.
        local: imitation of one opponent rather than selection in the whole population.

    Returns:
        The stationary distribution, (n,).
    """
    n = len(payoffs)
    strength = 2 * alpha if local else alpha * population / (population - 1)
    spread = np.zeros((n, n))
    for old in range(n):
        for new in range(n):
            if new != old:
                spread[old, new] = _fixation(strength * payoffs[new, old], population) / (n - 1)
        spread[old, old] = 1 - spread[old].sum()
    # The distribution p with p spread = p and Σ p = 1.
    system = np.vstack([spread.T - np.eye(n), np.ones(n)])
    found: Floats = np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0]
    return found


def _fixation(advantage: float, population: int) -> float:
    """The chance that a single newcomer with an advantage takes over the population."""
    if abs(advantage) < 1e-12:
        return 1 / population
    return float(np.expm1(-advantage) / np.expm1(-population * advantage))


def cycles(beats: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """The circles of three, (i, j, k) with i beating j, j beating k and k beating i, each once, the smallest first.

    Args:
        beats: (n, n), whether the row beats the column.
    """
    n = len(beats)
    return [
        (i, j, k)
        for i in range(n)
        for j in range(i + 1, n)
        for k in range(i + 1, n)
        if j != k and beats[i, j] and beats[j, k] and beats[k, i]
    ]
