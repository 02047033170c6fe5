"""Random: any legal turn, each as likely; cards that look alike count as different cards."""

from simkit.games.lost_cities import random_move


def act(view, rules, params, rng):
    return random_move(view, rules, rng)
