"""What a seat of Saloon holds and pays with, by kind: for questions about the strength of cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.saloon.cards import at_places, clients_of, of_suit, suit_of
from simkit.games.saloon.counts import BILL, FOUR_SUITS, OFF_SUIT, PAIR, TRIPLET_CLIENTS
from simkit.games.saloon.moves import TURN, client_of, is_pay, places_of
from simkit.jit import kernel

SUIT_COUNT = 4

_U = np.uint64
_NONE = _U(0)


@kernel
def holding(state: Any, rules: Any, seat: int, kind: int) -> Any:
    """How many cards, suits or, of all four suits, sets of the kind the seat has; 0 once it has closed."""
    clients = _U(state.clients[seat])
    bill = rules.last_bill if ones(clients) == 1 else rules.bill
    found = 0
    for suit in range(SUIT_COUNT):
        own = of_suit(suit)
        cards = ones(state.hand[seat] & own) + ones(state.hand_2[seat] & own)
        found += _in_suit(kind, ones(clients & clients_of(suit)), cards, bill)
    if kind == FOUR_SUITS:
        return found // SUIT_COUNT
    return found if clients != _NONE else 0


@kernel
def _in_suit(kind: int, clients: int, cards: int, bill: int) -> Any:
    """What a suit adds to the kind, with so many clients and cards of it; for FOUR_SUITS 1 if it has a client."""
    if kind == OFF_SUIT:
        return 0 if clients else cards
    if kind in (PAIR, BILL):
        return 1 if clients > 0 and cards >= (2 if kind == PAIR else bill) else 0
    return 1 if clients >= (3 if kind == TRIPLET_CLIENTS else 1) else 0


@kernel
def using(view: Any, rules: Any, move: int, kind: int) -> Any:
    """What of the kind a payment is made with; clients are not played."""
    if kind >= TRIPLET_CLIENTS or view.asked != TURN or not is_pay(move):
        return 0
    cards, twice = at_places(view.hand, view.hand_2, places_of(move))
    if kind == OFF_SUIT:
        found = 0
        for suit in range(SUIT_COUNT):
            if _U(view.clients[view.seat]) & clients_of(suit) == _NONE:
                found += ones(cards & of_suit(suit)) + ones(twice & of_suit(suit))
        return found
    own = of_suit(suit_of(client_of(move)))
    right = ones(cards & own) + ones(twice & own)
    return 1 if right >= (2 if kind == PAIR else view.count) else 0
