"""What the compiled game counts about a game, counted again in plain Python from nothing but its transcript.

Pairs are (seat 0, seat 1); subjects are in the order of SUBJECTS; clauses go by the words of the rule coverage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tests.slow.sixty_six import (
    GOAL,
    Rules,
    beats,
    marriage_points,
    points_of,
    rank_of,
    replies,
    suit_of,
)

Event = Mapping[str, Any]

SUBJECTS = ("trump_marriage", "marriage", "nine")
BONUS = 10
BY_SEAT = (
    *("points", "scores", "deals_won", "won_tricks", "closes", "closes_won", "failed_closes", "marriages"),
    *("marriage_points", "exchanges"),
)


class Follower:
    """Follows the events of a game and knows what lies where; every pair is by seat."""

    def __init__(self, rules: Rules) -> None:
        """Nothing dealt yet."""
        self.rules = rules
        self.game_points = [0, 0]

    def read(self, event: Event) -> None:
        """Takes the next event into account."""
        getattr(self, event["type"], lambda event: None)(event)

    @property
    def is_open(self) -> bool:
        """Whether the stock is neither closed nor exhausted."""
        return self.stock > 0 and self.closer is None

    def deal(self, event: Event) -> None:
        """A new deal."""
        self.hands = [list(hand) for hand in event["hands"]]
        self.turned: str | None = event["turned_up"]
        self.trump, self.dealer, self.leader = suit_of(event["turned_up"]), event["dealer"], 1 - event["dealer"]
        self.stock, self.closer = 12, None
        self.played: list[list[str]] = [[], []]
        self.shown: list[set[str]] = [set(), set()]  # seen by the other seat
        self.points, self.pending, self.tricks = [0, 0], [0, 0], [0, 0]

    def exchange(self, event: Event) -> None:
        """The nine for the turned-up card."""
        seat = event["player"]
        self.hands[seat].remove(event["gives"])
        self.hands[seat].append(event["takes"])
        self.shown[seat].add(event["takes"])
        self.turned = event["gives"]

    def close(self, event: Event) -> None:
        """The stock is closed."""
        self.closer = event["player"]

    def marriage(self, event: Event) -> None:
        """A marriage: both its cards are seen, one of them on the table."""
        seat = event["player"]
        self.shown[seat] |= {"K" + event["suit"], "Q" + event["suit"]}
        (self.pending if event["pending"] else self.points)[seat] += marriage_points(self.trump, event["suit"])

    def trick(self, event: Event) -> None:
        """A whole trick."""
        winner, leader = event["winner"], event["leader"]
        for seat, card in zip((leader, 1 - leader), event["cards"], strict=True):
            self.hands[seat].remove(card)
            self.played[seat].append(card)
        self.tricks[winner] += 1
        self.pending[winner] = 0
        self.points = list(event["points"])
        self.leader = winner

    def draw(self, event: Event) -> None:
        """A card from the stock, the turned-up one last."""
        seat, card = event["player"], event["card"]
        self.hands[seat].append(card)
        self.stock -= 1
        if self.stock == 0:
            self.shown[seat].add(card)
            self.turned = None

    def deal_end(self, event: Event) -> None:
        """The deal is over."""
        self.game_points = [a + b for a, b in zip(self.game_points, event["game_points"], strict=True)]


class Columns(Follower):
    """Counts up while it follows."""

    def __init__(self, rules: Rules) -> None:
        """Nothing counted yet."""
        super().__init__(rules)
        self.by_seat = {name: [0, 0] for name in BY_SEAT}
        self.subjects = {name: [[0] * 3, [0] * 3] for name in ("opening", "drawn", "used")}
        self.counts: Counter[str] = Counter()
        self.clauses: Counter[str] = Counter()

    def deal(self, event: Event) -> None:
        """Counts the subjects of the hands dealt."""
        super().deal(event)
        self.counts["deals"] += 1
        self.held: list[set[str]] = [set(), set()]
        for seat in (0, 1):
            self.look(seat)
            self.add_held("opening", seat)

    def look(self, seat: int) -> None:
        """Notes the subjects in a hand: suits of marriages, and the nine."""
        hand = self.hands[seat]
        self.held[seat] |= {card[-1] for card in hand if rank_of(card) == "K" and "Q" + card[-1] in hand}
        self.held[seat] |= {card for card in hand if card == "9" + self.trump}

    def add_held(self, name: str, seat: int) -> None:
        """Adds what was held so far to a count."""
        counts, held = self.subjects[name][seat], self.held[seat]
        counts[0] += self.trump in held
        counts[1] += len(held & set("shdc") - {self.trump})
        counts[2] += "9" + self.trump in held

    def draw(self, event: Event) -> None:
        """A draw may bring a subject, or the end of the stock."""
        super().draw(event)
        self.look(event["player"])
        self.clauses["SS-2.4 exhausted"] += self.stock == 0

    def exchange(self, event: Event) -> None:
        """The nine is used, and the card taken may make a marriage."""
        super().exchange(event)
        self.look(event["player"])
        self.by_seat["exchanges"][event["player"]] += 1
        self.subjects["used"][event["player"]][2] += 1
        self.clauses["SS-4.1 nine"] += 1

    def close(self, event: Event) -> None:
        """A deal is closed."""
        super().close(event)
        self.by_seat["closes"][event["player"]] += 1
        self.clauses["SS-6.1 closed"] += 1
        self.clauses["SS-6.2 closed at once"] += sum(self.tricks) == 0

    def marriage(self, event: Event) -> None:
        """A marriage is used; its points count now, or wait."""
        super().marriage(event)
        seat, is_trump = event["player"], event["suit"] == self.trump
        self.by_seat["marriages"][seat] += 1
        self.subjects["used"][seat][0 if is_trump else 1] += 1
        self.clauses["SS-5.1 trump marriage" if is_trump else "SS-5.1 marriage"] += 1
        self.clauses["SS-5.2 pending"] += event["pending"]
        self.clauses["SS-5.3 strict marriage"] += not self.is_open
        if not event["pending"]:
            self.by_seat["marriage_points"][seat] += event["points"]
            self.clauses["SS-7.1 66 by a marriage"] += self.points[seat] >= GOAL

    def trick(self, event: Event) -> None:
        """A trick, with what waited for it and the bonus."""
        (led, reply), winner, second = event["cards"], event["winner"], 1 - event["leader"]
        hand, waited, before = self.hands[second], self.pending[winner], self.points[winner]
        allowed = replies(self.rules, self.trump, self.is_open, led, hand)
        self.clauses["SS-3.1 duty"] += len(allowed) < len(hand)
        self.clauses["SS-2.2 trumped"] += beats(self.trump, led, reply) and suit_of(reply) != suit_of(led)
        self.clauses["SS-5.2 counted late"] += waited > 0
        self.by_seat["marriage_points"][winner] += waited
        self.by_seat["won_tricks"][winner] += 1
        self.counts["tricks"] += 1
        super().trick(event)
        bonus = not any(self.hands) and self.closer is None and self.rules.last_trick == "bonus10"
        without = before + waited + points_of(led) + points_of(reply)
        self.clauses["SS-7.3 bonus"] += bonus
        self.clauses["SS-7.3 bonus decides"] += bonus and without < GOAL <= without + BONUS
        self.clauses["SS-7.1 66 by a trick"] += without + BONUS * bonus >= GOAL

    def deal_end(self, event: Event) -> None:
        """Who won the deal, and how."""
        super().deal_end(event)
        winner, reason = event["winner"], event["reason"]
        for seat in (0, 1):
            self.add_held("drawn", seat)
            self.by_seat["points"][seat] += event["points"][seat]
            self.by_seat["scores"][seat] += event["game_points"][seat]
            self.by_seat["deals_won"][seat] += winner == seat
        if self.closer is not None:
            self.by_seat["closes_won"][self.closer] += winner == self.closer
            self.by_seat["failed_closes"][self.closer] += winner != self.closer
        self.clauses["SS-5.2 lost"] += any(self.pending)
        self.clauses["SS-7.3 no winner"] += winner is None
        self.clauses["SS-7.3 last trick wins"] += reason == "last_trick"
        if reason == "failed_close":
            overtaken = event["points"][winner] >= GOAL
            self.clauses["SS-6.3 closer overtaken" if overtaken else "SS-6.3 closer short"] += 1
        if reason in ("66", "last_trick"):
            self.clauses["SS-7.2 two game points"] += max(event["game_points"]) == 2
            self.clauses["SS-7.2 three game points"] += max(event["game_points"]) == 3

    def end(self, event: Event) -> None:
        """The end of a match."""
        self.clauses["SS-7.4 match won"] += event["reason"] == "match_points"
        self.clauses["SS-7.4 unfinished"] += event["reason"] == "max_deals"


def columns(events: Iterable[Event]) -> dict[str, Any]:
    """All outcome columns of a game, and its clauses as a Counter without those that never fired."""
    told = list(events)
    counted = Columns(Rules.from_options(told[0]["rules"]))
    for event in told[1:]:
        counted.read(event)
    winner, clauses = told[-1]["winner"], +counted.clauses
    return {
        "winner": -1 if winner is None else winner,
        "unfinished": int(told[-1]["reason"] == "max_deals"),
        "no_winner": clauses["SS-7.3 no winner"],
        "tricks": counted.counts["tricks"],
        "deals": counted.counts["deals"],
        "schneider": clauses["SS-7.2 two game points"],
        "schwarz": clauses["SS-7.2 three game points"],
        **counted.by_seat,
        **counted.subjects,
        "clauses": clauses,
    }
