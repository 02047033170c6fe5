"""Rigged dice in words, for faults of strategies."""

from __future__ import annotations

import numpy as np


def move_words(view: np.void, move: int) -> str:
    """A move in words."""
    return f"throw {move & 3} with cards {move >> 2}"


def view_words(view: np.void) -> str:
    """What a seat saw."""
    return f"seat {view['seat']}, may play cards {view['playable']}"
