"""The chance of winning by what all can see, learned from games: a lead, and how far the game has come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_STAGES = 10
GAMES_A_GROUP, MOST_GROUPS = 50, 40  # leads of a class that lie next to each other make groups, of many games each


@dataclass(frozen=True)
class Chances:
    """For each of some stages of a game, and for the seat whose turn it is or another, how the chance of winning rises.

    Attributes:
        edges: the lowest stage of each class but the first, ascending, shape (classes − 1,).
        leads: ascending means of groups of leads that were seen: for each class those of seats that wait, then those of
            the seat whose turn it is.
        chances: in the same order, the chance of winning with each of these leads.
    """

    edges: Integers
    leads: tuple[Floats, ...]
    chances: tuple[Floats, ...]

    @classmethod
    def learn(
        cls,
        game: Integers,
        stage: Integers,
        on_turn: NDArray[np.bool_],
        lead: Integers,
        won: Floats,
        even: float,
    ) -> Chances:
        """Learns from positions, one a seat, by isotonic regression: a greater lead never has the smaller chance.

        To each group of leads one game is added that nobody played and that is won with the chance `even`, which keeps
        the ends off 0 and 1.

        Args:
            game, stage, on_turn, lead: of each position, shape (positions,): the game that it is of, how far that had
                come, whether it is the seat's turn, and how far the seat is ahead of the best other seat.
            won: the seat's part in the win, 0 … 1, of the same shape.
            even: the chance of a seat that nothing is known of, one in as many as there are seats.

        Raises:
            ValueError: there is no position.
        """
        if not len(lead):
            raise ValueError("no position to learn from")
        edges = np.unique(np.quantile(stage, np.arange(1, MOST_STAGES) / MOST_STAGES, method="higher"))
        edges = edges[edges > stage.min()].astype(np.int64)
        place = _places(edges, stage, on_turn)
        classes = (place == c for c in range(2 * len(edges) + 2))
        rising = [_rising(game[here], lead[here], won[here], even) for here in classes]
        leads, chances = zip(*rising, strict=True)
        return cls(edges, leads, chances)

    def of(self, stage: Integers, on_turn: NDArray[np.bool_], lead: Integers) -> Floats:
        """The chance of each position, all of one shape; straight lines between the leads of groups."""
        place = _places(self.edges, stage, on_turn)
        found = np.empty(lead.shape, dtype=np.float64)
        for c, (leads, chances) in enumerate(zip(self.leads, self.chances, strict=True)):
            here = place == c
            found[here] = np.interp(lead[here], leads, chances)
        return found


def _places(edges: Integers, stage: Integers, on_turn: NDArray[np.bool_]) -> Integers:
    """The number of each position's class."""
    return 2 * np.searchsorted(edges, stage, side="right") + on_turn


def _rising(game: Integers, lead: Integers, won: Floats, even: float) -> tuple[Floats, Floats]:
    """The mean leads of the groups of one class, and the chance of each."""
    from scipy.optimize import isotonic_regression

    _, which = np.unique(game, return_inverse=True)
    games = int(which.max(initial=-1)) + 1
    if games == 0:  # nobody is ever on turn at such a stage
        return np.zeros(1), np.full(1, even)
    groups = min(max(games // GAMES_A_GROUP, 1), MOST_GROUPS)
    highest = np.unique(np.quantile(lead, np.arange(1, groups + 1) / groups, method="inverted_cdf"))
    group = np.searchsorted(highest, lead)
    times = np.bincount(group)
    came = np.bincount(np.unique(group * games + which) // games)  # games, each once a group
    share = (np.bincount(group, weights=won) / times * came + even) / (came + 1)
    return np.bincount(group, weights=lead) / times, isotonic_regression(share, weights=times).x
