"""What `simkit show` shows: a game's rules, a strategy, an experiment, or a run, whichever has the name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from simkit import listing, strategy
from simkit.catalog import Catalog
from simkit.errors import SimkitError, UsageError, nearest
from simkit.games.base import Game
from simkit.games.options import AnyOption
from simkit.prepared import find_run
from simkit.rulebook import Clause, read_rules
from simkit.strategy import StrategyFile

Teller = Callable[[Console], None]

FEW = 12  # labels that are listed in full


def show(name: str, console: Console) -> None:
    """Prints everything that has the name: games, strategies (also `game/name` or a path), experiments and runs.

    Raises:
        UsageError: nothing has.
        StrategyError: a strategy's file is broken.
    """
    catalog = Catalog()
    tellers = [*_games(name, catalog), *_strategies(name, catalog), *_experiments(name, catalog), *_runs(name)]
    if not tellers:
        raise UsageError(f"{name}: no such game, strategy, experiment or run.{nearest(name, _names(catalog))}")
    for i, tell in enumerate(tellers):
        if i:
            console.print()
        tell(console)


def _names(catalog: Catalog) -> list[str]:
    found = [*catalog.games, *catalog.experiments, *(row["name"] for row in listing.runs())]
    return list(dict.fromkeys([*found, *(row["name"] for row in listing.strategies())]))


def _games(name: str, catalog: Catalog) -> Iterator[Teller]:
    if name in catalog.games:
        yield partial(_tell_game, catalog.games[name], catalog)


def _strategies(name: str, catalog: Catalog) -> Iterator[Teller]:
    if name.endswith(".py"):
        yield partial(_tell_strategy, strategy.read(Path(name)), None)
        return
    game_name, _, short = name.rpartition("/")
    for game in catalog.games:
        if game_name in ("", game) and short in strategy.available(game, catalog.base):
            yield partial(_tell_strategy, strategy.find(game, short, catalog.base), game)


def _experiments(name: str, catalog: Catalog) -> Iterator[Teller]:
    path = Path(name) if name.endswith(".toml") else catalog.experiments.get(name)
    if path is not None:
        yield partial(_tell_experiment, path)


def _runs(name: str) -> Iterator[Teller]:
    try:
        folder = find_run(Path(name))
    except UsageError:
        return
    yield partial(_tell_run, folder)


def _heading(console: Console, title: str, *lines: str) -> None:
    console.print(Text(title, style="bold"))
    for line in lines:
        console.print(Text(line))


def _field(console: Console, name: str, text: str) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(min_width=11, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(name, style="dim"), Text(text))
    console.print(grid)


def _tell_game(game: Game, catalog: Catalog, console: Console) -> None:
    _heading(console, f"{game.title} ({game.name})", game.about)
    told: set[str] = set()
    for section in read_rules(game.name):
        console.print()
        _heading(console, f"{section.number} {section.title}")
        for clause in section.clauses:
            options = [o for o in game.options if o.clause == clause.number]
            told |= {o.name for o in options}
            _tell_clause(clause, options, console)
    if rest := [o for o in game.options if o.name not in told]:
        console.print()
        _heading(console, "Options of other clauses" if told else "Options")
        _tell_options(rest, console, with_clause=True)
    console.print()
    _heading(console, "Outcome columns")
    _tell_columns(game, console)
    console.print()
    _heading(console, "Strategies")
    rows = listing.strategies_of(game.name, catalog)
    listing.print_rows([{k: row[k] for k in ("name", "parameters", "about")} for row in rows], console)


def _tell_clause(clause: Clause, options: Sequence[AnyOption], console: Console) -> None:
    console.print(Markdown(f"**{clause.number}** {clause.text}"))
    _tell_options(options, console)


def _tell_options(options: Sequence[AnyOption], console: Console, with_clause: bool = False) -> None:
    from simkit.questions.words import toml_value

    for option in options:
        clause = f" ({option.clause})" if with_clause else ""
        line = Text.assemble(
            (f"rules.{option.name} = {toml_value(option.default)}", "bold"),
            f"  {option.allowed}; {option.about}{clause}",
        )
        console.print(Padding(line, (0, 0, 0, 4)))


def _tell_columns(game: Game, console: Console) -> None:
    """A row a field of the outcome: its columns are the field's name, then a label of each axis, then the seat."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    dtype = game.module("state").OUTCOME
    for field in dtype.names:
        by_seat = field in game.seat_fields
        axes = len(dtype[field].shape) - by_seat
        letters = "AB"[:axes]
        name = "_".join([field, *(f"<{letter}>" for letter in letters), *(["<seat>"] if by_seat else [])])
        labels = [game.labels[key] for key in (field, f"{field}/2")[:axes]]
        words = [f"{letter}: {_labels(some)}" for letter, some in zip(letters, labels, strict=True)]
        table.add_row(Text(name), Text("\n".join([game.columns[field], *words])))
    console.print(table)


def _labels(labels: Sequence[str]) -> str:
    if len(labels) <= FEW:
        return ", ".join(labels)
    return f"{labels[0]}, {labels[1]}, … {labels[-1]} ({len(labels)} of them)"


def _tell_strategy(file: StrategyFile, game: str | None, console: Console) -> None:
    of = file.game or game
    _heading(console, f"{file.name}, a strategy{f' of {of}' if of else ''}")
    console.print(Markdown(file.docstring) if file.docstring else Text("It has no docstring."))
    parameters = [f"{key} = {p.default} ({p.type.__name__})" for key, p in file.parameters.items()]
    _field(console, "parameters", ", ".join(parameters) or "none")
    _field(console, "path", str(file.path))
    _field(console, "source", file.source_hash)


def _tell_experiment(path: Path, console: Console) -> None:
    from simkit.prepared import prepare

    prepared = prepare(path)
    experiment = prepared.experiment
    _heading(console, f"{experiment.name}, an experiment", *([experiment.about] if experiment.about else []))
    console.print(Text(prepared.summary(with_arms=False)))
    _field(console, "path", str(path))
    console.print(Text(f"\n{experiment.to_toml().rstrip()}"))


def _tell_run(folder: Path, console: Console) -> None:
    found = listing.manifest(folder, lambda fault: console.print(Text(fault, style="yellow")))
    _heading(console, f"{folder.name}, a run")
    for key in ("status", "deals", "games", "seed", "command", "started", "ended"):
        if key in found:
            _field(console, key, str(found[key]))
    for key in ("versions", "host"):
        if isinstance(found.get(key), dict):
            _field(console, key, ", ".join(f"{name} {value}" for name, value in found[key].items()))
    console.print()
    try:
        _tell_answer(folder, console)
    except SimkitError as fault:  # the manifest is worth showing even then
        console.print(Text(str(fault), style="yellow"))


def _tell_answer(folder: Path, console: Console) -> None:
    """What the stored tallies say, without writing anything."""
    from simkit.plan import Results
    from simkit.prepared import stored
    from simkit.questions import KINDS
    from simkit.store import Store

    prepared = stored(folder)
    with closing(Store(folder / "run.sqlite", prepared.plan)) as store:
        totals: Any = store.totals()
    answer = KINDS[prepared.experiment.kind].answer(prepared.asked, Results(prepared.plan, totals))
    _heading(console, answer.question, answer.summary)
    for verdict in answer.verdicts:
        console.print(Padding(Text(verdict.sentence), (0, 0, 0, 2)))
    if (folder / "report.html").exists():
        _field(console, "report", str(folder / "report.html"))
