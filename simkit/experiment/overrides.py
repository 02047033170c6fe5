"""What the command line says in short: `-s KEY=VALUE` and `strategy:parameter=value`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from typing import Any

from simkit.errors import UsageError
from simkit.experiment.faults import Override, printable, shown, typed
from simkit.experiment.lines import split_key

DEEPEST = 32  # levels of tables and arrays
LARGEST_BITS = 256  # of a whole number; Python refuses to print much larger ones
NOT_A_VALUE = 'not a TOML value: lists and texts are written like ["K", "Q"] and "two words"'

_SPEC = re.compile(r"(?P<use>.+?\.py(?=:|$)|[^:]+)(?::(?P<parameters>.*))?", re.DOTALL)


def parse_overrides(overrides: Iterable[str]) -> dict[str, Any]:
    """The nested table that `KEY=VALUE` texts make; later ones win.

    KEY is a dotted TOML key, VALUE a TOML value or a bare word. `require.K.fair` needs no quotes around `K.fair`.

    Raises:
        UsageError: for every text that is not KEY=VALUE.
    """
    read, problems = read_overrides(overrides)
    if problems:
        raise UsageError("\n".join(typed(text) + problem for text, problem in problems))
    table: dict[str, Any] = {}
    for override in read:
        set_value(table, override.key, override.value)
    return table


def read_overrides(overrides: Iterable[str]) -> tuple[list[Override], list[tuple[str, str]]]:
    """The overrides that can be read, and (text, what is wrong) of the others."""
    read, problems = [], []
    for text in overrides:
        try:
            read.append(_override(text))
        except ValueError as problem:
            problems.append((text, str(problem)))
    return read, problems


def _override(text: str) -> Override:
    found = split_key(text)
    if found is None or not found[1].startswith("="):
        raise ValueError("not KEY=VALUE, as in rules.start_points=50")
    key, rest = found
    if key[0] == "require" and len(key) > 2:
        key = ["require", ".".join(key[1:])]
    value = _value(rest[1:].strip())
    if problem := impossible(value, depth=len(key)):
        raise ValueError(problem[1])
    return Override(text, tuple(key), value)


def _value(text: str) -> Any:
    if not text:
        raise ValueError("no value after =")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("not UTF-8") from None
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        if text[0] in "[{\"'" or "\n" in text:
            raise ValueError(NOT_A_VALUE) from None
        return text
    if len(table) > 1:
        raise ValueError(NOT_A_VALUE)
    return table["value"]


def impossible(value: Any, depth: int = 0) -> tuple[tuple[str | int, ...], str] | None:
    """The key of a number too large or a table too deep to be handled at all, and the fault in words."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while waiting:
        key, inner = waiting.pop()
        if len(key) + depth > DEEPEST:
            return key, f"tables and lists are nested more than {DEEPEST} deep"
        if isinstance(inner, int) and inner.bit_length() > LARGEST_BITS:
            return key, "the number is far too large"
        if isinstance(inner, dict):
            waiting.extend(((*key, k), v) for k, v in inner.items())
        elif isinstance(inner, list):
            waiting.extend(((*key, i), v) for i, v in enumerate(inner))
    return None


def set_value(table: dict[str, Any], key: Sequence[str], value: Any) -> None:
    """Sets a dotted key in place; what stands in the way of a table gives way to it."""
    *parents, name = key
    for parent in parents:
        if not isinstance(table.get(parent), dict):
            table[parent] = {}
        table = table[parent]
    table[name] = value


def strategy_spec(text: str) -> tuple[str, dict[str, Any]]:
    r"""What `greedy:king_below=5,other=2` names: a strategy or a path to a `.py`, and parameters (bool, int, float).

    A colon belongs to the path when `.py` is yet to come, as in `C:\bots\mine.py:depth=3`.

    Raises:
        UsageError: for every part that is not name=value.
    """
    found = _SPEC.fullmatch(text.strip())
    if not found:
        raise UsageError(f"strategy {shown(text)}: not a name or a path, as in greedy or greedy:king_below=5")
    parameters: dict[str, Any] = {}
    problems = []
    for part in found["parameters"].split(",") if found["parameters"] else ():
        name, equals, number = (p.strip() for p in part.partition("="))
        if not (name.isidentifier() and equals):
            problems.append(f"{shown(part)} is not name=value")
        elif name in parameters:
            problems.append(f"{name}: given twice")
        else:
            try:
                parameters[name] = _number(number)
            except ValueError:
                problems.append(f"{name}: {shown(number)} is not true, false or a number")
    if problems:
        raise UsageError("\n".join(f"{printable(text)}: {problem}" for problem in problems))
    return found["use"], parameters


def _number(text: str) -> bool | int | float:
    value = _value(text)
    if not isinstance(value, (bool, int, float)) or impossible(value):
        raise ValueError(text)
    return value
