"""What is counted about a game of Colina: kinds of cards, classes of front lines, checkpoints, clauses that fire."""

from __future__ import annotations

# The kinds of cards whose strength is asked for, in the order of their codes.
KINDS = ("J", "Q", "K", "A", "joker")

# TP are noted after every PATH_STEP rounds, PATH_POINTS times.
PATH_STEP, PATH_POINTS = 5, 24

# What a card was played behind: classes of front lines.
FRONTS = ("0 (joker)", "2–4", "5–7", "8–10", "11–15", "16 and more")

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
    ("COL-6.2 both at 0", "both players reached 0 TP together, which cannot happen: one player loses TP a round"),
    ("COL-6.3 unfinished", "the round limit ended the game"),
)
(
    E_JOKER_BACK, E_SUPPORT_FRONT, E_SIAMESE, E_SUPPORT_SIAMESE, E_JOKER_SIAMESE, E_JOKER_ALONE, E_JOKER_SUPPORT,
    E_BLOCK, E_TWO_QUEENS, E_QUEEN_IN_VAIN, E_DOUBLE, E_HILL, E_TWO_KINGS, E_TIE, E_MIRROR, E_TWO_MIRRORS,
    E_LAST_MIRROR, E_LAST_BLOCKED, E_REFILL, E_BOTH_REFILL, E_RESHUFFLE, E_RESHUFFLE_MID, E_END, E_BOTH_ZERO,
    E_UNFINISHED,
) = range(len(CLAUSES))  # fmt: skip

CLAUSE_IDS = tuple(text for text, _ in CLAUSES)

# Of these, the ones that fire where the rules as written leave open what happens.
OPEN_POINTS = frozenset(
    {
        "COL-3.3 joker in a support siamese", "COL-4.5 two mirrors", "COL-4.7 last-card mirror blocked",
        "COL-5.2 refill", "COL-5.2 both refill",
    }
)  # fmt: skip
