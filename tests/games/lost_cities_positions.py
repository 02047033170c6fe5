"""Positions of Lost Cities by hand: puts cards and piles into the record of a table, and plays from there."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tests.scripted
from simkit import strategy
from simkit.driver import ILLEGAL, OVER, PLAYING, Table, engine
from simkit.games import get_game
from simkit.games.lost_cities.cards import (
    ALL,
    CARDS,
    CLOSED,
    DECK,
    HAND_6,
    KNOWN_6,
    LAID_6,
    LETTERS,
    OPEN_6,
    SLOTS,
    UNSEEN_6,
    WORD_CARDS,
    name_of,
    words_of,
)
from simkit.games.lost_cities.kernel import actor
from simkit.games.lost_cities.tell import Teller, pile_cards, split
from simkit.player import Player, compile_player
from tests.slow.lost_cities import EXPEDITION, Piles, Rules, pack


@cache
def scripted() -> Player:
    """The strategy that plays what it is told."""
    assert tests.scripted.__file__ is not None
    return compile_player(engine(get_game("lost_cities")), strategy.read(Path(tests.scripted.__file__)), "scripted", {})


def codes_of(names: Iterable[str]) -> list[int]:
    """The codes of cards; of investment cards that look alike, the first slots in order."""
    codes: list[int] = []
    for name in names:
        colour = LETTERS.index(name[0]) * SLOTS
        slots = range(3) if name[1:] == "$" else [int(name[1:]) + 1]
        codes.append(next(colour + slot for slot in slots if colour + slot not in codes))
    return codes


class Position:
    """Lost Cities about to take a turn; see tests.slow.lost_cities.Round.at for the same, read slowly.

    Args:
        options: rules by name; those left out have their default.
        to_move: the seat whose turn it is.
        hands: names of the cards of each seat.
        expeditions: cards by colour letter for each seat, in the order laid.
        discards: cards by colour letter, the first laid first.
        deck: the draw pile, the top card first; None: all other cards, in no order that matters.
        turns: half-turns taken before.
    """

    def __init__(
        self,
        options: Mapping[str, Any],
        to_move: int,
        hands: Sequence[Sequence[str]],
        expeditions: Sequence[Piles] = ({}, {}),
        discards: Piles | None = None,
        deck: Sequence[str] | None = None,
        turns: int = 0,
    ) -> None:
        """Sets the position up."""
        game = get_game("lost_cities")
        self.table = Table(game, [scripted(), scripted()], game.resolve(options), 1)
        self.outcome = np.zeros(1, self.table.engine.outcome)
        record = self.table.record[0]
        self.table.engine.begin(record, self.outcome[0], self.table.seed, np.uint64(0), 0)
        self.outcome[:] = np.zeros(1, self.table.engine.outcome)
        self.rules = Rules.from_options(options)
        self.put(hands, expeditions, discards or {}, deck)
        state = self.state
        state["turn"], state["starter"] = turns, (to_move + turns) % 2

    def put(
        self, hands: Sequence[Sequence[str]], expeditions: Sequence[Piles], discards: Piles, deck: Sequence[str] | None
    ) -> None:
        """Lays the cards of the round being played so; arguments as above."""
        groups = [list(hand) for hand in hands]
        groups += [[card for cards in piles.values() for card in cards] for piles in expeditions]
        groups += [list(cards) for cards in discards.values()]
        placed = [card for group in groups for card in group]
        left = (Counter(pack(self.rules)) - Counter(placed)).elements()
        codes = codes_of([*placed, *(left if deck is None else deck)])
        everything, parts = codes, []
        for group in groups:
            parts.append(codes[: len(group)])
            codes = codes[len(group) :]
        state = self.state
        state["pile"], state["deck"][: len(codes)] = len(codes), codes[::-1]
        shown = {code for part in parts[2:] for code in part}
        for seat in (0, 1):
            _write_seat(state["seats"][seat], parts[seat], parts[2 + seat], set(everything) - shown)
        state["piles"], state["sources"] = 0, 1 << DECK
        for colour, part in zip(discards, parts[4:], strict=True):
            number = LETTERS.index(colour)
            state["piles"][number] = sum((code % SLOTS + 1) << 4 * i for i, code in enumerate(reversed(part)))
            state["sources"] |= bool(part) << number

    @property
    def state(self) -> np.void:
        """The STATE record."""
        state: np.void = self.table.record[0]["state"]
        return state

    @property
    def to_move(self) -> int:
        """The seat whose turn it is, −1 when the game is over."""
        return int(actor(self.state, self.table.record[0]["rules"][0]))

    def code(self, card: str, to: str, source: str) -> int | None:
        """The move that puts this card there and takes the next from there, None if the seat does not hold it."""
        held = hand_codes(self.state["seats"][self.to_move])
        found = [code for code in held if name_of(code) == card]
        place = DECK if source == "deck" else LETTERS.index(source)
        return found[0] | (to != EXPEDITION) << 7 | place << 8 if found else None

    def moves(self) -> list[tuple[str, str, str]]:
        """All legal moves as (card, to, source); cards that look alike give moves that look alike."""
        self.table.record["seat"] = self.to_move
        return [told(int(move)) for move in self.table.legal_moves()]

    def step(self, move: int) -> int:
        """One decision of the seat to move: PLAYING, OVER or ILLEGAL."""
        self.table.record["params"]["value"][0, :, 0] = move
        return int(self.table.engine.step(self.table.record[0], self.outcome[0], self.table.acts))

    def is_legal(self, card: str, to: str, source: str) -> bool:
        """Whether the seat to move may do this: asked of the very loop that plays batches. Asked once only."""
        move = self.code(card, to, source)
        return move is not None and self.step(move) != ILLEGAL

    def play(self, card: str, to: str, source: str) -> list[dict[str, Any]]:
        """Plays a legal turn; returns the transcript's events that it led to."""
        move, before, seat = self.code(card, to, source), self.state.copy(), self.to_move
        assert move is not None
        assert self.step(move) == PLAYING
        return list(Teller().after(before, self.state, seat))

    def end(self) -> dict[str, Any]:
        """The transcript's last event, once the game is over."""
        assert self.step(0) == OVER
        return Teller().end(self.state, self.outcome[0])


