"""Hakka cards, read slowly: the rules in plain Python, one clause at a time.

Written to be compared with the rule document by eye and with the fast kernel by test, so it shares nothing with the
kernel. Cards are strings as in transcripts ("S9", "W" for the Wan Sin), and several of them stand in the order of PACK;
seats are 0 to 3, and lists of four go by seat. The course of a hand and of a game is in tests/slow/hakka_game.py.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any, NamedTuple

SEATS = range(4)
SUITS = "SGZN"  # HK-1.1: Sup, Gon, Zok, Sin, the highest first
WAN_SIN = "W"
PACK = (*(suit + str(number) for suit in SUITS for number in range(1, 10)), WAN_SIN)
HAND_SIZE = 12  # HK-2.1
GOAL = 6  # HK-6.1: the tricks that win
FIVE_TIGERS = ("S1", "G1", "Z1", "N1", WAN_SIN)  # HK-2.2
TIGER_TRICKS = 8
DREAM_TRICKS = 5  # HK-6.4
NEVER_BEATING = ("S1", "N1", WAN_SIN)  # HK-4.3: as singles; led they win
ELDERS = ("S9", "G9", "Z9", "N9", *NEVER_BEATING)  # HK-5.1
SINGLE, RUN, SET = "single", "run", "set"

Cards = tuple[str, ...]

SPANS = [range(first, last + 1) for first in range(1, 8) for last in range(first + 2, 10)]
RUNS: list[Cards] = [tuple(suit + str(number) for number in span) for suit in SUITS for span in SPANS]  # HK-4.2

WORDS = {
    "five_tigers": ("after_deal", "after_call", "off"),
    "ones_set": ("lowest", "below_nine"),
    "discards": ("face_up", "face_down"),
    "dream_match": ("dealt_hand", "winning_cards"),
}


@dataclass(frozen=True)
class Rules:
    """Every option of the rule document, with its default. No two of them exclude each other."""

    hands: int = 4  # HK-1.3
    five_tigers: str = "after_deal"  # HK-2.2
    max_redeals: int = 100  # HK-3.4
    ones_set: str = "lowest"  # HK-4.3
    must_beat: bool = True  # HK-4.4
    discards: str = "face_up"  # HK-4.4
    values: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 128)  # HK-6.3: of 6 to 12 tricks
    dream_match: str = "dealt_hand"  # HK-6.4

    def __post_init__(self) -> None:
        """Refuse values out of range (ValueError)."""
        for name in ("hands", "max_redeals"):
            number = getattr(self, name)
            if type(number) is not int or number < 1:
                raise ValueError(f"{name} must be a whole number from 1 to any, not {number!r}")
        for name, words in WORDS.items():
            if getattr(self, name) not in words:
                raise ValueError(f"{name} must be one of {words}, not {getattr(self, name)!r}")
        if not isinstance(self.must_beat, bool):
            raise ValueError(f"must_beat must be true or false, not {self.must_beat!r}")
        whole = isinstance(self.values, tuple) and all(type(value) is int and value >= 0 for value in self.values)
        if not whole or len(self.values) != HAND_SIZE - GOAL + 1:
            raise ValueError(f"values must be seven whole numbers from 0 on, not {self.values!r}")

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """Rules from options by name; those left out keep their default, unknown names raise ValueError."""
        unknown = set(options) - set(option_names())
        if unknown:
            raise ValueError(f"no such rule of hakka: {', '.join(sorted(unknown))}")
        typed: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in options.items()
        }
        return cls(**typed)

    def options(self) -> dict[str, Any]:
        """All options with their values, as they would stand in a file."""
        return {name: getattr(self, name) for name in option_names()} | {"values": list(self.values)}


def option_names() -> list[str]:
    """The names of all options, in the order of `Rules`."""
    return [field.name for field in fields(Rules)]


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Random options, all of them, as they would stand in a file."""
    options: dict[str, Any] = {
        "hands": rng.choice([4, 1, rng.randint(2, 8)]),
        "max_redeals": rng.choice([100, 1, rng.randint(2, 4)]),
        "must_beat": rng.choice([True, False]),
        "values": rng.choice([list(Rules().values), [rng.randint(0, 20) for _ in range(7)]]),
    }
    options |= {name: rng.choice(words) for name, words in WORDS.items()}
    return {name: options[name] for name in option_names()}


# --- cards and patterns -----------------------------------------------------------------------------------------------


def suit_of(card: str) -> str:
    """The suit of a card; the Wan Sin has none, and "W" stands for that."""
    return card[0]


