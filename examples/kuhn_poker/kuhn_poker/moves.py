"""What a seat may do, read off its view: a move is PASS (check, or fold) or BET (bet, or call)."""

from __future__ import annotations

from typing import Any

from simkit.jit import kernel
from simkit.rng import below

PASS, BET = 0, 1


@kernel
def count_moves(view: Any, rules: Any) -> int:
    """The number of distinct legal moves."""
    return 1 + view.may_bet


@kernel
def nth_move(view: Any, rules: Any, n: int) -> int:
    """The n-th of them, n from 0."""
    return n  # PASS is always legal, and comes first


@kernel
def random_move(view: Any, rules: Any, rng: Any) -> int:
    """One of the distinct legal moves, each as likely."""
    return nth_move(view, rules, below(rng, count_moves(view, rules)))
