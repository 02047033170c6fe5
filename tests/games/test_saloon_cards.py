"""Heaps of numbers, places of a hand and sets of places, against plain Python."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from simkit.games.saloon.cards import at_places, less, members, more, nth_subset
from simkit.games.saloon.piles import AT_ONCE, take
from simkit.jit import kernel
from simkit.rng import STREAM, open_stream

U = np.uint64


def some_heap(rng: random.Random, size: int) -> Counter[int]:
    """So many random cards of two packs."""
    return Counter(rng.sample([*range(36), *range(36)], size))


def as_words(heap: Counter[int]) -> tuple[np.uint64, np.uint64]:
    """A heap as it is compiled."""
    first, second = (sum(1 << card for card, count in heap.items() if count >= least) for least in (1, 2))
    return U(first), U(second)


def as_heap(two: tuple[int, int]) -> Counter[int]:
    return Counter([*members(two[0]), *members(two[1])])


def test_heaps_are_put_together_and_taken_apart() -> None:
    rng = random.Random(1)
    for _ in range(500):
        both = some_heap(rng, rng.randrange(73))
        part = Counter(rng.sample([*both.elements()], rng.randint(0, both.total())))
        assert as_heap(less(*as_words(both), *as_words(part))) == both - part
        assert as_heap(more(*as_words(both - part), *as_words(part))) == both


def test_what_is_not_there_is_not_missed() -> None:
    """`less` stops at none: so it answers how many of a card are left for sure."""
    rng = random.Random(2)
    for _ in range(500):
        one, other = (some_heap(rng, rng.randrange(73)) for _ in range(2))
        assert as_heap(less(*as_words(one), *as_words(other))) == one - other


def test_places_name_the_first_cards_then_the_second_ones() -> None:
    rng = random.Random(3)
    for _ in range(500):
        hand = some_heap(rng, rng.randint(0, 54))
        first, second = as_words(hand)
        order = [*members(first), *members(second)]
        chosen = sorted(rng.sample(range(len(order)), rng.randint(0, len(order))))
        found = as_heap(at_places(first, second, sum(1 << place for place in chosen)))
        assert found == Counter(order[place] for place in chosen)


@pytest.mark.parametrize("places", [0, 1, 5, 12, 13, 16])
def test_sets_of_places_are_numbered_in_the_order_of_their_codes(places: int) -> None:
    """On both sides of the size up to which they are in a table."""
    for count in range(min(places, 4) + 1):
        known = sorted(sum(1 << place for place in chosen) for chosen in combinations(range(places), count))
        assert [nth_subset(count, places, n) for n in range(len(known))] == known


@kernel
def drawn(seed: int, first: np.uint64, second: np.uint64, size: int, count: int, found: np.ndarray) -> None:
    """Counts in `found` (72) how often each card is among so many drawn: those of two words."""
    stream = np.zeros(1, STREAM)[0]
    open_stream(stream, U(seed), U(0), U(0))
    for _ in range(20_000):
        cards, twice = take(first, second, size, count, stream)
        for card in range(36):
            found[card] += (cards >> U(card)) & U(1)
            found[36 + card] += (twice >> U(card)) & U(1)


@pytest.mark.parametrize("count", [1, 3, AT_ONCE])
def test_each_card_of_a_heap_is_as_likely_to_be_drawn(count: int) -> None:
    """A card that is there twice comes twice as often, and the two of it together as often as any two cards."""
    heap = Counter([*range(10), 3, 4])
    found = np.zeros(72)
    drawn(7, *as_words(heap), heap.total(), count, found)
    total, share = heap.total(), count / heap.total()
    error = 4 * np.sqrt(20_000 * share * (1 - share))
    assert found.sum() == 20_000 * count
    for card in range(10):
        assert found[card] + found[36 + card] == pytest.approx(20_000 * share * heap[card], abs=2 * error)
    pair = share * (count - 1) / (total - 1)
    for card in (3, 4):
        assert found[36 + card] == pytest.approx(20_000 * pair, abs=4 * np.sqrt(20_000 * pair + 1))
