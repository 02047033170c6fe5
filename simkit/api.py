"""What a notebook or script calls: matches and replays by the names that the command line takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from simkit.catalog import Catalog
from simkit.driver import Table, engine
from simkit.errors import UsageError
from simkit.experiment import resolve_spec
from simkit.experiment.model import LARGEST_DEALS, LARGEST_SEED
from simkit.games import get_game
from simkit.games.base import Game
from simkit.matches import MatchResult, play_match
from simkit.player import Player, compile_player


def check_numbers(**numbers: tuple[int, int, int]) -> None:
    """Raises UsageError for every (value, low, high) that is not within its bounds."""
    faults = [
        f"{'--' if len(name) > 1 else '-'}{name}: {value!r} is not a whole number from {low} to {high}"
        for name, (value, low, high) in numbers.items()
        if not isinstance(value, int) or not low <= value <= high
    ]
    if faults:
        raise UsageError("\n".join(faults))


def line_up(game: Game, strategies: Sequence[str], seats: int, default: str = "random") -> list[Player]:
    """Compiled players for all seats; fewer strategies than seats: the last one is repeated.

    Raises:
        UsageError: more strategies than seats, an unknown one, or a wrong parameter.
        StrategyError: one that does not compile.
    """
    named = list(strategies) or [default]
    if len(named) > seats:
        raise UsageError(f"{len(named)} strategies for the {seats} seats of {game.name}.")
    base, compiled = Path.cwd(), engine(game)
    catalog = Catalog(base)
    players = []
    for spec in named:
        use = resolve_spec(catalog, game, spec, base)
        file = catalog.resolve_strategy(game.name, use.use, base)
        players.append(compile_player(compiled, file, spec, use.parameters))
    return players + [players[-1]] * (seats - len(players))


def match(
    game: str,
    *strategies: str,
    rules: Mapping[str, Any] | None = None,
    deals: int = 10_000,
    seed: int = 0,
    rotate: bool = True,
    jobs: int | None = None,
) -> MatchResult:
    """Plays strategies against each other.

    Args:
        game: name of the game.
        strategies: names, with parameters (`"greedy:king_below=5"`), or paths of files.
        rules: options that differ from their defaults.
        deals: how many deals.
        seed: 0 … 2^64 − 1.
        rotate: play every deal in all rotations of the seats.
        jobs: threads, all cores by default. No result depends on it.

    Raises:
        UsageError, StrategyError: see simkit.errors.
    """
    import joblib

    threads = joblib.cpu_count() if jobs is None else jobs
    check_numbers(deals=(deals, 1, LARGEST_DEALS), seed=(seed, 0, LARGEST_SEED), jobs=(threads, 1, 10**4))
    found = get_game(game)
    values = found.resolve(rules or {})
    players = line_up(found, strategies, found.seats(values))
    return play_match(found, players, values, deals=deals, seed=seed, rotate=rotate, jobs=threads)


def replay(
    game: str,
    *strategies: str,
    rules: Mapping[str, Any] | None = None,
    seed: int = 0,
    deal: int = 0,
    rotation: int = 0,
) -> Iterator[dict[str, Any]]:
    """The transcript of one game as events (see simkit.transcript).

    Raises:
        UsageError, StrategyError: see simkit.errors; when the first event is asked for, or later.
    """
    from simkit.transcript import events

    found = get_game(game)
    values = found.resolve(rules or {})
    seats = found.seats(values)
    check_numbers(deal=(deal, 0, LARGEST_SEED), seed=(seed, 0, LARGEST_SEED), rotation=(rotation, 0, seats - 1))
    yield from events(Table(found, line_up(found, strategies, seats), values, seed), deal, rotation)
