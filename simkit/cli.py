"""The command line: every command a few lines over the Python API. Heavy imports wait until a command needs them."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from simkit import interrupt
from simkit.errors import SimkitError, UsageError

app = typer.Typer(
    name="simkit",
    help="A Monte Carlo simulator and balance laboratory for card games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Sets = Annotated[list[str] | None, typer.Option("-s", "--set", metavar="KEY=VALUE", help="Set a rule or another key.")]
Strategies = Annotated[list[str] | None, typer.Argument(help="Names, name:key=value, or paths of .py files.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
Seed = Annotated[int, typer.Option(help="0 to 2^64 - 1.")]
Jobs = Annotated[int | None, typer.Option(min=1, help="Threads; all cores by default. No result depends on it.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        from simkit.run_folder import versions

        typer.echo(", ".join(f"{name} {version}" for name, version in versions().items()))
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Versions, and exit.")
    ] = False,
) -> None:
    """A Monte Carlo simulator and balance laboratory for card games."""


@app.command()
def run(
    experiment: Annotated[Path, typer.Argument(help="A TOML file, or the name of a known experiment.")],
    sets: Sets = None,
    seed: Annotated[int | None, typer.Option(help="Instead of the file's seed.")] = None,
    deals: Annotated[int | None, typer.Option(help="Instead of the file's deals.")] = None,
    jobs: Jobs = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run, by default reports/<experiment>.")] = None,
    as_json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would run, and stop.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget an earlier run in the folder.")] = False,
    backend: Annotated[str, typer.Option(help="threads, or dask for a cluster.")] = "threads",
    scheduler: Annotated[str | None, typer.Option(help="Address of the Dask scheduler.")] = None,
    keep_games: Annotated[
        bool,
        typer.Option("--keep-games", help="Also keep a row for every game, with all its outcome columns (Parquet)."),
    ] = False,
) -> None:
    """Run an experiment to its report, go on with it, or answer from what is stored."""
    from simkit import commands

    given = [*(sets or []), *(["keep_games=true"] if keep_games else [])]
    numbers = {name: value for name, value in (("deals", deals), ("seed", seed)) if value is not None}
    commands.run(
        experiment, given, numbers, jobs=jobs, out=out, as_json=as_json, quiet=quiet, dry_run=dry_run, fresh=fresh,
        cluster=commands.cluster(backend, scheduler),
    )  # fmt: skip


@app.command()
def match(
    game: str,
    strategies: Strategies = None,
    sets: Sets = None,
    deals: Annotated[int, typer.Option(help="How many deals.")] = 10_000,
    seed: Seed = 0,
    no_rotate: Annotated[bool, typer.Option("--no-rotate", help="Do not swap the seats.")] = False,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Play strategies against each other and count."""
    from simkit import commands

    commands.match(game, strategies or [], sets or [], deals, seed, not no_rotate, jobs, as_json)


@app.command()
def replay(
    game: str,
    strategies: Strategies = None,
    sets: Sets = None,
    seed: Seed = 0,
    deal: Annotated[int, typer.Option(help="Number of the deal.")] = 0,
    count: Annotated[int, typer.Option("-n", help="How many deals in a row.")] = 1,
    rotation: Annotated[int, typer.Option(help="By how many places the players are moved round the table.")] = 0,
    as_json: Json = False,
) -> None:
    """Tell a game card by card, with the clauses that fired."""
    from simkit import commands

    commands.replay(game, strategies or [], sets or [], seed, deal, count, rotation, as_json)


@app.command()
def report(
    run: Annotated[Path | None, typer.Argument(metavar="RUN", help="Folder of a run, or its name.")] = None,
    form: Annotated[
        str,
        typer.Option("--format", help="html (report.html), md (report.md) or csv (tables/*.csv), in the run's folder."),
    ] = "html",
) -> None:
    """Write the report of a stored run again and print its path; without RUN, the index of all in reports/."""
    from simkit import commands

    commands.report(run, form)


@app.command()
def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN ...", help="Folders of runs, or their names.")],
    replay: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Play the first N shared deals again, to pair the runs; small ones are without it."
        ),
    ] = None,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Put stored runs side by side: what was asked differently, what each found, and which numbers changed."""
    from simkit import commands

    commands.compare(runs, replay, jobs, as_json)


@app.command(name="list")
def list_(
    what: Annotated[str, typer.Argument(help="games, strategies, experiments or runs.")],
    as_json: Json = False,
) -> None:
    """List games, strategies, experiments or runs."""
    from simkit import commands

    commands.list_(what, as_json)


@app.command()
def show(name: Annotated[str, typer.Argument(help="A game, strategy, experiment or run.")]) -> None:
    """Show a game's rules, a strategy, an experiment or a run."""
    from simkit import commands

    commands.show_(name)


@app.command()
def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE|GAME ...", help="Strategies (.py), experiments (.toml), or games.")
    ],
    seconds: Annotated[float, typer.Option(help="Time limit for playing each strategy.")] = 20.0,
) -> None:
    """Check files and games: strategies and games are played, indices checked, in a process of their own."""
    from simkit import commands

    commands.check(files, seconds)


@app.command()
def bench(
    games: Annotated[list[str] | None, typer.Argument()] = None,
    as_json: Json = False,
) -> None:
    """Measure the speed of random and heuristic play, on one thread and on all."""
    from simkit import commands

    commands.bench(games or [], as_json)


@app.command()
def init(folder: Annotated[Path, typer.Argument(metavar="DIR")]) -> None:
    """Lay out a workspace: strategies and experiments to start from."""
    from simkit import commands

    commands.init(folder)


def main() -> None:
    """Runs a command and ends the process with the exit code of the contract; no traceback for a user's mistake."""
    interrupt.listen()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no ± gets a question mark
    try:
        app()
    except SimkitError as fault:
        typer.echo(str(fault), err=True)
        sys.exit(fault.exit_code)
    except SystemExit as ended:
        if ended.code == 1:  # so click and rich end a command whose reader has gone; we have no other use for it
            _drop_stdout()
            sys.exit(0)
        raise
    except BrokenPipeError:  # the reader of our output has gone
        _drop_stdout()
        sys.exit(0)
    except OSError as fault:  # a full disk, say
        _drop_stdout()
        typer.echo(f"cannot go on: {fault.filename or 'writing'}: {fault.strerror or fault}", err=True)
        sys.exit(UsageError.exit_code)


def _drop_stdout() -> None:
    """Nothing can be written there any more: Python would try again when it ends, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
