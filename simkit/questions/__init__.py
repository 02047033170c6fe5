"""Kinds of question, one file each: the arms it needs, its tables, charts and verdicts."""

from __future__ import annotations

from simkit.questions import (
    card_strength,
    dominant_strategy,
    duel,
    fair_rule,
    opening_value,
    rule_coverage,
    seat_advantage,
    sensitivity,
    shape,
    sweep,
    tournament,
)
from simkit.questions.base import Asked, FollowUp, Kind

_MODULES = (
    card_strength, sweep, fair_rule, seat_advantage, opening_value, duel, tournament, dominant_strategy, sensitivity,
    shape, rule_coverage,
)  # fmt: skip
KINDS: dict[str, Kind] = {module.KIND.name: module.KIND for module in _MODULES}

__all__ = ["KINDS", "Asked", "FollowUp", "Kind"]
