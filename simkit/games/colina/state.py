"""The records of Colina: the state, the view of a seat, and the outcome of a game with its columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.games.colina.counts import CLAUSES, FRONTS, KINDS, PATH_POINTS
from simkit.games.colina.rules import OPTIONS
from simkit.games.options import rules_dtype

KIND_COUNT = len(KINDS)
FRONT_CLASS = np.array([0] + [1] * 4 + [2] * 3 + [3] * 3 + [4] * 5 + [5] * 45, np.int64)

# `barred`: kinds a seat may not use (bit k: KINDS[k] in the back line; a barred joker joins no siamese either).
RULES = rules_dtype(OPTIONS, ("barred", "i8", (2,)))

# A hand, the same fields in the state and in a view, so that one function serves both.
HAND_FIELDS: list[tuple[Any, ...]] = [
    ("hand", "i1", (8,)),  # card code a slot; slots that are not held are stale
    ("held", "i8"),  # mask of the slots that hold a card
    ("values", "u8"),  # front value a slot, one byte each
    ("groups", "u8"),  # masks of slots, one byte each: value cards of suit 0, support cards of suit 0, suit 1 …
    ("jokers", "i8"),  # mask of the slots with jokers
    ("backs", "i8"),  # mask of the slots that may go to the back line
    ("points", "i8"),  # TP of the hand's player
    ("seat", "i8"),
]

VIEW = np.dtype(
    [
        *HAND_FIELDS,
        ("cards", "i8"),  # cards in my hand
        ("their_cards", "i8"),  # cards in the opponent's hand
        ("their_points", "i8"),  # the opponent's TP
        ("round", "i8"),  # number of this round, the first is 1
        ("pile", "i8"),  # cards in the draw pile
        ("dead", "u8", (2,)),  # counts of the dead pile by card; read them with dead_count
        ("their_total", "i8"),  # the opponent's front total of the last round, after doubling; −1 in round 1
        ("their_back", "i8"),  # kind the opponent played behind it (index into KINDS), −1 for none
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        ("winner", "i4"),
        ("unfinished", "i4"),
        ("rounds", "i4"),
        ("points", "i4", (2,)),
        ("scores", "i4", (2,)),
        ("ties", "i4"),
        ("lost", "i4", (2,)),
        ("lead_changes", "i4"),
        ("behind_most", "i4", (2,)),
        ("cards_played", "i4", (2,)),
        ("opening", "i4", (2, KIND_COUNT)),
        ("drawn", "i4", (2, KIND_COUNT)),
        ("backed", "i4", (2, KIND_COUNT)),
        ("blocked", "i4", (2, KIND_COUNT)),
        ("moved", "i4", (2, KIND_COUNT)),
        ("gained", "i4", (2, KIND_COUNT)),
        ("behind", "i4", (2, KIND_COUNT, len(FRONTS))),
        ("unblocked", "i4", (2,)),
        ("twin_differs", "i4", (2,)),
        ("path", "i4", (2, PATH_POINTS)),
        ("clauses", "i4", (len(CLAUSES),)),
    ],
    align=True,
)

SEAT = np.dtype(
    [
        *HAND_FIELDS,
        ("move", "i8"),  # what was chosen this round
        ("total", "i8"),  # front total of the last round, after doubling; −1 before it
        ("back", "i8"),  # kind in the back line of the last round, −1 for none
        ("damage", "i8"),  # TP lost by the last round, not cut at the TP left
        ("events", "u8"),  # clauses that fired for this seat in the last round, a bit each
        ("drew", "i8"),  # 1 for a refill after the last round, 2 for one that reshuffled
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("seats", SEAT, (2,)),
        ("deck", "i1", (112,)),
        ("pile", "i8"),
        ("dead", "u8", (2,)),
        ("reshuffles", "i8"),
        ("round", "i8"),  # rounds played
        ("turn", "i8"),  # who chooses next; −1 when the game is over
        ("leader", "i8"),  # the seat that was last ahead in TP, −1 before anyone was
    ],
    align=True,
)
