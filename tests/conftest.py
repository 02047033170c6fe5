"""Fixtures that tests of games and strategies share."""

from __future__ import annotations

import copy
import json
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from simkit import cli, strategy
from simkit.driver import engine
from simkit.games import get_game
from simkit.games.base import Game
from simkit.player import Player, compile_player
from simkit.report import files

MakePlayer = Callable[..., Player]

EXPERIMENT = """\
question = "card_strength"
game = "colina"
deals = 40
seed = 1

[rules]
max_rounds = 50

[strategies]
greedy = {}
hunter = { use = "hill_hunter", max_front = 5 }

[card_strength]
cards = ["K"]
"""


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Gives each worker a stretch of tests: those of a module then share its fixtures, and a game is compiled once."""
    if config.getvalue("dist") != "load":  # another one was asked for
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@dataclass
class Said:
    """What a command did: exit code, stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on stdout."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)


CallSimkit = Callable[..., Said]
WriteExperiment = Callable[..., Path]


@pytest.fixture(scope="session")
def colina() -> Game:
    """The game of Colina."""
    return get_game("colina")


@pytest.fixture(scope="session")
def lost_cities() -> Game:
    """The game of Lost Cities."""
    return get_game("lost_cities")


@pytest.fixture(scope="session")
def sixty_six() -> Game:
    """The game of Sixty-Six."""
    return get_game("sixty_six")


@pytest.fixture(scope="session")
def saloon() -> Game:
    """The game of Saloon."""
    return get_game("saloon")


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
        return compile_player(own, strategy.read(file), name, parameters)

    return make


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out the drawing of charts, for tests that run many times and look at other things."""
    monkeypatch.setattr(files, "save_chart", lambda *anything: None)
    monkeypatch.setattr("simkit.report.page.render", lambda answer, facts: f"{facts.deals} {answer.summary}")


@pytest.fixture
def simkit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Iterator[CallSimkit]:
    """Calls the command line in a workspace of its own; nobody's terminal, and no traceback."""
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Said:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["simkit", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return Said(code, printed.out, printed.err)

    yield call
    signal.signal(signal.SIGINT, before)


def write_experiment(folder: Path, *changes: tuple[str, str], name: str = "small") -> Path:
    """Writes an experiment: the small one, with parts of its text replaced."""
    text = EXPERIMENT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def experiment(tmp_path: Path) -> WriteExperiment:
    """Writes an experiment in the test's own folder."""
    return partial(write_experiment, tmp_path)
