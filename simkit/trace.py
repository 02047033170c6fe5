"""How games went, from a look at every position: who led, when it was decided, from how far behind it was won.

All of it is counted on the record that simkit._trace fills. What a position was worth to a seat is a chance of winning
learned from other games (simkit.stats.chances), so that no game is its own judge.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simkit.games.base import HELD
from simkit.stats.chances import Chances

if TYPE_CHECKING:
    from simkit.games.base import Game

SAMPLES = 128  # positions of a game that are kept, at most; of a longer game every second, fourth …
PER_CENT, PER_MILLE = 100, 1000
BITS = 1000  # parts of a bit that `bits` counts
LEARNED_FROM = 2**60  # the first deal of those that chances are learned from: no run comes so far

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tracing:
    """How an arm's games are looked at.

    Attributes:
        learn: about how many games of other deals the chances of winning are learned from; 0: they are not.
        decided: the chance of winning from which on a game is decided, if it stays there to the end.
        cards: whether kinds of cards are looked for.
    """

    learn: int = 0
    decided: float = 0.9
    cards: bool = False


def trace_dtype(game: Game) -> np.dtype[np.void]:
    """The record of how one game went.

    By seat: `decisions`, those `forced` (one legal move), legal `moves` summed up and their `bits` (log₂, in
    thousandths), and `behind_most`, the most that it was behind whoever led. Of the game: `lead_changes`. Of every
    `every`-th position, before its decision: `stage`, the seat whose `turn` it is, and `progress` by seat; there are
    `samples` of them. Where `cards` is 1, by seat and kind of card (simkit.games.base.Subject): how many were `dealt`
    to the first hand, −1 when the seat took no part; the most that it `held` when somebody decided or the game ended;
    how many it `played`.
    """
    by_seat = (game.max_seats,)
    fields = [(name, "i8", by_seat) for name in ("decisions", "forced", "moves", "bits", "behind_most", "now")]
    kinds = [(name, "i8", (game.max_seats, max(1, game.kinds))) for name in HELD]
    counts = [(name, "i8", ()) for name in ("lead_changes", "leader", "every", "samples", "cards")]
    positions = [("stage", "i8", (SAMPLES,)), ("turn", "i8", (SAMPLES,)), ("progress", "i8", (SAMPLES, *by_seat))]
    return np.dtype([*fields, *kinds, *counts, *positions], align=True)


class Course:
    """What the traces of some games say. Arrays are of shape (games,), or (games, samples) and (games, samples, seats).

    Args:
        traces: records of trace_dtype, shape (games,).
        parts: each seat's part in the win, 0 … 1, shape (games, seats); all 0 where nobody has won.
        seats: number of players.
        chances: what a position is worth; None as long as that is not known.
        decided: see Tracing.
    """

    def __init__(
        self, traces: np.ndarray, parts: Floats, seats: int, chances: Chances | None = None, decided: float = 0.9
    ) -> None:
        most = int(traces["samples"].max(initial=1))
        self.traces, self.parts, self.chances, self.at = traces, parts, chances, decided
        self.stage: Integers = traces["stage"][:, :most]
        self.turn: Integers = traces["turn"][:, :most]
        self.progress: Integers = traces["progress"][:, :most, :seats]
        self.seen: NDArray[np.bool_] = np.arange(most) < traces["samples"][:, None]
        self.won: NDArray[np.bool_] = parts.max(axis=1, initial=0) == 1
        self.winner: Integers = parts.argmax(axis=1)

    def learned(self) -> Chances:
        """The chances that these games teach. Raises ValueError when none of them can be judged."""
        use = self.seen & (self.parts.sum(axis=1) > 0)[:, None]
        games, _ = np.nonzero(use)
        seats = self.progress.shape[2]
        stage, lead, on_turn = (values[use].ravel() for values in (self._stages, self.lead, self._on_turn))
        return Chances.learn(np.repeat(games, seats), stage, on_turn, lead, self.parts[games].ravel(), 1 / seats)

    @property
    def _stages(self) -> NDArray[Any]:
        return np.broadcast_to(self.stage[:, :, None], self.progress.shape)

    @property
    def _on_turn(self) -> NDArray[Any]:
        return np.equal(self.turn[:, :, None], np.arange(self.progress.shape[2]))

    @cached_property
    def lead(self) -> Integers:
        """How far each seat is ahead of the best other one; below 0 behind. Shape (games, samples, seats)."""
        lead: Integers = self.progress - _best_other(self.progress)
        return lead

    @cached_property
    def chance(self) -> Floats:
        """Each seat's chance of winning, of 1 together, shape (games, samples, seats); even where nothing is known."""
        if self.chances is None:
            return np.full(self.progress.shape, 1 / self.progress.shape[2])
        raw = self.chances.of(self._stages, self._on_turn, self.lead)
        chance: Floats = raw / raw.sum(axis=2, keepdims=True)
        return chance

    @cached_property
    def of_winner(self) -> Floats:
        """The chance of whoever won in the end, shape (games, samples); means nothing where nobody did."""
        return np.take_along_axis(self.chance, self.winner[:, None, None], axis=2)[:, :, 0]

    @cached_property
    def played(self) -> Floats:
        """The part of the game's decisions that were made before each position, shape (games, samples)."""
        total = np.maximum(self.traces["decisions"].sum(axis=1), 1)
        made = np.arange(self.seen.shape[1]) * self.traces["every"][:, None]
        part: Floats = made / total[:, None]
        return part

    @cached_property
    def decided(self) -> Integers:
        """After how many per cent of its decisions a game is decided, rounded up, shape (games,).

        That is the first position from which on the winner's chance stays at `decided` or above to the end; 100 where
        it is not there before the last decision.
        """
        open_ones = self.seen & (self.of_winner < self.at)
        last = open_ones.shape[1] - 1 - np.argmax(open_ones[:, ::-1], axis=1)
        first = np.where(open_ones.any(axis=1), last + 1, 0)
        samples = self.traces["samples"]
        inside = np.minimum(first, self.played.shape[1] - 1)
        part = np.take_along_axis(self.played, inside[:, None], axis=1)[:, 0]
        return np.where(first < samples, np.ceil(PER_CENT * part - 1e-9), PER_CENT).astype(np.int64)

    @cached_property
    def lowest(self) -> Integers:
        """The lowest chance, in per mille, that the winner had at any position, shape (games,)."""
        return _per_mille(np.where(self.seen, self.of_winner, 1).min(axis=1, initial=1))

    @cached_property
    def drama(self) -> Integers:
        """How far the winner's chance was below the best other's, in per mille: the mean of the positions behind.

        0 for a winner who was never behind, shape (games,). After the drama of Browne, Automatic Generation and
        Evaluation of Recombination Games (PhD thesis, Queensland University of Technology, 2008), who took a playing
        program's evaluation of the position in place of a chance of winning.
        """
        behind = np.where(self._behind, self._gap, 0)
        return _per_mille(behind.sum(axis=1) / np.maximum(self._behind.sum(axis=1), 1))

    @cached_property
    def behind(self) -> Integers:
        """The part of the positions at which the winner's chance was below another's, in per mille, shape (games,)."""
        return _per_mille(self._behind.sum(axis=1) / np.maximum(self.traces["samples"], 1))

    @cached_property
    def _gap(self) -> Floats:
        best = np.take_along_axis(_best_other(self.chance), self.winner[:, None, None], axis=2)[:, :, 0]
        return best - self.of_winner

    @cached_property
    def _behind(self) -> NDArray[np.bool_]:
        return self.seen & (self._gap > 0)

    def leader(self, part: float) -> Integers:
        """The seat that leads alone when this part of the decisions is made, −1 without one, shape (games,)."""
        place = (self.played <= part + 1e-9).sum(axis=1) - 1
        place = np.minimum(place, self.traces["samples"] - 1)
        lead = np.take_along_axis(self.lead, place[:, None, None], axis=1)[:, 0]
        return np.where(lead.max(axis=1) > 0, lead.argmax(axis=1), -1)


def _best_other(values: NDArray[Any]) -> NDArray[Any]:
    """The highest of the other seats' values, by seat along the last axis."""
    if values.shape[-1] == 2:
        return values[..., ::-1]
    others = [np.delete(values, seat, axis=-1).max(axis=-1) for seat in range(values.shape[-1])]
    return np.stack(others, axis=-1)


def _per_mille(values: Floats) -> Integers:
    return np.rint(PER_MILLE * values).astype(np.int64)
