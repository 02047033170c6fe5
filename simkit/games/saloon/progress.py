"""How far a game of Saloon has come, for all to see: what a lead is counted in, and how near the end is."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.jit import kernel

_U = np.uint64


@kernel
def progress(state: Any, rules: Any, seat: int) -> int:
    """The clients that the seat has freed."""
    return rules.clients - ones(_U(state.clients[seat]))


@kernel
def stage(state: Any, rules: Any) -> int:
    """The clients that all have freed."""
    freed = 0
    for seat in range(rules.players):
        freed += progress(state, rules, seat)
    return freed
