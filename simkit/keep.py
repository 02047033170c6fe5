"""Rows of single games, on request: one Parquet file an arm and batch, read together as one table."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simkit.errors import UsageError
from simkit.games.base import Game

if TYPE_CHECKING:
    from simkit.plan import Arm


def keep_games(folder: Path, game: Game, arm: Arm, outcomes: np.ndarray, first: int) -> None:
    """Writes the outcomes of a batch: columns arm, deal, rotation, and every outcome column; of a traced game no more.

    Args:
        folder: where the files go; `pandas.read_parquet(folder)` reads them all.
        game, arm: what was played.
        outcomes: OUTCOME records of shape (deals, rotations).
        first: number of the first deal.

    Raises:
        UsageError: pyarrow is not installed, or the disk refuses.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError('keep_games needs pyarrow: pip install "simkit[parquet]"') from None
    deals, rotations = outcomes.shape
    columns = {
        "arm": pa.array([arm.name] * outcomes.size).dictionary_encode(),
        "deal": np.repeat(np.arange(first, first + deals, dtype=np.uint64), rotations),
        "rotation": np.tile(np.arange(rotations, dtype=np.int8), deals),
    }
    for name, field, index, _ in game.outcome_columns(len(arm.lineup)):
        where: Any = (..., *index)
        columns[name] = np.ascontiguousarray(outcomes[field][where]).ravel()
    mark = hashlib.sha256(arm.name.encode()).hexdigest()[:8]
    path = folder / f"{mark}-{first:012d}.parquet"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), path.with_suffix(".part"))
        os.replace(path.with_suffix(".part"), path)
    except OSError as wrong:
        raise UsageError(f"{path}: cannot keep the games: {wrong.strerror}") from None


def drop_unfinished(folder: Path, is_done: Callable[[int], bool]) -> None:
    """Removes files of batches that were played but not stored: those deals are played again, maybe in other batches.

    Args:
        folder: as for keep_games.
        is_done: whether a deal is in the store.

    Raises:
        UsageError: the disk refuses.
    """
    try:
        for path in [*folder.glob("*.parquet"), *folder.glob("*.part")]:
            mark, _, first = path.stem.partition("-")
            if len(mark) == 8 and first.isdecimal() and (path.suffix == ".part" or not is_done(int(first))):
                path.unlink()
    except OSError as wrong:
        raise UsageError(f"{folder}: cannot keep the games: {wrong.strerror}") from None
