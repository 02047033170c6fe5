"""How far a game of Sixty-Six has come, for all to see: what a lead is counted in, and how near the end is."""

from __future__ import annotations

from typing import Any

from simkit.games.sixty_six.score import most_game_points
from simkit.games.sixty_six.words import game_points_of, points_of, tricks_of
from simkit.jit import kernel


@kernel
def progress(state: Any, rules: Any, seat: int) -> int:
    """The seat's points of the deal, pending ones left out; in a match its game points."""
    standing = state.standing[seat]
    return game_points_of(standing) if rules.match_points else points_of(standing)


@kernel
def stage(state: Any, rules: Any) -> int:
    """The tricks of the deal that are over; in a match the game points of whoever has more."""
    if rules.match_points:
        return most_game_points(state)
    return tricks_of(state.standing[0]) + tricks_of(state.standing[1])
