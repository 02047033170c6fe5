"""Features of a hand of Lost Cities: for questions about the strength of cards."""

from __future__ import annotations

from typing import Any

from simkit.games.lost_cities.counts import WAGER_PAIR
from simkit.games.lost_cities.moves import cards_in, hand_in, investments_in
from simkit.jit import kernel


@kernel
def holding(state: Any, rules: Any, seat: int, kind: int) -> Any:
    """How many colours the seat has so many cards of."""
    found = 0
    for colour in range(rules.colors):
        slots = hand_in(state.seats[seat], colour)
        if kind == WAGER_PAIR:
            found += 1 if investments_in(slots) >= 2 else 0
        else:
            found += 1 if cards_in(slots) >= 4 else 0
    return found


@kernel
def using(view: Any, rules: Any, move: int, kind: int) -> Any:
    """A hand as a whole is not played."""
    return 0
