"""The options of Lost Cities, in the order of docs/rules/lost_cities.md; their record is in `state`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simkit.games.options import Choice, Integer, Switch

INT_MAX = 2**31 - 1
MOST_POINTS = 100_000  # of an option: totals and their squares stay far from the limits of integers
MOST_ROUNDS = 3

OPTIONS = (
    Integer("colors", 5, 1, 6, "LC-1.1", "how many colours are in the game"),
    Integer("wagers", 3, 0, 3, "LC-1.1", "investment cards of each colour"),
    Integer("hand_size", 8, 1, 12, "LC-1.2", "cards in each hand"),
    Switch("redraw_own_discard", False, "LC-2.3", "may a player take the card just discarded in the same turn"),
    Integer("max_turns", 1000, 1, INT_MAX // MOST_ROUNDS, "LC-4.2", "half-turns after which a round is cut short"),
    Integer("embark_cost", 20, 0, MOST_POINTS, "LC-4.3", "points that a started expedition costs"),
    Integer("bonus", 20, 0, MOST_POINTS, "LC-4.3", "points for an expedition of many cards"),
    Integer("bonus_cards", 8, 1, INT_MAX, "LC-4.3", "how many cards earn the bonus"),
    Integer("rounds", 1, 1, MOST_ROUNDS, "LC-4.6", "rounds of a game; their scores are added up"),
    Choice(
        "next_starter",
        "alternate",
        ("alternate", "higher_score"),
        "LC-4.6",
        "who starts the next round: the other seat, or the one with the higher score in the round just ended",
    ),
)


def check(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Faults that only a combination of options has: hands that leave no draw pile (LC-1.2)."""
    cards, dealt = values["colors"] * (9 + values["wagers"]), 2 * values["hand_size"]
    if dealt < cards:
        return []
    pack = f"colors = {values['colors']} and wagers = {values['wagers']} make a pack of {cards}"
    most = (cards - 1) // 2
    return [("hand_size", f"two hands of {values['hand_size']} leave no draw pile: {pack}. Allowed: 1 to {most}")]


def warn(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a designer may not have meant: a bonus that no expedition can earn (LC-4.3)."""
    most = 9 + values["wagers"]
    if values["bonus_cards"] <= most or not values["bonus"]:
        return []
    return [("bonus_cards", f"no expedition can hold {values['bonus_cards']} cards, {most} at most: there is no bonus")]
