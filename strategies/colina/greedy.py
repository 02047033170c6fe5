"""Greedy: the most valuable cards of one suit together, with a jack behind them if it holds one.

Origin: simkit; what a player does who reads the rules for the first time.
"""

from simkit.games.colina import JACK, best_value_front, find_support, play


def act(view, rules, params, rng):
    front = best_value_front(view, rules)
    return play(front, find_support(view, JACK, front))
