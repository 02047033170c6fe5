"""Reads a TOML text into an Experiment and reports every fault of it at once, each with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from simkit.errors import UsageError, nearest
from simkit.experiment.faults import Faults, Override, shown, suggest
from simkit.experiment.lines import Key, key_lines
from simkit.experiment.model import LARGEST_DEALS, Experiment, GameInfo, Known, StrategyUse
from simkit.experiment.overrides import impossible, read_overrides, set_value
from simkit.experiment.resolve import changed_rules, resolve_rules, resolve_strategies, strategy_names
from simkit.experiment.validate import TopLevel, misplaced, validate

Named = TypeVar("Named")

_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_MANY_DIGITS = re.compile(r"[\d_]{640,}")


def load(path: str | Path, *, overrides: Sequence[str] = (), known: Known) -> Experiment:
    """Reads an experiment.

    Args:
        path: the TOML file; paths of strategies in it are relative to its folder.
        overrides: `KEY=VALUE` texts of the command line, which replace what the file says; later ones win. `deals`
            replaces an `until` of the file too, and the other way round.
        known: what names can refer to.

    Raises:
        UsageError: with every fault, a line each: `file:line: key: what is wrong, what is allowed`.
    """
    path = Path(path)
    text = _read(path, known)
    return _experiment(text, str(path), path, path.parent, overrides, known)


def loads(
    text: str, *, name: str = "experiment", base_dir: str | Path = ".", overrides: Sequence[str] = (), known: Known
) -> Experiment:
    """As `load`, from a text; `name` is the experiment's, and the file's in messages."""
    return _experiment(text, name, None, Path(base_dir), overrides, known)


def _read(path: Path, known: Known) -> str:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file.{_other_files(path, known)}") from None
    except IsADirectoryError:
        raise UsageError(f"{path}: a folder, not an experiment.{_experiments_in(path)}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{path}: cannot be read: {reason}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path}:{line}: not TOML: byte {content[error.start]:#04x} is not UTF-8 text") from None


def _toml_files(folder: Path) -> list[str]:
    return sorted(f.name for f in folder.glob("*.toml")) if folder.is_dir() else []


def _experiments_in(folder: Path) -> str:
    files = _toml_files(folder)
    return f" It holds {', '.join(files)}." if files else ""


def _other_files(path: Path, known: Known) -> str:
    """Where else the file that was meant may be: nearby, or among the shipped experiments."""
    stems = [Path(name).stem for name in _toml_files(path.parent)]  # that names end alike makes none a near miss
    if near := nearest(path.stem, stems):
        return f"{near.removesuffix('?')}.toml?"
    for name in (path.name, path.stem):
        if name in known.experiments:
            return f" The shipped experiment {name} is {known.experiments[name]}."
    shipped = nearest(path.stem, known.experiments)
    return f"{shipped} It is a shipped experiment." if shipped else ""


def _parse(text: str, file: str) -> tuple[dict[str, Any], dict[Key, int]]:
    try:
        data = tomllib.loads(text)
        lines = key_lines(text)
    except RecursionError:
        raise UsageError(f"{file}: not TOML: lists or tables are nested too deep") from None
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.search(str(error))
        line = found[1] if found and found[1] else text.count("\n") + 1
        raise UsageError(f"{file}:{line}: not TOML: {_AT_LINE.sub('', str(error))}") from None
    except ValueError:  # Python's limit on the digits of a number
        digits = _MANY_DIGITS.search(text)
        line = text.count("\n", 0, digits.start()) + 1 if digits else 1
        raise UsageError(f"{file}:{line}: not TOML: a number has too many digits") from None
    return data, lines


def _experiment(
    text: str, file: str, path: Path | None, base_dir: Path, overrides: Sequence[str], known: Known
) -> Experiment:
    data, lines = _parse(text, file)
    given, problems = read_overrides(overrides)
    faults = Faults(file, lines, given)
    for override, problem in problems:
        faults.add_override(override, problem)
    if not data and not given:
        faults.add((), "the file is empty; an experiment has question, game, deals or until, and [strategies]")
        faults.check()
    _apply(data, given)
    if found := impossible(data):
        faults.add(*found)
        faults.check()
    return _resolve(data, path.stem if path else file, path, base_dir, faults, known)


def _apply(data: dict[str, Any], overrides: Sequence[Override]) -> None:
    """Writes overrides into what the file says."""
    keys = {override.key[0] for override in overrides}
    if "deals" in keys and "until" not in keys:
        data.pop("until", None)
    if "until" in keys and "deals" not in keys:
        data.pop("deals", None)
    for override in overrides:
        pool = _table(data, "strategies")
        if override.key[0] == "strategies" and len(override.key) > 2 and isinstance(pool.get(override.key[1]), str):
            pool[override.key[1]] = {"use": pool[override.key[1]]}  # so that it can get a parameter
        set_value(data, override.key, override.value)


def _resolve(
    data: dict[str, Any], name: str, path: Path | None, base_dir: Path, faults: Faults, known: Known
) -> Experiment:
    """Resolves every part before it gives up, so that the faults of all of them are found."""
    _named(data, "question", "kind of question", known.kinds, faults)
    game = _named(data, "game", "game", known.games, faults)
    common = {key: value for key, value in data.items() if key not in known.kinds}
    top = validate(TopLevel, common, faults, names=[*known.kinds, "until.half_width", "until.max_deals"])
    _check_deals(data, faults)
    _check_require(_table(data, "require"), faults)
    rules = resolve_rules(game, _table(data, "rules"), faults) if game else {}
    pool = _pool(data, game, base_dir, faults, known)
    parameters = {label: use.parameters for label, use in pool.items()}
    context: dict[str, Any] = {"game": game, "rules": rules, "strategies": tuple(pool), "parameters": parameters}
    context["until"] = "until" in data
    context["file"] = lambda label: known.resolve_strategy(data["game"], pool[label].use, base_dir)
    settings = _settings(data, known.kinds, context, faults)
    faults.check()
    assert top is not None  # or a fault would have been noted; the same for the other two
    assert game is not None
    assert settings is not None
    return Experiment(
        name=name,
        path=path,
        kind=data["question"],
        game=game.name,
        settings=settings,
        strategies=pool,
        rules=rules,
        changed_rules=changed_rules(game, rules),
        deals=top.deals,
        until=top.until,
        seed=top.seed,
        margin=top.margin,
        require=dict(top.require),
        keep_games=top.keep_games,
        always_valid=top.always_valid,
        title=top.title,
        about=top.about,
    )


def _table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A table of the experiment; empty when it is missing or, which is noted elsewhere, no table."""
    table = data.get(name)
    return table if isinstance(table, dict) else {}


