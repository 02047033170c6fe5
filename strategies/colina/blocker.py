"""Blocker: a queen behind its longest front line when the opponent holds cards enough to play a support card too.

It also guards a big front line whatever the opponent holds, since a king or an ace would turn it against its player.

Origin: simkit; the queen's own strategy, to see what the blocker is worth to someone who relies on it.
"""

from typing import NamedTuple

from simkit.games.colina import JACK, NO_SLOT, QUEEN, find_support, longest_front, play, total


class Params(NamedTuple):
    their_cards: int = 4  # from so many cards on, the opponent is expected to play a support card
    big_front: int = 14  # from so much on, a front line is guarded in any case


def act(view, rules, params, rng):
    front = longest_front(view, rules)
    if view.their_cards >= params.their_cards or total(view, front) >= params.big_front:
        queen = find_support(view, QUEEN, front)
        if queen != NO_SLOT:
            return play(front, queen)
    return play(front, find_support(view, JACK, front))
