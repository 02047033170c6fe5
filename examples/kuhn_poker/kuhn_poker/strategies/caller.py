"""Caller: never bluffs, and calls every bet unless it holds the jack."""

from kuhn_poker.moves import BET, PASS

JACK, KING = 0, 2


def act(view, rules, params, rng):
    wants = view.card > JACK if view.facing else view.card == KING
    return BET if wants and view.may_bet else PASS
