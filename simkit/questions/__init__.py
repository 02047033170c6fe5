"""Kinds of question, one file each: the arms it needs, its tables, charts and verdicts."""

from __future__ import annotations

from simkit.questions import card_strength, duel, opening_value, rule_coverage, seat_advantage, shape, sweep
from simkit.questions.base import Asked, Kind

_MODULES = (card_strength, sweep, seat_advantage, opening_value, shape, rule_coverage, duel)
KINDS: dict[str, Kind] = {module.KIND.name: module.KIND for module in _MODULES}

__all__ = ["KINDS", "Asked", "Kind"]
