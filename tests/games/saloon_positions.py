"""Positions of Saloon by hand: puts clients, hands and the order of the pile into a table's record, and plays on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

import tests.scripted
from simkit import strategy
from simkit.driver import ILLEGAL, OVER, PLAYING, Table, engine
from simkit.games import get_game
from simkit.games.saloon.cards import CLIENT_RANKS, SUIT_NUMBERS, SUITS, client_name, members, names
from simkit.games.saloon.moves import DRAW, HAND_LIMIT, JUDGE, JUDGE_AT, PAY, WRONG_DOUBT, pay, swap
from simkit.games.saloon.piles import AT_ONCE, RESHUFFLED
from simkit.games.saloon.rules import PACK_CLIENTS, PACK_NUMBERS
from simkit.games.saloon.tell import Teller
from simkit.games.saloon.turns import begin_turn
from simkit.player import Player, compile_player

GIVE_UP = {WRONG_DOUBT: "wrong_doubt", HAND_LIMIT: "hand_limit"}


@cache
def scripted() -> Player:
    """The strategy that plays what it is told."""
    assert tests.scripted.__file__ is not None
    return compile_player(engine(get_game("saloon")), strategy.read(Path(tests.scripted.__file__)), "scripted", {})


def put(state: np.void, field: str, cards: Iterable[int], seat: int | None = None) -> None:
    """Writes a heap of numbers into a field of the state, of a seat if it is a seat's."""
    counts = Counter(cards)
    for name, least in ((field, 1), (f"{field}_2", 2)):
        word = sum(1 << card for card, count in counts.items() if count >= least)
        if seat is None:
            state[name] = word
        else:
            state[name][seat] = word


def heap(state: np.void, field: str, seat: int | None = None) -> list[int]:
    """The numbers in a field of the state, by their places: the second ones come last."""
    words = [state[name] if seat is None else state[name][seat] for name in (field, f"{field}_2")]
    return [*members(words[0]), *members(words[1])]


def number_codes(cards: Sequence[str]) -> list[int]:
    """The codes of numbers by their names."""
    return [suit(name) * SUIT_NUMBERS + int(name[:-1]) - 2 for name in cards]


def client_codes(clients: Sequence[Sequence[str]]) -> list[list[int]]:
    """The codes of all clients by their names: one that comes again is that of the second pack."""
    seen: Counter[str] = Counter()
    found: list[list[int]] = []
    for own in clients:
        found.append([])
        for name in own:
            code = suit(name) * len(CLIENT_RANKS) + CLIENT_RANKS.index(name[0])
            found[-1].append(seen[name] * PACK_CLIENTS + code)
            seen[name] += 1
    return found


def suit(name: str) -> int:
    """The suit (0–3) of a card by its name."""
    return SUITS.index(name[-1])


