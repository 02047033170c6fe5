"""How far a game of Lost Cities has come, for all to see: what a lead is counted in, and how near the end is."""

from __future__ import annotations

from typing import Any

from simkit.games.lost_cities.cards import CARDS
from simkit.games.lost_cities.moves import laid_in, score_of
from simkit.jit import kernel


@kernel
def progress(state: Any, rules: Any, seat: int) -> int:
    """The seat's points of the rounds before, and what its expeditions would score as they lie (LC-4.3)."""
    own = state.seats[seat]
    points = own.score
    if state.over == 0:  # afterwards the last round is in the score
        for colour in range(rules.colors):
            points += score_of(rules, laid_in(own, colour))
    return points


@kernel
def stage(state: Any, rules: Any) -> int:
    """A number that rises with every card that leaves the draw pile, over all rounds."""
    return state.round * CARDS - state.pile
