"""A game of Hakka cards told: transcript events, the words of a move and of a view, read off the compiled records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simkit.games.hakka import counts as c
from simkit.games.hakka.cards import PACK, PATTERNS, names_of
from simkit.games.hakka.moves import CARDS_OF_MOVE, DISCARD, NO, YES
from simkit.games.hakka.words import (
    BEST_SEAT,
    CALL,
    CLAIM,
    DEALER,
    DECISION,
    DREAMER,
    FIVE_TIGERS,
    FOLLOW,
    LEAD,
    LEADER,
    LEFT,
    PATTERN,
    told_byte,
    told_tricks,
)

_ANSWERS = {FIVE_TIGERS: ("decline", "five tigers"), CALL: ("pass", "call"), CLAIM: ("play on", "claim")}

# The event of a transcript that names a clause which fired in the decision.
_TOLD: dict[str, tuple[int, ...]] = {
    "hand": (c.E_TIGERS_DEALT,),
    "five_tigers": (c.E_TIGERS_TAKEN,),
    "call": (c.E_DEALER_CALLED, c.E_HANDED_ON),
    "cancelled": (c.E_CANCELLED,),
    "play": (
        c.E_SINGLE_LED, c.E_RUN_LED, c.E_SET_LED, c.E_SINGLE_BEATEN, c.E_RUN_BEATEN, c.E_SET_BEATEN, c.E_ONES_BEATEN,
        c.E_ONES_BEAT, c.E_DISCARDED, c.E_NOT_BEATEN, c.E_ELDER_LED, c.E_PRIVILEGED_ELDER,
    ),
    "claim": (c.E_CLAIMED, c.E_CLAIMED_LAST, c.E_NEW_ELDER),
    "declined": (c.E_TIGERS_DECLINED, c.E_PLAYED_ON),
    "hand_end": (c.E_RAN_OUT, c.E_FIRST_OF_TWO, c.E_NO_WINNER, c.E_MATCH, c.E_PRIVILEGED_PAYS),
}  # fmt: skip


def _clauses(state: np.void, told_as: str) -> list[str]:
    """The clauses of the last decision that belong to an event."""
    events = int(state["events"])
    return [c.CLAUSE_IDS[clause] for clause in _TOLD[told_as] if events >> clause & 1]


def move_words(view: np.void, move: int) -> str:
    """A move as `S4 S5 S6`, `discard Z2`, `call` or `pass`."""
    if move in (NO, YES):
        return _ANSWERS.get(int(view["decision"]), ("no", "yes"))[move - NO]
    cards = move & ~DISCARD
    if move < 0 or not cards or cards & ~int(PACK):
        return f"{move} (no such move)"
    return " ".join([*(["discard"] if move & DISCARD else []), *names_of(cards)])


def view_words(view: np.void) -> str:
    """What a seat saw, in one line."""
    asked = {
        FIVE_TIGERS: "Five Tigers or not",
        CALL: "call or pass",
        LEAD: "about to lead",
        FOLLOW: f"to follow {' '.join(names_of(int(view['best'])))}",
        CLAIM: "claim or play on",
    }[int(view["decision"])]
    role = (
        "dealer" if view["seat"] == view["dealer"] else "Privileged" if view["seat"] == view["privileged"] else "active"
    )
    hand, elders = int(view["hand"]), int(view["hand"] & view["elders"])
    won, points = (" ".join(str(int(n)) for n in view[field]) for field in ("won", "points"))
    return (
        f"{asked}, {role}, hand {' '.join(names_of(hand)) or 'empty'}, Elders {' '.join(names_of(elders)) or 'none'}, "
        f"tricks by seat {won}, {int(view['hands'])} hands over, points by seat {points}"
    )


class Teller:
    """Turns the states of a game before and after each decision into transcript events.

    A claim or the Five Tigers declined are no events: their clauses are told with what comes next.
    """

    def __init__(self) -> None:
        self._plays: list[dict[str, Any]] = []  # of the trick so far
        self._clauses: list[str] = []  # of these, and of what was declined before

    def start(self, state: np.void) -> Iterator[dict[str, Any]]:
        """The first hand."""
        yield self._hand(state)

    def after(self, before: np.void, state: np.void, seat: int) -> Iterator[dict[str, Any]]:
        """What a decision of `seat` led to."""
        over = int(state["deals"]) > int(before["deals"])
        decision, yes = told_byte(before["table"], DECISION), int(state["move"]) == YES
        if decision in (LEAD, FOLLOW):
            yield from self._play(before, state, seat, over)
        elif decision == CALL:
            clauses = self._declined() + _clauses(state, "call")
            yield {"type": "call", "player": seat, "call": yes, "clauses": clauses}
        elif not yes:
            self._clauses += _clauses(state, "declined")
        elif decision == FIVE_TIGERS:
            yield {"type": "five_tigers", "player": seat, "clauses": _clauses(state, "five_tigers")}
        else:
            yield self._claim(before, state, seat)
        if over:
            cancelled = decision == CALL
            yield {"type": "cancelled", "clauses": _clauses(state, "cancelled")} if cancelled else self._hand_end(state)
            if state["turn"] >= 0:
                yield self._hand(state)

    def _declined(self) -> list[str]:
        """The clauses that wait to be told."""
        waiting, self._clauses = self._clauses, []
        return waiting

    def end(self, state: np.void, outcome: np.void) -> dict[str, Any]:
        """How the game ended."""
        winner, unfinished = int(outcome["winner"]), bool(outcome["unfinished"])
        shared = winner < 0 and not unfinished
        return {
            "type": "end",
            "winner": None if winner < 0 else winner,
            "reason": "max_redeals" if unfinished else "hands",
            "points": [int(points) for points in state["points"]],
            "clauses": [c.CLAUSE_IDS[c.E_SHARED]] if shared else [c.CLAUSE_IDS[c.E_UNFINISHED]] if unfinished else [],
        }

    def _hand(self, state: np.void) -> dict[str, Any]:
        dreamer = told_byte(state["roles"], DREAMER)
        return {
            "type": "hand",
            "dealer": told_byte(state["roles"], DEALER),
            "dreamer": dreamer,
            "hands": {str(seat): names_of(int(hand)) for seat, hand in enumerate(state["dealt"]) if seat != dreamer},
            "dreamer_card": names_of(int(state["dream"]))[0],
            "clauses": _clauses(state, "hand"),
        }

    def _play(self, before: np.void, state: np.void, seat: int, over: bool) -> Iterator[dict[str, Any]]:
        """The trick, once all three have played."""
        move, table = int(state["move"]), before["table"]
        is_discard = bool(move & DISCARD)
        if told_byte(table, DECISION) == LEAD:
            self._plays = []
        self._plays.append({"player": seat, "cards": names_of(move & CARDS_OF_MOVE), "discard": is_discard})
        self._clauses += _clauses(state, "play")
        if told_byte(table, DECISION) == FOLLOW and told_byte(table, LEFT) == 0:
            yield {
                "type": "trick",
                "leader": told_byte(table, LEADER),
                "pattern": PATTERNS[told_byte(table, PATTERN)],
                "plays": self._plays,
                "winner": told_byte(table, BEST_SEAT) if is_discard else seat,
                "tricks": told_tricks(state["end_won"] if over else state["won"]),
                "clauses": self._declined(),
            }

    def _claim(self, before: np.void, state: np.void, seat: int) -> dict[str, Any]:
        elders = names_of(int(before["hand"][seat]) & int(before["elders"]))
        tricks = told_tricks(before["won"])[seat]
        return {
            "type": "claim", "player": seat, "tricks": tricks, "elders": elders, "clauses": _clauses(state, "claim"),
        }  # fmt: skip

    def _hand_end(self, state: np.void) -> dict[str, Any]:
        winner = int(state["end_winner"])
        won = winner >= 0
        return {
            "type": "hand_end",
            "winner": winner if won else None,
            "winner_tricks": int(state["end_tricks"]) if won else None,
            "dreamer_tricks": int(state["end_dreamer"]) if won else None,
            "points": [int(points) for points in state["end_points"]],
            "clauses": self._declined() + _clauses(state, "hand_end"),
        }


class Narrator:
    """Says the events of one game as a player would, in order: it keeps track of the hands.

    Args:
        names: what each seat is called.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.hands: dict[int, list[str]] = {}

    def words(self, event: Mapping[str, Any]) -> str:
        """One event, with the clauses that fired."""
        say: dict[str, Callable[[Mapping[str, Any]], str]] = {
            "hand": self._hand,
            "five_tigers": lambda e: f"  {self.names[e['player']]} shows the Five Tigers",
            "call": lambda e: f"  {self.names[e['player']]} {'calls' if e['call'] else 'passes'}",
            "cancelled": lambda e: "  nobody called: the hand is cancelled",
            "trick": self._trick,
            "claim": self._claim,
            "hand_end": self._hand_end,
            "end": self._end,
        }
        clauses = f"   [{'; '.join(event['clauses'])}]" if event["clauses"] else ""
        return f"{say[event['type']](event)}{clauses}"

    def _hand(self, event: Mapping[str, Any]) -> str:
        self.hands = {int(seat): list(hand) for seat, hand in event["hands"].items()}
        held = "; ".join(f"{self.names[seat]} holds {' '.join(hand)}" for seat, hand in self.hands.items())
        dreamer = f"{self.names[event['dreamer']]} dreams on {event['dreamer_card']}"
        return f"{self.names[event['dealer']]} deals, {dreamer}: {held}"

    def _trick(self, event: Mapping[str, Any]) -> str:
        done = []
        for number, play in enumerate(event["plays"]):
            hand = self.hands[play["player"]]
            for card in play["cards"]:
                hand.remove(card)
            verb = "leads" if number == 0 else "discards" if play["discard"] else "beats with"
            done.append(f"{self.names[play['player']]} {verb} {' '.join(play['cards'])}")
        tricks = " ".join(map(str, event["tricks"]))
        return f"  {', '.join(done)}: {self.names[event['winner']]} takes it; tricks by seat {tricks}"

    def _claim(self, event: Mapping[str, Any]) -> str:
        elders = f" and the Elders {' '.join(event['elders'])}" if event["elders"] else ""
        return f"  {self.names[event['player']]} claims with {_counted(event['tricks'], 'trick')}{elders}"

    def _hand_end(self, event: Mapping[str, Any]) -> str:
        if event["winner"] is None:
            return "  the cards ran out and nobody has 6 tricks: nothing is scored"
        tricks, points = _counted(event["winner_tricks"], "trick"), " ".join(map(str, event["points"]))
        dreamer = _counted(event["dreamer_tricks"], "trick")
        won = f"{self.names[event['winner']]} wins the hand with {tricks}"
        return f"  {won}, the Dreamer wakes with {dreamer}; points {points}"

    def _end(self, event: Mapping[str, Any]) -> str:
        points = f"points {' '.join(map(str, event['points']))}"
        if event["reason"] == "max_redeals":
            return f"The game is stopped, as hand after hand was cancelled; {points}"
        if event["winner"] is None:
            return f"Nobody wins, the highest total is shared; {points}"
        return f"{self.names[event['winner']]} wins; {points}"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
