"""What a sweep varies: the table [sweep], its keys with their values, and the settings that these make together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import product
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from simkit.errors import nearest
from simkit.experiment import Settings
from simkit.games.options import OptionFault, resolve
from simkit.questions.base import Asked, Lineup, Pairs, is_mirror, lineups, listed
from simkit.questions.sweep.measures import known_measures
from simkit.questions.words import toml_value
from simkit.strategy import misfit

MOST_SETTINGS = 400
LONG_LIST = 2  # a list with more entries is written with spaces
RULES, STRATEGIES = "rules.", "strategies."

Setting = tuple[tuple[str, Any], ...]  # (key, value) for every key that is swept


def _values(given: Any) -> Any:
    """A list of values as it is; `{ from = 10, to = 30, step = 5 }` as the list that it means."""
    if not isinstance(given, dict):
        return given
    if set(given) != {"from", "to", "step"} or any(isinstance(v, bool) for v in given.values()):
        raise ValueError("a range has three numbers: { from = 10, to = 30, step = 5 }")
    if not all(isinstance(v, (int, float)) and math.isfinite(v) for v in given.values()):
        raise ValueError("from, to and step are numbers")
    low, high, step = (Decimal(str(given[name])) for name in ("from", "to", "step"))
    if step <= 0 or high < low:
        raise ValueError("a range goes upwards, in steps above 0")
    count = int((high - low) / step) + 1
    if count > MOST_SETTINGS:
        raise ValueError(f"{count:,} values are too many; {MOST_SETTINGS} at most")
    kind = int if all(isinstance(v, int) for v in given.values()) else float
    return [kind(low + i * step) for i in range(count)]


Values = Annotated[tuple[Any, ...], BeforeValidator(_values), Field(min_length=2)]


def rule_values(key: str, values: Sequence[Any], context: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values of a rule in their normal form, `key` being `rules.NAME`. Raises ValueError when they do not fit."""
    game = context.get("game")
    if game is None:
        return tuple(values)
    option = next((o for o in game.options if key == f"{RULES}{o.name}"), None)
    if option is None:
        raise ValueError(f"{key}: not a rule of {game.name}.{nearest(key, [f'{RULES}{o.name}' for o in game.options])}")
    try:
        codes = [option.encode(value) for value in values]
    except OptionFault as fault:
        raise ValueError(f"{key}: {fault}") from None
    _each_once(key, values, codes)
    return tuple(_hashable(option.normal(value)) for value in values)


def swept_parameter(key: str, values: Sequence[Any], context: Mapping[str, Any]) -> tuple[Any, ...]:
    """Likewise of a parameter, `key` being `strategies.LABEL.NAME`. Raises ValueError when they do not fit."""
    pool: Mapping[str, Mapping[str, Any]] = context.get("parameters", {})
    label, _, name = key.removeprefix(STRATEGIES).rpartition(".")
    known = [f"{STRATEGIES}{label}.{name}" for label, parameters in pool.items() for name in parameters]
    if label not in pool or name not in pool[label]:
        raise ValueError(f"{key}: not a parameter of a strategy of the pool.{nearest(key, known)}")
    wanted = type(pool[label][name])
    for value in values:
        if problem := misfit(wanted, value):
            raise ValueError(f"{key}: {toml_value(value)} is not {problem}")
    normal = tuple(wanted(value) for value in values)
    _each_once(key, values, normal)
    return normal


def _hashable(value: Any) -> Any:
    """A pair or a list of values as a tuple, so that settings can be sorted into groups."""
    return tuple(value) if isinstance(value, list) else value


def _each_once(key: str, values: Sequence[Any], codes: Sequence[Any]) -> None:
    twice = [toml_value(v) for v, code in zip(values, codes, strict=True) if codes.count(code) > 1]
    if twice:
        raise ValueError(f"{key}: a value is there twice: {', '.join(twice)}")


