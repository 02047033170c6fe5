"""Strategy files: finding them, reading what they say of themselves without running them, and compiling them.

A strategy is a plain Python file with a function `act(view, rules, params, rng)` that returns a move, and maybe a class
`Params(NamedTuple)` whose defaults are its parameters. Files next to it that it imports are part of it: the compiled
code is kept under a hash of them all, so that an edit anywhere is noticed.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
import traceback
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.errors import StrategyError, UsageError, nearest

if TYPE_CHECKING:
    from simkit.driver import Engine

TYPES: dict[str, type[bool | int | float]] = {"int": int, "float": float, "bool": bool}
RESERVED = ("use",)  # keys of an experiment's [strategies]
ARGUMENTS = ("view", "rules", "params", "rng")
MAX_PARAMETERS = 32


@dataclass(frozen=True)
class Parameter:
    """A parameter of a strategy: its type (bool, int or float) and its default."""

    type: type[bool | int | float]
    default: bool | int | float

    def read(self, value: Any) -> bool | int | float:
        """The value in the parameter's type. Raises ValueError when it does not fit."""
        if self.type is float and isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
        if type(value) is not self.type:
            wanted = "true or false" if self.type is bool else f"of type {self.type.__name__}"
            raise ValueError(f"{value!r} is not {wanted}")
        typed: bool | int | float = self.type(value)
        return typed


@dataclass(frozen=True)
class StrategyFile:
    """What a strategy file says of itself.

    Attributes:
        name: the file's name without `.py`.
        game: the game it is for, None when it does not say.
        about: its docstring's first paragraph.
        parameters: its parameters by name, in order.
        path: the file, absolute.
        sources: text of the file and of the files next to it that it imports, by path; each comes before those that it
            imports, so the file is first.
    """

    name: str
    game: str | None
    about: str
    parameters: Mapping[str, Parameter]
    path: Path
    sources: Mapping[Path, str] = field(repr=False)

    @property
    def docstring(self) -> str:
        """The whole docstring, empty when there is none."""
        return ast.get_docstring(ast.parse(self.sources[self.path])) or ""

    @property
    def source_hash(self) -> str:
        """Changes with any of the sources."""
        return hashlib.sha256("\0".join(self.sources.values()).encode()).hexdigest()

    def fill(self, given: Mapping[str, Any]) -> dict[str, bool | int | float]:
        """All parameters with defaults filled in. Raises StrategyError naming every unknown or wrong one."""
        faults = [
            f"{self.name}: {key}: no such parameter. "
            + (f"Parameters: {', '.join(self.parameters)}." if self.parameters else "It has none.")
            + nearest(key, self.parameters)
            for key in given
            if key not in self.parameters
        ]
        values = {}
        for key, parameter in self.parameters.items():
            try:
                values[key] = parameter.read(given.get(key, parameter.default))
            except ValueError as wrong:
                faults.append(f"{self.name}: {key}: {wrong}")
        if faults:
            raise StrategyError("\n".join(faults))
        return values


def read(path: Path) -> StrategyFile:
    """Reads a strategy file without running it. Raises UsageError (no such file) or StrategyError (not a strategy)."""
    path = path.resolve()
    gathered: dict[Path, str] = {}
    tree = _gather(path, gathered, set())
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    if "act" not in functions:
        raise StrategyError(f"{path}: no function act({', '.join(ARGUMENTS)}): this is not a strategy.")
    arguments = tuple(a.arg for a in functions["act"].args.args)
    if len(arguments) != len(ARGUMENTS):
        line = functions["act"].lineno
        raise StrategyError(f"{path}:{line}: act takes ({', '.join(ARGUMENTS)}), not ({', '.join(arguments)}).")
    about = (ast.get_docstring(tree) or "").split("\n\n")[0].replace("\n", " ")
    sources = dict(reversed(gathered.items()))
    return StrategyFile(path.stem, _game_of(tree, path), about, _parameters(tree, path), path, sources)


def _gather(file: Path, done: dict[Path, str], entered: set[Path]) -> ast.Module:
    """Adds to `done` the files beside `file` that it imports, each after those it imports itself; `file` is last."""
    entered.add(file)
    text = _text(file)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:  # the last two: nested too deep
        line = getattr(wrong, "lineno", None) or 1
        raise StrategyError(f"{file}:{line}: not valid Python: {getattr(wrong, 'msg', wrong)}") from None
    _refuse_recursion(tree, file)
    for name in _imports(tree):
        beside = (file.parent / f"{name}.py").resolve()
        if beside.is_file() and beside not in entered:
            _gather(beside, done, entered)
    done[file] = text
    return tree


