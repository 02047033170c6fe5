"""What is measured of a game: pairs of integers summed a deal, whose ratio is the number asked for.

A measure takes the Games of one arm and returns integer columns of shape (deals,): numerator and denominator.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from simkit.played import UNITS, Games
from simkit.stats.luck import luck_columns

Columns = tuple[NDArray[np.int64], ...]


def _ratio(numerator: NDArray[np.int64], denominator: NDArray[np.int64]) -> Columns:
    return numerator.sum(axis=1), denominator.sum(axis=1)


@dataclass(frozen=True)
class WinRate:
    """Games won by a player, of all games that count; a draw is shared."""

    player: int
    is_share = True
    units = UNITS

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        return _ratio(games.parts_of(self.player), UNITS * games.counted())


@dataclass(frozen=True)
class WinRates:
    """Games won by each of some players on average, of all games that count; a draw is shared."""

    players: tuple[int, ...]
    is_share = True
    units = UNITS

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        won = np.sum([games.parts_of(player) for player in self.players], axis=0)
        return _ratio(won, UNITS * len(self.players) * games.counted())


@dataclass(frozen=True)
class SeatWinRate:
    """Games won by whoever sat at a seat, of all games that count; a draw is shared."""

    seat: int
    is_share = True
    units = UNITS

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        return _ratio(games.parts[:, :, self.seat], UNITS * games.counted())


@dataclass(frozen=True)
class WinRateWith:
    """Games won by a player, of the games that count in which a count of the player's was above 0."""

    player: int
    field: str
    index: tuple[int, ...] = ()
    is_share = True
    units = UNITS

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        has = (games.of_player(self.player, self.field, *self.index) > 0) * games.counted()
        return _ratio(games.parts_of(self.player) * has, UNITS * has)


@dataclass(frozen=True)
class WinRateWithout(WinRateWith):
    """Games won by a player, of the games that count in which a count of the player's was 0; below 0 is in neither."""

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        lacks = (games.of_player(self.player, self.field, *self.index) == 0) * games.counted()
        return _ratio(games.parts_of(self.player) * lacks, UNITS * lacks)


@dataclass(frozen=True)
class ScoreLead:
    """A player's score less the mean of the others', a finished game."""

    player: int
    is_share = False

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        finished = games.finished()
        return _ratio(games.lead(self.player) * finished, finished * (games.seats - 1))


@dataclass(frozen=True)
class ScoreAboveMean:
    """A player's score less the mean of the table, a finished game; in a zero-sum game its score."""

    player: int
    is_share = False

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        finished = games.finished()
        return _ratio(games.lead(self.player) * finished, finished * games.seats)


@dataclass(frozen=True)
class PerGame:
    """A count of the game, or of a player, a game."""

    field: str
    index: tuple[int, ...] = ()
    player: int | None = None
    is_share = False

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        whose = games.of_game if self.player is None else partial(games.of_player, self.player)
        values = whose(self.field, *self.index)
        return _ratio(values, np.ones_like(values))


@dataclass(frozen=True)
class PerCount:
    """A count of a player's for each of another count (TP moved a play, plays blocked of all plays)."""

    player: int
    field: str
    of_field: str
    index: tuple[int, ...] = ()
    of_index: tuple[int, ...] = ()
    is_share: bool = False

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        return _ratio(
            games.of_player(self.player, self.field, *self.index),
            games.of_player(self.player, self.of_field, *self.of_index),
        )


@dataclass(frozen=True)
class UnfinishedShare:
    """Games that did not come to an end by their rules, of all games."""

    is_share = True

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        unfinished = games.of_game("unfinished")
        return _ratio(unfinished, np.ones_like(unfinished))


@dataclass(frozen=True)
class WithoutWinnerShare:
    """Finished games that nobody won, of all games: draws, or gaps in the rules."""

    is_share = True

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        without = games.without_winner()
        return _ratio(without, np.ones_like(without))


@dataclass(frozen=True)
class SeatLead:
    """The score at a seat less the mean of the others', a finished game."""

    seat: int
    is_share = False

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        finished = games.finished()
        return _ratio(games.lead_at(self.seat) * finished, finished * (games.seats - 1))


@dataclass(frozen=True)
class SeatScoreAboveMean:
    """The score at a seat less the mean of the table, a finished game; in a zero-sum game the seat's score."""

    seat: int
    is_share = False

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        finished = games.finished()
        return _ratio(games.lead_at(self.seat) * finished, finished * games.seats)


@dataclass(frozen=True)
class Count:
    """Something a game counts (simkit.games.base.Counted): over all seats for a field that a seat carries.

    Attributes:
        field: what is counted.
        of: what it is a part of; None for a game, or for a player's game when a seat carries the field.
        index: the entry of the field, behind the seat, for both.
        by_seat: whether a seat carries `field`, and whether `of`.
        is_share: whether it is a part of 1.
    """

    field: str
    of: str | None
    index: tuple[int, ...]
    by_seat: tuple[bool, bool]
    is_share: bool

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        count = self._sum(games, self.field, self.by_seat[0])
        if self.of is not None:
            return count, self._sum(games, self.of, self.by_seat[1])
        return count, np.full_like(count, games.outcomes.shape[1] * (games.seats if self.by_seat[0] else 1))

    def _sum(self, games: Games, field: str, by_seat: bool) -> NDArray[np.int64]:
        """The field summed over a deal's games and seats."""
        total: NDArray[np.int64]
        if not by_seat:
            total = games.of_game(field, *self.index).sum(axis=1)
            return total
        every: Any = (slice(None), slice(None), slice(games.seats), *self.index)
        total = games.values(field)[every].sum(axis=(1, 2), dtype=np.int64)
        return total


