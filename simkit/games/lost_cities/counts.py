"""What is counted about a game of Lost Cities: ranks of cards, and clauses that fire."""

from __future__ import annotations

# The ranks of cards in the order of their codes; "$" is the investment card.
RANKS = ("$", *map(str, range(2, 11)))

# (name, words) of the features of a hand whose strength is asked for, in the order of `holdings`.
HAND_KINDS = (
    ("wager_pair", "pair of investment cards of one colour"),
    ("colour_4", "hand with four cards of one colour"),
)
WAGER_PAIR, COLOUR_4 = range(len(HAND_KINDS))

# Clauses that can fire, in the order of the outcome's `clauses`.
CLAUSES = (
    ("LC-2.1 laid", "a card was laid on an own expedition"),
    ("LC-2.1 discarded", "a card was discarded"),
    ("LC-2.2 from the draw pile", "the next card came from the draw pile"),
    ("LC-2.2 from a discard pile", "the next card came from a discard pile"),
    ("LC-2.3 own discard", "a player took back what they had discarded this very turn"),
    ("LC-3.2 investment", "an investment card was laid"),
    ("LC-3.3 both", "both players started an expedition of the same colour"),
    ("LC-4.1 end", "the last card of the draw pile was drawn"),
    ("LC-4.2 cut short", "the limit of half-turns ended a round"),
    ("LC-4.3 gain", "an expedition scored more than 0"),
    ("LC-4.3 nothing", "a started expedition scored 0"),
    ("LC-4.3 loss", "an expedition scored less than 0"),
    ("LC-4.3 bonus", "an expedition earned the bonus"),
    ("LC-4.4 multiplied loss", "investment cards multiplied a loss"),
    ("LC-4.5 draw", "equal totals: nobody won"),
    ("LC-4.6 next round", "another round was dealt"),
    ("LC-4.6 same starter", "whoever started a round started the next one too"),
)
(
    E_LAID, E_DISCARDED, E_DECK, E_TAKEN, E_OWN_DISCARD, E_INVESTMENT, E_BOTH, E_END, E_CUT, E_GAIN, E_NOTHING, E_LOSS,
    E_BONUS, E_MULTIPLIED_LOSS, E_DRAW, E_NEXT_ROUND, E_SAME_STARTER,
) = range(len(CLAUSES))  # fmt: skip

CLAUSE_IDS = tuple(text for text, _ in CLAUSES)

# Of these, the ones that fire where the rules as written leave open what happens.
OPEN_POINTS = frozenset(
    {
        "LC-2.3 own discard", "LC-4.2 cut short", "LC-4.5 draw", "LC-4.6 next round", "LC-4.6 same starter",
    }
)  # fmt: skip
