"""Saloon, read slowly: the rules in plain Python, one clause at a time.

Written to be compared with the rule document by eye and with a fast kernel by test, so it shares nothing with any
kernel. Cards are strings as in transcripts: numbers "2h" to "10c", clients "Ah" or "Js"; players are seats from 0. In
moves, cards are told apart by their position in the hand, and clients by theirs on the table: two that look alike are
two. The course of a game is in tests/slow/saloon_game.py.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any, NamedTuple

SUITS = "shdc"
NUMBERS = [str(number) for number in range(2, 11)]  # SAL-1.3
CLIENTS = ["A", "J", "Q", "K"]  # SAL-1.2

WHOLE_NUMBERS: dict[str, tuple[int, int | None]] = {  # SAL-1.1
    "players": (2, 8),
    "packs": (1, 2),
    "clients": (1, None),
    "hand_size": (0, None),
    "bill": (1, None),
    "last_bill": (1, None),
    "believed_bluff_draw": (0, None),
    "believed_honest_draw": (0, None),
    "caught_bluff_judge_draw": (0, None),
    "doubted_honest_draw": (0, None),
    "wrong_doubt_discard": (0, None),
    "hand_limit": (2, None),
    "max_turns": (1, None),
}
WORDS = {
    "caught_bluff_cards": ("discard", "return"),
    "play_to": ("first_close", "last_standing"),
}


@dataclass(frozen=True)
class Rules:
    """Every option of the rule document, with its default."""

    players: int = 2  # SAL-1.1
    packs: int | None = None  # SAL-1.1: None becomes the number that these players need
    clients: int = 4  # SAL-1.2
    hand_size: int = 5  # SAL-1.4
    bill: int = 3  # SAL-2.4
    last_bill: int = 4  # SAL-2.4
    believed_bluff_draw: int = 3  # SAL-3.4
    believed_honest_draw: int = 1  # SAL-3.4
    caught_bluff_judge_draw: int = 2  # SAL-3.5
    doubted_honest_draw: int = 1  # SAL-3.5
    wrong_doubt_discard: int = 2  # SAL-3.5
    caught_bluff_cards: str = "discard"  # SAL-3.6
    hand_limit: int = 5  # SAL-5.2
    play_to: str = "first_close"  # SAL-5.3
    max_turns: int = 2000  # SAL-5.4

    def __post_init__(self) -> None:
        """Refuse values out of range and options that do not go together (ValueError)."""
        if self.packs is None:
            object.__setattr__(self, "packs", 2 if self.players in range(5, 9) else 1)
        for name, (low, high) in WHOLE_NUMBERS.items():
            number = getattr(self, name)
            if type(number) is not int or number < low or (high is not None and number > high):
                raise ValueError(f"{name} must be a whole number from {low} to {high or 'any'}, not {number!r}")
        for name, words in WORDS.items():
            if getattr(self, name) not in words:
                raise ValueError(f"{name} must be one of {words}, not {getattr(self, name)!r}")
        for name, cards in (("clients", client_pack(self)), ("hand_size", number_pack(self))):
            each = getattr(self, name)
            if self.players * each > len(cards):
                raise ValueError(f"{name} {each} for {self.players} players is more than the {len(cards)} cards there")

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """Rules from options by name; those left out keep their default, unknown names raise ValueError."""
        unknown = set(options) - set(option_names())
        if unknown:
            raise ValueError(f"no such rule of saloon: {', '.join(sorted(unknown))}")
        return cls(**options)


def option_names() -> list[str]:
    """The names of all options, in the order of `Rules`."""
    return [field.name for field in fields(Rules)]


# --- cards ------------------------------------------------------------------------------------------------------------


def client_pack(rules: Rules) -> list[str]:
    """All clients (SAL-1.2)."""
    return [rank + suit for suit in SUITS for rank in CLIENTS] * (rules.packs or 1)


def number_pack(rules: Rules) -> list[str]:
    """All number cards (SAL-1.3)."""
    return [rank + suit for suit in SUITS for rank in NUMBERS] * (rules.packs or 1)


def suit_of(card: str) -> str:
    """The suit of a card, one of s h d c; the rank never matters (SAL-1.3)."""
    return card[-1]


class Opening(NamedTuple):
    """What is dealt: clients and hands by seat, and the draw pile, its top card first."""

    clients: list[list[str]]
    hands: list[list[str]]
    pile: list[str]


def deal(rules: Rules, rng: random.Random) -> Opening:
    """Shuffle and deal (SAL-1.2 to SAL-1.4)."""
    clients, pile = client_pack(rules), number_pack(rules)
    rng.shuffle(clients)
    rng.shuffle(pile)
    seats = range(rules.players)
    table = [[clients.pop() for _ in range(rules.clients)] for _ in seats]
    hands = [[pile.pop() for _ in range(rules.hand_size)] for _ in seats]
    return Opening(table, hands, pile)


# --- what a player may do ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Draw:
    """Draw one card (SAL-2.2)."""


@dataclass(frozen=True)
class Swap:
    """Discard the card at this position of the hand, then draw two (SAL-2.3)."""

    card: int


@dataclass(frozen=True)
class Pay:
    """Pay the client at this position with the cards at those, before this judge (SAL-3)."""

    client: int
    cards: tuple[int, ...]
    judge: int


@dataclass(frozen=True)
class Answer:
    """Doubt a payment, or believe it (SAL-3.3)."""

    doubted: bool


@dataclass(frozen=True)
class Discard:
    """Give up the cards at these positions of the hand (SAL-3.5, SAL-5.2)."""

    cards: tuple[int, ...]


Action = Draw | Swap | Pay
Move = Action | Answer | Discard


def bill(rules: Rules, clients_left: int) -> int:
    """How many cards pay a client of a player who has so many (SAL-2.4)."""
    return rules.last_bill if clients_left == 1 else rules.bill


def judges(players: int, payer: int, closed: Collection[int], last_judge: int | None) -> list[int]:
    """The seats that may judge (SAL-3.2): not the payer's previous judge, unless nobody else is left (SAL-5.3)."""
    others = [seat for seat in range(players) if seat != payer and seat not in closed]
    return [seat for seat in others if seat != last_judge] or others