def _write_seat(record: np.void, hand: Sequence[int], laid: Sequence[int], hidden: set[int]) -> None:
    """Writes a SEAT record; `hidden` are the cards in hands and in the draw pile."""
    open_, open_6 = int(record["open"]), int(record["sixth"]) >> OPEN_6 & ALL
    for code in laid:
        if code < WORD_CARDS:
            open_ &= ~int(CLOSED[code])
        else:
            open_6 &= ~int(CLOSED[code])
    record["open"] = open_
    sets = {"hand": words_of(hand), "laid": words_of(laid), "unseen": words_of(hidden - set(hand)), "known": (0, 0)}
    for name, (word, _) in sets.items():
        record[name] = word
    shifts = {"hand": HAND_6, "laid": LAID_6, "unseen": UNSEEN_6}
    record["sixth"] = open_6 << OPEN_6 | sum(sets[name][1] << shift for name, shift in shifts.items())


def told(move: int) -> tuple[str, str, str]:
    """A move as (card, to, source) in the words of transcripts."""
    card, to, source = split(move)
    return name_of(card), to, "deck" if source == DECK else LETTERS[source]


def piles_of(record: np.void) -> dict[str, list[str]]:
    """The discard piles that are not empty in a STATE or VIEW record, the first card laid first."""
    found = {}
    for number, letter in enumerate(LETTERS):
        if cards := pile_cards(int(record["piles"][number])):
            found[letter] = [name_of(number * SLOTS + slot) for slot in cards]
    return found


def hand_codes(record: np.void) -> list[int]:
    """The codes of the cards that a SEAT record holds."""
    return codes_in(record["hand"], int(record["sixth"]) >> HAND_6)


def codes_in(word: int, sixth: int) -> list[int]:
    """The codes of the cards in a set."""
    cards = int(word) | (sixth & ALL) << WORD_CARDS
    return [code for code in range(CARDS) if cards >> code & 1]


def shuffle_hidden(record: np.void, seat: int, rng: random.Random) -> None:
    """Deals anew what `seat` cannot see in a table's record: the draw pile and the opponent's hand.

    Cards that are known to be in that hand, since they were taken from discard piles, stay there.
    """
    state = record["state"]
    other, pile = state["seats"][1 - seat], int(state["pile"])
    kept = codes_in(other["known"], int(other["sixth"]) >> KNOWN_6)
    free = [code for code in hand_codes(other) if code not in kept]
    codes = [*free, *(int(code) for code in state["deck"][:pile])]
    rng.shuffle(codes)
    hand, hand_6 = words_of([*kept, *codes[: len(free)]])
    other["hand"] = hand
    other["sixth"] = int(other["sixth"]) & ~(ALL << HAND_6 | ALL << UNSEEN_6) | hand_6 << HAND_6
    state["deck"][:pile] = codes[len(free) :]
    other["unseen"] = 0  # what the opponent has not seen is no matter of this seat's
