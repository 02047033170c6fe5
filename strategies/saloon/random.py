"""Random: any legal move, each as likely: a payment is its set of cards with its client and its judge."""

from simkit.games.saloon import random_move


def act(view, rules, params, rng):
    return random_move(view, rules, rng)
