"""What the compiled game counts about a game, counted again in plain Python from nothing but its transcript.

Kinds are in the order of KINDS, seats first; clauses go by the words of the rule coverage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tests.slow.colina import (
    FRONT_VALUES,
    JOKER,
    Play,
    Rules,
    effect,
    is_last_card_mirror,
    is_support,
    is_value,
    pack,
    rank_of,
    resolve,
)

KINDS = ["J", "Q", "K", "A", JOKER]
TWINS = {"K": "A", "A": "K"}
HIGHEST_OF_CLASS = (0, 4, 7, 10, 15)  # of front totals; the last class has no end
PATH = range(5, 125, 5)  # rounds after which TP are noted


class Columns:
    """Counts up while the events of one game are read."""

    def __init__(self, rules: Rules) -> None:
        """Nothing counted yet."""
        self.rules = rules
        self.hands: list[list[str]] = [[], []]
        self.pile, self.dead = len(pack(rules)), 0
        self.points = [(rules.start_points, rules.start_points)]  # after each round, and before the first
        self.plays: list[Play] = []
        self.draws = 0
        self.opening = [[0] * 5, [0] * 5]
        self.by_kind = {name: [[0] * 5, [0] * 5] for name in ("drawn", "backed", "blocked", "moved", "gained")}
        self.behind = [[[0] * 6 for _ in KINDS] for _ in range(2)]
        self.twins = {name: Counter[str]() for name in ("unblocked", "twin_differs")}
        self.cards_played = [0, 0]
        self.ties = 0
        self.clauses: Counter[str] = Counter()

    def draw(self, event: Mapping[str, Any]) -> None:
        """The first deal or a refill (COL-5.2, 5.3)."""
        seat, cards = event["player"], event["cards"]
        for card in cards:
            if rank_of(card) in KINDS:
                self.by_kind["drawn"][seat][KINDS.index(rank_of(card))] += 1
        self.draws += 1
        if self.draws <= 2:
            self.opening[seat] = list(self.by_kind["drawn"][seat])
        else:
            self.clauses["COL-5.2 refill"] += 1
        if event["reshuffled"]:
            self.clauses["COL-5.3 reshuffle in a refill" if self.pile else "COL-5.3 reshuffle"] += 1
            self.pile, self.dead = self.pile + self.dead, 0
        self.pile -= len(cards)
        self.hands[seat] = list(cards)

    def play(self, event: Mapping[str, Any]) -> None:
        """One seat's choice; with the second one the round is resolved."""
        self.plays.append((event["front"], event["back"]))
        if len(self.plays) < 2:
            return
        for seat in (0, 1):
            self._note_play(*self.plays[seat])
        self._note_effects()
        for seat, (front, back) in enumerate(self.plays):
            played = [*front] if back is None else [*front, back]
            self.cards_played[seat] += len(played)
            self.dead += len(played)
            for card in played:
                self.hands[seat].remove(card)
        self.plays = []

    def _note_play(self, front: Sequence[str], back: str | None) -> None:
        cards = [card for card in front if card != JOKER]
        if len(cards) > 1 and is_value(cards[0]):
            fired = {"COL-3.1 value siamese": True, "COL-3.2 joker in a siamese": JOKER in front}
        elif len(cards) > 1:
            fired = {"COL-3.1 support siamese": True, "COL-3.3 joker in a support siamese": JOKER in front}
        else:
            fired = {"COL-3.2 joker alone": not cards, "COL-2.5 support in front": any(map(is_support, cards))}
        fired["COL-2.4 joker behind"] = back == JOKER
        self.clauses.update(clause for clause, did in fired.items() if did)

    def _note_effects(self) -> None:
        wanted = [effect(self.rules, seat, self.hands[seat], self.plays[seat]) for seat in (0, 1)]
        unblocked = [None if wanted[1 - seat] == "Q" != wanted[seat] else wanted[seat] for seat in (0, 1)]
        totals, damage, _ = resolve(self.rules, self.hands, self.plays)
        self.ties += damage == (0, 0)
        self.clauses["COL-4.4 tie"] += totals[0] == totals[1]
        self.clauses.update(round_clauses(wanted, unblocked))
        for seat in (0, 1):
            blocked = wanted[seat] is not None and unblocked[seat] is None
            if is_last_card_mirror(self.hands[seat], self.plays[seat]) and wanted[seat] == "A":
                self.clauses["COL-4.7 last-card mirror" + " blocked" * blocked] += 1
            if self.plays[seat][1] is not None:
                self._note_back(seat, damage[1 - seat] - damage[seat], blocked)
            if unblocked[seat] in TWINS:
                self._note_twin(seat, str(unblocked[seat]), damage)

    def _note_back(self, seat: int, gained: int, blocked: bool) -> None:
        front, back = self.plays[seat]
        assert back is not None
        kind = KINDS.index(rank_of(back))
        without = self._damage_with(seat, JOKER)  # a joker behind has no effect
        total = sum(FRONT_VALUES[rank_of(card)] for card in front)
        self.by_kind["backed"][seat][kind] += 1
        self.by_kind["blocked"][seat][kind] += blocked
        self.by_kind["gained"][seat][kind] += gained
        self.by_kind["moved"][seat][kind] += gained - (without[1 - seat] - without[seat])
        self.behind[seat][kind][sum(total > highest for highest in HIGHEST_OF_CLASS)] += 1

    def _note_twin(self, seat: int, rank: str, damage: tuple[int, int]) -> None:
        """COL-4.9: an ace's effect for the king's or the other way round; a twin switched off is switched on for it."""

        def on(kind: str) -> tuple[bool, bool]:
            return seat == 0 or self.rules.on(kind, 0), seat == 1 or self.rules.on(kind, 1)

        other = self._damage_with(seat, TWINS[rank] + "s", replace(self.rules, king_on=on("K"), ace_on=on("A")))
        self.twins["unblocked"][rank] += 1
        self.twins["twin_differs"][rank] += other != damage

    def _damage_with(self, seat: int, back: str, rules: Rules | None = None) -> tuple[int, int]:
        """The damage of this round had `seat` played `back` behind the same front line."""
        plays = list(self.plays)
        plays[seat] = (self.plays[seat][0], back)
        return resolve(rules or self.rules, self.hands, plays).damage

    def result(self, event: Mapping[str, Any]) -> None:
        """TP after the round."""
        self.points.append((event["points"][0], event["points"][1]))
        self.clauses["COL-5.2 both refill"] += 0 not in event["points"] and self.hands == [[], []]

    def end(self, event: Mapping[str, Any]) -> None:
        """The end of the game, after which nobody has refilled."""
        if event["reason"] == "points":
            self.clauses["COL-6.1 end"] += 1
        else:
            self.clauses["COL-6.3 unfinished"] += 1
            self.clauses["COL-5.2 both refill"] -= self.hands == [[], []]

    def all(self, end: Mapping[str, Any]) -> dict[str, Any]:
        """Every column, as nested lists; clauses that fired, by name."""
        leads = [a - b for a, b in self.points]
        leaders = [lead > 0 for lead in leads if lead]
        rounds = len(self.points) - 1
        return {
            "winner": -1 if end["winner"] is None else end["winner"],
            "unfinished": int(end["reason"] == "max_rounds"),
            "rounds": rounds,
            "points": end["points"],
            "scores": end["points"],
            "ties": self.ties,
            "lost": [self.rules.start_points - points for points in end["points"]],
            "lead_changes": sum(a != b for a, b in pairwise(leaders)),
            "behind_most": [max(0, *(-lead for lead in leads)), max(0, *leads)],
            "cards_played": self.cards_played,
            "opening": self.opening,
            **self.by_kind,
            "behind": self.behind,
            **{name: [counts["K"], counts["A"]] for name, counts in self.twins.items()},
            "path": [[self.points[min(at, rounds)][seat] for at in PATH] for seat in (0, 1)],
            "clauses": {clause: times for clause, times in self.clauses.items() if times},
        }


def round_clauses(wanted: Sequence[str | None], unblocked: Sequence[str | None]) -> list[str]:
    """The clauses of COL-4.1 to 4.5 that fire for the effects asked for and those left after blocking."""
    fired = []
    for mine, theirs in (wanted, wanted[::-1]):
        if mine == "Q" != theirs:
            fired.append("COL-4.1 queen in vain" if theirs is None else "COL-4.1 queen blocks")
    fired += ["COL-4.1 two queens"] * (list(wanted) == ["Q", "Q"])
    fired += ["COL-4.2 jack doubles"] * list(unblocked).count("J")
    for rank, one, two in (("K", "COL-4.3 hill", "COL-4.3 two kings"), ("A", "COL-4.5 mirror", "COL-4.5 two mirrors")):
        fired += [[], [one], [two]][list(unblocked).count(rank)]
    return fired


def columns(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """All columns of the game that a transcript tells; the transcript is taken to be right."""
    game, *others = events
    counted = Columns(Rules.from_options(game["rules"]))
    for event in others:
        getattr(counted, event["type"])(event)
    return counted.all(others[-1])
