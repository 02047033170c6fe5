"""Sixty-Six, read slowly: the rules in plain Python, one clause at a time.

Written to be compared with the rule document by eye and with the fast kernel by test, so it shares nothing with the
kernel. Cards are strings as in transcripts ("9h", "10s"); seats are 0 and 1; every pair is (seat 0, seat 1). The course
of a deal and of a match is in tests/slow/sixty_six_deal.py.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

SUITS = "shdc"
CARD_POINTS = {"9": 0, "J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}  # SS-1.1, the ranks from low to high
RANKS = list(CARD_POINTS)
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)
HAND_SIZE = 6  # SS-1.2
GOAL = 66

Pair = tuple[int, int]

WHOLE_NUMBERS: dict[str, tuple[int, int | None]] = {
    "min_stock": (2, 12),
    "failed_close_points": (0, None),
    "match_points": (0, None),
}
WORDS = {
    "nine_exchange": ("automatic", "optional", "off"),
    "last_trick": ("none", "bonus10", "wins"),
}
SWITCHES = ("must_head", "marriage_after_close", "free_first_lead", "closing")


@dataclass(frozen=True)
class Rules:
    """Every option of the rule document, with its default. No two of them exclude each other."""

    must_head: bool = False  # SS-3.2
    nine_exchange: str = "automatic"  # SS-4.3
    marriage_after_close: bool = True  # SS-5.3
    min_stock: int = 2  # SS-6.2
    free_first_lead: bool = True  # SS-6.2
    failed_close_points: int = 2  # SS-6.3
    closing: bool = True  # SS-6.4
    last_trick: str = "none"  # SS-7.3
    match_points: int = 0  # SS-7.4

    def __post_init__(self) -> None:
        """Refuse values out of range (ValueError)."""
        for name, (low, high) in WHOLE_NUMBERS.items():
            number = getattr(self, name)
            if type(number) is not int or number < low or (high is not None and number > high):
                raise ValueError(f"{name} must be a whole number from {low} to {high or 'any'}, not {number!r}")
        if self.min_stock % 2:
            raise ValueError(f"min_stock must be even, not {self.min_stock}")
        for name, words in WORDS.items():
            if getattr(self, name) not in words:
                raise ValueError(f"{name} must be one of {words}, not {getattr(self, name)!r}")
        for name in SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be true or false, not {getattr(self, name)!r}")

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """Rules from options by name; those left out keep their default, unknown names raise ValueError."""
        unknown = set(options) - set(option_names())
        if unknown:
            raise ValueError(f"no such rule of sixty_six: {', '.join(sorted(unknown))}")
        return cls(**options)


def option_names() -> list[str]:
    """The names of all options, in the order of `Rules`."""
    return [field.name for field in fields(Rules)]


# --- cards and tricks -------------------------------------------------------------------------------------------------


def rank_of(card: str) -> str:
    """The rank of a card, "9" to "A"."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The suit of a card, one of s h d c."""
    return card[-1]


def points_of(card: str) -> int:
    """The points of a card (SS-1.1)."""
    return CARD_POINTS[rank_of(card)]


def beats(trump: str, led: str, reply: str) -> bool:
    """Whether the reply wins against the card led (SS-2.2)."""
    if suit_of(reply) == suit_of(led):
        return RANKS.index(rank_of(reply)) > RANKS.index(rank_of(led))
    return suit_of(reply) == trump


def replies(rules: Rules, trump: str, is_open: bool, led: str, hand: Sequence[str]) -> list[str]:
    """The cards of the hand that may be played on the card led."""
    if is_open:  # SS-2.1
        return list(hand)
    following = [card for card in hand if suit_of(card) == suit_of(led)]
    trumps = [card for card in hand if suit_of(card) == trump]
    allowed = following or trumps or list(hand)  # SS-3.1
    winning = [card for card in allowed if beats(trump, led, card)]
    return winning if rules.must_head and winning else allowed  # SS-3.2


# --- leads ------------------------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """What lies open to both players when one of them is about to lead."""

    trump: str
    turned_up: str | None  # None once drawn
    stock: int  # cards left, the turned-up one counted
    closer: int | None
    leader: int
    tricks_won: Pair

    @property
    def is_open(self) -> bool:
        """Whether the stock is neither exhausted nor closed."""
        return self.stock > 0 and self.closer is None

    def free(self, rules: Rules) -> bool:
        """Whether a lead may be more than a card: not before the first trick, if the option says so (SS-6.2)."""
        return rules.free_first_lead or sum(self.tricks_won) > 0


class Lead(NamedTuple):
    """A whole lead: the card, and what happens before it is played."""

    card: str
    marriage: bool = False
    close: bool = False
    exchange: bool = False

    def __str__(self) -> str:
        """As written in known answers: exchange, close, marriage, each if it happens, and the card."""
        words = [word for word in ("exchange", "close", "marriage") if getattr(self, word)]
        return " ".join([*words, self.card])


