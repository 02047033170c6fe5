"""Experiments: TOML text → Experiment, with every fault of the text at once, each with its line."""

from simkit.experiment.load import load, loads
from simkit.experiment.model import (
    Deals,
    Experiment,
    GameInfo,
    Known,
    ParameterInfo,
    Seed,
    Settings,
    Share,
    StrategyInfo,
    StrategyUse,
    Until,
)
from simkit.experiment.overrides import parse_overrides, strategy_spec
from simkit.experiment.resolve import match_rules, resolve_spec

__all__ = [
    "Deals",
    "Experiment",
    "GameInfo",
    "Known",
    "ParameterInfo",
    "Seed",
    "Settings",
    "Share",
    "StrategyInfo",
    "StrategyUse",
    "Until",
    "load",
    "loads",
    "match_rules",
    "parse_overrides",
    "resolve_spec",
    "strategy_spec",
]
