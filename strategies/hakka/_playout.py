"""Playing a hand out with all cards known, every player by the same rule of thumb; see tracker.

The three active players are at places 0 to 2, from the leader of a trick on.
"""

from typing import NamedTuple

import numpy as np
from greedy_claim import chance_of, give_up

from simkit.games.hakka import (
    PACK,
    SET,
    above,
    beaters,
    elders_of,
    first_cards,
    last_cards,
    longest,
    lowest_bit,
    of_number,
    ones,
    pattern_of,
    run_from,
    single_leads,
)

NONE = np.uint64(0)
ENOUGH = 6  # tricks that win
NOBODY = 3  # as a place
MATCHES = (0.45, 0.23, 0.05)  # how often one, two, more cards of a dealt hand match the Dreamer's


class Trick(NamedTuple):
    """A trick on the table."""

    best: int  # the best pattern
    place: int  # who played it
    fallen: int  # all cards on the table
    left: int  # how many are still to play


class Roles(NamedTuple):
    """The places of the player whose points count, of the Privileged player, and of the first with six tricks."""

    me: int
    privileged: int
    first_six: int


def played_out(rules, hands, tricks, roles, gone, trick, play_on):
    """The points of `me` at the end of the hand; nobody claims while his next lead wins with a chance of `play_on`."""
    a, b, c = hands
    ta, tb, tc = tricks
    me, privileged, first_six = roles.me, roles.privileged, roles.first_six
    best, place, fallen, left = trick.best, trick.place, trick.fallen, trick.left
    while True:
        size, elders = ones(best), elders_of(PACK & ~gone)
        if left == 2:
            cards, beats = reply(rules, b, best, size, elders)
            b, fallen = b ^ cards, fallen | cards
            if beats:
                best, place = cards, 1
        if left > 0:
            cards, beats = reply(rules, c, best, size, elders)
            c, fallen = c ^ cards, fallen | cards
            if beats:
                best, place = cards, 2
        if place == 1:
            a, b, c, ta, tb, tc = b, c, a, tb, tc, ta
        elif place == 2:
            a, b, c, ta, tb, tc = c, a, b, tc, ta, tb
        me, privileged, first_six = turned(me, place), turned(privileged, place), turned(first_six, place)
        gone |= fallen
        elders = elders_of(PACK & ~gone)
        ta += size
        if ta >= ENOUGH and first_six == NOBODY:
            first_six = 0
        claim = ta + ones(a & elders)
        if claim >= ENOUGH and a & ~elders == NONE:
            return points_of(rules, 0, claim, me, privileged)
        if a == NONE:
            if first_six == NOBODY:
                return 0.0
            return points_of(rules, first_six, tb if first_six == 1 else tc, me, privileged)
        lead = chosen_lead(a, gone, elders, privileged == 0)
        if claim >= ENOUGH and lead_chance(rules, a, gone, lead) < play_on:
            return points_of(rules, 0, claim, me, privileged)
        a ^= lead
        best, place, fallen, left = lead, 0, lead, 2


def turned(place, winner):
    """A place as seen from the winner of a trick."""
    return place if place == NOBODY else (place - winner + 3) % 3


def chosen_lead(hand, gone, elders, privileged):
    """A spare Elder if privileged, the longest pattern, a single that nobody can beat, or the lowest single."""
    pattern = longest(hand)
    spare = hand & elders & ~pattern
    if privileged and spare != NONE:
        return lowest_bit(spare)
    if pattern != NONE:
        return pattern
    singles = single_leads(hand, elders, False)
    top = lowest_bit(singles)
    return top if above(top) & ~(gone | hand) == NONE else last_cards(singles, 1)


def lead_chance(rules, hand, gone, lead):
    """The chance that nobody beats a lead, seen without the other hands."""
    size = ones(lead)
    return chance_of(hand, gone, lead, pattern_of(lead, size), size, rules.ones_set)


def reply(rules, hand, best, size, elders):
    """The weakest pattern that beats, or what is given up: (cards, whether they beat)."""
    pattern = pattern_of(best, size)
    found = beaters(hand, best, pattern, size, rules.ones_set)
    if found == NONE:
        return give_up(hand, elders, size), False
    last = last_cards(found, 1)
    return (first_cards(hand & of_number(last), size) if pattern == SET else run_from(last, size)), True


def points_of(rules, winner, tricks, me, privileged):
    """The points of `me` (HK-6.3 to HK-6.6), the Dreamer's being what he makes on average."""
    value = 1.0 * rules.values[tricks - ENOUGH]
    if winner == me:
        return 2.0 * value
    for place in range(len(MATCHES)):
        value += MATCHES[place] * rules.values[place]
    if privileged in (NOBODY, winner):
        return -value
    return -2.0 * value if privileged == me else 0.0
