"""What a seat may do, read off its view: a move's code, the legal moves counted and indexed, helpers for strategies.

A move is one int64: a lead or a beating pattern is its set of cards (bits 0–60), a discard the set with DISCARD; calls,
claims and the Five Tigers are YES or NO. All functions are compiled; those that take a VIEW record are for strategies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import nth_bit, ones
from simkit.games.hakka.cards import (
    ONES,
    RUN,
    TIGERS,
    four_of,
    lowest_bit,
    of_number,
    run_from,
    run_tops,
    sets_of,
    three_of,
)
from simkit.games.hakka.sets import CHOOSE, RUNS, SET_LEADS, first_cards, last_cards, nth_set_lead, nth_subset
from simkit.games.hakka.words import CALL as CALL
from simkit.games.hakka.words import CLAIM as CLAIM
from simkit.games.hakka.words import FIVE_TIGERS as FIVE_TIGERS
from simkit.games.hakka.words import FOLLOW, LEAD
from simkit.jit import inlined
from simkit.rng import below

DISCARD = 1 << 62
NO = 1 << 61
YES = NO | 1
CARDS_OF_MOVE = NO - 1

_U = np.uint64
_ONE, _NONE, _THREE = _U(1), _U(0), 3
_CARDS = _U(CARDS_OF_MOVE)
_SUIT, _NO_ONES = _U(0x1FF), _U(0xFF)
_16, _32, _48 = _U(16), _U(32), _U(48)


@inlined
def play(cards: np.uint64) -> int:
    """The move that leads or follows with a pattern."""
    return np.int64(cards)


@inlined
def discard(cards: np.uint64) -> int:
    """The move that discards these cards."""
    return np.int64(cards) | DISCARD


@inlined
def say(yes: bool) -> int:
    """The move that calls, claims or takes the Five Tigers, or does not."""
    return NO | np.int64(yes)


@inlined
def is_discard(move: int) -> bool:
    """Whether a follow discards."""
    return (move & DISCARD) != 0


@inlined
def cards_of_move(move: int) -> Any:
    """The cards of a lead or a follow."""
    return _U(move) & _CARDS


# --- leads ------------------------------------------------------------------------------------------------------------


@inlined
def _count_runs(hand: np.uint64) -> int:
    """The runs of any size in a hand."""
    return RUNS[hand & _SUIT] + RUNS[(hand >> _16) & _SUIT] + RUNS[(hand >> _32) & _SUIT] + RUNS[(hand >> _48) & _SUIT]


@inlined
def _nth_run(hand: np.uint64, n: int) -> np.uint64:
    """The n-th of these runs."""
    tops, size = run_tops(hand, _THREE), _THREE
    while n >= ones(tops):
        n -= ones(tops)
        tops &= hand >> _U(size)
        size += 1
    return run_from(_ONE << _U(nth_bit(tops, n)), size)


@inlined
def _count_sets(hand: np.uint64) -> int:
    """The sets of any size in a hand: of three cards there is one, of four there are five."""
    several = ones(three_of(hand) & _NO_ONES) + 4 * ones(four_of(hand) & _NO_ONES)
    return several + SET_LEADS[_U(ones(hand & TIGERS))]


@inlined
def _nth_set(hand: np.uint64, n: int) -> np.uint64:
    """The n-th of these sets."""
    numbers = sets_of(hand, _THREE)
    while True:
        cards = hand & of_number(lowest_bit(numbers))
        count = SET_LEADS[_U(ones(cards))]
        if n < count:
            return nth_set_lead(cards, n)
        n -= count
        numbers &= numbers - _ONE


# --- follows ----------------------------------------------------------------------------------------------------------


@inlined
def _count_beating_sets(hand: np.uint64, numbers: np.uint64, size: int) -> int:
    """The sets of so many cards of these numbers."""
    count = 0
    while numbers != _NONE:
        count += CHOOSE[_U(size), _U(ones(hand & of_number(lowest_bit(numbers))))]
        numbers &= numbers - _ONE
    return count


@inlined
def _nth_beating_set(hand: np.uint64, numbers: np.uint64, size: int, n: int) -> np.uint64:
    """The n-th of these sets."""
    while True:
        cards = hand & of_number(lowest_bit(numbers))
        count = CHOOSE[_U(size), _U(ones(cards))]
        if n < count:
            return nth_subset(cards, size, n)
        n -= count
        numbers &= numbers - _ONE


@inlined
def _count_beating(hand: np.uint64, choices: np.uint64, pattern: int, size: int) -> int:
    """The patterns that beat the best one on the table."""
    if pattern <= RUN:
        return ones(choices)
    return _count_beating_sets(hand, choices, size)


@inlined
def _nth_beating(hand: np.uint64, choices: np.uint64, pattern: int, size: int, n: int) -> np.uint64:
    """The n-th of these patterns."""
    if pattern <= RUN:  # a single is a run of one
        return run_from(_ONE << _U(nth_bit(choices, n)), size)
    return _nth_beating_set(hand, choices, size, n)


# --- all moves --------------------------------------------------------------------------------------------------------


@inlined
def count_moves(view: Any, rules: Any) -> int:
    """The number of distinct legal moves."""
    hand, choices, pattern, size = view.hand, view.choices, view.pattern, view.size
    if view.decision == LEAD:
        return ones(choices) + _count_runs(hand) + _count_sets(hand)
    if view.decision != FOLLOW:
        return 2
    beating = _count_beating(hand, choices, pattern, size) if choices != _NONE else 0
    if beating and rules.must_beat:
        return beating
    return beating + CHOOSE[_U(size), _U(ones(hand))]


@inlined
def nth_move(view: Any, rules: Any, n: int) -> int:
    """The n-th legal move, 0 ≤ n < count_moves; the order is fixed but has no meaning."""
    hand, choices, pattern, size = view.hand, view.choices, view.pattern, view.size
    if view.decision == LEAD:
        return _nth_lead(hand, choices, n)
    if view.decision != FOLLOW:
        return NO + n
    if choices == _NONE:
        return discard(nth_subset(hand, size, n))
    beating = _count_beating(hand, choices, pattern, size)
    if n < beating:
        return play(_nth_beating(hand, choices, pattern, size, n))
    return discard(nth_subset(hand, size, n - beating))


@inlined
def _nth_lead(hand: np.uint64, singles: np.uint64, n: int) -> int:
    """The n-th lead: singles, then runs, then sets."""
    if n < ones(singles):
        return play(_ONE << _U(nth_bit(singles, n)))
    n -= ones(singles)
    runs = _count_runs(hand)
    if n < runs:
        return play(_nth_run(hand, n))
    return play(_nth_set(hand, n - runs))


@inlined
def random_move(view: Any, rules: Any, rng: Any) -> int:
    """One of the distinct legal moves, each as likely."""
    return nth_move(view, rules, below(rng, count_moves(view, rules)))


# --- for strategies ---------------------------------------------------------------------------------------------------


@inlined
def longest(hand: np.uint64) -> np.uint64:
    """The longest run or set of a hand, empty if it has none.

    A set is all cards of its number. A run goes before a set as long, of runs the best by suit, then number, of sets
    the highest number.
    """
    tops, size, run = run_tops(hand, _THREE), _THREE, _NONE
    while tops != _NONE:
        run = run_from(lowest_bit(tops), size)
        tops &= hand >> _U(size)
        size += 1
    several = sets_of(hand, 4)
    numbers = several if several != _NONE else sets_of(hand, _THREE)
    number = ONES if ones(hand & TIGERS) == 5 else lowest_bit(numbers)
    found = hand & of_number(number)
    return found if ones(found) > ones(run) else run


@inlined
def _highest_bit(cards: np.uint64) -> np.uint64:
    """The last of some cards: a set of one."""
    return last_cards(cards, 1)


@inlined
def weakest(view: Any) -> np.uint64:
    """The weakest pattern that beats the best one on the table; there must be one, see `can_beat`.

    A single: the lowest number; a run: the last by suit and number; a set: the lowest number, its best cards.
    """
    last = _highest_bit(view.choices)
    if view.pattern <= RUN:
        return run_from(last, view.size)
    return first_cards(view.hand & of_number(last), view.size)


@inlined
def my_elders(view: Any) -> np.uint64:
    """The Elders in the hand."""
    return view.hand & view.elders


@inlined
def can_beat(view: Any) -> bool:
    """Whether the hand can beat the best pattern on the table."""
    return view.choices != _NONE
