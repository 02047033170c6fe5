"""A game of Sixty-Six told: transcript events, the words of a move and of a view, read off the compiled records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simkit.games.sixty_six import counts as c
from simkit.games.sixty_six.cards import CARDS, NINES, NO_CARD, PLAIN_MARRIAGE, SUITS, TRUMP_MARRIAGE, name_of, names_of
from simkit.games.sixty_six.moves import CARD, CLOSE, EXCHANGE, MARRIAGE
from simkit.games.sixty_six.score import REASONS
from simkit.games.sixty_six.words import DEALER, LED, NONE, POINTS, TRICKS, told_byte

_SUIT_WORDS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_FLAGS = ((EXCHANGE, "exchange"), (CLOSE, "close"), (MARRIAGE, "marriage"))

# The event of a transcript that names a clause which fired in the decision.
_TOLD: dict[str, tuple[int, ...]] = {
    "exchange": (c.E_NINE,),
    "close": (c.E_CLOSED, c.E_CLOSED_AT_ONCE),
    "marriage": (c.E_MARRIAGE, c.E_TRUMP_MARRIAGE, c.E_PENDING, c.E_STRICT_MARRIAGE),
    "trick": (c.E_TRUMPED, c.E_DUTY, c.E_LATE, c.E_BONUS),
    "last draw": (c.E_EXHAUSTED,),
    "deal_end": (
        c.E_LOST, c.E_SHORT, c.E_OVERTAKEN, c.E_TRICK_66, c.E_MARRIAGE_66, c.E_TWO, c.E_THREE, c.E_NO_WINNER,
        c.E_BONUS_DECIDES, c.E_LAST_TRICK,
    ),
    "end": (c.E_MATCH, c.E_UNFINISHED),
}  # fmt: skip


def move_words(view: np.void, move: int) -> str:
    """A move as `exchange close marriage Kh`: what comes first, then the card."""
    if move < 0 or move > (CARD | CLOSE | EXCHANGE | MARRIAGE) or move & CARD >= CARDS:
        return f"{move} (no such move)"
    return " ".join([*(word for flag, word in _FLAGS if move & flag), name_of(move & CARD)])


def view_words(view: np.void) -> str:
    """What a seat saw, in one line."""
    led, turned, hand = int(view["led"]), names_of(int(view["turned"])), " ".join(names_of(int(view["hand"])))
    trump = SUITS[_lowest(int(view["trumps"])) & 3]
    if view["open"]:
        stock = f"{view['stock']} cards in the stock with {turned[0]} turned up"
    elif view["closer"] >= 0:
        stock = f"the stock closed by seat {view['closer']}"
    else:
        stock = "the stock exhausted"
    pending = f" and {view['pending']} pending" if view["pending"] else ""
    return (
        f"{'about to lead' if led == NO_CARD else name_of(led) + ' led'}, hand {hand}, "
        f"{_SUIT_WORDS[trump]} trump, {stock}, {view['points']} points{pending} against {view['their_points']}, "
        f"{view['tricks']} tricks against {view['their_tricks']}"
    )


def _lowest(cards: int) -> int:
    return (cards & -cards).bit_length() - 1


def _event(state: np.void, kind: str, told_as: str = "", **told: Any) -> dict[str, Any]:
    """An event with the clauses of the last decision that belong to it."""
    events = int(state["events"])
    clauses = [c.CLAUSE_IDS[clause] for clause in _TOLD.get(told_as or kind, ()) if events >> clause & 1]
    return {"type": kind, **told, "clauses": clauses}


class Teller:
    """Turns the states of a game before and after each decision into transcript events."""

    def start(self, state: np.void) -> Iterator[dict[str, Any]]:
        """The first deal."""
        yield self._deal(state)

    def after(self, before: np.void, state: np.void, seat: int) -> Iterator[dict[str, Any]]:
        """What a lead or a reply of `seat` led to."""
        over = int(state["deals"]) > int(before["deals"])
        if told_byte(before["table"], LED) == NONE:
            yield from self._lead(before, state, seat)
        else:
            yield from self._reply(before, state, seat, over)
        if over:
            yield self._deal_end(state)
            if state["turn"] >= 0:
                yield self._deal(state)

    def end(self, state: np.void, outcome: np.void) -> dict[str, Any]:
        """How the game ended."""
        winner = int(outcome["winner"])
        reason = REASONS[int(state["end_reason"])]
        events = int(state["events"])
        if events >> c.E_MATCH & 1:
            reason = "match_points"
        elif events >> c.E_UNFINISHED & 1:
            reason = "max_deals"
        scores = [int(score) for score in outcome["scores"]]
        return _event(state, "end", winner=None if winner < 0 else winner, reason=reason, scores=scores)

    def _deal(self, state: np.void) -> dict[str, Any]:
        hands = [names_of(int(hand)) for hand in state["hand"]]
        turned = names_of(int(state["turned"]))[0]
        return {
            "type": "deal",
            "dealer": told_byte(state["table"], DEALER),
            "hands": hands,
            "turned_up": turned,
            "clauses": [],
        }

    def _lead(self, before: np.void, state: np.void, seat: int) -> Iterator[dict[str, Any]]:
        move = int(state["move"])
        if move & EXCHANGE:
            yield self._exchange(before, state, seat)
        if move & CLOSE:
            yield _event(state, "close", player=seat)
        if move & MARRIAGE:
            card = move & CARD
            points = TRUMP_MARRIAGE if int(before["trumps"]) >> card & 1 else PLAIN_MARRIAGE
            pending = not told_byte(before["standing"][seat], TRICKS)
            yield _event(state, "marriage", player=seat, suit=SUITS[card & 3], points=points, pending=pending)

    def _exchange(self, before: np.void, state: np.void, seat: int) -> dict[str, Any]:
        nine = names_of(int(before["trumps"]) & int(NINES))[0]
        return _event(state, "exchange", player=seat, gives=nine, takes=names_of(int(before["turned"]))[0])

    def _reply(self, before: np.void, state: np.void, seat: int, over: bool) -> Iterator[dict[str, Any]]:
        winner = int(state["end_seat"] if over else state["turn"])
        now = [told_byte(standing, POINTS) for standing in state["standing"]]
        points = [int(p) for p in state["end_points"]] if over else now
        cards = [name_of(told_byte(before["table"], LED)), name_of(int(state["move"]))]
        yield _event(state, "trick", leader=1 - seat, cards=cards, winner=winner, points=points)
        if over:
            return
        exchanged = int(state["turned"]) not in (0, int(before["turned"]))
        for player in (winner, 1 - winner):
            drawn = int(state["hand"][player]) & ~int(before["hand"][player])
            if exchanged and player == winner:  # undone: what was taken is not what was drawn
                hand = int(state["hand"][player]) ^ int(before["turned"]) | int(state["turned"])
                drawn = hand & ~int(before["hand"][player])
            for card in names_of(drawn):
                told_as = "last draw" if player != winner else "draw"
                yield _event(state, "draw", told_as, player=player, card=card)
        if exchanged:
            yield self._exchange(before, state, winner)

    def _deal_end(self, state: np.void) -> dict[str, Any]:
        winner, worth = int(state["end_winner"]), int(state["end_worth"])
        return _event(
            state,
            "deal_end",
            points=[int(p) for p in state["end_points"]],
            game_points=[worth if seat == winner else 0 for seat in range(2)],
            winner=None if winner < 0 else winner,
            reason=REASONS[int(state["end_reason"])],
        )


class Narrator:
    """Says the events of one game as a player would, in order: it keeps track of the hands.

    Args:
        names: what each seat is called.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.hands: list[list[str]] = [[] for _ in names]

    def words(self, event: Mapping[str, Any]) -> str:
        """One event, with the clauses that fired."""
        say: dict[str, Callable[[Mapping[str, Any]], str]] = {
            "deal": self._deal,
            "exchange": self._exchange,
            "close": self._close,
            "marriage": self._marriage,
            "trick": self._trick,
            "draw": self._draw,
            "deal_end": self._deal_end,
            "end": self._end,
        }
        clauses = f"   [{'; '.join(event['clauses'])}]" if event["clauses"] else ""
        return f"{say[event['type']](event)}{clauses}"

    def _deal(self, event: Mapping[str, Any]) -> str:
        self.hands = [list(hand) for hand in event["hands"]]
        held = "; ".join(f"{name} holds {' '.join(hand)}" for name, hand in zip(self.names, self.hands, strict=True))
        turned = event["turned_up"]
        trump = _SUIT_WORDS[turned[-1]]
        return f"{self.names[event['dealer']]} deals: {held}; {turned} is turned up, {trump} are trump"

    def _exchange(self, event: Mapping[str, Any]) -> str:
        hand = self.hands[event["player"]]
        hand[hand.index(event["gives"])] = event["takes"]
        return f"  {self.names[event['player']]} exchanges {event['gives']} for {event['takes']}"

    def _close(self, event: Mapping[str, Any]) -> str:
        return f"  {self.names[event['player']]} closes the stock"

    def _marriage(self, event: Mapping[str, Any]) -> str:
        waits = ", pending until a trick is won" if event["pending"] else ""
        suit = _SUIT_WORDS[event["suit"]]
        return f"  {self.names[event['player']]} declares the marriage of {suit}: {event['points']} points{waits}"

    def _trick(self, event: Mapping[str, Any]) -> str:
        leader, (led, reply) = event["leader"], event["cards"]
        self.hands[leader].remove(led)
        self.hands[1 - leader].remove(reply)
        first, second = self.names[leader], self.names[1 - leader]
        takes = f"{self.names[event['winner']]} takes the trick; points {event['points'][0]} and {event['points'][1]}"
        return f"  {first} leads {led}, {second} replies {reply}: {takes}"

    def _draw(self, event: Mapping[str, Any]) -> str:
        hand = self.hands[event["player"]]
        hand.append(event["card"])
        return f"    {self.names[event['player']]} draws {event['card']}, now {' '.join(hand)}"

    def _deal_end(self, event: Mapping[str, Any]) -> str:
        winner, points = event["winner"], event["points"]
        result = f"the deal ends {points[0]} to {points[1]}"
        if winner is None:
            return f"  {result}: nobody has 66, nobody wins it"
        worth, name = event["game_points"][winner], self.names[winner]
        why = {
            "66": "",
            "failed_close": f", as {self.names[1 - winner]} closed and did not make it",
            "last_trick": " with the last trick",
        }[event["reason"]]
        return f"  {result}: {name} wins it{why}, {worth} game point{'' if worth == 1 else 's'}"

    def _end(self, event: Mapping[str, Any]) -> str:
        winner, (first, second) = event["winner"], event["scores"]
        if event["reason"] == "max_deals":
            return f"The match is stopped without a winner, game points {first} and {second}"
        if winner is None:
            return "Nobody wins"
        return f"{self.names[winner]} wins, game points {first} and {second}"
