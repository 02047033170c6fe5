"""Cards on the move in Saloon: drawing, reshuffling, discarding."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import nth_bit, ones
from simkit.games.saloon import counts as c
from simkit.games.saloon.cards import at_places, less, more
from simkit.games.saloon.rules import RETURN
from simkit.jit import inlined, kernel
from simkit.rng import next_word

PAYER_DRAW, JUDGE_DRAW, FEW_CARDS_DRAW = range(3)  # places of a decision's draws in `drawn`
RESHUFFLED, SHORT = 3, 6  # the first of their bits in `events`, behind those that say what was drawn
ALL_IT_HAS, RETURNED = 9, 10
LAST_BILL, OTHER_JUDGE, VOID = range(3)  # bits of `choice`
AT_ONCE = 5  # so many cards can be drawn by one random word

_U = np.uint64
_ONE, _NONE, _BYTE = _U(1), _U(0), _U(8)
_LOW, _HALF, _RANGE = _U(0xFFFFFFFF), _U(32), _U(1 << 32)


@inlined
def take(cards: np.uint64, twice: np.uint64, size: int, count: int, stream: Any) -> Any:
    """Draws up to AT_ONCE cards from a heap of `size`, without replacement; what is drawn is a heap.

    One random word serves for all: the low half that each multiplication leaves is as good as another word, and the
    last one tells, against the product of all ranges, whether the word has to be refused (Lemire 2019).
    """
    while True:
        word, product, left, left_2 = next_word(stream), _ONE, cards, twice
        for gone in range(count):
            share = word * _U(size - gone)
            word = share & _LOW
            product *= _U(size - gone)
            place = np.int64(share >> _HALF)
            if twice == _NONE or place < ones(left):
                left ^= _ONE << _U(nth_bit(left, place))
            else:
                left_2 ^= _ONE << _U(nth_bit(left_2, place - ones(left)))
        if word >= product or word >= _RANGE % product:
            first, second = cards ^ left, twice ^ left_2
            return first | second, first & second


@inlined
def draw(state: Any, rules: Any, chance: Any, outcome: Any, seat: int, count: int, place: int) -> None:
    """A player draws so many cards (SAL-4.1); what was drawn is kept at a place of `drawn` for transcripts."""
    if count == 0:
        return
    state.events |= _ONE << _U(place)
    size = ones(state.pile) + ones(state.pile_2)
    if rules.packs > 1 or count > size or count > AT_ONCE:
        _draw_at_length(state, chance, outcome, seat, count, place)
        return
    found, _ = take(state.pile, _NONE, size, count, chance.deal)
    state.drawn[_U(place)] = found
    state.pile ^= found
    state.hand[_U(seat)] |= found
    state.sizes += _U(count) << (_BYTE * _U(seat))


@kernel
def _draw_at_length(state: Any, chance: Any, outcome: Any, seat: int, count: int, place: int) -> None:
    """A draw with two packs, one that needs a reshuffle or gets less than it should, or one of many cards."""
    hand, hand_2, drawn = state.hand[_U(seat)], state.hand_2[_U(seat)], 0
    state.drawn[_U(place)] = _NONE
    state.drawn_2[_U(place)] = _NONE
    while drawn < count:
        size = ones(state.pile) + ones(state.pile_2)
        if size == 0:
            if state.discard == _NONE:
                break
            reshuffle(state, outcome, place)
            continue
        now = min(count - drawn, size, AT_ONCE)
        found, found_2 = take(state.pile, state.pile_2, size, now, chance.deal)
        state.pile, state.pile_2 = less(state.pile, state.pile_2, found, found_2)
        before, before_2 = state.drawn[_U(place)], state.drawn_2[_U(place)]
        state.drawn[_U(place)], state.drawn_2[_U(place)] = more(before, before_2, found, found_2)
        hand, hand_2 = more(hand, hand_2, found, found_2)
        drawn += now
    state.hand[_U(seat)], state.hand_2[_U(seat)] = hand, hand_2
    state.sizes += _U(drawn) << (_BYTE * _U(seat))
    if drawn < count:
        outcome.clauses[c.C_SHORT] += 1
        state.events |= _ONE << _U(SHORT + place)


@kernel
def reshuffle(state: Any, outcome: Any, place: int) -> None:
    """The discard pile becomes the draw pile: all know what it holds now, and nobody in which order."""
    state.pile, state.pile_2 = state.discard, state.discard_2
    state.mixed, state.mixed_2 = state.discard, state.discard_2
    state.discard = _NONE
    state.discard_2 = _NONE
    state.events |= _ONE << _U(RESHUFFLED + place)
    outcome.reshuffles += 1


@inlined
def discard(state: Any, rules: Any, seat: int, cards: np.uint64, twice: np.uint64) -> None:
    """Puts cards that have left a seat's hand on the discard pile, for all to see."""
    if rules.packs > 1:
        state.discard, state.discard_2 = more(state.discard, state.discard_2, cards, twice)
    else:
        state.discard |= cards
    if rules.caught_bluff_cards == RETURN:
        known, known_2 = state.known[_U(seat)], state.known_2[_U(seat)]
        state.known[_U(seat)], state.known_2[_U(seat)] = less(known, known_2, cards, twice)


@kernel
def give_back(state: Any, seat: int, cards: np.uint64, twice: np.uint64) -> None:
    """Cards of a caught bluff return to the payer's hand, where all know them now (SAL-3.6)."""
    hand, hand_2 = state.hand[_U(seat)], state.hand_2[_U(seat)]
    state.hand[_U(seat)], state.hand_2[_U(seat)] = more(hand, hand_2, cards, twice)
    state.known[_U(seat)] |= cards
    state.known_2[_U(seat)] |= twice
    state.sizes += _U(ones(cards) + ones(twice)) << (_BYTE * _U(seat))
    state.events |= _ONE << _U(RETURNED)


@inlined
def lay_off(state: Any, rules: Any, seat: int, places: int) -> Any:
    """Takes the cards at these places out of a hand: they are returned as a heap."""
    hand, hand_2 = state.hand[_U(seat)], state.hand_2[_U(seat)]
    cards, twice = at_places(hand, hand_2, places)
    if rules.packs > 1:
        state.hand[_U(seat)], state.hand_2[_U(seat)] = less(hand, hand_2, cards, twice)
    else:
        state.hand[_U(seat)] = hand ^ cards
    state.sizes -= _U(ones(_U(places))) << (_BYTE * _U(seat))
    return cards, twice
