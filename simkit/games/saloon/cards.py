"""The cards of Saloon and sets of them.

A number is suit × 9 + (number − 2), suits s h d c. With two packs each comes twice, and nobody can tell the two apart:
so a heap of numbers is two uint64 of 36 bits, the cards that are in it, and those that are in it twice. A client is
pack × 16 + suit × 4 + rank (A J Q K), a set of clients a uint64 of 16 bits a pack. A *place* is a card's position in a
hand: the cards that are there in the order of their codes, then the second ones; a set of places is an int64 with a
bit a place.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from simkit.bits import ones, spread
from simkit.games.saloon.rules import PACK_CLIENTS, PACK_NUMBERS, PLACES
from simkit.jit import inlined, kernel

SUITS, CLIENT_RANKS, SUIT_NUMBERS = "shdc", "AJQK", 9
NO_CLIENT = 255

_U = np.uint64
_ONE, _NONE = _U(1), _U(0)
ALL_NUMBERS = _U((1 << PACK_NUMBERS) - 1)
ALL_CLIENTS = _U((1 << PACK_CLIENTS) - 1)
_SUIT, _NINE, _TWO = _U((1 << SUIT_NUMBERS) - 1), _U(SUIT_NUMBERS), _U(2)
CLIENTS_OF_SUIT = _U(0xF000F)

# The sets of k of n places come in the order of their codes. Those of up to SMALL places are in a table: the i-th set
# of k places is SUBSETS[FIRST_SUBSET[k] + i], since those of n places come before those of n + 1.
SMALL = 12
CHOOSE = np.array([[comb(n, k) for n in range(PLACES + 1)] for k in range(PLACES + 1)], np.int64)
_BY_SIZE = sorted(range(1 << SMALL), key=lambda places: (places.bit_count(), places))
SUBSETS = np.array(_BY_SIZE, np.uint16)
FIRST_SUBSET = np.cumsum([0, *(comb(SMALL, k) for k in range(SMALL + 1))]).astype(np.int64)


def number_name(card: int) -> str:
    """The name of a number, as in transcripts ("10c")."""
    suit, rank = divmod(card, SUIT_NUMBERS)
    return f"{rank + 2}{SUITS[suit]}"


def client_name(client: int) -> str:
    """The name of a client, as in transcripts ("Ah")."""
    suit, rank = divmod(client % PACK_CLIENTS, len(CLIENT_RANKS))
    return CLIENT_RANKS[rank] + SUITS[suit]


def members(word: Any) -> list[int]:
    """The codes of a set, ascending."""
    return [code for code in range(int(word).bit_length()) if int(word) >> code & 1]


def names(cards: Any, twice: Any = 0) -> list[str]:
    """The names of a heap of numbers, by their places."""
    return [number_name(card) for card in [*members(cards), *members(twice)]]


@inlined
def suit_of(client: int) -> int:
    """The suit (0–3) of a client."""
    return client >> 2 & 3


@inlined
def of_suit(suit: int) -> np.uint64:
    """All numbers of a suit, as a set."""
    return _SUIT << (_NINE * _U(suit))


@inlined
def clients_of(suit: int) -> np.uint64:
    """All clients of a suit in both packs."""
    return CLIENTS_OF_SUIT << (_U(suit) << _TWO)


@kernel
def nth_large_subset(count: int, places: int, n: int) -> int:
    """`nth_subset` for any number of places."""
    found = 0
    while count > 0:
        places -= 1
        skipped = CHOOSE[_U(count), _U(places)]
        if n >= skipped:
            n -= skipped
            found |= 1 << places
            count -= 1
    return found


@inlined
def nth_subset(count: int, places: int, n: int) -> int:
    """The n-th set of so many of the places, 0 ≤ n < CHOOSE[count, places], in the order of the codes."""
    if places <= SMALL:
        return np.int64(SUBSETS[_U(FIRST_SUBSET[_U(count)] + n)])
    return nth_large_subset(count, places, n)


@inlined
def more(cards: np.uint64, twice: np.uint64, others: np.uint64, others_twice: np.uint64) -> Any:
    """Two heaps of numbers put together, as a heap."""
    return cards | others, twice | others_twice | (cards & others)


@inlined
def less(cards: np.uint64, twice: np.uint64, others: np.uint64, others_twice: np.uint64) -> Any:
    """A heap of numbers without those of another one, as a heap."""
    return (cards & ~others) | (twice & ~others_twice), twice & ~others


@inlined
def at_places(cards: np.uint64, twice: np.uint64, places: int) -> Any:
    """The cards at these places of a hand, as a heap."""
    first = spread(_U(places), cards)
    if twice == _NONE:
        return first, _NONE
    second = spread(_U(places >> ones(cards)), twice)
    return first | second, first & second
