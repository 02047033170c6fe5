"""Kinds of question, one file each: the arms it needs, its tables, charts and verdicts."""

from __future__ import annotations

from simkit.questions import card_strength, seat_advantage, sweep
from simkit.questions.base import Asked, Kind

KINDS: dict[str, Kind] = {kind.name: kind for kind in (card_strength.KIND, sweep.KIND, seat_advantage.KIND)}

__all__ = ["KINDS", "Asked", "Kind"]
