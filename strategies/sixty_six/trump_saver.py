"""Trump saver: keeps its trumps for the end of the deal and gives away its low plain cards.

Origin: simkit; how careful beginners play. It declares every marriage, that of trumps first. It takes tricks with plain
cards where it can, with the highest one so as to bring it home, and trumps one only for many points, for the deal, or
when the rules leave it no plain card. When only trumps are left it leads them from the top. It never closes and never
exchanges by choice.
"""

from typing import NamedTuple

import numpy as np

from simkit.games.sixty_six import (
    GOAL,
    MARRIAGE,
    QUEENS,
    card_points,
    cheapest,
    is_lead,
    lowest,
    winning,
)

ONE = np.uint64(1)


class Params(NamedTuple):
    trump_at: int = 14  # card points of a trick from which it spends a trump on it


def act(view, rules, params, rng):
    plain = view.legal & ~view.trumps
    if is_lead(view):
        queens = view.couples & QUEENS
        if queens:
            trumps = queens & view.trumps
            return lowest(trumps if trumps else queens) | MARRIAGE
        return lowest(plain) if plain else highest(view.legal)
    winners = winning(view)
    if winners & plain:
        return highest(winners & plain)
    if winners:
        trump = lowest(winners)
        gain = card_points(view.led) + card_points(trump)
        if gain >= params.trump_at or view.points + view.pending + gain >= GOAL:
            return trump
    return cheapest(view, view.legal)


def highest(cards):
    while cards & (cards - ONE):
        cards &= cards - ONE
    return lowest(cards)
