"""Colina: two players, simultaneous play, siamese sums and four support cards. Rules: docs/rules/colina.md.

A strategy imports what it needs from here: the constants of the cards and the compiled helpers of `moves`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simkit.games.base import Game
from simkit.games.colina.counts import CLAUSE_IDS
from simkit.games.colina.rules import OPTIONS

if TYPE_CHECKING:
    from simkit.games.colina.cards import ACE, EMPTY, HAND, JACK, JOKER, KING, QUEEN
    from simkit.games.colina.moves import *  # noqa: F403

COLUMNS = {
    "winner": "seat that won, −1 without a winner",
    "unfinished": "1 when the round limit ended the game",
    "rounds": "rounds played",
    "points": "TP left",
    "scores": "TP left",
    "ties": "rounds in which nobody lost TP",
    "lost": "TP lost over the game",
    "lead_changes": "how often the lead in TP passed from one seat to the other",
    "behind_most": "the most TP the seat was ever behind by",
    "cards_played": "cards played",
    "opening": "cards of the kind in the first hand",
    "drawn": "cards of the kind drawn, the first hand included",
    "backed": "plays of the kind in the back line",
    "blocked": "back-line plays of the kind that a queen blocked",
    "moved": "TP that back-line plays of the kind moved to their player (with the effect less without it)",
    "gained": "TP won less TP lost in rounds with the kind in the back line",
    "behind": "back-line plays of the kind behind a front line worth so much",
    "path": "TP after so many rounds; after the end, TP left",
    "clauses": "how often the clause fired",
}


def _labels() -> dict[str, tuple[str, ...]]:
    kinds = ("J", "Q", "K", "A", "joker")
    fields = ("opening", "drawn", "backed", "blocked", "moved", "gained", "behind")
    fronts = ("0", "2_4", "5_7", "8_10", "11_15", "16_up")
    rounds = tuple(str(n) for n in range(5, 125, 5))
    return dict.fromkeys(fields, kinds) | {"behind/2": fronts, "path": rounds, "clauses": CLAUSE_IDS}


GAME = Game(
    name="colina",
    title="Colina",
    about="Two players reveal a front line and a support card together; the difference costs the loser total points.",
    package=__name__,
    options=OPTIONS,
    max_seats=2,
    seats=lambda rules: 2,
    columns=COLUMNS,
    labels=_labels(),
    check=lambda rules: [],
)


def __getattr__(name: str) -> Any:
    """Constants and helpers of the cards and moves, imported on first use: they need numba."""
    from simkit.games.colina import cards, moves

    for module in (cards, moves):
        if not name.startswith("_") and hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