def _refuse_recursion(tree: ast.Module, file: Path) -> None:
    """Numba's cache cannot load a function that calls itself: the process would be aborted on the next start."""
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    calls = {
        name: {n.func.id for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        for name, node in functions.items()
    }
    for name, node in functions.items():
        reached, waiting = set(), set(calls[name])
        while waiting:
            reached |= waiting
            waiting = {c for r in waiting for c in calls.get(r, ())} - reached
        if name in reached:
            raise StrategyError(f"{file}:{node.lineno}: {name} calls itself; a strategy must do without recursion.")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as wrong:
        raise UsageError(f"{path}: cannot read the strategy: {wrong.strerror}") from None
    except UnicodeDecodeError:
        raise StrategyError(f"{path}: not a text file in UTF-8") from None


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module


def _game_of(tree: ast.Module, path: Path) -> str | None:
    """`GAME = "…"` if the file says so, else the game whose package it imports."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "GAME" for t in node.targets):
            if not isinstance(node.value, ast.Constant) or not isinstance(node.value.value, str):
                raise StrategyError(f"{path}:{node.lineno}: GAME must be a game's name in quotes.")
            return node.value.value
    games = [m.split(".")[2] for m in _imports(tree) if m.startswith("simkit.games.")]
    return games[0] if games else None


def _parameters(tree: ast.Module, path: Path) -> dict[str, Parameter]:
    params = next((n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Params"), None)
    found = {}
    for node in params.body if params else ():
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        kind = TYPES.get(ast.unparse(node.annotation))
        if node.target.id in RESERVED:
            raise StrategyError(f"{path}:{node.lineno}: a parameter cannot be named {node.target.id}.")
        try:
            default = ast.literal_eval(node.value) if node.value else None
            if kind is None or default is None:
                raise ValueError
            found[node.target.id] = Parameter(kind, Parameter(kind, kind()).read(default))
        except ValueError:
            raise StrategyError(
                f"{path}:{node.lineno}: parameter {node.target.id} must be int, float or bool with a plain default."
            ) from None
    if params and len(found) > MAX_PARAMETERS:
        raise StrategyError(f"{path}:{params.lineno}: {len(found)} parameters, {MAX_PARAMETERS} are the most.")
    return found


def shipped_folder(kind: str) -> Path:
    """The folder of shipped `strategies`, `experiments` or `rules`: in an installed package, or beside it."""
    here = Path(__file__).parent
    inside = here / "lab" / kind
    return inside if inside.is_dir() else here.parent / ("docs/rules" if kind == "rules" else kind)


def folders(game: str, base: Path) -> list[Path]:
    """Where strategies of a game are looked up: the workspace of `base`, the current folder, the shipped ones."""
    roots = [base, base.parent, Path.cwd()]
    found = [root.resolve() / "strategies" / game for root in roots] + [shipped_folder("strategies") / game]
    return list(dict.fromkeys(f for f in found if f.is_dir()))


def available(game: str, base: Path) -> dict[str, Path]:
    """All strategies of a game by name; a file of the workspace hides a shipped one of the same name."""
    found: dict[str, Path] = {}
    for folder in folders(game, base):
        for path in sorted(folder.glob("*.py")):
            if not path.stem.startswith("_"):
                found.setdefault(path.stem, path)
    return found


def find(game: str, use: str, base: Path) -> StrategyFile:
    """The strategy named or pointed to by `use`. Raises UsageError when there is none, or it is of another game."""
    if use.endswith(".py") or "/" in use or "\\" in use:
        near = [root / use for root in (base, Path.cwd())]
        path = next((p for p in near if p.is_file()), near[0])
        if not path.is_file():
            raise UsageError(f"{use}: no such strategy file.")
    else:
        known = available(game, base)
        if use not in known:
            names = ", ".join(sorted(known)) or "none"
            raise UsageError(f"{use}: no such strategy of {game}. Strategies: {names}.{nearest(use, known)}")
        path = known[use]
    found = read(path)
    if found.game not in (None, game):
        raise UsageError(f"{use}: this strategy is for {found.game}, not for {game} ({found.path}).")
    return found


@dataclass(frozen=True)
class Player:
    """A compiled strategy with its parameters: what sits down at a table.

    Attributes:
        game: name of the game.
        label: its name in this run.
        act: compiled function of the game's strategy signature.
        row: its parameters as numbers, in the order of `file.parameters`.
        file: where it comes from.
    """

    game: str
    label: str
    act: Any = field(repr=False)
    row: tuple[float, ...]
    file: StrategyFile

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to another machine as sources and numbers, and is compiled there."""
        from simkit.driver import revive_player

        return revive_player, (self.game, self.file, self.label, self.row)

    @property
    def parameters(self) -> dict[str, bool | int | float]:
        """The parameters by name, in their own types."""
        return {k: p.type(v) for (k, p), v in zip(self.file.parameters.items(), self.row, strict=True)}


def compile_player(engine: Engine, file: StrategyFile, label: str, given: Mapping[str, Any]) -> Player:
    """Compiles a strategy for a game, or loads it from the cache, and fills in its parameters.

    Raises StrategyError for code that does not run or compile and for wrong parameters.
    """
    row = tuple(float(v) for v in file.fill(given).values())
    return Player(engine.game.name, label, _compiled(engine, file), row, file)


def _compiled(engine: Engine, file: StrategyFile) -> Any:
    from simkit import jit

    mark = jit.digest(text.encode() for text in (str(file.path), *file.sources.values()))
    folder = engine.folder / "strategies" / f"{file.name}-{mark}"
    name = f"simkit_entry_{engine.game.name}_{mark}"
    if name not in sys.modules:
        module = _load(file, mark)
        _write_entry(file, folder, name, module)
    entry = sys.modules[name].entry
    if not hasattr(entry, "signatures"):
        entry = _jit(engine, file, entry, folder)
        sys.modules[name].entry = entry  # type: ignore[attr-defined]
    return entry


def _load(file: StrategyFile, mark: str) -> types.ModuleType:
    """Runs the strategy's modules under names of their own and compiles their functions on first use."""
    from simkit.jit import kernel

    before: dict[str, types.ModuleType | None] = {}
    try:
        for path in reversed(list(file.sources)):
            module = types.ModuleType(f"simkit_strategy_{mark}_{path.stem}")
            module.__file__ = str(path)
            sys.modules[module.__name__] = module
            _run(file.sources[path], path, module)
            for name, value in list(vars(module).items()):
                if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                    setattr(module, name, kernel(value))
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


def _write_entry(file: StrategyFile, folder: Path, name: str, strategy: types.ModuleType) -> None:
    """A tiny module that turns a row of numbers into Params; numba caches it only if it is a real file."""
    casts = {bool: "row.value[{}] != 0.0", int: "int(row.value[{}])", float: "row.value[{}]"}
    values = ", ".join(casts[p.type].format(i) for i, p in enumerate(file.parameters.values()))
    params = f"Params({values})" if file.parameters else "()"
    lines = [
        f"from {strategy.__name__} import act" + (", Params" if file.parameters else ""),
        "def entry(view, rules, row, rng):",
        f"    return act(view, rules, {params}, rng)",
    ]
    text, path = "\n".join(lines) + "\n", folder / "entry.py"
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    module = types.ModuleType(name)
    module.__file__ = str(path)
    exec(compile(text, str(path), "exec"), module.__dict__)
    sys.modules[name] = module


def _jit(engine: Engine, file: StrategyFile, entry: Any, folder: Path) -> Any:
    from numba.core import types as numba_types

    from simkit import jit

    try:
        compiled = jit.entry_point(entry, engine.strategy, folder)
    except OSError:  # the disk's fault, not the strategy's
        raise
    except Exception as wrong:  # numba raises its own errors, KeyError, NotImplementedError …
        state = engine.game.module("state")
        raise StrategyError(_compile_fault(wrong, file, [*state.VIEW.names, *state.RULES.names])) from None
    act = sys.modules[entry.__module__].act
    for signature in act.nopython_signatures:  # empty when the code came from the cache
        if not isinstance(signature.return_type, numba_types.Integer):
            jit.forget(compiled)  # the next start must not find it there
            raise StrategyError(f"{file.path}: act must return a move (an integer), not {signature.return_type}.")
    return compiled


_NOISE = ("Failed in", "File ", "During:", "<source", "^", "This error may", "[1]")


def _compile_fault(wrong: Exception, file: StrategyFile, fields: Sequence[str]) -> str:
    """What stopped the compiler, in a line: numba's message cut down to file, line and reason."""
    text = str(wrong)
    stripped = (line.lstrip(" >").rstrip() for line in text.splitlines())
    lines = [line for line in stripped if line and not line.startswith(_NOISE)]
    reason = " ".join(lines[: 2 if lines and lines[0].endswith(":") else 1]) or type(wrong).__name__
    if "from none to int64" in reason:
        reason = "act must return a move (an integer) on every path"
    name = re.match(r"NameError: name '(\w+)'", reason)
    missing = str(wrong.args[0]) if isinstance(wrong, KeyError) else name[1] if name else None
    if isinstance(wrong, KeyError):  # numba's way to say that a record has no such field
        reason = f"there is no field {missing}.{nearest(str(missing), fields)}"
    where = _place_in(text, file) or _place_named(missing, file) or file.path
    return f"{where}: strategy {file.name} does not compile: {reason}"


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
