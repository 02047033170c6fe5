"""The records of Kuhn poker. A card is its rank: 0 for the jack, 1 for the queen, 2 for the king."""

from __future__ import annotations

import numpy as np

from kuhn_poker.rules import CARDS, CLAUSES, OPTIONS
from simkit.games.options import rules_dtype

# `barred`: cards a seat may not put chips on (bit k: CARDS[k]). `probe`: NOW or NEVER of `kernel`, 0 for none.
RULES = rules_dtype(OPTIONS, ("barred", "i8", (2,)), ("probe", "i8"), ("probe_seat", "i8"))

STATE = np.dtype(
    [
        ("cards", "i8", (2,)),  # the card of each seat
        ("bets", "i8", (2,)),  # 1 when the seat has bet or called
        ("turn", "i8"),  # decisions made
        ("winner", "i8"),  # −1 while the hand is played
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("card", "i8"),  # my card
        ("seat", "i8"),  # 0 speaks first
        ("facing", "i8"),  # 1 when the other has bet: I call or fold
        ("may_bet", "i8"),  # 0 when I may only check or fold
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        ("winner", "i4"),
        ("unfinished", "i4"),
        ("turns", "i4"),
        ("scores", "i4", (2,)),
        ("folded", "i4"),
        ("bluffs", "i4", (2,)),
        ("opening", "i4", (2, len(CARDS))),
        ("used", "i4", (2, len(CARDS))),
        ("probe_turn", "i4"),
        ("probe_card", "i4"),
        ("probe_place", "i4"),
        ("clauses", "i4", (len(CLAUSES),)),
    ],
    align=True,
)
