"""What a report says about the run behind it: plain data, no arrays, ready for JSON by `dataclasses.asdict`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Status = Literal["complete", "interrupted"]


@dataclass(frozen=True)
class RuleFact:
    """One rule as it was played.

    Attributes:
        option: the option's name, as the experiment writes it.
        value: its value as text.
        changed: whether the experiment changed it from the game's default.
        clause: the clause of the rule document ("COL-4.5").
        about: what the option does, in one sentence.
    """

    option: str
    value: str
    changed: bool = False
    clause: str = ""
    about: str = ""


@dataclass(frozen=True)
class StrategyFact:
    """One strategy of the run: its label, its parameters as text, and its idea in one sentence."""

    label: str
    parameters: str = ""
    about: str = ""


@dataclass(frozen=True)
class RunFacts:
    """The circumstances of a run.

    Attributes:
        experiment, game, question: names, as the experiment writes them; `question` is its kind ("card_strength").
        status: whether all deals were played.
        deals, games: how many were played.
        seed: the run's 64-bit seed.
        margin: the difference that matters to the designer, as a fraction of 1; None when the question has none.
        rules, strategies: as resolved.
        warnings: rules that may not be meant, a sentence each.
        versions: name -> version of simkit, python, numba and numpy.
        command: the one line that reproduces the run bit for bit.
        seconds: how long it took.
        date: the day it ended, "2026-05-01".
    """

    experiment: str
    game: str
    question: str
    status: Status
    deals: int
    games: int
    seed: int
    margin: float | None = None
    rules: tuple[RuleFact, ...] = ()
    strategies: tuple[StrategyFact, ...] = ()
    warnings: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)
    command: str = ""
    seconds: float = 0.0
    date: str = ""
