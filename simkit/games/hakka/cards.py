"""The cards of Hakka and what the rules say of them alone: Elders, runs and sets, what beats a pattern.

A card is a bit of a uint64: 16 × suit + 9 − number, suits S G Z N (Sup, Gon, Zok, Sin) from high to low; the Wan Sin is
bit 60. The lower the bit, the better the card; 16 bits a suit keep a shifted suit out of the next one. A number is the
bit 9 − number, the place of the number in each suit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from simkit.bits import lowest, ones
from simkit.jit import inlined

SUITS, NUMBERS = "SGZN", 9
CARDS, HAND_SIZE, ENOUGH = 37, 12, 6
WAN_PLACE = 60
SINGLE, RUN, SET = range(3)
PATTERNS = ("single", "run", "set")
TIGERS_TRICKS, DREAMER_TRICKS = 8, 5

_U = np.uint64
_ONE, _NONE, _TWO = _U(1), _U(0), _U(2)
LANES = _U(sum(1 << 16 * suit for suit in range(4)))
_SUIT, _LANE, _PLACE = _U(0x1FF), _U(48), _U(15)
WAN = _ONE << _U(WAN_PLACE)
PACK = LANES * _SUIT | WAN
ONES = _U(0x100)  # the number 1, and the 1 of Sup
TIGERS = LANES * ONES | WAN
FIXED = ONES | ONES << _LANE | WAN  # the Elders that are not the highest of a suit (HK-5.1)
ELDERS_AT_START = LANES | FIXED
_TOP = LANES << _PLACE
_16, _32 = _U(16), _U(32)


def bit_of(name: str) -> int:
    """The card of that name ("S9", "W"), a set of one."""
    return 1 << (WAN_PLACE if name == "W" else 16 * SUITS.index(name[0]) + 9 - int(name[1:]))


def cards_of(names: Iterable[str]) -> int:
    """The set of cards of these names."""
    return sum(map(bit_of, names))


NAMES = (*(f"{suit}{number}" for suit in SUITS for number in range(1, NUMBERS + 1)), "W")
_BITS = tuple(map(bit_of, NAMES))


def names_of(cards: int) -> list[str]:
    """The names of a set of cards, by suit and number, the Wan Sin last."""
    return [name for name, bit in zip(NAMES, _BITS, strict=True) if cards & bit]


@inlined
def lowest_bit(cards: np.uint64) -> Any:
    """The best of some cards, by suit, then number: a set of one."""
    return cards & (_NONE - cards)


@inlined
def elders_of(left: np.uint64) -> Any:
    """The Elders among the cards that are not publicly gone (HK-5.1, HK-5.2)."""
    highest = left & ~((left | _TOP) - LANES)
    return highest | (left & FIXED)


@inlined
def suit_of(card: np.uint64) -> Any:
    """All cards of a card's suit; not for the Wan Sin."""
    return _SUIT << (_U(lowest(card)) & _LANE)


@inlined
def number_of(card: np.uint64) -> Any:
    """The number of a card; not for the Wan Sin."""
    return card >> (_U(lowest(card)) & _LANE)


@inlined
def single_leads(hand: np.uint64, elders: np.uint64, privileged: bool) -> np.uint64:
    """The cards of a hand that may be led as a single (HK-5.3)."""
    old = hand & elders
    others = hand ^ old
    if others == _NONE:
        return hand
    return (others & suit_of(others)) | (old if privileged else _NONE)


@inlined
def run_tops(hand: np.uint64, size: int) -> np.uint64:
    """The highest cards of all runs of `size` (3 or more) cards in a hand."""
    tops = hand & (hand >> _ONE) & (hand >> _TWO)
    for place in range(3, size):
        tops &= hand >> _U(place)
    return tops


@inlined
def three_of(hand: np.uint64) -> Any:
    """The numbers of which a hand has three suits or more."""
    both, either = hand & (hand >> _32), hand | (hand >> _32)
    return ((both & (either >> _16)) | ((both >> _16) & either)) & _SUIT


@inlined
def four_of(hand: np.uint64) -> Any:
    """The numbers of which a hand has all four suits."""
    both = hand & (hand >> _32)
    return both & (both >> _16) & _SUIT


@inlined
def of_number(number: np.uint64) -> Any:
    """All cards of a number, the Wan Sin among the 1s."""
    return (LANES * number) | (WAN & (_NONE - (number >> _U(8))))


@inlined
def run_from(top: np.uint64, size: int) -> Any:
    """The run of so many cards with this highest card."""
    return top * ((_ONE << _U(size)) - _ONE)


@inlined
def pattern_of(cards: np.uint64, size: int) -> int:
    """The pattern of so many cards that are a pattern."""
    if size == 1:
        return SINGLE
    return RUN if cards == run_from(lowest_bit(cards), size) else SET


@inlined
def above(card: np.uint64) -> np.uint64:
    """The cards that beat a single (HK-4.3)."""
    if card & FIXED:
        return _NONE
    return suit_of(card) & (card - _ONE)


@inlined
def _numbers_above(best: np.uint64, ones_set: int) -> Any:
    """The numbers whose sets beat a set (HK-4.3)."""
    number = number_of(lowest_bit(best))
    higher = (number - _ONE) & (_SUIT ^ ONES)
    if number == ONES:
        return _ONE
    if ones_set and number != _ONE:
        higher |= ONES
    return higher


@inlined
def sets_of(hand: np.uint64, size: int) -> np.uint64:
    """The numbers of which a hand has `size` (3 or more) cards or more, the Wan Sin being a 1."""
    several = three_of(hand) if size == 3 else four_of(hand) if size == 4 else _NONE
    several &= _SUIT ^ ONES
    return several | (ONES if ones(hand & TIGERS) >= size else _NONE)


@inlined
def beaters(hand: np.uint64, best: np.uint64, pattern: int, size: int, ones_set: int) -> np.uint64:
    """What a hand has to beat the best pattern on the table with (HK-4.3).

    Returns cards for a single, the highest cards of runs for a run, and numbers for a set.
    """
    if pattern == SINGLE:
        return hand & above(best)
    if pattern == RUN:
        return run_tops(hand, size) & (lowest_bit(best) - _ONE)
    return sets_of(hand, size) & _numbers_above(best, ones_set)
