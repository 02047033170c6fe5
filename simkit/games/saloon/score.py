"""What came of a game of Saloon: the ranking, and the counts that follow from others."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.saloon import counts as c
from simkit.games.saloon.rules import LAST_STANDING, RETURN
from simkit.games.saloon.turns import MAX_TURNS_REASON
from simkit.jit import kernel

_U = np.uint64
_BYTE, _SEAT_MASK = _U(8), _U(0xFF)


@kernel
def count_up(state: Any, rules: Any, outcome: Any) -> None:
    """Fills in an outcome at the end of a game."""
    outcome.turns = state.turns
    outcome.payments = state.payments
    outcome.unfinished = np.int32(state.end_reason == MAX_TURNS_REASON)
    outcome.winner = -1
    _rank(state, rules, outcome)
    for seat in range(rules.players):
        outcome.freed[seat] = rules.clients - ones(_U(state.clients[seat]))
        outcome.doubts[seat] = outcome.caught[seat] + outcome.wrong_doubts[seat]
        outcome.clauses[c.C_DRAW] += outcome.draws[seat]
        outcome.clauses[c.C_SWAP] += outcome.swaps[seat]
        outcome.clauses[c.C_HONEST] += outcome.honest[seat]
        outcome.clauses[c.C_BLUFF] += outcome.bluffs[seat]
        outcome.clauses[c.C_BELIEVED_BLUFF] += outcome.believed_bluffs[seat]
        outcome.clauses[c.C_WRONG_DOUBT] += outcome.wrong_doubts[seat]
        outcome.clauses[c.C_CAUGHT] += outcome.caught[seat]
    outcome.clauses[c.C_BELIEVED_HONEST] = outcome.clauses[c.C_HONEST] - outcome.clauses[c.C_WRONG_DOUBT]
    if rules.caught_bluff_cards == RETURN:
        outcome.clauses[c.C_RETURNED] = outcome.clauses[c.C_CAUGHT]
    outcome.clauses[c.C_RESHUFFLED] = outcome.reshuffles
    outcome.clauses[c.C_CLOSED] = state.closed
    outcome.clauses[c.C_UNFINISHED] = outcome.unfinished


@kernel
def _rank(state: Any, rules: Any, outcome: Any) -> None:
    """Those who closed in that order, then the open saloons by their seats (SAL-5.3, SAL-5.4)."""
    rank = np.int64(state.closed)
    for seat in range(rules.players):
        place = np.int64((state.places >> (_BYTE * _U(seat))) & _SEAT_MASK)
        if place == 1:
            outcome.winner = seat
        if place > 0:
            outcome.rank[seat] = place
            outcome.scores[seat] = rules.players - place if rules.play_to == LAST_STANDING else 1
        else:
            rank += 1
            outcome.rank[seat] = rank
