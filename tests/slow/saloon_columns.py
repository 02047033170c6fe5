"""What plain Python counts from a transcript of Saloon: every column of the outcome, and what all players know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tests.slow.saloon import Rules, client_pack, number_pack, suit_of

MOST_PLAYERS = 8
SEAT_COLUMNS = (
    "scores", "rank", "freed", "draws", "swaps", "honest", "bluffs", "believed_bluffs", "doubts", "caught",
    "wrong_doubts",
)  # fmt: skip


def columns(events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The outcome of a whole transcript by column, and under `clauses` how often each clause fired."""
    count = Count(events)
    for before, event in pairwise(events[1:]):
        count.read(before, event)
    return count.found | {"clauses": +count.clauses}


class Count:
    """Reads a transcript event by event, each with the one before it, and counts."""

    def __init__(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.rules = rules = Rules.from_options(events[0]["rules"])
        self.found: dict[str, Any] = {name: [0] * MOST_PLAYERS for name in SEAT_COLUMNS}
        self.found |= {"turns": 0, "payments": 0, "reshuffles": 0}
        self.clauses: Counter[str] = Counter()
        self.sizes = [rules.hand_size] * rules.players
        self.left = [rules.clients] * rules.players
        self.last: list[int | None] = [None] * rules.players
        self.closed: list[int] = []

    def read(self, before: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Counts one event."""
        match event["type"]:
            case "turn":
                self.found["turns"] += 1
            case "pay":
                self._read_payment(event)
                self._read_verdict(event)
            case "draw":
                self._read_draw(before, event)
            case "discard":
                self.sizes[event["player"]] -= len(event["cards"])
                self.found["swaps"][event["player"]] += event["why"] == "swap"
                self.clauses["SAL-2.3 swap"] += event["why"] == "swap"
                self.clauses["SAL-5.2 hand limit"] += event["why"] == "hand_limit"
            case "closed":
                self.closed.append(event["player"])
                self.clauses["SAL-5.1 closed"] += 1
            case "end":
                self._read_end(event)

    def _read_payment(self, event: Mapping[str, Any]) -> None:
        payer, judge = event["player"], event["judge"]
        self.clauses["SAL-2.4 last bill"] += self.left[payer] == 1
        self.clauses["SAL-3.2 void"] += self.last[payer] == judge
        self.clauses["SAL-3.2 other judge"] += self.last[payer] not in (None, judge, *self.closed)
        self.last[payer] = judge
        self.left[payer] -= event["freed"]
        returned = self.rules.caught_bluff_cards == "return" and event["doubted"] and not event["honest"]
        self.clauses["SAL-3.6 returned"] += returned
        self.sizes[payer] -= 0 if returned else len(event["cards"])

    def _read_verdict(self, event: Mapping[str, Any]) -> None:
        payer, judge, honest, doubted = event["player"], event["judge"], event["honest"], event["doubted"]
        found, clauses = self.found, self.clauses
        found["payments"] += 1
        found["honest" if honest else "bluffs"][payer] += 1
        clauses["SAL-3.1 honest" if honest else "SAL-3.1 bluff"] += 1
        found["doubts"][judge] += doubted
        found["believed_bluffs"][payer] += not honest and not doubted
        found["caught"][judge] += doubted and not honest
        found["wrong_doubts"][judge] += doubted and honest
        if doubted:
            clauses["SAL-3.5 wrong doubt" if honest else "SAL-3.5 caught"] += 1
            clauses["SAL-3.5 all it has"] += honest and self.sizes[judge] < self.rules.wrong_doubt_discard
        else:
            clauses["SAL-3.4 believed honest" if honest else "SAL-3.4 believed bluff"] += 1

    def _read_draw(self, before: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        seat, few = event["player"], self._is_for_few_cards(before)
        self.sizes[seat] += len(event["cards"])
        self.found["reshuffles"] += event["reshuffled"]
        self.clauses["SAL-4.1 reshuffled"] += event["reshuffled"]
        if before["type"] == "turn":
            called = 1
        elif before["type"] == "discard" or few:
            called = 2
        else:
            called = self._draw_after(before)
        self.clauses["SAL-4.1 short"] += len(event["cards"]) < called
        self.found["draws"][seat] += before["type"] == "turn"
        self.clauses["SAL-2.2 draw"] += before["type"] == "turn"
        self.clauses["SAL-5.2 few cards"] += few

    def _is_for_few_cards(self, before: Mapping[str, Any]) -> bool:
        """Whether a draw after this event is that of a hand of one or no card at the end of a turn (SAL-5.2)."""
        if before["type"] == "discard":
            return bool(before["why"] == "wrong_doubt")
        return before["type"] == "draw" or (before["type"] == "pay" and not self._draw_after(before))

    def _draw_after(self, pay: Mapping[str, Any]) -> int:
        """How many cards are to be drawn at once after a payment."""
        rules, honest = self.rules, pay["honest"]
        if pay["doubted"]:
            return rules.doubted_honest_draw if honest else rules.caught_bluff_judge_draw
        return rules.believed_honest_draw if honest else rules.believed_bluff_draw

    def _read_end(self, event: Mapping[str, Any]) -> None:
        self.clauses["SAL-5.3 last standing"] += event["reason"] == "last_standing"
        self.clauses["SAL-5.4 unfinished"] += event["reason"] == "max_turns"
        self.found["winner"] = -1 if event["winner"] is None else event["winner"]
        self.found["unfinished"] = int(event["reason"] == "max_turns")
        for place, seat in enumerate(event["ranking"], 1):
            self.found["rank"][seat] = place
            self.found["freed"][seat] = self.rules.clients - self.left[seat]
            if seat in self.closed:
                behind = self.rules.players - place
                self.found["scores"][seat] = behind if self.rules.play_to == "last_standing" else 1


class Memory:
    """What every player at the table remembers of a transcript: it reads the events that all can see."""

    def __init__(self, rules: Rules, clients: Sequence[Sequence[str]]) -> None:
        self.rules = rules
        self.clients = [list(own) for own in clients]
        self.sizes = [rules.hand_size] * rules.players
        self.pile = len(number_pack(rules)) - rules.players * rules.hand_size
        self.discards: Counter[str] = Counter()
        self.mixed: Counter[str] = Counter(number_pack(rules))  # what the draw pile was made of
        self.known: list[Counter[str]] = [Counter() for _ in range(rules.players)]  # returned, and not revealed since
        self.last: list[int | None] = [None] * rules.players
        self.closed: list[int] = []
        self.verdicts: list[tuple[int, int, int]] = []  # payer, judge, how it ended; the latest first
        self.turns = 0

    @property
    def freed(self) -> Counter[str]:
        """The clients out of play."""
        table = Counter(client for own in self.clients for client in own)
        return Counter(client_pack(self.rules)) - table

    def read(self, event: Mapping[str, Any]) -> None:
        """Takes in one event as far as all can see it."""
        match event["type"]:
            case "turn":
                self.turns += 1
            case "lay":  # a payment, face down
                self.sizes[event["player"]] -= event["size"]
                self.last[event["player"]] = event["judge"]
            case "pay":
                self._read_payment(event)
            case "draw":
                self._read_draw(event)
            case "discard":
                self._reveal(event["player"], event["cards"])
                self.sizes[event["player"]] -= len(event["cards"])
            case "closed":
                self.closed.append(event["player"])

    def _reveal(self, seat: int, cards: Sequence[str]) -> None:
        self.discards += Counter(cards)
        self.known[seat] -= Counter(cards)

    def _read_payment(self, event: Mapping[str, Any]) -> None:
        payer, cards = event["player"], event["cards"]
        how = 2 * event["doubted"] + (not event["honest"])
        self.verdicts.insert(0, (payer, event["judge"], how))
        if event["freed"]:
            self.clients[payer].remove(event["client"])
        if how == 3 and self.rules.caught_bluff_cards == "return":
            self.sizes[payer] += len(cards)
            self.known[payer] |= Counter(cards)
        else:
            self._reveal(payer, cards)

    def _read_draw(self, event: Mapping[str, Any]) -> None:
        self.sizes[event["player"]] += len(event["cards"])
        self.pile -= len(event["cards"])
        if event["reshuffled"]:
            self.pile += self.discards.total()
            self.mixed, self.discards = self.discards, Counter()


def count_suit(cards: Counter[str], suit: str) -> int:
    """How many cards of a suit there are."""
    return sum(number for card, number in cards.items() if suit_of(card) == suit)
