"""Jack saver: plays as greedy does, but keeps its jacks for front lines that are worth doubling.

Origin: simkit; greedy with patience. Its function `when` tells where patience is asked for: where greedy would put a
jack behind its front line, by what that front line counts before it is doubled.
"""

from typing import NamedTuple

from simkit.games.colina import JACK, NO_SLOT, best_value_front, find_support, play, total


class Params(NamedTuple):
    jack_from: int = 8  # the lowest front it puts a jack behind


def act(view, rules, params, rng):
    front = best_value_front(view, rules)
    if total(view, front) < params.jack_from:
        return play(front, NO_SLOT)
    return play(front, find_support(view, JACK, front))


def when(view, rules, params):
    front = best_value_front(view, rules)
    if find_support(view, JACK, front) == NO_SLOT:
        return -1
    return min(total(view, front) // 5, 4)  # up to 4, 5 to 9, 10 to 14, 15 to 19, more
