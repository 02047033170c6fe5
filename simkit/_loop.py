"""THE game loop, once, for all games.

Not used as it stands: simkit.driver makes a copy of this module for each game, in which the names imported below for
type checkers are that game's compiled functions, so that the calls are direct and can be inlined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simkit.jit import inlined, kernel, one_of
from simkit.rng import DEAL, FIRST_PLAYER, SHUFFLE, open_stream

if TYPE_CHECKING:
    from simkit.games.colina.kernel import actor, apply, finish, is_legal, observe, setup
    from simkit.games.colina.moves import count_moves, nth_move

PLAYING, OVER, ILLEGAL = 0, 1, 2

_U = np.uint64


@inlined
def begin(table: Any, outcome: Any, seed: np.uint64, deal: np.uint64, rotation: int) -> None:
    """Opens the random streams of a deal and sets the game up; player p sits at seat (p + rotation) mod seats."""
    table.deal = deal
    table.rotation = rotation
    open_stream(table.chance.deal, seed, _U(DEAL), deal)
    open_stream(table.chance.shuffle, seed, _U(SHUFFLE), deal)
    for player in range(table.seats):
        open_stream(table.streams[player], seed, _U(FIRST_PLAYER + player), deal)
    setup(table.state, table.rules[rotation], table.chance, outcome)


@inlined
def step(table: Any, outcome: Any, strategies: Any) -> int:
    """One decision: asks the player whose turn it is, checks the move, applies it. PLAYING, OVER or ILLEGAL."""
    rules = table.rules[table.rotation]
    seat = actor(table.state, rules)
    if seat < 0:
        finish(table.state, rules, outcome)
        return OVER
    table.seat = seat
    player = seat - table.rotation
    if player < 0:
        player += table.seats
    observe(table.state, rules, seat, table.sight)
    # The strategy gets copies: of what its seat may see, and of the rules.
    move = one_of(strategies, player)(
        table.sight, table.seen_rules[table.rotation], table.params[player], table.streams[player]
    )
    table.move = move
    if not is_legal(table.state, rules, seat, move):
        return ILLEGAL
    apply(table.state, rules, seat, move, table.chance, outcome)
    table.decisions += 1
    return PLAYING


@kernel
def play(table: Any, outcomes: Any, strategies: Any, seed: np.uint64, first: np.uint64, rotations: int) -> int:
    """Plays deals first, first + 1, … in all rotations; outcomes is (deals × rotations,) of zeroed OUTCOME records.

    Returns OVER, or ILLEGAL at the first illegal move, with the table as it was then.
    """
    for game in range(len(outcomes)):
        outcome = outcomes[game]
        begin(table, outcome, seed, first + _U(game // rotations), game % rotations)
        status = PLAYING
        while status == PLAYING:
            status = step(table, outcome, strategies)
        if status == ILLEGAL:
            return ILLEGAL
    return OVER


@kernel
def legal_moves(table: Any, moves: Any) -> int:
    """Fills `moves` (int64) with the legal moves of the seat that the view was made for; returns their number."""
    rules = table.rules[table.rotation]
    observe(table.state, rules, table.seat, table.sight)
    n = count_moves(table.sight, rules)
    for i in range(min(n, len(moves))):
        moves[i] = nth_move(table.sight, rules, i)
    return n
