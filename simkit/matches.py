"""A plain match: strategies at one table for many deals, every outcome column tallied exactly."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import joblib
import numpy as np

from simkit.columns import ColumnSums, compile_passes
from simkit.driver import Table
from simkit.games.base import Game
from simkit.measures import SeatWinRate, WinRate
from simkit.played import UNITS, Games
from simkit.player import Player
from simkit.tally import Moments

GAMES_A_BATCH = 16_000


@dataclass(frozen=True)
class MatchResult:
    """What a match leaves.

    Attributes:
        game, strategies, rules, seed, deals, games: what was played.
        seats: a dict a player: seat (of the first rotation), strategy, wins, draws, games, score_mean, score_sd.
            With one strategy at all seats, a dict a place at the table. `wins` and `draws` are of finished games.
            Also win_rate, of the games that count (see simkit.measures; a draw is shared), with its 95 % interval
            low … high (deals are the unit); None when no game counts.
        outcome: column -> mean a game, standard error (deals are the unit; None for a single deal), min and max over
            games.
        unfinished: games that did not end by the rules.
        without_winner: finished games that nobody won: draws, or in some games gaps in the rules.
        decisions: how many decisions were made.
        seconds: how long it took, compiling left out; no part of the result.
    """

    game: str
    strategies: list[str]
    rules: dict[str, Any]
    seed: int
    deals: int
    games: int
    seats: list[dict[str, Any]]
    outcome: dict[str, dict[str, Any]]
    unfinished: int
    without_winner: int
    decisions: int
    seconds: float = field(default=0.0, compare=False)

    def to_json(self) -> dict[str, Any]:
        """A plain object for json.dumps, the same for the same match."""
        return {name: value for name, value in vars(self).items() if name != "seconds"}

    @property
    def frame(self) -> Any:
        """The outcome columns as a DataFrame (index: column)."""
        import pandas as pd

        return pd.DataFrame(self.outcome).T

    def _repr_html_(self) -> str:
        import pandas as pd

        return str(pd.DataFrame(self.seats).to_html(index=False)) + str(self.frame.to_html())


@dataclass(frozen=True)
class _Sums:
    """What some games of a match add up to.

    Attributes:
        columns: of every column of the outcome.
        entries: of what is told by player, see _by_entry.
        won: by player, games won and counted.
        decisions: how many were made.
    """

    columns: ColumnSums
    entries: ColumnSums
    won: tuple[Moments, ...]
    decisions: int

    @classmethod
    def nothing(cls, players: int) -> _Sums:
        """No games."""
        return cls(ColumnSums(), ColumnSums(), (Moments.zero(2),) * players, 0)

    @classmethod
    def of(cls, table: Table, outcomes: np.ndarray) -> _Sums:
        """The games that a new table has played, OUTCOME records of shape (deals, rotations)."""
        game, players = table.game, table.players
        flat = outcomes.view(np.int32).reshape(*outcomes.shape, -1)
        won = _won(Games(outcomes, len(players), gaps=game.without_winner == "gap"), players)
        entries = ColumnSums.of(_by_entry(game, outcomes, players))
        return cls(ColumnSums.of(flat), entries, tuple(won), int(table.record["decisions"][0]))

    def __add__(self, other: _Sums) -> _Sums:
        won = tuple(a + b for a, b in zip(self.won, other.won, strict=True))
        columns, entries = self.columns + other.columns, self.entries + other.entries
        return _Sums(columns, entries, won, self.decisions + other.decisions)


def play_match(
    game: Game,
    players: Sequence[Player],
    rules: dict[str, Any],
    *,
    deals: int,
    seed: int,
    rotate: bool = True,
    jobs: int = 1,
    first: int = 0,
    batch: int | None = None,
) -> MatchResult:
    """Plays a match; the same bits whatever `jobs` and `batch`.

    Args:
        game: the game.
        players: one a seat.
        rules: all rule values.
        deals, first: how many deals, from which number.
        seed: 0 … 2^64 − 1.
        rotate: play every deal in all rotations of the seats.
        jobs: threads.
        batch: deals a batch.

    Raises:
        StrategyError: a strategy failed.
    """
    rotations = len(players) if rotate else 1
    size = batch or max(1, GAMES_A_BATCH // rotations)
    starts = range(first, first + deals, size)

    def task(start: int) -> _Sums:
        table = Table(game, players, rules, seed)
        return _Sums.of(table, table.play(start, min(size, first + deals - start), rotations))

    _ = Table(game, players, rules, seed).engine.play  # compiled before the threads and the clock start
    compile_passes()
    began = time.perf_counter()
    pool = joblib.Parallel(n_jobs=jobs, backend="threading", return_as="generator_unordered", pre_dispatch=2 * jobs)
    sums = sum(pool(joblib.delayed(task)(start) for start in starts), _Sums.nothing(len(players)))
    games = deals * rotations
    return MatchResult(
        game=game.name,
        strategies=[p.label for p in players],
        rules=rules,
        seed=seed,
        deals=deals,
        games=games,
        seats=_seats(game, players, sums.entries, sums.won, games),
        outcome=_outcome(game, len(players), sums.columns, rotations),
        unfinished=sums.columns.sums[dict(_columns(game, len(players)))["unfinished"]],
        without_winner=sums.entries.sums[1],
        decisions=sums.decisions,
        seconds=time.perf_counter() - began,
    )


def _is_mirror(players: Sequence[Player]) -> bool:
    return len({(p.file.path, p.row) for p in players}) == 1


def _by_entry(game: Game, outcomes: np.ndarray, players: Sequence[Player]) -> np.ndarray:
    """For each player (in a mirror: each place at the table) win, draw, score and score squared, a game.

    Then, for each role that the game has, the hands in it and the points made in them.

    An unfinished game may have a winner (LC-4.2), but is nobody's win.

    Returns:
        int64 of shape (deals, rotations, (4 + 2 × roles) × players).
    """
    seats = len(players)
    rows = []
    rotation = np.arange(outcomes.shape[1])
    winner = outcomes["winner"]
    finished = outcomes["unfinished"] == 0
    draw = (winner < 0) & finished
    for player in range(seats):
        seat = np.full_like(rotation, player) if _is_mirror(players) else (player + rotation) % seats
        score = np.take_along_axis(outcomes["scores"], seat[None, :, None], axis=2)[:, :, 0].astype(np.int64)
        rows += [(winner == seat) & finished, draw, score, score * score]
        for role in game.roles:
            rows += [outcomes[field][:, rotation, seat, role.index] for field in ("hands_role", "points_role")]
    return np.stack(rows, axis=2).astype(np.int64)


def _won(games: Games, players: Sequence[Player]) -> list[Moments]:
    """For each player (in a mirror: each place at the table) the columns of the win rate."""
    measure = SeatWinRate if _is_mirror(players) else WinRate
    return [Moments.of(measure(i)(games)) for i in range(len(players))]


def _seats(
    game: Game, players: Sequence[Player], entries: ColumnSums, won: Sequence[Moments], games: int
) -> list[dict[str, Any]]:
    from simkit.stats.ratios import share

    found, width = [], 4 + 2 * len(game.roles)
    for i, player in enumerate(players):
        wins, draws, score, squares, *by_role = entries.sums[width * i : width * (i + 1)]
        variance = (squares * games - score * score) / (games * (games - 1)) if games > 1 else math.nan
        rate = share(won[i], units=UNITS) if won[i].sums[1] else None
        found.append(
            {
                "seat": i,
                "strategy": player.label,
                "wins": wins,
                "draws": draws,
                "games": games,
                "score_mean": score / games,
                "score_sd": math.sqrt(variance) if games > 1 else None,
                "win_rate": rate and rate.value,
                "low": rate and rate.low,
                "high": rate and rate.high,
            }
        )
        if game.roles:
            found[-1]["roles"] = {
                role.name: {"hands": hands, "score_a_hand": points / hands if hands else None}
                for role, hands, points in zip(game.roles, by_role[::2], by_role[1::2], strict=True)
            }
    return found


def _columns(game: Game, seats: int) -> list[tuple[str, int]]:
    """The flat outcome columns with their place among the int32 cells of an OUTCOME record."""
    dtype = game.module("state").OUTCOME
    places = []
    for name, field_name, index, _ in game.outcome_columns(seats):
        shape = dtype[field_name].shape
        cell = dtype.fields[field_name][1] // 4 + (int(np.ravel_multi_index(index, shape)) if shape else 0)
        places.append((name, cell))
    return places


def _outcome(game: Game, seats: int, columns: ColumnSums, rotations: int) -> dict[str, dict[str, Any]]:
    n = columns.deals
    found: dict[str, dict[str, Any]] = {}
    for name, cell in _columns(game, seats):
        total, squares = columns.sums[cell], columns.squares[cell]
        variance = (squares * n - total * total) / (n * (n - 1)) if n > 1 else math.nan
        found[name] = {
            "mean": total / (n * rotations),
            "se": math.sqrt(variance / n) / rotations if n > 1 else None,
            "min": columns.low[cell],
            "max": columns.high[cell],
        }
    return found
