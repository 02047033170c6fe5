"""A hand of Kuhn poker told: transcript events, and the words of a move, of a view and of the whole hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kuhn_poker.moves import BET, PASS
from kuhn_poker.rules import CARD_WORDS, CARDS

# What a move is called: by itself, and after a bet.
WORDS = {PASS: ("check", "fold"), BET: ("bet", "call")}


def move_words(view: np.void, move: int) -> str:
    """A move in a word."""
    return WORDS[move][int(view["facing"])] if move in WORDS else f"{move} (no such move)"


def view_words(view: np.void) -> str:
    """What a seat saw, in one line."""
    said = "the other has bet" if view["facing"] else "nobody has bet"
    return f"seat {view['seat']}, a {CARD_WORDS[int(view['card'])]}, {said}"


class Teller:
    """Turns the states of a hand before and after each decision into transcript events."""

    def start(self, state: np.void) -> Iterator[dict[str, Any]]:
        """The deal."""
        yield {"type": "deal", "cards": _cards(state), "clauses": []}

    def after(self, before: np.void, state: np.void, seat: int) -> Iterator[dict[str, Any]]:
        """The decision of `seat`."""
        move = BET if state["bets"][seat] > before["bets"][seat] else PASS
        word = WORDS[move][int(before["bets"][1 - seat])]
        clause = {"check": "KP-2.1 check", "bet": "KP-2.1 bet", "call": "KP-2.3 call", "fold": "KP-3.1 fold"}[word]
        yield {"type": "move", "player": seat, "move": word, "clauses": [clause]}

    def end(self, state: np.void, outcome: np.void) -> dict[str, Any]:
        """How the hand ended."""
        folded, scores = bool(outcome["folded"]), [int(score) for score in outcome["scores"]]
        clauses = [] if folded else ["KP-3.2 showdown"]
        return {"type": "end", "winner": int(outcome["winner"]), "scores": scores, "shown": not folded} | {
            "clauses": clauses
        }


def _cards(state: np.void) -> list[str]:
    return [CARDS[int(card)] for card in state["cards"]]


class Narrator:
    """Says the events of one hand as a player would, in order.

    Args:
        names: what each seat is called.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def words(self, event: Mapping[str, Any]) -> str:
        """One event."""
        if event["type"] == "deal":
            return "\n".join(f"  {name} holds {card}" for name, card in zip(self.names, event["cards"], strict=True))
        if event["type"] == "move":
            return f"  {self.names[event['player']]} {event['move']}s"
        how = "after the cards are shown" if event["shown"] else "without showing a card"
        winner = event["winner"]
        return f"{self.names[winner]} wins {event['scores'][winner]} {how}"
