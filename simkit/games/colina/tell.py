"""A game of Colina told: transcript events, the words of a play and of a view, all read off the compiled records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simkit.games.colina.cards import name_of
from simkit.games.colina.counts import CLAUSES, E_RESHUFFLE, E_RESHUFFLE_MID

_NAMES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace", "joker": "joker"}
_PLAY = ("COL-2", "COL-3")  # clauses of one seat's play; COL-4 belongs to the round
_TURNS = {"COL-4.3 hill": "the lower total wins", "COL-4.5 mirror": "the mirror swaps the loss"}


def cards_of(hand: np.void, slots: int) -> list[str]:
    """Names of the cards in some slots of a hand (a view, or a seat of the state)."""
    return [name_of(int(hand["hand"][i])) for i in range(6) if slots >> i & 1]


def split(hand: np.void, move: int) -> tuple[list[str], str | None]:
    """A move as (front line, back line or None)."""
    back = (move >> 6) - 1
    return cards_of(hand, move & 63), name_of(int(hand["hand"][back])) if 0 <= back < 6 else None


def move_words(view: np.void, move: int) -> str:
    """A move as `4h 7h + Js`: front line, then the back line."""
    if move < 0 or move >> 9:
        return f"{move} (no such move)"
    front, back = split(view, move)
    return (" ".join(front) or "an empty front line") + (f" + {back}" if back else "")


def view_words(view: np.void) -> str:
    """What a seat saw, in one line."""
    hand = " ".join(cards_of(view, int(view["held"])))
    return (
        f"round {view['round']}, hand {hand}, {view['points']} TP against {view['their_points']}, "
        f"the opponent holds {view['their_cards']} cards, {view['pile']} in the draw pile"
    )


def _clauses(seat: np.void, groups: Sequence[str]) -> list[str]:
    events = int(seat["events"])
    return [text for i, (text, _) in enumerate(CLAUSES) if events >> i & 1 and text.startswith(tuple(groups))]


class Teller:
    """Turns the states of a game before and after each decision into transcript events."""

    def start(self, state: np.void) -> Iterator[dict[str, Any]]:
        """The first deal."""
        for number in range(2):
            yield self._draw(state["seats"], number)

    def after(self, before: np.void, state: np.void, seat: int) -> Iterator[dict[str, Any]]:
        """What the decision of `seat` led to: nothing until both have chosen (COL-2.1)."""
        if seat == 0:
            return
        number, seats = int(state["round"]), state["seats"]
        for player in range(2):
            front, back = split(before["seats"][player], int(seats[player]["move"]))
            clauses = _clauses(seats[player], _PLAY)
            yield {"type": "play", "round": number, "player": player, "front": front, "back": back, "clauses": clauses}
        yield {
            "type": "result",
            "round": number,
            "totals": [int(s["total"]) for s in seats],
            "damage": [int(s["damage"]) for s in seats],
            "points": [int(s["points"]) for s in seats],
            "clauses": [c for s in seats for c in _clauses(s, ("COL-4",))],
        }
        for player in range(2):
            if seats[player]["drew"]:
                yield self._draw(seats, player)

    def end(self, state: np.void, outcome: np.void) -> dict[str, Any]:
        """How the game ended."""
        winner = int(outcome["winner"])
        return {
            "type": "end",
            "winner": None if winner < 0 else winner,
            "reason": "max_rounds" if outcome["unfinished"] else "points",
            "points": [int(p) for p in outcome["points"]],
            "clauses": _clauses(state["seats"][0], ("COL-6",)),
        }

    def _draw(self, seats: np.ndarray, number: int) -> dict[str, Any]:
        seat = seats[number]
        return {
            "type": "draw",
            "player": number,
            "cards": cards_of(seat, int(seat["held"])),
            "reshuffled": bool(int(seat["events"]) & (1 << E_RESHUFFLE | 1 << E_RESHUFFLE_MID)),
            "clauses": _clauses(seat, ("COL-5",)),
        }


class Narrator:
    """Says the events of one game as a player would, in order: it keeps track of the hands, to say what stays in them.

    Args:
        names: what each seat is called.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.hands: list[list[str]] = [[] for _ in names]

    def words(self, event: Mapping[str, Any]) -> str:
        """One event, with the clauses that fired."""
        say = {"draw": self._draw, "play": self._play, "result": self._result, "end": self._end}[event["type"]]
        clauses = f"   [{'; '.join(event['clauses'])}]" if event["clauses"] else ""
        return f"{say(event)}{clauses}"

    def _draw(self, event: Mapping[str, Any]) -> str:
        self.hands[event["player"]] = list(event["cards"])
        reshuffled = " (the dead pile was reshuffled)" if event["reshuffled"] else ""
        return f"{self.names[event['player']]} draws {' '.join(event['cards'])}{reshuffled}"

    def _play(self, event: Mapping[str, Any]) -> str:
        hand, back = self.hands[event["player"]], event["back"]
        for card in [*event["front"], *([back] if back else [])]:
            hand.remove(card)
        head = f"Round {event['round']}\n" if event["player"] == 0 else ""
        behind = f", behind it {back} ({_back_name(back)})" if back else ""
        kept = f"keeps {' '.join(hand)}" if hand else "keeps nothing"
        return f"{head}  {self.names[event['player']]} plays {' '.join(event['front'])}{behind}; {kept}"

    def _result(self, event: Mapping[str, Any]) -> str:
        first, second = event["totals"]
        left = f"TP {event['points'][0]} and {event['points'][1]}"
        if not any(event["damage"]):
            return f"  {first} against {second}: nobody loses TP; {left}"
        turns = "".join(f", {text}" for clause, text in _TURNS.items() if clause in event["clauses"])
        loser = 0 if event["damage"][0] else 1
        return f"  {first} against {second}{turns}: {self.names[loser]} loses {event['damage'][loser]} TP; {left}"

    def _end(self, event: Mapping[str, Any]) -> str:
        winner, points = event["winner"], event["points"]
        if winner is None:
            return f"The round limit ends the game without a winner, TP {points[0]} and {points[1]}"
        return f"{self.names[winner]} wins with {points[winner]} TP left"


def _back_name(card: str) -> str:
    return _NAMES["joker" if card == "*" else card[:-1]]
