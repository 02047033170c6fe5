"""What a seat may do, read off its view: a move's code and the legal moves.

A move is one int64. In a turn: DRAW, 1 + the place of the card for a swap, or a payment: PAY with the places of its
cards in the low 54 bits, then the client and the judge. A judge says BELIEVE or DOUBT. To discard is to name a set of
places. All functions are compiled and take a VIEW record; helpers for strategies are in `sight`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import nth_bit, ones
from simkit.games.saloon.cards import CHOOSE, nth_subset
from simkit.games.saloon.rules import PLACES
from simkit.jit import inlined, kernel
from simkit.rng import below, next_word

TURN, JUDGE, WRONG_DOUBT, HAND_LIMIT = range(4)
DRAW, PAY = 0, 1 << 62
BELIEVE, DOUBT = range(2)
CLIENT_AT, JUDGE_AT = PLACES, PLACES + 5
PLACE_BITS = (1 << PLACES) - 1

_U = np.uint64
_ONE, _HALF = _U(1), _U(32)
_RANGE, _SMALL_DIVISOR = 1 << 32, 512
# n × (2^32 / d + 1) / 2^32 is n / d rounded down as long as n × d is below 2^32.
_INVERSE = np.array([0, *(_RANGE // d + 1 for d in range(1, _SMALL_DIVISOR))], np.uint64)


@inlined
def swap(place: int) -> int:
    """The move that discards the card at this place of the hand and draws two."""
    return 1 + place


@inlined
def pay(places: int, client: int, judge: int) -> int:
    """The move that lays the cards at these places face down for a client and asks a judge."""
    return PAY | judge << JUDGE_AT | client << CLIENT_AT | places


@inlined
def is_pay(move: int) -> bool:
    """Whether the move of a turn is a payment."""
    return move >= PAY


@inlined
def places_of(move: int) -> int:
    """The places of a payment's cards."""
    return move & PLACE_BITS


@inlined
def client_of(move: int) -> int:
    """The client of a payment."""
    return move >> CLIENT_AT & 31


@inlined
def judge_of(move: int) -> int:
    """The judge of a payment."""
    return move >> JUDGE_AT & 7


@inlined
def hand_size(view: Any) -> int:
    """How many cards I hold."""
    return ones(view.hand) + ones(view.hand_2)


@inlined
def sets_of(count: int, places: int) -> int:
    """How many sets of so many cards a hand of so many places has."""
    return CHOOSE[_U(count), _U(places)] if count <= places else 0


@inlined
def my_clients(view: Any) -> np.uint64:
    """My clients on the table."""
    return _U(view.clients[_U(view.seat)])


@inlined
def count_moves(view: Any, rules: Any) -> int:
    """The number of distinct legal moves; at most about 2 × 10^17."""
    if view.asked == JUDGE:
        return 2
    places = hand_size(view)
    sets = sets_of(np.int64(view.count), places)
    if view.asked == TURN:
        return 1 + places + sets * ones(my_clients(view)) * ones(_U(view.judges))
    return sets


@inlined
def _over(n: int, divisor: int) -> int:
    """N // divisor; where both are small by a multiplication, for the processor divides slowly."""
    if divisor < _SMALL_DIVISOR and n < _RANGE // _SMALL_DIVISOR:
        return np.int64((_U(n) * _INVERSE[_U(divisor)]) >> _HALF)
    return n // divisor


@inlined
def nth_move(view: Any, rules: Any, n: int) -> int:
    """The n-th legal move, 0 ≤ n < count_moves: draw, swaps, payments; sets of places in the order of their codes."""
    if view.asked == JUDGE:
        return n
    places, count = hand_size(view), np.int64(view.count)
    if view.asked != TURN:
        return nth_subset(count, places, n)
    if n <= places:
        return n
    n -= 1 + places
    clients, sets = my_clients(view), sets_of(count, places)
    pair = _over(n, sets)
    judge = _over(pair, ones(clients))
    client = nth_bit(clients, pair - judge * ones(clients))
    return pay(nth_subset(count, places, n - pair * sets), client, nth_bit(_U(view.judges), judge))


@kernel
def _below_large(rng: Any, n: int) -> int:
    """A uniform integer of 0 … n − 1 for n of 2^32 and more."""
    mask = n - 1
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    while True:
        drawn = np.int64(next_word(rng) << _HALF | next_word(rng)) & mask
        if drawn < n:
            return drawn


@inlined
def random_move(view: Any, rules: Any, rng: Any) -> int:
    """One of the distinct legal moves, each as likely."""
    n = count_moves(view, rules)
    return nth_move(view, rules, below(rng, n) if n < _RANGE else _below_large(rng, n))
