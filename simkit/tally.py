"""Exact tallies: integer sums that merge in any order to the same bits.

A deal is the unit of observation. Everything counted in it is an integer, so sums, products and histograms are kept as
integers of any size; rounding happens once, when simkit.stats makes an estimate of them.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

_INT64_MAX = 2**63 - 1


@dataclass(frozen=True)
class Moments:
    """First and second moments of K integer columns observed once a deal, exact.

    Attributes:
        n: deals.
        sums: K sums over the deals.
        products: sums of the products of each pair of columns: the upper triangle, row by row, K (K + 1) / 2 numbers.
        low, high: smallest and largest value of each column; None when there is no deal.

    Raises:
        ValueError: the lengths do not belong together.
    """

    n: int
    sums: tuple[int, ...]
    products: tuple[int, ...]
    low: tuple[int, ...] | None
    high: tuple[int, ...] | None

    def __post_init__(self) -> None:
        """Checks the lengths."""
        k = len(self.sums)
        bounds_fit = all(b is None if self.n == 0 else b is not None and len(b) == k for b in (self.low, self.high))
        if len(self.products) != k * (k + 1) // 2 or not bounds_fit:
            raise ValueError(f"these are not the moments of {k} columns and {self.n} deals")

    @classmethod
    def zero(cls, k: int) -> Moments:
        """The moments of k columns and no deal."""
        return cls(0, (0,) * k, (0,) * (k * (k + 1) // 2), None, None)

    @classmethod
    def of(cls, columns: Sequence[NDArray[np.int64]]) -> Moments:
        """The moments of K columns, each of shape (deals,) and any integer type that fits int64.

        Raises:
            ValueError: columns of different lengths, or none.
            TypeError: a column that is not of integers.
        """
        table = np.stack([np.asarray(column) for column in columns]).astype(np.int64, casting="safe", copy=False)
        k, n = table.shape
        if n == 0:
            return cls.zero(k)
        low, high = _integers(table.min(axis=1)), _integers(table.max(axis=1))
        largest = max(max(-a, b) for a, b in zip(low, high, strict=True))
        # |sum of products| <= n largest^2 and |sum| <= n largest: proves that int64 does not overflow.
        exact: NDArray[Any] = table if n * max(1, largest) ** 2 <= _INT64_MAX else table.astype(object)
        products = exact @ exact.T
        return cls(n, _integers(exact.sum(axis=1)), _integers(products[np.triu_indices(k)]), low, high)

    def product(self, i: int, j: int) -> int:
        """The sum over the deals of column i times column j."""
        i, j = min(i, j), max(i, j)
        return self.products[i * len(self.sums) - i * (i + 1) // 2 + j]

    def __add__(self, other: Moments) -> Moments:
        """The moments of both sets of deals; the order never matters.

        Raises:
            ValueError: another number of columns.
        """
        if len(self.sums) != len(other.sums):
            raise ValueError(f"{len(self.sums)} columns do not merge with {len(other.sums)}")
        return Moments(
            self.n + other.n,
            _add(self.sums, other.sums),
            _add(self.products, other.products),
            _extremes(min, self.low, other.low),
            _extremes(max, self.high, other.high),
        )

    def with_zeros(self, deals: int) -> Moments:
        """The moments with so many deals more in which every column is 0."""
        if deals == 0:
            return self
        zeros = (0,) * len(self.sums)
        return self + Moments(deals, zeros, (0,) * len(self.products), zeros, zeros)

    def to_json(self) -> dict[str, Any]:
        """A plain object for json.dumps, which writes integers of any size in full."""
        return {"n": self.n, "sums": self.sums, "products": self.products, "low": self.low, "high": self.high}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Moments:
        """The inverse of to_json, also after json.dumps and json.loads."""
        low, high = (None if data[key] is None else tuple(data[key]) for key in ("low", "high"))
        return cls(data["n"], tuple(data["sums"]), tuple(data["products"]), low, high)


@dataclass(frozen=True)
class Histogram:
    """How often each integer value was seen, exact.

    Attributes:
        counts: value -> how often, in ascending order of the values, without zeros.
    """

    counts: Mapping[int, int]

    @classmethod
    def of(cls, values: NDArray[np.int64]) -> Histogram:
        """The histogram of an array of integers of any shape.

        Raises:
            TypeError: the array is not of integers.
        """
        distinct, counts = np.unique(
            np.asarray(values).astype(np.int64, casting="safe", copy=False), return_counts=True
        )
        return cls(dict(zip(distinct.tolist(), counts.tolist(), strict=True)))

    @property
    def total(self) -> int:
        """How many values were seen."""
        return sum(self.counts.values())

    def items(self) -> ItemsView[int, int]:
        """(value, count), in ascending order of the values."""
        return self.counts.items()

    def mean(self) -> float:
        """The mean value, correctly rounded; NaN when nothing was seen."""
        return sum(value * count for value, count in self.items()) / self.total if self.counts else float("nan")

    def quantile(self, q: float) -> int:
        """The smallest value v such that a share q of the values, or more, is <= v.

        q is taken as the decimal number it prints as: the 0.1 quantile of ten values is the first.

        Raises:
            ValueError: q outside 0 … 1, or nothing was seen.
        """
        if not 0 <= q <= 1 or not self.counts:
            raise ValueError(f"no quantile {q} of {self.total} values: q must be 0 to 1, of at least one value")
        needed = Fraction(str(q)) * self.total
        below = 0
        for value, count in self.items():
            below += count
            if below >= needed:
                return value
        raise AssertionError("the shares add up to 1")

    def __add__(self, other: Histogram) -> Histogram:
        """The histogram of both sets of values; the order never matters."""
        values = sorted({*self.counts, *other.counts})
        return Histogram({value: self.counts.get(value, 0) + other.counts.get(value, 0) for value in values})

    def to_json(self) -> dict[str, int]:
        """A plain object for json.dumps: value (as text, as JSON wants its keys) -> count."""
        return {str(value): count for value, count in self.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, int]) -> Histogram:
        """The inverse of to_json, also after json.dumps and json.loads."""
        return cls(dict(sorted((int(value), count) for value, count in data.items())))


@dataclass(frozen=True)
class FirstSeen:
    """The first deal in which each integer value was seen, exact: to show a game that stands for its value.

    Attributes:
        deals: value -> number of the first deal, in ascending order of the values.
    """

    deals: Mapping[int, int]

    @classmethod
    def of(cls, values: NDArray[np.int64], deals: NDArray[np.int64]) -> FirstSeen:
        """The first deals of an array of integers.

        Args:
            values: one a deal, shape (deals,).
            deals: the deals' numbers, ascending, of the same shape.

        Raises:
            ValueError: the shapes differ.
            TypeError: an array that is not of integers.
        """
        if np.shape(values) != np.shape(deals):
            raise ValueError(f"{np.size(values)} values of {np.size(deals)} deals")
        whole, numbers = (np.asarray(a).astype(np.int64, casting="safe", copy=False) for a in (values, deals))
        distinct, first = np.unique(whole, return_index=True)
        return cls(dict(zip(distinct.tolist(), numbers[first].tolist(), strict=True)))

    def nearest(self, value: int) -> int:
        """The value that was seen nearest to this one, the smaller of two.

        Raises:
            ValueError: nothing was seen.
        """
        return min(self.deals, key=lambda seen: (abs(seen - value), seen))

    def __add__(self, other: FirstSeen) -> FirstSeen:
        """The first deals of both sets; the order never matters."""
        a, b = self.deals, other.deals
        return FirstSeen({value: min(x[value] for x in (a, b) if value in x) for value in sorted({*a, *b})})

    def to_json(self) -> dict[str, int]:
        """A plain object for json.dumps: value (as text, as JSON wants its keys) -> deal."""
        return {str(value): deal for value, deal in self.deals.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, int]) -> FirstSeen:
        """The inverse of to_json, also after json.dumps and json.loads."""
        return cls(dict(sorted((int(value), deal) for value, deal in data.items())))


@dataclass(frozen=True)
class Cells:
    """Moments of the same columns in many cells, exact: of each deal, the sums over its games in a cell.

    Attributes:
        n: deals; in a cell that a deal has no game in, it counts with zeros.
        cells: cell -> moments of its columns, in ascending order of the cells; cells without a game are left out.
    """

    n: int
    cells: Mapping[int, Moments]

    @classmethod
    def of(cls, cells: NDArray[np.int64], columns: Sequence[NDArray[np.int64]]) -> Cells:
        """The moments of one batch.

        Args:
            cells: the cell of each game, −1 for none, shape (deals, games).
            columns: of the same shape, below 2^53 in size.
        """
        deals, games = cells.shape
        inside = cells.ravel() >= 0
        deal = np.repeat(np.arange(deals), games)[inside]
        places, group = np.unique(cells.ravel()[inside] * deals + deal, return_inverse=True)
        table = np.zeros((len(columns), len(places)), dtype=np.int64)
        for row, column in zip(table, columns, strict=True):
            np.add.at(row, group, column.ravel()[inside])
        found = {}
        for cell in np.unique(places // deals if deals else places).tolist():
            mine = table[:, places // deals == cell]
            found[cell] = Moments.of(list(mine)).with_zeros(deals - mine.shape[1])
        return cls(deals, found)

    def moments(self, cell: int) -> Moments | None:
        """The moments of a cell; None when no game was in it."""
        return self.cells.get(cell)

    def __add__(self, other: Cells) -> Cells:
        """The moments of both sets of deals; the order never matters."""
        merged = {}
        for cell in sorted({*self.cells, *other.cells}):
            one, two = self.cells.get(cell), other.cells.get(cell)
            if one is None or two is None:
                seen, missing = (two, self.n) if one is None else (one, other.n)
                assert seen is not None
                merged[cell] = seen.with_zeros(missing)
            else:
                merged[cell] = one + two
        return Cells(self.n + other.n, merged)

    def to_json(self) -> dict[str, Any]:
        """A plain object for json.dumps."""
        return {"n": self.n, "cells": {str(cell): moments.to_json() for cell, moments in self.cells.items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Cells:
        """The inverse of to_json, also after json.dumps and json.loads."""
        cells = {int(cell): Moments.from_json(moments) for cell, moments in data["cells"].items()}
        return cls(data["n"], dict(sorted(cells.items())))


def _integers(values: NDArray[Any]) -> tuple[int, ...]:
    return tuple(values.tolist())


def _add(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _extremes(
    pick: Callable[[int, int], int], a: tuple[int, ...] | None, b: tuple[int, ...] | None
) -> tuple[int, ...] | None:
    if a is None or b is None:
        return b if a is None else a
    return tuple(pick(x, y) for x, y in zip(a, b, strict=True))
