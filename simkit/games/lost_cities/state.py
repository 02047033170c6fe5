"""The records of Lost Cities: the state, the view of a seat, and the outcome of a game with its columns.

A set of cards is a word for colours 0–4; the sets of colour 5 are together in `sixth`, see `cards`. A discard pile is
one word of nibbles, slot + 1 each: the top is the lowest nibble, and 0 is an empty pile. `sources` is a mask: bit c for
the discard pile of colour c if it holds a card, bit 6 for the draw pile.
"""

from __future__ import annotations

import numpy as np

from simkit.games.lost_cities.cards import CARDS, COLOURS
from simkit.games.lost_cities.counts import CLAUSES, RANKS
from simkit.games.lost_cities.rules import OPTIONS
from simkit.games.options import rules_dtype

# `barred`: ranks a seat may not lay (bit k: RANKS[k]). `probe`: which decision of `probe_seat` is forced or forbidden,
# see `probe`; 0 for none.
RULES = rules_dtype(OPTIONS, ("barred", "i8", (2,)), ("probe", "i8"), ("probe_seat", "i8"))

VIEW = np.dtype(
    [
        ("hand", "u8"),  # set: my cards
        ("playable", "u8"),  # set: those of them that I may lay now
        ("laid", "u8"),  # set: my expeditions
        ("unseen", "u8"),  # set: cards in the draw pile or, unknown, in the opponent's hand
        ("theirs", "u8"),  # set: the opponent's expeditions
        ("known", "u8"),  # set: cards I know in the opponent's hand, since they were taken from discard piles
        ("sixth", "u8"),  # colour 5: my hand, what I could lay, my expedition, what I have not seen
        ("their_sixth", "u8"),  # colour 5: the opponent's expedition, and what I know in the opponent's hand
        ("piles", "u8", (COLOURS,)),  # the discard piles, nibbles
        ("sources", "i8"),  # mask of the sources that hold a card
        ("pile", "i8"),  # cards in the draw pile
        ("turn", "i8"),  # half-turns taken in this round
        ("their_move", "i8"),  # the opponent's last move in this round, −1 for none
        ("seat", "i8"),
        ("round", "i8"),  # number of this round, the first is 1
        ("score", "i8"),  # my score of the rounds before
        ("their_score", "i8"),  # the opponent's
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        ("winner", "i4"),
        ("unfinished", "i4"),
        ("turns", "i4"),
        ("rounds", "i4"),
        ("scores", "i4", (2,)),
        ("started", "i4", (2,)),
        ("paying", "i4", (2,)),
        ("losing", "i4", (2,)),
        ("laid", "i4", (2,)),
        ("wagers", "i4", (2,)),
        ("bonuses", "i4", (2,)),
        ("discarded", "i4", (2,)),
        ("taken", "i4", (2,)),
        ("opening", "i4", (2, len(RANKS))),
        ("drawn", "i4", (2, len(RANKS))),
        ("laid_rank", "i4", (2, len(RANKS))),
        ("probe_turn", "i4"),
        ("probe_cards", "i4"),
        ("probe_sum", "i4"),
        ("probe_wagers", "i4"),
        ("probe_laid", "i4"),
        ("probe_theirs", "i4"),
        ("clauses", "i4", (len(CLAUSES),)),
    ],
    align=True,
)

SEAT = np.dtype(
    [
        ("hand", "u8"),  # set
        ("open", "u8"),  # set: cards that could be laid if they were in hand
        ("laid", "u8"),  # set: the expeditions
        ("unseen", "u8"),  # set: cards that this seat has not seen in this round
        ("known", "u8"),  # set: cards in hand that were taken from discard piles
        ("sixth", "u8"),  # colour 5: all of these
        ("taken", "i8"),  # cards taken from discard piles in this round
        ("score", "i8"),  # of the rounds before
    ],
    align=True,
)

# What is told of the round that ended last, when the next one may be dealt already.
ENDED = np.dtype(
    [
        ("laid", "u8"),  # set: the seat's expeditions
        ("sixth", "u8"),
        ("worth", "i8", (COLOURS,)),  # score of each expedition
        ("bonus", "i8"),  # mask of the colours that earned the bonus
        ("score", "i8"),
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("seats", SEAT, (2,)),
        ("piles", "u8", (COLOURS + 1,)),  # the discard piles, nibbles; the last one, for the draw pile, stays 0
        ("sources", "i8"),
        ("deck", "i1", (CARDS,)),  # the draw pile, the top card last
        ("pile", "i8"),  # cards in the draw pile
        ("turn", "i8"),  # half-turns taken in this round
        ("move", "i8"),  # the last move in this round, −1 before it
        ("over", "i8"),  # −1 when the game is over, else 0
        ("round", "i8"),  # number of this round, the first is 1
        ("starter", "i8"),  # of this round
        ("cuts", "i8"),  # rounds that the limit of half-turns cut short
        ("ended", ENDED, (2,)),
        ("ended_move", "i8"),  # the last move of the round that ended last
        ("probe_at", "i8"),  # after so many half-turns of the first round the probe comes; −1 when there is none left
        ("probe_card", "i8"),  # the card that must be laid at the probe, −1 for none
        ("probe_closed", "u8"),  # set: cards that may not be laid at the probe, but later
        ("probe_closed_6", "u8"),  # the same of colour 5
    ],
    align=True,
)
