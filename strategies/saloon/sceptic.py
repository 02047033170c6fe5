"""Sceptic: doubts every payment; pays honestly when it can, and bluffs now and then.

Origin: simkit; one bound of what a judge can do, `believer` is the other. Bluffs that it catches bring it cards, honest
payments cost it some: so it collects one suit, like `honest`, with what it gains.
"""

from typing import NamedTuple

from believer import collect_or_bluff

from simkit.games.saloon import DOUBT, JUDGE


class Params(NamedTuple):
    bluff: float = 0.1  # chance of a bluff in a turn in which it could pay, but not honestly


def act(view, rules, params, rng):
    return DOUBT if view.asked == JUDGE else collect_or_bluff(view, params.bluff, rng)
