"""What is measured of how games went (simkit.trace), as simkit.measures does of what came of them.

A game that nobody has won alone has no winner to look back from: it is in none of the measures of winners.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from simkit.measures import Columns
from simkit.played import UNITS, Games
from simkit.stats.chances import Chances
from simkit.trace import PER_CENT, PER_MILLE, Course, Integers, Tracing

CLASSES = 10  # of chances, of equal width

OfGame = Literal["decided", "lowest", "drama", "behind", "winner_behind"]
SCALES: dict[OfGame, int] = {
    "decided": PER_CENT, "lowest": PER_MILLE, "drama": PER_MILLE, "behind": PER_MILLE, "winner_behind": 1
}  # fmt: skip


class TracedGames(Games):
    """Games with their traces, whose fields can be asked for as those of the outcomes.

    Args:
        outcomes, seats, first, gaps: see Games.
        traces: records of simkit.trace.trace_dtype, of the same shape.
        tracing: how they are looked at.
        chances: what a position is worth; None where that is not known.
    """

    def __init__(
        self,
        outcomes: np.ndarray,
        traces: np.ndarray,
        seats: int,
        tracing: Tracing,
        chances: Chances | None = None,
        first: int = 0,
        *,
        gaps: bool = False,
    ) -> None:
        super().__init__(outcomes, seats, first, gaps=gaps)
        self.traces, self.tracing, self.chances = traces, tracing, chances

    def values(self, field: str) -> np.ndarray:
        """A field of the outcomes, or else of the traces, shape (deals, rotations, …)."""
        return self.outcomes[field] if field in (self.outcomes.dtype.names or ()) else self.traces[field]

    @cached_property
    def course(self) -> Course:
        """How the games went, one after the other."""
        parts = self.parts.reshape(-1, self.seats) / UNITS
        return Course(self.traces.ravel(), parts, self.seats, self.chances, self.tracing.decided)

    def of_course(self, name: OfGame) -> Integers:
        """One number a game, shape (deals, rotations)."""
        course = self.course
        if name == "winner_behind":
            found = course.traces["behind_most"][np.arange(len(course.traces)), course.winner]
        else:
            found = getattr(course, name)
        return np.asarray(found, dtype=np.int64).reshape(self.outcomes.shape)

    def won_alone(self) -> Integers:
        """1 where somebody has won, shape (deals, rotations)."""
        return self.course.won.reshape(self.outcomes.shape).astype(np.int64)


@dataclass(frozen=True)
class GamesWith:
    """Games in which a count of the game is above 0, of all games; a third column sums the count up."""

    field: str
    index: tuple[int, ...] = ()
    is_share = True

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        values = games.of_game(self.field, *self.index)
        many = np.full(len(values), values.shape[1], dtype=np.int64)
        return (values > 0).sum(axis=1), many, values.sum(axis=1)


@dataclass(frozen=True)
class OfWon:
    """A number of each game that somebody has won, see simkit.trace.Course: its mean."""

    name: OfGame
    is_share = False

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        assert isinstance(games, TracedGames)
        won = games.won_alone()
        return (games.of_course(self.name) * won).sum(axis=1), SCALES[self.name] * won.sum(axis=1)


@dataclass(frozen=True)
class OfWonAtMost:
    """Games in which that number is `most` or less, of all that somebody has won."""

    name: OfGame
    most: int
    is_share = True

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        assert isinstance(games, TracedGames)
        won = games.won_alone()
        return ((games.of_course(self.name) <= self.most) * won).sum(axis=1), won.sum(axis=1)


@dataclass(frozen=True)
class ValuesOfWon:
    """That number in every game that somebody has won, for a histogram."""

    name: OfGame

    def __call__(self, games: Games) -> Columns:
        """One column of shape (games,)."""
        assert isinstance(games, TracedGames)
        return (games.of_course(self.name)[games.won_alone() > 0],)


@dataclass(frozen=True)
class LeaderWins:
    """Games won by whoever led after a part of the decisions, in per cent, of the games with a leader then."""

    part: int
    is_share = True
    units = UNITS

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        assert isinstance(games, TracedGames)
        leader = games.course.leader(self.part / PER_CENT).reshape(games.outcomes.shape)
        led = (leader >= 0) * games.counted()
        parts = np.take_along_axis(games.parts, np.maximum(leader, 0)[:, :, None], axis=2)[:, :, 0]
        return (parts * led).sum(axis=1), UNITS * led.sum(axis=1)


@dataclass(frozen=True)
class WonWithChance:
    """How often seats won whose chance was in a class, of all their positions; a third column sums up the chances.

    It tells whether the chances are right: class c of CLASSES goes from c / CLASSES up to, not with, the next one.
    """

    place: int
    is_share = True
    units = UNITS

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        assert isinstance(games, TracedGames)
        course = games.course
        use = course.seen & (games.counted().ravel() > 0)[:, None]
        place = np.minimum((CLASSES * course.chance).astype(np.int64), CLASSES - 1)
        here = (place == self.place) & use[:, :, None]
        times = here.sum(axis=1)
        won = (times * games.parts.reshape(times.shape)).sum(axis=1)
        said = np.rint(UNITS * np.where(here, course.chance, 0)).astype(np.int64).sum(axis=(1, 2))
        columns = (column.reshape(games.outcomes.shape).sum(axis=1) for column in (won, times.sum(axis=1), said))
        won, many, said = columns
        return won, UNITS * many, said
