"""Bluffer: pays honestly when it can, otherwise often bluffs with its worst cards; doubts others by the toss of a coin.

Origin: simkit. It plays like `honest`, but where that would swap or draw it may pay for its first client with the cards
it can best do without.
"""

from typing import NamedTuple

from honest import least_useful

from simkit.games.saloon import (
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
    bluff: float = 0.5  # chance of a bluff in a turn in which it could pay, but not honestly
    doubt: float = 0.5  # chance to doubt a payment


def act(view, rules, params, rng):
    if view.asked == JUDGE:
        return int(uniform(rng) < params.doubt)
    suit, places, count = best_suit(view), all_places(view), int(view.count)
    kept = places_of_suit(view, suit)
    if view.asked != TURN:
        return least_useful(places, kept, count)
    if count_places(kept) >= count:
        client = first_client(my_clients(view) & clients_of(suit))
        return pay(first_places(kept, count), client, next_judge(view))
    if hand_size(view) >= count and uniform(rng) < params.bluff:
        return pay(least_useful(places, kept, count), first_client(my_clients(view)), next_judge(view))
    others = places & ~kept
    return swap(lowest_place(others)) if others else DRAW
