"""The records of Sixty-Six: the state, the view of a seat, and the outcome of a game with its columns."""

from __future__ import annotations

import numpy as np

from simkit.games.options import rules_dtype
from simkit.games.sixty_six.counts import CLAUSES, SUBJECTS
from simkit.games.sixty_six.rules import OPTIONS

SUBJECT_COUNT = len(SUBJECTS)

# `barred`: what a seat may not use (bit k: the subject k; the nine of trumps is then not exchanged).
RULES = rules_dtype(OPTIONS, ("barred", "i8", (2,)))


def _standing(whose: str) -> list[tuple[str, str]]:
    """The fields of one player's word."""
    return [
        (f"{whose}points", "i1"),  # points that count
        (f"{whose}tricks", "i1"),  # tricks won
        (f"{whose}pending", "i1"),  # points of a marriage that wait for the first trick
        (f"_{whose}unused", "i1"),
        (f"{whose}game_points", "i4"),  # of the match so far
    ]


# A set of cards is a uint64 with a bit a card (see cards).
VIEW = np.dtype(
    [
        ("hand", "u8"),  # my cards
        ("legal", "u8"),  # my cards that may be played now, as a lead without exchange or as a reply
        ("couples", "u8"),  # my kings and queens that may be led with their marriage declared, without exchange
        ("trumps", "u8"),  # all cards of the trump suit
        ("turned", "u8"),  # the turned-up card, empty once it is drawn; still known when the stock is closed
        ("played", "u8"),  # cards that I have played
        ("their_played", "u8"),  # cards that the opponent has played, the one on the table counted
        ("shown", "u8"),  # cards of my hand that the opponent knows
        ("their_shown", "u8"),  # cards known to be in the opponent's hand
        # The next three lines are words of the state, see `words`.
        *_standing(""),
        *_standing("their_"),
        ("led", "i1"),  # the card on the table, −1 when I am about to lead
        ("may_close", "i1"),  # 1 if I may close with this lead
        ("may_exchange", "i1"),  # 1 if I may exchange the nine of trumps with this lead
        ("open", "i1"),  # 1 while the stock is neither closed nor exhausted
        ("stock", "i1"),  # cards of the stock, the turned-up one counted
        ("closer", "i1"),  # seat that closed, −1 for none
        ("dealer", "i1"),  # seat that dealt
        ("seat", "i1"),
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        ("winner", "i4"),
        ("unfinished", "i4"),
        ("no_winner", "i4"),
        ("tricks", "i4"),
        ("deals", "i4"),
        ("points", "i4", (2,)),
        ("scores", "i4", (2,)),
        ("deals_won", "i4", (2,)),
        ("won_tricks", "i4", (2,)),
        ("closes", "i4", (2,)),
        ("closes_won", "i4", (2,)),
        ("failed_closes", "i4", (2,)),
        ("marriages", "i4", (2,)),
        ("marriage_points", "i4", (2,)),
        ("exchanges", "i4", (2,)),
        ("schneider", "i4"),
        ("schwarz", "i4"),
        ("opening", "i4", (2, SUBJECT_COUNT)),
        ("drawn", "i4", (2, SUBJECT_COUNT)),
        ("used", "i4", (2, SUBJECT_COUNT)),
        ("clauses", "i4", (len(CLAUSES),)),
    ],
    align=True,
)

# Where the three words lie in a VIEW.
STANDING, THEIR_STANDING, TABLE = (VIEW.fields[name][1] for name in ("points", "their_points", "led"))  # type: ignore[index]

# Fields that are written together in the loop do not lie together: read back at once as one they would have to wait.
STATE = np.dtype(
    [
        ("turn", "i8"),  # whose lead or reply it is; −1 when the game is over
        ("legal", "u8"),  # see VIEW; of the seat whose turn it is
        ("table", "u8"),  # see words
        ("couples", "u8"),  # see VIEW; of the seat whose turn it is
        ("hand", "u8", (2,)),
        ("standing", "u8", (2,)),  # see words
        ("trumps", "u8"),
        ("turned", "u8"),
        ("stock", "u8"),  # the face-down cards, a set: their order is drawn when it matters
        ("played", "u8", (2,)),
        ("shown", "u8", (2,)),  # cards that the other seat saw come into the hand, or in it
        ("held", "u8", (2,)),  # nines, and queens together with their king, that the seat has held in this deal
        ("deals", "i8"),  # deals that are over
        ("events", "u8"),  # clauses that fired in the last decision, a bit each
        ("move", "i8"),  # the last decision
        # Of the last deal that ended: points, winner or −1, game points, why, and who won its last trick.
        ("end_points", "i8", (2,)),
        ("end_winner", "i8"),
        ("end_worth", "i8"),
        ("end_reason", "i8"),
        ("end_seat", "i8"),
    ],
    align=True,
)
