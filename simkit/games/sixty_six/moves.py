"""What a seat may play, read off its view: a move's code, the list of legal moves, and helpers for strategies.

A move is one int64: bits 0–4 the card, and for a lead MARRIAGE, CLOSE and EXCHANGE if these come first. All functions
are compiled and take a VIEW record; a strategy may use any of them. Sets of cards are uint64, see `cards`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import lowest, nth_bit, ones
from simkit.games.sixty_six.cards import ACE, JACK, KING, NINES, NO_CARD, PACK, QUEEN, TEN, beating, free_couples
from simkit.jit import inlined
from simkit.rng import below

CARD, MARRIAGE, CLOSE, EXCHANGE = 31, 32, 64, 128

_U = np.uint64
_ONE, _NONE = _U(1), _U(0)
_JACKS, _QUEENS, _KINGS, _TENS, _ACES = (_U(0xF << 4 * rank) for rank in (JACK, QUEEN, KING, TEN, ACE))


@inlined
def card_of(move: int) -> int:
    """The card of a move."""
    return move & CARD


@inlined
def is_marriage(move: int) -> bool:
    """Whether a lead declares the marriage of its card."""
    return (move & MARRIAGE) != 0


@inlined
def is_close(move: int) -> bool:
    """Whether a lead closes the stock first."""
    return (move & CLOSE) != 0


@inlined
def is_exchange(move: int) -> bool:
    """Whether a lead exchanges the nine of trumps first."""
    return (move & EXCHANGE) != 0


@inlined
def exchanged(hand: np.uint64, view: Any) -> np.uint64:
    """The hand with the turned-up card in the place of the nine of trumps."""
    return (hand & ~(view.trumps & NINES)) | view.turned


@inlined
def _leads(view: Any, rules: Any, cards: np.uint64, wed: np.uint64) -> int:
    """The number of moves with these cards, of which `wed` may be led with their marriage; closing first counts."""
    closed = ones(cards) + ones(wed) * (rules.marriage_after_close != 0)
    return ones(cards) + ones(wed) + closed * view.may_close


@inlined
def _nth_lead(cards: np.uint64, wed: np.uint64, n: int) -> int:
    """The n-th of these moves: without closing first, then with it."""
    single, open_leads = ones(cards), ones(cards) + ones(wed)
    close = np.int64(n >= open_leads)  # a coin toss in random play: no branch to mispredict
    n -= open_leads * close
    if n >= single:
        return nth_bit(wed, n - single) | (CLOSE * close) | MARRIAGE
    return nth_bit(cards, n) | (CLOSE * close)


@inlined
def count_moves(view: Any, rules: Any) -> int:
    """The number of distinct legal moves."""
    moves = _leads(view, rules, view.legal, view.couples)
    if view.may_exchange:
        hand = exchanged(view.hand, view)
        moves += _leads(view, rules, hand, free_couples(hand, view.trumps, rules.barred[_U(view.seat)]))
    return moves


@inlined
def nth_move(view: Any, rules: Any, n: int) -> int:
    """The n-th legal move, 0 ≤ n < count_moves; the order is fixed but has no meaning."""
    if view.may_exchange:
        direct = _leads(view, rules, view.legal, view.couples)
        if n >= direct:
            hand = exchanged(view.hand, view)
            wed = free_couples(hand, view.trumps, rules.barred[_U(view.seat)])
            return EXCHANGE | _nth_lead(hand, wed, n - direct)
    return _nth_lead(view.legal, view.couples, n)


@inlined
def random_move(view: Any, rules: Any, rng: Any) -> int:
    """One of the distinct legal moves, each as likely."""
    return nth_move(view, rules, below(rng, count_moves(view, rules)))


@inlined
def is_lead(view: Any) -> bool:
    """Whether the seat is about to lead; otherwise it replies."""
    return view.led == NO_CARD


@inlined
def winning(view: Any) -> np.uint64:
    """The legal replies that win the trick."""
    return view.legal & beating(view.led, view.trumps)


@inlined
def cheapest(view: Any, cards: np.uint64) -> int:
    """The cheapest of some cards: no trump rather than a trump, then the lowest in rank, then by suit (s h d c)."""
    plain = cards & ~view.trumps
    return lowest(plain if plain else cards)


@inlined
def unseen(view: Any) -> np.uint64:
    """The cards whose place the seat does not know: in the opponent's hand or face down in the stock."""
    known = view.hand | view.played | view.their_played | view.their_shown | view.turned
    return PACK & ~known


@inlined
def their_hand_size(view: Any) -> int:
    """How many cards the opponent holds."""
    return ones(view.hand) - (0 if view.led == NO_CARD else 1)


@inlined
def theirs(view: Any) -> np.uint64:
    """The opponent's hand as far as it is known: once the stock is exhausted, all of it."""
    return view.their_shown | (unseen(view) if view.stock == 0 else _NONE)


@inlined
def worth(cards: np.uint64) -> int:
    """The points of a set of cards (SS-1.1)."""
    return (
        2 * ones(cards & _JACKS)
        + 3 * ones(cards & _QUEENS)
        + 4 * ones(cards & _KINGS)
        + 10 * ones(cards & _TENS)
        + 11 * ones(cards & _ACES)
    )
