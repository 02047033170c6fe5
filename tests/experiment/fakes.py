"""Games, strategies and kinds of question small enough to see through; the rule options are Colina's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationInfo, field_validator

from simkit.errors import SimkitError, StrategyError, UsageError
from simkit.experiment import Settings
from simkit.games.colina.rules import OPTIONS
from simkit.games.options import Integer


@dataclass(frozen=True)
class FakeParameter:
    type: type
    default: Any


@dataclass(frozen=True)
class FakeStrategy:
    parameters: Mapping[str, FakeParameter] = field(default_factory=dict)
    source_hash: str = "a1"


@dataclass(frozen=True)
class FakeGame:
    name: str
    options: tuple[Any, ...]

    def check_rules(self, values: Mapping[str, Any]) -> list[tuple[str, str]]:
        if self.name == "colina" and values["hand_size"] == 1 and values["jokers"] == 8:
            return [("jokers", "8 jokers need a hand_size of 2 or more")]
        return []


class CardStrength(Settings):
    cards: list[str] = Field(min_length=1, description='a list of cards, as in ["K"]')
    pairs: Literal["mirrors", "all"] | list[tuple[str, str]] = "mirrors"

    @field_validator("cards")
    @classmethod
    def known_cards(cls, cards: list[str]) -> list[str]:
        if wrong := [card for card in cards if card not in "JQKA"]:
            raise ValueError(f"no such card: {wrong[0]}")
        return cards

    @field_validator("pairs")
    @classmethod
    def known_labels(cls, pairs: Any, info: ValidationInfo) -> Any:
        pool = (info.context or {})["strategies"]
        for pair in pairs if isinstance(pairs, list) else ():
            if not set(pair) <= set(pool):
                raise ValueError(f"{pair[0]}, {pair[1]}: not both in the pool")
        return pairs


class Axis(Settings):
    low: int
    high: int


class Sweep(Settings):
    rule: str
    axis: Axis | None = None


class SeatAdvantage(Settings):
    pass


GREEDY = FakeStrategy({"king_below": FakeParameter(int, 4), "bold": FakeParameter(bool, False)})
HUNTER = FakeStrategy({"max_front": FakeParameter(int, 5), "nerve": FakeParameter(float, 0.5)})
BROKEN = "bots/broken.py:3: act takes three arguments\nbots/broken.py:9: no such name: KNIG"


@dataclass(frozen=True)
class FakeKnown:
    experiments: Mapping[str, Path] = field(default_factory=dict)

    @property
    def games(self) -> Mapping[str, FakeGame]:
        saloon = FakeGame("saloon", (Integer("clients", 3, 1, 9, "SAL-1", "clients"),))
        return {"colina": FakeGame("colina", OPTIONS), "saloon": saloon, "hakka": FakeGame("hakka", ())}

    @property
    def kinds(self) -> Mapping[str, type[BaseModel]]:
        return {"card_strength": CardStrength, "sweep": Sweep, "seat_advantage": SeatAdvantage}

    def strategies(self, game: str) -> Mapping[str, FakeStrategy]:
        if game == "hakka":
            raise SimkitError("strategies/hakka cannot be read")
        if game == "saloon":
            return {"random": FakeStrategy(), "miser": FakeStrategy()}
        return {"random": FakeStrategy(), "greedy": GREEDY, "hill_hunter": HUNTER}

    def resolve_strategy(self, game: str, use: str, base_dir: Path) -> FakeStrategy:
        if use.endswith("broken.py"):
            raise StrategyError(BROKEN)
        if not (base_dir / use).is_file():
            raise UsageError(f"{use}: no such file")
        return FakeStrategy({"depth": FakeParameter(int, 2)}, source_hash="f00")


KNOWN = FakeKnown()
