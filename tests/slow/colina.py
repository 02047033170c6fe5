"""Colina, read slowly: the rules in plain Python, one clause at a time.

Written to be compared with the rule document by eye and with the fast kernel by test, so it shares nothing with the
kernel. Cards are strings as in transcripts ("7h", "Kd", "10s", "*" for a joker); seats are 0 and 1; every pair is
(seat 0, seat 1). Wherever cards are looked up, two that look alike are interchangeable, except in `moves`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import combinations
from math import floor
from typing import Any, NamedTuple

from tests.slow.transcript import require

SUITS = "shdc"
JOKER = "*"
VALUE_RANKS = {str(n): n for n in range(2, 11)}
SUPPORT_RANKS = {"J": 2, "Q": 3, "K": 4, "A": 5}
FRONT_VALUES = {**VALUE_RANKS, **SUPPORT_RANKS, JOKER: 0}  # COL-2.5

Pair = tuple[int, int]
Play = tuple[Sequence[str], str | None]  # front line, back line
Move = tuple[tuple[int, ...], int | None]  # the same as positions in the hand
Switch = bool | tuple[bool, bool]

WHOLE_NUMBERS: dict[str, tuple[int, int | None]] = {
    "start_points": (1, None),
    "hand_size": (1, 6),
    "jokers": (0, 8),
    "max_rounds": (1, None),
}
WORDS = {
    "support_front": ("anytime", "no_value_cards"),
    "siamese_ranks": ("any", "distinct"),
    "double_mirror": ("cancel", "void_round"),
}
SWITCHES = {"J": "jack_on", "Q": "queen_on", "K": "king_on", "A": "ace_on"}


def exact_factor(value: object) -> Fraction:
    """The jack's factor as written: a float stands for its shortest decimal, so that 1.16 is 116/100 (COL-4.2)."""
    try:
        factor = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        factor = Fraction(0)  # out of range like any other wrong value
    if not 1 <= factor <= 10 or (100 * factor).denominator != 1:
        raise ValueError(f"jack_factor must be 1 to 10 in hundredths, not {value!r}")
    return factor


@dataclass(frozen=True)
class Rules:
    """Every option of the rule document, with its default."""

    start_points: int = 100  # COL-1.2
    hand_size: int = 6  # COL-1.3
    jokers: int = 4  # COL-1.3
    support_front: str = "anytime"  # COL-2.6
    siamese_ranks: str = "any"  # COL-3.1
    jack_factor: Fraction = Fraction(2)  # COL-4.2; numbers and decimal strings are taken too
    double_mirror: str = "cancel"  # COL-4.5
    max_rounds: int = 1000  # COL-6.3
    jack_on: Switch = True
    queen_on: Switch = True
    king_on: Switch = True
    ace_on: Switch = True

    def __post_init__(self) -> None:
        """Refuse values out of range (ValueError) and make the factor exact."""
        for name, (low, high) in WHOLE_NUMBERS.items():
            number = getattr(self, name)
            if type(number) is not int or number < low or (high is not None and number > high):
                raise ValueError(f"{name} must be a whole number from {low} to {high or 'any'}, not {number!r}")
        for name, words in WORDS.items():
            if getattr(self, name) not in words:
                raise ValueError(f"{name} must be one of {words}, not {getattr(self, name)!r}")
        for name in SWITCHES.values():
            object.__setattr__(self, name, _switch(name, getattr(self, name)))
        object.__setattr__(self, "jack_factor", exact_factor(self.jack_factor))

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """Rules from options by name; those left out keep their default, unknown names raise ValueError."""
        unknown = set(options) - set(option_names())
        if unknown:
            raise ValueError(f"no such rule of colina: {', '.join(sorted(unknown))}")
        return cls(**options)

    def on(self, rank: str, seat: int) -> bool:
        """Whether the effect of this support rank is switched on for this seat."""
        switch: Switch = getattr(self, SWITCHES[rank])
        return switch if isinstance(switch, bool) else switch[seat]


def _switch(name: str, value: object) -> Switch:
    if isinstance(value, bool):
        return value
    if isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(half, bool) for half in value):
        return (value[0], value[1])
    raise ValueError(f"{name} must be true, false or a pair of these, not {value!r}")