def actions(rules: Rules, hand: Sequence[str], clients: Sequence[str], judged_by: Sequence[int]) -> list[Action]:
    """All legal actions of a turn (SAL-2)."""
    places = range(len(hand))
    payments = [
        Pay(client, cards, judge)
        for client in range(len(clients))
        for cards in combinations(places, bill(rules, len(clients)))
        for judge in judged_by
    ]
    return [Draw(), *map(Swap, places), *payments]


def answers() -> list[Answer]:
    """What a judge may say (SAL-3.3)."""
    return [Answer(False), Answer(True)]


def discards(hand: Sequence[str], count: int) -> list[Discard]:
    """All ways to give up so many cards."""
    return [Discard(cards) for cards in combinations(range(len(hand)), count)]


# --- what comes of it -------------------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What comes of a payment: whether the client goes, and numbers of cards."""

    honest: bool
    freed: bool
    payer_draws: int
    judge_draws: int
    judge_discards: int
    returned: bool  # the payment goes back to the payer's hand, not to the discard pile


def is_honest(client: str, cards: Sequence[str]) -> bool:
    """Whether every card has the suit of the client (SAL-3.1)."""
    return all(suit_of(card) == suit_of(client) for card in cards)


def outcome(rules: Rules, honest: bool, doubted: bool, judge_hand: int) -> Outcome:
    """What comes of a payment before a judge who holds so many cards."""
    if not doubted:  # SAL-3.4
        return Outcome(honest, True, rules.believed_honest_draw if honest else rules.believed_bluff_draw, 0, 0, False)
    if honest:  # SAL-3.5
        given_up = min(rules.wrong_doubt_discard, judge_hand)
        return Outcome(honest, True, rules.doubted_honest_draw, 0, given_up, False)
    returned = rules.caught_bluff_cards == "return"  # SAL-3.6
    return Outcome(honest, False, 0, rules.caught_bluff_judge_draw, 0, returned)


class Drawn(NamedTuple):
    """What a draw comes to, in numbers of cards."""

    from_pile: int
    from_discards: int  # once they have been shuffled

    @property
    def reshuffled(self) -> bool:
        """Whether the discard pile was shuffled for this draw."""
        return self.from_discards > 0


def draw(pile: int, discard_pile: int, need: int) -> Drawn:
    """How a draw is served (SAL-4.1): from the pile, then from the discards, as far as there are cards."""
    from_pile = min(need, pile)
    return Drawn(from_pile, min(need - from_pile, discard_pile))


def next_seat(players: int, seat: int, closed: Collection[int]) -> int:
    """Whose turn it is after this seat's (SAL-1.4): closed seats have left the circle (SAL-5.3)."""
    circle = [(seat + step) % players for step in range(1, players + 1)]
    return next(other for other in circle if other not in closed)


def ranking(players: int, closed: Sequence[int]) -> list[int]:
    """The first to close first; those still open last, in seat order (SAL-5.3, SAL-5.4)."""
    return [*closed, *(seat for seat in range(players) if seat not in closed)]


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Random options, all of them, as they would stand in a file; the defaults come often."""
    players, packs = rng.choice([2, 3, rng.randint(2, 8)]), rng.randint(1, 2)
    most_clients, most_cards = min(6, 16 * packs // players), min(9, 36 * packs // players)
    options: dict[str, Any] = {
        "players": players,
        "packs": packs,
        "clients": rng.choice([min(4, most_clients), rng.randint(1, most_clients)]),
        "hand_size": rng.choice([min(5, most_cards), rng.randint(0, most_cards), most_cards]),
        "bill": rng.choice([3, rng.randint(1, 5)]),
        "last_bill": rng.choice([4, rng.randint(1, 5)]),
        "believed_bluff_draw": rng.choice([3, rng.randint(0, 6)]),
        "hand_limit": rng.choice([5, rng.randint(2, 9)]),
        "max_turns": rng.choice([2000, rng.randint(1, 20), rng.randint(20, 400)]),
    }
    options |= {name: rng.choice(words) for name, words in WORDS.items()}
    counts = ("believed_honest_draw", "caught_bluff_judge_draw", "doubted_honest_draw", "wrong_doubt_discard")
    options |= {name: rng.randint(0, 3) for name in counts}
    return {name: options[name] for name in option_names()}
