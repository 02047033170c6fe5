"""Equilibrium: bluffs and calls just as often as it takes, so that nobody can do better against it than 1/18 a hand.

Origin: H. W. Kuhn, "A simplified two-person poker", in Contributions to the Theory of Games I (1950). Who speaks first
may choose how often to bluff, between never and once in three jacks; the other parts follow from that. The chances are
right where a bet costs as much as the ante.
"""

from typing import NamedTuple

from kuhn_poker.moves import BET, PASS
from simkit.rng import uniform

JACK, QUEEN, KING = 0, 1, 2


class Params(NamedTuple):
    alpha: float = 0.2  # chance to bet with a jack when speaking first; 0 to 1/3 are in equilibrium


def act(view, rules, params, rng):
    if not view.may_bet:
        return PASS
    return BET if uniform(rng) < chance_to_bet(view, params.alpha) else PASS


def chance_to_bet(view, alpha):
    if view.card == KING:
        return 3.0 * alpha if view.seat == 0 and not view.facing else 1.0
    if view.card == QUEEN:
        return (alpha + 1.0 / 3.0 if view.seat == 0 else 1.0 / 3.0) if view.facing else 0.0
    if view.facing:
        return 0.0
    return alpha if view.seat == 0 else 1.0 / 3.0
