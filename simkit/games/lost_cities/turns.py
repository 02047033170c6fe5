"""One turn of Lost Cities on the table: a card out, a card in (LC-2); without a branch that is hard to predict."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import lowest
from simkit.games.lost_cities.cards import (
    ALIKE,
    BIT,
    CLOSED,
    DECK,
    HAND_6,
    KNOWN_6,
    LAID_6,
    OPEN_6,
    RANK_OF,
    SLOTS,
    UNSEEN_6,
    WORD_CARDS,
)
from simkit.games.lost_cities.moves import colour_of
from simkit.jit import inlined

_U = np.uint64
_ZERO, _ONE, _NIBBLE, _FOUR = _U(0), _U(1), _U(15), _U(4)


@inlined
def known_first(seat: Any, card: int) -> int:
    """The card that goes out: of investment cards that look alike, one that the opponent knows, if there is one.

    Nobody could tell otherwise, so that nobody may know more.
    """
    if card < WORD_CARDS:
        alike = seat.known & ALIKE[_U(card)]
        return lowest(alike) if alike else card
    alike = seat.sixth >> _U(KNOWN_6) & ALIKE[_U(card)]
    return WORD_CARDS + lowest(alike) if alike else card


@inlined
def turn(state: Any, seat: Any, other: Any, outcome: Any, number: int, card: int, to: int, source: int) -> None:
    """A seat's card goes out, and the next one comes in from the draw pile or the top of a discard pile."""
    _discard_if(state, card, to)
    drawn, is_deck = _take(state, source), np.int64(source == DECK)
    seat.taken += 1 - is_deck
    outcome.drawn[_U(number), RANK_OF[_U(drawn)]] += 1
    if_laid, if_shown = _U(to) - _ONE, _U(is_deck) - _ONE  # all ones if so
    out = BIT[_U(card)] if card < WORD_CARDS else _ZERO
    into = BIT[_U(drawn)] if drawn < WORD_CARDS else _ZERO
    seat.hand = seat.hand & ~out | into
    seat.known = seat.known & ~out | into & if_shown
    seat.laid |= out & if_laid
    seat.unseen &= ~into
    other.unseen &= ~out
    if card < WORD_CARDS:
        seat.open &= ~(CLOSED[_U(card)] & if_laid)
    else:
        _out_of_sixth(seat, other, card, if_laid)
    if drawn >= WORD_CARDS:
        _into_sixth(seat, drawn, if_shown)


@inlined
def _discard_if(state: Any, card: int, to: int) -> None:
    """The card goes on top of its discard pile, if it is discarded."""
    colour = colour_of(card)
    state.piles[_U(colour)] = state.piles[_U(colour)] << _U(4 * to) | _U((card - SLOTS * colour + 1) * to)
    state.sources |= to << colour


@inlined
def _take(state: Any, source: int) -> Any:
    """Takes the top card of a source, and gives its code."""
    is_deck = np.int64(source == DECK)
    stack, hidden = state.piles[_U(source)], np.int64(state.deck[_U(state.pile - 1)])
    rest = stack >> _FOUR
    state.piles[_U(source)] = rest
    state.sources &= ~(((rest == _ZERO) & (1 - is_deck)) << source)
    state.pile -= is_deck
    top = SLOTS * source + np.int64(stack & _NIBBLE) - 1
    return hidden if is_deck else top


@inlined
def _out_of_sixth(seat: Any, other: Any, card: int, if_laid: np.uint64) -> None:
    """A card of colour 5 goes out."""
    bit, closed = BIT[_U(card)], CLOSED[_U(card)] & if_laid
    seat.sixth &= ~(bit << _U(HAND_6) | bit << _U(KNOWN_6) | closed << _U(OPEN_6))
    seat.sixth |= (bit & if_laid) << _U(LAID_6)
    other.sixth &= ~(bit << _U(UNSEEN_6))


@inlined
def _into_sixth(seat: Any, card: int, if_shown: np.uint64) -> None:
    """A card of colour 5 comes in."""
    bit = BIT[_U(card)]
    new = bit << _U(HAND_6) | (bit & if_shown) << _U(KNOWN_6)
    seat.sixth = (seat.sixth | new) & ~(bit << _U(UNSEEN_6))
