"""Shedder: as many cards as possible in every round, since an empty hand costs nothing and brings six new cards.

Origin: simkit; in play between programs, whoever sheds beats whoever adds up values.
"""

from typing import NamedTuple

from simkit.games.colina import ACE, JACK, JOKER, KING, NO_SLOT, QUEEN, find_support, longest_front, play


class Params(NamedTuple):
    flip: bool = False  # shed kings and aces behind the front line too, although they often give a win away


def act(view, rules, params, rng):
    front = longest_front(view, rules)
    for kind in (JACK, QUEEN, JOKER):
        back = find_support(view, kind, front)
        if back != NO_SLOT:
            return play(front, back)
    if params.flip:
        for kind in (KING, ACE):
            back = find_support(view, kind, front)
            if back != NO_SLOT:
                return play(front, back)
    return play(front, NO_SLOT)
