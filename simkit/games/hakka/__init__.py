"""Hakka cards: four seats, three play for tricks by pattern while the fourth dreams. Rules: docs/rules/hakka.md.

A strategy imports what it needs from here: constants, and the compiled helpers of `cards`, `sets` and `moves`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simkit.games.base import HELD, Counted, Feature, Game, Probe, Progress, Role, Subject
from simkit.games.hakka.counts import (
    ACTIVE,
    BAR_OUT_OF_TURN,
    CARD_KINDS,
    CLAUSE_IDS,
    CLAUSES,
    DEALER,
    DREAMER,
    HAND_KINDS,
    OPEN_POINTS,
    PRIVILEGED,
    ROLES,
)
from simkit.games.hakka.rules import OPTIONS, check

if TYPE_CHECKING:
    from simkit.games.hakka.cards import *  # noqa: F403
    from simkit.games.hakka.moves import *  # noqa: F403
    from simkit.games.hakka.sets import *  # noqa: F403

WINNING_TRICKS = tuple(range(6, 13))

COLUMNS = {
    "winner": "seat that won, −1 when the highest total is shared or the game unfinished",
    "unfinished": "1 when so many hands in a row were cancelled that the game was stopped",
    "hands": "hands dealt, cancelled ones counted",
    "hands_played": "hands played, cancelled ones not counted",
    "hands_cancelled": "hands in which nobody called",
    "hands_without_winner": "hands whose cards ran out with nobody at 6 tricks",
    "hands_with_winner": "hands that somebody won",
    "active_hands": "times that an active player was dealt twelve cards: three a hand dealt",
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
    "won_from_10": "hands won with 10 tricks or more",
    "moved_with": "points that changed hands in these",
    "moved": "points that changed hands",
    "moved_from_10": "of these, points in hands won with 10 tricks or more",
    "tigers_dealt": "times the Five Tigers were dealt to a player",
    "tigers_taken": "hands won with them",
    "tigers_won": "hands won by whoever was dealt them, with them or by tricks",
    "tigers_points": "points that whoever was dealt them made in that hand, 0 when it was cancelled",
    "probe_turn": "hand of the game in which the probe came, 0 without one",
    "probe_passes": "players who had passed before",
    "probe_elders": "Elders in hand",
    "probe_longest": "cards of the longest run or set in hand, 0 without one",
    "probe_ahead": "players with more points",
    "clauses": "how often the clause fired",
}

_ROLE_WORDS = {DEALER: "dealers", PRIVILEGED: "Privileged players", ACTIVE: "other active players", DREAMER: "Dreamers"}

# What a probe is sorted by.
_ELDERS = Feature("elders", "probe_elders", "Elders in hand", (0, 1, 2, 3, 4))
_LONGEST = Feature("longest", "probe_longest", "cards of the longest run or set", (0, 3, 4, 5, 6))
_PASSES = Feature("passes", "probe_passes", "players who have passed", (1, 2), top=2)
_AHEAD = Feature("ahead", "probe_ahead", "players with more points", (0, 1, 2))
_HAND = Feature("hand", "probe_turn", "hand of the game", (1, 2, 3, 4))

MEASURES = (
    Counted(
        "score_spread",
        "spread of a player's points",
        "scores",
        kind="spread",
        meaning="Spread: the standard deviation of a player's points over the games.",
    ),
    Counted("hands_dealt", "hands dealt a game", "hands", meaning="Cancelled hands are dealt hands too."),
    Counted("cancelled", "hands cancelled", "hands_cancelled", "hands", kind="share"),
    Counted("no_winner", "hands without a winner", "hands_without_winner", "hands_played", kind="share"),
    Counted("calls", "calls a player's game", "calls"),
    Counted("claims", "claims a player's game", "claims"),
    Counted("claimed", "hands won by a claim", "claims", "hands_played", kind="share"),
    Counted("privileged", "hands with a Privileged player", "privileged", "hands_played", kind="share"),
    *(
        Counted(f"{ROLES[role]}_wins", f"hands won by {words}", "wins_role", "hands_role", (role,), "share")
        for role, words in _ROLE_WORDS.items()
        if role != DREAMER
    ),
    *(
        Counted(f"{ROLES[role]}_points", f"{words}' points a hand", "points_role", "hands_role", (role,))
        for role, words in _ROLE_WORDS.items()
    ),
    Counted("winner_tricks", "tricks of the winner", "winner_tricks", "hands_with_winner"),
    Counted("dreamer_tricks", "tricks of the Dreamer", "dreamer_tricks", "hands_with_winner"),
    *(
        Counted(f"won_with_{tricks}", f"hands a game won with {tricks} tricks", "won_with", index=(place,))
        for place, tricks in enumerate(WINNING_TRICKS)
    ),
    *(
        Counted(
            f"moved_with_{tricks}",
            f"points a game that change hands when {tricks} tricks win",
            "moved_with",
            index=(place,),
        )
        for place, tricks in enumerate(WINNING_TRICKS)
    ),
    Counted("won_from_10", "hands won with 10 tricks or more", "won_from_10", "hands_with_winner", kind="share"),
    Counted("moved", "points a game that change hands", "moved"),
    Counted(
        "moved_from_10",
        "points that change hands when 10 tricks or more win",
        "moved_from_10",
        "moved",
        kind="share",
        meaning="Points that change hands are those of winners and Dreamers together.",
    ),
    Counted("tigers_dealt", "hands with the Five Tigers", "tigers_dealt", "hands", kind="share"),
    Counted(
        "tigers_held",
        "active players dealt the Five Tigers",
        "tigers_dealt",
        "active_hands",
        kind="share",
        meaning="By the cards alone, an active player is dealt the Five Tigers 8 times in 4,403: 0.1817 %.",
    ),
    Counted("tigers_taken", "hands won with the Five Tigers", "tigers_taken", "hands_played", kind="share"),
    Counted("tigers_won", "hands won when dealt the Five Tigers", "tigers_won", "tigers_dealt", kind="share"),
    Counted(
        "tigers_points",
        "points a hand when dealt the Five Tigers",
        "tigers_points",
        "tigers_dealt",
        meaning="A hand that is cancelled counts as 0 points for who was dealt the Five Tigers.",
    ),
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
    length="hands",
    score_unit="points",
    start_score=lambda rules: 0,
    seat_fields=frozenset({"scores", "hands_won", "calls", "claims", "hands_role", "wins_role", "points_role"}),
    clauses=CLAUSES,
    open_points=OPEN_POINTS,
    subjects=tuple(
        Subject(name, words, i, looked_for=True) for i, (name, words) in enumerate((*CARD_KINDS, *HAND_KINDS))
    ),
    seen=tuple(zip(HELD, ("in the first hand", "ever in hand", "led or beaten with"), strict=True)),
    without_winner="draw",
    measures=MEASURES,
    probes=(
        Probe(
            "call_out_of_turn",
            "calling out of turn",
            1,
            2,
            3,
            (_ELDERS, _LONGEST, _PASSES, _AHEAD),
            "never calling out of turn again in this game",
            "passing this once",
        ),
        Probe(
            "call",
            "calling as the dealer",
            4,
            5,
            6,
            (_ELDERS, _LONGEST, _HAND, _AHEAD),
            "never calling as the dealer again in this game",
            "passing this once",
        ),
    ),
    roles=(
        Role("dealer", "dealer", DEALER),
        Role("privileged", "Privileged caller", PRIVILEGED, BAR_OUT_OF_TURN, "calling out of turn"),
        Role("active", "other active player", ACTIVE),
        Role("dreamer", "Dreamer", DREAMER),
    ),
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
