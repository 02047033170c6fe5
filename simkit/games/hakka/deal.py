"""The deal of a hand of Hakka cards, and how the hand starts (HK-2)."""

from __future__ import annotations

from math import perm
from typing import Any

import numpy as np

from simkit.bits import spread
from simkit.games.hakka import counts as c
from simkit.games.hakka.cards import CARDS, ELDERS_AT_START, HAND_SIZE, PACK, TIGERS
from simkit.games.hakka.rules import AFTER_DEAL
from simkit.games.hakka.state import SEATS
from simkit.games.hakka.tricks import ask, fire, next_active
from simkit.games.hakka.words import (
    CALL,
    CALLER,
    DEALER,
    DREAMER,
    FIRST_SIX,
    FIVE_TIGERS,
    NONE,
    PRIVILEGED,
    without_tricks,
)
from simkit.jit import inlined, kernel
from simkit.rng import below, next_word

NOBODY = -1

_U = np.uint64
_ONE, _NONE = _U(1), _U(0)
_HALF, _LOW = _U(32), _U(0xFFFFFFFF)
_NEW_HAND = (_U(NONE) << PRIVILEGED) | (_U(NONE) << CALLER) | (_U(NONE) << FIRST_SIX)
# A hand is drawn from the pack, another one from the cards left by it, and a card from the last ones.
_CARDS_LEFT, _LAST = CARDS - HAND_SIZE, CARDS - 2 * HAND_SIZE
_PLACES_LEFT = _U((1 << _CARDS_LEFT) - 1)
_ORDERS, _ORDERS_LEFT = _U(perm(CARDS, HAND_SIZE)), _U(perm(_CARDS_LEFT, HAND_SIZE))
_REFUSED, _REFUSED_LEFT = _U(2**64 % int(_ORDERS)), _U(2**64 % int(_ORDERS_LEFT))


@inlined
def word_of_64(stream: Any) -> Any:
    """The next 64 random bits."""
    return next_word(stream) | (next_word(stream) << _HALF)


@inlined
def word_for(stream: Any, orders: np.uint64, refused: np.uint64) -> Any:
    """A random word for `hand_by`: so few of them are refused that each of the `orders` of cards is as likely.

    Exact: Brackett-Rozinsky and Lemire, "Batched ranged random integer generation" (2024).
    """
    word = word_of_64(stream)
    while word * orders < refused:
        word = word_of_64(stream)
    return word


@inlined
def hand_by(word: np.uint64, cards: np.uint64, count: int) -> Any:
    """A hand out of `count` cards, drawn one by one: what one bounded number leaves of the word serves the next."""
    left = cards
    for drawn in range(HAND_SIZE):
        bound = _U(count - drawn)
        place = ((word >> _HALF) * bound + (((word & _LOW) * bound) >> _HALF)) >> _HALF
        word *= bound
        left ^= spread(_ONE << place, left)
    return cards ^ left


@kernel
def deal(state: Any, rules: Any, chance: Any, outcome: Any, dealer: int) -> None:
    """Twelve cards to each active player, from the dealer on, and one to the Dreamer (HK-2.1)."""
    dreamer = (dealer + 2) & 3
    second = next_active(dealer, dreamer)
    third = next_active(second, dreamer)
    first_word = word_for(chance.deal, _ORDERS, _REFUSED)
    second_word = word_for(chance.deal, _ORDERS_LEFT, _REFUSED_LEFT)
    last = below(chance.deal, _LAST)
    first_hand = hand_by(first_word, PACK, CARDS)
    # Drawn as places among the cards left: the two draws need not wait for each other.
    second_hand = spread(hand_by(second_word, _PLACES_LEFT, _CARDS_LEFT), PACK ^ first_hand)
    left = PACK ^ first_hand ^ second_hand
    state.dream = spread(_ONE << _U(last), left)
    state.dealt[_U(dealer)] = first_hand
    state.dealt[_U(second)] = second_hand
    state.dealt[_U(third)] = left ^ state.dream
    state.dealt[_U(dreamer)] = _NONE
    begin_hand(state, rules, outcome, dealer)


@kernel
def begin_hand(state: Any, rules: Any, outcome: Any, dealer: int) -> None:
    """Starts a hand with the cards dealt: the dealer decides on a call, unless a holder of the Five Tigers is asked."""
    for seat in range(SEATS):
        state.hand[seat] = state.dealt[seat]
        state.winning[seat] = _NONE
        state.played[seat] = _NONE
        state.lacks[seat] = _NONE
    state.gone = _NONE
    state.elders = ELDERS_AT_START
    state.won = without_tricks(state.won)
    state.roles = _NEW_HAND | (_U(dealer) << DEALER) | (_U((dealer + 2) & 3) << DREAMER)
    ask(state, dealer, CALL)
    outcome.hands += 1
    holder = _tigers_holder(state)
    state.tigers = holder
    if holder != NOBODY:
        fire(state, outcome, c.E_TIGERS_DEALT)
        if rules.five_tigers == AFTER_DEAL:
            ask(state, holder, FIVE_TIGERS)


@kernel
def _tigers_holder(state: Any) -> int:
    """The seat that was dealt the Five Tigers, −1 for none."""
    for seat in range(SEATS):
        if (TIGERS & ~state.dealt[seat]) == _NONE:
            return seat
    return NOBODY
