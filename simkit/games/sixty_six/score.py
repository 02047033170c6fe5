"""How a deal of Sixty-Six ends, and a match: SS-6.3 and SS-7."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.sixty_six import counts as c
from simkit.games.sixty_six.cards import FOLLOW_GOAL, GOAL, NINES, QUEENS
from simkit.games.sixty_six.rules import MAX_DEALS, WINS
from simkit.games.sixty_six.turns import fire
from simkit.games.sixty_six.words import (
    CLOSER,
    GAME_POINTS,
    NONE,
    byte_of,
    game_points_of,
    pending_of,
    points_of,
    tricks_of,
)
from simkit.jit import kernel

# Why a deal ended, in the words of transcripts.
REASONS = ("66", "failed_close", "last_trick", "no_winner")
BY_66, FAILED_CLOSE, LAST_TRICK, NO_WINNER = range(len(REASONS))
NOBODY = -1

_U = np.uint64


@kernel
def winner_worth(points: int, tricks: int) -> int:
    """The game points of a deal's winner, by the points and tricks of the other (SS-7.2)."""
    if points >= FOLLOW_GOAL:
        return 1
    return 2 if tricks > 0 else 3


@kernel
def judge(state: Any, rules: Any, seat: int) -> None:
    """Who has won the deal, for how much and why; `seat` won the last trick or declared the last marriage."""
    reached = points_of(state.standing[_U(seat)]) >= GOAL
    closer = byte_of(state.table, CLOSER)
    state.end_seat = seat
    state.end_winner = seat
    state.end_reason = BY_66 if reached else LAST_TRICK
    if closer != NONE and (closer != seat or not reached):  # SS-6.3
        state.end_winner = 1 - closer
        state.end_reason = FAILED_CLOSE
        state.end_worth = rules.failed_close_points
    elif reached or rules.last_trick == WINS:
        theirs = state.standing[_U(1 - seat)]
        state.end_worth = winner_worth(points_of(theirs), tricks_of(theirs))
    else:  # SS-7.3
        state.end_winner = NOBODY
        state.end_reason = NO_WINNER
        state.end_worth = 0


@kernel
def end_deal(state: Any, rules: Any, outcome: Any, seat: int) -> None:
    """Counts a deal that is over; `seat` won its last trick, or declared the marriage that ended it."""
    judge(state, rules, seat)
    _fire_end(state, outcome, seat)
    winner, closer = state.end_winner, byte_of(state.table, CLOSER)
    if winner >= 0:
        state.standing[_U(winner)] += _U(state.end_worth * GAME_POINTS)
        outcome.deals_won[_U(winner)] += 1
    else:
        outcome.no_winner += 1
    if closer != NONE:
        outcome.closes_won[_U(closer)] += winner == closer
        outcome.failed_closes[_U(closer)] += winner != closer
    for number in range(2):
        standing = state.standing[number]
        state.end_points[number] = points_of(standing)
        outcome.points[number] += points_of(standing)
        outcome.won_tricks[number] += tricks_of(standing)
        _count_subjects(state.held[number], state.trumps, outcome.drawn[number])
    state.deals += 1


@kernel
def _fire_end(state: Any, outcome: Any, seat: int) -> None:
    """The clauses that ended the deal, and pending points that are lost (SS-5.2)."""
    reason, worth = state.end_reason, state.end_worth
    if pending_of(state.standing[0] | state.standing[1]) > 0:
        fire(state, outcome, c.E_LOST)
    if reason == FAILED_CLOSE:
        points = points_of(state.standing[_U(state.end_winner)])
        fire(state, outcome, c.E_OVERTAKEN if points >= GOAL else c.E_SHORT)
    elif reason == NO_WINNER:
        fire(state, outcome, c.E_NO_WINNER)
    elif reason == LAST_TRICK:
        fire(state, outcome, c.E_LAST_TRICK)
    if reason in (BY_66, LAST_TRICK):
        if worth == 2:
            fire(state, outcome, c.E_TWO)
        elif worth == 3:
            fire(state, outcome, c.E_THREE)


@kernel
def _count_subjects(held: np.uint64, trumps: np.uint64, counts: Any) -> None:
    """Adds to `counts` what a set of nines and of queens with their king holds of each subject."""
    counts[0] += (held & QUEENS & trumps) != _U(0)
    counts[1] += ones(held & QUEENS & ~trumps)
    counts[2] += (held & NINES & trumps) != _U(0)


@kernel
def count_opening(state: Any, outcome: Any) -> None:
    """Counts the subjects in the hands just dealt."""
    for number in range(2):
        _count_subjects(state.held[number], state.trumps, outcome.opening[number])


@kernel
def most_game_points(state: Any) -> Any:
    """The game points of the player who is ahead."""
    return max(game_points_of(state.standing[0]), game_points_of(state.standing[1]))


@kernel
def is_last_deal(state: Any, rules: Any) -> Any:
    """Whether the game is over with the deals that are (SS-7.4)."""
    return rules.match_points == 0 or most_game_points(state) >= rules.match_points or state.deals >= MAX_DEALS
