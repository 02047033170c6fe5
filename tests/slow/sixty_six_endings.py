"""Endings of Sixty-Six by brute force: every line of play, both hands known, by the rules in tests/slow/sixty_six.py.

Shares nothing with the solver: no bounds, no cut-offs, and a marriage that may be declared may also be kept silent.
"""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

from tests.slow.sixty_six import (
    GOAL,
    PACK,
    SUITS,
    Pair,
    Rules,
    beats,
    marriage_points,
    points_of,
    rank_of,
    replies,
    score,
    suit_of,
)
from tests.slow.sixty_six_deal import raised

BONUS = 10  # SS-7.3
Hand = tuple[str, ...]


class Ending(NamedTuple):
    """A position without a stock; seats are 0 and 1."""

    rules: Rules
    trump: str
    closer: int | None
    hands: tuple[Hand, Hand]
    mover: int
    led: str | None
    points: Pair
    pending: Pair
    tricks_won: Pair


def moves(ending: Ending) -> list[tuple[str, bool]]:
    """The legal moves: (card, whether its marriage is declared)."""
    rules, hand = ending.rules, ending.hands[ending.mover]
    if ending.led is not None:
        return [(card, False) for card in replies(rules, ending.trump, False, ending.led, hand)]
    found = [(card, False) for card in hand]
    if rules.marriage_after_close:  # SS-5.3
        for card in hand:
            if rank_of(card) in ("K", "Q") and {"K" + suit_of(card), "Q" + suit_of(card)} <= {*hand}:
                found.append((card, True))
    return found


def values(ending: Ending) -> dict[tuple[str, bool], int]:
    """What each legal move is worth by perfect play: game points of the one who moves, less the other's."""
    sign = 1 if ending.mover == 0 else -1
    return {move: sign * after(ending, *move) for move in moves(ending)}


@cache
def value(ending: Ending) -> int:
    """Game points of seat 0 less those of seat 1, by perfect play."""
    choose = max if ending.mover == 0 else min
    return choose(after(ending, *move) for move in moves(ending))


def after(ending: Ending, card: str, declared: bool) -> int:
    """The value for seat 0 of the position after a move."""
    seat, other = ending.mover, 1 - ending.mover
    left = tuple(held for held in ending.hands[seat] if held != card)
    hands = (left, ending.hands[1]) if seat == 0 else (ending.hands[0], left)
    if ending.led is not None:
        return after_trick(ending, hands, ending.led, card)
    points, pending = ending.points, ending.pending
    if declared and ending.tricks_won[seat]:  # SS-5.2
        points = raised(points, seat, marriage_points(ending.trump, suit_of(card)))
        if points[seat] >= GOAL:  # SS-7.1
            return ended(ending, points, ending.tricks_won, None)
    elif declared:
        pending = raised(pending, seat, marriage_points(ending.trump, suit_of(card)))
    return value(ending._replace(hands=hands, mover=other, led=card, points=points, pending=pending))


def after_trick(ending: Ending, hands: tuple[Hand, Hand], led: str, reply: str) -> int:
    """The same, when the move completes a trick."""
    winner = ending.mover if beats(ending.trump, led, reply) else 1 - ending.mover
    gain, over = points_of(led) + points_of(reply) + ending.pending[winner], not hands[0] + hands[1]
    if over and ending.closer is None and ending.rules.last_trick == "bonus10":
        gain += BONUS
    points, won = raised(ending.points, winner, gain), raised(ending.tricks_won, winner, 1)
    if points[winner] >= GOAL or over:
        return ended(ending, points, won, winner)
    pending = raised(ending.pending, winner, -ending.pending[winner])
    return value(ending._replace(hands=hands, mover=winner, led=None, points=points, pending=pending, tricks_won=won))


def ended(ending: Ending, points: Pair, tricks_won: Pair, last: int | None) -> int:
    """Game points of seat 0 less those of seat 1 of a deal that is over (SS-6.3, SS-7)."""
    won = score(ending.rules, points, tricks_won, ending.closer, last).game_points
    return won[0] - won[1]


def random_ending(rng: random.Random, rules: Rules, size: int) -> Ending:
    """A position that can come up: seat 0 to move with `size` cards, at a lead or at a reply."""
    closer, replying, trump = rng.choice([None, 0, 1]), rng.random() < 0.5, rng.choice(SUITS)
    while True:
        pack = rng.sample(PACK, len(PACK))
        for seat in (0, 1):
            if size > 1 and rng.random() < 0.3:
                deal_couple(pack, seat * size, rng.choice(SUITS))
        mine, theirs, gone = pack[:size], pack[size : 2 * size], pack[2 * size :]
        if closer is not None:
            gone = gone[: rng.randrange(0, len(gone) + 1, 2)]
        points, won = tricks_of(rng, gone)
        pending: Pair = (0, 0)
        for seat in (0, 1):
            if won[seat] == 0 and rng.random() < 0.5:
                pending = raised(pending, seat, rng.choice([20, 40]))
            elif won[seat] and rng.random() < 0.3:
                points = raised(points, seat, rng.choice([20, 20, 40]))
        led = theirs.pop() if replying else None
        if max(points) < GOAL:
            hands = (tuple(mine), tuple(theirs))
            return Ending(rules, trump, closer, hands, 0, led, points, pending, won)


def deal_couple(pack: list[str], place: int, suit: str) -> None:
    """Swaps king and queen of a suit to this place in the pack and the next."""
    for rank in "KQ":
        old = pack.index(rank + suit)
        pack[place], pack[old] = pack[old], pack[place]
        place += 1


def tricks_of(rng: random.Random, gone: list[str]) -> tuple[Pair, Pair]:
    """Points and tricks of cards that were played, two by two, to whomever; in some deals mostly to one."""
    points, won, favour = (0, 0), (0, 0), rng.choice([0.0, 0.2, 0.5, 0.8, 1.0])
    for first, second in zip(gone[::2], gone[1::2], strict=True):
        winner = int(rng.random() < favour)
        points, won = raised(points, winner, points_of(first) + points_of(second)), raised(won, winner, 1)
    return points, won
