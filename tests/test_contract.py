"""What is wrong with a game of one's own is found, and told in words."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simkit import contract
from simkit.errors import GameError, UsageError
from simkit.games import games, get_game
from simkit.games.base import Counted, Game
from tests.conftest import CallSimkit
from tests.examples.plugged import KUHN, plugged_in

# What is changed in a copy of Kuhn poker, file by file; all at once, so that it is compiled once.
SPOILT = {
    "kernel.py": [
        ("    view.seat = seat\n", "    if seat == 0:\n        view.seat = seat\n"),
        ("view.facing = state.bets[1 - seat]", "view.facing = state.cards[1 - seat] == 2"),
        ("return move == PASS or", "return move == PASS or move == 7 or"),
        ("        state.bets[seat] = 0\n", "        state.bets[seat] |= 0\n"),
    ],
    "tell.py": [("int(score) for score", "score for score"), ('"winner": int(outcome', '"winner": (outcome')],
}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """A game with faults, plugged in, compiled in a cache of its own."""
    folder = tmp_path_factory.mktemp("spoilt")
    project = folder / "project"
    shutil.copytree(KUHN, project, ignore=shutil.ignore_patterns("__pycache__"))
    (project / "kuhn_poker").rename(project / "spoilt_poker")
    for path in (path for path in project.rglob("*") if path.is_file()):
        text = path.read_text(encoding="utf-8").replace("kuhn_poker", "spoilt_poker").replace("kuhn-poker", "spoilt")
        for old, new in SPOILT.get(path.name, []):
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    with plugged_in(project, folder / "site"), pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIMKIT_CACHE", str(folder / "cache"))
        yield get_game("spoilt_poker")


@pytest.mark.parametrize(
    ("check", "fault"),
    [
        (contract.games_leave_nothing_behind, "setup leaves something of the game before"),
        (contract.transcripts_end_as_batches_do, "an event is not plain JSON"),
        (contract.legal_moves_are_complete, r"is_legal and nth_move disagree on \[7\]"),
        (contract.views_are_written_whole, "observe does not write seat of the view"),
        (contract.what_is_hidden_stays_hidden, "what is hidden from seat"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_fault_of_the_rules_is_found(spoilt: Game, check: contract.Check, fault: str) -> None:
    with pytest.raises(GameError, match=fault):
        check(spoilt)


@pytest.mark.parametrize(
    ("check", "changes", "fault"),
    [
        (contract.it_is_complete, {"name": "Kuhn poker"}, "name: 'Kuhn poker'"),
        (contract.it_is_complete, {"max_seats": 9}, "max_seats: 9: from 2 to 8"),
        (contract.it_is_complete, {"options": ()}, "options: at least one"),
        (contract.it_is_complete, {"bench": ("random", "nobody")}, r"there is no nobody\.py"),
        (contract.its_columns_are_described, {"columns": {}}, "columns: winner: not described"),
        (contract.its_columns_are_described, {"labels": {}}, "labels: .*: missing"),
        (contract.its_columns_are_described, {"length": "hours"}, "OUTCOME: there is no field hours"),
        (contract.what_can_be_asked_is_there, {"seen": (("scores", ""),) * 3}, "seen: scores: not a field of shape"),
        (contract.what_can_be_asked_is_there, {"measures": (Counted("x", "x", "gone"),)}, "there is no field gone"),
        (contract.its_clauses_are_described, {"open_points": frozenset({"COL-0"})}, "open_points: no clauses: COL-0"),
        (contract.its_clauses_are_described, {"clauses": ()}, "clauses: 0 are named, OUTCOME counts"),
    ],
)
def test_a_fault_of_the_description_is_found(
    colina: Game, check: contract.Check, changes: dict[str, Any], fault: str
) -> None:
    with pytest.raises(GameError, match=fault):
        check(replace(colina, **changes))


def test_a_game_is_checked_in_a_process_of_its_own_and_its_first_fault_told(spoilt: Game, simkit: CallSimkit) -> None:
    said = simkit("check", spoilt.name, "--seconds", 5)
    assert said.code == 3
    assert said.err.startswith("spoilt_poker: ")
    assert "asked for: " in said.err


def test_what_is_neither_a_file_nor_a_game_is_told(simkit: CallSimkit) -> None:
    said = simkit("check", "colinna")
    assert said.code == 2
    assert "nor a game. Did you mean colina?" in said.err


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("GAME = 7", "is a int, not a simkit.games.base.Game"),
        ("import nowhere_at_all", "does not load: ModuleNotFoundError"),
        ("from simkit.games.colina import GAME", "brings colina, but there is a game of that name already"),
    ],
)
def test_a_plug_in_that_cannot_be_used_is_told(tmp_path: Path, text: str, fault: str) -> None:
    project = tmp_path / "project"
    (project / "odd").mkdir(parents=True)
    (project / "odd" / "__init__.py").write_text(text, encoding="utf-8")
    about = '[project]\nname = "odd"\nversion = "1"\n[project.entry-points."simkit.games"]\nodd = "odd:GAME"\n'
    (project / "pyproject.toml").write_text(about, encoding="utf-8")
    with plugged_in(project, tmp_path / "site"), pytest.raises(UsageError, match=fault):
        games()
