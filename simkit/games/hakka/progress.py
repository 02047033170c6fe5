"""How far a game of Hakka cards has come, for all to see: what a lead is counted in, and how near the end is."""

from __future__ import annotations

from typing import Any

from simkit.games.hakka.state import SEATS
from simkit.games.hakka.words import hands_of, tricks_of
from simkit.jit import kernel

TRICKS_OF_A_HAND = 12


@kernel
def progress(state: Any, rules: Any, seat: int) -> int:
    """The seat's points of the hands before, and the tricks that it has won in this one."""
    if state.turn < 0:  # the last hand is in the points
        return state.points[seat]
    return state.points[seat] + tricks_of(state.won, seat)


@kernel
def stage(state: Any, rules: Any) -> int:
    """Twelve for each hand that is over, cancelled ones left out, and the tricks of this one."""
    tricks = TRICKS_OF_A_HAND * hands_of(state.won)
    for seat in range(SEATS):
        tricks += tricks_of(state.won, seat)
    return tricks
