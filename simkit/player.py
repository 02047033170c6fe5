"""Players: strategy files compiled for a game, once each, with their parameters."""

from __future__ import annotations

import ast
import re
import sys
import traceback
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numba

from simkit import jit
from simkit.errors import StrategyError, nearest
from simkit.strategy import StrategyFile

if TYPE_CHECKING:
    from simkit.driver import Engine

Function = Literal["act", "when"]  # of a strategy file


@dataclass(frozen=True)
class Player:
    """A compiled strategy with its parameters: what sits down at a table.

    Attributes:
        game: name of the game.
        label: its name in this run.
        act: compiled function of the game's strategy signature.
        row: its parameters as numbers, in the order of `file.parameters`.
        file: where it comes from.
        function: which function of the file `act` is: a move, or when a decision comes up (simkit.branch).
    """

    game: str
    label: str
    act: Any = field(repr=False)
    row: tuple[float, ...]
    file: StrategyFile
    function: Function = "act"

    def with_parameters(self, given: Mapping[str, Any]) -> Player:
        """The same strategy with some parameters changed; nothing is compiled. Raises UsageError."""
        row = tuple(float(v) for v in self.file.fill(self.parameters | dict(given)).values())
        return replace(self, row=row) if given else self

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to another machine as sources and numbers, and is compiled there."""
        from simkit.driver import revive_player

        return revive_player, (self.game, self.file, self.label, self.row, self.function)

    @property
    def parameters(self) -> dict[str, bool | int | float]:
        """The parameters by name, in their own types."""
        return {k: p.type(v) for (k, p), v in zip(self.file.parameters.items(), self.row, strict=True)}


def compile_player(
    engine: Engine, file: StrategyFile, label: str, given: Mapping[str, Any], function: Function = "act"
) -> Player:
    """Compiles a strategy for a game, or loads it from the cache, and fills in its parameters.

    Raises StrategyError for code that does not run or compile, UsageError for wrong parameters.
    """
    row = tuple(float(v) for v in file.fill(given).values())
    return Player(engine.game.name, label, _compiled(engine, file, function), row, file, function)


def _compiled(engine: Engine, file: StrategyFile, function: Function) -> Any:
    mark = jit.digest(text.encode() for text in (function, str(file.path), *file.sources.values()))
    folder = engine.folder / "strategies" / f"{file.name}-{mark}"
    name = f"simkit_entry_{engine.game.name}_{mark}"
    if name not in sys.modules:
        module = _load(file, mark, function)
        _write_entry(file, folder, name, module, function)
    entry = sys.modules[name].entry
    if not hasattr(entry, "signatures"):
        entry = _jit(engine, file, entry, folder, function)
        sys.modules[name].entry = entry  # type: ignore[attr-defined]
    return entry


def _load(file: StrategyFile, mark: str, function: Function) -> types.ModuleType:
    """Runs the strategy's modules under names of their own and compiles their functions on first use."""
    before: dict[str, types.ModuleType | None] = {}
    try:
        for number, path in enumerate(reversed(list(file.sources))):
            readable = re.sub(r"[^0-9A-Za-z_]", "_", path.stem)  # the entry imports it: spaces would not parse
            module = types.ModuleType(f"simkit_strategy_{mark}_{number}_{readable}")
            module.__file__ = str(path)
            sys.modules[module.__name__] = module
            _run(file.sources[path], path, module)
            for name, value in list(vars(module).items()):
                if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                    setattr(module, name, (jit.inlined if name == function else jit.kernel)(value))
            if path != file.path:  # nobody imports the strategy itself, and `random` must not hide Python's
                before.setdefault(path.stem, sys.modules.get(path.stem))
                sys.modules[path.stem] = module
    finally:
        for name, old in before.items():
            if old is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = old
    return module


