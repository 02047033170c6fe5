"""Lists are rows for scripts and tables for readers; a broken file is told and left out."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from simkit import listing

BROKEN = "def act(view\n"


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a strategy, a broken strategy, a broken experiment and three runs."""
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "strategies" / "colina"
    mine.mkdir(parents=True)
    source = (
        '"""Mine: says\\nnothing.\\n\\nOrigin: here."""\nfrom typing import NamedTuple\n\nclass Params(NamedTuple):\n'
    )
    source += "    bold: bool = True\n    far: int = 3\n\ndef act(view, rules, params, rng):\n    return 1\n"
    (mine / "mine.py").write_text(source, encoding="utf-8")
    (mine / "broken.py").write_text(BROKEN, encoding="utf-8")
    (mine / "stranger.py").write_text('GAME = "chess"\n\ndef act(view, rules, params, rng):\n    return 1\n')
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "bad.toml").write_text("deals = \n", encoding="utf-8")
    for name in ("done", "killed", "torn"):
        (tmp_path / "reports" / name).mkdir(parents=True)
        (tmp_path / "reports" / name / "run.sqlite").touch()
    manifest = {"experiment": "kings", "status": "complete", "deals": 7, "games": 14, "seed": 1, "ended": "today"}
    (tmp_path / "reports" / "done" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (tmp_path / "reports" / "torn" / "manifest.json").write_text('{"experiment": ', encoding="utf-8")
    return tmp_path


def printed(rows: list[listing.Row], **options: object) -> str:
    console = Console(file=io.StringIO(), width=60, **options)  # type: ignore[arg-type]
    listing.print_rows(rows, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_games_tell_how_many_strategies_they_have() -> None:
    (colina,) = [row for row in listing.games() if row["name"] == "colina"]
    assert (colina["title"], colina["seats"]) == ("Colina", 2)
    assert colina["strategies"] == sum(row["game"] == "colina" for row in listing.strategies())


def test_a_strategy_of_the_workspace_is_listed_with_its_parameters(workspace: Path) -> None:
    (mine,) = [row for row in listing.strategies() if row["name"] == "mine"]
    path = str(workspace / "strategies" / "colina" / "mine.py")
    parameters = {"bold": True, "far": 3}
    assert mine == {
        "name": "mine", "game": "colina", "about": "Mine: says nothing.", "parameters": parameters, "path": path,
    }  # fmt: skip


def test_files_that_are_no_strategies_of_the_game_are_told_and_left_out() -> None:
    told: list[str] = []
    names = {row["name"] for row in listing.strategies(told.append)}
    assert names.isdisjoint({"broken", "stranger"})
    assert any("broken.py:1: not valid Python" in fault for fault in told)
    assert any("for chess, not for colina" in fault for fault in told)


def test_experiments_tell_what_they_ask_and_broken_ones_are_told() -> None:
    told: list[str] = []
    rows = {row["name"]: row for row in listing.experiments(told.append)}
    assert rows["colina_kings"]["question"] == "card_strength"
    assert rows["colina_kings"]["title"] == "Is the King too strong?"
    assert "bad" not in rows
    assert [fault for fault in told if "bad.toml: not TOML" in fault] == told


def test_runs_tell_what_their_manifest_says() -> None:
    told: list[str] = []
    done, killed, torn = listing.runs(told.append)
    assert (done["name"], done["experiment"], done["status"], done["deals"]) == ("done", "kings", "complete", 7)
    assert (killed["status"], killed["deals"]) == ("interrupted", None)
    assert torn["name"] == "torn"
    assert len(told) == 1
    assert "torn/manifest.json: damaged" in told[0]


def test_in_a_pipe_each_row_is_a_line_however_long() -> None:
    rows = [{"name": "a", "about": "word " * 30 + "[end]", "path": "hidden"}, {"name": "b", "about": "", "path": ""}]
    assert printed(rows).splitlines() == ["name  about", "a     " + "word " * 30 + "[end]", "b"]


def test_in_a_terminal_long_texts_wrap() -> None:
    shown = printed([{"name": "a", "about": "word " * 30}], force_terminal=True, color_system=None)
    assert max(map(len, shown.splitlines())) <= 60
    assert shown.count("word") == 30


def test_without_colour_no_colour_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in printed(listing.strategies(), force_terminal=True)


def test_nothing_to_list_is_said() -> None:
    assert printed([]) == "none\n"


def test_values_are_written_as_a_command_line_takes_them() -> None:
    shown = printed([{"parameters": {"bold": True, "far": 3}, "deals": None}])
    assert "bold=true, far=3" in shown


def test_a_long_list_of_parameters_is_cut_in_a_table_and_whole_in_json() -> None:
    console = Console(file=io.StringIO(), width=400)
    rows = [{"name": "x", "parameters": {f"p{i}": i for i in range(6)}}]
    listing.print_rows(rows, console)
    assert "p0=0, p1=1, p2=2, and 3 more" in console.file.getvalue()  # type: ignore[attr-defined]
    assert len(rows[0]["parameters"]) == 6
