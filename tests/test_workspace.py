"""A new workspace holds copies of what is shipped, and nothing that is there is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit import listing
from simkit.catalog import Catalog
from simkit.errors import UsageError
from simkit.strategy import shipped_folder
from simkit.workspace import lay_out


def test_a_workspace_holds_the_shipped_strategies_and_experiments(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "new"
    lay_out(folder)
    for kind, pattern in (("strategies", "*/*.py"), ("experiments", "*.toml")):
        shipped = {path.relative_to(shipped_folder(kind)) for path in shipped_folder(kind).glob(pattern)}
        assert shipped
        assert {path.relative_to(folder / kind) for path in (folder / kind).glob(pattern)} == shipped
    assert not list(folder.rglob("__pycache__"))
    assert (folder / "README.md").is_file()
    assert (folder / "reports").is_dir()


def test_strategies_and_experiments_are_then_taken_from_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    lay_out(folder)
    monkeypatch.chdir(folder)
    assert {Path(row["path"]).parents[2] for row in listing.strategies()} == {folder}
    assert {path.parent for path in Catalog().experiments.values()} == {folder / "experiments"}


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    lay_out(tmp_path)
    assert (tmp_path / "strategies").is_dir()


def test_a_folder_that_holds_something_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty"):
        lay_out(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(UsageError, match="not empty"):
        lay_out(file)
    with pytest.raises(UsageError, match="cannot write here"):
        lay_out(file / "below")
