"""What the commands do: they call the API and print what comes back, results on stdout and the rest on stderr."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.errors import InterruptedRun, SimkitError, UsageError, nearest

if TYPE_CHECKING:
    from rich.console import Console

    from simkit.games.base import Game


def print_json(value: Any) -> None:
    """One JSON value on stdout, in one line."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def _warn(text: str) -> None:
    print(text, file=sys.stderr)


def _warn_of(game: Game, rules: Mapping[str, Any]) -> None:
    """Says which rules can be played but may not be meant."""
    for text in game.warnings(rules):
        _warn(f"warning: {text}")


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def run(
    experiment: Path,
    overrides: list[str],
    numbers: Mapping[str, int],
    *,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
    quiet: bool,
    dry_run: bool,
    fresh: bool,
    cluster: Any = None,
) -> None:
    """`simkit run`; `numbers` are keys of the experiment that have options of their own."""
    from simkit.prepared import prepare
    from simkit.progress import progress_bar
    from simkit.runs import carry_out, check_requirements

    try:
        prepared = prepare(experiment, [*overrides, *(f"{name}={value}" for name, value in numbers.items())])
    except SimkitError as fault:
        text = str(fault)
        for name, value in numbers.items():  # as it was typed
            text = text.replace(f"-s {name}={value}: ", f"--{name} {value}: ")
        raise type(fault)(text) from None
    if dry_run:
        if as_json:
            print_json(prepared.to_json())
        else:
            print(prepared.summary())
        return
    if not quiet:
        _warn_of(prepared.asked.game, prepared.experiment.rules)
    try:
        with progress_bar(quiet) as progress:
            result = carry_out(prepared, jobs=jobs, out=out, fresh=fresh, progress=progress, cluster=cluster)
    except (InterruptedRun, KeyboardInterrupt):  # while playing, or while compiling and reporting
        again = [a for a in sys.argv[1:] if a != "--fresh"]
        words = f"interrupted; what was finished is kept. Go on with:\n  simkit {shlex.join(again)}"
        raise InterruptedRun(words) from None
    if as_json:
        print_json(result.to_json())
    else:
        from simkit.report.terminal import print_answer

        print_answer(result.answer, result.facts, result.report, _console())
    check_requirements(result, prepared.experiment.require)


def cluster(backend: str, scheduler: str | None) -> str | None:
    """The scheduler's address for `--backend dask`, None for threads. Raises UsageError for anything else."""
    if backend == "threads" and scheduler is None:
        return None
    if backend == "dask" and scheduler:
        return scheduler
    if backend == "dask":
        raise UsageError("--backend dask needs --scheduler ADDRESS.")
    if backend == "threads":
        raise UsageError("--scheduler goes with --backend dask.")
    known = ("threads", "dask")
    raise UsageError(f"--backend {backend}: no such backend. Backends: {', '.join(known)}.{nearest(backend, known)}")


def match(
    game: str,
    strategies: list[str],
    sets: list[str],
    deals: int,
    seed: int,
    rotate: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """`simkit match`."""
    from simkit import api
    from simkit.experiment import match_rules
    from simkit.games import get_game

    rules = match_rules(get_game(game), sets)
    _warn_of(get_game(game), rules)
    result = api.match(game, *strategies, rules=rules, deals=deals, seed=seed, rotate=rotate, jobs=jobs)
    if as_json:
        print_json(result.to_json())
    else:
        from simkit.report.match import print_match

        print_match(result, _console())


def replay(
    game: str, strategies: list[str], sets: list[str], seed: int, deal: int, count: int, rotation: int, as_json: bool
) -> None:
    """`simkit replay`."""
    from simkit import api, transcript
    from simkit.driver import Table
    from simkit.experiment import match_rules
    from simkit.experiment.model import LARGEST_SEED
    from simkit.games import get_game

    found = get_game(game)
    rules = match_rules(found, sets)
    _warn_of(found, rules)
    seats = found.seats(rules)
    api.check_numbers(
        seed=(seed, 0, LARGEST_SEED),
        deal=(deal, 0, LARGEST_SEED + 1 - max(count, 1)),
        n=(count, 1, 10**9),
        rotation=(rotation, 0, seats - 1),
    )
    table = Table(found, api.line_up(found, strategies, seats), rules, seed)
    for number in range(deal, deal + count):
        if as_json:
            for event in transcript.events(table, number, rotation):
                print(json.dumps(event, ensure_ascii=False))
        else:
            gap = "\n\n" if number + 1 < deal + count else "\n"
            print("\n".join(transcript.words(table, number, rotation)), end=gap)


def report(run_folder: Path | None, form: str) -> None:
    """`simkit report`."""
    from simkit.overview import write_index
    from simkit.prepared import find_run, stored
    from simkit.report.files import write_markdown, write_tables
    from simkit.runs import carry_out

    forms = ("html", "md", "csv")
    if form not in forms:
        raise UsageError(f"--format {form}: no such format. Formats: {', '.join(forms)}.{nearest(form, forms)}")
    if run_folder is None:
        if form != "html":
            raise UsageError(f"--format {form} is of one run: name it.")
        print(write_index())
        return
    folder = find_run(run_folder)
    result = carry_out(stored(folder), out=folder, only_stored=True)
    if form == "md":
        print(write_markdown(folder, result.answer, result.facts))
    elif form == "csv":
        print(*write_tables(folder, result.answer), sep="\n")
    else:
        print(result.report)


def compare(runs: list[Path], replay: int | None, jobs: int | None, as_json: bool) -> None:
    """`simkit compare`."""
    from simkit.compare import compare as put_side_by_side
    from simkit.prepared import find_run
    from simkit.progress import progress_bar

    if len(runs) < 2:
        raise UsageError("compare takes two runs or more.")
    with progress_bar(quiet=replay in (None, 0)) as progress:
        comparison = put_side_by_side([find_run(run) for run in runs], replay, jobs, progress)
    if as_json:
        print_json(comparison.to_json())
    else:
        from simkit.report.comparison import print_comparison

        print_comparison(comparison, _console())


def list_(what: str, as_json: bool) -> None:
    """`simkit list`."""
    from simkit import listing

    kinds = {
        "games": listing.games,
        "strategies": listing.strategies,
        "experiments": listing.experiments,
        "runs": listing.runs,
    }
    if what not in kinds:
        raise UsageError(f"{what}: nothing to list. Lists: {', '.join(kinds)}.{nearest(what, kinds)}")
    rows = kinds[what](_warn)
    if as_json:
        print_json(rows)
    else:
        listing.print_rows(rows, _console())


def show_(name: str) -> None:
    """`simkit show`."""
    from simkit.show import show

    show(name, _console())


def check(files: list[Path], seconds: float) -> None:
    """`simkit check`."""
    from simkit.check import check_files

    check_files(files, seconds)


def bench(games: list[str], as_json: bool) -> None:
    """`simkit bench`."""
    from simkit.bench import measure

    for row in measure(games):
        if as_json:
            print_json(row)
        else:
            what = f"{row['game']:12} {row['strategies']:24} {row['threads']} threads"
            speed = f"{row['games_per_s']:>12,.0f} games/s {row['decisions_per_s']:>14,.0f} decisions/s"
            print(f"{what} {speed}", flush=True)


def init(folder: Path) -> None:
    """`simkit init`."""
    from simkit.workspace import lay_out

    lay_out(folder)
    print(f"{folder}: ready. Go on with:\n  cd {shlex.quote(str(folder))} && simkit run experiments/colina_kings.toml")
