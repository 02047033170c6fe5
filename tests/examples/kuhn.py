"""Kuhn poker worked out with fractions: a slow reading of its rules that shares no code with the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product

Chance = Callable[[int, int, bool], Fraction]  # of a bet or call, by seat, card (0 jack … 2 king), and facing a bet

DEALS = tuple(permutations(range(3), 2))
PLACES = tuple(product(range(2), range(3), (False, True)))  # the arguments of a Chance


def equilibrium(alpha: Fraction) -> Chance:
    """Kuhn's solutions of 1950: what the first player does with the jack decides the rest."""
    third = Fraction(1, 3)
    first = {(0, False): alpha, (1, False): Fraction(0), (2, False): 3 * alpha}
    first |= {(0, True): Fraction(0), (1, True): alpha + third, (2, True): Fraction(1)}
    second = {(0, False): third, (1, False): Fraction(0), (2, False): Fraction(1)}
    second |= {(0, True): Fraction(0), (1, True): third, (2, True): Fraction(1)}
    return lambda seat, card, facing: (first, second)[seat][card, facing]


def pure(seat: int) -> Iterator[Chance]:
    """All 64 ways to play a seat without chance."""
    mine = [place for place in PLACES if place[0] == seat]
    for choice in product((Fraction(0), Fraction(1)), repeat=len(mine)):
        table = dict(zip(mine, choice, strict=True))
        yield lambda *place, table=table: table[place]


def value(first: Chance, second: Chance) -> Fraction:
    """Chips that the first player wins a hand, over all six deals."""
    return sum((of_deal(deal, first, second) for deal in DEALS), Fraction(0)) / len(DEALS)


def of_deal(cards: tuple[int, int], first: Chance, second: Chance) -> Fraction:
    """Chips that the first player wins with these cards."""
    bets = first(0, cards[0], False)
    return bets * after_bet(cards, second) + (1 - bets) * after_check(cards, first, second)


def after_bet(cards: tuple[int, int], second: Chance) -> Fraction:
    """The same once the first player has bet."""
    calls = second(1, cards[1], True)
    return calls * 2 * sign(cards) + (1 - calls)


def after_check(cards: tuple[int, int], first: Chance, second: Chance) -> Fraction:
    """The same once the first player has checked."""
    bets = second(1, cards[1], False)
    return bets * after_reply(cards, first) + (1 - bets) * sign(cards)


def after_reply(cards: tuple[int, int], first: Chance) -> Fraction:
    """The same once the second player has bet after a check."""
    calls = first(0, cards[0], True)
    return calls * 2 * sign(cards) - (1 - calls)


def sign(cards: tuple[int, int]) -> int:
    """1 when the first player has the higher card, −1 when not."""
    return 1 if cards[0] > cards[1] else -1


def worth_of_betting(place: int, card: int, alpha: Fraction) -> Fraction:
    """What a bet instead of a check adds to the lead (twice the chips), both playing the equilibrium.

    After a check the first player's cards are not as likely as before: kings often bet.
    """
    play = equilibrium(alpha)
    total, weight = Fraction(0), Fraction(0)
    for cards in DEALS:
        if cards[place] != card:
            continue
        if place == 0:
            likely, gain = Fraction(1), after_bet(cards, play) - after_check(cards, play, play)
        else:
            likely, gain = 1 - play(0, cards[0], False), sign(cards) - after_reply(cards, play)
        total, weight = total + likely * gain, weight + likely
    return 2 * total / weight