def _checked(key: str, values: Sequence[Any], info: ValidationInfo) -> tuple[Any, ...]:
    """The values of a key in their normal form. Raises ValueError when they do not fit, or the key cannot be swept."""
    context = info.context or {}
    if key.startswith(RULES):
        return rule_values(key, values, context)
    if key.startswith(STRATEGIES):
        return swept_parameter(key, values, context)
    game = context.get("game")
    known = [f"{RULES}{option.name}" for option in game.options] if game is not None else []
    hint = nearest(key, known)
    raise ValueError(f"{key}: not a key that can be swept: rules.NAME or strategies.LABEL.PARAMETER.{hint}")


def fitting_axes(keys: Mapping[str, Sequence[Any]], info: ValidationInfo) -> dict[str, tuple[Any, ...]]:
    """The values of several keys in their normal form. Raises ValueError with all that does not fit."""
    found, faults = {}, []
    for key, values in keys.items():
        try:
            found[key] = _checked(key, values, info)
        except ValueError as fault:
            faults.append(str(fault))
    if faults:
        raise ValueError("; ".join(faults))
    return found


def checked_measures(names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    """The measures, each once. Raises ValueError for one that the game does not have."""
    game, rules = (info.context or {}).get("game"), (info.context or {}).get("rules", {})
    if game is None:
        return names
    known = known_measures(game)
    for name in names:
        if name not in known:
            raise ValueError(f"{name}: no such measure of {game.name}. Measures: {', '.join(known)}.")
    if "luck" in names and len(rules) == len(game.options) and game.seats(rules) != 2:
        raise ValueError("luck: measured by swapping seats, so only in a game of two")
    return tuple(dict.fromkeys(names))


class Sweep(Settings):
    """The table [sweep]: one `key` with its `values`, or several `keys`, each with a list or a range."""

    key: str | None = None
    values: Values | None = None
    keys: dict[str, Values] = Field(default_factory=dict)
    measures: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(checked_measures)] = (
        "first_player",
        "length",
    )
    pairs: Pairs = "mirrors"

    @field_validator("key")
    @classmethod
    def _can_be_swept(cls, key: str | None, info: ValidationInfo) -> str | None:
        if key is not None:
            _checked(key, (), info)
        return key

    @field_validator("values")
    @classmethod
    def _fit_the_key(cls, values: tuple[Any, ...] | None, info: ValidationInfo) -> tuple[Any, ...] | None:
        key = info.data.get("key")
        return values if values is None or key is None else _checked(key, values, info)

    @field_validator("keys")
    @classmethod
    def _fit_the_keys(cls, keys: dict[str, tuple[Any, ...]], info: ValidationInfo) -> dict[str, tuple[Any, ...]]:
        return fitting_axes(keys, info)

    @model_validator(mode="after")
    def _go_together(self, info: ValidationInfo) -> Sweep:
        if bool(self.keys) == (self.key is not None) or (self.key is None) != (self.values is None):
            raise ValueError("give a key with its values, or the table [sweep.keys] with a list or a range for each")
        count = math.prod(len(values) for values in self.axes.values())
        if count > MOST_SETTINGS:
            raise ValueError(f"{count:,} settings are too many; {MOST_SETTINGS} at most")
        check_settings(settings(self.axes), info.context or {})
        return self

    @property
    def axes(self) -> dict[str, tuple[Any, ...]]:
        """The values of each key, in the order of the file."""
        return {self.key: self.values} if self.key is not None and self.values is not None else self.keys


def settings(axes: Mapping[str, Sequence[Any]]) -> Iterator[Setting]:
    """Every combination of the values, the last key going round fastest."""
    for values in product(*axes.values()):
        yield tuple(zip(axes, values, strict=True))


def check_settings(found: Iterable[Setting], context: Mapping[str, Any]) -> None:
    """Raises ValueError for the first setting whose rules do not go together with the experiment's."""
    game, rules = context.get("game"), context.get("rules", {})
    if game is None or len(rules) != len(game.options):  # one of them has a fault of its own
        return
    given = {o.name: rules[o.name] for o in game.options if rules[o.name] != o.usual(rules)}
    for setting in found:
        values, _ = resolve(game.options, given | rules_in(setting))
        for name, wrong in game.check_rules(values):
            raise ValueError(f"{words_of(setting)}: {name}: {wrong}")


