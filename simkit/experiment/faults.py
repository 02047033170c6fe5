"""Collects every fault of an experiment, each with its place, and raises them together."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simkit.errors import StrategyError, UsageError, nearest
from simkit.experiment.lines import Key

LONGEST_SHOWN = 60
MANY_NAMES = 15
_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Override:
    """One `-s KEY=VALUE` of the command line: `text` as it was typed, `key` and `value` as they were understood."""

    text: str
    key: tuple[str, ...]
    value: Any


class Faults:
    """The faults of one experiment.

    Args:
        file: the file's name as the user gave it; None when there are only overrides.
        lines: where the file's keys are (see `key_lines`).
        overrides: what the command line sets; a fault in a value that it set is reported there.
    """

    def __init__(
        self, file: str | None, lines: Mapping[Key, int] | None = None, overrides: Sequence[Override] = ()
    ) -> None:
        """Starts without a fault."""
        self._file = file
        self._lines = lines or {}
        self._overrides = overrides
        self._found: list[tuple[int, int, str]] = []  # (line or 0, number of the override, text)
        self._usage = False  # whether any fault is the experiment's own

    def add(self, key: Key, text: str, *, near: Key = (), of_strategy: bool = False) -> None:
        """Notes what is wrong with a key.

        Args:
            key: the key.
            text: what is wrong; a line each.
            near: the key to point at when the file has neither the key nor its table.
            of_strategy: the fault is a strategy's (its file is none), not the experiment's.
        """
        self._usage = self._usage or not of_strategy
        override = self._override(key)
        if override is None:
            line = self._line(key) or self._line(near) or 1
            place, order = (
                (f"{self._file}:{line}: " if self._file else "") + (f"{dotted(key)}: " if key else ""),
                (line, 0),
            )
        else:
            number, inner = override
            place = typed(self._overrides[number].text) + (f"{dotted(key)}: " if inner else "")
            order = (0, number)
        self._found.extend((*order, place + line_of_text) for line_of_text in text.splitlines() or [text])

    def add_override(self, text: str, problem: str) -> None:
        """Notes an override that could not be read at all."""
        self._usage = True
        self._found.append((0, -1, typed(text) + problem))

    def check(self) -> None:
        """Raises UsageError with every fault found, the file's by line, then the command line's.

        When all of them are strategies' own, a StrategyError.
        """
        if self._found:
            in_order = sorted(self._found, key=lambda found: (found[0] == 0, *found[:2]))
            kind = UsageError if self._usage else StrategyError
            raise kind("\n".join(dict.fromkeys(text for *_, text in in_order)))

    def _line(self, key: Key) -> int | None:
        """The line of a key or of the innermost table around it."""
        inner_first = (key[:n] for n in range(len(key), 0, -1))
        return next((self._lines[k] for k in inner_first if k in self._lines), None)

    def _override(self, key: Key) -> tuple[int, bool] | None:
        """The override that set a key, and whether the key is only a part of what it set."""
        for number, override in reversed(list(enumerate(self._overrides))):
            if key[: len(override.key)] == override.key:
                return number, key != override.key
        if key not in self._lines:  # a table that only exists because an override put something into it
            for number, override in enumerate(self._overrides):
                if key and override.key[: len(key)] == key:
                    return number, True
        return None


def typed(override: str) -> str:
    """The place of a fault in an override, for the beginning of a line."""
    return f"-s {printable(_short(override))}: "


def printable(text: str) -> str:
    """The text with escapes for what would break a line or a terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def dotted(key: Iterable[str | int]) -> str:
    """A key as TOML writes it: `rules.king_on`, `require."K.fair"`, `card_strength.pairs[0]`."""
    text = ""
    for part in key:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + _key(part)
    return text


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _toml(name)


def shown(value: Any) -> str:
    """A value as TOML writes it, cut short when it is long."""
    return _short(_toml(value))


def _toml(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return printable(json.dumps(value, ensure_ascii=False))
        case list() | tuple():
            return f"[{', '.join(_toml(v) for v in value)}]"
        case Mapping():
            pairs = ", ".join(f"{_key(str(k))} = {_toml(v)}" for k, v in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case _:
            return str(value)


def suggest(name: str, allowed: Iterable[str]) -> str:
    """`. Did you mean X?` or, when no allowed name is near, `. Allowed: …`; made to follow what is wrong."""
    names = list(allowed)
    if hint := nearest(name, names):
        return f".{hint}"
    more = ", …" if len(names) > MANY_NAMES else ""
    return f". Allowed: {', '.join(names[:MANY_NAMES])}{more}" if names else ""
