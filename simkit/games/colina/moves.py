"""What a seat may play, read off its view: a move's code, the list of legal moves, and helpers for strategies.

A move is one int64: bits 0–5 the slots of the front line, bits 6–8 the slot of the back line plus 1 (0: no back line).
All functions are compiled and take a VIEW record; a strategy may use any of them. The kernel uses them too, with its
own record of a seat, which has the same fields of a hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.games.colina.cards import ACE, BYTES, COUNT, DEAD_JOKERS, JACK, JOKER, LOWEST, NTH, dead_shift
from simkit.jit import kernel
from simkit.rng import below

NO_SLOT = -1

_U = np.uint64
_ONES = _U(0x0101010101010101)
_GUARD = _U(0x8080808080808080)
_SEVENS = _U(0x7F7F7F7F7F7F7F7F)
_BYTE, _TOP, _EIGHT = _U(255), _U(56), _U(8)
_SUPPORT_BYTES = _U(0x3F003F003F003F00)
_VALUE_BYTES = _U(0x003F003F003F003F)
_SHIFTS = np.array([[dead_shift(suit, rank) if rank >= 2 else 0 for rank in range(15)] for suit in range(4)], np.uint64)
_TWO_BITS, _FOUR_BITS, _JOKER_SHIFT = _U(3), _U(15), _U(DEAD_JOKERS)
_BAR_JOKER = 16
_ALL = 1 << 62


@kernel
def play(front: int, back: int) -> int:
    """The move's code: `front` a mask of slots, `back` a slot or NO_SLOT."""
    return front | ((back + 1) << 6)


@kernel
def front_of(move: int) -> int:
    """The mask of slots in the front line of a move."""
    return move & 63


@kernel
def back_of(move: int) -> int:
    """The slot in the back line of a move, NO_SLOT for none."""
    return (move >> 6) - 1


@kernel
def count(slots: int) -> int:
    """How many slots a mask holds."""
    return COUNT[_U(slots)]


@kernel
def total(view: Any, slots: int) -> int:
    """The sum of the front values of some slots, before doubling."""
    return np.int64(((view.values & BYTES[_U(slots)]) * _ONES) >> _TOP)


@kernel
def value_cards(view: Any) -> int:
    """The mask of slots with value cards (2–10)."""
    return fold(view.groups & _VALUE_BYTES)


@kernel
def support_cards(view: Any) -> int:
    """The mask of slots with support cards (J, Q, K, A)."""
    return fold(view.groups & _SUPPORT_BYTES)


@kernel
def fold(groups: np.uint64) -> int:
    """The union of the eight masks in a word of groups."""
    half = groups | (groups >> _U(32))
    quarter = half | (half >> _U(16))
    return np.int64((quarter | (quarter >> _EIGHT)) & _U(63))


@kernel
def value_group(view: Any, suit: int) -> int:
    """The mask of slots with value cards of a suit (0–3)."""
    return np.int64((view.groups >> _U(16 * suit)) & _BYTE)


@kernel
def support_group(view: Any, suit: int) -> int:
    """The mask of slots with support cards of a suit (0–3)."""
    return np.int64((view.groups >> _U(16 * suit + 8)) & _BYTE)


@kernel
def is_distinct(view: Any, slots: int) -> bool:
    """No rank twice among the cards of a mask (`siamese_ranks = "distinct"`, COL-3.1)."""
    seen, left = 0, slots
    while left:
        rank = 1 << (view.hand[LOWEST[_U(left)]] & 15)
        if seen & rank:
            return False
        seen |= rank
        left &= left - 1
    return True


@kernel
def supports_may_lead(view: Any, rules: Any) -> bool:
    """Whether a support card, or a support siamese, may be the front line now (COL-2.6)."""
    return rules.support_front == 0 or (view.groups & _VALUE_BYTES) == _U(0)


@kernel
def jokers_may_join(view: Any, rules: Any) -> int:
    """The mask of jokers that may be added to a siamese: all, unless the seat is barred from it (restricted play)."""
    return 0 if rules.barred[view.seat] & _BAR_JOKER else view.jokers


