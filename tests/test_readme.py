"""What the README shows works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simkit.api import match
from simkit.catalog import Catalog
from simkit.experiment import loads

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.M | re.S)


def test_the_first_two_blocks_are_one_line_each_that_run_and_test_on_a_fresh_machine() -> None:
    run, test = (block.strip().splitlines() for block in blocks("sh")[:2])
    assert len(run) == len(test) == 1
    assert run[0].endswith("simkit run experiments/colina_kings.toml")
    assert "pytest" in test[0]
    assert all("python3 -m venv" in line and "pip install" in line for line in (*run, *test))


def test_the_strategy_that_it_shows_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "strategies" / "colina"
    folder.mkdir(parents=True)
    (folder / "saver.py").write_text(blocks("python")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = match("colina", "saver:worth_doubling=4", "greedy", deals=200, jobs=1)
    assert result.seats[0]["wins"] > result.seats[1]["wins"]


def test_the_experiment_that_it_shows_is_a_good_one() -> None:
    experiment = loads(blocks("toml")[0], known=Catalog())
    assert experiment.kind == "card_strength"
    assert experiment.require == {"K.fair": True}
