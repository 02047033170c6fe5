"""What the compiled game counts about a game, counted again in plain Python from nothing but its transcript.

Ranks are in the order of RANKS, seats first; clauses go by the words of the rule coverage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tests.slow.lost_cities import (
    DECK,
    EXPEDITION,
    NUMBERS,
    WAGER,
    Game,
    Round,
    Rules,
    expedition_score,
    is_wager,
    starters,
)

RANKS = [WAGER, *map(str, NUMBERS)]
BY_SEAT = ("started", "paying", "losing", "laid", "wagers", "bonuses", "discarded", "taken")


class Columns:
    """Counts up while the events of one game are read."""

    def __init__(self, rules: Rules) -> None:
        """Nothing counted yet."""
        self.rules = rules
        self.game = Game(rules)
        self.turns = 0
        self.of_seat = {name: [0, 0] for name in BY_SEAT}
        self.by_rank = {name: [[0] * len(RANKS) for _ in range(2)] for name in ("opening", "drawn", "laid_rank")}
        self.clauses: Counter[str] = Counter()

    def deal(self, event: Mapping[str, Any]) -> None:
        """The first deal of a round (LC-1.2)."""
        if self.game.rounds:
            found = starters(self.rules, [round_.scores for round_ in self.game.rounds])
            self.clauses["LC-4.6 next round"] += 1
            self.clauses["LC-4.6 same starter"] += found[-1] == found[-2]
        self.game.deal(event["hands"])
        for seat, hand in enumerate(event["hands"]):
            for card in hand:
                for name in ("opening", "drawn"):
                    self._note_rank(name, seat, card)

    def _note_rank(self, name: str, seat: int, card: str) -> None:
        self.by_rank[name][seat][RANKS.index(card[1:])] += 1

    def turn(self, event: Mapping[str, Any]) -> None:
        """A card out, a card in (LC-2)."""
        seat, card, to, source = (event[field] for field in ("player", "card", "to", "from"))
        self.turns += 1
        self._note_rank("drawn", seat, event["drawn"])
        if to == EXPEDITION:
            self.of_seat["laid"][seat] += 1
            self.of_seat["wagers"][seat] += is_wager(card)
            self._note_rank("laid_rank", seat, card)
        else:
            self.of_seat["discarded"][seat] += 1
            self.clauses["LC-2.3 own discard"] += source == card[0]
        self.of_seat["taken"][seat] += source != DECK
        self.clauses["LC-2.1 laid" if to == EXPEDITION else "LC-2.1 discarded"] += 1
        self.clauses["LC-3.2 investment"] += to == EXPEDITION and is_wager(card)
        self.clauses["LC-2.2 from the draw pile" if source == DECK else "LC-2.2 from a discard pile"] += 1
        self.game.turn(seat, card, to, source, event["drawn"])
        if self.game.round.reason:
            self._note_round(self.game.round)

    def _note_round(self, round_: Round) -> None:
        """The expeditions of a round that has ended (LC-4.3)."""
        self.clauses["LC-4.1 end" if round_.reason == "deck_empty" else "LC-4.2 cut short"] += 1
        for seat, expeditions in enumerate(round_.expeditions):
            for cards in filter(None, expeditions.values()):
                score, bonus = expedition_score(self.rules, cards), len(cards) >= self.rules.bonus_cards
                self.of_seat["started"][seat] += 1
                self.of_seat["paying"][seat] += score > 0
                self.of_seat["losing"][seat] += score < 0
                self.of_seat["bonuses"][seat] += bonus
                self.clauses["LC-4.3 gain" if score > 0 else "LC-4.3 loss" if score else "LC-4.3 nothing"] += 1
                self.clauses["LC-4.3 bonus"] += bonus
                self.clauses["LC-4.4 multiplied loss"] += score < 0 and any(map(is_wager, cards))
        first, second = round_.expeditions
        self.clauses["LC-3.3 both"] += sum(bool(first[colour] and second[colour]) for colour in first)

    def round(self, event: Mapping[str, Any]) -> None:
        """The scores of a round: nothing new."""

    def end(self, event: Mapping[str, Any]) -> None:
        """The end of the game."""
        self.clauses["LC-4.5 draw"] += event["winner"] is None

    def all(self, end: Mapping[str, Any]) -> dict[str, Any]:
        """Every column but the probe's, as nested lists; clauses that fired, by name."""
        return {
            "winner": -1 if end["winner"] is None else end["winner"],
            "unfinished": int(end["reason"] == "max_turns"),
            "turns": self.turns,
            "rounds": len(self.game.rounds),
            "scores": end["scores"],
            **self.of_seat,
            **self.by_rank,
            "clauses": {clause: times for clause, times in self.clauses.items() if times},
        }


def columns(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """All columns of the game that a transcript tells; the transcript is taken to be right."""
    game, *others = events
    counted = Columns(Rules.from_options(game["rules"]))
    for event in others:
        getattr(counted, event["type"])(event)
    return counted.all(others[-1])
