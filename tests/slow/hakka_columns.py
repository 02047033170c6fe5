"""What the compiled game counts about a game, counted again in plain Python from nothing but its transcript.

Lists of four are by seat; lists within them by role: dealer, Privileged player, other active player, Dreamer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tests.slow.hakka import (
    ELDERS,
    FIVE_TIGERS,
    GOAL,
    PACK,
    SEATS,
    SINGLE,
    Cards,
    Play,
    Rules,
    elders,
    follows,
    has_five_tigers,
    may_claim,
    number_of,
    pattern_of,
    privileged_of,
    single_beats,
)

Event = Mapping[str, Any]

ROLES = ("dealer", "privileged", "active", "dreamer")
HIGH = 10  # tricks of a hand that counts as high
BY_SEAT = ("hands_won", "calls", "claims")
BY_ROLE = ("hands_role", "wins_role", "points_role")


class Follower:
    """Follows the events of a game and knows what lies where, and what everybody has seen."""

    def __init__(self, rules: Rules) -> None:
        """Nothing dealt yet."""
        self.rules = rules
        self.points = [0, 0, 0, 0]
        self.hands_over = self.redeals = 0
        self.last = ""  # the type of the last event

    def read(self, event: Event) -> None:
        """Takes the next event into account."""
        getattr(self, event["type"], lambda event: None)(event)
        self.last = event["type"]

    @property
    def may_say(self) -> tuple[str, int] | None:
        """What may be claimed before the next event, five_tigers or claim, and by whom."""
        if self.last == "trick" and may_claim(self.won[self.leader], tuple(self.hands[self.leader]), self.gone):
            return "claim", self.leader
        when = {"hand": "after_deal", "call": "after_call"}.get(self.last)
        if when and (self.last == "hand" or self.caller is not None):
            holders = [seat for seat, cards in self.dealt.items() if has_five_tigers(self.rules, cards, when)]
            return ("five_tigers", holders[0]) if holders else None
        return None

    @property
    def privileged(self) -> int | None:
        """The Privileged player."""
        return privileged_of(self.dealer, self.caller)

    def hand(self, event: Event) -> None:
        """A new deal."""
        self.dealer, self.dreamer = event["dealer"], event["dreamer"]
        self.dealt = {int(seat): set(cards) for seat, cards in event["hands"].items()}
        self.hands = {seat: set(cards) for seat, cards in self.dealt.items()}
        self.caller: int | None = None
        self.first_six: int | None = None
        self.passes = 0
        self.gone: set[str] = set()
        self.won = [0, 0, 0, 0]
        self.winning: list[set[str]] = [set() for _ in SEATS]
        self.played: list[set[str]] = [set() for _ in SEATS]  # seen by all
        self.lacks: list[set[str]] = [set() for _ in SEATS]
        self.table: list[Play] = []

    def call(self, event: Event) -> None:
        """A call or a pass."""
        if event["call"]:
            self.caller = event["player"]
        else:
            self.passes += 1

    def cancelled(self, event: Event) -> None:
        """Nobody called."""
        self.redeals += 1

    @property
    def best(self) -> Play:
        """The best pattern on the table."""
        return [play for play in self.table if not play.discard][-1]

    def play(self, play: Play) -> None:
        """One player's part of a trick."""
        if play.discard and self.rules.must_beat and len(self.best.cards) == 1:
            self.lacks[play.player] |= {card for card in PACK if single_beats(self.best.cards[0], card)}
        self.table.append(play)
        self.hands[play.player] -= set(play.cards)
        if not play.discard or self.rules.discards == "face_up":
            self.played[play.player] |= set(play.cards)

    def trick(self, event: Event) -> None:
        """A whole trick, or what of it was not played one by one."""
        for play in plays_of(event)[len(self.table) :]:
            self.play(play)
        winner, count = event["winner"], len(self.best.cards)
        self.leader = winner
        self.winning[winner] |= set(self.best.cards)
        self.won[winner] += count
        if self.first_six is None and self.won[winner] >= GOAL:
            self.first_six = winner
        self.gone = set().union(*self.played)
        self.table = []

    def hand_end(self, event: Event) -> None:
        """The hand is over."""
        self.points = [a + b for a, b in zip(self.points, event["points"], strict=True)]
        self.hands_over += 1
        self.redeals = 0


