"""`simkit show` finds what has a name, whatever it is, and tells it in full."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from simkit.errors import StrategyError, UsageError
from simkit.games.base import Game
from simkit.rulebook import read_rules
from simkit.show import show
from tests.conftest import CallSimkit, WriteExperiment


def shown(name: str, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    show(name, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_game_is_told_clause_by_clause_with_its_options(colina: Game) -> None:
    text = shown("colina", width=1_000)
    for section in read_rules("colina"):
        assert f"{section.number} {section.title}" in text
        assert all(f"\n{clause.number} " in text for clause in section.clauses)
    for option in colina.options:
        assert f"rules.{option.name} = " in text
        assert option.allowed in text
    assert text.index("\nCOL-1.3 ") < text.index("rules.hand_size = 6") < text.index("\nCOL-2.1 ")


def test_a_game_tells_every_field_of_its_outcome_and_its_strategies(colina: Game) -> None:
    text = shown("colina", width=1_000)
    assert all(about in text for about in colina.columns.values())
    assert "points_<seat>" in text
    assert "backed_<A>_<seat>" in text
    assert "A: J, Q, K, A, joker" in text
    assert "hill_hunter" in text


def test_everything_fits_into_80_columns() -> None:
    assert max(map(len, shown("colina").splitlines()[:100])) <= 80


@pytest.mark.parametrize("name", ["hill_hunter", "colina/hill_hunter"])
def test_a_strategy_is_told_with_its_docstring_parameters_path_and_hash(name: str) -> None:
    text = shown(name, width=200)
    assert text.startswith("hill_hunter, a strategy of colina\n")
    assert "Hill hunter: plays a king" in text
    assert "max_front = 5 (int)" in text
    assert "strategies/colina/hill_hunter.py" in text.replace("\\", "/")


def test_a_strategy_can_be_named_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text('"""Mine.\n\nA second paragraph."""\n\ndef act(view, rules, params, rng):\n    return 1\n')
    text = shown(str(file))
    assert "A second paragraph." in text
    file.write_text("def act(\n")
    with pytest.raises(StrategyError, match=r"mine\.py:1: not valid Python"):
        shown(str(file))


def test_an_experiment_is_told_with_all_its_values(experiment: WriteExperiment) -> None:
    text = shown(str(experiment()), width=200)
    assert "game colina; rules max_rounds = 50" in text
    assert "start_points = 100" in text


def test_a_run_is_told_with_its_manifest_and_its_verdicts(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    verdict = simkit("run", experiment(), "--json").json["verdicts"][0]
    before = {path: path.stat().st_mtime_ns for path in Path("reports/small").rglob("*")}
    text = shown("small", width=300)
    assert "small, a run" in text
    assert "complete" in text
    assert verdict["verdict"] in text
    assert {path: path.stat().st_mtime_ns for path in Path("reports/small").rglob("*")} == before


def test_a_damaged_run_still_shows_its_manifest(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    simkit("run", experiment(), "--quiet")
    Path("reports/small/run.sqlite").write_bytes(b"nothing of the kind" * 100)
    text = shown("small", width=300)
    assert "complete" in text
    assert "damaged" in text


def test_everything_that_has_the_name_is_shown(simkit: CallSimkit, experiment: WriteExperiment, tmp_path: Path) -> None:
    (tmp_path / "experiments").mkdir()
    experiment().rename(tmp_path / "experiments" / "small.toml")
    simkit("run", "small", "--quiet")
    text = shown("small")
    assert text.index("small, an experiment") < text.index("small, a run")
    assert "  arm " not in text


@pytest.mark.parametrize(
    ("name", "meant"),
    [("colinna", "colina"), ("hil_hunter", "hill_hunter"), ("colina_king", "colina_kings"), ("smal", "small")],
)
def test_an_unknown_name_gets_the_nearest_of_any_kind(
    simkit: CallSimkit, experiment: WriteExperiment, name: str, meant: str
) -> None:
    folder = Path("reports/small")
    folder.mkdir(parents=True)
    (folder / "run.sqlite").touch()
    with pytest.raises(UsageError, match=f"{name}: no such game, .* Did you mean {meant}"):
        shown(name)
