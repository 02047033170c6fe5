"""The records of rigged dice."""

from __future__ import annotations

import numpy as np

from simkit.games.options import rules_dtype
from tests.rigged.rules import CARDS, CLAUSES, OPTIONS

RULES = rules_dtype(OPTIONS, ("barred", "i8", (2,)), ("probe", "i8"), ("probe_seat", "i8"))

STATE = np.dtype(
    [
        ("cards", "i8", (2,)),  # bits: CARDS in hand
        ("played", "i8", (2,)),  # bits: CARDS played
        ("throws", "i8", (2,)),
        ("turn", "i8"),  # decisions made
    ],
    align=True,
)

VIEW = np.dtype([("playable", "i8"), ("seat", "i8")], align=True)

OUTCOME = np.dtype(
    [
        ("winner", "i4"),
        ("unfinished", "i4"),
        ("rounds", "i4"),
        ("scores", "i4", (2,)),
        ("opening", "i4", (2, len(CARDS))),
        ("used", "i4", (2, len(CARDS))),
        ("probe_turn", "i4"),
        ("probe_seat", "i4"),
        ("probe_king", "i4"),
        ("clauses", "i4", (len(CLAUSES),)),
    ],
    align=True,
)