def number_of(card: str) -> int:
    """The number of a card, 1 to 9 (HK-1.1)."""
    return 1 if card == WAN_SIN else int(card[1])


def in_order(cards: Iterable[str]) -> Cards:
    """The cards in the order of PACK."""
    return tuple(sorted(cards, key=PACK.index))


def pattern_of(cards: Sequence[str]) -> str | None:
    """The pattern of these cards of one hand, None if they are none (HK-4.2). No cards are both a run and a set."""
    if len(cards) < 3:
        return SINGLE if len(cards) == 1 else None
    if len(set(map(number_of, cards))) == 1:
        return SET
    if len(set(map(suit_of, cards))) > 1:  # the Wan Sin among them, or other suits
        return None
    numbers = sorted(map(number_of, cards))
    return RUN if numbers == list(range(numbers[0], numbers[-1] + 1)) else None


def beats(rules: Rules, best: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether cards played next beat the best pattern on the table (HK-4.3)."""
    pattern = pattern_of(best)
    if pattern_of(cards) != pattern or len(cards) != len(best):
        return False
    if pattern == SINGLE:
        return single_beats(best[0], cards[0])
    if pattern == RUN:
        return run_beats(best, cards)
    return set_beats(rules, number_of(best[0]), number_of(cards[0]))


def single_beats(best: str, card: str) -> bool:
    """Whether a single beats a single."""
    if best in NEVER_BEATING or card in NEVER_BEATING:  # the best can be one of them only if it was led
        return False
    return suit_of(card) == suit_of(best) and number_of(card) > number_of(best)


def run_beats(best: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether a run beats a run as long."""
    if suit_of(cards[0]) != suit_of(best[0]):
        return SUITS.index(suit_of(cards[0])) < SUITS.index(suit_of(best[0]))
    return min(map(number_of, cards)) > min(map(number_of, best))


def set_beats(rules: Rules, best: int, number: int) -> bool:
    """Whether a set of one number beats a set as large of another."""
    if best == 1:
        return number == 9
    if number == 1:
        return rules.ones_set == "below_nine" and best <= 8
    return number > best


def runs(hand: Sequence[str]) -> list[Cards]:
    """Every run in the hand, as long as it may be or shorter (HK-4.2)."""
    return [cards for cards in RUNS if set(cards) <= set(hand)]


def sets(hand: Sequence[str]) -> list[Cards]:
    """Every set in the hand, of all its cards of a number or of some (HK-4.2)."""
    found = []
    for number in range(1, 10):
        alike = in_order(card for card in hand if number_of(card) == number)
        for size in range(3, len(alike) + 1):
            found += list(combinations(alike, size))
    return found


# --- Elders and leads -------------------------------------------------------------------------------------------------


def is_elder(card: str, gone: Collection[str]) -> bool:
    """Whether a card is an Elder when these cards are publicly gone (HK-5.1, HK-5.2)."""
    if card in ELDERS:
        return True
    higher = [suit_of(card) + str(number) for number in range(number_of(card) + 1, 10)]
    return all(other in gone for other in higher)


def elders(hand: Iterable[str], gone: Collection[str]) -> Cards:
    """The Elders among these cards."""
    return in_order(card for card in hand if is_elder(card, gone))


class Leads(NamedTuple):
    """All legal leads, by pattern."""

    singles: list[Cards]
    runs: list[Cards]
    sets: list[Cards]


def leads(hand: Sequence[str], gone: Collection[str], privileged: bool) -> Leads:
    """Everything that may be led (HK-4.2, HK-5.3)."""
    old = elders(hand, gone)
    young = [card for card in in_order(hand) if card not in old]
    allowed = [card for card in young if suit_of(card) == suit_of(young[0])]  # in order: the first has the highest suit
    if privileged or not young:
        allowed = [*allowed, *old]
    return Leads([(card,) for card in in_order(allowed)], runs(hand), sets(hand))


# --- following --------------------------------------------------------------------------------------------------------


class Play(NamedTuple):
    """What one player does in a trick; `discard` is false for the lead and for what beat the table."""

    player: int
    cards: Cards
    discard: bool


def best_of(table: Sequence[Play]) -> Play:
    """The best pattern on the table: whatever is no discard beat all before it."""
    return [play for play in table if not play.discard][-1]


class Follows(NamedTuple):
    """All legal ways to follow. The same cards in both are two moves."""

    beats: list[Cards]
    discards: list[Cards]


def follows(rules: Rules, table: Sequence[Play], hand: Sequence[str]) -> Follows:
    """Everything that may be played on the table (HK-4.3, HK-4.4)."""
    best = best_of(table).cards
    choices = list(combinations(in_order(hand), len(best)))
    beating = [cards for cards in choices if beats(rules, best, cards)]
    return Follows(beating, [] if beating and rules.must_beat else choices)


def publicly_gone(rules: Rules, plays: Iterable[Play]) -> set[str]:
    """The cards that everybody has seen go (HK-5.2, HK-4.4)."""
    return {card for play in plays if not play.discard or rules.discards == "face_up" for card in play.cards}


def may_claim(tricks_won: int, hand: Sequence[str], gone: Collection[str]) -> bool:
    """Whether a player who has just won a trick, counted here, may claim (HK-6.1)."""
    return tricks_won + len(elders(hand, gone)) >= GOAL


# --- seats and calling ------------------------------------------------------------------------------------------------


def dreamer_of(dealer: int) -> int:
    """The seat opposite the dealer (HK-1.2)."""
    return (dealer + 2) % 4


def turn_order(dealer: int, first: int) -> list[int]:
    """The active seats in turn order, from one of them (HK-1.2)."""
    circle = [(first + step) % 4 for step in SEATS]
    return [seat for seat in circle if seat != dreamer_of(dealer)]


def privileged_of(dealer: int, caller: int | None) -> int | None:
    """The Privileged player, if there is one (HK-3.3)."""
    return None if caller == dealer else caller


def next_dealer(dealer: int, caller: int | None) -> int:
    """The dealer of the next hand; a hand without a caller was cancelled or won before the call (HK-3.2, HK-3.4)."""
    return dealer if caller is None else caller


def has_five_tigers(rules: Rules, dealt: Collection[str], when: str) -> bool:
    """Whether a player dealt these cards may win at once, "after_deal" or "after_call" (HK-2.2)."""
    return rules.five_tigers == when and all(card in dealt for card in FIVE_TIGERS)


# --- scores -----------------------------------------------------------------------------------------------------------


def value_of(rules: Rules, tricks: int) -> int:
    """What this number of tricks is worth (HK-6.3)."""
    return rules.values[tricks - GOAL] if tricks >= GOAL else 0


def dreamer_tricks(dreamer_card: str, cards: Iterable[str]) -> int:
    """The tricks with which the Dreamer wakes, by the winner's cards that can match (HK-6.4)."""
    return DREAM_TRICKS + sum(number_of(card) == number_of(dreamer_card) for card in cards)


def score(rules: Rules, dealer: int, caller: int | None, winner: int, tricks: int, dream: int) -> list[int]:
    """The points of a hand won with `tricks`, the Dreamer at `dream` tricks (HK-6.5, HK-6.6)."""
    dreamer, privileged = dreamer_of(dealer), privileged_of(dealer, caller)
    points = [0, 0, 0, 0]
    for loser in set(SEATS) - {winner, dreamer}:
        payer = loser if privileged in (None, winner) else privileged
        assert payer is not None
        for taker, worth in ((winner, value_of(rules, tricks)), (dreamer, value_of(rules, dream))):
            points[payer] -= worth
            points[taker] += worth
    return points


def run_out(tricks: Iterable[tuple[int, int]]) -> tuple[int, int] | None:
    """Who wins when the cards are out, and with how many tricks; None if nobody (HK-6.2).

    `tricks` are those of the hand: who won it, and how many tricks it counts.
    """
    won, first = [0, 0, 0, 0], None
    for seat, count in tricks:
        won[seat] += count
        if first is None and won[seat] >= GOAL:
            first = seat
    return None if first is None else (first, won[first])


class Standing(NamedTuple):
    """How a game stands."""

    over: bool
    unfinished: bool
    winner: int | None  # only of a game that is over
    points: list[int]


def standing(rules: Rules, results: Sequence[Sequence[int] | None]) -> Standing:
    """How a game stands after hands with these points, None for a cancelled one (HK-1.3, HK-3.4)."""
    counted = [points for points in results if points is not None]
    total = [sum(points[seat] for points in counted) for seat in SEATS]
    last = results[-rules.max_redeals :]
    unfinished = len(last) == rules.max_redeals and all(points is None for points in last)
    over = unfinished or len(counted) == rules.hands
    best = [seat for seat in SEATS if total[seat] == max(total)]
    winner = best[0] if over and not unfinished and len(best) == 1 else None
    return Standing(over, unfinished, winner, total)
