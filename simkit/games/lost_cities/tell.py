"""A game of Lost Cities told: transcript events, the words of a move and of a view, read off the compiled records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simkit.games.lost_cities.cards import (
    ALL,
    CARDS,
    COLOURS,
    DECK,
    FIRST_NUMBER,
    HAND_6,
    LAID_6,
    LETTERS,
    SLOTS,
    WORD_CARDS,
    name_of,
)

COLOUR_WORDS = ("yellow", "blue", "white", "green", "red", "purple")


def cards_of(word: int, sixth: int) -> list[str]:
    """Names of the cards in a set, in the order of their codes: `word` holds colours 0–4, `sixth` colour 5."""
    cards = int(word) | (int(sixth) & ALL) << WORD_CARDS
    return [name_of(card) for card in range(CARDS) if cards >> card & 1]


def hand_of(seat: np.void) -> list[str]:
    """Names of the cards in the hand of a VIEW or a SEAT record."""
    return cards_of(seat["hand"], int(seat["sixth"]) >> HAND_6)


def laid_of(seat: np.void) -> list[str]:
    """Names of the cards in the expeditions of a VIEW, a SEAT or an ENDED record."""
    return cards_of(seat["laid"], int(seat["sixth"]) >> LAID_6)


def pile_cards(word: int) -> list[int]:
    """Slots of the cards in a discard pile (a word of nibbles), the first card laid first."""
    slots = []
    while word:
        slots.append((word & 15) - 1)
        word >>= 4
    return slots[::-1]


def split(move: int) -> tuple[int, str, int]:
    """A move as (card, "expedition" or "discard", source)."""
    return move & 127, "discard" if move >> 7 & 1 else "expedition", move >> 8


def move_words(view: np.void, move: int) -> str:
    """A move as `lay R7, draw` or `discard Y2, take from blue`."""
    card, to, source = split(move)
    if move < 0 or card >= CARDS or source > DECK:
        return f"{move} (no such move)"
    what = "lay" if to == "expedition" else "discard"
    return f"{what} {name_of(card)}, {'draw' if source == DECK else f'take from {COLOUR_WORDS[source]}'}"


def view_words(view: np.void) -> str:
    """What a seat saw, in one line."""
    theirs = cards_of(view["theirs"], int(view["their_sixth"]) >> LAID_6)
    tops = [name_of(SLOTS * c + pile_cards(int(w))[-1]) for c, w in enumerate(view["piles"]) if w]
    return (
        f"round {view['round']}, half-turn {view['turn'] + 1}, hand {' '.join(hand_of(view))}, "
        f"laid {' '.join(laid_of(view)) or 'nothing'}, "
        f"the opponent {' '.join(theirs) or 'nothing'}, "
        f"on the discard piles {' '.join(tops) or 'nothing'}, {view['pile']} in the draw pile"
    )


class Teller:
    """Turns the states of a game before and after each decision into transcript events."""

    def start(self, state: np.void) -> Iterator[dict[str, Any]]:
        """The first deal."""
        yield self._deal(state, [])

    def after(self, before: np.void, state: np.void, seat: int) -> Iterator[dict[str, Any]]:
        """The turn of `seat`, and what it led to: the end of a round, the next deal."""
        over, number = int(state["over"]) < 0, int(state["round"])
        ended = over or number > int(before["round"])
        card, to, source = split(int(state["ended_move" if ended else "move"]))
        yield {
            "type": "turn",
            "player": seat,
            "card": name_of(card),
            "to": to,
            "from": "deck" if source == DECK else LETTERS[source],
            "drawn": name_of(_drawn(before, card, to, source)),
            "clauses": _turn_clauses(card, to, source),
        }
        pile = int(before["pile"]) - (source == DECK)
        if ended and (number > 1 or not over):
            yield {"type": "round", "scores": _scores(state), **_ended(state), "clauses": _round_clauses(state, pile)}
        if number > int(before["round"]):
            same = int(before["starter"]) == int(state["starter"])
            yield self._deal(state, ["LC-4.6 next round"] + ["LC-4.6 same starter"] * same)

    def end(self, state: np.void, outcome: np.void) -> dict[str, Any]:
        """How the game ended."""
        winner, one_round = int(outcome["winner"]), int(state["round"]) == 1
        return {
            "type": "end",
            "winner": None if winner < 0 else winner,
            "reason": "max_turns" if outcome["unfinished"] else "deck_empty",
            "scores": [int(score) for score in outcome["scores"]],
            **(_ended(state) if one_round else {}),
            "clauses": (_round_clauses(state, int(state["pile"])) if one_round else [])
            + ["LC-4.5 draw"] * (winner < 0),
        }

    def _deal(self, state: np.void, clauses: list[str]) -> dict[str, Any]:
        hands = [hand_of(seat) for seat in state["seats"]]
        return {"type": "deal", "hands": hands, "starter": int(state["starter"]), "clauses": clauses}


def _drawn(before: np.void, card: int, to: str, source: int) -> int:
    """The card that came in with this turn."""
    if source == DECK:
        return int(before["deck"][int(before["pile"]) - 1])
    if to == "discard" and card // SLOTS == source:
        return card
    return SLOTS * source + pile_cards(int(before["piles"][source]))[-1]


def _turn_clauses(card: int, to: str, source: int) -> list[str]:
    """The clauses that a turn makes fire."""
    if to == "expedition":
        out = ["LC-2.1 laid"] + ["LC-3.2 investment"] * (card % SLOTS < FIRST_NUMBER)
    else:
        out = ["LC-2.1 discarded"] + ["LC-2.3 own discard"] * (card // SLOTS == source)
    return [*out, "LC-2.2 from the draw pile" if source == DECK else "LC-2.2 from a discard pile"]


def _expeditions(ended: np.void) -> list[dict[str, Any]]:
    """The expeditions of a seat in a round that has ended: cards, score, and whether they earned the bonus."""
    cards = laid_of(ended)
    by_colour = [[card for card in cards if card[0] == letter] for letter in LETTERS]
    return [
        {"cards": found, "score": int(ended["worth"][colour]), "bonus": bool(int(ended["bonus"]) >> colour & 1)}
        for colour, found in enumerate(by_colour)
        if found
    ]


def _ended(state: np.void) -> dict[str, Any]:
    return {"expeditions": [_expeditions(ended) for ended in state["ended"]]}


def _scores(state: np.void) -> list[int]:
    return [int(ended["score"]) for ended in state["ended"]]


def _round_clauses(state: np.void, pile: int) -> list[str]:
    """The clauses that the end of a round makes fire, with `pile` cards left in the draw pile."""
    found = ["LC-4.2 cut short" if pile else "LC-4.1 end"]
    expeditions = [_expeditions(ended) for ended in state["ended"]]
    for expedition in (each for seat in expeditions for each in seat):
        score, invested = expedition["score"], any("$" in card for card in expedition["cards"])
        found.append("LC-4.3 gain" if score > 0 else "LC-4.3 loss" if score else "LC-4.3 nothing")
        found += ["LC-4.4 multiplied loss"] * (score < 0 and invested) + ["LC-4.3 bonus"] * expedition["bonus"]
    colours = [{each["cards"][0][0] for each in seat} for seat in expeditions]
    return found + ["LC-3.3 both"] * len(colours[0] & colours[1])


class Narrator:
    """Says the events of one game as a player would, in order: it keeps track of hands and expeditions.

    Args:
        names: what each seat is called.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.hands: list[list[str]] = []
        self.laid: list[list[str]] = []
        self.rounds = self.turns = 0

    def words(self, event: Mapping[str, Any]) -> str:
        """One event, with the clauses that are not said by its words."""
        say = {"deal": self._deal, "turn": self._turn, "round": self._round, "end": self._end}[event["type"]]
        return say(event)

    def _deal(self, event: Mapping[str, Any]) -> str:
        self.hands, self.laid = [list(hand) for hand in event["hands"]], [[], []]
        self.rounds, self.turns = self.rounds + 1, 0
        hands = [f"  {name} holds {' '.join(hand)}" for name, hand in zip(self.names, self.hands, strict=True)]
        return "\n".join([f"Round {self.rounds}: {self.names[event['starter']]} starts", *hands])

    def _turn(self, event: Mapping[str, Any]) -> str:
        seat, card = event["player"], event["card"]
        hand = self.hands[seat]
        hand.remove(card)
        self.turns += 1
        if event["to"] == "expedition":
            before = [each for each in self.laid[seat] if each[0] == card[0]]
            self.laid[seat].append(card)
            out = f"lays {card}" + (f" on {' '.join(before)}" if before else ", a new expedition,")
        else:
            out = f"discards {card}"
        source = "the draw pile" if event["from"] == "deck" else f"the {_colour(event['from'])} discards"
        held = " ".join(hand)
        hand.append(event["drawn"])
        return f"  {self.turns:2} {self.names[seat]} {out} and takes {event['drawn']} from {source}; beside it {held}"

    def _round(self, event: Mapping[str, Any]) -> str:
        first, second = event["scores"]
        return "\n".join([*self._expeditions(event), f"Round {self.rounds} scores {first} and {second}"])

    def _expeditions(self, event: Mapping[str, Any]) -> Iterator[str]:
        """A line an expedition of a round that has ended."""
        cut = " (cut short by the limit of half-turns)" if "LC-4.2 cut short" in event["clauses"] else ""
        yield f"The expeditions{cut}:"
        for name, expeditions in zip(self.names, event["expeditions"], strict=True):
            told = [f"{' '.join(e['cards'])}: {e['score']}{' with the bonus' * e['bonus']}" for e in expeditions]
            yield f"  {name}: {'; '.join(told) or 'none'}"

    def _end(self, event: Mapping[str, Any]) -> str:
        winner, scores = event["winner"], event["scores"]
        lines = list(self._expeditions(event)) if "expeditions" in event else []
        if winner is None:
            return "\n".join([*lines, f"A draw: {scores[0]} points each"])
        return "\n".join([*lines, f"{self.names[winner]} wins, {scores[winner]} to {scores[1 - winner]}"])


def _colour(letter: str) -> str:
    return COLOUR_WORDS[LETTERS.index(letter)]


assert len(COLOUR_WORDS) == len(LETTERS) == COLOURS
