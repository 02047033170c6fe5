"""What is counted about a game of Sixty-Six: the subjects whose strength is asked for, and the clauses that fire."""

from __future__ import annotations

# (name, words) of the subjects; their places are those of the outcome's `opening`, `drawn` and `used`.
SUBJECTS = (
    ("trump_marriage", "marriage of trumps"),
    ("marriage", "plain marriage"),
    ("nine", "nine of trumps"),
)
BAR_TRUMP_MARRIAGE, BAR_MARRIAGE, BAR_NINE = (1 << i for i in range(len(SUBJECTS)))

# (name, words) of the kinds of cards that `holdings` looks for: trumps from the jack on (the nine is a subject), cards
# of the other suits, and a hand with many trumps.
_RANKS = {"9": "nine", "J": "jack", "Q": "queen", "K": "king", "10": "ten", "A": "ace"}
CARD_KINDS = (
    *((f"trump_{rank}", f"{word} of trumps") for rank, word in _RANKS.items() if rank != "9"),
    *((rank, f"plain {word}") for rank, word in _RANKS.items()),
    ("trumps_3", "hand with three trumps"),
)
PLAIN_NINE, TRUMPS_3 = len(_RANKS) - 1, len(CARD_KINDS) - 1

# Clauses that can fire, in the order of their bits in `events` and of the outcome's `clauses`.
CLAUSES = (
    ("SS-2.2 trumped", "a trump took a trick of another suit"),
    ("SS-3.1 duty", "the duty to follow suit, or to trump, left fewer cards to reply with"),
    ("SS-2.4 exhausted", "the turned-up trump was drawn: the stock is exhausted"),
    ("SS-4.1 nine", "the nine of trumps was exchanged for the turned-up card"),
    ("SS-5.1 marriage", "a plain marriage was declared"),
    ("SS-5.1 trump marriage", "the marriage of trumps was declared"),
    ("SS-5.2 pending", "a marriage was declared before its player had won a trick"),
    ("SS-5.2 counted late", "pending points counted with their player's first trick"),
    ("SS-5.2 lost", "pending points were lost: their player won no trick"),
    ("SS-5.3 strict marriage", "a marriage was declared with the stock closed or exhausted"),
    ("SS-6.1 closed", "the leader closed the stock"),
    ("SS-6.2 closed at once", "the stock was closed before the first trick"),
    ("SS-6.3 closer short", "the cards ran out and the closer had not reached 66"),
    ("SS-6.3 closer overtaken", "the closer's opponent reached 66 first"),
    ("SS-7.1 66 by a trick", "a trick brought its winner to 66"),
    ("SS-7.1 66 by a marriage", "a marriage brought its player to 66 before the trick was played"),
    ("SS-7.2 two game points", "the winner scored 2: the other had fewer than 33 points"),
    ("SS-7.2 three game points", "the winner scored 3: the other had won no trick"),
    ("SS-7.3 no winner", "the cards ran out and nobody had 66"),
    ("SS-7.3 bonus", "the last trick counted 10 more"),
    ("SS-7.3 bonus decides", "the bonus of the last trick made the 66"),
    ("SS-7.3 last trick wins", "nobody had 66: the last trick won the deal"),
    ("SS-7.4 match won", "a player had the game points of the match"),
    ("SS-7.4 unfinished", "a match was stopped after so many deals"),
)
(
    E_TRUMPED, E_DUTY, E_EXHAUSTED, E_NINE, E_MARRIAGE, E_TRUMP_MARRIAGE, E_PENDING, E_LATE, E_LOST, E_STRICT_MARRIAGE,
    E_CLOSED, E_CLOSED_AT_ONCE, E_SHORT, E_OVERTAKEN, E_TRICK_66, E_MARRIAGE_66, E_TWO, E_THREE, E_NO_WINNER, E_BONUS,
    E_BONUS_DECIDES, E_LAST_TRICK, E_MATCH, E_UNFINISHED,
) = range(len(CLAUSES))  # fmt: skip

CLAUSE_IDS = tuple(text for text, _ in CLAUSES)

# Of these, the ones that fire where the rules as written leave open what happens.
OPEN_POINTS = frozenset(
    {
        "SS-5.2 pending", "SS-5.2 counted late", "SS-5.2 lost", "SS-5.3 strict marriage", "SS-6.1 closed",
        "SS-6.2 closed at once", "SS-7.1 66 by a marriage", "SS-7.3 no winner", "SS-7.3 bonus", "SS-7.3 bonus decides",
        "SS-7.3 last trick wins", "SS-7.4 match won", "SS-7.4 unfinished",
    }
)  # fmt: skip
