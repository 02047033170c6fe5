"""The rules of Lost Cities, compiled: set up, who acts, what a seat sees, what is legal, what a turn does, what came.

The driver calls `setup`, `actor`, `observe`, `is_legal`, `apply` and `finish`. `outcome` is the game's row of OUTCOME:
it starts as zeros and is counted up while the game is played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.games.lost_cities import counts as c
from simkit.games.lost_cities import probe
from simkit.games.lost_cities.cards import (
    ALL,
    BIT,
    CARDS,
    COLOURS,
    HAND_6,
    KNOWN_6,
    LAID_6,
    OPEN_6,
    UNSEEN_6,
    WORD_CARDS,
)
from simkit.games.lost_cities.moves import card_out, colour_of, goes_to, put, source_of
from simkit.games.lost_cities.rounds import deal, end_round
from simkit.games.lost_cities.turns import known_first, turn
from simkit.jit import inlined, kernel

_U = np.uint64
# What a seat knows of its own sets of colour 5, and of the opponent's.
_MINE_6 = _U(ALL << HAND_6 | ALL << OPEN_6 | ALL << LAID_6 | ALL << UNSEEN_6)
_THEIRS_6 = _U(ALL << LAID_6 | ALL << KNOWN_6)


@kernel
def setup(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Deals the first round; seat 0 starts it (LC-1.4)."""
    state.over = 0
    state.round = 1
    state.starter = 0
    state.cuts = 0
    for number in range(2):
        state.seats[number].score = 0
    deal(state, rules, chance, outcome)
    if rules.probe:
        probe.draw_turn(state, rules, chance)
        if state.probe_at == 0:
            probe.begin(state, rules, chance, outcome)


@inlined
def actor(state: Any, rules: Any) -> int:
    """The seat whose turn it is, −1 when the game is over."""
    return (state.turn + state.starter) & 1 | state.over


@inlined
def observe(state: Any, rules: Any, number: int, view: Any) -> None:
    """Writes all that a seat may know into the view, and nothing else."""
    seat, other = state.seats[_U(number)], state.seats[_U(1 - number)]
    view.hand = seat.hand
    view.playable = seat.hand & seat.open
    view.laid = seat.laid
    view.unseen = seat.unseen
    view.theirs = other.laid
    view.known = other.known
    view.sixth = seat.sixth & _MINE_6
    view.their_sixth = other.sixth & _THEIRS_6
    for colour in range(COLOURS):
        view.piles[colour] = state.piles[colour]
    view.sources = state.sources
    view.pile = state.pile
    view.turn = state.turn
    view.their_move = state.move
    view.seat = number
    view.round = state.round
    view.score = seat.score
    view.their_score = other.score


@inlined
def is_legal(state: Any, rules: Any, number: int, move: int) -> bool:
    """Whether the move is legal for the seat whose turn it is (LC-2, LC-3)."""
    card, to, source = card_out(move), goes_to(move), source_of(move)
    if move >> 11 or card >= CARDS:
        return False
    seat, bit = state.seats[_U(number)], BIT[_U(card)]
    if card < WORD_CARDS:
        able = seat.hand & (seat.open | _U(-to)) & bit
    else:
        able = seat.sixth & (seat.sixth >> _U(OPEN_6) | _U(-to)) & bit
    own = to << colour_of(card)  # LC-2.3
    sources = state.sources & ~own | own * rules.redraw_own_discard
    return (able != _U(0)) & (sources >> source & 1 != 0)


@inlined
def apply(state: Any, rules: Any, number: int, move: int, chance: Any, outcome: Any) -> None:
    """One turn: a card out, a card in (LC-2); with the last one the round ends (LC-4)."""
    seat, other = state.seats[_U(number)], state.seats[_U(1 - number)]
    if state.turn == state.probe_at:
        move = probe.during(state, seat, move)
    card, to, source = known_first(seat, card_out(move)), goes_to(move), source_of(move)
    state.move = put(card, to, source)
    if rules.redraw_own_discard:
        outcome.clauses[c.E_OWN_DISCARD] += to & (colour_of(card) == source)
    turn(state, seat, other, outcome, number, card, to, source)
    state.turn += 1
    if state.pile == 0 or state.turn == rules.max_turns:
        end_round(state, rules, chance, outcome)
    elif state.turn == state.probe_at:
        probe.begin(state, rules, chance, outcome)


@kernel
def finish(state: Any, rules: Any, outcome: Any) -> None:
    """Writes what is known at the end: winner, scores, and the clauses that follow from other counts."""
    score_0, score_1 = state.seats[0].score, state.seats[1].score
    outcome.winner = -1 if score_0 == score_1 else np.int64(score_1 > score_0)
    outcome.unfinished = state.cuts > 0
    outcome.rounds = state.round
    outcome.scores[0] = score_0
    outcome.scores[1] = score_1
    taken = outcome.taken[0] + outcome.taken[1]
    started = outcome.started[0] + outcome.started[1]
    paying, losing = outcome.paying[0] + outcome.paying[1], outcome.losing[0] + outcome.losing[1]
    outcome.clauses[c.E_LAID] = outcome.laid[0] + outcome.laid[1]
    outcome.clauses[c.E_DISCARDED] = outcome.discarded[0] + outcome.discarded[1]
    outcome.clauses[c.E_DECK] = outcome.turns - taken
    outcome.clauses[c.E_TAKEN] = taken
    outcome.clauses[c.E_INVESTMENT] = outcome.wagers[0] + outcome.wagers[1]
    outcome.clauses[c.E_GAIN] = paying
    outcome.clauses[c.E_NOTHING] = started - paying - losing
    outcome.clauses[c.E_LOSS] = losing
    outcome.clauses[c.E_BONUS] = outcome.bonuses[0] + outcome.bonuses[1]
    outcome.clauses[c.E_DRAW] = score_0 == score_1
