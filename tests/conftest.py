"""Fixtures that tests of games and strategies share."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from simkit import strategy
from simkit.driver import engine
from simkit.games import get_game
from simkit.games.base import Game
from simkit.strategy import Player

MakePlayer = Callable[..., Player]


@pytest.fixture(scope="session")
def colina() -> Game:
    """The game of Colina."""
    return get_game("colina")


@pytest.fixture
def make_player(tmp_path: Path) -> MakePlayer:
    """Writes a strategy file and compiles it, in a cache of the test's own so that nothing of it stays behind.

    Call it as make_player(text, name, game, **parameters).
    """

    def make(text: str, name: str = "mine", game: str = "colina", **parameters: bool | int | float) -> Player:
        file = tmp_path / f"{name}.py"
        file.write_text(dedent(text), encoding="utf-8")
        own = copy.copy(engine(get_game(game)))
        own.folder = tmp_path / "cache"
        return strategy.compile_player(own, strategy.read(file), name, parameters)

    return make
