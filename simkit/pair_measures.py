"""What is measured of the two games of a deal together, at a table of two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simkit.measures import Columns
from simkit.played import UNITS, Games


@dataclass(frozen=True)
class PairResults:
    """What a player made of the two games of a deal: five columns, 1 in the one of its result, 0 in the others.

    In the order of simkit.stats.duels: both lost, one lost and one drawn, even, one won and one drawn, both won. A deal
    in which a game counts in no win rate is no pair: 0 in all five.
    """

    player: int

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        halves = 2 * games.parts_of(self.player).sum(axis=1) // UNITS
        whole = games.counted().all(axis=1)
        return tuple((whole & (halves == result)).astype(np.int64) for result in range(5))