@dataclass(frozen=True)
class Spread:
    """How widely a seat's field spreads over all games and seats: columns for simkit.stats.spread."""

    field: str
    index: tuple[int, ...] = ()

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        every: Any = (slice(None), slice(None), slice(games.seats), *self.index)
        values = games.outcomes[self.field][every].astype(np.int64)
        many = np.full(len(values), values[0].size if len(values) else 0, dtype=np.int64)
        return values.sum(axis=(1, 2)), (values * values).sum(axis=(1, 2)), many


@dataclass(frozen=True)
class CellValues:
    """What a player made of each game in which a decision came, and which cell it belongs to.

    The decision is a probe (simkit.games.base.Probe) or a branch (simkit.branch).

    Attributes:
        what: the player's "score", the "lead" (score less the mean of the others'), or the "wins" in UNITS.
        player: whose.
        classes: (field of the game, lowest value of each class, ascending); a cell is a class of each.
        seats: number of players.
        came: the field that is above 0 where the decision came.
    """

    what: Literal["score", "lead", "wins"]
    player: int
    classes: tuple[tuple[str, tuple[int, ...]], ...]
    seats: int = 2
    came: str = "probe_turn"

    @property
    def units(self) -> int:
        """How much one game counts in the denominator."""
        return {"wins": UNITS, "lead": self.seats - 1, "score": 1}[self.what]

    @property
    def is_share(self) -> bool:
        """Whether it is a part of 1."""
        return self.what == "wins"

    def __call__(self, games: Games) -> Columns:
        """Cell, numerator and denominator, each of shape (deals, rotations); the cell is −1 where it never came.

        A cell is the number of its classes, the last field's running fastest. Games that count in no win rate have the
        denominator 0.
        """
        cells = np.where(games.values(self.came) > 0, 0, -1).astype(np.int64)
        for field, lows in self.classes:
            place = np.searchsorted(np.array(lows), games.values(field), side="right") - 1
            cells = np.where((cells < 0) | (place < 0), -1, cells * len(lows) + place)
        counted = games.counted()
        if self.what == "wins":
            return cells, games.parts_of(self.player), UNITS * counted
        if self.what == "lead":
            return cells, games.lead(self.player) * counted, (games.seats - 1) * counted
        return cells, games.of_player(self.player, "scores") * counted, counted


@dataclass(frozen=True)
class WinnerBehind:
    """Finished games whose winner was once behind by at least `least`, of all finished games: comebacks."""

    field: str
    least: int
    is_share = True

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        finished = games.finished()
        return _ratio((games.of_winner(self.field) >= self.least) * finished, finished)


@dataclass(frozen=True)
class Luck:
    """Player 0's result in the two games of a deal, +1 won, −1 lost, 0 neither: see simkit.stats.luck."""

    is_share = False

    def __call__(self, games: Games) -> Columns:
        """Columns of one arm."""
        results = games.won(0) - games.won(1)
        return luck_columns(results[:, 0], results[:, 1])


@dataclass(frozen=True)
class Values:
    """The values of a field in every game, for a histogram: the game's own, the winner's or the loser's (of two)."""

    field: str
    index: tuple[int, ...] = ()
    whose: Literal["game", "winner", "loser"] = "game"

    def __call__(self, games: Games) -> Columns:
        """One column of shape (games,)."""
        if self.whose == "game":
            return (games.of_game(self.field, *self.index).ravel(),)
        winners = (0, 1) if self.whose == "winner" else (1, 0)
        parts = [
            games.of_player(player, self.field, *self.index)[games.won(winner) > 0]
            for player, winner in zip((0, 1), winners, strict=True)
        ]
        return (np.concatenate(parts),)


@dataclass(frozen=True)
class DealValues:
    """A field of each deal's first game (in rotation 0), the game's own or its winner's, and the deals' numbers."""

    field: str
    whose: Literal["game", "winner"] = "game"

    def __call__(self, games: Games) -> Columns:
        """Values and deals, each of shape (deals,)."""
        values = games.of_game(self.field) if self.whose == "game" else games.of_winner(self.field)
        return values[:, 0], games.first + np.arange(len(values))


@dataclass(frozen=True)
class DealNumbers:
    """The numbers of the deals."""

    def __call__(self, games: Games) -> Columns:
        """One column of shape (deals,)."""
        return (games.first + np.arange(len(games.outcomes)),)


class Measure(Protocol):
    """What all of these are; equal ones are observed once."""

    def __call__(self, games: Games, /) -> Columns: ...  # noqa: D102
    def __hash__(self) -> int: ...
