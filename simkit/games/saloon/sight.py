"""What strategies read off a view of Saloon: suits in the hand, clients, other players, and what the piles tell.

All functions are compiled and take a VIEW record. Hands are spoken of by *places* (see `cards`): an int64 with a bit a
place, which is what moves are made of. Ranks never matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import lowest, ones, spread
from simkit.games.saloon import counts as c
from simkit.games.saloon.cards import (
    ALL_CLIENTS,
    ALL_NUMBERS,
    NO_CLIENT,
    clients_of,
    less,
    of_suit,
    suit_of,
)
from simkit.games.saloon.moves import hand_size, my_clients
from simkit.games.saloon.rules import MAX_PLAYERS
from simkit.jit import inlined, kernel

RECENT = 8  # verdicts that `recent_…` tell of

_U = np.uint64
_ONE, _NONE, _PACK = _U(1), _U(0), _U(16)


# --- my hand and my clients -------------------------------------------------------------------------------------------


@inlined
def all_places(view: Any) -> int:
    """All places of my hand."""
    return (1 << hand_size(view)) - 1


@inlined
def places_of_suit(view: Any, suit: int) -> int:
    """The places of my cards of a suit."""
    return _places_in(view.hand, suit) | _places_in(view.hand_2, suit) << ones(view.hand)


@inlined
def _places_in(hand: np.uint64, suit: int) -> int:
    """The places of the cards of a suit in one word of a hand: they lie side by side."""
    mine = of_suit(suit)
    below = (mine & (~mine + _ONE)) - _ONE
    return ((1 << ones(hand & mine)) - 1) << ones(hand & below)


@inlined
def count_of_suit(view: Any, suit: int) -> int:
    """How many cards of a suit I hold."""
    mine = of_suit(suit)
    return ones(view.hand & mine) + ones(view.hand_2 & mine)


@inlined
def first_places(places: int, count: int) -> int:
    """The lowest so many of some places; all if there are no more."""
    return np.int64(spread(_U((1 << count) - 1), _U(places)))


@inlined
def count_places(places: int) -> int:
    """How many places a set has."""
    return ones(_U(places))


@inlined
def lowest_place(places: int) -> int:
    """The lowest place of a set that is not empty."""
    return lowest(_U(places))


@inlined
def best_suit(view: Any) -> int:
    """Of my clients' suits the one of which I hold most cards; ties go by s h d c. −1 without clients."""
    clients, best, most = my_clients(view), -1, 0
    for suit in range(4):
        has = np.int64((clients & clients_of(suit)) != _NONE)
        held = (1 + count_of_suit(view, suit)) * has  # no branch: which suits have clients is hard to foretell
        best, most = (suit, held) if held > most else (best, most)
    return best


@inlined
def first_client(clients: np.uint64) -> int:
    """The first client of a set that is not empty: by pack, suit and A J Q K."""
    return lowest(clients)


# --- the table --------------------------------------------------------------------------------------------------------


@inlined
def clients_at(view: Any, seat: int) -> np.uint64:
    """The clients on the table before a seat."""
    return _U(view.clients[_U(seat)])


@kernel
def freed(view: Any, rules: Any) -> np.uint64:
    """The clients out of play: those freed, and those that were never dealt."""
    left = ALL_CLIENTS | (ALL_CLIENTS << _PACK) if rules.packs > 1 else ALL_CLIENTS
    for seat in range(MAX_PLAYERS):
        left &= ~_U(view.clients[seat])
    return left


@inlined
def is_open(view: Any, rules: Any, seat: int) -> bool:
    """Whether a seat takes part and its saloon has not closed."""
    return 0 <= seat < rules.players and view.places[_U(seat)] == 0


@inlined
def next_judge(view: Any) -> int:
    """The first seat after mine, in the order of turns, that I may choose as judge."""
    judges = _U(view.judges)
    later = judges & ~((_ONE << _U(view.seat)) - _ONE)
    return lowest(later if later else judges)


@inlined
def last_judge(view: Any, seat: int) -> int:
    """The judge that a seat chose at its last payment, −1 before its first."""
    return lowest(_U(view.last[_U(seat)])) if view.last[_U(seat)] else -1


# --- the payment that I judge -----------------------------------------------------------------------------------------