@kernel
def is_legal_play(view: Any, rules: Any, move: int) -> bool:
    """Whether this hand may be played so: COL-2.2 to 2.4, 2.6, 3.1 to 3.4, and what the seat is barred from."""
    front, back = front_of(move), back_of(move)
    if move < 0 or move >> 9 or front == 0 or front & ~view.held:
        return False
    if back != NO_SLOT and not (view.backs & ~front) >> back & 1:
        return False
    jokers = front & view.jokers
    cards = front & ~jokers
    if cards == 0:
        return jokers & (jokers - 1) == 0
    card = np.int64(view.hand[LOWEST[_U(cards)]])
    suit, is_support = card >> 4, (card & 15) >= JACK
    if is_support and not supports_may_lead(view, rules):
        return False
    if cards & (cards - 1) == 0:
        return jokers == 0
    group = support_group(view, suit) if is_support else value_group(view, suit)
    if cards & ~group or jokers & ~jokers_may_join(view, rules):
        return False
    return rules.siamese_ranks == 0 or is_distinct(view, cards)


@kernel
def single_fronts(view: Any, rules: Any) -> int:
    """The mask of slots that may be a front line alone (COL-2.3)."""
    return view.held if supports_may_lead(view, rules) else view.held & ~support_cards(view)


@kernel
def siamese_groups(view: Any, rules: Any) -> np.uint64:
    """The bytes of `view.groups` that hold two cards or more and may lead: what siamese are made of."""
    groups = view.groups
    if not supports_may_lead(view, rules):
        groups &= _VALUE_BYTES
    several = groups & ((groups | _GUARD) - _ONES)  # each byte without its lowest bit
    return groups & ((((several + _SEVENS) & _GUARD) >> _U(7)) * _BYTE)


@kernel
def backs_left(view: Any, front: int) -> int:
    """In how many ways a front line can be backed: no back line, or one of the cards that are left for it."""
    return 1 + COUNT[_U(view.backs & ~front)]


@kernel
def _nth_back(view: Any, front: int, n: int) -> int:
    return play(front, NTH[_U(view.backs & ~front), _U(n - 1)] if n else NO_SLOT)


@kernel
def _singles(view: Any, rules: Any) -> int:
    fronts = single_fronts(view, rules)
    return COUNT[_U(fronts)] * (1 + COUNT[_U(view.backs)]) - COUNT[_U(fronts & view.backs)]


