"""The records of Saloon: the state, the view of a seat, and the outcome of a game with its columns."""

from __future__ import annotations

import numpy as np

from simkit.games.options import rules_dtype
from simkit.games.saloon.counts import CLAUSES, VERDICTS
from simkit.games.saloon.rules import MAX_PLAYERS, OPTIONS

# `probe`: what becomes of one payment that `probe_seat` judges, see `probe`; 0 for none.
RULES = rules_dtype(OPTIONS, ("probe", "i8"), ("probe_seat", "i8"))

_Field = tuple[str, str, tuple[int, ...]]


def _public(by_seat: tuple[str, tuple[int, ...]], by_verdict: tuple[str, tuple[int, ...]]) -> list[_Field]:
    """What all see, which comes first in the state and in the view, in the same places: it is copied as it stands.

    A view has its bytes and half-words as arrays, the state has them as whole words, which are written at once. Numbers
    are held as two uint64, the second for cards that are there twice (see cards); a set of clients is a uint32.
    """
    return [
        ("discard", "u8", ()),  # the discard pile: its order never matters
        ("discard_2", "u8", ()),
        ("mixed", "u8", ()),  # the cards that the draw pile was made of when it was shuffled last
        ("mixed_2", "u8", ()),
        ("known", "u8", (MAX_PLAYERS,)),  # cards of each hand that all know from caught bluffs that were returned
        ("known_2", "u8", (MAX_PLAYERS,)),
        ("clients", "u4", (MAX_PLAYERS,)),  # clients on the table
        ("sizes", *by_seat),  # cards in each hand
        ("last", *by_seat),  # bit of the seat that each player chose as judge last, 0 at first
        ("places", *by_seat),  # 1 for the first to close, 2 for the next …; 0 while open
        ("recent", *by_seat),  # the latest 8 verdicts, the last one first: payer, judge << 3, how it ended << 6
        ("paid", *by_verdict),  # payments of each player by how they ended, up to 65,535
        ("judged", *by_verdict),  # payments that each player judged, likewise
        ("turns", "i4", ()),  # number of this turn, from 1
        ("payments", "i4", ()),  # payments judged so far
    ]


_PUBLIC = _public(("u1", (MAX_PLAYERS,)), ("u2", (MAX_PLAYERS, len(VERDICTS))))
PUBLIC_BYTES = np.dtype(_PUBLIC, align=True).itemsize

VIEW = np.dtype(
    [
        *_PUBLIC,
        ("hand", "u8"),  # my cards
        ("hand_2", "u8"),
        # The next eight bytes are one word of the state, the draw pile's size aside.
        ("seat", "u1"),
        ("asked", "u1"),  # TURN, JUDGE, WRONG_DOUBT or HAND_LIMIT
        ("judges", "u1"),  # bits of the seats that I may choose as judge in this turn
        ("count", "u1"),  # cards that a payment takes, those of the one that I judge, or cards to discard
        ("payer", "u1"),  # whose turn it is: the payer, when I judge
        ("client", "u1"),  # the client that is being paid for, NO_CLIENT when no payment waits for its verdict
        ("closed", "u1"),  # saloons that are closed
        ("pile", "u1"),  # cards in the draw pile
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        ("winner", "i4"),
        ("unfinished", "i4"),
        ("turns", "i4"),
        ("payments", "i4"),
        ("scores", "i4", (MAX_PLAYERS,)),
        ("rank", "i4", (MAX_PLAYERS,)),
        ("freed", "i4", (MAX_PLAYERS,)),
        ("draws", "i4", (MAX_PLAYERS,)),
        ("swaps", "i4", (MAX_PLAYERS,)),
        ("honest", "i4", (MAX_PLAYERS,)),
        ("bluffs", "i4", (MAX_PLAYERS,)),
        ("believed_bluffs", "i4", (MAX_PLAYERS,)),
        ("doubts", "i4", (MAX_PLAYERS,)),
        ("caught", "i4", (MAX_PLAYERS,)),
        ("wrong_doubts", "i4", (MAX_PLAYERS,)),
        ("reshuffles", "i4"),
        ("probe_turn", "i4"),
        ("probe_bill", "i4"),
        ("probe_hand", "i4"),
        ("probe_clients", "i4"),
        ("probe_seen", "i4"),
        ("probe_own", "i4"),
        ("clauses", "i4", (len(CLAUSES),)),
    ],
    align=True,
)

TABLE_WORD = VIEW.fields["seat"][1]  # type: ignore[index]

STATE = np.dtype(
    [
        *_public(("u8", ()), ("u8", (MAX_PLAYERS,))),
        ("turn", "i8"),  # the seat that decides; −1 when the game is over
        ("table", "u8"),  # see VIEW
        ("hand", "u8", (MAX_PLAYERS,)),
        ("hand_2", "u8", (MAX_PLAYERS,)),
        ("pile", "u8"),  # the draw pile: its order is drawn when it matters
        ("pile_2", "u8"),
        ("asked", "i8"),
        ("payer", "i8"),
        ("judge", "i8"),
        ("client", "i8"),
        ("count", "i8"),
        ("judges", "u8"),
        ("payment", "u8"),  # the cards that lie face down
        ("payment_2", "u8"),
        ("choice", "u8"),  # bits LAST_BILL, OTHER_JUDGE and VOID (see piles) of the payment
        ("open", "u8"),  # bits of the seats that have not closed
        ("closed", "i8"),
        # For transcripts: the last decision, and what was drawn after it (see piles for the places).
        ("move", "i8"),
        ("drawn", "u8", (3,)),
        ("drawn_2", "u8", (3,)),
        ("events", "u8"),  # bits, see piles: what was drawn, reshuffled, short, owed or returned in the last decision
        ("end_reason", "i8"),
        ("probe_left", "i8"),  # payments that the probe's seat judges until the probe; below 1 after it
    ],
    align=True,
)
assert all(STATE.fields[name][1] == VIEW.fields[name][1] for name, *_ in _PUBLIC)  # type: ignore[index]
