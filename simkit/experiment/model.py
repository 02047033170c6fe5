"""An experiment with everything resolved: what is asked, of which game, under which rules, played by whom."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic_core import PydanticCustomError

from simkit.experiment.faults import dotted, shown

LARGEST_DEALS = 10**12
LARGEST_SEED = 2**64 - 1
DEFAULT_MARGIN = 0.01
ORDER = ("order of strategies",)


def _whole(low: int, high: int) -> BeforeValidator:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise PydanticCustomError("bounds", f"a whole number from {low} to {high}")
        return value

    return BeforeValidator(check)


def _share(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < 1:
        raise PydanticCustomError("bounds", "a number between 0 and 1 (both excluded)")
    return float(value)


def _above_zero(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < math.inf:
        raise PydanticCustomError("bounds", "a number above 0")
    return float(value)


Deals = Annotated[int, _whole(1, LARGEST_DEALS)]
Seed = Annotated[int, _whole(0, LARGEST_SEED)]
Share = Annotated[float, BeforeValidator(_share)]  # a part of 1, such as a margin of win rate
Width = Annotated[float, BeforeValidator(_above_zero)]


class Settings(BaseModel):
    """Base of the models of the kinds' own tables: unknown keys are faults.

    A validator may raise ValueError with what is wrong; `info.context` holds `game` (GameInfo, None when there is no
    such game), `rules` (values by name), `strategies` (the labels of the pool) and `parameters` (by label, then name),
    all without those that have faults, `until` (whether the experiment has that key), and `file`, which gives what is
    known of a strategy of the pool (StrategyInfo) by its label.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)


