"""A search that follows a plan: on its own deals, measured on fresh ones, stored, and done anew for more deals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit import follow_up
from simkit.errors import UsageError
from simkit.questions import tuning
from simkit.runs import RunResult, run
from simkit.store import read_fact

TEXT = """
question = "dominant_strategy"
game = "saloon"
deals = 150
seed = 3
margin = 0.02

[strategies]
sceptic = {}
bluffer = {}

[dominant_strategy.search]
strategy = "bluffer"
ranges = { bluff = [0.0, 1.0], doubt = [0.0, 1.0] }
tries = 30
deals = 60
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("searched")
    (path / "asked.toml").write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def first(folder: Path) -> RunResult:
    return carried_out(folder)


def carried_out(folder: Path, **more: Any) -> RunResult:
    return run(folder / "asked.toml", out=folder / "out", jobs=1, **more)


def found_in(folder: Path) -> dict[str, Any]:
    data = json.loads(read_fact(folder / "out" / "run.sqlite", follow_up.FOUND) or "{}")
    assert set(data) == {"deals", "found"}
    return dict(data)


def test_the_best_answer_to_who_always_doubts_is_hardly_to_bluff(folder: Path, first: RunResult) -> None:
    """Planted: sceptic doubts every payment, so that no bluff ever succeeds."""
    found = found_in(folder)["found"]
    assert found["parameters"]["bluff"] < 0.25
    assert found["tries"] >= 30
    verdict = first.verdicts[-1]
    assert verdict.subject == "best answer"
    assert -0.2 < verdict.estimate < 0.1
    assert "on fresh deals" in first.summary
    told = "The best answer that the search has found is bluffer:bluff="
    assert any(note.startswith(told) for note in first.answer.notes)


def test_it_is_measured_on_deals_that_nobody_has_seen(folder: Path, first: RunResult) -> None:
    from simkit.driver import Table
    from simkit.games import get_game
    from tests.tables import shipped

    found = found_in(folder)["found"]
    assert found["mixture"] == {"0": 1.0}  # sceptic
    player = shipped("saloon", "bluffer").with_parameters(found["parameters"])
    saloon = get_game("saloon")
    table = Table(saloon, [player, shipped("saloon", "sceptic")], saloon.resolve({}), 3)
    outcomes = table.play(follow_up.FRESH_FROM, 150)
    finished = outcomes["unfinished"] == 0
    won = float(((outcomes["winner"] == np.arange(2)) & finished).sum() / finished.sum())
    assert first.verdicts[-1].estimate == pytest.approx(won - 0.5, abs=1e-12)


def test_a_complete_run_answers_from_the_store(folder: Path, first: RunResult, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing is to be played")

    monkeypatch.setattr(follow_up.runner, "play", play)
    monkeypatch.setattr(follow_up.Trials, "observe", play)
    assert carried_out(folder).to_json()["verdicts"] == first.to_json()["verdicts"]


@pytest.mark.usefixtures("first")  # is played before the folder holds more deals
def test_with_more_deals_the_search_is_done_anew_and_the_same_from_scratch(folder: Path, tmp_path: Path) -> None:
    longer = carried_out(folder, deals=180)
    assert found_in(folder)["deals"] == 180
    (tmp_path / "asked.toml").write_text(TEXT, encoding="utf-8")
    scratch = carried_out(tmp_path, deals=180)
    assert scratch.to_json()["verdicts"] == longer.to_json()["verdicts"]
    assert found_in(tmp_path) == found_in(folder)


def test_it_shows_how_far_it_is_and_goes_on_behind_a_search_that_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path, first: RunResult
) -> None:
    class Stop(Exception):
        """Stands for Ctrl-C."""

    told: list[tuple[int, int, int, str]] = []

    def tell(done: int, wanted: int, games: int, headline: str = "") -> None:
        told.append((done, wanted, games, headline))
        if headline == "comparing the best few":
            raise Stop

    (tmp_path / "asked.toml").write_text(TEXT, encoding="utf-8")
    with pytest.raises(Stop):
        carried_out(tmp_path, progress=tell)
    searching = [one for one in told if one[3] == "searching a better bluffer"]
    assert [done for done, *_ in searching] == sorted(done for done, *_ in searching)
    assert all(done <= wanted == 30 * 60 for done, wanted, *_ in searching)
    assert all(games == 2 * 6 * 60 for *_, games, _ in searching)  # a generation of six, both ways round

    def evolve(*_: Any, **__: Any) -> None:
        raise AssertionError("that search was done")

    monkeypatch.setattr(tuning, "evolve", evolve)
    assert carried_out(tmp_path).to_json()["verdicts"] == first.to_json()["verdicts"]


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ('strategy = "bluffe"', "Did you mean bluffer"),
        ("ranges = { bluf = [0.0, 1.0] }", "bluf: not a number that the strategy can be given"),
        ("ranges = { bluff = [1.0, 0.0] }", "the lowest value, then a higher one"),
        ("tries = 3", "tries"),
    ],
)
def test_faults_are_told(tmp_path: Path, wrong: str, fault: str) -> None:
    key = wrong.split(" = ")[0]
    lines = [wrong if line.startswith(f"{key} = ") else line for line in TEXT.splitlines()]

    (tmp_path / "asked.toml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(UsageError, match=fault):
        run(tmp_path / "asked.toml", out=tmp_path / "out")
