"""Believer: believes every payment; pays honestly when it can, otherwise bluffs more often than not.

Origin: simkit; one bound of what a judge can do, `sceptic` is the other. A bluff that is believed costs no card, so it
never holds one back for long: it lays the cards that its clients have the least use for.
"""

from typing import NamedTuple

from honest import least_useful

from simkit.games.saloon import (
    BELIEVE,
    DRAW,
    JUDGE,
    TURN,
    all_places,
    best_suit,
    clients_of,
    count_places,
    first_client,
    first_places,
    hand_size,
    lowest_place,
    my_clients,
    next_judge,
    pay,
    places_of_suit,
    swap,
)
from simkit.rng import uniform


class Params(NamedTuple):
    bluff: float = 0.7  # chance of a bluff in a turn in which it could pay, but not honestly


def act(view, rules, params, rng):
    if view.asked == JUDGE:
        return BELIEVE
    return collect_or_bluff(view, params.bluff, rng)


def collect_or_bluff(view, chance, rng):
    """Any decision but a judge's: collects one suit, pays honestly as soon as it can, bluffs with a chance before."""
    suit, places, count = best_suit(view), all_places(view), int(view.count)
    kept = places_of_suit(view, suit)
    if view.asked != TURN:
        return least_useful(places, kept, count)
    if count_places(kept) >= count:
        return pay(first_places(kept, count), first_client(my_clients(view) & clients_of(suit)), next_judge(view))
    if hand_size(view) >= count and uniform(rng) < chance:
        return pay(least_useful(places, kept, count), client_to_bluff_for(view, suit), next_judge(view))
    others = places & ~kept
    return swap(lowest_place(others)) if others else DRAW


def client_to_bluff_for(view, suit):
    """A client of another suit than the one that is collected, if there is one."""
    others = my_clients(view) & ~clients_of(suit)
    return first_client(others if others else my_clients(view))