def rules_in(setting: Setting) -> dict[str, Any]:
    """The rules that a setting changes."""
    return {key.removeprefix(RULES): value for key, value in setting if key.startswith(RULES)}


def parameters_in(setting: Setting) -> dict[str, dict[str, Any]]:
    """The parameters that a setting changes, by label of the strategy."""
    changed: dict[str, dict[str, Any]] = {}
    for key, value in setting:
        if key.startswith(STRATEGIES):
            label, _, name = key.removeprefix(STRATEGIES).rpartition(".")
            changed.setdefault(label, {})[name] = value
    return changed


def name_of(key: str) -> str:
    """A key as readers see it: `embark_cost`, `counter.close_at`."""
    return key.removeprefix(RULES).removeprefix(STRATEGIES)


def names_of(keys: Iterable[str]) -> str:
    """Keys as readers see them: `hunter.max_front and hunter.keep`."""
    return listed(map(name_of, keys))


def value_words(value: Any) -> str:
    """A value as readers see it; a long list has spaces, at which it may be broken."""
    text = toml_value(value)
    return text.replace(",", ", ") if isinstance(value, tuple) and len(value) > LONG_LIST else text


def is_number(values: Sequence[Any]) -> bool:
    """Whether all values are numbers, so that they have an order and neighbours."""
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)


def words_of(setting: Setting) -> str:
    """A setting in words: `embark_cost = 15, bonus = 0`."""
    return ", ".join(f"{name_of(key)} = {value_words(value)}" for key, value in setting)


def sweep_of(asked: Asked) -> Sweep:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, Sweep)
    return table


def lineups_of(asked: Asked) -> list[Lineup]:
    """The line-ups asked for."""
    return lineups(asked, sweep_of(asked).pairs)


def settings_of(asked: Asked) -> list[Setting]:
    """All settings that are played."""
    return list(settings(sweep_of(asked).axes))


def reference_of(asked: Asked) -> Setting:
    """The setting that differences are taken from: each key as it is when that is swept, else at its first value."""
    found = []
    for key, values in sweep_of(asked).axes.items():
        now = _now(asked, key)
        found.append((key, now if now in values else values[0]))
    return tuple(found)


def owner_of(asked: Asked, lineup: Lineup) -> str | None:
    """The strategy of a line-up whose parameters are swept, the first of several; none where it meets itself."""
    swept = parameters_in(reference_of(asked))
    return None if is_mirror(lineup) else next((label for label in lineup if label in swept), None)


def own_keys(asked: Asked, lineup: Lineup) -> list[str]:
    """The keys that say how the owner plays; all others say under what conditions."""
    owner = owner_of(asked, lineup)
    return [key for key in sweep_of(asked).axes if owner in parameters_in(((key, None),))]


def is_joint(asked: Asked, lineup: Lineup) -> bool:
    """Whether rules are swept together with how a player of this line-up plays."""
    return bool(own_keys(asked, lineup)) and any(key.startswith(RULES) for key in sweep_of(asked).axes)


def home_of(asked: Asked, lineup: Lineup, setting: Setting) -> Setting:
    """What a setting is compared with: the reference, but under the same rules where both are swept."""
    reference = reference_of(asked)
    if not is_joint(asked, lineup):
        return reference
    own = own_keys(asked, lineup)
    return tuple(now if now[0] in own else here for now, here in zip(reference, setting, strict=True))


def home_words(asked: Asked, lineup: Lineup) -> str:
    """What the settings of a line-up are compared with, in words."""
    reference = reference_of(asked)
    if not is_joint(asked, lineup):
        return words_of(reference)
    own = own_keys(asked, lineup)
    return f"{words_of(tuple(now for now in reference if now[0] in own))} under the same rules"


def _now(asked: Asked, key: str) -> Any:
    if key.startswith(RULES):
        return _hashable(asked.rules[key.removeprefix(RULES)])
    label, _, name = key.removeprefix(STRATEGIES).rpartition(".")
    return asked.experiment.strategies[label].parameters[name]
