"""The games that one arm has played on some deals, player by player: what measures look at.

Unfinished games and gaps (games that the rules leave without a result) are in no win rate; they are counted apart. A
draw is shared by those with the highest score (half a win each, of two), so that win rates count UNITS of a game.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.branch import CAME, CLASS

UNITS = 840  # of a game: up to eight players can share it


class Games:
    """The outcomes of one arm in a batch of deals.

    Args:
        outcomes: OUTCOME records of shape (deals, rotations).
        seats: number of players; player p sits at seat (p + rotation) mod seats.
        first: number of the first deal.
        gaps: a finished game without a winner is a gap in the rules; otherwise it is a draw.
    """

    def __init__(self, outcomes: np.ndarray, seats: int, first: int = 0, *, gaps: bool = False) -> None:
        self.outcomes, self.seats, self.first, self.gaps = outcomes, seats, first, gaps

    def values(self, field: str) -> np.ndarray:
        """A field of the outcomes, shape (deals, rotations, …)."""
        return self.outcomes[field]

    def of_game(self, field: str, *index: int) -> NDArray[np.int64]:
        """A field that the game carries, shape (deals, rotations)."""
        return _entry(self.values(field), 2, index).astype(np.int64)

    def of_player(self, player: int, field: str, *index: int) -> NDArray[np.int64]:
        """A field that a seat carries, at the player's seat, shape (deals, rotations)."""
        values = self.values(field)
        turns = [_entry(values[:, r, seat], 1, index) for r, seat in enumerate(self.seat_of(player))]
        return np.stack(turns, axis=1).astype(np.int64)

    def seat_of(self, player: int) -> NDArray[np.int64]:
        """The player's seat by rotation, shape (rotations,)."""
        return (player + np.arange(self.outcomes.shape[1])) % self.seats

    def won(self, player: int) -> NDArray[np.int64]:
        """1 where the player won a finished game, shape (deals, rotations)."""
        won: NDArray[np.bool_] = self.outcomes["winner"] == self.seat_of(player)
        return won * self.finished()

    def without_winner(self) -> NDArray[np.int64]:
        """1 where a finished game has no winner, shape (deals, rotations)."""
        nobody: NDArray[np.bool_] = self.outcomes["winner"] < 0
        return nobody * self.finished()

    def counted(self) -> NDArray[np.int64]:
        """1 where the game counts in win rates: finished, and no gap; shape (deals, rotations)."""
        return self.finished() - self.without_winner() if self.gaps else self.finished()

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """What each seat has of the game, in UNITS, shape (deals, rotations, seats)."""
        won: NDArray[np.bool_] = self.outcomes["winner"][:, :, None] == np.arange(self.seats)
        parts: NDArray[np.int64] = (UNITS * self.finished())[:, :, None] * won
        if not self.gaps:
            drawn = self.without_winner() > 0
            scores = self.outcomes["scores"][drawn][:, : self.seats]
            best = scores == scores.max(axis=1, keepdims=True, initial=np.iinfo(np.int32).min)
            parts[drawn] = best * (UNITS // best.sum(axis=1, keepdims=True))
        return parts

    def parts_of(self, player: int) -> NDArray[np.int64]:
        """What the player has of the game, in UNITS, shape (deals, rotations)."""
        rotations = np.arange(self.outcomes.shape[1])
        parts: NDArray[np.int64] = self.parts[:, rotations, self.seat_of(player)]
        return parts

    def of_winner(self, field: str) -> NDArray[np.int64]:
        """A field that a seat carries, at the winner's seat; 0 without one, or unfinished; shape (deals, rotations)."""
        by_player = [self.won(p) * self.of_player(p, field) for p in range(self.seats)]
        total: NDArray[np.int64] = np.sum(by_player, axis=0)
        return total

    def finished(self) -> NDArray[np.int64]:
        """1 where the game came to an end by its rules, shape (deals, rotations)."""
        return 1 - self.of_game("unfinished")

    def lead(self, player: int) -> NDArray[np.int64]:
        """The player's score less the mean of the others', times (seats − 1), shape (deals, rotations)."""
        return self.seats * self.of_player(player, "scores") - self._total()

    def lead_at(self, seat: int) -> NDArray[np.int64]:
        """The score at a seat less the mean of the others', times (seats − 1), shape (deals, rotations)."""
        return self.seats * self.of_game("scores", seat) - self._total()

    def _total(self) -> NDArray[np.int64]:
        """The scores of a table added up, shape (deals, rotations)."""
        total: NDArray[np.int64] = self.outcomes["scores"][:, :, : self.seats].sum(axis=2, dtype=np.int64)
        return total


class BranchedGames(Games):
    """Games with what is noted of their branch, whose fields can be asked for as those of the outcomes.

    Args:
        outcomes, seats, first, gaps: see Games.
        branches: BRANCH records of the same shape.
    """

    def __init__(
        self, outcomes: np.ndarray, branches: np.ndarray, seats: int, first: int = 0, *, gaps: bool = False
    ) -> None:
        super().__init__(outcomes, seats, first, gaps=gaps)
        self.branches = branches

    def values(self, field: str) -> np.ndarray:
        """A field of the branches or of the outcomes, shape (deals, rotations, …)."""
        return (self.branches if field in (CAME, CLASS) else self.outcomes)[field]


def _entry(values: np.ndarray, leading: int, index: tuple[int, ...]) -> NDArray[np.int64]:
    """One entry of the axes behind the leading ones."""
    where: Any = (slice(None),) * leading + index
    entry: NDArray[np.int64] = values[where]
    return entry
