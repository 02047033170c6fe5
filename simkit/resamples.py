"""Resamples of the deals (the bootstrap), for what no formula gives an interval: mixtures, cycles, ranks.

Poisson bootstrap (Hanley and MacGibbon 2006; Chamandy et al. 2012): in each resample a deal counts as often as a
Poisson variable of mean 1 says. That is drawn from the deal's number alone, so that batches add up in any order.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 200
_PURPOSE = 0x5A_3B_1E  # keeps these random numbers apart from those of the games
_MOST = 16  # times that a deal counts in one resample: more has a chance below 1e-15
_UPPER = np.array([int(2**64 * sum(exp(-1) / factorial(k) for k in range(n + 1))) for n in range(_MOST)], np.uint64)


@dataclass(frozen=True, eq=False)
class Resamples:
    """Sums of K columns over the deals, as they are and in each resample, exact.

    Attributes:
        sums: (1 + RESAMPLES, K) int64; the first row has every deal once.
    """

    sums: NDArray[np.int64]

    @classmethod
    def of(cls, columns: Sequence[NDArray[np.int64]], deals: NDArray[np.int64], seed: int) -> Resamples:
        """The sums of one batch.

        Args:
            columns: K of shape (deals,).
            deals: the deals' numbers, of the same shape.
            seed: of the run.
        """
        table = np.stack(columns, axis=1).astype(np.int64, casting="safe", copy=False)
        return cls(weights(deals, seed) @ table)

    @property
    def plain(self) -> NDArray[np.int64]:
        """The sums with every deal once, (K,)."""
        first: NDArray[np.int64] = self.sums[0]
        return first

    def __add__(self, other: Resamples) -> Resamples:
        """The sums over both sets of deals; the order never matters."""
        return Resamples(self.sums + other.sums)

    def __eq__(self, other: object) -> bool:
        """Whether all sums are the same."""
        return isinstance(other, Resamples) and np.array_equal(self.sums, other.sums)

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> dict[str, Any]:
        """A plain object for json.dumps."""
        body = base64.b64encode(self.sums.astype("<i8").tobytes()).decode()
        return {"shape": self.sums.shape, "int64": body}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Resamples:
        """The inverse of to_json, also after json.dumps and json.loads."""
        sums = np.frombuffer(base64.b64decode(data["int64"]), "<i8").astype(np.int64)
        return cls(sums.reshape(data["shape"]))


def weights(deals: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """How often each deal counts, (1 + RESAMPLES, deals) int64: once in the first row, in the others as drawn."""
    drawn = np.empty((len(deals), RESAMPLES), np.uint64)
    key, counter = np.array([seed, _PURPOSE], np.uint64), np.zeros(4, np.uint64)
    for row, deal in zip(drawn, deals.tolist(), strict=True):
        counter[3] = deal
        row[:] = np.random.Philox(key=key, counter=counter).random_raw(RESAMPLES)
    counts = np.searchsorted(_UPPER, drawn.T, side="right")
    return np.vstack([np.ones(len(deals), np.int64), counts.astype(np.int64)])
