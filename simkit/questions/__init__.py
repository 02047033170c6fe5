"""Kinds of question, one file each: the arms it needs, its tables, charts and verdicts."""

from __future__ import annotations

from simkit.questions import (
    card_strength,
    dominant_strategy,
    opening_value,
    seat_advantage,
    sensitivity,
    sweep,
    tournament,
)
from simkit.questions.base import Asked, Kind

_MODULES = (card_strength, sweep, seat_advantage, opening_value, dominant_strategy, sensitivity, tournament)
KINDS: dict[str, Kind] = {module.KIND.name: module.KIND for module in _MODULES}

__all__ = ["KINDS", "Asked", "Kind"]
