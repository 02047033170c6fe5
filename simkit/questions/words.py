"""Command lines that show or reproduce what a report speaks of."""

from __future__ import annotations

import shlex

from simkit.experiment import StrategyUse
from simkit.questions.base import Asked, Lineup


def strategy_text(use: StrategyUse) -> str:
    """A strategy with its parameters as the command line takes it."""
    values = ",".join(f"{k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in use.parameters.items())
    return f"{use.use}:{values}" if values else use.use


def replay_command(asked: Asked, lineup: Lineup, deal: int) -> str:
    """The command that tells one deal of a run."""
    experiment = asked.experiment
    names = [strategy_text(experiment.strategies[label]) for label in lineup]
    rules = [f"-s rules.{name}={toml_value(experiment.rules[name])}" for name in experiment.changed_rules]
    words = ["simkit replay", experiment.game, *map(shlex.quote, names), *rules]
    return " ".join([*words, f"--seed {experiment.seed} --deal {deal}"])


def toml_value(value: object) -> str:
    """A rule's value as a command line takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(toml_value(v) for v in value) + "]"
    return str(value)
