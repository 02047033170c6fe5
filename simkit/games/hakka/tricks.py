"""A trick of Hakka cards: who leads what, who follows how, who wins it (HK-4, HK-5.3, HK-6.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.hakka import counts as c
from simkit.games.hakka.cards import (
    ENOUGH,
    ONES,
    PACK,
    RUN,
    SET,
    SINGLE,
    above,
    beaters,
    elders_of,
    lowest_bit,
    number_of,
    of_number,
    pattern_of,
    run_from,
    single_leads,
)
from simkit.games.hakka.moves import DISCARD, cards_of_move
from simkit.games.hakka.rules import FACE_DOWN
from simkit.games.hakka.words import (
    BEST_SEAT,
    CLAIM,
    DREAMER,
    FIRST_SIX,
    LEAD,
    LEFT,
    NONE,
    PATTERN,
    PRIVILEGED,
    SIZE,
    byte_of,
    no_trick,
    trick,
    tricks_of,
    with_byte,
    with_tricks,
)
from simkit.jit import inlined, kernel

_U = np.uint64
_ONE, _NONE = _U(1), _U(0)


@inlined
def fire(state: Any, outcome: Any, clause: int) -> None:
    """Notes that a clause fired: in the decision, for transcripts, and in the game's counts."""
    state.events |= _ONE << _U(clause)
    outcome.clauses[_U(clause)] += 1


@inlined
def fire_if(state: Any, outcome: Any, clause: int, fires: bool) -> None:
    """Notes that a clause fired, if it did; without a branch."""
    state.events |= _U(fires) << _U(clause)
    outcome.clauses[_U(clause)] += np.int32(fires)


@inlined
def next_active(seat: int, dreamer: int) -> Any:
    """The active player whose turn is next: anticlockwise, the Dreamer skipped (HK-1.2)."""
    after = (seat + 1) & 3
    return (after + np.int64(after == dreamer)) & 3


@inlined
def is_legal_lead(state: Any, seat: int, cards: np.uint64) -> Any:
    """Whether a set of cards may be led (HK-4.2, HK-5.3)."""
    size = ones(cards)
    if size == 1:
        return (cards & state.choices) != _NONE
    if size < 3 or cards & ~state.hand[_U(seat)]:
        return False
    top = lowest_bit(cards)
    return cards == run_from(top, size) or (cards & ~of_number(number_of(top))) == _NONE


@inlined
def is_legal_follow(state: Any, rules: Any, seat: int, move: int) -> Any:
    """Whether a follow is legal: a pattern that beats, or where allowed a discard (HK-4.3, HK-4.4)."""
    cards, hand, choices, table = cards_of_move(move), state.hand[_U(seat)], state.choices, state.table
    size = byte_of(table, SIZE)
    if cards & ~hand or ones(cards) != size:
        return False
    if move & DISCARD:
        return choices == _NONE or rules.must_beat == 0
    top = lowest_bit(cards)
    if byte_of(table, PATTERN) <= RUN:  # a single is a run of one
        return (top & choices) != _NONE and cards == run_from(top, size)
    number = number_of(top)
    return (number & choices) != _NONE and (cards & ~of_number(number)) == _NONE


@inlined
def ask(state: Any, seat: int, decision: int) -> None:
    """The turn of a seat to say yes or no."""
    state.turn = seat
    state.table = no_trick(decision)
    state.choices = _NONE
    state.best = _NONE
    state.trick = _NONE


@inlined
def ask_lead(state: Any, seat: int, hand: np.uint64) -> None:
    """The turn of a seat about to lead."""
    state.turn = seat
    state.table = no_trick(LEAD)
    state.choices = single_leads(hand, state.elders, byte_of(state.roles, PRIVILEGED) == seat)
    state.best = _NONE
    state.trick = _NONE


