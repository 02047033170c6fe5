"""Line-ups for tests: shipped strategies compiled once a session, and tables that they sit at."""

from __future__ import annotations

from simkit import strategy
from simkit.contract import player_of
from simkit.contract import table_of as table_of
from simkit.games import get_game
from simkit.player import Player
from simkit.strategy import StrategyFile

SHIPPED = strategy.shipped_folder("strategies")


def shipped_names(game: str) -> list[str]:
    """The names of all strategies that simkit ships for a game."""
    return sorted(path.stem for path in (SHIPPED / game).glob("*.py") if not path.stem.startswith("_"))


def shipped_file(game: str, name: str) -> StrategyFile:
    """A shipped strategy, unread files of the current folder notwithstanding."""
    return strategy.read(SHIPPED / game / f"{name}.py")


def shipped(game: str, name: str) -> Player:
    """A shipped strategy with its default parameters, compiled."""
    return player_of(get_game(game), name)
