"""What `simkit list` lists: games, strategies, experiments and runs, as rows for a script or a table for a reader."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from simkit import strategy
from simkit.catalog import Catalog
from simkit.errors import SimkitError
from simkit.prepared import run_folders

Row = dict[str, Any]
Warn = Callable[[str], object]

MOST_PARAMETERS = 4  # in a table; `simkit show STRATEGY` has them all
HIDDEN = ("path",)  # keys that only JSON shows


def _ignore(fault: str) -> None:
    pass


def games(warn: Warn = _ignore) -> list[Row]:
    """A row a game: name, title, seats under the default rules, strategies (how many), about."""
    catalog = Catalog()
    return [
        {
            "name": game.name,
            "title": game.title,
            "seats": game.seats(game.resolve({})),
            "strategies": len(strategies_of(game.name, catalog)),
            "about": game.about,
        }
        for game in catalog.games.values()
    ]


def strategies(warn: Warn = _ignore) -> list[Row]:
    """A row a strategy: name, game, about, parameters with their defaults, path.

    `warn` is told what is wrong with each file that is no strategy; it has no row.
    """
    catalog = Catalog()
    return [row for game in catalog.games for row in strategies_of(game, catalog, warn)]


def strategies_of(game: str, catalog: Catalog, warn: Warn = _ignore) -> list[Row]:
    """The rows of one game's strategies (see strategies)."""
    rows = []
    for name in sorted(strategy.available(game, catalog.base)):
        try:
            file = strategy.find(game, name, catalog.base)
        except SimkitError as fault:
            warn(str(fault))
            continue
        parameters = {key: parameter.default for key, parameter in file.parameters.items()}
        rows.append({"name": name, "game": game, "about": file.about, "parameters": parameters, "path": str(file.path)})
    return rows


def experiments(warn: Warn = _ignore) -> list[Row]:
    """A row an experiment: name, game, question, title, path. `warn` is told of files that are not TOML."""
    rows = []
    for name, path in Catalog().experiments.items():
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as fault:
            warn(f"{path}: not TOML: {fault}")
            continue
        words = {key: str(data.get(key, "")) for key in ("game", "question", "title")}
        rows.append({"name": name, **words, "path": str(path)})
    return rows


def runs(warn: Warn = _ignore) -> list[Row]:
    """A row a run below reports/: name, experiment, status, deals, games, seed, ended, path.

    A run that was killed before it could write its manifest is interrupted; its counts are None.
    """
    keys = ("deals", "games", "seed", "ended")
    rows = []
    for folder in run_folders():
        found = manifest(folder, warn)
        about = {"experiment": found.get("experiment", folder.name), "status": found.get("status", "interrupted")}
        rows.append({"name": folder.name, **about, **{key: found.get(key) for key in keys}, "path": str(folder)})
    return rows


def manifest(folder: Path, warn: Warn = _ignore) -> Mapping[str, Any]:
    """A run's manifest.json; empty when there is none, or when it is damaged, which `warn` is told."""
    path = folder / "manifest.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as fault:
        warn(f"{path}: damaged: {fault}")
        return {}
    return found if isinstance(found, dict) else {}


def print_rows(rows: Sequence[Row], console: Console) -> None:
    """Prints rows as a table that wraps in a terminal; in a pipe each row is a line of aligned columns."""
    if not rows:
        console.print("none")
        return
    keys = [key for key in rows[0] if key not in HIDDEN]
    cells = [[_minute(row[key]) if key == "ended" else _cell(row[key]) for key in keys] for row in rows]
    if console.is_terminal:
        table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="dim")
        for key in keys:
            table.add_column(key, overflow="fold")
        for line in cells:
            table.add_row(*map(Text, line))
        console.print(table)
        return
    widths = [max(map(len, column)) for column in zip(keys, *cells, strict=True)]
    for line in [keys, *cells]:
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        console.print(Text(text.rstrip()), soft_wrap=True)


def _minute(time: str | None) -> str:
    """A manifest's time as far as a reader cares."""
    return (time or "")[:16].replace("T", " ")


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        shown = [f"{key}={_cell(item)}" for key, item in value.items()]
        if len(shown) > MOST_PARAMETERS:
            shown[MOST_PARAMETERS - 1 :] = [f"and {len(shown) - MOST_PARAMETERS + 1} more"]
        return ", ".join(shown)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
