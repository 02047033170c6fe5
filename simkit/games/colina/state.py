"""The records of Colina: the state, the view of a seat, and the outcome of a game with its columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.games.colina.cards import KINDS
from simkit.games.colina.rules import OPTIONS
from simkit.games.options import rules_dtype

KIND_COUNT = len(KINDS)
PATH_STEP, PATH_POINTS = 5, 24

# What a card was played behind: classes of front lines.
FRONTS = ("0 (joker)", "2–4", "5–7", "8–10", "11–15", "16 and more")
FRONT_CLASS = np.array([0] + [1] * 4 + [2] * 3 + [3] * 3 + [4] * 5 + [5] * 45, np.int64)

# Clauses that can fire, in the order of their bits in `events` and of the outcome's `clauses`.
CLAUSES = (
    ("COL-2.4 joker behind", "a joker was played in the back line"),
    ("COL-2.5 support in front", "a single support card was played in the front line"),
    ("COL-3.1 value siamese", "a siamese of value cards was played"),
    ("COL-3.1 support siamese", "a siamese of support cards was played"),
    ("COL-3.2 joker in a siamese", "jokers were added to a siamese of value cards"),
    ("COL-3.2 joker alone", "a joker was played alone in the front line"),
    ("COL-3.3 joker in a support siamese", "jokers were added to a siamese of support cards"),
    ("COL-4.1 queen blocks", "a queen cancelled an effect of the opponent"),
    ("COL-4.1 two queens", "both played a queen: nothing happens"),
    ("COL-4.1 queen in vain", "a queen had no effect to cancel"),
    ("COL-4.2 jack doubles", "a jack multiplied its player's front line"),
    ("COL-4.3 hill", "exactly one unblocked king: the lower total wins"),
    ("COL-4.3 two kings", "two kings: the higher total wins again"),
    ("COL-4.4 tie", "equal totals: nobody loses TP"),
    ("COL-4.5 mirror", "exactly one unblocked ace: the outcome is swapped"),
    ("COL-4.5 two mirrors", "two aces met"),
    ("COL-4.7 last-card mirror", "an only card, an ace, had its effect in the front line"),
    ("COL-4.7 last-card mirror blocked", "a queen blocked an only card, an ace"),
    ("COL-5.2 refill", "an empty hand was refilled"),
    ("COL-5.2 both refill", "both hands were empty: seat 0 drew first"),
    ("COL-5.3 reshuffle", "the dead pile became the draw pile"),
    ("COL-5.3 reshuffle in a refill", "the draw pile ran out in the middle of a refill"),
    ("COL-6.1 end", "a player reached 0 TP"),
    ("COL-6.2 both at 0", "both players reached 0 TP together (cannot happen: one player loses TP a round)"),
    ("COL-6.3 unfinished", "the round limit ended the game"),
)
(
    E_JOKER_BACK, E_SUPPORT_FRONT, E_SIAMESE, E_SUPPORT_SIAMESE, E_JOKER_SIAMESE, E_JOKER_ALONE, E_JOKER_SUPPORT,
    E_BLOCK, E_TWO_QUEENS, E_QUEEN_IN_VAIN, E_DOUBLE, E_HILL, E_TWO_KINGS, E_TIE, E_MIRROR, E_TWO_MIRRORS,
    E_LAST_MIRROR, E_LAST_BLOCKED, E_REFILL, E_BOTH_REFILL, E_RESHUFFLE, E_RESHUFFLE_MID, E_END, E_BOTH_ZERO,
    E_UNFINISHED,
) = range(len(CLAUSES))  # fmt: skip

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
        ("behind", "i4", (2, KIND_COUNT, len(FRONTS))),
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
