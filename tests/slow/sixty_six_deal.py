"""The course of a deal and of a match of Sixty-Six, for the rules in tests/slow/sixty_six.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.slow.sixty_six import (
    GOAL,
    HAND_SIZE,
    PACK,
    Lead,
    Pair,
    Rules,
    Score,
    Table,
    beats,
    dealer_of,
    exchanged,
    leads,
    marriage_points,
    match_winner,
    may_close,
    may_exchange,
    may_marry,
    points_of,
    replies,
    score,
    suit_of,
)
from tests.slow.transcript import require


def raised(pair: Pair, seat: int, by: int) -> Pair:
    """The pair with one seat's half raised."""
    return (pair[0] + by, pair[1]) if seat == 0 else (pair[0], pair[1] + by)


class Deal:
    """A deal whose chance and choices come from outside, and are checked.

    Whoever drives it answers every seat in `due`, in order, with `draw`; with none due, the leader may `exchange`,
    `close` and `marry` and must `lead`, then the other must `reply`. `move` does a whole lead, or a reply, in one.
    `score` is set when the deal has ended. Breaches raise RuleError and change nothing. What happens is put on `told`
    as events of a transcript. `hidden` are the face-down cards, whose order nobody knows.
    """

    def __init__(self, rules: Rules, dealer: int, hands: Sequence[Sequence[str]], turned_up: str) -> None:
        """Deal (SS-1.2): six cards each, one turned up; the other one leads (SS-1.3)."""
        for seat in (0, 1):
            size = len(hands[seat])
            require(size == HAND_SIZE, f"seat {seat} is dealt {size} cards instead of {HAND_SIZE}")
        self._set_up(rules, hands, turned_up, [])
        self.hidden = set(PACK) - {*hands[0], *hands[1], turned_up}
        self.leader = 1 - dealer
        told = {"dealer": dealer, "hands": [list(hand) for hand in hands], "turned_up": turned_up}
        self._tell("deal", **told)
        self._begin_turn()

    def _set_up(
        self, rules: Rules, hands: Sequence[Sequence[str]], turned_up: str | None, talon: Sequence[str]
    ) -> None:
        shown = [*hands[0], *hands[1], *talon] + ([turned_up] if turned_up else [])
        twice = [card for card, times in Counter(shown).items() if times > 1 or card not in PACK]
        require(not twice, f"twice there, or in no pack: {' '.join(twice)}")
        self.rules = rules
        self.hands = [list(hand) for hand in hands]
        self.turned_up = turned_up
        self.trump = suit_of(turned_up) if turned_up else ""
        self.hidden = set(talon)
        self.closer: int | None = None
        self.leader = 0
        self.led: str | None = None  # the card on the table
        self.declared: str | None = None  # the suit of the marriage that this lead declares
        self.due: list[int] = []
        self.points: Pair = (0, 0)  # those that count
        self.pending: Pair = (0, 0)  # SS-5.2
        self.tricks_won: Pair = (0, 0)
        self.score: Score | None = None
        self.told: list[dict[str, Any]] = []
        self.fired: Counter[str] = Counter()  # how often each clause had a say

    @classmethod
    def at(cls, rules: Rules, position: dict[str, Any]) -> Deal:
        """A deal at a position of the known answers, with the leader about to lead."""
        deal = cls.__new__(cls)
        deal._set_up(rules, position["hands"], position["turned_up"], position["talon"])
        deal.trump, deal.closer, deal.leader = position["trump"], position["closer"], position["leader"]
        points, pending, won = position["points"], position["pending"], position["tricks_won"]
        deal.points, deal.pending, deal.tricks_won = (*points,), (*pending,), (*won,)
        deal._begin_turn()
        return deal

    @property
    def stock(self) -> int:
        """The cards left to draw, the turned-up one counted."""
        return len(self.hidden) + (self.turned_up is not None)

    @property
    def table(self) -> Table:
        """What lies open."""
        return Table(self.trump, self.turned_up, self.stock, self.closer, self.leader, self.tricks_won)

    @property
    def to_move(self) -> int:
        """Whose lead or reply it is, once nobody is due to draw."""
        return self.leader if self.led is None else 1 - self.leader

    def moves(self) -> list[str]:
        """Every distinct legal move of the one to move, written as in the known answers."""
        require(not self.due and self.score is None, "nobody is to move")
        hand = self.hands[self.to_move]
        if self.led is None:
            return [str(lead) for lead in leads(self.rules, self.table, hand)]
        return replies(self.rules, self.trump, self.table.is_open, self.led, hand)

    def move(self, text: str) -> None:
        """Carry out one of `moves`."""
        require(text in self.moves(), f"{text!r} is no legal move of seat {self.to_move}")
        *words, card = text.split()
        lead, seat = Lead(card, "marriage" in words, "close" in words, "exchange" in words), self.to_move
        if self.led is not None:
            self.reply(seat, card)
            return
        if lead.exchange:
            self.exchange(seat)
        if lead.close:
            self.close(seat)
        if lead.marriage:
            self.marry(seat, suit_of(card))
        if self.score is None:
            self.lead(seat, card)

    def draw(self, seat: int, card: str) -> None:
        """Give the next card of the stock to `seat` (SS-2.3, SS-2.4)."""
        require(self.score is None, "nobody draws after the end of the deal")
        require(bool(self.due) and self.due[0] == seat, f"seat {seat} draws, but due are {self.due}")
        if self.hidden:
            require(card in self.hidden, f"{card} is not among the face-down cards")
            self.hidden.remove(card)
        else:
            require(card == self.turned_up, f"{card} is drawn last, but {self.turned_up} is turned up")
            self.turned_up = None
            self.fired["SS-2.4"] += 1
        self.hands[seat].append(card)
        self.due.pop(0)
        self._tell("draw", player=seat, card=card)
        if not self.due:
            self._begin_turn()

    def _begin_turn(self) -> None:
        """The nine of trumps changes by itself, before anything else of the turn (SS-4.1)."""
        if self.rules.nine_exchange == "automatic" and may_exchange(self.rules, self.table, self.hands[self.leader]):
            self._exchange()

    def exchange(self, seat: int) -> None:
        """Change the nine of trumps for the turned-up card by choice (SS-4.3)."""
        self._check_lead(seat, "exchange")
        require(self.rules.nine_exchange == "optional", f"nine_exchange is {self.rules.nine_exchange!r}")
        require(may_exchange(self.rules, self.table, self.hands[seat]), f"seat {seat} may not exchange")
        self._exchange()

    def _exchange(self) -> None:
        nine, takes = "9" + self.trump, self.turned_up
        self.hands[self.leader] = exchanged(self.table, self.hands[self.leader])
        self.turned_up = nine
        self.fired["SS-4.1"] += 1
        self._tell("exchange", player=self.leader, gives=nine, takes=takes)

    def close(self, seat: int) -> None:
        """Close the stock (SS-6.1)."""
        self._check_lead(seat, "close")
        require(may_close(self.rules, self.table), f"seat {seat} may not close")
        self.closer = seat
        self.fired["SS-6.1"] += 1
        self._tell("close", player=seat)

    def marry(self, seat: int, suit: str) -> None:
        """Declare the marriage of this suit; the lead that follows must be one of the two (SS-5.1)."""
        self._check_lead(seat, "declare")
        require(may_marry(self.rules, self.table, self.hands[seat], suit), f"seat {seat} may not declare {suit}")
        worth = marriage_points(self.trump, suit)
        counts = self.tricks_won[seat] > 0  # SS-5.2
        if counts:
            self.points = raised(self.points, seat, worth)
        else:
            self.pending = raised(self.pending, seat, worth)
        self.declared = suit
        self.fired["SS-5.1" if counts else "SS-5.2"] += 1
        self._tell("marriage", player=seat, suit=suit, points=worth, pending=not counts)
        if self.points[seat] >= GOAL:  # SS-7.1: before the trick is played
            self.fired["SS-7.1"] += 1
            self._end(None)

    def _check_lead(self, seat: int, what: str) -> None:
        """Exchange, close and marriage come in this order, before the card; a marriage is the last of them."""
        self._check_turn(seat, what)
        require(self.led is None, f"seat {seat} may not {what} on a lead")
        require(self.declared is None, f"seat {seat} may not {what} after a marriage")

    def _check_turn(self, seat: int, what: str) -> None:
        require(self.score is None, f"seat {seat} may not {what} after the end of the deal")
        require(not self.due, f"seats {self.due} must draw first")
        require(seat == self.to_move, f"seat {seat} may not {what}: seat {self.to_move} is to move")

    def lead(self, seat: int, card: str) -> None:
        """Play the card that opens a trick: any (SS-2.1), or one of a marriage just declared (SS-5.1)."""
        self._check_turn(seat, "lead")
        require(self.led is None, f"seat {seat} may not lead on a lead")
        require(card in self.hands[seat], f"seat {seat} leads {card} from {self.hands[seat]}")
        if self.declared is not None:
            pair = ("K" + self.declared, "Q" + self.declared)
            require(card in pair, f"seat {seat} leads {card}, but must lead one of the marriage in {self.declared}")
        self.hands[seat].remove(card)
        self.led, self.declared = card, None

    def reply(self, seat: int, card: str) -> None:
        """Answer the lead, and give the trick to its winner."""
        self._check_turn(seat, "reply")
        require(self.led is not None, f"seat {seat} may not reply to nothing")
        assert self.led is not None
        hand, led = self.hands[seat], self.led
        require(card in hand, f"seat {seat} plays {card} from {hand}")
        allowed = replies(self.rules, self.trump, self.table.is_open, led, hand)
        require(card in allowed, f"seat {seat} may not play {card} on {led} from {hand}")
        self.fired["SS-3.1"] += len(allowed) < len(hand)
        hand.remove(card)
        winner = seat if beats(self.trump, led, card) else 1 - seat
        self._win_trick(winner, points_of(led) + points_of(card))
        self._tell("trick", leader=1 - seat, cards=[led, card], winner=winner, points=list(self.points))
        self.leader, self.led = winner, None
        self._after_trick(winner)

    def _win_trick(self, winner: int, worth: int) -> None:
        self.tricks_won = raised(self.tricks_won, winner, 1)
        if not any(self.hands) and self.closer is None and self.rules.last_trick == "bonus10":  # SS-7.3
            worth += 10
        waiting = self.pending[winner]  # SS-5.2: they count with the first trick
        self.points = raised(self.points, winner, worth + waiting)
        self.pending = raised(self.pending, winner, -waiting)

    def _after_trick(self, winner: int) -> None:
        if self.points[winner] >= GOAL:  # SS-7.1
            self._end(None)
        elif not any(self.hands):
            self._end(winner)
        elif self.table.is_open:  # SS-2.3; else there is nothing to draw, nor to exchange (SS-4.2)
            self.due = [winner, 1 - winner]

    def _end(self, last_trick_winner: int | None) -> None:
        self.score = score(self.rules, self.points, self.tricks_won, self.closer, last_trick_winner)
        winner, game_points, reason = self.score
        told = {"game_points": list(game_points), "winner": winner, "reason": reason}
        self.fired[{"66": "SS-7.2", "failed_close": "SS-6.3"}.get(reason, "SS-7.3")] += 1
        self._tell("deal_end", points=list(self.points), **told)

    def _tell(self, kind: str, **told: Any) -> None:
        self.told.append({"type": kind, **told})


class Game:
    """A single deal, or a match of deals (SS-7.4).

    Whoever drives it calls `deal`, plays that deal to its end and calls `count`, until `reason` is set.
    """

    def __init__(self, rules: Rules) -> None:
        """Nothing dealt yet."""
        self.rules = rules
        self.deals: list[Deal] = []
        self.total: Pair = (0, 0)  # game points
        self.winner: int | None = None
        self.reason: str | None = None

    def deal(self, hands: Sequence[Sequence[str]], turned_up: str) -> Deal:
        """Deal these cards."""
        require(self.reason is None, "nobody deals after the end of the game")
        self.deals.append(Deal(self.rules, dealer_of(len(self.deals)), hands, turned_up))
        return self.deals[-1]

    def count(self) -> None:
        """Count the deal that has just ended."""
        score = self.deals[-1].score
        require(score is not None, "the deal has not ended")
        assert score is not None
        self.total = (self.total[0] + score.game_points[0], self.total[1] + score.game_points[1])
        if self.rules.match_points == 0:  # a single deal
            self.winner, self.reason = score.winner, score.reason
        elif match_winner(self.rules, self.total) is not None:
            self.winner, self.reason = match_winner(self.rules, self.total), "match_points"
