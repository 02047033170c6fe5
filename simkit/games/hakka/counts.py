"""What is counted about a game of Hakka cards, and what a seat can be barred from in a laboratory."""

from __future__ import annotations

# A seat's part in a hand; the places are those of the outcome's fields by role.
ROLES = ("dealer", "privileged", "active", "dreamer")
DEALER, PRIVILEGED, ACTIVE, DREAMER = range(len(ROLES))

# Bits of `barred`. A seat barred from calling out of turn passes where it would, not being the dealer, have called.
BAR_OUT_OF_TURN = 1

# (name, words) of the kinds of cards whose strength is asked for, in the order of `holdings`: cards of one number
# differ by their suit alone. Features of a hand follow.
CARD_KINDS = (
    ("W", "Wan Sin"),
    ("S1", "1 of Sup"),
    ("N1", "1 of Sin"),
    ("1", "1 of Gon or Zok"),
    *((str(number), str(number)) for number in range(2, 10)),
)
HAND_KINDS = (("elders_3", "hand with three Elders"), ("run", "hand with a run"), ("set", "hand with a set"))
ELDERS_3, RUN_IN_HAND, SET_IN_HAND = range(len(CARD_KINDS), len(CARD_KINDS) + len(HAND_KINDS))

# Clauses that can fire, in the order of their bits in `events` and of the outcome's `clauses`.
CLAUSES = (
    ("HK-2.2 five tigers dealt", "a player was dealt the four 1s and the Wan Sin"),
    ("HK-2.2 five tigers taken", "a player won a hand with the Five Tigers"),
    ("HK-2.2 five tigers declined", "a player played on with the Five Tigers"),
    ("HK-3.1 dealer called", "the dealer called and stays the dealer"),
    ("HK-3.2 handed on", "the dealer passed and somebody else called, the next dealer"),
    ("HK-3.4 cancelled", "nobody called: the hand was cancelled"),
    ("HK-3.4 unfinished", "so many hands in a row were cancelled that the game ended"),
    # The next two groups of three are in the order of the patterns.
    ("HK-4.2 single led", "a single was led"),
    ("HK-4.2 run led", "a run was led"),
    ("HK-4.2 set led", "a set was led"),
    ("HK-4.3 single beaten", "a single beat the best one on the table"),
    ("HK-4.3 run beaten", "a run beat the best one on the table"),
    ("HK-4.3 set beaten", "a set beat the best one on the table"),
    ("HK-4.3 ones beaten", "a set of 9s beat a set of 1s"),
    ("HK-4.3 ones beat", "a set of 1s beat a set as a follow"),
    ("HK-4.4 discarded", "a follower discarded"),
    ("HK-4.4 declined to beat", "a follower who could beat the best pattern discarded"),
    ("HK-5.3 elder led", "an Elder was led as a single, no other card being left"),
    ("HK-5.3 privileged elder", "the Privileged player led an Elder as a single with other cards in hand"),
    ("HK-5.2 new elder", "a claim counted an Elder that was none at the start"),
    ("HK-6.1 claimed", "the winner of a trick claimed the hand"),
    ("HK-6.1 claimed at the last", "of these, with the last trick"),
    ("HK-6.2 played on", "a player who could claim did not"),
    ("HK-6.2 ran out", "the cards ran out, and a player with 6 tricks or more won"),
    ("HK-6.2 first of two", "of these, with two players at 6 tricks: the first there won"),
    ("HK-6.2 no winner", "the cards ran out with nobody at 6 tricks"),
    ("HK-6.4 dreamer match", "the Dreamer's card matched cards of the winner"),
    ("HK-6.6 privileged pays", "a Privileged player who lost paid for both losers"),
    ("HK-1.3 shared", "the highest total was shared: the game has no winner"),
)
(
    E_TIGERS_DEALT, E_TIGERS_TAKEN, E_TIGERS_DECLINED, E_DEALER_CALLED, E_HANDED_ON, E_CANCELLED, E_UNFINISHED,
    E_SINGLE_LED, E_RUN_LED, E_SET_LED, E_SINGLE_BEATEN, E_RUN_BEATEN, E_SET_BEATEN, E_ONES_BEATEN, E_ONES_BEAT,
    E_DISCARDED, E_NOT_BEATEN, E_ELDER_LED, E_PRIVILEGED_ELDER, E_NEW_ELDER, E_CLAIMED, E_CLAIMED_LAST, E_PLAYED_ON,
    E_RAN_OUT, E_FIRST_OF_TWO, E_NO_WINNER, E_MATCH, E_PRIVILEGED_PAYS, E_SHARED,
) = range(len(CLAUSES))  # fmt: skip

CLAUSE_IDS = tuple(text for text, _ in CLAUSES)

# Of these, the ones that fire where the rules as written leave open what happens.
OPEN_POINTS = frozenset(
    {
        "HK-2.2 five tigers dealt", "HK-3.2 handed on", "HK-3.4 unfinished", "HK-4.3 single beaten", "HK-4.3 ones beat",
        "HK-4.4 discarded", "HK-4.4 declined to beat", "HK-5.2 new elder", "HK-6.1 claimed", "HK-6.2 ran out",
        "HK-6.2 first of two", "HK-6.2 no winner", "HK-6.4 dreamer match", "HK-6.6 privileged pays",
    }
)  # fmt: skip
