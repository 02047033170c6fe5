"""Positions of Sixty-Six by hand: puts cards, points and the order of the stock into a table's record, and plays on."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tests.scripted
from simkit import strategy
from simkit.driver import ILLEGAL, OVER, PLAYING, Table, engine
from simkit.games import get_game
from simkit.games.sixty_six.cards import code_of, names_of
from simkit.games.sixty_six.moves import CLOSE, EXCHANGE, MARRIAGE
from simkit.games.sixty_six.tell import Teller, move_words
from simkit.games.sixty_six.turns import begin_turn
from simkit.games.sixty_six.words import CLOSER, DEALER, LED, NONE, OPEN, PENDING_BYTE, POINTS, STOCK, TRICKS
from simkit.player import Player, compile_player
from tests.slow.sixty_six import PACK, SUITS

FLAGS = {"exchange": EXCHANGE, "close": CLOSE, "marriage": MARRIAGE}


@cache
def scripted() -> Player:
    """The strategy that plays what it is told."""
    assert tests.scripted.__file__ is not None
    return compile_player(engine(get_game("sixty_six")), strategy.read(Path(tests.scripted.__file__)), "scripted", {})


def cards(names: Iterable[str]) -> int:
    """A set of cards by their names."""
    return sum(1 << code_of(name) for name in names)


def suit(name: str) -> int:
    """The set of all cards of a suit."""
    return 0x111111 << SUITS.index(name)


def word(numbers: Mapping[np.uint64, int]) -> int:
    """A packed word of numbers by their places."""
    return sum(int(number) << int(place) for place, number in numbers.items())


def move_of(text: str) -> int:
    """The code of a move as known answers write it: `close marriage Kh`."""
    *words, card = text.split()
    return code_of(card) | sum(FLAGS[word] for word in words)


class Position:
    """A deal of Sixty-Six with its leader about to lead, everything as a known answer of the kind `play` gives it.

    Args:
        options: rules by name; those left out have their default.
        position: trump, turned_up, talon (the face-down cards in the order of drawing), closer, leader, hands,
            tricks_won, points, pending.
    """

    def __init__(self, options: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        """Sets the position up; an automatic exchange happens by itself and is kept in `exchange`."""
        game = get_game("sixty_six")
        self.table = Table(game, [scripted(), scripted()], game.resolve(options), 1)
        self.outcome = np.zeros(1, self.table.engine.outcome)
        self.table.engine.begin(self.table.record[0], self.outcome[0], self.table.seed, np.uint64(0), 0)
        self.outcome[:] = np.zeros(1, self.table.engine.outcome)
        state, talon, turned = self.state, position["talon"], position["turned_up"]
        gone = cards(PACK) & ~cards([*position["hands"][0], *position["hands"][1], *talon])
        is_open, stock = position["closer"] is None and turned is not None, len(talon) + (turned is not None)
        closer = NONE if position["closer"] is None else position["closer"]
        state["events"] = 0
        state["trumps"], state["turned"] = suit(position["trump"]), cards([turned] if turned else [])
        state["stock"] = cards(talon)
        state["table"] = word({LED: NONE, OPEN: is_open, STOCK: stock, CLOSER: closer, DEALER: 1 - position["leader"]})
        for seat in (0, 1):
            state["hand"][seat] = cards(position["hands"][seat])
            state["played"][seat] = gone & ~int(state["turned"]) if seat == 0 else 0
            state["shown"][seat] = state["held"][seat] = 0
            numbers = (position[field][seat] for field in ("points", "tricks_won", "pending"))
            state["standing"][seat] = word(dict(zip((POINTS, TRICKS, PENDING_BYTE), numbers, strict=True)))
        write_words(self.table.record[0]["chance"]["deal"], talon)
        before = state.copy()
        leader = position["leader"]
        begin_turn(state, self.table.record[0]["rules"][0], self.outcome[0], leader, state["hand"][leader])
        taken = int(state["turned"]) != int(before["turned"])
        self.exchange = {"gives": f"9{position['trump']}", "takes": turned} if taken else None

    @property
    def state(self) -> np.void:
        """The STATE record."""
        state: np.void = self.table.record[0]["state"]
        return state

    def moves(self) -> list[str]:
        """All legal moves of the seat whose turn it is."""
        with asked(self.table, int(self.state["turn"])):
            found = self.table.legal_moves()
            return [move_words(self.table.record[0]["sight"], int(move)) for move in found]

    def step(self, move: int) -> int:
        """One decision: PLAYING, OVER or ILLEGAL."""
        self.table.record["params"]["value"][0, :, 0] = move
        return int(self.table.engine.step(self.table.record[0], self.outcome[0], self.table.acts))

    def is_legal(self, move: int) -> bool:
        """Whether the move may be made: asked of the very loop that plays batches. The position is left as it was."""
        before = self.table.record.copy(), self.outcome.copy()
        status = self.step(move)
        self.table.record[:], self.outcome[:] = before
        assert status in (PLAYING, ILLEGAL)
        return status == PLAYING

    def play(self, text: str) -> list[dict[str, Any]]:
        """Makes a legal move and gives the transcript's events; of a deal that ends the game, its end as well."""
        before, seat = self.state.copy(), int(self.state["turn"])
        assert self.step(move_of(text)) == PLAYING
        events = list(Teller().after(before, self.state, seat))
        if int(self.state["turn"]) < 0:
            assert self.step(0) == OVER
            events.append(Teller().end(self.state, self.outcome[0]))
        return events


def write_words(stream: np.void, order: Sequence[str]) -> None:
    """Writes random words into a fresh stream that draw these cards, all of a stock, in this order."""
    left, words = sorted(map(code_of, order)), []
    for card in map(code_of, order):
        place, count = left.index(card), len(left)
        words.append((2 * place + 1) * 2**32 // (2 * count))  # the middle of the place's share
        left.remove(card)
    first = len(stream["words"]) - len(words)
    stream["words"][first:] = words
    stream["next"] = first


def shuffle_hidden(record: np.void, seat: int, rng: random.Random) -> None:
    """Deals anew what `seat` cannot see in a table's record: the stock and what is not known of the opponent's hand."""
    state, other = record["state"], 1 - seat
    known = int(state["shown"][other]) & int(state["hand"][other])
    hidden = names_of(int(state["hand"][other]) & ~known)
    deck = hidden + names_of(int(state["stock"]))
    rng.shuffle(deck)
    state["hand"][other] = known | cards(deck[: len(hidden)])
    state["stock"] = cards(deck[len(hidden) :])


@contextmanager
def asked(table: Table, seat: int) -> Iterator[None]:
    """Lets `table.legal_moves` speak of this seat."""
    before = int(table.record["seat"][0])
    table.record["seat"] = seat
    yield
    table.record["seat"] = before
