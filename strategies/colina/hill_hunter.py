"""Hill hunter: plays a king behind its lowest card, otherwise its biggest siamese.

Origin: simkit; the king's own strategy.
"""

from typing import NamedTuple

from simkit.games.colina import KING, NO_SLOT, best_value_front, find_support, lowest_single, play, total


class Params(NamedTuple):
    max_front: int = 5  # the highest front it still hides behind a king


def act(view, rules, params, rng):
    if rules.king_on[view.seat]:
        low = 1 << lowest_single(view, rules)
        king = find_support(view, KING, low)
        if king != NO_SLOT and total(view, low) <= params.max_front:
            return play(low, king)
    return play(best_value_front(view, rules), NO_SLOT)
