"""Timid: puts chips on the king only, and so folds to every bluff."""

from kuhn_poker.moves import BET, PASS

KING = 2


def act(view, rules, params, rng):
    return BET if view.card == KING and view.may_bet else PASS
