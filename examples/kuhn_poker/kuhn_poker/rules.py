"""The options and the clauses of Kuhn poker, in the order of rules.md."""

from __future__ import annotations

from simkit.games.options import Integer

OPTIONS = (
    Integer("ante", 1, 1, 1000, "KP-1.2", "chips that each player pays before the deal"),
    Integer("bet", 1, 1, 1000, "KP-2.2", "chips that a bet costs, and a call"),
)

CARDS = ("J", "Q", "K")
CARD_WORDS = ("jack", "queen", "king")

# What can happen, in the order of the outcome's `clauses`.
CLAUSES = (
    ("KP-2.1 check", "a player checked"),
    ("KP-2.1 bet", "a player bet"),
    ("KP-2.3 call", "a bet was called"),
    ("KP-3.1 fold", "a player folded"),
    ("KP-3.2 showdown", "both cards were shown"),
)
CHECKED, BETTED, CALLED, FOLDED, SHOWN = range(len(CLAUSES))
