"""Rows of single games: what was played, each game once, whatever became of the run in between."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simkit.errors import UsageError
from simkit.games.base import Game
from simkit.keep import drop_unfinished, keep_games
from simkit.plan import Arm
from tests.small import small_work
from tests.tables import table_of

ARM, OTHER = Arm("greedy v random", ("greedy", "random"), ({}, {})), Arm("other", ("random", "greedy"), ({}, {}))


def kept(folder: Path) -> pd.DataFrame:
    return pd.read_parquet(folder).sort_values(["arm", "deal", "rotation"], ignore_index=True)


def keep_some(folder: Path, game: Game, arm: Arm, first: int, deals: int) -> np.ndarray:
    outcomes = table_of(game, arm.lineup, {"max_rounds": 20}).play(first, deals)
    keep_games(folder, game, arm, outcomes, first)
    return outcomes


def test_a_row_a_game_holds_all_its_outcome_columns(colina: Game, tmp_path: Path) -> None:
    outcomes = keep_some(tmp_path, colina, ARM, 7, 5)
    rows = kept(tmp_path)
    assert rows["deal"].tolist() == [deal for deal in range(7, 12) for _ in range(2)]
    assert rows["rotation"].tolist() == [0, 1] * 5
    assert set(rows["arm"]) == {"greedy v random"}
    columns = colina.outcome_columns(2)
    assert list(rows.columns) == ["arm", "deal", "rotation", *(name for name, *_ in columns)]
    for name, field, index, _ in columns:
        assert rows[name].tolist() == outcomes[field][(..., *index)].ravel().tolist(), name


def test_batches_and_arms_are_read_as_one_table(colina: Game, tmp_path: Path) -> None:
    for arm in (ARM, OTHER):
        keep_some(tmp_path / "batches", colina, arm, 0, 4)
        keep_some(tmp_path / "batches", colina, arm, 4, 6)
        keep_some(tmp_path / "whole", colina, arm, 0, 10)
    pd.testing.assert_frame_equal(kept(tmp_path / "batches"), kept(tmp_path / "whole"))


def test_a_batch_keeps_the_games_of_every_arm(tmp_path: Path) -> None:
    work = small_work()
    kept_work = type(work)(work.game, work.plan, work.players, work.seed, tmp_path)
    assert kept_work.batch(3, 2) == work.batch(3, 2)
    rows = kept(tmp_path)
    assert set(rows["arm"]) == {arm.name for arm in work.plan.arms}
    assert len(rows) == 2 * work.plan.games_a_deal


def test_games_of_batches_that_were_never_stored_are_dropped(colina: Game, tmp_path: Path) -> None:
    keep_some(tmp_path, colina, ARM, 0, 10)
    keep_some(tmp_path, colina, ARM, 10, 10)  # killed before it was stored
    (tmp_path / f"{next(tmp_path.iterdir()).stem}.part").write_bytes(b"half a")
    for name in ("notes.parquet", "my-notes.part"):
        (tmp_path / name).touch()
    drop_unfinished(tmp_path, lambda deal: deal < 10)
    for name in ("notes.parquet", "my-notes.part"):
        (tmp_path / name).unlink()  # a file of somebody else's was left alone
    keep_some(tmp_path, colina, ARM, 10, 3)
    keep_some(tmp_path, colina, ARM, 13, 7)
    assert kept(tmp_path)[["deal", "rotation"]].value_counts().eq(1).all()
    assert sorted(set(kept(tmp_path)["deal"])) == list(range(20))


def test_nothing_is_dropped_where_nothing_is(tmp_path: Path) -> None:
    drop_unfinished(tmp_path / "nowhere", lambda deal: False)
    assert not (tmp_path / "nowhere").exists()


def test_without_pyarrow_it_says_how_to_get_it(colina: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r'needs pyarrow: pip install "simkit\[parquet\]"'):
        keep_some(tmp_path, colina, ARM, 0, 1)


def test_a_folder_that_cannot_be_made_is_told(colina: Game, tmp_path: Path) -> None:
    (tmp_path / "games").touch()
    with pytest.raises(UsageError, match="cannot keep the games: File exists"):
        keep_some(tmp_path / "games", colina, ARM, 0, 1)
