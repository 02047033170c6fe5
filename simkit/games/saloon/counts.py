"""What is counted about a game of Saloon: how payments end, and the clauses that fire."""

from __future__ import annotations

# How a payment ends: the judge's word doubles, a bluff adds one. Entries of a view's `paid` and `judged`.
VERDICTS = ("believed_honest", "believed_bluff", "doubted_honest", "doubted_bluff")
BELIEVED_HONEST, BELIEVED_BLUFF, DOUBTED_HONEST, DOUBTED_BLUFF = range(len(VERDICTS))

# (name, words) of what a hand is to its player's own clients, and the clients to each other, in the order of
# `holdings`. Ranks never matter, and of suits only whether numbers and clients have the same (SAL-2.3).
CARD_KINDS = (
    ("off_suit", "card of no client's suit"),
    ("pair", "pair of a client's suit"),
    ("bill", "honest bill"),
    ("triplet_clients", "trio of clients of one suit"),
    ("four_suits", "set of clients of four suits"),
)
OFF_SUIT, PAIR, BILL, TRIPLET_CLIENTS, FOUR_SUITS = range(len(CARD_KINDS))

# Clauses that can fire, in the order of the outcome's `clauses`.
CLAUSES = (
    ("SAL-2.2 draw", "a player drew a card as the action of the turn"),
    ("SAL-2.3 swap", "a player discarded a card and drew two"),
    ("SAL-2.4 last bill", "the bill of an only remaining client was paid"),
    ("SAL-3.1 honest", "a payment was honest"),
    ("SAL-3.1 bluff", "a payment was a bluff"),
    ("SAL-3.2 other judge", "the judge of the payer's last payment could not be chosen again"),
    ("SAL-3.2 void", "that judge could be chosen again, for there was no other"),
    ("SAL-3.4 believed honest", "an honest payment was believed"),
    ("SAL-3.4 believed bluff", "a bluff was believed"),
    ("SAL-3.5 caught", "a bluff was doubted: the client stays"),
    ("SAL-3.5 wrong doubt", "an honest payment was doubted"),
    ("SAL-3.5 all it has", "the judge of a wrong doubt had fewer cards than it owed"),
    ("SAL-3.6 returned", "the cards of a caught bluff went back to the payer's hand"),
    ("SAL-4.1 reshuffled", "the discard pile was shuffled and became the draw pile"),
    ("SAL-4.1 short", "a draw got fewer cards than it called for, since both piles were empty"),
    ("SAL-5.1 closed", "a player with no client left closed the saloon"),
    ("SAL-5.2 hand limit", "a player discarded down to the hand limit"),
    ("SAL-5.2 few cards", "a player with one or no card drew two"),
    ("SAL-5.3 last standing", "one saloon was left open: the ranking is complete"),
    ("SAL-5.4 unfinished", "the game was stopped at the limit of turns"),
)
(
    C_DRAW, C_SWAP, C_LAST_BILL, C_HONEST, C_BLUFF, C_OTHER_JUDGE, C_VOID, C_BELIEVED_HONEST, C_BELIEVED_BLUFF,
    C_CAUGHT, C_WRONG_DOUBT, C_ALL_IT_HAS, C_RETURNED, C_RESHUFFLED, C_SHORT, C_CLOSED, C_HAND_LIMIT, C_FEW_CARDS,
    C_LAST_STANDING, C_UNFINISHED,
) = range(len(CLAUSES))  # fmt: skip

CLAUSE_IDS = tuple(text for text, _ in CLAUSES)

# Of these, the ones that fire where the rules as written leave open what happens.
OPEN_POINTS = frozenset(
    {
        "SAL-3.2 void", "SAL-3.6 returned", "SAL-4.1 reshuffled", "SAL-4.1 short", "SAL-5.2 few cards",
        "SAL-5.3 last standing", "SAL-5.4 unfinished",
    }
)  # fmt: skip