def option_names() -> list[str]:
    """The names of all options, in the order of `Rules`."""
    return [field.name for field in fields(Rules)]


def pack(rules: Rules) -> list[str]:
    """Two 52-card packs and the jokers (COL-1.1, COL-1.3)."""
    one_pack = [rank + suit for rank in [*VALUE_RANKS, *SUPPORT_RANKS] for suit in SUITS]
    return one_pack * 2 + [JOKER] * rules.jokers


def rank_of(card: str) -> str:
    """The rank of a card; a joker is its own rank."""
    return JOKER if card == JOKER else card[:-1]


def is_value(card: str) -> bool:
    """Whether this is a value card, 2 to 10."""
    return rank_of(card) in VALUE_RANKS


def is_support(card: str) -> bool:
    """Whether this is a support card, J Q K A; a joker is none (COL-2.6)."""
    return rank_of(card) in SUPPORT_RANKS


def is_siamese(rules: Rules, front: Sequence[str]) -> bool:
    """Whether these cards make a siamese (COL-3)."""
    cards = [card for card in front if card != JOKER]  # jokers may join any siamese: COL-3.2, COL-3.3
    if len(cards) < 2:  # COL-3.2
        return False
    one_suit = len({card[-1] for card in cards}) == 1
    one_kind = all(map(is_value, cards)) or all(map(is_support, cards))
    ranks = {rank_of(card) for card in cards}
    return one_suit and one_kind and (rules.siamese_ranks == "any" or len(ranks) == len(cards))  # COL-3.1


def legal(rules: Rules, hand: Sequence[str], front: Sequence[str], back: str | None) -> bool:
    """Whether `front` and `back` may be played from `hand`; the order of cards has no meaning."""
    played = [*front] if back is None else [*front, back]
    if not Counter(played) <= Counter(hand):
        return False
    if len(front) != 1 and not is_siamese(rules, front):  # COL-2.2, COL-2.3
        return False
    if back is not None and not (is_support(back) or back == JOKER):  # COL-2.4
        return False
    leads_support = any(map(is_support, front))
    holds_value = any(map(is_value, hand))
    return not (rules.support_front == "no_value_cards" and leads_support and holds_value)  # COL-2.6


def moves(rules: Rules, hand: Sequence[str]) -> list[Move]:
    """All legal moves of a hand as (front positions ascending, back position or None).

    Cards are told apart by position: two that look alike are two cards, and give two moves.
    """
    found: list[Move] = []
    places = range(len(hand))
    for size in range(1, len(hand) + 1):
        for front in combinations(places, size):
            cards = [hand[place] for place in front]
            if legal(rules, hand, cards, None):
                found.append((front, None))
            rest = [place for place in places if place not in front]
            found += [(front, place) for place in rest if legal(rules, hand, cards, hand[place])]
    return found


class Resolution(NamedTuple):
    """What a round comes to."""

    totals: Pair  # after doubling
    damage: Pair  # TP lost, not cut at the TP left
    fired: frozenset[str]  # the clauses that had a say in it, e.g. "COL-4.1" if an effect was blocked


def effect(rules: Rules, seat: int, hand: Sequence[str], play: Play) -> str | None:
    """The support rank whose effect this play has, unless the opponent blocks it. `hand` is before playing."""
    back = play[1]
    if back is not None:
        rank = rank_of(back)  # a joker there has no effect (COL-2.4), nor has a card switched off
        return rank if rank in SUPPORT_RANKS and rules.on(rank, seat) else None
    if is_last_card_mirror(hand, play) and rules.on("A", seat):
        return "A"
    return None


def is_last_card_mirror(hand: Sequence[str], play: Play) -> bool:
    """Whether the play is an ace that was the only card in hand (COL-4.7)."""
    return len(hand) == 1 and play[1] is None and rank_of(play[0][0]) == "A"


