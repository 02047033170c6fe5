"""A round of Lost Cities: its deal (LC-1.2), its end and its scores (LC-4), and what is counted about it."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.lost_cities import counts as c
from simkit.games.lost_cities.cards import (
    ALL,
    BIT,
    CARDS,
    COLOURS,
    DECK,
    HAND_6,
    INVESTMENTS,
    LAID_6,
    OPEN_6,
    PACK,
    PACK_SET,
    PACK_SIZE,
    RANK,
    RANK_OF,
    RANK_SLOTS,
    UNSEEN_6,
    WORD_CARDS,
)
from simkit.games.lost_cities.moves import NO_CARD, cards_in, laid_in, score_of, two_below
from simkit.games.lost_cities.probe import NO_TURN
from simkit.jit import kernel

NO_MOVE = -1

_U = np.uint64
_ZERO, _SLOT_BITS = _U(0), _U(ALL)
_RANKS = len(c.RANKS)


@kernel
def deal(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Shuffles, deals the hands in turn, and lays the rest down as the draw pile (LC-1.2)."""
    _clear(state, rules)
    left = PACK_SIZE[_U(rules.colors), _U(rules.wagers)]
    for n in range(CARDS):
        state.deck[n] = PACK[_U(rules.colors), _U(rules.wagers), n]
    # All of the pack is shuffled at once: it is always drawn to its end, and in the same order whoever plays.
    for n in range(left, 1, -2):
        first, second = two_below(chance.deal, n, n - 1)
        _swap(state, first, n - 1)
        _swap(state, second, n - 2)
    state.pile = left - 2 * rules.hand_size
    for n in range(state.pile, left):
        _give(state, outcome, n & 1, np.int64(state.deck[_U(n)]))


@kernel
def _swap(state: Any, a: int, b: int) -> None:
    """Two cards of the deck change places."""
    card = state.deck[_U(a)]
    state.deck[_U(a)] = state.deck[_U(b)]
    state.deck[_U(b)] = card


@kernel
def _give(state: Any, outcome: Any, number: int, card: int) -> None:
    """Deals a card to a seat."""
    seat, bit, rank = state.seats[_U(number)], BIT[_U(card)], RANK_OF[_U(card)]
    outcome.opening[_U(number), rank] += 1
    outcome.drawn[_U(number), rank] += 1
    if card < WORD_CARDS:
        seat.hand |= bit
        seat.unseen &= ~bit
    else:
        seat.sixth = (seat.sixth | bit << _U(HAND_6)) & ~(bit << _U(UNSEEN_6))


@kernel
def _clear(state: Any, rules: Any) -> None:
    """An empty table."""
    state.turn = 0
    state.move = NO_MOVE
    state.sources = 1 << DECK
    state.probe_at = NO_TURN
    state.probe_card = NO_CARD
    state.probe_closed = _ZERO
    state.probe_closed_6 = _ZERO
    for colour in range(COLOURS + 1):
        state.piles[colour] = _ZERO
    pack, pack_6 = PACK_SET[_U(rules.colors), _U(rules.wagers), 0], PACK_SET[_U(rules.colors), _U(rules.wagers), 1]
    for number in range(2):
        barred, barred_6 = _barred(rules.barred[number])
        seat = state.seats[number]
        seat.hand = _ZERO
        seat.open = pack & ~barred
        seat.laid = _ZERO
        seat.unseen = pack
        seat.known = _ZERO
        seat.sixth = (pack_6 & ~barred_6) << _U(OPEN_6) | pack_6 << _U(UNSEEN_6)
        seat.taken = 0


@kernel
def _barred(ranks: int) -> tuple[np.uint64, np.uint64]:
    """The cards of some ranks (a mask), of colours 0–4 and of colour 5."""
    word, sixth = _ZERO, _ZERO
    if ranks:
        for rank in range(_RANKS):
            if ranks >> rank & 1:
                word |= RANK[rank]
                sixth |= RANK_SLOTS[rank]
    return word, sixth


@kernel
def _of_rank(word: np.uint64, sixth: np.uint64, rank: int) -> int:
    """How many cards of a rank a set holds."""
    cards: int = ones(word & RANK[rank]) + ones(sixth & RANK_SLOTS[rank])
    return cards


@kernel
def end_round(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Scores the round (LC-4.3 to 4.5), and deals the next one or ends the game (LC-4.6)."""
    is_cut = state.pile > 0
    state.cuts += is_cut
    state.ended_move = state.move
    outcome.turns += state.turn
    outcome.clauses[c.E_CUT] += is_cut
    outcome.clauses[c.E_END] += not is_cut
    for number in range(2):
        own_turns = (state.turn + (state.starter == number)) // 2
        _score(state, rules, outcome, number)
        _count(state.seats[number], outcome, number, own_turns)
    outcome.clauses[c.E_BOTH] += cards_in(_started(state.seats[0], rules) & _started(state.seats[1], rules))
    if state.round == rules.rounds:
        state.over = -1
        return
    other = 1 - state.starter
    score_0, score_1 = state.ended[0].score, state.ended[1].score
    starter = other if rules.next_starter == 0 or score_0 == score_1 else np.int64(score_1 > score_0)
    outcome.clauses[c.E_NEXT_ROUND] += 1
    outcome.clauses[c.E_SAME_STARTER] += starter != other
    state.starter = starter
    state.round += 1
    deal(state, rules, chance, outcome)


@kernel
def _started(seat: Any, rules: Any) -> int:
    """The mask of colours that a seat has started."""
    colours = 0
    for colour in range(rules.colors):
        colours |= (laid_in(seat, colour) != 0) << colour
    return colours


@kernel
def _score(state: Any, rules: Any, outcome: Any, number: int) -> None:
    """Scores a seat's expeditions (LC-4.3, 4.4)."""
    seat, ended = state.seats[number], state.ended[number]
    total, started, paying, losing, multiplied, bonuses = 0, 0, 0, 0, 0, 0
    for colour in range(rules.colors):
        slots = laid_in(seat, colour)
        worth = score_of(rules, slots)
        ended.worth[colour] = worth
        total += worth
        started += slots != 0
        paying += worth > 0
        losing += worth < 0
        multiplied += (worth < 0) & (slots & INVESTMENTS != 0)
        bonuses |= (cards_in(slots) >= rules.bonus_cards) << colour
    ended.laid = seat.laid
    ended.sixth = seat.sixth
    ended.bonus = bonuses
    ended.score = total
    seat.score += total
    outcome.started[number] += started
    outcome.paying[number] += paying
    outcome.losing[number] += losing
    outcome.bonuses[number] += cards_in(bonuses)
    outcome.clauses[c.E_MULTIPLIED_LOSS] += multiplied


@kernel
def _count(seat: Any, outcome: Any, number: int, own_turns: int) -> None:
    """Counts the cards of a seat that were laid, discarded and taken."""
    laid, laid_6 = seat.laid, seat.sixth >> _U(LAID_6) & _SLOT_BITS
    cards = ones(laid) + ones(laid_6)
    outcome.laid[number] += cards
    outcome.wagers[number] += _of_rank(laid, laid_6, 0)
    outcome.discarded[number] += own_turns - cards
    outcome.taken[number] += seat.taken
    for rank in range(_RANKS):
        outcome.laid_rank[number, rank] += _of_rank(laid, laid_6, rank)
