"""Ratings: one number a strategy, from who won against whom; in Elo, where 400 points are odds of ten to one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ELO = 400 / math.log(10)  # Elo points for a factor e in the odds
DRAWN = 1.0  # games that count as drawn in each line-up beside those played: who won every game has a rating too
_MOST_STEPS, _ENOUGH = 10_000, 1e-10


def bradley_terry(wins: Floats, drawn: float = DRAWN) -> Floats:
    """Maximum-likelihood ratings from games of two (Bradley and Terry 1952), in Elo, the weakest at 0.

    Args:
        wins: (n, n), games that the row won against the column; a draw is half a game for each.
        drawn: games of each pair that count as drawn beside those.
    """
    import choix  # slow to import

    met = (wins + wins.T > 0) * (drawn / 2)
    np.fill_diagonal(met, 0)
    return _elo(choix.ilsr_pairwise_dense(wins + met))


def plackett_luce(seats: Floats, wins: Floats, drawn: float = DRAWN) -> Floats:
    """The same for tables of more than two, of whom one wins: each with a chance in proportion to its strength.

    Luce 1959; fitted by the MM algorithm of Hunter 2004 ("MM algorithms for generalized Bradley-Terry models"). choix
    has it too, but not for games that are counted rather than listed.

    Args:
        seats: (line-ups, n), how many seats each strategy has.
        wins: (line-ups, n), games that each won.
        drawn: games of each line-up that count as shared by all seats beside those.
    """
    whole = wins + drawn * seats / seats.sum(axis=1, keepdims=True)
    games, won = whole.sum(axis=1), whole.sum(axis=0)
    strengths = np.ones(seats.shape[1])
    for _ in range(_MOST_STEPS):
        before = strengths
        strengths = won / (seats * (games / (seats @ strengths))[:, None]).sum(axis=0)
        strengths /= np.exp(np.mean(np.log(strengths)))
        if np.max(np.abs(np.log(strengths / before))) < _ENOUGH:
            break
    return _elo(np.log(strengths))


def _elo(log_strengths: Floats) -> Floats:
    """Logarithms of strengths as Elo points above the weakest."""
    ratings: Floats = ELO * (log_strengths - log_strengths.min())
    return ratings


def ranks(ratings: Floats) -> NDArray[np.int64]:
    """Place of each, 1 for the highest rating; along the last axis."""
    order = np.argsort(-ratings, axis=-1, kind="stable")
    places: NDArray[np.int64] = np.argsort(order, axis=-1, kind="stable") + 1
    return places
