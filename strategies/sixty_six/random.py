"""Random: any legal move, each as likely: a lead is its card with or without marriage, closing and exchange."""

from simkit.games.sixty_six import random_move


def act(view, rules, params, rng):
    return random_move(view, rules, rng)
