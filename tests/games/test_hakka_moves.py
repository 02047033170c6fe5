"""What the compiled game and strategies work with, against plain Python: hands drawn, subsets, patterns chosen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from simkit.games import get_game
from simkit.games.hakka import cards, deal, moves, sets
from simkit.games.hakka.cards import cards_of, names_of
from tests.games.hakka_positions import decision_of, legal_moves
from tests.slow import hakka as slow
from tests.slow.hakka import PACK, Cards, number_of, pattern_of, runs, suit_of
from tests.tables import table_of


def hands(count: int, size: int = 12) -> Iterator[Cards]:
    """Random hands."""
    rng = random.Random(f"{count} hands of {size}")
    for _ in range(count):
        yield slow.in_order(rng.sample(PACK, size))


def as_set(names: Cards | list[str]) -> np.uint64:
    return np.uint64(cards_of(names))


def test_a_hand_is_drawn_by_the_digits_of_its_word() -> None:
    """Each bounded number is the whole part of a product, and what is left behind the point serves the next."""
    rng = random.Random("words")
    for _ in range(200):
        left, word = sorted(PACK, key=lambda card: cards_of([card])), rng.getrandbits(64)
        hand = set()
        product = word
        for count in range(37, 25, -1):
            place, product = divmod(product * count, 2**64)
            hand.add(left.pop(place))
        assert set(names_of(int(deal.hand_by(np.uint64(word), cards.PACK, 37)))) == hand


def test_every_subset_comes_once() -> None:
    hand = next(hands(1))
    for size in (1, 3, 5, 12):
        count = sets.CHOOSE[size, 12]
        found = {tuple(names_of(int(sets.nth_subset(as_set(hand), size, n)))) for n in range(count)}
        assert found == set(combinations(hand, size))


def test_first_and_last_cards_are_the_best_and_worst_by_suit_then_number() -> None:
    for hand in hands(50):
        ranked = sorted(hand, key=lambda card: (slow.SUITS.find(suit_of(card)) % 5, -number_of(card)))
        for count in (0, 1, 4, 12):
            assert set(names_of(int(sets.first_cards(as_set(hand), count)))) == set(ranked[:count])
            assert set(names_of(int(sets.last_cards(as_set(hand), count)))) == set(ranked[12 - count :])


def rank_of_pattern(pattern: Cards) -> tuple[int, bool, int, int]:
    """How `longest` prefers patterns: length, runs, the suit of a run, the number."""
    is_run = pattern_of(pattern) == "run"
    suit = -slow.SUITS.index(suit_of(pattern[0])) if is_run else 0
    return len(pattern), is_run, suit, max(map(number_of, pattern))


def test_the_longest_pattern_is_as_described() -> None:
    seen = set()
    for hand in hands(2000):
        found = runs(hand) + slow.sets(hand)
        best = max(found, key=rank_of_pattern, default=())
        whole = pattern_of(best) != "set" or all(card in best for card in hand if number_of(card) == number_of(best[0]))
        assert whole
        assert set(names_of(int(moves.longest(as_set(hand))))) == set(best)
        seen.add((pattern_of(best), len(best)))
    assert {("run", 3), ("set", 3), ("set", 4), ("run", 5)} <= seen


def test_the_weakest_beating_pattern_is_as_described() -> None:
    """Among the legal ones: the lowest number; of runs the last by suit, then number; of a set its best cards."""
    table = table_of(get_game("hakka"), rules={"must_beat": False}, seed=41)
    patterns = set()
    for game in range(60):
        for record in table.steps(game, 0, np.zeros(1, table.engine.outcome)):
            if record["state"]["turn"] < 0 or decision_of(record["state"]) != "follow":
                continue
            beating = [choice for kind, choice in legal_moves(table) if kind == "beat"]
            assert moves.can_beat(record["sight"]) == bool(beating)
            if beating:
                assert set(names_of(int(moves.weakest(record["sight"])))) == set(min(beating, key=strength))
                patterns.add(pattern_of(beating[0]))
    assert patterns == {"single", "run", "set"}


def strength(pattern: Any) -> Any:
    """What `weakest` keeps low: the suit of a run, the number, and then the worse cards of a set."""
    suits = [slow.SUITS.find(suit_of(card)) % 5 for card in pattern]
    numbers = [number_of(card) for card in pattern]
    if pattern_of(pattern) == "set":
        return numbers[0], *suits
    return -suits[0], numbers[0]


@pytest.mark.parametrize("choice", [False, True])
def test_a_move_can_be_taken_apart(choice: bool) -> None:
    some = as_set(["S9", "G1", "W"])
    move = moves.discard(some) if choice else moves.play(some)
    assert moves.is_discard(move) is choice
    assert moves.cards_of_move(move) == some
    assert moves.say(choice) == (moves.YES if choice else moves.NO)
