"""Closer: plays as greedy does, but closes the stock at its first lead with trumps enough.

Origin: simkit; how bold beginners play. Its function `when` tells where it could close now: at a lead with the stock
open, by the number of trumps in its hand.
"""

from typing import NamedTuple

from simkit.games.sixty_six import CLOSE, MARRIAGE, QUEENS, cheapest, is_lead, lowest, ones, winning


class Params(NamedTuple):
    trumps: int = 3  # closes with so many trumps in hand


def act(view, rules, params, rng):
    if not is_lead(view):
        winners = winning(view)
        return cheapest(view, winners if winners else view.legal)
    close = CLOSE if view.may_close and ones(view.hand & view.trumps) >= params.trumps else 0
    queens = view.couples & QUEENS
    if queens and (not close or rules.marriage_after_close):
        trumps = queens & view.trumps
        return lowest(trumps if trumps else queens) | MARRIAGE | close
    return cheapest(view, view.legal) | close


def when(view, rules, params):
    return min(ones(view.hand & view.trumps), 4) if view.may_close else -1
