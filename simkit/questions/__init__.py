"""Kinds of question, a folder each: what is played, tables, charts, verdicts. What they share stands beside them."""

from __future__ import annotations

from simkit.questions.base import Asked, FollowUp, Kind
from simkit.questions.card_strength.question import KIND as CARD_STRENGTH
from simkit.questions.dominant_strategy.question import KIND as DOMINANT_STRATEGY
from simkit.questions.duel.question import KIND as DUEL
from simkit.questions.fair_rule.question import KIND as FAIR_RULE
from simkit.questions.opening_value.question import KIND as OPENING_VALUE
from simkit.questions.rule_coverage.question import KIND as RULE_COVERAGE
from simkit.questions.seat_advantage.question import KIND as SEAT_ADVANTAGE
from simkit.questions.sensitivity.question import KIND as SENSITIVITY
from simkit.questions.shape.question import KIND as SHAPE
from simkit.questions.sweep.question import KIND as SWEEP
from simkit.questions.tournament.question import KIND as TOURNAMENT

_ALL = (
    CARD_STRENGTH, SWEEP, FAIR_RULE, SEAT_ADVANTAGE, OPENING_VALUE, DUEL, TOURNAMENT, DOMINANT_STRATEGY, SENSITIVITY,
    SHAPE, RULE_COVERAGE,
)  # fmt: skip
KINDS: dict[str, Kind] = {kind.name: kind for kind in _ALL}

__all__ = ["KINDS", "Asked", "FollowUp", "Kind"]
