"""The laboratory's hand in the calls of Hakka cards: a probe of one call, and players barred from calling out of turn.

A probe tells what a call is worth: games that are identical up to one question to `probe_seat` go on with a call, a
pass, or a pass at it and at all such questions after it. `rules.probe` says which (0 for none); all modes of a decision
draw the same random number from the stream of shuffles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.hakka.counts import BAR_OUT_OF_TURN
from simkit.games.hakka.moves import NO, YES, longest
from simkit.games.hakka.state import SEATS
from simkit.games.hakka.words import DEALER, PASSES, byte_of, hands_of
from simkit.jit import kernel
from simkit.rng import below

OUT_OF_TURN, OUT_OF_TURN_NEVER, OUT_OF_TURN_LATER, CALL, CALL_NEVER, CALL_LATER = 1, 2, 3, 4, 5, 6
HAS_COME = 0

_U = np.uint64


@kernel
def draw_hand(state: Any, rules: Any, chance: Any) -> None:
    """Draws the hand from which on the probe comes, with the first such question to its seat."""
    state.probe_at = 1 + below(chance.shuffle, rules.hands)


@kernel
def answer(state: Any, rules: Any, outcome: Any, seat: int, call: bool) -> bool:
    """What becomes of a call or a pass; the move is changed with it."""
    out_of_turn = seat != byte_of(state.roles, DEALER)
    if rules.probe and seat == rules.probe_seat and out_of_turn == (rules.probe <= OUT_OF_TURN_LATER):
        call = _probed(state, rules, outcome, seat, call)
    if out_of_turn and rules.barred[_U(seat)] & BAR_OUT_OF_TURN:
        call = False
    state.move = YES if call else NO
    return call


@kernel
def _probed(state: Any, rules: Any, outcome: Any, seat: int, call: bool) -> bool:
    """The answer to a question of the kind that is probed."""
    if state.probe_at == HAS_COME:
        return call and rules.probe != OUT_OF_TURN_NEVER and rules.probe != CALL_NEVER
    if hands_of(state.won) + 1 < state.probe_at:
        return call
    state.probe_at = HAS_COME
    _note(state, outcome, seat)
    now: bool = rules.probe == OUT_OF_TURN or rules.probe == CALL
    return now


@kernel
def _note(state: Any, outcome: Any, seat: int) -> None:
    """Writes what the player knew."""
    hand = state.hand[_U(seat)]
    outcome.probe_turn = hands_of(state.won) + 1
    outcome.probe_passes = byte_of(state.roles, PASSES)
    outcome.probe_elders = ones(hand & state.elders)
    outcome.probe_longest = ones(longest(hand))
    for other in range(SEATS):
        outcome.probe_ahead += state.points[other] > state.points[_U(seat)]
