"""Hakka cards: four seats, three play for tricks by pattern while the fourth dreams. Rules: docs/rules/hakka.md.

A strategy imports what it needs from here: constants, and the compiled helpers of `cards`, `sets` and `moves`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simkit.games.base import Counted, Game, Progress
from simkit.games.hakka.counts import ACTIVE, CLAUSE_IDS, CLAUSES, DEALER, DREAMER, OPEN_POINTS, PRIVILEGED, ROLES
from simkit.games.hakka.rules import OPTIONS, check

if TYPE_CHECKING:
    from simkit.games.hakka.cards import *  # noqa: F403
    from simkit.games.hakka.moves import *  # noqa: F403
    from simkit.games.hakka.sets import *  # noqa: F403

WINNING_TRICKS = tuple(range(6, 13))

COLUMNS = {
    "winner": "seat that won, −1 when the highest total is shared or the game unfinished",
    "unfinished": "1 when so many hands in a row were cancelled that the game was stopped",
    "deals": "hands dealt, cancelled ones counted",
    "hands_played": "hands played, cancelled ones not counted",
    "hands_cancelled": "hands in which nobody called",
    "hands_without_winner": "hands whose cards ran out with nobody at 6 tricks",
    "hands_with_winner": "hands that somebody won",
    "tricks": "tricks played, of however many cards",
    "scores": "points",
    "hands_won": "hands won",
    "calls": "hands that the seat called",
    "claims": "hands that the seat claimed",
    "hands_role": "hands played in that role, cancelled ones not counted",
    "wins_role": "of these, hands won",
    "points_role": "points made in that role",
    "privileged": "hands with a Privileged player",
    "winner_tricks": "tricks of the winners, Elders of claims counted",
    "dreamer_tricks": "tricks that Dreamers woke with",
    "won_with": "hands won with so many tricks",
    "moved_with": "points that changed hands in these",
    "moved": "points that changed hands",
    "moved_from_10": "of these, in hands won with 10 tricks or more",
    "tigers_dealt": "times the Five Tigers were dealt to a player",
    "tigers_taken": "hands won with them",
    "clauses": "how often the clause fired",
}

_ROLE_WORDS = {DEALER: "dealers", PRIVILEGED: "Privileged players", ACTIVE: "other active players", DREAMER: "Dreamers"}

MEASURES = (
    Counted("cancelled", "hands cancelled", "hands_cancelled", "deals", kind="share"),
    Counted("no_winner", "hands without a winner", "hands_without_winner", "hands_played", kind="share"),
    Counted("calls", "calls a player's game", "calls"),
    Counted("claims", "claims a player's game", "claims"),
    Counted("privileged", "hands with a Privileged player", "privileged", "hands_played", kind="share"),
    *(
        Counted(f"{ROLES[role]}_wins", f"hands won by {words}", "wins_role", "hands_role", (role,), "share")
        for role, words in _ROLE_WORDS.items()
        if role != DREAMER
    ),
    *(
        Counted(f"{ROLES[role]}_points", f"points a hand of {words}", "points_role", "hands_role", (role,))
        for role, words in _ROLE_WORDS.items()
    ),
    Counted("winner_tricks", "tricks of the winner", "winner_tricks", "hands_with_winner"),
    Counted("dreamer_tricks", "tricks of the Dreamer", "dreamer_tricks", "hands_with_winner"),
    *(
        Counted(f"won_with_{tricks}", f"hands a game won with {tricks} tricks", "won_with", index=(place,))
        for place, tricks in enumerate(WINNING_TRICKS)
    ),
    *(
        Counted(f"moved_with_{tricks}", f"points that change hands for {tricks} tricks", "moved_with", index=(place,))
        for place, tricks in enumerate(WINNING_TRICKS)
    ),
    Counted("moved", "points that change hands", "moved"),
    Counted("moved_from_10", "points that change hands for 10 tricks or more", "moved_from_10", "moved", kind="share"),
    Counted("tigers_dealt", "hands with the Five Tigers", "tigers_dealt", "deals", kind="share"),
    Counted("tigers_taken", "hands won with the Five Tigers", "tigers_taken", "hands_played", kind="share"),
    Counted("tricks", "tricks a hand", "tricks", "hands_played"),
)

GAME = Game(
    name="hakka",
    title="Hakka cards",
    about="Three of four players take tricks with singles, runs and sets; the fourth dreams, and profits.",
    package=__name__,
    options=OPTIONS,
    max_seats=4,
    seats=lambda rules: 4,
    columns=COLUMNS,
    labels=dict.fromkeys(("won_with", "moved_with"), tuple(map(str, WINNING_TRICKS)))
    | dict.fromkeys(("hands_role", "wins_role", "points_role"), ROLES)
    | {"clauses": CLAUSE_IDS},
    check=check,
    length="deals",
    score_unit="points",
    start_score=lambda rules: 0,
    seat_fields=frozenset({"scores", "hands_won", "calls", "claims", "hands_role", "wins_role", "points_role"}),
    clauses=CLAUSES,
    open_points=OPEN_POINTS,
    without_winner="draw",
    measures=MEASURES,
    progress=Progress("points", "points of the hands before, and tricks of this one", "hands and tricks played"),
    bench=("random", "caller"),
)


def __getattr__(name: str) -> Any:
    """Constants and helpers of cards, sets and moves, imported on first use: they need numba."""
    for home in ("cards", "sets", "moves"):
        # Not `from … import`: that would ask this very function for the module's name.
        module = import_module(f"{__name__}.{home}")
        if not name.startswith("_") and hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
