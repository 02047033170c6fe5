"""The options of Hakka cards, in the order of docs/rules/hakka.md; their record is in `state`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simkit.games.options import Choice, Integer, Integers, Switch

INT_MAX = 2**31 - 1
MOST_HANDS = 1_000
MOST_REDEALS = 10_000
MOST_VALUE = 1_000_000
MOST_OF_A_HAND = 4  # a Privileged loser pays twice the winner's value and twice the Dreamer's (HK-6.6)

AFTER_DEAL, AFTER_CALL, OFF = range(3)
FACE_UP, FACE_DOWN = range(2)
LOWEST, BELOW_NINE = range(2)
DEALT_HAND, WINNING_CARDS = range(2)

OPTIONS = (
    Integer("hands", 4, 1, MOST_HANDS, "HK-1.3", "hands of a game, cancelled ones not counted"),
    Choice(
        "five_tigers",
        "after_deal",
        ("after_deal", "after_call", "off"),
        "HK-2.2",
        "when a player who was dealt the Five Tigers may win the hand with them",
    ),
    Integer("max_redeals", 100, 1, MOST_REDEALS, "HK-3.4", "cancelled hands in a row that end the game unfinished"),
    Choice(
        "ones_set",
        "lowest",
        ("lowest", "below_nine"),
        "HK-4.3",
        "what a set of 1s beats as a follow: nothing, or sets of 2s to 8s",
    ),
    Switch("must_beat", True, "HK-4.4", "a follower who can beat the best pattern on the table must"),
    Choice("discards", "face_up", ("face_up", "face_down"), "HK-4.4", "whether all see what is discarded"),
    Integers("values", [1, 2, 4, 8, 16, 32, 128], 0, MOST_VALUE, "HK-6.3", "the value of 6, 7, … 12 tricks"),
    Choice(
        "dream_match",
        "dealt_hand",
        ("dealt_hand", "winning_cards"),
        "HK-6.4",
        "which of the winner's cards are compared with the Dreamer's card",
    ),
)


def check(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Points must fit the 32 bits of the outcome."""
    hands, highest = values["hands"], max(values["values"])
    if hands * MOST_OF_A_HAND * highest <= INT_MAX:
        return []
    most = INT_MAX // (hands * MOST_OF_A_HAND)
    return [
        ("values", f"{highest} is too much for a game of {hands} hands: at most {most}, so that points fit 32 bits")
    ]
