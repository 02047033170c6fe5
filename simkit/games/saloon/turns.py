"""How a turn of Saloon begins and ends, and whom is asked for what."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.saloon import counts as c
from simkit.games.saloon.cards import NO_CLIENT
from simkit.games.saloon.moves import HAND_LIMIT, TURN
from simkit.games.saloon.piles import FEW_CARDS_DRAW, discard, draw
from simkit.games.saloon.rules import FEW, FEW_DRAW, LAST_STANDING
from simkit.jit import inlined, kernel

FIRST_CLOSE_REASON, LAST_STANDING_REASON, MAX_TURNS_REASON = range(3)
REASONS = ("first_close", "last_standing", "max_turns")

_U = np.uint64
_ONE, _NONE, _BYTE = _U(1), _U(0), _U(8)
_SEAT_MASK = _U(0xFF)
_OVER = -1


@inlined
def size_of(state: Any, seat: int) -> int:
    """How many cards a seat holds."""
    return np.int64((state.sizes >> (_BYTE * _U(seat))) & _SEAT_MASK)


@inlined
def ask(state: Any, seat: int, asked: int, count: int) -> None:
    """The next decision is this seat's: what it is asked, and how many cards that takes."""
    state.turn = seat
    state.asked = asked
    state.count = count
    state.table = (
        _U(seat)
        | (_U(asked) << _U(8))
        | (state.judges << _U(16))
        | (_U(count) << _U(24))
        | (_U(state.payer) << _U(32))
        | (_U(state.client) << _U(40))
        | (_U(state.closed) << _U(48))
    )


@inlined
def begin_turn(state: Any, rules: Any, seat: int) -> None:
    """A seat's turn: what a payment would take, and who may be asked to judge it (SAL-2.4, SAL-3.2)."""
    state.turns += 1
    state.payer = seat
    state.client = NO_CLIENT
    others = state.open & ~(_ONE << _U(seat))
    fresh = others & ~(state.last >> (_BYTE * _U(seat)))
    state.judges = fresh if fresh else others
    clients = _U(state.clients[_U(seat)])
    ask(state, seat, TURN, rules.bill if clients & (clients - _ONE) else rules.last_bill)


@inlined
def next_turn(state: Any, rules: Any, outcome: Any) -> None:
    """The turn of the next open saloon, unless the limit of turns is reached (SAL-5.4)."""
    if state.turns >= rules.max_turns:
        end(state, MAX_TURNS_REASON)
        return
    seat = state.payer + 1
    if seat == rules.players:
        seat = 0
    while not (state.open >> _U(seat)) & _ONE:
        seat = seat + 1 if seat + 1 < rules.players else 0
    begin_turn(state, rules, seat)


@inlined
def end(state: Any, reason: int) -> None:
    """The game is over."""
    state.turn = _OVER
    state.end_reason = reason


@inlined
def end_turn(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """The saloon closes, or the hand is brought within its bounds (SAL-5.1, SAL-5.2); then the next turn."""
    seat = state.payer
    if state.clients[_U(seat)] == 0:
        _close(state, rules, outcome, seat)
        return
    size = size_of(state, seat)
    if size > rules.hand_limit:
        outcome.clauses[c.C_HAND_LIMIT] += 1
        state.client = NO_CLIENT
        state.judges = _NONE
        ask(state, seat, HAND_LIMIT, size - rules.hand_limit)
        return
    if size <= FEW:
        outcome.clauses[c.C_FEW_CARDS] += 1
        draw(state, rules, chance, outcome, seat, FEW_DRAW, FEW_CARDS_DRAW)
    next_turn(state, rules, outcome)


@kernel
def _close(state: Any, rules: Any, outcome: Any, seat: int) -> None:
    """A player has no client left: the game ends, or goes on without that player (SAL-5.3)."""
    state.closed += 1
    state.places |= _U(state.closed) << (_BYTE * _U(seat))
    state.open &= ~(_ONE << _U(seat))
    if rules.play_to != LAST_STANDING:
        end(state, FIRST_CLOSE_REASON)
        return
    cards, twice = state.hand[_U(seat)], state.hand_2[_U(seat)]
    state.hand[_U(seat)] = _NONE
    state.hand_2[_U(seat)] = _NONE
    state.sizes &= ~(_SEAT_MASK << (_BYTE * _U(seat)))
    discard(state, rules, seat, cards, twice)
    if ones(state.open) == 1:
        outcome.clauses[c.C_LAST_STANDING] += 1
        end(state, LAST_STANDING_REASON)
        return
    next_turn(state, rules, outcome)
