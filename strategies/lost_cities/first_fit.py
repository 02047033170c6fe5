"""First fit: lays any card that fits an own expedition or starts one, else discards any card; always draws.

Origin: simkit; play without a plan, that knows the rules of laying cards and nothing of their cost.
"""

from simkit.games.lost_cities import DECK, DISCARD, EXPEDITION, count_playable, put, random_card


def act(view, rules, params, rng):
    to = EXPEDITION if count_playable(view) else DISCARD
    return put(random_card(view, to, rng), to, DECK)
