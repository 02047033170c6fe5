"""Positions of Colina by hand: puts cards, TP and piles into the record of a table, and plays from there."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tests.scripted
from simkit import strategy
from simkit.driver import ILLEGAL, OVER, PLAYING, Table, engine
from simkit.games import get_game
from simkit.games.colina.cards import DEAD_JOKERS, code_of, dead_shift, name_of
from simkit.games.colina.tell import Teller, split
from simkit.player import Player, compile_player
from tests.slow.colina import FRONT_VALUES, JOKER, SUITS, Play, Rules, is_support, pack, rank_of

SLOTS = 6


@cache
def scripted() -> Player:
    """The strategy that plays what it is told."""
    assert tests.scripted.__file__ is not None
    return compile_player(engine(get_game("colina")), strategy.read(Path(tests.scripted.__file__)), "scripted", {})


class Result(NamedTuple):
    """A round as played from a position."""

    events: list[dict[str, Any]]  # of the transcript
    outcome: np.void  # filled up to here; with `end` also by `finish`
    end: dict[str, Any] | None  # the transcript's last event if the game is over


class Position:
    """Colina about to play a round, with everything as given; see tests.slow.colina.Game.at for the same, read slowly.

    Args:
        options: rules by name; those left out have their default.
        hands: names of the cards of each seat, in the order of the slots.
        points: TP of each seat.
        round_: number of the round.
        pile: names of the cards in the draw pile, the rest is dead; None: all cards in no hand, none is dead.
    """

    def __init__(
        self,
        options: Mapping[str, Any],
        hands: Sequence[Sequence[str]],
        points: Sequence[int] = (100, 100),
        round_: int = 1,
        pile: Sequence[str] | None = None,
    ) -> None:
        """Sets the position up."""
        game = get_game("colina")
        self.table = Table(game, [scripted(), scripted()], game.resolve(options), 1)
        self.outcome = np.zeros(1, self.table.engine.outcome)
        self.hands = [list(hand) for hand in hands]
        engine, record = self.table.engine, self.table.record[0]
        engine.begin(record, self.outcome[0], self.table.seed, np.uint64(0), 0)  # opens the streams
        self.outcome[:] = np.zeros(1, engine.outcome)
        left = pack(Rules.from_options(options))
        for card in (card for hand in hands for card in hand):
            left.remove(card)
        drawn = left if pile is None else pile
        dead = list(left)
        for card in drawn:
            dead.remove(card)
        self.state["round"] = round_ - 1
        _write_piles(self.state, drawn, dead)
        for seat in (0, 1):
            self.state["seats"][seat]["points"] = points[seat]
            write_hand(self.state["seats"][seat], dict(enumerate(hands[seat])))

    @property
    def state(self) -> np.void:
        """The STATE record."""
        state: np.void = self.table.record[0]["state"]
        return state

    def code(self, seat: int, play: Play) -> int | None:
        """The move that plays these cards, None if the seat does not hold them."""
        front, back = play
        free = list(range(len(self.hands[seat])))
        slots = []
        for card in [*front] if back is None else [*front, back]:
            slot = next((slot for slot in free if self.hands[seat][slot] == card), None)
            if slot is None:
                return None
            free.remove(slot)
            slots.append(slot)
        mask = sum(1 << slot for slot in slots[: len(front)])
        return mask | (slots[-1] + 1 if back is not None else 0) << 6

    def step(self, player: int, move: int) -> int:
        """One decision of a player: PLAYING, OVER or ILLEGAL."""
        self.table.record["params"][0, player]["value"][0] = move
        return int(self.table.engine.step(self.table.record[0], self.outcome[0], self.table.acts))

    def is_legal(self, move: int) -> bool:
        """Whether seat 0 may make this move: asked of the very loop that plays batches. Seat 0 is asked once only."""
        status = self.step(0, move)
        assert status in (PLAYING, ILLEGAL)
        return status == PLAYING

    def moves(self, seat: int) -> list[Play]:
        """All legal moves of a seat as (front, back); cards that look alike give moves that look alike."""
        self.table.record["seat"] = seat
        return [split(self.state["seats"][seat], int(move)) for move in self.table.legal_moves()]

    def play(self, plays: Sequence[Play]) -> Result:
        """Plays a round of legal plays, and the end of the game if it comes to that."""
        before = self.state.copy()
        for seat in (0, 1):
            move = self.code(seat, plays[seat])
            assert move is not None
            assert self.step(seat, move) == PLAYING
        events = list(Teller().after(before, self.state, 1))
        over = int(self.state["turn"]) < 0
        if over:
            assert self.step(0, 0) == OVER
        return Result(events, self.outcome[0], Teller().end(self.state, self.outcome[0]) if over else None)


def write_hand(seat: np.void, cards: Mapping[int, str]) -> None:
    """Writes cards by slot into a SEAT record, with all that the kernel keeps about them."""
    for slot in range(SLOTS):
        seat["hand"][slot] = code_of(cards[slot]) if slot in cards else 0
    seat["held"] = _mask(cards)
    seat["jokers"] = _mask(slot for slot, card in cards.items() if card == JOKER)
    seat["backs"] = _mask(slot for slot, card in cards.items() if is_support(card) or card == JOKER)
    seat["values"] = sum(FRONT_VALUES[rank_of(card)] << 8 * slot for slot, card in cards.items())
    seat["groups"] = sum(
        1 << 8 * (2 * SUITS.index(card[-1]) + is_support(card)) + slot for slot, card in cards.items() if card != JOKER
    )


def _mask(slots: Iterable[int]) -> int:
    return sum(1 << slot for slot in slots)


def _write_piles(state: np.void, pile: Sequence[str], dead: Sequence[str]) -> None:
    state["pile"] = len(pile)
    state["deck"][: len(pile)] = [code_of(card) for card in pile]
    words = [0, 0]
    for card in dead:
        suit, rank = (3, 0) if card == JOKER else divmod(code_of(card), 16)
        words[suit >> 1] += 1 << (DEAD_JOKERS if card == JOKER else dead_shift(suit, rank))
    state["dead"][:] = words


def dead_cards(state: np.void) -> list[str]:
    """The names of the cards in the dead pile of a STATE or VIEW record."""
    words = [int(word) for word in state["dead"]]
    found = [JOKER] * (words[1] >> DEAD_JOKERS & 15)
    for suit in range(4):
        for rank in range(2, 15):
            found += [name_of(16 * suit + rank)] * (words[suit >> 1] >> dead_shift(suit, rank) & 3)
    return found


def hand_of(seat: np.void) -> list[str]:
    """The names of the cards that a SEAT or VIEW record holds, in the order of the slots."""
    return [name_of(int(seat["hand"][slot])) for slot in range(SLOTS) if int(seat["held"]) >> slot & 1]


def shuffle_hidden(record: np.void, seat: int, rng: random.Random) -> None:
    """Deals anew what `seat` cannot see in a table's record: the opponent's hand, its choice, and the draw pile."""
    state = record["state"]
    other, pile = state["seats"][1 - seat], int(state["pile"])
    slots = [slot for slot in range(SLOTS) if int(other["held"]) >> slot & 1]
    cards = [name_of(int(code)) for code in [*(other["hand"][slot] for slot in slots), *state["deck"][:pile]]]
    rng.shuffle(cards)
    write_hand(other, dict(zip(slots, cards, strict=False)))
    state["deck"][:pile] = [code_of(card) for card in cards[len(slots) :]]
    other["move"] = 1 << rng.choice(slots)


@contextmanager
def asked(table: Table, seat: int) -> Iterator[None]:
    """Lets `table.legal_moves` speak of this seat."""
    before = int(table.record["seat"][0])
    table.record["seat"] = seat
    yield
    table.record["seat"] = before