def resolve(rules: Rules, hands: Sequence[Sequence[str]], plays: Sequence[Play]) -> Resolution:
    """Resolve a round of two legal plays (COL-4). `hands` are before playing."""
    wanted = [effect(rules, seat, hands[seat], plays[seat]) for seat in (0, 1)]
    # COL-4.1, COL-4.8: a queen voids the opponent's effect, but never another queen's
    effects = [None if wanted[1 - seat] == "Q" and wanted[seat] != "Q" else wanted[seat] for seat in (0, 1)]
    first, second = (front_total(rules, plays[seat][0], effects[seat]) for seat in (0, 1))
    damage = [0, 0]
    voided = effects.count("A") == 2 and rules.double_mirror == "void_round"  # COL-4.5
    if first != second and not voided:  # COL-4.4: equal totals are a draw
        loser = 0 if first < second else 1
        if effects.count("K") == 1:  # COL-4.3: the lower total wins
            loser = 1 - loser
        if effects.count("A") == 1:  # COL-4.5: the other one loses it instead
            loser = 1 - loser
        damage[loser] = abs(first - second)
    fired = _clauses(wanted, effects)
    if any(is_last_card_mirror(hands[seat], plays[seat]) and wanted[seat] == "A" for seat in (0, 1)):
        fired.add("COL-4.7")
    return Resolution((first, second), (damage[0], damage[1]), frozenset(fired))


def front_total(rules: Rules, front: Sequence[str], own_effect: str | None) -> int:
    """The front line's total, doubled by an unblocked jack (COL-2.5, COL-3.1, COL-4.2)."""
    total = sum(FRONT_VALUES[rank_of(card)] for card in front)
    return floor(total * rules.jack_factor) if own_effect == "J" else total


def _clauses(wanted: list[str | None], effects: list[str | None]) -> set[str]:
    clause_of = {"J": "COL-4.2", "K": "COL-4.3", "A": "COL-4.5"}
    fired = {clause_of[rank] for rank in effects if rank in clause_of} | {"COL-4.4"}
    return fired | {"COL-4.1"} if wanted != effects else fired


class RoundResult(NamedTuple):
    """A round as played: what it came to, and what has to happen next."""

    round: int  # counted from 1
    totals: Pair
    damage: Pair
    points: Pair  # TP after the round
    draws: tuple[int, ...]  # seats that must refill now, in this order
    reason: str | None  # "points" or "max_rounds" if the game has ended
    winner: int | None
    fired: frozenset[str]


