"""No jack: the front line that greedy plays, without a jack behind it.

Origin: simkit; greedy without its one idea, to see what that is worth. Its function `when` tells where the two differ:
where greedy would put a jack behind its front line, by what that front line is worth before it is doubled.
"""

from simkit.games.colina import JACK, NO_SLOT, best_value_front, find_support, play, total


def act(view, rules, params, rng):
    return play(best_value_front(view, rules), NO_SLOT)


def when(view, rules, params):
    front = best_value_front(view, rules)
    if find_support(view, JACK, front) == NO_SLOT:
        return -1
    return min(total(view, front) // 5, 4)  # up to 4, 5 to 9, 10 to 14, 15 to 19, more