@inlined
def client_suit(view: Any) -> int:
    """The suit of the client that is being paid for, −1 when I am not judging."""
    return suit_of(np.int64(view.client)) if view.client != NO_CLIENT else -1


@kernel
def unseen_of_suit(view: Any, rules: Any, suit: int) -> int:
    """How many cards of a suit I have not in sight: they are in other hands, in the payment, or in the draw pile."""
    packs = 2 if rules.packs > 1 else 1
    in_sight = count_of_suit(view, suit) + discarded_of_suit(view, suit)
    return ones(of_suit(suit)) * packs - in_sight


@inlined
def discarded_of_suit(view: Any, suit: int) -> int:
    """How many cards of a suit are in the discard pile."""
    mine = of_suit(suit)
    return ones(view.discard & mine) + ones(view.discard_2 & mine)


@inlined
def discard_size(view: Any) -> int:
    """How many cards are in the discard pile."""
    return ones(view.discard) + ones(view.discard_2)


@kernel
def held_of_suit(view: Any, rules: Any, suit: int) -> int:
    """How many cards of a suit are surely in other hands or in the payment, since they cannot be in the draw pile.

    What was not in the discard pile when it was shuffled last was in hands then; what is in my hand or has been
    discarded since may have been among it.
    """
    twice = ALL_NUMBERS if rules.packs > 1 else _NONE
    held, held_2 = less(ALL_NUMBERS, twice, view.mixed, view.mixed_2)
    held, held_2 = less(held, held_2, view.hand, view.hand_2)
    held, held_2 = less(held, held_2, view.discard, view.discard_2)
    return ones(held & of_suit(suit)) + ones(held_2 & of_suit(suit))


@inlined
def known_of_suit(view: Any, seat: int, suit: int) -> int:
    """How many cards of a suit all know in a hand, or just laid face down from it: returned bluffs (SAL-3.6)."""
    return ones(view.known[_U(seat)] & of_suit(suit)) + ones(view.known_2[_U(seat)] & of_suit(suit))


# --- what players have done -------------------------------------------------------------------------------------------


@inlined
def payments_by(view: Any, seat: int) -> int:
    """How many payments a seat has made."""
    return honest_by(view, seat) + bluffs_by(view, seat)


@inlined
def honest_by(view: Any, seat: int) -> int:
    """How many honest payments a seat has made, as all have seen."""
    return np.int64(view.paid[_U(seat), c.BELIEVED_HONEST]) + np.int64(view.paid[_U(seat), c.DOUBTED_HONEST])


@inlined
def bluffs_by(view: Any, seat: int) -> int:
    """How many bluffs a seat has paid with, as all have seen."""
    return np.int64(view.paid[_U(seat), c.BELIEVED_BLUFF]) + np.int64(view.paid[_U(seat), c.DOUBTED_BLUFF])


@inlined
def verdicts_by(view: Any, seat: int) -> int:
    """How many payments a seat has judged."""
    return doubts_by(view, seat) + beliefs_by(view, seat)


@inlined
def doubts_by(view: Any, seat: int) -> int:
    """How many payments a seat has doubted."""
    return np.int64(view.judged[_U(seat), c.DOUBTED_HONEST]) + np.int64(view.judged[_U(seat), c.DOUBTED_BLUFF])


@inlined
def beliefs_by(view: Any, seat: int) -> int:
    """How many payments a seat has believed."""
    return np.int64(view.judged[_U(seat), c.BELIEVED_HONEST]) + np.int64(view.judged[_U(seat), c.BELIEVED_BLUFF])


@inlined
def recent_count(view: Any) -> int:
    """How many of the latest verdicts the view tells of, up to RECENT."""
    return min(np.int64(view.payments), RECENT)


@inlined
def recent_payer(view: Any, back: int) -> int:
    """Who paid, so many verdicts back (0 the latest)."""
    return np.int64(view.recent[_U(back)]) & 7


@inlined
def recent_judge(view: Any, back: int) -> int:
    """Who judged, so many verdicts back."""
    return np.int64(view.recent[_U(back)]) >> 3 & 7


@inlined
def recent_verdict(view: Any, back: int) -> int:
    """How it ended, so many verdicts back: BELIEVED_HONEST, BELIEVED_BLUFF, DOUBTED_HONEST or DOUBTED_BLUFF."""
    return np.int64(view.recent[_U(back)]) >> 6
