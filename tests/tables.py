"""Line-ups for tests: shipped strategies compiled once a session, and tables that they sit at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from simkit import strategy
from simkit.driver import Table, engine
from simkit.games import get_game
from simkit.games.base import Game
from simkit.player import Player, compile_player
from simkit.strategy import StrategyFile

SHIPPED = strategy.shipped_folder("strategies")


def shipped_names(game: str) -> list[str]:
    """The names of all strategies that simkit ships for a game."""
    return sorted(path.stem for path in (SHIPPED / game).glob("*.py") if not path.stem.startswith("_"))


def shipped_file(game: str, name: str) -> StrategyFile:
    """A shipped strategy, unread files of the current folder notwithstanding."""
    return strategy.read(SHIPPED / game / f"{name}.py")


@cache
def shipped(game: str, name: str) -> Player:
    """A shipped strategy with its default parameters, compiled."""
    return compile_player(engine(get_game(game)), shipped_file(game, name), name, {})


def table_of(
    game: Game, names: Sequence[str] = ("random",), rules: Mapping[str, Any] | None = None, seed: int = 1
) -> Table:
    """A table under the given rules (or their defaults); the names go round until every seat is taken."""
    values = game.resolve(rules or {})
    players = [shipped(game.name, names[seat % len(names)]) for seat in range(game.seats(values))]
    return Table(game, players, values, seed)
