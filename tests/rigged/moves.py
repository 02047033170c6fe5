"""A move is a throw, and 4 for an ace and 8 for a king that is played with it."""

from __future__ import annotations

from typing import Any

from simkit.jit import kernel

THROWS = 4


@kernel
def count_moves(view: Any, rules: Any) -> int:
    """The number of distinct legal moves."""
    return THROWS * (1 + (view.playable & 1)) * (1 + (view.playable >> 1 & 1))


@kernel
def nth_move(view: Any, rules: Any, n: int) -> int:
    """The n-th of them, n from 0."""
    cards = n // THROWS
    if view.playable == 2:  # the king alone
        cards *= 2
    return n % THROWS + THROWS * cards