def _named(data: Mapping[str, Any], key: str, what: str, known: Mapping[str, Named], faults: Faults) -> Named | None:
    """What a name of the top level refers to."""
    name = data.get(key)
    if name is None:
        faults.add((key,), f"missing: the {what}{suggest('', known)}")
    elif isinstance(name, str) and name not in known:
        faults.add((key,), f"{shown(name)} is no {what}{suggest(name, known)}")
    return known.get(name) if isinstance(name, str) else None


def _check_deals(data: Mapping[str, Any], faults: Faults) -> None:
    if "deals" in data and "until" in data:
        faults.add(("until",), "deals is given too: give one of them (a limit is until.max_deals)")
    if "deals" not in data and "until" not in data:
        wanted = f"a whole number from 1 to {LARGEST_DEALS}, or until = {{ half_width = 0.001 }}"
        faults.add(("deals",), f"missing: how many deals to play, {wanted}")


def _check_require(require: Mapping[str, Any], faults: Faults) -> None:
    for subject, value in require.items():
        if isinstance(value, dict):
            quoted = ", ".join(shown(f"{subject}.{verdict}") for verdict in value)
            faults.add(("require", subject), f"a subject and its verdict are one key, in quotes: {quoted}")
        elif not isinstance(value, bool):
            faults.add(("require", subject), f"{shown(value)} is not true or false{misplaced(subject)}")


def _pool(
    data: Mapping[str, Any], game: GameInfo | None, base_dir: Path, faults: Faults, known: Known
) -> dict[str, StrategyUse]:
    table = data.get("strategies", {})
    if table == {}:
        names = suggest("", strategy_names(known, game.name)) if game else ""
        faults.add(("strategies",), f"no strategies; name at least one, as in random = {{}}{names}")
    return resolve_strategies(known, game, _table(data, "strategies"), base_dir, faults)


def _settings(
    data: Mapping[str, Any], kinds: Mapping[str, type[BaseModel]], context: Mapping[str, Any], faults: Faults
) -> BaseModel | None:
    """The table of the kind of question; that of any other kind is a fault."""
    kind = data.get("question")
    known_kind = isinstance(kind, str) and kind in kinds
    settings = None
    for name in kinds:
        if name == kind:
            table = data.get(name, {})
            if isinstance(table, dict):
                settings = validate(kinds[name], table, faults, at=(name,), near=("question",), context=context)
            else:
                faults.add((name,), f"{shown(table)} is not a table")
        elif name in data and known_kind:
            faults.add((name,), f"the table of another kind of question; this one is {kind}")
    return settings