class Position:
    """A game of Saloon at the start of a turn, as known answers give it; no other cards exist in it.

    Args:
        options: rules by name; those left out have their default.
        position: player, clients, hands, pile (the top card first), discard, last_judge, closed, turns_done.
    """

    def __init__(self, options: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        """Puts the position into a table's record; cards that come twice make it a game of two packs."""
        game = get_game("saloon")
        hands = [number_codes(cards) for cards in position["hands"]]
        pile, discard = number_codes(position["pile"]), number_codes(position["discard"])
        clients = client_codes(position["clients"])
        twice = max(Counter([*pile, *discard, *chain(*hands)]).values(), default=1) > 1
        twice |= max(chain(*clients)) >= PACK_CLIENTS
        values = game.resolve({**options, **({"packs": 2} if twice else {})})
        self.table = Table(game, [scripted()] * len(hands), values, 1)
        self.outcome, self.pile = np.zeros(1, self.table.engine.outcome), pile
        self.table.engine.begin(self.table.record[0], self.outcome[0], self.table.seed, np.uint64(0), 0)
        state, closed = self.state, position.get("closed", [])
        put(state, "pile", pile)
        put(state, "discard", discard)
        for seat, hand in enumerate(hands):
            put(state, "hand", hand, seat)
            state["clients"][seat] = sum(1 << code for code in clients[seat])
        last = position.get("last_judge", [])
        state["sizes"] = by_seat([len(hand) for hand in hands])
        state["last"] = by_seat([0 if judge is None else 1 << judge for judge in last])
        places = {seat: place for place, seat in enumerate(closed, 1)}
        state["places"] = by_seat([places.get(seat, 0) for seat in range(len(hands))])
        state["open"] = sum(1 << seat for seat in range(len(hands)) if seat not in closed)
        state["closed"], state["turns"] = len(closed), position.get("turns_done", 0)
        begin_turn(state, self.table.record[0]["rules"][0], position["player"])

    @property
    def state(self) -> np.void:
        """The STATE record."""
        state: np.void = self.table.record[0]["state"]
        return state

    @property
    def turn(self) -> int:
        """The seat that decides, −1 when the game is over."""
        return int(self.state["turn"])

    def hand(self, seat: int) -> list[str]:
        """A seat's hand, by the places of its cards."""
        return names(self.state["hand"][seat], self.state["hand_2"][seat])

    def clients(self, seat: int) -> list[str]:
        """A seat's clients."""
        return [client_name(code) for code in members(self.state["clients"][seat])]

    def judges(self) -> list[int]:
        """Who may judge a payment of the seat whose turn it is."""
        return members(self.state["judges"])

    def moves(self) -> list[int]:
        """All legal moves."""
        self.table.record["seat"] = self.turn
        return [int(move) for move in self.table.legal_moves()]

    def places(self, cards: Sequence[str]) -> int:
        """The places of cards by their names in the hand of the seat that decides."""
        free, found = self.hand(self.turn), 0
        for card in cards:
            place = free.index(card)
            free[place], found = "", found | 1 << place
        return found

    def payment(self, client: str, cards: Sequence[str], judge: int) -> int:
        """The move that pays a client with these cards."""
        code = members(self.state["clients"][self.turn])[self.clients(self.turn).index(client)]
        return int(pay(self.places(cards), code, judge))

    def swap(self, card: str) -> int:
        """The move that swaps a card."""
        return int(swap(self.hand(self.turn).index(card)))

    def step(self, move: int) -> int:
        """One decision: PLAYING, OVER or ILLEGAL."""
        self.table.record["params"]["value"][0, :, :2] = [move & (1 << 32) - 1, move >> 32]
        return int(self.table.engine.step(self.table.record[0], self.outcome[0], self.table.acts))

    def play(self, move: int) -> list[dict[str, Any]]:
        """Makes a legal move, cards being drawn in the order of the pile; gives the events, of the end as well."""
        before, seat = self.state.copy(), self.turn
        kept = self.table.record.copy(), self.outcome.copy()
        assert self.step(move) == PLAYING
        words = self._words()
        self.table.record[:], self.outcome[:] = kept
        write_words(self.table.record[0]["chance"]["deal"], words)
        assert self.step(move) == PLAYING
        self._draw_off()
        events = list(Teller().after(before, self.state, seat))
        if self.turn < 0:
            assert self.step(0) == OVER
            events.append(Teller().end(self.state, self.outcome[0]))
        return events

    def _words(self) -> list[int]:
        """The random words by which the draws of the last decision come in the order of the pile."""
        order, words = list(self.pile), []
        for place in range(len(self.state["drawn"])):
            if int(self.state["events"]) >> place & 1:
                missing = len(members(self.state["drawn"][place])) + len(members(self.state["drawn_2"][place]))
                while missing > 0 and order:
                    now = min(missing, len(order), AT_ONCE)
                    words.append(word_for(order[:now], order))
                    order, missing = order[now:], missing - now
        return words

    def _draw_off(self) -> None:
        """Keeps the order of the pile in step; once it has been shuffled no order is known."""
        now = heap(self.state, "pile")
        shuffled = int(self.state["events"]) >> RESHUFFLED & 7
        self.pile = now if shuffled else self.pile[len(self.pile) - len(now) :]

    def is_legal(self, move: int) -> bool:
        """Whether the move may be made: asked of the very loop that plays batches. The position is left as it was."""
        kept = self.table.record.copy(), self.outcome.copy()
        status = self.step(move)
        self.table.record[:], self.outcome[:] = kept
        assert status in (PLAYING, ILLEGAL)
        return status == PLAYING

    def take(self, turn: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Plays a whole turn of a known answer; where it names no cards to give up, the whole hand goes."""
        if turn["action"] == "pay":
            move = self.payment(turn["client"], turn["cards"], turn["judge"])
        else:
            move = DRAW if turn["action"] == "draw" else self.swap(turn["card"])
        events = self.play(move)
        while self.turn >= 0 and (asked := int(self.state["asked"])):
            if asked == JUDGE:
                events += self.play(int(turn["doubted"]))
            else:
                events += self.play(self.places(turn.get(GIVE_UP[asked], self.hand(self.turn))))
        return events


def by_seat(numbers: Sequence[int]) -> int:
    """A word with a byte a seat."""
    return sum(number << 8 * seat for seat, number in enumerate(numbers))


def word_for(order: Sequence[int], pile: Sequence[int]) -> int:
    """The random word that draws these cards of a pile, in this order."""
    counts = Counter(pile)
    left = [*sorted(counts), *sorted(card for card, count in counts.items() if count > 1)]
    value, product = 0, 1
    for card in order:
        value, product = value * len(left) + left.index(card), product * len(left)
        left.remove(card)
    return ((2 * value + 1) << 32) // (2 * product)  # the middle of its share


def write_words(stream: np.void, words: Sequence[int]) -> None:
    """Makes these the next words of a stream."""
    first = len(stream["words"]) - len(words)
    stream["words"][first:] = words
    stream["next"] = first


def move_parts(move: int) -> tuple[int, int, int]:
    """The places, client and judge of a payment, read off its code."""
    assert move >= PAY
    return move & (1 << 54) - 1, move >> 54 & 31, move >> JUDGE_AT & 7


# --- what is hidden ---------------------------------------------------------------------------------------------------


def hidden_in(state: np.void, seat: int) -> list[tuple[str, int | None, list[int], list[int]]]:
    """What `seat` cannot see: (field, seat, cards all know to be there, the others) of hands and the payment."""
    found: list[tuple[str, int | None, list[int], list[int]]] = []
    where: list[tuple[str, int | None]] = [("hand", other) for other in range(len(state["hand"])) if other != seat]
    if state["asked"] == JUDGE:
        where.append(("payment", None))
    known = [Counter(heap(state, "known", owner)) for owner in range(len(state["hand"]))]
    for field, whose in where:
        cards = Counter(heap(state, field, whose))
        owner = int(state["payer"]) if whose is None else whose
        sure = cards & known[owner]
        known[owner] -= sure
        found.append((field, whose, [*sure.elements()], [*(cards - sure).elements()]))
    return found


def shuffle_hidden(record: np.void, seat: int, rng: random.Random) -> None:
    """Deals anew what `seat` cannot see in a table's record: other hands, a payment that lies face down, the pile.

    Cards that were in hands when the draw pile was shuffled last cannot all be in it.
    """
    state = record["state"]
    hidden = hidden_in(state, seat)
    loose = Counter(card for *_, cards in hidden for card in cards)
    sure = Counter(card for *_, cards, _ in hidden for card in cards)
    pack = Counter(range(PACK_NUMBERS)) if record["rules"]["packs"][0] == 1 else Counter([*range(PACK_NUMBERS)] * 2)
    in_sight = Counter([*heap(state, "hand", seat), *heap(state, "discard")])
    held = pack - Counter(heap(state, "mixed")) - in_sight - sure  # for sure in other hands or in the payment
    free = [*(loose - held).elements(), *heap(state, "pile")]
    rng.shuffle(free)
    dealt = [*held.elements(), *free[: loose.total() - held.total()]]
    put(state, "pile", free[loose.total() - held.total() :])
    rng.shuffle(dealt)
    for field, whose, kept, cards in hidden:
        now, dealt = dealt[: len(cards)], dealt[len(cards) :]
        put(state, field, [*kept, *now], whose)
