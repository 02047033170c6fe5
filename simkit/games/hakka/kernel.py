"""The rules of Hakka cards, compiled: set up, who acts, what a seat sees, what is legal, what a move does.

The driver calls `setup`, `actor`, `observe`, `is_legal`, `apply` and `finish`. `outcome` is the game's row of OUTCOME:
it starts as zeros and is counted up while the game is played. Tricks are in `tricks`, the rest of a hand in `deal`,
`hands` and `score`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import put_word
from simkit.games.hakka import counts as c
from simkit.games.hakka import probe
from simkit.games.hakka.cards import ENOUGH
from simkit.games.hakka.deal import NOBODY, deal
from simkit.games.hakka.hands import decide_call, decide_claim, decide_tigers, next_hand
from simkit.games.hakka.moves import CARDS_OF_MOVE, DISCARD, YES
from simkit.games.hakka.score import HIGH, highest_total, run_out
from simkit.games.hakka.state import LACKS, POINTS, ROLES_WORD, SEATS, STATE_LACKS, STATE_POINTS, TABLE, WINS, WON
from simkit.games.hakka.tricks import end_trick, fire, follow, is_legal_follow, is_legal_lead, lead
from simkit.games.hakka.words import CALL, DECISION, FIVE_TIGERS, FOLLOW, LEAD, SEAT, byte_of, copy_four
from simkit.jit import inlined, kernel
from simkit.rng import below

_U = np.uint64
_NONE = _U(0)
_LEADS, _FOLLOWS = _U(CARDS_OF_MOVE), _U(CARDS_OF_MOVE | DISCARD)


@kernel
def setup(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Starts a game with its first hand; the first dealer is drawn (HK-1.2)."""
    state.deals = 0
    state.events = _NONE
    state.won = _NONE
    for seat in range(SEATS):
        state.points[seat] = 0
    if rules.probe:
        probe.draw_hand(state, rules, chance)
    deal(state, rules, chance, outcome, below(chance.deal, SEATS))


@inlined
def actor(state: Any, rules: Any) -> int:
    """The seat that decides, −1 when the game is over."""
    return state.turn


@inlined
def observe(state: Any, rules: Any, number: int, view: Any) -> None:
    """Writes all that a seat with a perfect memory knows into the view, and nothing else."""
    seat = _U(number)
    view.hand = state.hand[seat]
    view.choices = state.choices
    view.best = state.best
    view.elders = state.elders
    view.gone = state.gone
    view.trick = state.trick
    view.dealt = state.dealt[seat]
    view.winning = state.winning[seat]
    for other in range(SEATS):  # one by one: just written, they would have to wait as four
        view.played[other] = state.played[other]
    copy_four(view, LACKS, state, STATE_LACKS)
    copy_four(view, POINTS, state, STATE_POINTS)
    put_word(view, TABLE, state.table)
    put_word(view, ROLES_WORD, state.roles | (seat << SEAT))
    put_word(view, WON, state.won)


@inlined
def is_legal(state: Any, rules: Any, number: int, move: int) -> bool:
    """Whether the move is legal for the seat whose turn it is (HK-2.2, HK-3, HK-4, HK-5.3, HK-6.1)."""
    decision = byte_of(state.table, DECISION)
    if decision == LEAD:
        return _U(move) <= _LEADS and is_legal_lead(state, number, _U(move))
    if decision == FOLLOW:
        return (_U(move) & ~_FOLLOWS) == _NONE and is_legal_follow(state, rules, number, move)
    return (move | 1) == YES


@inlined
def apply(state: Any, rules: Any, number: int, move: int, chance: Any, outcome: Any) -> None:
    """Takes a decision; then the next one, the next hand, or the end."""
    state.move = move
    state.events = _NONE
    decision, over = byte_of(state.table, DECISION), False
    if decision == LEAD:
        lead(state, rules, number, _U(move), outcome)
    elif decision == FOLLOW:
        if follow(state, rules, number, move, outcome) and end_trick(state, outcome):
            run_out(state, rules, outcome)
            over = True
    else:
        over = _decide(state, rules, number, move == YES, outcome)
    if over:
        next_hand(state, rules, chance, outcome)


@kernel
def _decide(state: Any, rules: Any, seat: int, yes: bool, outcome: Any) -> bool:
    """Five Tigers, call or claim; true if the hand is over."""
    decision = byte_of(state.table, DECISION)
    if decision == FIVE_TIGERS:
        return decide_tigers(state, rules, outcome, seat, yes)
    if decision == CALL:
        if rules.probe | rules.barred[_U(seat)]:
            yes = probe.answer(state, rules, outcome, seat, yes)
        return decide_call(state, rules, outcome, seat, yes)
    return decide_claim(state, rules, outcome, seat, yes)


@kernel
def finish(state: Any, rules: Any, outcome: Any) -> None:
    """Writes what is known at the end: winner, scores, and the counts that follow from others."""
    clauses = outcome.clauses
    outcome.unfinished = clauses[c.E_UNFINISHED]
    outcome.hands_cancelled = clauses[c.E_CANCELLED]
    outcome.hands_without_winner = clauses[c.E_NO_WINNER]
    outcome.hands_played = outcome.hands - outcome.hands_cancelled
    outcome.hands_with_winner = outcome.hands_played - outcome.hands_without_winner
    outcome.active_hands = (SEATS - 1) * outcome.hands
    outcome.tricks = clauses[c.E_SINGLE_LED] + clauses[c.E_RUN_LED] + clauses[c.E_SET_LED]
    outcome.tigers_dealt = clauses[c.E_TIGERS_DEALT]
    outcome.tigers_taken = clauses[c.E_TIGERS_TAKEN]
    for place in range(WINS):
        outcome.moved += outcome.moved_with[place]
        if place >= HIGH - ENOUGH:
            outcome.won_from_10 += outcome.won_with[place]
            outcome.moved_from_10 += outcome.moved_with[place]
    for seat in range(SEATS):
        outcome.scores[seat] = state.points[seat]
        outcome.privileged += outcome.hands_role[seat, c.PRIVILEGED]
    winner = highest_total(state)
    if outcome.unfinished:
        winner = NOBODY
    elif winner == NOBODY:
        fire(state, outcome, c.E_SHARED)
    outcome.winner = winner
