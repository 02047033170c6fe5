"""Closer: plays as greedy does, but closes the stock at a lead with trumps and points enough.

Origin: simkit; how bold beginners play. Its function `when` tells where a player could close now and has the points
for it: by the number of trumps in hand, which may not be enough.
"""

from typing import NamedTuple

from simkit.games.sixty_six import CLOSE, MARRIAGE, QUEENS, cheapest, is_lead, lowest, ones, winning


class Params(NamedTuple):
    trumps: int = 3  # closes with so many trumps in hand …
    points: int = 40  # … and so many card points that count


def act(view, rules, params, rng):
    if not is_lead(view):
        winners = winning(view)
        return cheapest(view, winners if winners else view.legal)
    is_time = when(view, rules, params) >= params.trumps
    close = CLOSE if is_time else 0
    queens = view.couples & QUEENS
    if queens and (not is_time or rules.marriage_after_close):
        trumps = queens & view.trumps
        return lowest(trumps if trumps else queens) | MARRIAGE | close
    return cheapest(view, view.legal) | close


def when(view, rules, params):
    if not view.may_close or view.points < params.points:
        return -1
    return ones(view.hand & view.trumps)
