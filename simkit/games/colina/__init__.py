"""Colina: two players, simultaneous play, siamese sums and four support cards. Rules: docs/rules/colina.md.

A strategy imports what it needs from here: the constants of the cards and the compiled helpers of `moves`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simkit.games.base import Game, Progress, Subject
from simkit.games.colina.counts import CLAUSE_IDS, CLAUSES, FRONTS, KINDS, OPEN_POINTS, PATH_POINTS, PATH_STEP
from simkit.games.colina.rules import OPTIONS

if TYPE_CHECKING:
    from simkit.games.colina.cards import ACE, EMPTY, HAND, JACK, JOKER, KING, QUEEN  # noqa: F401
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
    "unblocked": "rounds in which the effect was in play, unblocked",
    "twin_differs": "of these, rounds in which the other of the two effects (king, ace) changes the result",
    "path": "TP after so many rounds; after the end, TP left",
    "clauses": "how often the clause fired",
}


_BY_KIND = ("opening", "drawn", "backed", "blocked", "moved", "gained", "behind")
_PATH = tuple(PATH_STEP * (i + 1) for i in range(PATH_POINTS))
_SUBJECTS: dict[str, tuple[str, str | None]] = {
    "J": ("jack", "jack_on"),
    "Q": ("queen", "queen_on"),
    "K": ("king", "king_on"),
    "A": ("ace", "ace_on"),
    "joker": ("joker", None),
}

GAME = Game(
    name="colina",
    title="Colina",
    about="Two players reveal a front line and a support card together; the difference costs the loser total points.",
    package=__name__,
    options=OPTIONS,
    max_seats=2,
    seats=lambda rules: 2,
    columns=COLUMNS,
    labels=dict.fromkeys(_BY_KIND, KINDS)
    | {
        "behind/2": ("0", "2_4", "5_7", "8_10", "11_15", "16_up"),
        "path": tuple(str(n) for n in _PATH),
        "clauses": CLAUSE_IDS,
        "unblocked": ("K", "A"),
        "twin_differs": ("K", "A"),
    },
    check=lambda rules: [],
    length="rounds",
    score_unit="TP",
    start_score=lambda rules: int(rules["start_points"]),
    seat_fields=frozenset({"points", "scores", "lost", "behind_most", "cards_played", "path", *_BY_KIND}),
    path_points=_PATH,
    clauses=CLAUSES,
    open_points=OPEN_POINTS,
    subjects=tuple(
        Subject(kind, _SUBJECTS[kind][0], i, 1 << i, _SUBJECTS[kind][1], FRONTS) for i, kind in enumerate(KINDS)
    ),
    seen=(("opening", "in the first hand"), ("drawn", "ever drawn"), ("backed", "played behind")),
    barred_words="Barred: must not play this card behind (a joker: nor in a siamese); what it does in front stays "
    "allowed.",
    progress=Progress("TP", "TP left", "TP that both have lost"),
    bench=("random", "greedy"),
    twin_effects=("king", "ace"),
    twin_clause="COL-4.9",
)


def __getattr__(name: str) -> Any:
    """Constants and helpers of the cards and moves, imported on first use: they need numba."""
    for home in ("cards", "moves"):
        # Not `from … import`: that would ask this very function for the module's name.
        module = import_module(f"{__name__}.{home}")
        if not name.startswith("_") and hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