class Until(BaseModel):
    """Play until the 95 % interval of the headline is no wider than ± `half_width`, in its own unit (0.01: a point)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    half_width: Width
    max_deals: Deals | None = None


class ParameterInfo(Protocol):
    """A parameter of a strategy: its type (bool, int or float) and default."""

    @property
    def type(self) -> type: ...  # noqa: D102
    @property
    def default(self) -> Any: ...  # noqa: D102


class StrategyInfo(Protocol):
    """What an experiment has to know of a strategy. `source_hash` changes with whatever decides its moves."""

    @property
    def parameters(self) -> Mapping[str, ParameterInfo]: ...  # noqa: D102
    @property
    def source_hash(self) -> str: ...  # noqa: D102


class GameInfo(Protocol):
    """What an experiment has to know of a game (`simkit.games.base.Game` is one)."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def options(self) -> tuple[Any, ...]: ...  # noqa: D102
    def check_rules(self, values: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Faults of combinations of rules as (option, what is wrong)."""
        ...


class Known(Protocol):
    """All that names in an experiment can refer to."""

    @property
    def games(self) -> Mapping[str, GameInfo]:
        """Games by name."""
        ...

    @property
    def kinds(self) -> Mapping[str, type[BaseModel]]:
        """Kinds of question by name, each with the model of its own table."""
        ...

    @property
    def experiments(self) -> Mapping[str, Path]:
        """The experiments that have a name: the workspace's and the shipped ones."""
        ...

    def strategies(self, game: str) -> Mapping[str, StrategyInfo]:
        """The strategies of a game by name."""
        ...

    def resolve_strategy(self, game: str, use: str, base_dir: Path) -> StrategyInfo:
        """The strategy in a file; `use` is relative to `base_dir`. Raises SimkitError when it is none for that game."""
        ...


@dataclass(frozen=True)
class StrategyUse:
    """A strategy as the pool of an experiment has it.

    Attributes:
        label: its name in this experiment.
        use: the strategy's name, or the absolute path of its file.
        parameters: all its parameters, defaults filled in.
        source_hash: of the strategy's source (see StrategyInfo).
    """

    label: str
    use: str
    parameters: dict[str, bool | int | float]
    source_hash: str = ""

    @property
    def is_path(self) -> bool:
        """Whether it is a file of its own rather than a name."""
        return os.path.isabs(self.use)


@dataclass(frozen=True)
class Experiment:
    """One question of one game. Two are equal when all but the file they were read from is the same.

    Attributes:
        name: the file's stem.
        path: the file; None when it was read from a text.
        kind: kind of question.
        game: the game's name.
        settings: the kind's own table.
        strategies: the pool by label, in the order of the file.
        rules: every option of the game with its value.
        changed_rules: names of the rules whose value is not the default.
        deals, until: how many deals to play, or when to stop; one of them is None.
        seed: 0 … 2^64 − 1.
        margin: what difference in win rate matters to the designer, as a part of 1.
        require: "<subject>.<verdict>" → whether that verdict must hold.
        keep_games: keep a row for every game.
        always_valid: make intervals that hold however often one looks at the run.
        title, about: the question in the designer's words, and more text; empty when not given.
    """

    name: str = field(compare=False)
    path: Path | None = field(compare=False)
    kind: str
    game: str
    settings: BaseModel
    strategies: dict[str, StrategyUse]
    rules: dict[str, Any]
    changed_rules: tuple[str, ...]
    deals: int | None
    until: Until | None
    seed: int = 0
    margin: float = DEFAULT_MARGIN
    require: dict[str, bool] = field(default_factory=dict)
    keep_games: bool = False
    always_valid: bool = False
    title: str = ""
    about: str = ""

    def to_toml(self) -> str:
        """The experiment as a TOML text with everything resolved; it reads back as an equal experiment."""
        import tomlkit

        table: dict[str, Any] = {"title": self.title, "about": self.about}
        table = {key: text for key, text in table.items() if text}
        table |= {"question": self.kind, "game": self.game, "deals": self.deals, "seed": self.seed}
        table |= {"margin": self.margin, "keep_games": self.keep_games, "always_valid": self.always_valid or None}
        table["until"] = self.until and self.until.model_dump(exclude_none=True)
        table["rules"] = self.rules
        table["strategies"] = {s.label: _inline_table(s) for s in self.strategies.values()}
        table |= {self.kind: self._settings(), "require": self.require}
        return tomlkit.dumps({key: value for key, value in table.items() if value is not None})

    def identity(self) -> dict[str, Any]:
        """What decides the results, as JSON can hold it: everything but deals, until, texts and where files lie."""
        return {
            "question": self.kind,
            "game": self.game,
            "seed": self.seed,
            "margin": self.margin,
            "keep_games": self.keep_games,
            **({"always_valid": True} if self.always_valid else {}),
            "rules": self.rules,
            "strategies": {s.label: _strategy_identity(s) for s in self.strategies.values()},
            ORDER[0]: list(self.strategies),
            self.kind: self._settings(),
            "require": self.require,
        }

    def fingerprint(self) -> str:
        """SHA-256 (hex) of `identity`: equal for experiments whose results can be added up."""
        text = json.dumps(self.identity(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def differences(
        self, other: Experiment | Mapping[str, Any], places: tuple[str, str] = ("in the run", "now")
    ) -> list[str]:
        """In words, how this experiment differs from that of a run (or from its `identity`): empty when in nothing.

        `places` are the words for where the other one and this one stand.
        """
        before = other.identity() if isinstance(other, Experiment) else other
        return list(_differences((), before, self.identity(), places))

    def _settings(self) -> dict[str, Any]:
        return self.settings.model_dump(mode="json", by_alias=True, exclude_none=True)


def _inline_table(strategy: StrategyUse) -> Any:
    import tomlkit

    table = tomlkit.inline_table()
    table.update(({} if strategy.use == strategy.label else {"use": strategy.use}) | strategy.parameters)
    return table


def _strategy_identity(strategy: StrategyUse) -> dict[str, Any]:
    use = Path(strategy.use).name if strategy.is_path else strategy.use
    return {"use": use, "source": strategy.source_hash, "parameters": strategy.parameters}


def _differences(
    key: tuple[str, ...], before: Mapping[str, Any], now: Mapping[str, Any], places: tuple[str, str]
) -> Iterator[str]:
    for name in dict.fromkeys([*before, *now]):
        inner, old, new = (*key, name), before.get(name), now.get(name)
        if inner == ORDER and set(old or ()) != set(new or ()):
            continue  # the strategies that came or went are named
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from _differences(inner, old, new, places)
        elif old != new:
            yield _difference(inner, old, new, places)


def _difference(key: tuple[str, ...], old: Any, new: Any, places: tuple[str, str]) -> str:
    there, here = places
    if key[0] == "strategies" and len(key) == 3 and key[2] == "source":
        return f"{dotted(key[:2])}: its source is not the one {there}"
    if key == ORDER:
        return f"strategies: {', '.join(old or ())} {there}, {', '.join(new or ())} {here}"
    where = dotted(k for i, k in enumerate(key) if not (key[0] == "strategies" and i == 2 and k == "parameters"))
    then = f"not {there}" if old is None else f"{_short(old)} {there}"
    return f"{where}: {then}, {'not there' if new is None else _short(new)} {here}"


def _short(value: Any) -> str:
    return "there" if isinstance(value, Mapping) else shown(value)
