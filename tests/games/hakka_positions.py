"""Positions of Hakka cards by hand: puts a deal into a table's record and plays on, a decision at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tests.scripted
from simkit import strategy
from simkit.driver import ILLEGAL, OVER, PLAYING, Table, engine
from simkit.games.hakka import GAME
from simkit.games.hakka.cards import PACK, cards_of, elders_of, names_of
from simkit.games.hakka.deal import begin_hand
from simkit.games.hakka.moves import CARDS_OF_MOVE, DISCARD, NO, YES
from simkit.games.hakka.tell import Teller
from simkit.games.hakka.tricks import ask_lead
from simkit.games.hakka.words import (
    CALL,
    CLAIM,
    DECISION,
    FIVE_TIGERS,
    FOLLOW,
    LEAD,
    PRIVILEGED,
    told_byte,
)
from simkit.player import Player, compile_player

DECISIONS = {FIVE_TIGERS: "five_tigers", CALL: "call", LEAD: "lead", FOLLOW: "follow", CLAIM: "claim"}
Move = tuple[str, Any]  # the kind (five_tigers, call, lead, beat, discard, claim) and the choice, yes or no or cards


@cache
def scripted() -> Player:
    """The strategy that plays what it is told."""
    assert tests.scripted.__file__ is not None
    return compile_player(engine(GAME), strategy.read(Path(tests.scripted.__file__)), "scripted", {})


def code_of(move: Move) -> int:
    """The code of a move."""
    kind, choice = move
    if isinstance(choice, bool):
        return YES if choice else NO
    return cards_of(choice) | (DISCARD if kind == "discard" else 0)


def move_of(decision: str, code: int) -> Move:
    """A move by its code, its cards in order."""
    if code in (NO, YES):
        return decision, code == YES
    kind = "lead" if decision == "lead" else "discard" if code & DISCARD else "beat"
    return kind, tuple(names_of(code & CARDS_OF_MOVE))


def decision_of(state: np.void) -> str:
    """What is decided."""
    return DECISIONS[told_byte(state["table"], DECISION)]


def with_byte(state: np.void, word: str, place: np.uint64, value: int) -> None:
    """Writes a byte of a packed word."""
    state[word] = int(state[word]) & ~(255 << int(place)) | value << int(place)


class Position:
    """A hand of Hakka cards, all cards known.

    Args:
        options: rules by name; those left out have their default.
        dealer: the seat that deals.
        hands: the cards of the active seats, as many as the case needs.
        dreamer_card: the Dreamer's card.
    """

    def __init__(
        self, options: Mapping[str, Any], dealer: int, hands: Mapping[int, Sequence[str]], dreamer_card: str = "W"
    ) -> None:
        """Deals; the first decision comes next."""
        self.table = Table(GAME, [scripted()] * 4, GAME.resolve(options), 1)
        self.outcome = np.zeros(1, self.table.engine.outcome)
        self.table.engine.begin(self.table.record[0], self.outcome[0], self.table.seed, np.uint64(0), 0)
        self.outcome[:] = np.zeros(1, self.table.engine.outcome)
        self.teller = Teller()
        state = self.state
        for seat in range(4):
            state["dealt"][seat] = cards_of(hands.get(seat, ()))
        state["dream"] = cards_of([dreamer_card])
        begin_hand(state, self.rules, self.outcome[0], dealer)

    @property
    def state(self) -> np.void:
        """The STATE record."""
        state: np.void = self.table.record[0]["state"]
        return state

    @property
    def rules(self) -> np.void:
        """The RULES record."""
        rules: np.void = self.table.record[0]["rules"][0]
        return rules

    def start_tricks(self, leader: int, gone: Sequence[str] = (), privileged: bool = False) -> None:
        """Skips the calls: `leader` is about to lead with these cards publicly gone."""
        state = self.state
        if privileged:
            with_byte(state, "roles", PRIVILEGED, leader)
        state["gone"] = cards_of(gone)
        state["elders"] = elders_of(np.uint64(int(PACK) & ~cards_of(gone)))
        ask_lead(state, leader, state["hand"][leader])

    def moves(self) -> list[Move]:
        """All legal moves of the seat whose turn it is."""
        return legal_moves(self.table)

    def step(self, move: Move) -> int:
        """One decision: PLAYING, OVER or ILLEGAL."""
        code, values = code_of(move), self.table.record["params"]["value"]
        values[0, :, 0], values[0, :, 1] = code & 0xFFFFFFFF, code >> 32
        return int(self.table.engine.step(self.table.record[0], self.outcome[0], self.table.acts))

    def is_legal(self, move: Move) -> bool:
        """Whether the move may be made: asked of the very loop that plays batches. The position is left as it was."""
        before = self.table.record.copy(), self.outcome.copy()
        status = self.step(move)
        self.table.record[:], self.outcome[:] = before
        assert status in (PLAYING, ILLEGAL)
        return status == PLAYING

    def play(self, move: Move) -> list[dict[str, Any]]:
        """Makes a legal move and gives the transcript's events; of a hand that ends the game, its end as well."""
        before, seat = self.state.copy(), int(self.state["turn"])
        assert self.step(move) == PLAYING
        events = list(self.teller.after(before, self.state, seat))
        if int(self.state["turn"]) < 0:
            assert self.step(("call", False)) == OVER
            events.append(self.teller.end(self.state, self.outcome[0]))
        return events

    def seat_of(self, role: np.uint64) -> int | None:
        """The seat in a role of the word `roles`."""
        seat = told_byte(self.state["roles"], role)
        return None if seat > 3 else seat


@contextmanager
def asked(table: Table, seat: int) -> Iterator[None]:
    """Lets `table.legal_moves` speak of this seat."""
    before = int(table.record["seat"][0])
    table.record["seat"] = seat
    yield
    table.record["seat"] = before


def legal_moves(table: Table) -> list[Move]:
    """All legal moves of the seat whose turn it is; the view is written as well."""
    state = table.record[0]["state"]
    with asked(table, int(state["turn"])):
        decision = decision_of(state)
        return [move_of(decision, int(code)) for code in table.legal_moves()]


def shuffle_hidden(record: np.void, seat: int, rng: random.Random) -> None:
    """Deals anew what `seat` cannot see in a table's record: the other hands, the Dreamer's card, hidden discards."""
    state = record["state"]
    others = [other for other in range(4) if other != seat and int(state["dealt"][other])]
    hidden = [names_of(int(state["dealt"][other]) & ~int(state["played"][other])) for other in others]
    held = [len(names_of(int(state["hand"][other]))) for other in others]
    deck = [card for cards in hidden for card in cards] + names_of(int(state["dream"]))
    rng.shuffle(deck)
    for other, cards, count in zip(others, hidden, held, strict=True):
        dealt = [deck.pop() for _ in cards]
        state["hand"][other] = cards_of(dealt[:count])
        state["dealt"][other] = cards_of(dealt) | int(state["played"][other])
    state["dream"] = cards_of(deck)