@inlined
def lead(state: Any, rules: Any, seat: int, cards: np.uint64, outcome: Any) -> None:
    """Leads a pattern."""
    hand, size = state.hand[_U(seat)], ones(cards)
    pattern = pattern_of(cards, size)
    clause = _U(c.E_SINGLE_LED + pattern)
    state.events = _ONE << clause
    outcome.clauses[clause] += 1
    is_elder, only_elders = (size == 1) & ((cards & state.elders) != _NONE), (hand & ~state.elders) == _NONE
    fire_if(state, outcome, c.E_ELDER_LED, is_elder & only_elders)
    fire_if(state, outcome, c.E_PRIVILEGED_ELDER, is_elder & (not only_elders))
    state.hand[_U(seat)] = hand ^ cards
    state.played[_U(seat)] |= cards
    state.trick = cards
    state.best = cards
    table = trick(pattern, size, seat)
    state.table = table
    ask_follow(state, rules, next_active(seat, byte_of(state.roles, DREAMER)), cards, table)


@inlined
def ask_follow(state: Any, rules: Any, seat: int, best: np.uint64, table: np.uint64) -> None:
    """The turn of a seat to follow."""
    state.turn = seat
    pattern, size = byte_of(table, PATTERN), byte_of(table, SIZE)
    state.choices = beaters(state.hand[_U(seat)], best, pattern, size, rules.ones_set)


@inlined
def follow(state: Any, rules: Any, seat: int, move: int, outcome: Any) -> bool:
    """Beats the best pattern or discards; true if that completes the trick."""
    cards, table, best = cards_of_move(move), state.table, state.best
    pattern = byte_of(table, PATTERN)
    state.hand[_U(seat)] ^= cards
    if move & DISCARD:
        clause = _U(c.E_DISCARDED)
        if rules.must_beat == 0:
            if state.choices != _NONE:
                fire(state, outcome, c.E_NOT_BEATEN)
        elif pattern == SINGLE:
            state.lacks[_U(seat)] |= above(best)
        if rules.discards == FACE_DOWN:
            cards = _NONE
    else:
        clause = _U(c.E_SINGLE_BEATEN + pattern)
        if pattern == SET:
            _beat_set(state, outcome, best, cards)
        best = cards
        state.best = cards
        table = with_byte(table, BEST_SEAT, seat)
    state.events |= _ONE << clause
    outcome.clauses[clause] += 1
    state.played[_U(seat)] |= cards
    state.trick |= cards
    if byte_of(table, LEFT) == 0:
        state.table = table
        return True
    table = with_byte(table, LEFT, 0)
    state.table = table
    ask_follow(state, rules, next_active(seat, byte_of(state.roles, DREAMER)), best, table)
    return False


@kernel
def _beat_set(state: Any, outcome: Any, best: np.uint64, cards: np.uint64) -> None:
    """The clauses of sets of 1s (HK-4.3)."""
    if number_of(lowest_bit(best)) == ONES:
        fire(state, outcome, c.E_ONES_BEATEN)
    if number_of(lowest_bit(cards)) == ONES:
        fire(state, outcome, c.E_ONES_BEAT)


@inlined
def end_trick(state: Any, outcome: Any) -> bool:
    """Gives the trick to the best pattern (HK-4.5) and asks its player; true if the cards ran out without a claim."""
    table = state.table
    winner, size = byte_of(table, BEST_SEAT), byte_of(table, SIZE)
    hand = state.hand[_U(winner)]
    gone = state.gone | state.trick
    elders = elders_of(PACK & ~gone)
    won = with_tricks(state.won, winner, size)
    state.gone = gone
    state.elders = elders
    state.won = won
    state.winning[_U(winner)] |= state.best
    tricks = tricks_of(won, winner)
    is_first = (tricks >= ENOUGH) & (byte_of(state.roles, FIRST_SIX) == NONE)
    state.roles = with_byte(state.roles, FIRST_SIX, winner) if is_first else state.roles
    if tricks + ones(hand & elders) >= ENOUGH:
        ask(state, winner, CLAIM)
        return False
    if hand == _NONE:
        state.end_seat = winner
        return True
    ask_lead(state, winner, hand)
    return False
