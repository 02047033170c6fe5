"""What a seat of Hakka cards holds and plays, by kind of card: for questions about the strength of cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.hakka.cards import ELDERS_AT_START, LANES, cards_of, run_tops, sets_of
from simkit.games.hakka.counts import CARD_KINDS, ELDERS_3, RUN_IN_HAND, SET_IN_HAND
from simkit.games.hakka.moves import cards_of_move, is_discard
from simkit.games.hakka.words import DREAMER, FOLLOW, LEAD, byte_of
from simkit.jit import kernel

_U = np.uint64
_NONE = _U(0)


def _cards_called(name: str) -> int:
    """The cards of a kind: one by its name, or all of a number, of the 1s those that are no Elders."""
    if name == "1":
        return cards_of(["G1", "Z1"])
    return int(LANES) << 9 - int(name) if name.isdigit() else cards_of([name])


_CARDS = np.array([_cards_called(name) for name, _ in CARD_KINDS], np.uint64)


@kernel
def holding(state: Any, rules: Any, seat: int, kind: int) -> Any:
    """How many cards of the kind the seat holds, 0 or 1 for a feature; −1 for the Dreamer.

    Elders are those of the start of a hand.
    """
    if byte_of(state.roles, DREAMER) == seat:
        return -1
    hand = state.hand[seat]
    if kind == ELDERS_3:
        return 1 if ones(hand & ELDERS_AT_START) >= 3 else 0
    if kind == RUN_IN_HAND:
        return 1 if run_tops(hand, 3) != _NONE else 0
    if kind == SET_IN_HAND:
        return 1 if sets_of(hand, 3) != _NONE else 0
    return ones(hand & _CARDS[kind])


@kernel
def using(view: Any, rules: Any, move: int, kind: int) -> Any:
    """How many cards of the kind a move leads or beats with; a hand as a whole is not played."""
    if kind >= ELDERS_3 or (view.decision != LEAD and view.decision != FOLLOW) or is_discard(move):
        return 0
    return ones(cards_of_move(move) & _CARDS[kind])
