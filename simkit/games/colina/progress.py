"""How far a game of Colina has come, for all to see: what a lead is counted in, and how near the end is."""

from __future__ import annotations

from typing import Any

from simkit.jit import kernel


@kernel
def progress(state: Any, rules: Any, seat: int) -> int:
    """The seat's TP."""
    return state.seats[seat].points


@kernel
def stage(state: Any, rules: Any) -> int:
    """The TP that both have lost."""
    return 2 * rules.start_points - state.seats[0].points - state.seats[1].points
