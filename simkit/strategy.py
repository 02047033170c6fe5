"""Strategy files: finding them, and reading what they say of themselves without running them.

A strategy is a plain Python file with a function `act(view, rules, params, rng)` that returns a move, and maybe a class
`Params(NamedTuple)` whose defaults are its parameters. Files next to it that it imports are part of it: the compiled
code is kept under a hash of them all, so that an edit anywhere is noticed.
"""

from __future__ import annotations

import ast
import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from simkit.errors import StrategyError, UsageError, nearest

TYPES: dict[str, type[bool | int | float]] = {"int": int, "float": float, "bool": bool}
RESERVED = ("use",)  # keys of an experiment's [strategies]
ARGUMENTS = ("view", "rules", "params", "rng")
WHEN_ARGUMENTS = ("view", "rules", "params")
LARGEST_INTEGER = 2**53  # parameters travel as float64, which holds whole numbers up to here exactly
MAX_PARAMETERS = 32


def misfit(wanted: type, value: Any) -> str | None:
    """What a parameter of a type should be, in words, when the value is not; None when it fits."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if wanted is bool:
        return None if isinstance(value, bool) else "true or false"
    if wanted is int:
        fits = is_number and isinstance(value, int) and abs(value) <= LARGEST_INTEGER
        return None if fits else "a whole number of at most 53 bits"
    return None if is_number and math.isfinite(value) else "a number"


def is_path(use: str) -> bool:
    """Whether a strategy is named by its file rather than by its name."""
    return use.endswith(".py") or "/" in use or "\\" in use


@dataclass(frozen=True)
class Parameter:
    """A parameter of a strategy: its type (bool, int or float) and its default."""

    type: type[bool | int | float]
    default: bool | int | float

    def read(self, value: Any) -> bool | int | float:
        """The value in the parameter's type. Raises ValueError when it does not fit."""
        if wanted := misfit(self.type, value):
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

    @property
    def _when(self) -> ast.FunctionDef | None:
        body = ast.parse(self.sources[self.path]).body
        return next((n for n in body if isinstance(n, ast.FunctionDef) and n.name == "when"), None)

    @property
    def has_when(self) -> bool:
        """Whether the file can say when a decision comes up (see check_when)."""
        return self._when is not None

    def check_when(self) -> None:
        """Raises StrategyError when the file has no function `when`, or not of the right arguments."""
        found = self._when
        wanted = ", ".join(WHEN_ARGUMENTS)
        if found is None:
            raise StrategyError(f"{self.path}: no function when({wanted}), which says when a decision comes up")
        arguments = [a.arg for a in found.args.args]
        if len(arguments) != len(WHEN_ARGUMENTS):
            where = f"{self.path}:{found.lineno}"
            raise StrategyError(f"{where}: when takes ({wanted}), not ({', '.join(arguments)})")

    def fill(self, given: Mapping[str, Any]) -> dict[str, bool | int | float]:
        """All parameters with defaults filled in. Raises UsageError naming every unknown or wrong one."""
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
            raise UsageError("\n".join(faults))
        return values


def read(path: Path) -> StrategyFile:
    """Reads a strategy file without running it. Raises UsageError (no such file) or StrategyError (not a strategy)."""
    path = path.resolve()
    gathered: dict[Path, str] = {}
    tree, imports = _gather(path, gathered, set())
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    if "act" not in functions:
        raise StrategyError(f"{path}: no function act({', '.join(ARGUMENTS)}): this is not a strategy.")
    arguments = tuple(a.arg for a in functions["act"].args.args)
    if len(arguments) != len(ARGUMENTS):
        line = functions["act"].lineno
        raise StrategyError(f"{path}:{line}: act takes ({', '.join(ARGUMENTS)}), not ({', '.join(arguments)}).")
    about = (ast.get_docstring(tree) or "").split("\n\n")[0].replace("\n", " ")
    sources = dict(reversed(gathered.items()))
    return StrategyFile(path.stem, _game_of(tree, imports, path), about, _parameters(tree, path), path, sources)


def _gather(file: Path, done: dict[Path, str], entered: set[Path]) -> _Parsed:
    """Adds to `done` the files beside `file` that it imports, each after those it imports itself; `file` is last."""
    entered.add(file)
    text = _text(file)
    parsed = _parse(file, text)
    for name in parsed.imports:
        beside = (file.parent / f"{name}.py").resolve()
        if beside.is_file() and beside not in entered:
            _gather(beside, done, entered)
    done[file] = text
    return parsed


class _Parsed(NamedTuple):
    tree: ast.Module
    imports: tuple[str, ...]


@lru_cache(maxsize=256)  # to name one strategy, all of the game are read
def _parse(file: Path, text: str) -> _Parsed:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:  # the last two: nested too deep
        line = getattr(wrong, "lineno", None) or 1
        raise StrategyError(f"{file}:{line}: not valid Python: {getattr(wrong, 'msg', wrong)}") from None
    _refuse_recursion(tree, file)
    return _Parsed(tree, tuple(_imports(tree)))


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


def _game_of(tree: ast.Module, imports: Iterable[str], path: Path) -> str | None:
    """`GAME = "…"` if the file says so, else the game whose package it imports."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "GAME" for t in node.targets):
            if not isinstance(node.value, ast.Constant) or not isinstance(node.value.value, str):
                raise StrategyError(f"{path}:{node.lineno}: GAME must be a game's name in quotes.")
            return node.value.value
    from simkit.games import games  # brings NumPy, which reading an experiment does without

    packages = {game.package: game.name for game in games().values()}
    imported = (name for module in imports for package, name in packages.items() if _is_in(module, package))
    return next(imported, None)


def _is_in(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


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
    """The folder of simkit's own `strategies`, `experiments` or `rules`: in an installed package, or beside it."""
    here = Path(__file__).parent
    inside = here / "lab" / kind
    return inside if inside.is_dir() else here.parent / ("docs/rules" if kind == "rules" else kind)


def folders(game: str, base: Path) -> list[Path]:
    """Where strategies of a game are looked up: the workspace of `base`, the current folder, those that come along."""
    from simkit.games import games

    roots = [base, base.parent, Path.cwd()]
    found = [root.resolve() / "strategies" / game for root in roots] + [shipped_folder("strategies") / game]
    found += [games()[game].folder / "strategies"] if game in games() else []
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
    """The strategy named or pointed to by `use`.

    Raises:
        UsageError: there is none, or it is of another game.
        StrategyError: its file is no strategy.
    """
    if is_path(use):
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