def _run(text: str, path: Path, module: types.ModuleType) -> None:
    try:
        exec(compile(text, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as wrong:
        where = place_of(wrong, [path]) or path
        raise StrategyError(f"{where}: {type(wrong).__name__} on loading: {wrong}") from None


def place_of(wrong: BaseException, files: Iterable[Path]) -> str | None:
    """`file:line` of the last of these files that an exception came through, None when it came through none."""
    names, found = {str(file) for file in files}, None
    for frame, line in traceback.walk_tb(wrong.__traceback__):
        if frame.f_code.co_filename in names:
            found = f"{frame.f_code.co_filename}:{line}"
    return found


def _write_entry(file: StrategyFile, folder: Path, name: str, strategy: types.ModuleType, function: Function) -> None:
    """A tiny module that turns a row of numbers into Params; numba caches it only if it is a real file."""
    casts = {bool: "row.value[{}] != 0.0", int: "int(row.value[{}])", float: "row.value[{}]"}
    values = ", ".join(casts[p.type].format(i) for i, p in enumerate(file.parameters.values()))
    params = f"Params({values})" if file.parameters else "()"
    lines = [
        f"from {strategy.__name__} import {function}" + (", Params" if file.parameters else ""),
        "def entry(view, rules, row, rng):",
        f"    return {function}(view, rules, {params}{', rng' if function == 'act' else ''})",
    ]
    text, path = "\n".join(lines) + "\n", folder / "entry.py"
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    module = types.ModuleType(name)
    module.__file__ = str(path)
    exec(compile(text, str(path), "exec"), module.__dict__)
    sys.modules[name] = module


def _jit(engine: Engine, file: StrategyFile, entry: Any, folder: Path, function: Function) -> Any:
    try:
        compiled = jit.entry_point(entry, engine.strategy, folder)
    except OSError:  # the disk's fault, not the strategy's
        raise
    except Exception as wrong:  # numba raises its own errors, KeyError, NotImplementedError …
        state = engine.game.module("state")
        fields = [*state.VIEW.names, *state.RULES.names]
        raise StrategyError(_compile_fault(wrong, file, fields, function)) from None
    act = getattr(sys.modules[entry.__module__], function)
    for signature in act.nopython_signatures:  # empty when the code came from the cache
        if not isinstance(signature.return_type, numba.types.Integer):
            jit.forget(compiled)  # the next start must not find it there
            raise StrategyError(f"{file.path}: {_RETURNS[function]}, not {signature.return_type}.")
    return compiled


_RETURNS: dict[Function, str] = {
    "act": "act must return a move (an integer)",
    "when": "when must return −1 or the number of a class (an integer)",
}
_NOISE = ("Failed in", "File ", "During:", "<source", "^", "This error may", "[1]")


def _compile_fault(wrong: Exception, file: StrategyFile, fields: Sequence[str], function: Function) -> str:
    """What stopped the compiler, in a line: numba's message cut down to file, line and reason."""
    text = str(wrong)
    stripped = (line.lstrip(" >").rstrip() for line in text.splitlines())
    lines = [line for line in stripped if line and not line.startswith(_NOISE)]
    reason = " ".join(lines[: 2 if lines and lines[0].endswith(":") else 1]) or type(wrong).__name__
    if returned := re.match(r"No conversion from (.+) to int64 for '\$\d*return_value", reason):
        reason = f"{_RETURNS[function]} on every path" + _instead(returned[1])
    name = re.match(r"NameError: name '(\w+)'", reason)
    missing = str(wrong.args[0]) if isinstance(wrong, KeyError) else name[1] if name else None
    if isinstance(wrong, KeyError):  # numba's way to say that a record has no such field
        reason = f"there is no field {missing}.{nearest(str(missing), fields)}"
    where = _place_in(text, file) or _place_named(missing, file) or file.path
    return f"{where}: strategy {file.name} does not compile: {reason}"


def _instead(kind: str) -> str:
    """What was returned, in the words of numba's types; nothing for a missing return."""
    return "" if kind == "none" else f", not {kind}"


def _place_in(text: str, file: StrategyFile) -> str | None:
    """The first `file:line` of the strategy's sources in numba's message, which shortens paths."""
    paths = {path.name: path for path in file.sources}
    found = re.findall(r'File "([^"]+)", line (\d+)', text)
    return next((f"{paths[Path(p).name]}:{line}" for p, line in found if Path(p).name in paths), None)


def _place_named(name: str | None, file: StrategyFile) -> str | None:
    """Where the strategy's sources first use a name or an attribute."""
    for path, text in file.sources.items():
        for node in ast.walk(ast.parse(text)):
            if name is not None and name in (getattr(node, "id", None), getattr(node, "attr", None)):
                return f"{path}:{node.lineno}"  # type: ignore[attr-defined]
    return None
