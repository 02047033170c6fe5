"""What names an experiment can refer to: the workspace's come before the shipped ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.catalog import Catalog
from simkit.errors import StrategyError, UsageError
from simkit.questions import KINDS
from tests.tables import SHIPPED, shipped_names

ACT = "def act(view, rules, params, rng):\n    return 0\n"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty workspace that is not the current folder."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    folder = tmp_path / "workspace"
    (folder / "strategies" / "colina").mkdir(parents=True)
    (folder / "experiments").mkdir()
    return folder


def test_games_and_kinds_go_by_their_names(workspace: Path) -> None:
    catalog = Catalog(workspace)
    assert all(game.name == name for name, game in catalog.games.items())
    assert "colina" in catalog.games
    assert {name: kind.settings for name, kind in KINDS.items()} == catalog.kinds


def test_without_a_base_the_current_folder_is_the_workspace(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace)
    assert Catalog().base == workspace


def test_shipped_strategies_and_experiments_are_known_everywhere(workspace: Path) -> None:
    catalog = Catalog(workspace)
    assert sorted(catalog.strategies("colina")) == shipped_names("colina")
    assert "colina_kings" in catalog.experiments


def test_a_file_of_the_workspace_hides_a_shipped_one(workspace: Path) -> None:
    mine = workspace / "strategies" / "colina" / "greedy.py"
    mine.write_text(f'"""My own."""\n{ACT}', encoding="utf-8")
    own = workspace / "experiments" / "colina_kings.toml"
    own.touch()
    catalog = Catalog(workspace)
    assert catalog.strategies("colina")["greedy"].about == "My own."
    assert catalog.resolve_strategy("colina", "greedy", workspace).path == mine
    assert catalog.resolve_strategy("colina", "random", workspace).path == SHIPPED / "colina" / "random.py"
    assert catalog.experiments["colina_kings"] == own


def test_broken_and_private_files_are_not_offered_but_told_when_they_are_used(workspace: Path) -> None:
    folder = workspace / "strategies" / "colina"
    (folder / "broken.py").write_text("def act(view\n", encoding="utf-8")
    (folder / "_helpers.py").write_text(ACT, encoding="utf-8")
    catalog = Catalog(workspace)
    assert not {"broken", "_helpers"} & set(catalog.strategies("colina"))
    with pytest.raises(StrategyError, match=r"broken\.py:1: not valid Python"):
        catalog.resolve_strategy("colina", "broken", workspace)


def test_unknown_strategies_are_told_with_the_nearest(workspace: Path) -> None:
    with pytest.raises(UsageError, match=r"gredy: no such strategy of colina.* Did you mean greedy"):
        Catalog(workspace).resolve_strategy("colina", "gredy", workspace)
    with pytest.raises(UsageError, match=r"mine/gone\.py: no such strategy file"):
        Catalog(workspace).resolve_strategy("colina", "mine/gone.py", workspace)


def test_a_path_is_looked_up_beside_the_experiment(workspace: Path) -> None:
    mine = workspace / "experiments" / "bold.py"
    mine.write_text(f'GAME = "colina"\n{ACT}', encoding="utf-8")
    assert Catalog(workspace).resolve_strategy("colina", "bold.py", mine.parent).path == mine
    mine.write_text(f'GAME = "hakka"\n{ACT}', encoding="utf-8")
    with pytest.raises(UsageError, match="this strategy is for hakka, not for colina"):
        Catalog(workspace).resolve_strategy("colina", "bold.py", mine.parent)
