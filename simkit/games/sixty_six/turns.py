"""What a turn to lead allows in Sixty-Six, and what may come before its card: exchange, closing, marriage."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.games.sixty_six import counts as c
from simkit.games.sixty_six.cards import NINES, PLAIN_MARRIAGE, QUEENS, TRUMP_MARRIAGE, bit, couples, free_couples
from simkit.games.sixty_six.rules import AUTOMATIC, OFF
from simkit.games.sixty_six.words import (
    CLOSER,
    OPEN,
    PENDING,
    STOCK,
    byte_of,
    tricks_of,
    with_byte,
    without_led,
)
from simkit.jit import inlined, kernel

_U = np.uint64
_ONE, _NONE, _STEP = _U(1), _U(0), _U(4)


@inlined
def fire(state: Any, outcome: Any, clause: int) -> None:
    """Notes that a clause fired: in the decision, for transcripts, and in the game's counts."""
    state.events |= _ONE << _U(clause)
    outcome.clauses[_U(clause)] += 1


@inlined
def treasures(hand: np.uint64) -> np.uint64:
    """The nines of a hand, and its queens that have their king."""
    return (hand & NINES) | (hand & (hand >> _STEP) & QUEENS)


@inlined
def tricks_played(state: Any) -> Any:
    """The tricks of this deal so far."""
    return tricks_of(state.standing[0]) + tricks_of(state.standing[1])


@inlined
def begin_turn(state: Any, rules: Any, outcome: Any, seat: int, hand: np.uint64) -> None:
    """The turn of a seat about to lead: the nine changes by itself (SS-4), and what the lead may be is noted."""
    table = state.table
    is_open = byte_of(table, OPEN)
    free = rules.free_first_lead != 0 or tricks_played(state) > 0  # SS-6.2
    enough = (byte_of(table, STOCK) >= rules.min_stock) & (is_open != 0) & free
    may_exchange = 0
    if enough and hand & state.trumps & NINES:
        may_exchange = _exchange_or_not(state, rules, outcome, seat)
        hand = state.hand[_U(seat)]
    state.turn = seat
    state.table = without_led(table, enough & rules.closing, may_exchange)
    state.legal = hand
    state.couples = _NONE
    if free and (is_open or rules.marriage_after_close):  # SS-5.3
        state.couples = free_couples(hand, state.trumps, rules.barred[_U(seat)])


@kernel
def _exchange_or_not(state: Any, rules: Any, outcome: Any, seat: int) -> int:
    """Exchanges the nine that the seat holds, where that happens by itself; 1 if it is left to choice (SS-4)."""
    barred = rules.barred[_U(seat)] & c.BAR_NINE
    if barred or rules.nine_exchange == OFF or tricks_of(state.standing[_U(seat)]) == 0:
        return 0
    if rules.nine_exchange == AUTOMATIC:
        exchange(state, outcome, seat)
        return 0
    return 1


@kernel
def exchange(state: Any, outcome: Any, seat: int) -> None:
    """The nine of trumps goes for the turned-up card (SS-4.1); the other seat sees which card that is."""
    nine, turned = state.trumps & NINES, state.turned
    hand = (state.hand[_U(seat)] ^ nine) | turned
    state.hand[_U(seat)] = hand
    state.held[_U(seat)] |= treasures(hand)
    state.shown[_U(seat)] |= turned
    state.turned = nine
    outcome.exchanges[_U(seat)] += 1
    fire(state, outcome, c.E_NINE)


@kernel
def close(state: Any, outcome: Any, seat: int) -> None:
    """The stock is closed (SS-6.1)."""
    state.table = with_byte(with_byte(state.table, OPEN, 0), CLOSER, seat)
    outcome.closes[_U(seat)] += 1
    fire(state, outcome, c.E_CLOSED)
    if tricks_played(state) == 0:
        fire(state, outcome, c.E_CLOSED_AT_ONCE)


@kernel
def marry(state: Any, outcome: Any, seat: int, card: int) -> None:
    """The marriage of this card's suit is declared (SS-5): the other of the two is shown."""
    pair = couples(state.hand[_U(seat)]) & ((bit(card) << _STEP) | (bit(card) >> _STEP))
    is_trump = (state.trumps & pair) != _NONE
    worth = TRUMP_MARRIAGE if is_trump else PLAIN_MARRIAGE
    state.shown[_U(seat)] |= pair
    outcome.marriages[_U(seat)] += 1
    outcome.used[_U(seat), _U(0 if is_trump else 1)] += 1
    fire(state, outcome, c.E_TRUMP_MARRIAGE if is_trump else c.E_MARRIAGE)
    if not byte_of(state.table, OPEN):
        fire(state, outcome, c.E_STRICT_MARRIAGE)
    if tricks_of(state.standing[_U(seat)]) > 0:  # SS-5.2
        state.standing[_U(seat)] += _U(worth)
        outcome.marriage_points[_U(seat)] += worth
    else:
        state.standing[_U(seat)] += _U(worth * PENDING)
        fire(state, outcome, c.E_PENDING)
