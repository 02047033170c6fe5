"""THE game loop once more, in which one decision of player 0 is made by a strategy of its own.

Not used as it stands, as simkit._loop is not: simkit.driver makes a copy for each game, with that game's functions and
its own `begin` and `step`, so that up to that decision the games are those of a plain run to the last bit. It is
compiled when a plan asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simkit.branch import CHOICE, NOBODY, WHEN
from simkit.jit import kernel
from simkit.rng import BRANCH, open_stream

if TYPE_CHECKING:
    from simkit._loop import begin, step
    from simkit.games.colina.kernel import actor, apply, is_legal, observe

PLAYING, OVER, ILLEGAL = 0, 1, 2

_U = np.uint64


@kernel
def play_branched(
    table: Any,
    outcomes: Any,
    branches: Any,
    fork: Any,
    strategies: Any,
    functions: Any,
    seed: np.uint64,
    first: np.uint64,
    rotations: int,
) -> int:
    """As simkit._loop.play, and fills the game's zeroed record in `branches` (simkit.branch.BRANCH).

    `fork` is the record of what the branch has of its own (simkit.driver.FORK); `functions` tell when it comes and make
    the move then.
    """
    for game in range(len(outcomes)):
        outcome, branch = outcomes[game], branches[game]
        deal = first + _U(game // rotations)
        begin(table, outcome, seed, deal, game % rotations)
        open_stream(fork.stream, seed, _U(BRANCH), deal)
        before = table.decisions
        status = PLAYING
        while status == PLAYING:
            if branch.branch_turn == 0 and comes(table, branch, fork, functions):
                branch.branch_turn = table.decisions - before + 1
                status = choose(table, outcome, fork, functions)
            elif fork.asked == WHEN:  # what it said is the number of no class
                status = ILLEGAL
            else:
                status = step(table, outcome, strategies)
        if status == ILLEGAL:
            return ILLEGAL
    return OVER


@kernel
def comes(table: Any, branch: Any, fork: Any, functions: Any) -> bool:
    """Whether the decision at hand is player 0's and the one that is looked for; notes its class."""
    rules = table.rules[table.rotation]
    if actor(table.state, rules) != table.rotation:  # where player 0 sits
        return False
    table.seat = table.rotation
    observe(table.state, rules, table.seat, table.sight)
    fork.asked = WHEN
    fork.found = functions[WHEN](table.sight, table.seen_rules[table.rotation], fork.params[WHEN], fork.stream)
    if fork.found < -1 or fork.found >= fork.classes:
        return False
    fork.asked = NOBODY
    if fork.found < 0:
        return False
    branch.branch_class = fork.found
    return True


@kernel
def choose(table: Any, outcome: Any, fork: Any, functions: Any) -> int:
    """The decision itself, as simkit._loop.step, by the strategy of the branch with its own stream."""
    rules = table.rules[table.rotation]
    observe(table.state, rules, table.seat, table.sight)
    fork.asked = CHOICE
    move = functions[CHOICE](table.sight, table.seen_rules[table.rotation], fork.params[CHOICE], fork.stream)
    table.move = move
    if not is_legal(table.state, rules, table.seat, move):
        return ILLEGAL
    fork.asked = NOBODY
    apply(table.state, rules, table.seat, move, table.chance, outcome)
    table.decisions += 1
    return PLAYING
