"""Random: any legal lead, any legal follow, each as likely; calls, claims and takes the Five Tigers by a coin."""

from simkit.games.hakka import random_move


def act(view, rules, params, rng):
    return random_move(view, rules, rng)
