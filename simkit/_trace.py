"""THE game loop once more, with a look at every position before its decision: how a game goes, beside what came of it.

Not used as it stands, as simkit._loop is not: simkit.driver makes a copy for each game, with that game's functions and
its own `begin` and `step`, so that the games are those of a plain run to the last bit. It is compiled when a plan asks.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np

from simkit.jit import kernel
from simkit.trace import BITS, SAMPLES

if TYPE_CHECKING:
    from simkit._loop import begin, step
    from simkit.games.colina.kernel import actor, observe
    from simkit.games.colina.moves import count_moves
    from simkit.games.colina.progress import progress, stage
    from simkit.games.hakka.holdings import holding, using

PLAYING, OVER, ILLEGAL = 0, 1, 2
MOST_MOVES = 1 << 31  # more legal moves of one decision count as so many: sums must fit int64

_U = np.uint64


@kernel
def play_traced(
    table: Any, outcomes: Any, traces: Any, strategies: Any, seed: np.uint64, first: np.uint64, rotations: int
) -> int:
    """As simkit._loop.play, and fills the game's zeroed record in `traces` (simkit.trace.trace_dtype)."""
    for game in range(len(outcomes)):
        outcome, trace = outcomes[game], traces[game]
        begin(table, outcome, seed, first + _U(game // rotations), game % rotations)
        trace.every = 1
        trace.leader = -1
        if trace.cards:
            note_deal(table, trace)
        status = PLAYING
        while status == PLAYING:
            look(table, trace)
            status = step(table, outcome, strategies)
            if trace.cards and status == PLAYING:
                note_move(table, trace)
        if status == ILLEGAL:
            return ILLEGAL
    return OVER


@kernel
def look(table: Any, trace: Any) -> None:
    """Notes the position, and the decision that is to be made in it, if the game is not over."""
    rules = table.rules[table.rotation]
    note_lead(table, rules, trace)
    if trace.cards:
        note_hands(table, rules, trace)
    seat = actor(table.state, rules)
    if seat < 0:
        return
    note_position(table, rules, trace, seat)
    observe(table.state, rules, seat, table.sight)  # `step` writes it anew for the player
    moves = count_moves(table.sight, rules)
    trace.decisions[seat] += 1
    trace.forced[seat] += moves == 1
    trace.moves[seat] += min(moves, MOST_MOVES)
    trace.bits[seat] += np.int64(BITS * log2(moves) + 0.5)


@kernel
def note_lead(table: Any, rules: Any, trace: Any) -> None:
    """How far each seat is behind, and whether the lead has passed from one to another; a tie is nobody's lead."""
    best, second, leader = np.int64(0), np.int64(0), -1
    for seat in range(table.seats):
        now = np.int64(progress(table.state, rules, seat))
        trace.now[seat] = now
        if seat == 0 or now > best:
            best, second, leader = now, best, seat
            if seat == 0:
                second = now - 1
        elif seat == 1 or now > second:
            second = now
    for seat in range(table.seats):
        trace.behind_most[seat] = max(trace.behind_most[seat], best - trace.now[seat])
    if second < best:
        trace.lead_changes += trace.leader >= 0 and trace.leader != leader
        trace.leader = leader


@kernel
def note_deal(table: Any, trace: Any) -> None:
    """What each seat was dealt, before the first decision."""
    rules = table.rules[table.rotation]
    for seat in range(table.seats):
        for kind in range(trace.dealt.shape[1]):
            trace.dealt[seat, kind] = holding(table.state, rules, seat, kind)


@kernel
def note_hands(table: Any, rules: Any, trace: Any) -> None:
    """What each seat holds now, where that is more than ever before."""
    for seat in range(table.seats):
        for kind in range(trace.dealt.shape[1]):
            trace.held[seat, kind] = max(trace.held[seat, kind], holding(table.state, rules, seat, kind))


@kernel
def note_move(table: Any, trace: Any) -> None:
    """What the last move played; the view is still the one that it was chosen by."""
    for kind in range(trace.dealt.shape[1]):
        trace.played[table.seat, kind] += using(table.sight, table.rules[table.rotation], table.move, kind)


@kernel
def no_holding(state: Any, rules: Any, seat: int, kind: int) -> int:
    """The `holding` of a game none of whose cards are looked for."""
    return 0


@kernel
def no_using(view: Any, rules: Any, move: int, kind: int) -> int:
    """The `using` of such a game."""
    return 0


@kernel
def no_progress(state: Any, rules: Any, seat: int) -> int:
    """The `progress` of a game that has none: nobody is ever ahead."""
    return 0


@kernel
def no_stage(state: Any, rules: Any) -> int:
    """The `stage` of a game that has none."""
    return 0


@kernel
def note_position(table: Any, rules: Any, trace: Any, turn: int) -> None:
    """Keeps the position if it is one of those that are kept, and only every second one once there are too many."""
    made = np.int64(0)
    for seat in range(table.seats):
        made += trace.decisions[seat]
    if made % trace.every:
        return
    if trace.samples == SAMPLES:
        trace.samples //= 2
        trace.every *= 2
        for kept in range(trace.samples):
            trace.stage[kept] = trace.stage[2 * kept]
            trace.turn[kept] = trace.turn[2 * kept]
            for seat in range(table.seats):
                trace.progress[kept, seat] = trace.progress[2 * kept, seat]
    place = trace.samples
    trace.stage[place] = stage(table.state, rules)
    trace.turn[place] = turn
    for seat in range(table.seats):
        trace.progress[place, seat] = trace.now[seat]
    trace.samples += 1