def may_exchange(rules: Rules, table: Table, hand: Sequence[str]) -> bool:
    """Whether the nine of trumps can go for the turned-up card (SS-4); not asked whether by choice or by itself."""
    allowed = rules.nine_exchange != "off" and table.free(rules)
    lies_there = table.is_open and table.stock >= rules.min_stock  # SS-4.2, SS-6.2
    return allowed and lies_there and "9" + table.trump in hand and table.tricks_won[table.leader] > 0  # SS-4.1


def exchanged(table: Table, hand: Sequence[str]) -> list[str]:
    """The hand with the turned-up card in the place of the nine of trumps."""
    assert table.turned_up is not None
    return [table.turned_up if card == "9" + table.trump else card for card in hand]


def may_close(rules: Rules, table: Table) -> bool:
    """Whether the leader may close (SS-6.1, SS-6.2, SS-6.4)."""
    return rules.closing and table.free(rules) and table.is_open and table.stock >= rules.min_stock


def may_marry(rules: Rules, table: Table, hand: Sequence[str], suit: str) -> bool:
    """Whether the leader may declare the marriage of this suit; `table` is after closing, if the lead closes (SS-5)."""
    allowed = table.free(rules) and (rules.marriage_after_close or table.is_open)  # SS-5.3
    return allowed and "K" + suit in hand and "Q" + suit in hand  # SS-5.1


def marriage_points(trump: str, suit: str) -> int:
    """The points of a marriage (SS-5.1)."""
    return 40 if suit == trump else 20


def leads(rules: Rules, table: Table, hand: Sequence[str]) -> list[Lead]:
    """All legal leads. An automatic exchange has happened before; an optional one is a part of the lead."""
    found = leads_after_exchange(rules, table, hand)
    if rules.nine_exchange == "optional" and may_exchange(rules, table, hand):
        after = leads_after_exchange(rules, table, exchanged(table, hand))
        found += [lead._replace(exchange=True) for lead in after]
    return found


def leads_after_exchange(rules: Rules, table: Table, hand: Sequence[str]) -> list[Lead]:
    """The leads that do not exchange: without closing first, and where legal with it."""
    found = leads_after_closing(rules, table, hand)
    if may_close(rules, table):
        closed = table._replace(closer=table.leader)
        found += [lead._replace(close=True) for lead in leads_after_closing(rules, closed, hand)]
    return found


def leads_after_closing(rules: Rules, table: Table, hand: Sequence[str]) -> list[Lead]:
    """The leads that neither exchange nor close: every card, and where legal with its marriage."""
    found = [Lead(card) for card in hand]
    for card in hand:
        if rank_of(card) in ("K", "Q") and may_marry(rules, table, hand, suit_of(card)):  # SS-5.1: either of the two
            found.append(Lead(card, marriage=True))
    return found


# --- scores -----------------------------------------------------------------------------------------------------------


class Score(NamedTuple):
    """What a deal comes to."""

    winner: int | None
    game_points: Pair
    reason: str  # "66", "failed_close", "last_trick" or "no_winner"


def winner_points(points: Pair, tricks_won: Pair, winner: int) -> int:
    """The game points of the winner, by what the other has (SS-7.2)."""
    other = 1 - winner
    if points[other] >= 33:
        return 1
    return 2 if tricks_won[other] > 0 else 3


def score(rules: Rules, points: Pair, tricks_won: Pair, closer: int | None, last_trick_winner: int | None) -> Score:
    """The score of a deal that is over: a player has 66, or the cards are out.

    `points` are those that count, with marriages and the bonus of the last trick; `last_trick_winner` matters only if
    the cards are out.
    """
    reached = [seat for seat in (0, 1) if points[seat] >= GOAL]
    if closer is not None and closer not in reached:  # SS-6.3
        return scored(1 - closer, rules.failed_close_points, "failed_close")
    if reached:
        return scored(reached[0], winner_points(points, tricks_won, reached[0]), "66")
    if rules.last_trick == "wins":  # SS-7.3
        assert last_trick_winner is not None
        return scored(last_trick_winner, winner_points(points, tricks_won, last_trick_winner), "last_trick")
    return Score(None, (0, 0), "no_winner")  # SS-7.3


def scored(winner: int, game_points: int, reason: str) -> Score:
    """A score of one player alone."""
    return Score(winner, (game_points, 0) if winner == 0 else (0, game_points), reason)


def dealer_of(number: int) -> int:
    """The dealer of a deal, counted from 0: player 1 deals first, then they alternate (SS-1.3, SS-7.4)."""
    return 1 if number % 2 == 0 else 0


def match_winner(rules: Rules, total: Pair) -> int | None:
    """Who has the game points that a match needs (SS-7.4)."""
    for seat in (0, 1):
        if total[seat] >= rules.match_points:
            return seat
    return None


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Random options, all of them, as they would stand in a file."""
    options: dict[str, Any] = {
        "min_stock": rng.choice([2, 2, rng.randrange(2, 13, 2)]),
        "failed_close_points": rng.choice([2, rng.randint(0, 5)]),
        "match_points": rng.choice([0, rng.randint(1, 12)]),
    }
    options |= {name: rng.choice(words) for name, words in WORDS.items()}
    options |= {name: rng.choice([True, False]) for name in SWITCHES}
    return {name: options[name] for name in option_names()}
