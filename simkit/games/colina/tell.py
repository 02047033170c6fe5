"""A game of Colina told: transcript events, the words of a play and of a view, all read off the compiled records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simkit.games.colina.cards import name_of
from simkit.games.colina.counts import CLAUSES, E_RESHUFFLE, E_RESHUFFLE_MID

_NAMES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace", "joker": "joker"}
_PLAY = ("COL-2", "COL-3")  # clauses of one seat's play; COL-4 belongs to the round


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


def words(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """One event as a player would say it, with the clauses that fired."""
    kind = event["type"]
    clauses = f"   [{'; '.join(event['clauses'])}]" if event.get("clauses") else ""
    if kind == "draw":
        reshuffled = " (the dead pile was reshuffled)" if event["reshuffled"] else ""
        return f"{names[event['player']]} draws {' '.join(event['cards'])}{reshuffled}{clauses}"
    if kind == "play":
        head = f"Round {event['round']}\n" if event["player"] == 0 else ""
        back = f", behind it {event['back']} ({_back_name(event['back'])})" if event["back"] else ""
        return f"{head}  {names[event['player']]} plays {' '.join(event['front'])}{back}{clauses}"
    if kind == "result":
        return f"  {event['totals'][0]} against {event['totals'][1]}: {_loss(event, names)}{clauses}"
    if event["winner"] is None:
        left = f"TP {event['points'][0]} and {event['points'][1]}"
        return f"The round limit ends the game without a winner, {left}{clauses}"
    return f"{names[event['winner']]} wins with {event['points'][event['winner']]} TP left{clauses}"


def _back_name(card: str) -> str:
    return _NAMES["joker" if card == "*" else card[:-1]]


def _loss(event: Mapping[str, Any], names: Sequence[str]) -> str:
    left = f"TP {event['points'][0]} and {event['points'][1]}"
    if not any(event["damage"]):
        return f"nobody loses TP; {left}"
    loser = 0 if event["damage"][0] else 1
    return f"{names[loser]} loses {event['damage'][loser]} TP; {left}"
