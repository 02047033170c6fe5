"""Mirror guard: expects to lose with a small front line, and then plays its lowest card with an ace behind it.

Otherwise it plays its biggest siamese, with a jack behind it if it has one, as `greedy` does.

Origin: simkit; the ace's own strategy.
"""

from typing import NamedTuple

from simkit.games.colina import ACE, JACK, NO_SLOT, best_value_front, find_support, lowest_single, play, total


class Params(NamedTuple):
    threshold: int = 10  # it expects to lose with a front line of at most so much


def act(view, rules, params, rng):
    front = best_value_front(view, rules)
    if rules.ace_on[view.seat] and total(view, front) <= params.threshold:
        low = 1 << lowest_single(view, rules)  # the mirror returns the whole difference: the lower the front, the more
        ace = find_support(view, ACE, low)
        if ace != NO_SLOT:
            return play(low, ace)
    return play(front, find_support(view, JACK, front))
