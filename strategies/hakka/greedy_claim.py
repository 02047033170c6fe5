"""Greedy claim: leads what promises the most tricks, and claims a hand as soon as it may.

It calls as caller does. Its leads are weighed by their cards and the chance that no other hand beats them, with all
cards remembered; a single that is bound to lose is its lowest. It beats with the weakest pattern that does, and gives
up low numbers that are neither Elders nor in its longest pattern.

Origin: simkit; the foil of patient, which differs in its claims alone.
"""

from typing import NamedTuple

import numpy as np

from simkit.games.hakka import (
    CALL,
    FOLLOW,
    LEAD,
    PACK,
    RUN,
    SET,
    SINGLE,
    beaters,
    can_beat,
    discard,
    first_cards,
    last_cards,
    longest,
    lowest_bit,
    of_number,
    ones,
    play,
    run_from,
    run_tops,
    say,
    sets_of,
    single_leads,
    weakest,
)

ONE = np.uint64(1)
NONE = np.uint64(0)
LOWEST = np.uint64(1 << 8)  # the number 1
LONGEST_RUN, LONGEST_SET = 9, 5


class Params(NamedTuple):
    call_at: int = 6  # tricks that Elders and the longest pattern must promise for a call


def act(view, rules, params, rng):
    if view.decision == LEAD:
        return play(best_lead(view, rules)[0])
    if view.decision == FOLLOW:
        return play(weakest(view)) if can_beat(view) else discard(give_up(view.hand, view.elders, view.size))
    if view.decision == CALL:
        return say(promise(view.hand, view.elders) >= params.call_at)
    return say(True)


def promise(hand, elders):
    """Tricks that Elders and the longest pattern of a hand promise."""
    return ones(hand & elders) + ones(longest(hand))


def best_lead(view, rules):
    """The lead that promises the most tricks, and the chance that nothing beats it: (cards, chance)."""
    hand = view.hand
    best, chance = best_single(view, rules)
    most = chance
    for size in range(3, LONGEST_RUN + 1):
        top = lowest_bit(run_tops(hand, size))  # what the other runs of this size can beat is more
        if top:
            wins = chance_of(hand, view.gone, run_from(top, size), RUN, size, rules.ones_set)
            if size * wins > most:
                best, chance, most = run_from(top, size), wins, size * wins
    for size in range(3, LONGEST_SET + 1):
        numbers = sets_of(hand, size)
        while numbers:
            cards = first_cards(hand & of_number(lowest_bit(numbers)), size)
            numbers &= numbers - ONE
            wins = chance_of(hand, view.gone, cards, SET, size, rules.ones_set)
            if size * wins > most:
                best, chance, most = cards, wins, size * wins
    return best, chance


def best_single(view, rules):
    """The single least likely to be beaten, of several the lowest: (card, chance)."""
    left = single_leads(view.hand, view.elders, view.privileged == view.seat)
    best, chance = last_cards(left, 1), 0.0
    while left:
        card = lowest_bit(left)
        left ^= card
        wins = chance_of(view.hand, view.gone, card, SINGLE, 1, rules.ones_set)
        if wins > 0.5 and wins >= chance:
            best, chance = card, wins
    return best, chance


def chance_of(hand, gone, cards, pattern, size, ones_set):
    """The chance that neither opponent beats a lead from a hand, all unseen cards being as likely anywhere."""
    unseen = PACK & ~(gone | hand)
    threats = ones(beaters(unseen, cards, pattern, size, ones_set))
    held = ones(hand) / max(ones(unseen), 1)  # the chance that a certain opponent holds a certain card
    return max(1.0 - 2.0 * held**size, 0.0) ** threats


def give_up(hand, elders, size):
    """So many cards to discard: first of those without use, then of the longest pattern, Elders last."""
    old = hand & elders
    pattern = longest(hand) & ~old
    given = lowest_numbers(hand & ~(old | pattern), size)
    given |= lowest_numbers(pattern, size - ones(given))
    return given | lowest_numbers(old, size - ones(given))


def lowest_numbers(cards, count):
    """So many of the cards, or all if they are fewer, the lowest numbers first."""
    found, number = NONE, LOWEST
    while count > 0 and number:
        taken = last_cards(cards & of_number(number), min(count, ones(cards & of_number(number))))
        found |= taken
        count -= ones(taken)
        number >>= ONE
    return found
