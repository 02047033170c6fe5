"""Rules and strategies: from what a user wrote to all their values, defaults filled in."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from simkit.errors import SimkitError, StrategyError, UsageError
from simkit.experiment.faults import Faults, dotted, printable, shown, suggest
from simkit.experiment.lines import Key
from simkit.experiment.model import GameInfo, Known, StrategyInfo, StrategyUse
from simkit.experiment.overrides import read_overrides, set_value, strategy_spec
from simkit.experiment.validate import misplaced
from simkit.strategy import is_path, misfit


def resolve_rules(game: GameInfo, given: Mapping[str, Any], faults: Faults) -> dict[str, Any]:
    """All options of the game with their values; faults are noted at `rules.<name>`, and those options left out."""
    from simkit.games.options import resolve  # NumPy comes with it

    known = {option.name for option in game.options}
    for name in given:
        if name not in known:
            names = [option.name for option in game.options]
            faults.add(("rules", name), f"no such rule of {game.name}{misplaced(name) or suggest(name, names)}")
    values, found = resolve(game.options, {name: value for name, value in given.items() if name in known})
    for name, text in found or game.check_rules(values):
        faults.add(("rules", name), text)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def changed_rules(game: GameInfo, rules: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the rules whose value means something else than the one they have when nobody sets them."""
    return tuple(o.name for o in game.options if o.encode(rules[o.name]) != o.encode(o.usual(rules)))


def match_rules(game: GameInfo, overrides: Sequence[str]) -> dict[str, Any]:
    """All options of the game, some of them set by `rules.<name>=VALUE` texts, for a match without an experiment.

    Raises:
        UsageError: with every fault, also for keys that are no rules.
    """
    given, problems = read_overrides(overrides)
    faults = Faults(None, overrides=given)
    for text, problem in problems:
        faults.add_override(text, problem)
    table: dict[str, Any] = {"rules": {}}
    for override in given:
        set_value(table, override.key, override.value)
        if override.key[0] != "rules":
            faults.add(override.key, f"only rules can be set here, as in rules.{game.options[0].name}=…")
    if not isinstance(table["rules"], dict):
        faults.add(("rules",), f"{shown(table['rules'])} is not a table")
        table["rules"] = {}
    values = resolve_rules(game, table["rules"], faults)
    faults.check()
    return values


def resolve_spec(known: Known, game: GameInfo, spec: str, base_dir: Path) -> StrategyUse:
    """What `greedy:king_below=5` or `my/bot.py` means in a game; the text itself is the label.

    Raises:
        UsageError: there is no such strategy, or parameters are wrong; with every fault.
        StrategyError: the file is no strategy.
    """
    use, given = strategy_spec(spec)
    info = find_strategy(known, game.name, use, base_dir)
    values, found = _parameters(use, info, given)
    if found:
        raise UsageError("\n".join(f"{printable(spec)}: {dotted([name])}: {text}" for name, text in found))
    return StrategyUse(spec, _full_use(use, base_dir), values, info.source_hash)


def resolve_strategies(
    known: Known, game: GameInfo | None, table: Mapping[str, Any], base_dir: Path, faults: Faults
) -> dict[str, StrategyUse]:
    """The pool by label, without the strategies that have faults; of an unknown game only names can be checked."""
    pool = {}
    for label, value in table.items():
        key: Key = ("strategies", label)
        if not isinstance(value, (str, dict)):
            wanted = "a table, a strategy's name or a path to its .py"
            faults.add(key, f"{shown(value)} is not {wanted}{misplaced(label)}")
        elif not label.strip() or not label.isprintable():
            faults.add(key, "a strategy needs a name that can be printed")
        elif resolved := _strategy(known, game, label, value, base_dir, faults):
            pool[label] = resolved
    return pool


def _strategy(
    known: Known, game: GameInfo | None, label: str, value: str | dict[str, Any], base_dir: Path, faults: Faults
) -> StrategyUse | None:
    key: Key = ("strategies", label)
    use_key = (*key, "use") if "use" in value and isinstance(value, dict) else key
    given = {"use": value} if isinstance(value, str) else value
    use = given.get("use", label)
    if not isinstance(use, str):
        faults.add(use_key, f"{shown(use)} is not a strategy's name or a path to its .py, in quotes")
        return None
    if game is None:
        if not is_path(use) and not _games_of(known, use):
            faults.add(use_key, f"{shown(use)} is no strategy of any game")
        return None
    try:
        info = find_strategy(known, game.name, use, base_dir)
    except SimkitError as error:
        faults.add(use_key, str(error), of_strategy=isinstance(error, StrategyError))
        return None
    values, found = _parameters(use, info, {name: value for name, value in given.items() if name != "use"})
    for name, text in found:
        faults.add((*key, name), text)
    return StrategyUse(label, _full_use(use, base_dir), values, info.source_hash)


def find_strategy(known: Known, game: str, use: str, base_dir: Path) -> StrategyInfo:
    """A strategy of the game by name or by path. Raises SimkitError."""
    if is_path(use):
        if not use.isprintable():
            raise UsageError(f"{shown(use)} is not a path")
        return known.resolve_strategy(game, use, base_dir)
    strategies = known.strategies(game)
    if use in strategies:
        return strategies[use]
    if others := _games_of(known, use):
        raise UsageError(f"{shown(use)} is a strategy of {' and '.join(others)}, not of {game}")
    try:
        return known.resolve_strategy(game, use, base_dir)  # a StrategyError: there is a file, but a broken one
    except UsageError:
        raise UsageError(f"{shown(use)} is no strategy of {game}{suggest(use, strategies)}") from None


def strategy_names(known: Known, game: str) -> list[str]:
    """The names of a game's strategies; none when they cannot be read, which matters only to those who use them."""
    try:
        return list(known.strategies(game))
    except SimkitError:
        return []


def _full_use(use: str, base_dir: Path) -> str:
    return os.path.abspath(base_dir / use) if is_path(use) else use


def _games_of(known: Known, strategy: str) -> list[str]:
    return [game for game in known.games if strategy in strategy_names(known, game)]


def _parameters(
    use: str, info: StrategyInfo, given: Mapping[str, Any]
) -> tuple[dict[str, bool | int | float], list[tuple[str, str]]]:
    """All parameters with their values, and the faults found as (name, what is wrong)."""
    values = {name: parameter.default for name, parameter in info.parameters.items()}
    found = []
    for name, value in given.items():
        if name not in values:
            found.append((name, f"no such parameter of {use}{suggest(name, values)}"))
            continue
        wanted = info.parameters[name].type
        if problem := misfit(wanted, value):
            found.append((name, f"{shown(value)} is not {problem}"))
        else:
            values[name] = wanted(value)
    return values, found
