"""Honest: collects the suit of a client it holds most cards of, pays honestly as soon as it can, believes everybody.

Origin: simkit; what a trusting player does who reads the rules for the first time. Of its clients' suits it aims at the
one with most cards in hand, and swaps other cards away. It asks the next player who may judge.
"""

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
    lowest_place,
    my_clients,
    next_judge,
    pay,
    places_of_suit,
    swap,
)


def least_useful(places, kept, count):
    """So many places, those that are not kept first."""
    others = places & ~kept
    spare = count_places(others)
    return first_places(others, count) if spare >= count else others | first_places(kept, count - spare)


def act(view, rules, params, rng):
    if view.asked == JUDGE:
        return BELIEVE
    suit, places, count = best_suit(view), all_places(view), int(view.count)
    kept = places_of_suit(view, suit)
    if view.asked != TURN:
        return least_useful(places, kept, count)
    if count_places(kept) >= count:
        client = first_client(my_clients(view) & clients_of(suit))
        return pay(first_places(kept, count), client, next_judge(view))
    others = places & ~kept
    return swap(lowest_place(others)) if others else DRAW
