"""What a seat of Sixty-Six holds and plays, by rank, trumps apart: for questions about the strength of cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.sixty_six.cards import JACK, bit
from simkit.games.sixty_six.counts import PLAIN_NINE, TRUMPS_3
from simkit.games.sixty_six.moves import card_of
from simkit.jit import kernel

_U = np.uint64
_SUITS, _STEP = _U(0xF), _U(4)


@kernel
def _among(cards: np.uint64, trumps: np.uint64, kind: int) -> Any:
    """How many of some cards are of the kind."""
    if kind < PLAIN_NINE:
        return ones(cards & trumps & (_SUITS << (_STEP * _U(kind + JACK))))
    return ones(cards & ~trumps & (_SUITS << (_STEP * _U(kind - PLAIN_NINE))))


@kernel
def holding(state: Any, rules: Any, seat: int, kind: int) -> Any:
    """How many cards of the kind the seat holds; 1 for a hand with three trumps or more."""
    hand = state.hand[seat]
    if kind == TRUMPS_3:
        return 1 if ones(hand & state.trumps) >= 3 else 0
    return _among(hand, state.trumps, kind)


@kernel
def using(view: Any, rules: Any, move: int, kind: int) -> Any:
    """How many cards of the kind a lead or a reply plays; a hand as a whole is not played."""
    return 0 if kind == TRUMPS_3 else _among(bit(card_of(move)), view.trumps, kind)
