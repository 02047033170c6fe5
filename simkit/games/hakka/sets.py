"""Counts of subsets, and the n-th of them without listing: hands to discard, cards of a set to play."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from simkit.bits import ones, spread
from simkit.games.hakka.cards import HAND_SIZE
from simkit.jit import inlined

_U = np.uint64
_ONE, _NONE = _U(1), _U(0)
_SMALLEST, _MOST = 3, 5  # cards of a set

# CHOOSE[k, n]: the subsets of k of n places.
CHOOSE = np.array([[comb(n, k) for n in range(HAND_SIZE + 1)] for k in range(HAND_SIZE + 1)], np.int64)
# The subsets of k places, as words; those of n places come before those with the next place in them.
_BY_SIZE = [
    sorted(sum(1 << place for place in chosen) for chosen in combinations(range(HAND_SIZE), k))
    for k in range(HAND_SIZE + 1)
]
_SUBSETS = np.array([subset for subsets in _BY_SIZE for subset in subsets], np.uint64)
_FIRST = np.cumsum([0] + [len(subsets) for subsets in _BY_SIZE])[:-1].astype(np.int64)
# The same for the sets that can be led: 3 or more of n places.
_LEADS = np.array(
    sorted(subset for subsets in _BY_SIZE[_SMALLEST : _MOST + 1] for subset in subsets if subset < 1 << _MOST),
    np.uint64,
)
SET_LEADS = np.array([sum(comb(n, k) for k in range(_SMALLEST, _MOST + 1)) for n in range(HAND_SIZE + 1)], np.int64)
# RUNS[cards]: the runs among these cards of one suit.
RUNS = np.array(
    [
        sum(
            cards >> low & (1 << size) - 1 == (1 << size) - 1
            for size in range(_SMALLEST, 10)
            for low in range(10 - size)
        )
        for cards in range(1 << 9)
    ],
    np.int64,
)


@inlined
def nth_subset(cards: np.uint64, size: int, n: int) -> Any:
    """The n-th subset of so many cards, 0 ≤ n < CHOOSE[size, number of cards]."""
    return spread(_SUBSETS[_U(_FIRST[_U(size)] + n)], cards)


@inlined
def nth_set_lead(cards: np.uint64, n: int) -> Any:
    """The n-th subset of 3 or more of the cards of one number, 0 ≤ n < SET_LEADS[number of cards]."""
    return spread(_LEADS[_U(n)], cards)


@inlined
def first_cards(cards: np.uint64, count: int) -> Any:
    """The best so many of some cards."""
    return spread((_ONE << _U(count)) - _ONE, cards)


@inlined
def last_cards(cards: np.uint64, count: int) -> Any:
    """The last so many of some cards."""
    return cards ^ first_cards(cards, ones(cards) - count)
