"""Exact sums of many integer columns over deals, in one compiled pass: what a match makes of its outcome rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from simkit import jit

_INT64_MAX = 2**63 - 1
_TYPES: dict[str, Any] = {"int32": types.int32, "int64": types.int64}


@dataclass
class ColumnSums:
    """Exact sums of many integer columns over deals: value a deal (summed over its games), and extremes a game."""

    deals: int = 0
    sums: list[int] = field(default_factory=list)
    squares: list[int] = field(default_factory=list)
    low: list[int] = field(default_factory=list)
    high: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, games: np.ndarray) -> ColumnSums:
        """The sums of one batch.

        Args:
            games: int32 or int64, C-contiguous, shape (deals, rotations, columns).
        """
        deals, _, columns = games.shape
        made = np.zeros((5, columns), np.int64)  # sums, squares, low, high, scratch
        made[2], made[3] = np.iinfo(np.int64).max, np.iinfo(np.int64).min
        largest = _accumulate(games.dtype.name)(games, made)
        squares = made[1].tolist()
        if deals * max(1, largest) ** 2 > _INT64_MAX:
            exact = games.sum(axis=1, dtype=np.int64).astype(object)
            squares = (exact * exact).sum(axis=0).tolist()
        return cls(deals, made[0].tolist(), squares, made[2].tolist(), made[3].tolist())

    def __add__(self, other: ColumnSums) -> ColumnSums:
        """The sums of both sets of deals; the order never matters."""
        if not self.deals or not other.deals:
            return other if other.deals else self
        return ColumnSums(
            self.deals + other.deals,
            [a + b for a, b in zip(self.sums, other.sums, strict=True)],
            [a + b for a, b in zip(self.squares, other.squares, strict=True)],
            [min(a, b) for a, b in zip(self.low, other.low, strict=True)],
            [max(a, b) for a, b in zip(self.high, other.high, strict=True)],
        )


def accumulate(games: np.ndarray, made: np.ndarray) -> int:
    """Adds up all games; returns the largest absolute value of a deal, which tells whether squares can overflow."""
    deals, rotations, columns = games.shape
    sums, squares, low, high, total = made[0], made[1], made[2], made[3], made[4]
    largest = np.int64(0)
    for deal in range(deals):
        for column in range(columns):
            total[column] = 0
        for rotation in range(rotations):
            for column in range(columns):
                value = np.int64(games[deal, rotation, column])
                total[column] += value
                low[column] = min(low[column], value)
                high[column] = max(high[column], value)
        for column in range(columns):
            sums[column] += total[column]
            squares[column] += total[column] * total[column]
            largest = max(largest, abs(total[column]))
    return int(largest)


def compile_passes() -> None:
    """Compiles the passes over both integer types, so that no thread has to, and no clock runs meanwhile."""
    for dtype in _TYPES:
        _accumulate(dtype)


@cache
def _accumulate(dtype: str) -> Any:
    folder = jit.cache_folder("columns", [Path(__file__).read_bytes()])
    number = _TYPES[dtype]
    return jit.entry_point(accumulate, types.int64(number[:, :, ::1], types.int64[:, ::1]), folder / dtype)
