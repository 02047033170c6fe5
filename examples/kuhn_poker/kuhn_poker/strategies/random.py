"""Random: any legal move, each as likely."""

from kuhn_poker.moves import random_move


def act(view, rules, params, rng):
    return random_move(view, rules, rng)
