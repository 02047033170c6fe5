"""Measures how fast games are played, through the same path as a match: `simkit bench`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simkit.games import games as known_games
from simkit.games import get_game

SECONDS = 0.5  # of play in each measurement, of which the best of REPEATS counts
REPEATS = 3  # whatever else the machine does can only slow play down
FIRST_DEALS = 100


def measure(games: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Yields a row a measurement: game, strategies, threads, games_per_s, decisions_per_s.

    Each game's `bench` strategies play themselves on one thread and on all cores.

    Args:
        games: names; all games by default.

    Raises:
        UsageError: an unknown game.
    """
    import joblib

    cores = joblib.cpu_count()
    chosen = [get_game(name) for name in games or known_games()]
    for game in chosen:
        for strategy in game.bench:
            for threads in dict.fromkeys((1, cores)):
                games_per_s, decisions_per_s = _speed(game.name, strategy, threads)
                yield {
                    "game": game.name,
                    "strategies": strategy,
                    "threads": threads,
                    "games_per_s": games_per_s,
                    "decisions_per_s": decisions_per_s,
                }


def _speed(game: str, strategy: str, threads: int) -> tuple[float, float]:
    from simkit.api import match

    deals = FIRST_DEALS
    match(game, strategy, deals=deals, jobs=threads)  # compiles
    while (trial := match(game, strategy, deals=deals, jobs=threads)).seconds < SECONDS / 4:
        deals *= 4
    deals = max(1, round(deals * SECONDS / trial.seconds))
    played = [match(game, strategy, deals=deals, jobs=threads) for _ in range(REPEATS)]
    best = min(played, key=lambda result: result.seconds)
    return best.games / best.seconds, best.decisions / best.seconds
