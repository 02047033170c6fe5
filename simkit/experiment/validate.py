"""Pydantic's findings in simkit's words: each at the key it concerns, in terms of TOML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from simkit.errors import nearest
from simkit.experiment.faults import Faults, shown, suggest
from simkit.experiment.lines import Key
from simkit.experiment.model import DEFAULT_MARGIN, Deals, Seed, Share, Until

Model = TypeVar("Model", bound=BaseModel)

_SHOULD_BE = "Input should be "
_TOML_WORDS = (
    (r"a valid dictionary.*|an object", "a table"),
    (r"a valid string", "a text in quotes"),
    (r"a valid boolean.*", "true or false"),
    (r"a valid integer.*", "a whole number"),
    (r"a valid number.*", "a number"),
    (r"a valid (list|tuple|set)", "a list"),
)


class TopLevel(BaseModel):
    """The keys that every experiment has, whatever its kind of question."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    question: str = ""  # whether these two are there and known is seen to elsewhere
    game: str = ""
    deals: Deals | None = None
    until: Until | None = None
    seed: Seed = 0
    margin: Share = DEFAULT_MARGIN
    title: str = ""
    about: str = ""
    keep_games: bool = False
    always_valid: bool = False
    rules: dict[str, Any] = Field(default_factory=dict)
    strategies: dict[str, Any] = Field(default_factory=dict)
    require: dict[str, Any] = Field(default_factory=dict)


def validate(
    model: type[Model],
    data: Mapping[str, Any],
    faults: Faults,
    *,
    at: Key = (),
    near: Key = (),
    names: Iterable[str] = (),
    context: Mapping[str, Any] | None = None,
) -> Model | None:
    """The data as a model, or None after noting every fault.

    Args:
        model: what the data should be.
        data: a table of the experiment.
        faults: where faults are noted.
        at: the table's own key.
        near: see Faults.add.
        names: keys that are allowed beside the model's, for suggestions.
        context: what the model's validators may look at.
    """
    try:
        return model.model_validate(data, context=dict(context or {}))
    except ValidationError as error:
        found = [(*_place(detail, data), detail) for detail in error.errors(include_url=False)]
    found = [f for f in found if not (f[1] and any(_inside(other[0], f[0]) for other in found))]
    for key, same_key in groupby(found, key=lambda f: f[0]):
        details = [detail for *_, detail in same_key]
        faults.add((*at, *key), _words(details, key, model, names if not key[1:] else ()), near=near)
    return None


def misplaced(name: str) -> str:
    """A hint for a key of the top level that stands in a table, where TOML puts all that follows a table's header."""
    return (
        f". {name} is a key of the experiment: write it above the first [table]"
        if name in TopLevel.model_fields
        else ""
    )


def _place(detail: ErrorDetails, data: Any) -> tuple[Key, bool]:
    """The key that a finding concerns, and whether it is one of several things that the value might have been."""
    key: Key = ()
    one_of_several = False
    for part in detail["loc"]:
        inside = isinstance(data, dict) and part in data
        inside = inside or (isinstance(data, list) and isinstance(part, int) and part < len(data))
        if inside:
            data = data[part]
            key = (*key, part)
        elif detail["type"] == "missing" and part == detail["loc"][-1]:
            key = (*key, part)
        else:
            one_of_several = True
    return key, one_of_several


def _inside(inner: Key, outer: Key) -> bool:
    return len(inner) > len(outer) and inner[: len(outer)] == outer


def _words(details: list[ErrorDetails], key: Key, model: type[BaseModel], names: Iterable[str]) -> str:
    first = details[0]
    allowed = [words for words in map(_allowed, details) if words]
    if allowed:
        hints = "".join(map(_hint, details))
        return f"{shown(first['input'])} is not {' or '.join(allowed)}" + (f".{hints}" if hints else "")
    fields = _fields(model, key[:-1])
    name = str(key[-1]) if key else ""
    match first["type"]:
        case "missing":
            described = fields[name].description if name in fields else None
            return f"missing: {described}" if described else "missing"
        case "extra_forbidden":
            misplacement = misplaced(name) if fields is not TopLevel.model_fields else ""
            return f"no such key{misplacement or suggest(name, [*fields, *names])}"
        case "value_error" | "assertion_error":
            return str(first["ctx"]["error"])
        case _:
            return f"{shown(first['input'])}: {first['msg'].replace(' after validation', '')}"


def _allowed(detail: ErrorDetails) -> str | None:
    """What the value should be, when pydantic says so."""
    if detail["type"] == "bounds":
        return detail["msg"]
    if not detail["msg"].startswith(_SHOULD_BE):
        return None
    words = detail["msg"].removeprefix(_SHOULD_BE).replace("'", '"')
    return next((toml for pattern, toml in _TOML_WORDS if re.fullmatch(pattern, words)), words)


def _hint(detail: ErrorDetails) -> str:
    choices = re.findall(r"'([^']*)'", detail["msg"]) if detail["type"] == "literal_error" else ()
    return nearest(detail["input"], choices) if isinstance(detail["input"], str) else ""


def _fields(model: type[BaseModel], key: Key) -> Mapping[str, Any]:
    """The fields that the table at a key of the model can have; empty where the model is not that precise."""
    models = [model]
    for name in key:
        if not isinstance(name, int):  # the place in a list of tables
            fields = [one.model_fields[name] for one in models if name in one.model_fields]
            models = [inner for field in fields for inner in _models_in(field.annotation)]
    return {name: field for one in models for name, field in one.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
