"""Rule options: name, type, bounds, default and clause, and how their values travel into a compiled record.

Every value becomes one int64 (a pair or a list: an int64 array), so that changing a rule never recompiles anything.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from simkit.errors import nearest

SEATS_OF_A_PAIR = 2


class OptionFault(ValueError):
    """A value that an option does not take; the text says what is allowed."""


@dataclass(frozen=True)
class Option(ABC):
    """What all options share. `default` is the value as a user writes it; `clause` is the rule document's."""

    name: str
    default: Any

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the option's field in the record of rules."""
        return ()

    @abstractmethod
    def encode(self, value: Any) -> Any:
        """The value as int64 or an array of them. Raises OptionFault."""

    def normal(self, value: Any) -> Any:
        """The value as it is printed in transcripts and reports. Raises OptionFault."""
        return value if self.encode(value) is not None else None

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What a user may write, in words."""

    def usual(self, values: Mapping[str, Any]) -> Any:
        """The value it has when nobody sets it; `values` are those of the other options."""
        return self.default


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True)
class Integer(Option):
    """A whole number of low … high; `step` 2 with an even `low` allows even numbers only.

    With `derive` its default follows from the other options' values, and `default` is its usual value.
    """

    low: int
    high: int
    clause: str
    about: str
    step: int = 1
    derive: Callable[[Mapping[str, Any]], int] | None = None

    @property
    def allowed(self) -> str:
        kind = "an even number" if self.step == 2 else "a whole number"
        return f"{kind} from {self.low} to {self.high}"

    def encode(self, value: Any) -> int:
        if not _whole(value) or not self.low <= value <= self.high or (value - self.low) % self.step:
            raise OptionFault(f"{value!r} is not {self.allowed}")
        return int(value)

    def usual(self, values: Mapping[str, Any]) -> Any:
        return self.derive(values) if self.derive is not None else self.default


@dataclass(frozen=True)
class Integers(Option):
    """A list of `len(default)` whole numbers of low … high."""

    low: int
    high: int
    clause: str
    about: str

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.default),)

    @property
    def allowed(self) -> str:
        return f"a list of {len(self.default)} whole numbers from {self.low} to {self.high}"

    def encode(self, value: Any) -> list[int]:
        fits = isinstance(value, (list, tuple)) and len(value) == len(self.default)
        if not fits or not all(_whole(v) and self.low <= v <= self.high for v in value):
            raise OptionFault(f"{value!r} is not {self.allowed}")
        return [int(v) for v in value]


@dataclass(frozen=True)
class Decimal(Option):
    """A decimal number of low … high in steps of 1/scale; the record holds value × scale."""

    low: int
    high: int
    scale: int
    clause: str
    about: str

    @property
    def allowed(self) -> str:
        return f"a number from {self.low} to {self.high} in steps of {1 / self.scale:g}"

    def encode(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise OptionFault(f"{value!r} is not {self.allowed}")
        exact = Fraction(str(value)) * self.scale
        if exact.denominator != 1 or not self.low * self.scale <= exact <= self.high * self.scale:
            raise OptionFault(f"{value!r} is not {self.allowed}")
        return int(exact)

    def normal(self, value: Any) -> Any:
        steps = self.encode(value)
        return steps // self.scale if steps % self.scale == 0 else steps / self.scale


@dataclass(frozen=True)
class Choice(Option):
    """One of a few words; the record holds its index."""

    choices: tuple[str, ...]
    clause: str
    about: str

    @property
    def allowed(self) -> str:
        return " or ".join(f'"{c}"' for c in self.choices)

    def encode(self, value: Any) -> int:
        if not isinstance(value, str) or value not in self.choices:
            hint = nearest(value, self.choices) if isinstance(value, str) else ""
            raise OptionFault(f"{value!r} is not {self.allowed}.{hint}")
        return self.choices.index(value)


@dataclass(frozen=True)
class Switch(Option):
    """true or false; with `per_seat` also a pair, one value a seat."""

    clause: str
    about: str
    per_seat: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        return (SEATS_OF_A_PAIR,) if self.per_seat else ()

    @property
    def allowed(self) -> str:
        return "true or false" + (", or a pair of them" if self.per_seat else "")

    def encode(self, value: Any) -> int | list[int]:
        if isinstance(value, bool):
            return [int(value)] * SEATS_OF_A_PAIR if self.per_seat else int(value)
        pair = isinstance(value, (list, tuple)) and len(value) == SEATS_OF_A_PAIR
        if not (self.per_seat and pair and all(isinstance(v, bool) for v in value)):
            raise OptionFault(f"{value!r} is not {self.allowed}")
        return [int(v) for v in value]


AnyOption = Integer | Integers | Decimal | Choice | Switch


def rules_dtype(options: Iterable[AnyOption], *lab_fields: tuple[Any, ...]) -> np.dtype[np.void]:
    """The record of rules: an int64 field an option, then fields that only a question may set."""
    return np.dtype([(o.name, "i8", o.shape) for o in options] + list(lab_fields), align=True)


def resolve(options: Iterable[AnyOption], given: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """All options with their values, defaults filled in, and the faults found as (name, what is wrong)."""
    known = {o.name: o for o in options}
    faults = [(n, f"no such rule.{nearest(n, known)}") for n in given if n not in known]
    values = {}
    for name, option in known.items():
        try:
            values[name] = option.normal(given.get(name, option.default))
        except OptionFault as fault:
            faults.append((name, str(fault)))
    if not faults:
        values |= {name: option.usual(values) for name, option in known.items() if name not in given}
    return values, faults
