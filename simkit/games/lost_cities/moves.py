"""What a seat may do, read off its view: a move's code, the legal moves, and helpers for strategies.

A move is one int64: bits 0–6 the card, bit 7 where it goes (EXPEDITION or DISCARD), bits 8–10 where the next card comes
from (a colour's discard pile, or DECK). All functions are compiled and take a VIEW record. Helpers that speak of one
colour give the mask of its slots (twelve bits: see `cards`), which `cards_in`, `sum_of`, `score_of` and others read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import lowest, nth_bit, ones
from simkit.games.lost_cities.cards import (
    ALL,
    COLOURS,
    DISCARD,
    EXPEDITION,
    FIRST_NUMBER,
    INVESTMENTS,
    KNOWN_6,
    LAID_6,
    NUMBERS,
    OPEN_6,
    SIXTH,
    SLOTS,
    SUM,
    UNSEEN_6,
    WORD_CARDS,
)
from simkit.jit import kernel
from simkit.rng import below, next_word

NO_CARD = -1

_U = np.uint64
_SLOT_BITS, _NIBBLE, _FOUR = _U(ALL), _U(15), _U(4)
_LOW, _HALF = _U(0xFFFFFFFF), _U(32)


@kernel
def two_below(rng: Any, n: int, m: int) -> tuple[int, int]:
    """Two uniform integers, of 0 … n − 1 and 0 … m − 1, without bias from one random word; n × m below 2^32.

    The high half of word × n is below n, and its low half is as good as a word of its own (Lemire 2019, twice).
    """
    while True:
        first = next_word(rng) * _U(n)
        second = (first & _LOW) * _U(m)
        if (second & _LOW) >= _U(n * m) or (second & _LOW) >= (_LOW + _U(1)) % _U(n * m):
            return np.int64(first >> _HALF), np.int64(second >> _HALF)


# --- cards and moves --------------------------------------------------------------------------------------------------


@kernel
def card_of(colour: int, slot: int) -> int:
    """The code of a card: slots 0–2 are the investment cards of the colour, slots 3–11 its numbers 2–10."""
    return colour * SLOTS + slot


@kernel
def colour_of(card: int) -> int:
    """The colour (0–5) of a card."""
    return (card * 43) >> 9  # card // 12


@kernel
def slot_of(card: int) -> int:
    """The slot (0–11) of a card in its colour."""
    return card - SLOTS * colour_of(card)


@kernel
def number_of(card: int) -> int:
    """The number (2–10) of a card, 0 for an investment card."""
    slot = slot_of(card)
    return slot - 1 if slot >= FIRST_NUMBER else 0


@kernel
def put(card: int, to: int, source: int) -> int:
    """The move that puts a card there (EXPEDITION or DISCARD) and takes the next one from `source`."""
    return card | to << 7 | source << 8


@kernel
def lay(card: int, source: int) -> int:
    """The move that lays a card on its expedition and takes the next one from `source`."""
    return card | source << 8


@kernel
def discard(card: int, source: int) -> int:
    """The move that discards a card and takes the next one from `source`."""
    return card | DISCARD << 7 | source << 8


@kernel
def card_out(move: int) -> int:
    """The card that a move puts out."""
    return move & 127


@kernel
def goes_to(move: int) -> int:
    """Where a move puts its card: EXPEDITION or DISCARD."""
    return move >> 7 & 1


@kernel
def source_of(move: int) -> int:
    """Where a move takes the next card from: a colour, or DECK."""
    return move >> 8


# --- sets of cards ----------------------------------------------------------------------------------------------------


@kernel
def slots_in(word: np.uint64, sixth: np.uint64, colour: int) -> int:
    """The slots of a colour in a set of cards: `word` holds colours 0–4, the low bits of `sixth` colour 5."""
    return np.int64((word >> _U(SLOTS * colour) if colour < SIXTH else sixth) & _SLOT_BITS)


@kernel
def hand_in(view: Any, colour: int) -> int:
    """The slots of a colour that I hold."""
    return slots_in(view.hand, view.sixth, colour)


@kernel
def playable_6(view: Any) -> np.uint64:
    """The slots of colour 5 that I may lay now."""
    return view.sixth & (view.sixth >> _U(OPEN_6)) & _SLOT_BITS


@kernel
def playable_in(view: Any, colour: int) -> int:
    """The slots of a colour that I hold and may lay now."""
    return slots_in(view.playable, playable_6(view), colour)


@kernel
def laid_in(view: Any, colour: int) -> int:
    """The slots of my expedition of a colour."""
    return slots_in(view.laid, view.sixth >> _U(LAID_6), colour)


@kernel
def theirs_in(view: Any, colour: int) -> int:
    """The slots of the opponent's expedition of a colour."""
    return slots_in(view.theirs, view.their_sixth >> _U(LAID_6), colour)


@kernel
def known_in(view: Any, colour: int) -> int:
    """The slots of a colour that I know in the opponent's hand."""
    return slots_in(view.known, view.their_sixth >> _U(KNOWN_6), colour)


@kernel
def unseen_in(view: Any, colour: int) -> int:
    """The slots of a colour that lie in the draw pile or, unknown to me, in the opponent's hand."""
    return slots_in(view.unseen, view.sixth >> _U(UNSEEN_6), colour)


@kernel
def count_playable(view: Any) -> int:
    """How many cards I hold that I may lay now, of all colours."""
    return count_for(view, EXPEDITION)


@kernel
def count_hand(view: Any) -> int:
    """How many cards I hold."""
    return count_for(view, DISCARD)


@kernel
def count_for(view: Any, to: int) -> int:
    """How many cards may go there: those that I may lay (EXPEDITION), or all (DISCARD)."""
    count = ones(cards_for(view, to))
    if view.sixth:  # in few games only
        count += ones(slots_for_6(view, to))
    return count