def plays_of(event: Event) -> list[Play]:
    """The plays of a trick."""
    return [Play(play["player"], tuple(play["cards"]), play["discard"]) for play in event["plays"]]


class Columns(Follower):
    """Counts up while it follows."""

    def __init__(self, rules: Rules) -> None:
        """Nothing counted yet."""
        super().__init__(rules)
        self.by_seat = {name: [0, 0, 0, 0] for name in BY_SEAT}
        self.by_role = {name: [[0] * len(ROLES) for _ in SEATS] for name in BY_ROLE}
        self.by_tricks = {"won_with": [0] * 7, "moved_with": [0] * 7}
        self.counts: Counter[str] = Counter()
        self.clauses: Counter[str] = Counter()

    def read(self, event: Event) -> None:
        """Counts what was declined before the event, by silence."""
        if (open_to := self.may_say) and event["type"] != open_to[0]:
            self.clauses["HK-6.2 played on" if open_to[0] == "claim" else "HK-2.2 five tigers declined"] += 1
        super().read(event)

    def role(self, seat: int) -> int:
        """A seat's role in the hand, as a place in ROLES."""
        seats = {self.dealer: 0, self.dreamer: 3}
        return seats.get(seat, 1 if seat == self.privileged else 2)

    def hand(self, event: Event) -> None:
        """Counts the hands dealt, and the Five Tigers among them."""
        super().hand(event)
        self.counts["hands"] += 1
        self.counts["active_hands"] += len(self.dealt)
        self.clauses["HK-2.2 five tigers dealt"] += any(set(FIVE_TIGERS) <= cards for cards in self.dealt.values())

    def five_tigers(self, event: Event) -> None:
        """The hand is won at once."""
        self.clauses["HK-2.2 five tigers taken"] += 1

    def call(self, event: Event) -> None:
        """Counts the calls."""
        super().call(event)
        if event["call"]:
            self.by_seat["calls"][event["player"]] += 1
            self.clauses["HK-3.1 dealer called" if event["player"] == self.dealer else "HK-3.2 handed on"] += 1

    def cancelled(self, event: Event) -> None:
        """Counts the hands that nobody called."""
        super().cancelled(event)
        self.clauses["HK-3.4 cancelled"] += 1

    def play(self, play: Play) -> None:
        """Counts leads, what beats and what is discarded."""
        pattern = pattern_of(self.table[0].cards if self.table else play.cards)
        if not self.table:
            self.clauses[f"HK-4.2 {pattern} led"] += 1
            if pattern == SINGLE:
                self.lead_single(play.player, play.cards[0])
        elif play.discard:
            self.clauses["HK-4.4 discarded"] += 1
            able = follows(self.rules, self.table, tuple(self.hands[play.player])).beats
            self.clauses["HK-4.4 declined to beat"] += bool(able)
        else:
            self.clauses[f"HK-4.3 {pattern} beaten"] += 1
            self.clauses["HK-4.3 ones beaten"] += is_ones(self.best.cards)
            self.clauses["HK-4.3 ones beat"] += is_ones(play.cards)
        super().play(play)

    def lead_single(self, seat: int, card: str) -> None:
        """Counts Elders that are led."""
        old = elders(self.hands[seat], self.gone)
        if card in old:
            others = len(old) < len(self.hands[seat])
            self.clauses["HK-5.3 privileged elder" if others else "HK-5.3 elder led"] += 1

    def trick(self, event: Event) -> None:
        """Counts tricks."""
        super().trick(event)
        self.counts["tricks"] += 1

    def claim(self, event: Event) -> None:
        """Counts claims."""
        seat = event["player"]
        self.by_seat["claims"][seat] += 1
        self.clauses["HK-6.1 claimed"] += 1
        self.clauses["HK-6.1 claimed at the last"] += not self.hands[seat]
        self.clauses["HK-5.2 new elder"] += not set(event["elders"]) <= set(ELDERS)
        self.ended_by = "claim"

    def hand_end(self, event: Event) -> None:
        """Counts who won, by what, and the points."""
        winner = event["winner"]
        for seat in SEATS:
            self.by_role["hands_role"][seat][self.role(seat)] += 1
            self.by_role["points_role"][seat][self.role(seat)] += event["points"][seat]
            if set(FIVE_TIGERS) <= self.dealt.get(seat, set()):
                self.counts["tigers_won"] += winner == seat
                self.counts["tigers_points"] += event["points"][seat]
        self.counts["privileged"] += self.privileged is not None
        claimed, self.ended_by = getattr(self, "ended_by", ""), ""
        if winner is None:
            self.clauses["HK-6.2 no winner"] += 1
        else:
            self.count_win(event, winner)
            ran_out = not claimed and not self.hands[winner]
            self.clauses["HK-6.2 ran out"] += ran_out
            self.clauses["HK-6.2 first of two"] += ran_out and min(sorted(self.won)[-2:]) >= GOAL
        super().hand_end(event)

    def count_win(self, event: Event, winner: int) -> None:
        """Counts a hand that somebody won."""
        place, moved = event["winner_tricks"] - GOAL, sum(points for points in event["points"] if points > 0)
        self.by_seat["hands_won"][winner] += 1
        self.by_role["wins_role"][winner][self.role(winner)] += 1
        self.by_tricks["won_with"][place] += 1
        self.by_tricks["moved_with"][place] += moved
        self.counts["winner_tricks"] += event["winner_tricks"]
        self.counts["dreamer_tricks"] += event["dreamer_tricks"]
        self.counts["moved"] += moved
        if event["winner_tricks"] >= HIGH:
            self.counts["won_from_10"] += 1
            self.counts["moved_from_10"] += moved
        self.clauses["HK-6.4 dreamer match"] += event["dreamer_tricks"] > 5
        self.clauses["HK-6.6 privileged pays"] += self.privileged not in (None, winner)

    def end(self, event: Event) -> None:
        """The end of the game."""
        unfinished = event["reason"] == "max_redeals"
        self.clauses["HK-3.4 unfinished"] += unfinished
        self.clauses["HK-1.3 shared"] += event["winner"] is None and not unfinished