class Game:
    """A whole game whose chance and choices come from outside, and are checked.

    It starts with both seats due for their first deal. Whoever drives it answers every seat in `due`, in order, with
    `draw`, then calls `play`; `reason` is set when the game has ended. Breaches raise RuleError and change nothing.
    `hands` are in the order drawn; `pile` and `dead` are multisets, since nobody knows their order.
    """

    def __init__(self, rules: Rules, first_draws: Sequence[Sequence[str]] = ()) -> None:
        """Shuffle, and deal `first_draws` (seat 0's, seat 1's) if they are given already (COL-1)."""
        self.rules = rules
        self.pile = Counter(pack(rules))
        self.dead: Counter[str] = Counter()
        self.hands: list[list[str]] = [[], []]
        self.points: Pair = (rules.start_points, rules.start_points)
        self.rounds = 0
        self.due = [0, 1]
        self.winner: int | None = None
        self.reason: str | None = None
        self.fired: Counter[str] = Counter()  # how often each clause had a say
        for seat, cards in enumerate(first_draws):
            self.draw(seat, cards, False)

    @classmethod
    def at(
        cls, rules: Rules, round_: int, points: Pair, hands: Sequence[Sequence[str]], pile: Sequence[str] | None = None
    ) -> Game:
        """A game about to play round `round_`; cards in no hand and not in `pile` are dead. No pile: none is dead."""
        game = cls(rules)
        held = Counter([*hands[0], *hands[1]])
        left = Counter(pack(rules))
        require(held <= left, "hands hold cards that the pack does not have")
        left -= held
        game.pile = left if pile is None else Counter(pile)
        require(game.pile <= left, "the draw pile holds cards that the pack does not have")
        game.dead = left - game.pile
        game.hands = [list(hand) for hand in hands]
        game.points, game.rounds, game.due = points, round_ - 1, []
        return game

    def draw(self, seat: int, cards: Sequence[str], reshuffled: bool) -> None:
        """Give `cards` to `seat`. `reshuffled` says that the dead pile was shuffled before or during this draw.

        A list of cards has no order here: that the pile's last cards come before reshuffled ones means that they are
        all among the cards drawn.
        """
        require(self.reason is None, "nobody draws after the end of the game")  # COL-5.2
        require(bool(self.due) and self.due[0] == seat, f"seat {seat} draws, but due are {self.due}")
        size = self.rules.hand_size
        require(len(cards) == size, f"seat {seat} draws {len(cards)} cards instead of {size}")
        short = self.pile.total() < size
        require(reshuffled == short, f"reshuffled is {reshuffled} with {self.pile.total()} cards left to draw {size}")
        drawn = Counter(cards)
        if short:
            self._draw_through_reshuffle(drawn)
        else:
            require(drawn <= self.pile, f"not in the draw pile: {_listed(drawn - self.pile)}")
            self.pile -= drawn
        self.hands[seat] = list(cards)
        self.due.pop(0)

    def _draw_through_reshuffle(self, drawn: Counter[str]) -> None:
        """COL-5.3: the rest of the draw pile first, then from the dead pile, which becomes the draw pile."""
        require(self.pile <= drawn, f"left in the draw pile at a reshuffle: {_listed(self.pile - drawn)}")
        fresh = drawn - self.pile
        require(fresh <= self.dead, f"not in the reshuffled dead pile: {_listed(fresh - self.dead)}")
        self.pile, self.dead = self.dead - fresh, Counter()
        self.fired["COL-5.3"] += 1

    def check_play(self, seat: int, play: Play) -> None:
        """Raise RuleError unless `seat` may play this now."""
        require(self.reason is None, "nobody plays after the end of the game")
        require(not self.due, f"seats {self.due} must draw first")
        hand = self.hands[seat]
        require(legal(self.rules, hand, *play), f"seat {seat} may not play {play} from {hand}")

    def play(self, plays: Sequence[Play]) -> RoundResult:
        """Resolve a round of one play a seat, and say what follows."""
        for seat in (0, 1):
            self.check_play(seat, plays[seat])
        resolution = resolve(self.rules, self.hands, plays)
        for seat in (0, 1):
            self._discard(seat, plays[seat])
        lost = resolution.damage
        self.points = (max(0, self.points[0] - lost[0]), max(0, self.points[1] - lost[1]))  # COL-6.1
        self.rounds += 1
        self._end_or_refill()
        self.fired.update(resolution.fired)
        return RoundResult(
            round=self.rounds,
            totals=resolution.totals,
            damage=resolution.damage,
            points=self.points,
            draws=tuple(self.due),
            reason=self.reason,
            winner=self.winner,
            fired=resolution.fired,
        )

    def _discard(self, seat: int, play: Play) -> None:
        front, back = play
        for card in [*front] if back is None else [*front, back]:
            self.hands[seat].remove(card)
            self.dead[card] += 1  # COL-5.1

    def _end_or_refill(self) -> None:
        if 0 in self.points:  # COL-6.1; both at 0 cannot be (COL-6.2)
            self.winner, self.reason = 1 - self.points.index(0), "points"
            self.fired["COL-6.1"] += 1
        elif self.rounds == self.rules.max_rounds:  # COL-6.3
            self.reason = "max_rounds"
            self.fired["COL-6.3"] += 1
        else:
            self.due = [seat for seat in (0, 1) if not self.hands[seat]]  # COL-5.2
            self.fired["COL-5.2"] += len(self.due)


def _listed(cards: Counter[str]) -> str:
    return " ".join(sorted(cards.elements()))


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Random options, all of them, as they would stand in a file; small and large values both come often."""
    options: dict[str, Any] = {
        "start_points": rng.choice([rng.randint(1, 20), rng.randint(21, 200), 100, rng.randint(201, 2000)]),
        "hand_size": rng.randint(1, 6),
        "jokers": rng.randint(0, 8),
        "jack_factor": rng.choice([2, rng.randint(1, 10), rng.randint(100, 1000) / 100]),
        "max_rounds": rng.choice([rng.randint(1, 5), rng.randint(6, 60), 1000, rng.randint(1001, 5000)]),
    }
    options |= {name: rng.choice(words) for name, words in WORDS.items()}
    options |= {name: rng.choice([True, True, False, [True, False], [False, True]]) for name in SWITCHES.values()}
    return {name: options[name] for name in option_names()}
