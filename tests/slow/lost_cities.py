"""Lost Cities, read slowly: the rules in plain Python, one clause at a time.

Written to be compared with the rule document by eye and with a fast kernel by test, so it shares nothing with any
kernel. Cards are strings as in transcripts ("R2", "R10", "R$" for an investment card); seats are 0 and 1; every pair
is (seat 0, seat 1). Wherever cards are looked up, two that look alike are interchangeable, except in `moves`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from tests.slow.transcript import require

COLOURS = "YBWGRP"  # LC-1.1: yellow, blue, white, green, red, purple
NUMBERS = range(2, 11)
WAGER = "$"
EXPEDITION, DISCARD, DECK = "expedition", "discard", "deck"

Pair = tuple[int, int]
Piles = Mapping[str, Sequence[str]]  # cards by colour letter, the first laid first; absent is empty
Move = tuple[int, str, str]  # position in the hand, to, source

WHOLE_NUMBERS: dict[str, tuple[int, int | None]] = {
    "colors": (1, 6),
    "wagers": (0, 3),
    "hand_size": (1, 12),
    "max_turns": (1, None),
    "embark_cost": (0, None),
    "bonus": (0, None),
    "bonus_cards": (1, None),
    "rounds": (1, 3),
}
STARTERS = ("alternate", "higher_score")


@dataclass(frozen=True)
class Rules:
    """Every option of the rule document, with its default."""

    colors: int = 5  # LC-1.1
    wagers: int = 3  # LC-1.1
    hand_size: int = 8  # LC-1.2
    redraw_own_discard: bool = False  # LC-2.3
    max_turns: int = 1000  # LC-4.2
    embark_cost: int = 20  # LC-4.3
    bonus: int = 20  # LC-4.3
    bonus_cards: int = 8  # LC-4.3
    rounds: int = 1  # LC-4.6
    next_starter: str = "alternate"  # LC-4.6

    def __post_init__(self) -> None:
        """Refuse values out of range and options that do not go together (ValueError)."""
        for name, (low, high) in WHOLE_NUMBERS.items():
            number = getattr(self, name)
            if type(number) is not int or number < low or (high is not None and number > high):
                raise ValueError(f"{name} must be a whole number from {low} to {high or 'any'}, not {number!r}")
        if not isinstance(self.redraw_own_discard, bool):
            raise ValueError(f"redraw_own_discard must be true or false, not {self.redraw_own_discard!r}")
        if self.next_starter not in STARTERS:
            raise ValueError(f"next_starter must be one of {STARTERS}, not {self.next_starter!r}")
        if 2 * self.hand_size >= len(pack(self)):  # LC-1.2
            raise ValueError(f"hand_size {self.hand_size} leaves no draw pile of {len(pack(self))} cards")

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """Rules from options by name; those left out keep their default, unknown names raise ValueError."""
        unknown = set(options) - set(option_names())
        if unknown:
            raise ValueError(f"no such rule of lost_cities: {', '.join(sorted(unknown))}")
        return cls(**options)

    def warnings(self) -> list[str]:
        """What is allowed but cannot be meant (LC-4.3)."""
        longest = len(NUMBERS) + self.wagers
        if self.bonus_cards > longest:
            return [f"bonus_cards {self.bonus_cards} is never reached: an expedition has at most {longest} cards"]
        return []


def option_names() -> list[str]:
    """The names of all options, in the order of `Rules`."""
    return [field.name for field in fields(Rules)]


def colours(rules: Rules) -> str:
    """The letters of the colours in the game (LC-1.1)."""
    return COLOURS[: rules.colors]


def pack(rules: Rules) -> list[str]:
    """In each colour the investment cards and the numbers 2 to 10 (LC-1.1)."""
    ranks = [WAGER] * rules.wagers + [str(number) for number in NUMBERS]
    return [colour + rank for colour in colours(rules) for rank in ranks]


def is_wager(card: str) -> bool:
    """Whether this is an investment card."""
    return card[1:] == WAGER


def numbers_of(cards: Iterable[str]) -> list[int]:
    """The numbers among these cards, in order."""
    return [int(card[1:]) for card in cards if not is_wager(card)]


# --- expeditions ------------------------------------------------------------------------------------------------------


def may_follow(expedition: Sequence[str], card: str) -> bool:
    """Whether a card may be laid on an expedition of its colour, whatever the other player has (LC-3.3)."""
    laid = numbers_of(expedition)
    if is_wager(card):
        return not laid  # LC-3.2
    return all(number < int(card[1:]) for number in laid)  # LC-3.1


def is_expedition(cards: Sequence[str]) -> bool:
    """Whether these cards can have been laid in this order on one expedition."""
    one_colour = len({card[0] for card in cards}) <= 1
    return one_colour and all(may_follow(cards[:place], card) for place, card in enumerate(cards))


def expedition_score(rules: Rules, cards: Sequence[str]) -> int:
    """What an expedition scores (LC-4.3, LC-4.4)."""
    if not cards:
        return 0  # never started
    score = sum(numbers_of(cards)) - rules.embark_cost
    score *= 1 + sum(map(is_wager, cards))  # a loss too
    return score + (rules.bonus if len(cards) >= rules.bonus_cards else 0)  # the bonus is not multiplied


def total_score(rules: Rules, expeditions: Piles) -> int:
    """What all expeditions of one player score."""
    return sum(expedition_score(rules, cards) for cards in expeditions.values())


def winner_of(scores: Pair) -> int | None:
    """The seat with the higher score, none if equal (LC-4.5)."""
    return None if scores[0] == scores[1] else scores.index(max(scores))


# --- one turn ---------------------------------------------------------------------------------------------------------


def fault(
    rules: Rules, hand: Sequence[str], own: Piles, discards: Piles, card: str, to: str, source: str
) -> str | None:
    """Why `card` may not go `to` there with the next card from `source`, or None if it may (LC-2).

    `own` are the mover's expeditions. A turn is only taken while the draw pile has cards (LC-4.1).
    """
    if card not in hand:
        return f"{card} is not in the hand {' '.join(hand)}"
    if to not in (EXPEDITION, DISCARD):  # LC-2.1
        return f"a card goes to {EXPEDITION!r} or {DISCARD!r}, not to {to!r}"
    expedition = own.get(card[0], ())
    if to == EXPEDITION and not may_follow(expedition, card):
        return f"{card} may not follow {' '.join(expedition)}"
    if source == DECK:  # LC-2.2
        return None
    if source not in colours(rules):
        return f"no cards come from {source!r}"
    if to == DISCARD and source == card[0]:  # LC-2.3: its own card is on top
        return None if rules.redraw_own_discard else f"{card} was discarded this very turn"
    return None if discards.get(source) else f"the discard pile {source} is empty"


def moves(rules: Rules, hand: Sequence[str], own: Piles, discards: Piles) -> list[Move]:
    """All legal moves. Cards are told apart by position: two that look alike are two cards, and give two moves."""
    sources = [DECK, *colours(rules)]
    return [
        (place, to, source)
        for place, card in enumerate(hand)
        for to in (EXPEDITION, DISCARD)
        for source in sources
        if fault(rules, hand, own, discards, card, to, source) is None
    ]


def top_card(discards: Piles, card: str, to: str, source: str) -> str | None:
    """The card on top of the discard pile `source` once `card` is out, None if there is none (LC-2.4)."""
    pile = [*discards.get(source, ())]
    if to == DISCARD and card[0] == source:
        pile.append(card)
    return pile[-1] if pile else None


# --- a round and a game -----------------------------------------------------------------------------------------------


class Round:
    """A round whose chance and choices come from outside, and are checked.

    Whoever drives it calls `turn` for the seat `to_move` until `reason` is set. Breaches raise RuleError and change
    nothing. `pile` is the draw pile as a multiset, since nobody knows its order; a card drawn is the last of its hand.
    """

    def __init__(self, rules: Rules, starter: int, hands: Sequence[Sequence[str]]) -> None:
        """Deal (LC-1.2): the rest of the pack is the draw pile."""
        require(len(hands) == 2, f"hands are dealt to 2 seats, not to {len(hands)}")
        for seat, hand in enumerate(hands):
            fits = len(hand) == rules.hand_size
            require(fits, f"seat {seat} is dealt {len(hand)} cards instead of {rules.hand_size}")
        self.rules = rules
        self.hands = [list(hand) for hand in hands]
        self.pile = Counter(pack(rules))
        self._take_out([*hands[0], *hands[1]])
        self.expeditions: list[dict[str, list[str]]] = [{colour: [] for colour in colours(rules)} for _ in (0, 1)]
        self.discards: dict[str, list[str]] = {colour: [] for colour in colours(rules)}  # LC-1.3
        self.starter = self.to_move = starter
        self.turns = 0  # half-turns taken
        self.reason: str | None = None  # "deck_empty" or "max_turns" once it has ended
        self.fired: Counter[str] = Counter()  # how often each clause had a say

    @classmethod
    def at(
        cls,
        rules: Rules,
        to_move: int,
        hands: Sequence[Sequence[str]],
        expeditions: Sequence[Piles] = ({}, {}),
        discards: Mapping[str, Sequence[str]] | None = None,
        turns: int = 0,
    ) -> Round:
        """A round in a position given; the cards that lie nowhere are the draw pile."""
        found = cls(rules, to_move if turns % 2 == 0 else 1 - to_move, hands)
        found.to_move, found.turns = to_move, turns
        for seat in (0, 1):
            for colour, cards in expeditions[seat].items():
                fits = is_expedition(cards) and all(card[0] == colour for card in cards)
                require(fits, f"no expedition {colour}: {' '.join(cards)}")
                found.expeditions[seat][colour] = list(cards)
                found._take_out(cards)
        for colour, cards in (discards or {}).items():
            require(all(card[0] == colour for card in cards), f"on the pile {colour}: {' '.join(cards)}")
            found.discards[colour] = list(cards)
            found._take_out(cards)
        return found

    def _take_out(self, cards: Sequence[str]) -> None:
        missing = Counter(cards) - self.pile
        require(not missing, f"not in the pack, or not so often: {' '.join(sorted(missing.elements()))}")
        self.pile -= Counter(cards)

    @property
    def scores(self) -> Pair:
        """The scores of the round as it stands."""
        return total_score(self.rules, self.expeditions[0]), total_score(self.rules, self.expeditions[1])

    def moves(self) -> list[Move]:
        """All legal moves of the seat to move."""
        require(self.reason is None, "the round has ended")
        return moves(self.rules, self.hands[self.to_move], self.expeditions[self.to_move], self.discards)

    def check_turn(self, seat: int, card: str, to: str, source: str, drawn: str) -> None:
        """Raise RuleError unless `seat` may do this now and can have drawn that card."""
        require(self.reason is None, "the round has ended")  # LC-4.1
        require(seat == self.to_move, f"seat {seat} moves, but seat {self.to_move} must")
        breach = fault(self.rules, self.hands[seat], self.expeditions[seat], self.discards, card, to, source)
        require(breach is None, f"seat {seat}: {breach}")
        if source == DECK:
            require(self.pile[drawn] > 0, f"{drawn} is not in the draw pile")
        else:
            top = top_card(self.discards, card, to, source)
            require(drawn == top, f"{drawn} is not the top card of {source}, which is {top}")  # LC-2.4

    def turn(self, seat: int, card: str, to: str, source: str, drawn: str) -> None:
        """One card out, one card in (LC-2)."""
        self.check_turn(seat, card, to, source, drawn)
        self.hands[seat].remove(card)
        where = self.expeditions[seat] if to == EXPEDITION else self.discards
        where[card[0]].append(card)
        if source == DECK:
            self.pile -= Counter([drawn])
        else:
            self.discards[source].pop()
            self.fired["LC-2.3" if to == DISCARD and source == card[0] else "LC-2.4"] += 1
        self.hands[seat].append(drawn)
        self.turns += 1
        self.to_move = 1 - seat
        self._end_if_over()

    def _end_if_over(self) -> None:
        if not self.pile:  # LC-4.1, and first: LC-4.2
            self.reason = "deck_empty"
            self.fired["LC-4.1"] += 1
        elif self.turns == self.rules.max_turns:
            self.reason = "max_turns"
            self.fired["LC-4.2"] += 1


def starters(rules: Rules, round_scores: Sequence[Pair]) -> list[int]:
    """Who starts the first round and the one after each of these (LC-1.4, LC-4.6)."""
    found = [0]
    for scores in round_scores:
        best = winner_of(scores)
        other = 1 - found[-1]
        found.append(other if rules.next_starter == "alternate" or best is None else best)
    return found


class Game:
    """A whole game of one or more rounds: while `reason` is None, it needs a `deal` if one is `due`, else a `turn`."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.rounds: list[Round] = []

    @property
    def due(self) -> bool:
        """Whether a round must be dealt now."""
        return len(self.finished) == len(self.rounds) < self.rules.rounds

    @property
    def round(self) -> Round:
        """The round dealt last."""
        require(bool(self.rounds), "no round has been dealt")
        return self.rounds[-1]

    @property
    def finished(self) -> list[Round]:
        """The rounds that have ended."""
        return [round_ for round_ in self.rounds if round_.reason is not None]

    @property
    def scores(self) -> Pair:
        """The scores of the rounds that have ended, added up (LC-4.6)."""
        ended = [round_.scores for round_ in self.finished]
        return sum(scores[0] for scores in ended), sum(scores[1] for scores in ended)

    @property
    def reason(self) -> str | None:
        """None while the game goes on; "max_turns" if any round was cut short (LC-4.2), else "deck_empty"."""
        if len(self.finished) < self.rules.rounds:
            return None
        cut = any(round_.reason == "max_turns" for round_ in self.rounds)
        return "max_turns" if cut else "deck_empty"

    @property
    def winner(self) -> int | None:
        """The winner once the game has ended, if there is one (LC-4.5); an unfinished game has one too (LC-4.2)."""
        return None if self.reason is None else winner_of(self.scores)

    @property
    def fired(self) -> Counter[str]:
        """How often each clause had a say."""
        return sum((round_.fired for round_ in self.rounds), Counter[str]())

    def deal(self, hands: Sequence[Sequence[str]]) -> None:
        """Deal the next round."""
        require(self.due, "no round is due")
        starter = starters(self.rules, [round_.scores for round_ in self.rounds])[-1]
        self.rounds.append(Round(self.rules, starter, hands))

    def turn(self, seat: int, card: str, to: str, source: str, drawn: str) -> None:
        """A turn of the round being played."""
        self.round.turn(seat, card, to, source, drawn)


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Random options, all of them, as they would stand in a file; small and large values both come often."""
    colors, wagers = rng.randint(1, 6), rng.randint(0, 3)
    most = min(12, (colors * (len(NUMBERS) + wagers) - 1) // 2)  # LC-1.2
    return {
        "colors": colors,
        "wagers": wagers,
        "hand_size": rng.choice([rng.randint(1, most), min(8, most), most]),
        "redraw_own_discard": rng.random() < 0.5,
        "max_turns": rng.choice([rng.randint(1, 10), rng.randint(11, 100), 1000, rng.randint(200, 2000)]),
        "embark_cost": rng.choice([20, 0, rng.randint(1, 50)]),
        "bonus": rng.choice([20, 0, rng.randint(1, 100)]),
        "bonus_cards": rng.choice([8, rng.randint(1, 7), rng.randint(9, 15)]),
        "rounds": rng.randint(1, 3),
        "next_starter": rng.choice(STARTERS),
    }
