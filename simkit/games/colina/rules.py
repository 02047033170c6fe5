"""The options of Colina, in the order of docs/rules/colina.md; their record is in `state`."""

from __future__ import annotations

from simkit.games.options import Choice, Decimal, Integer, Switch

INT_MAX = 2**31 - 1

OPTIONS = (
    Integer("start_points", 100, 1, INT_MAX, "COL-1.2", "total points (TP) of each player at the start"),
    Integer("hand_size", 6, 1, 6, "COL-1.3", "cards of the first deal and of every refill"),
    Integer("jokers", 4, 0, 8, "COL-1.3", "how many jokers are shuffled in"),
    Choice(
        "support_front",
        "anytime",
        ("anytime", "no_value_cards"),
        "COL-2.6",
        "when support cards may lead the front line: at any time, or only without a value card in hand",
    ),
    Choice("siamese_ranks", "any", ("any", "distinct"), "COL-3.1", "may a siamese hold the same rank twice"),
    Decimal("jack_factor", 2, 1, 10, 100, "COL-4.2", "what a jack multiplies its front line by"),
    Choice(
        "double_mirror",
        "cancel",
        ("cancel", "void_round"),
        "COL-4.5",
        "two aces: their effects void each other, or nobody loses TP",
    ),
    Integer("max_rounds", 1000, 1, INT_MAX, "COL-6.3", "rounds after which a game is unfinished"),
    Switch("jack_on", True, "COL-4.2", "the jack has its effect; a pair is one value a seat", per_seat=True),
    Switch("queen_on", True, "COL-4.1", "the queen has its effect; a pair is one value a seat", per_seat=True),
    Switch("king_on", True, "COL-4.3", "the king has its effect; a pair is one value a seat", per_seat=True),
    Switch("ace_on", True, "COL-4.5", "the ace has its effect, COL-4.7 too; a pair is one value a seat", per_seat=True),
)