def is_ones(cards: Cards) -> bool:
    """Whether these are a set of 1s."""
    return len(cards) > 1 and set(map(number_of, cards)) == {1}


def columns(events: Iterable[Event]) -> dict[str, Any]:
    """All outcome columns of a game, and its clauses as a Counter without those that never fired."""
    told = list(events)
    counted = Columns(Rules.from_options(told[0]["rules"]))
    for event in told[1:]:
        counted.read(event)
    winner, clauses, counts = told[-1]["winner"], +counted.clauses, counted.counts
    dealt, cancelled, without = counts["hands"], clauses["HK-3.4 cancelled"], clauses["HK-6.2 no winner"]
    names = (
        *("active_hands", "tricks", "privileged", "winner_tricks", "dreamer_tricks", "won_from_10"),
        *("moved", "moved_from_10", "tigers_won", "tigers_points"),
    )
    return {
        "winner": -1 if winner is None else winner,
        "unfinished": clauses["HK-3.4 unfinished"],
        "hands": dealt,
        "hands_played": dealt - cancelled,
        "hands_cancelled": cancelled,
        "hands_without_winner": without,
        "hands_with_winner": dealt - cancelled - without,
        "scores": told[-1]["points"],
        "tigers_dealt": clauses["HK-2.2 five tigers dealt"],
        "tigers_taken": clauses["HK-2.2 five tigers taken"],
        **{name: counts[name] for name in names},
        **counted.by_seat,
        **counted.by_role,
        **counted.by_tricks,
        "clauses": clauses,
    }