@kernel
def _nth_single(view: Any, rules: Any, n: int) -> int:
    """The n-th single front with its back: first the cards that could not be backs, then those that could."""
    fronts, ways = single_fronts(view, rules), 1 + COUNT[_U(view.backs)]
    free = fronts & ~view.backs
    rest = n - COUNT[_U(free)] * ways
    if rest >= 0:
        free, n, ways = fronts & view.backs, rest, ways - 1
    return _nth_back(view, 1 << NTH[_U(free), _U(n) // _U(ways)], np.int64(_U(n) % _U(ways)))


@kernel
def _siamese(view: Any, rules: Any, n: int) -> int:
    """Walks through all siamese with their backs: the n-th as a move, or −1 − (their number) when there are fewer."""
    jokers, seen = jokers_may_join(view, rules), 0
    groups = siamese_groups(view, rules)
    while groups:
        group = np.int64(groups & _BYTE)
        groups >>= _EIGHT
        subset = group
        while subset:
            if subset & (subset - 1) and (rules.siamese_ranks == 0 or is_distinct(view, subset)):
                joined = jokers
                while True:
                    ways = backs_left(view, subset | joined)
                    if n < seen + ways:
                        return _nth_back(view, subset | joined, n - seen)
                    seen += ways
                    if not joined:
                        break
                    joined = (joined - 1) & jokers
            subset = (subset - 1) & group
    return -1 - seen


@kernel
def count_moves(view: Any, rules: Any) -> int:
    """The number of distinct legal moves; cards that look alike are different cards."""
    return _singles(view, rules) - 1 - _siamese(view, rules, _ALL)


@kernel
def nth_move(view: Any, rules: Any, n: int) -> int:
    """The n-th legal move, 0 ≤ n < count_moves; the order is fixed but has no meaning."""
    singles = _singles(view, rules)
    if n < singles:
        return _nth_single(view, rules, n)
    return _siamese(view, rules, n - singles)


@kernel
def random_move(view: Any, rules: Any, rng: Any) -> int:
    """One of the distinct legal moves, each as likely."""
    return nth_move(view, rules, below(rng, count_moves(view, rules)))


@kernel
def lowest_single(view: Any, rules: Any) -> int:
    """The slot of the lowest card that may be a front line alone; jokers count 0."""
    return _extreme(view, single_fronts(view, rules), -1)


@kernel
def highest_single(view: Any, rules: Any) -> int:
    """The slot of the highest card that may be a front line alone."""
    return _extreme(view, single_fronts(view, rules), 1)


@kernel
def _extreme(view: Any, slots: int, sign: int) -> int:
    best, best_value = NO_SLOT, -100
    while slots:
        slot = LOWEST[_U(slots)]
        value = sign * total(view, 1 << slot)
        if value > best_value:
            best, best_value = slot, value
        slots &= slots - 1
    return best


@kernel
def best_value_front(view: Any, rules: Any) -> int:
    """The front line of value cards with the highest total, a siamese or one card; without value cards the best single.

    As greedy players see it: the highest card alone where no suit has two.
    """
    best, best_total = 0, -1
    for suit in range(4):
        cards = value_group(view, suit)
        if rules.siamese_ranks:
            cards = without_twins(view, cards)
        if cards:
            value = total(view, cards)
            if value > best_total:
                best, best_total = cards, value
    return best if best else 1 << highest_single(view, rules)


@kernel
def longest_front(view: Any, rules: Any) -> int:
    """The front line of the most cards, jokers included; of equally long ones the highest total."""
    best, best_score = 1 << highest_single(view, rules), 0
    jokers, groups = jokers_may_join(view, rules), siamese_groups(view, rules)
    while groups:
        cards = np.int64(groups & _BYTE)
        groups >>= _EIGHT
        if rules.siamese_ranks:
            cards = without_twins(view, cards)
        if cards & (cards - 1):
            score = 64 * COUNT[_U(cards)] + total(view, cards)  # a total is at most 60
            if score > best_score:
                best, best_score = cards | jokers, score
    return best


@kernel
def without_twins(view: Any, slots: int) -> int:
    """The mask without the second card of each rank."""
    seen, kept, left = 0, 0, slots
    while left:
        slot = LOWEST[_U(left)]
        rank = 1 << (view.hand[slot] & 15)
        if not seen & rank:
            kept |= 1 << slot
        seen |= rank
        left &= left - 1
    return kept


@kernel
def find_support(view: Any, kind: int, front: int) -> int:
    """A slot with a card of `kind` (JACK, QUEEN, KING, ACE or JOKER) that may back `front`, or NO_SLOT."""
    left = view.backs & ~front
    while left:
        slot = LOWEST[_U(left)]
        card = view.hand[slot]
        if card == kind or (kind < JOKER and card < JOKER and (card & 15) == kind):
            return slot
        left &= left - 1
    return NO_SLOT


@kernel
def is_last_ace(view: Any) -> bool:
    """The only card in hand is an ace: in the front line it is a mirror (COL-4.7)."""
    only_card = view.held & (view.held - 1) == 0
    return only_card and view.jokers == 0 and (view.hand[LOWEST[_U(view.held)]] & 15) == ACE


@kernel
def dead_count(view: Any, suit: int, rank: int) -> int:
    """How many of the two cards of a suit (0–3) and rank (2–14) lie in the dead pile."""
    return np.int64((view.dead[suit >> 1] >> _SHIFTS[suit, rank]) & _TWO_BITS)


@kernel
def dead_jokers(view: Any) -> int:
    """How many jokers lie in the dead pile."""
    return np.int64((view.dead[1] >> _JOKER_SHIFT) & _FOUR_BITS)
