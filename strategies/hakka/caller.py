"""Caller: calls when its Elders and the cards of its longest pattern promise enough tricks, and claims at once.

Origin: simkit; what a player does who reads the rules for the first time. It leads its longest run or set, without one
as the Privileged player an Elder, otherwise the first single allowed by suit, then number; beats with the weakest
pattern that does; and gives up its last cards, Elders only when nothing else is left.
"""

from typing import NamedTuple

from simkit.games.hakka import (
    CALL,
    FOLLOW,
    LEAD,
    can_beat,
    discard,
    last_cards,
    longest,
    lowest_bit,
    my_elders,
    ones,
    play,
    say,
    weakest,
)


class Params(NamedTuple):
    call_at: int = 6  # tricks that Elders and the longest pattern must promise for a call


def act(view, rules, params, rng):
    if view.decision == LEAD:
        return play(choose_lead(view))
    if view.decision == FOLLOW:
        return play(weakest(view)) if can_beat(view) else discard(give_up(view))
    if view.decision == CALL:
        return say(ones(my_elders(view)) + ones(longest(view.hand)) >= params.call_at)
    return say(True)


def choose_lead(view):
    pattern = longest(view.hand)
    if pattern:
        return pattern
    if view.privileged == view.seat and my_elders(view):
        return lowest_bit(my_elders(view))
    return lowest_bit(view.choices)


def give_up(view):
    elders = my_elders(view)
    rest = view.hand ^ elders
    spare = ones(rest)
    if spare >= view.size:
        return last_cards(rest, view.size)
    return rest | last_cards(elders, view.size - spare)