@kernel
def cards_in(slots: int) -> int:
    """How many cards a mask of slots holds."""
    return ones(_U(slots))


@kernel
def investments_in(slots: int) -> int:
    """How many investment cards a mask of slots holds."""
    return ones(_U(slots & INVESTMENTS))


@kernel
def sum_of(slots: int) -> int:
    """The sum of the numbers in a mask of slots."""
    return np.int64(SUM[_U(slots)])


@kernel
def lowest_slot(slots: int) -> int:
    """The lowest slot of a mask that is not empty: an investment card, or else the lowest number."""
    return lowest(_U(slots))


@kernel
def highest_slot(slots: int) -> int:
    """The highest slot of a mask, −1 for an empty one."""
    for slot in range(SLOTS - 1, -1, -1):
        if slots >> slot & 1:
            return slot
    return -1


@kernel
def may_follow(slots: int) -> int:
    """The slots that may be laid on an expedition that holds these: all above its highest number (LC-3.1, 3.2)."""
    below = slots & NUMBERS  # then, without a branch, all slots up to the highest number
    below |= below >> 1
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    return ALL & ~below


@kernel
def score_of(rules: Any, slots: int) -> int:
    """What an expedition that holds these slots scores (LC-4.3, 4.4), 0 if it was never started."""
    if slots == 0:
        return 0
    bonus = rules.bonus if cards_in(slots) >= rules.bonus_cards else 0
    return (sum_of(slots) - rules.embark_cost) * (1 + investments_in(slots)) + bonus


# --- discard piles ----------------------------------------------------------------------------------------------------


@kernel
def has_pile(view: Any, colour: int) -> bool:
    """Whether the discard pile of a colour holds a card."""
    return view.sources >> colour & 1 != 0


@kernel
def top_of(view: Any, colour: int) -> int:
    """The card on top of a colour's discard pile, NO_CARD for an empty one."""
    nibble = np.int64(view.piles[_U(colour)] & _NIBBLE)
    return card_of(colour, nibble - 1) if nibble else NO_CARD


@kernel
def pile_in(view: Any, colour: int) -> int:
    """The slots of all cards in a colour's discard pile."""
    slots, left = 0, view.piles[_U(colour)]
    while left:
        slots |= 1 << np.int64((left & _NIBBLE) - _U(1))
        left >>= _FOUR
    return slots


# --- legal moves ------------------------------------------------------------------------------------------------------


@kernel
def sources_after(view: Any, rules: Any, colour: int) -> int:
    """The mask of sources once a card of this colour was discarded: its own pile only by LC-2.3's option."""
    own = 1 << colour
    return view.sources | own if rules.redraw_own_discard else view.sources & ~own


@kernel
def cards_for(view: Any, to: int) -> np.uint64:
    """The set of cards of colours 0–4 that may go there: those that I may lay (EXPEDITION), or all (DISCARD)."""
    return view.hand & (view.playable | _U(-to))  # not a choice: the compiler would make a branch of it


@kernel
def slots_for_6(view: Any, to: int) -> np.uint64:
    """The slots of colour 5 that may go there."""
    return view.sixth & (view.sixth >> _U(OPEN_6) | _U(-to)) & _SLOT_BITS


@kernel
def nth_card(view: Any, to: int, n: int) -> int:
    """The n-th card, by its code, of those that may go there (EXPEDITION or DISCARD); n must be below their number."""
    word = cards_for(view, to)
    before = ones(word)
    if n < before:
        return nth_bit(word, n)
    return WORD_CARDS + nth_bit(slots_for_6(view, to), n - before)


@kernel
def count_moves(view: Any, rules: Any) -> int:
    """How many legal moves there are."""
    n = count_playable(view) * ones(_U(view.sources))
    for colour in range(COLOURS):
        n += cards_in(hand_in(view, colour)) * ones(_U(sources_after(view, rules, colour)))
    return n


@kernel
def nth_move(view: Any, rules: Any, n: int) -> int:
    """The n-th legal move, n of 0 … count_moves − 1: first all that lay a card, then the discards by colour."""
    ways = ones(_U(view.sources))
    laying = count_playable(view) * ways
    if n < laying:
        return lay(nth_card(view, EXPEDITION, n // ways), nth_bit(_U(view.sources), n % ways))
    n -= laying
    for colour in range(COLOURS):
        sources = _U(sources_after(view, rules, colour))
        ways = ones(sources)
        here = cards_in(hand_in(view, colour)) * ways
        if n < here:
            slot = nth_bit(_U(hand_in(view, colour)), n // ways)
            return discard(card_of(colour, slot), nth_bit(sources, n % ways))
        n -= here
    return -1


@kernel
def random_move(view: Any, rules: Any, rng: Any) -> int:
    """A legal move, each as likely.

    Draws from all pairs of a way to put a card out and a source, and again until the pair is legal.
    """
    if rules.redraw_own_discard:
        return nth_move(view, rules, below(rng, count_moves(view, rules)))
    can, held, sources = count_playable(view), count_hand(view), _U(view.sources)
    while True:
        place, from_ = two_below(rng, can + held, ones(sources))
        to, source = np.int64(place >= can), nth_bit(sources, from_)
        card = nth_card(view, to, place - can * to)
        if to <= colour_of(card) ^ source:  # not a discard with its own pile as the source
            return put(card, to, source)


@kernel
def random_card(view: Any, to: int, rng: Any) -> int:
    """A random card of those that I may lay (EXPEDITION) or of all that I hold (DISCARD); there must be one."""
    return nth_card(view, to, below(rng, count_for(view, to)))
