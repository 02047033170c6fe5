"""The cards of Sixty-Six and what the rules say of them alone: points, suits, who wins a trick, what may be replied.

A card is rank × 4 + suit, ranks 9 J Q K 10 A from low to high, suits s h d c; a set of cards is a uint64 of 24 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.games.sixty_six.counts import BAR_MARRIAGE, BAR_TRUMP_MARRIAGE
from simkit.jit import inlined

RANKS, SUITS = ("9", "J", "Q", "K", "10", "A"), "shdc"
CARDS, HAND_SIZE, GOAL = 24, 6, 66
NINE, JACK, QUEEN, KING, TEN, ACE = range(len(RANKS))
NO_CARD = -1
PLAIN_MARRIAGE, TRUMP_MARRIAGE = 20, 40
FOLLOW_GOAL = 33  # the loser's points that keep a deal at one game point (SS-7.2)

_U = np.uint64
_ONE, _LESS_ONE, _STEP = _U(1), ~_U(1), _U(4)
PACK = _U((1 << CARDS) - 1)
NINES, QUEENS = _U(0xF), _U(0xF00)
_SPADES, _SUIT = _U(0x111111), _U(3)
_POINTS, _RANK, _DIGIT = _U(0xBA4320), _U(28), _U(15)  # one hexadecimal digit a rank


def name_of(card: int) -> str:
    """The name of a card, as in transcripts ("10s")."""
    return RANKS[card >> 2] + SUITS[card & 3]


def code_of(name: str) -> int:
    """The code of a card by its name."""
    return RANKS.index(name[:-1]) * 4 + SUITS.index(name[-1])


def names_of(cards: int) -> list[str]:
    """The names of a set of cards, by suit and rank."""
    held = [card for card in range(CARDS) if cards >> card & 1]
    return [name_of(card) for card in sorted(held, key=lambda card: (card & 3, card))]


@inlined
def bit(card: int) -> np.uint64:
    """The set of this card alone."""
    return _ONE << _U(card)


@inlined
def card_points(card: int) -> Any:
    """The points of a card (SS-1.1)."""
    return np.int64(_POINTS >> (_U(card) & _RANK) & _DIGIT)


@inlined
def suit_of(card: int) -> np.uint64:
    """The set of all cards of this card's suit."""
    return _SPADES << (_U(card) & _SUIT)


@inlined
def beating(led: int, trumps: np.uint64) -> Any:
    """The set of all cards that win the trick against the card led (SS-2.2)."""
    suit = suit_of(led)
    return (suit & (_LESS_ONE << _U(led))) | (trumps & ~suit)


@inlined
def couples(hand: np.uint64) -> Any:
    """The kings and queens of a hand that make marriages (SS-5.1)."""
    queens = hand & (hand >> _STEP) & QUEENS
    return queens | (queens << _STEP)


@inlined
def free_couples(hand: np.uint64, trumps: np.uint64, barred: int) -> Any:
    """The kings and queens of `couples` without those whose marriage a seat is barred from (restricted play)."""
    found = couples(hand)
    if barred & BAR_TRUMP_MARRIAGE:
        found &= ~trumps
    if barred & BAR_MARRIAGE:
        found &= trumps
    return found


@inlined
def replies(hand: np.uint64, led: int, trumps: np.uint64, is_open: int, must_head: int) -> np.uint64:
    """The cards of a hand that may be played on the card led (SS-2.1, SS-3.1, SS-3.2)."""
    following, ruffing = hand & (suit_of(led) | (_U(0) - _U(is_open))), hand & trumps
    ruffing = ruffing if ruffing else hand
    allowed = following if following else ruffing
    if must_head and not is_open:
        winning = allowed & beating(led, trumps)
        return winning if winning else allowed
    return allowed
