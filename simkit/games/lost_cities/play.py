"""A round of Lost Cities from its deal to its scores (LC-1.2, LC-4), and what is counted about it."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.lost_cities import counts as c
from simkit.games.lost_cities.cards import COLOURS, DECK, INVESTMENTS, PACK, PACK_SET, PACK_SIZE, RANK, WORD_CARDS
from simkit.games.lost_cities.moves import NO_CARD, cards_in, investments_in, score_of, slots_in
from simkit.games.lost_cities.probe import NO_TURN
from simkit.jit import kernel
from simkit.rng import below

_U = np.uint64
_ZERO, _ONE = _U(0), _U(1)
_RANKS = len(c.RANKS)


@kernel
def word_of(card: int) -> int:
    """Which word of a set a card is in."""
    return np.int64(card >= WORD_CARDS)


@kernel
def bit_of(card: int, word: int) -> np.uint64:
    """The bit of a card in its word of a set."""
    return _ONE << _U(card - WORD_CARDS * word)


@kernel
def deal(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Shuffles, deals the hands in turn, and lays the rest down as the draw pile (LC-1.2)."""
    _clear(state, rules)
    left = PACK_SIZE[_U(rules.colors), _U(rules.wagers)]
    for n in range(left):
        state.deck[n] = PACK[_U(rules.colors), _U(rules.wagers), n]
    for n in range(2 * rules.hand_size):
        card = _draw(state, chance, left - n)
        word = word_of(card)
        state.seats[n & 1].hand[word] |= bit_of(card, word)
    state.pile = left - 2 * rules.hand_size
    for n in range(state.pile, 1, -1):
        state.deck[_U(n - 1)] = _draw(state, chance, n)
    for number in range(2):
        _note_hand(state.seats[number], outcome, number)


@kernel
def _draw(state: Any, chance: Any, n: int) -> int:
    """A random card of the first n of the deck; the last of them takes its place."""
    place = _U(below(chance.deal, n))
    card = np.int64(state.deck[place])
    state.deck[place] = state.deck[_U(n - 1)]
    return card


@kernel
def _clear(state: Any, rules: Any) -> None:
    """An empty table."""
    state.turn = 0
    state.actor = state.starter
    state.sources = 1 << DECK
    state.probe_at = NO_TURN
    state.probe_card = NO_CARD
    for word in range(2):
        state.probe_closed[word] = _ZERO
    for colour in range(COLOURS + 1):
        state.piles[colour] = _ZERO
    for number in range(2):
        seat = state.seats[number]
        seat.taken = 0
        for word in range(2):
            pack = PACK_SET[_U(rules.colors), _U(rules.wagers), _U(word)]
            seat.hand[word] = _ZERO
            seat.open[word] = pack
            seat.laid[word] = _ZERO
            seat.known[word] = _ZERO
            seat.unseen[word] = pack
        barred = rules.barred[number]
        for rank in range(_RANKS):
            if barred >> rank & 1:
                seat.open[0] &= ~RANK[rank, 0]
                seat.open[1] &= ~RANK[rank, 1]


@kernel
def _note_hand(seat: Any, outcome: Any, number: int) -> None:
    for word in range(2):
        seat.unseen[word] &= ~seat.hand[word]
    for rank in range(_RANKS):
        here = _of_rank(seat.hand[0], seat.hand[1], rank)
        outcome.opening[number, rank] += here
        outcome.drawn[number, rank] += here


@kernel
def _of_rank(first: np.uint64, second: np.uint64, rank: int) -> int:
    """How many cards of a rank a set holds."""
    return ones(first & RANK[_U(rank), 0]) + ones(second & RANK[_U(rank), 1])


@kernel
def end_round(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Scores the round (LC-4.3 to 4.5), and deals the next one or ends the game (LC-4.6)."""
    is_cut = state.pile > 0
    state.cuts += is_cut
    outcome.turns += state.turn
    outcome.clauses[c.E_CUT] += is_cut
    outcome.clauses[c.E_END] += not is_cut
    for number in range(2):
        own_turns = (state.turn + (state.starter == number)) // 2
        _score(state, rules, outcome, number, own_turns)
    _note_both(state, outcome)
    if state.round == rules.rounds:
        state.actor = -1
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
def _score(state: Any, rules: Any, outcome: Any, number: int, own_turns: int) -> None:
    """Scores a seat's expeditions, and counts what came of them."""
    seat, ended = state.seats[number], state.ended[number]
    total, started, paying, losing, multiplied, bonuses, wagers = 0, 0, 0, 0, 0, 0, 0
    for colour in range(COLOURS):
        slots = slots_in(seat.laid[0], seat.laid[1], colour)
        worth = score_of(rules, slots)
        has_bonus = cards_in(slots) >= rules.bonus_cards
        ended.worth[colour] = worth
        total += worth
        started += slots != 0
        paying += worth > 0
        losing += worth < 0
        multiplied += (worth < 0) & (slots & INVESTMENTS != 0)
        bonuses |= has_bonus << colour
        wagers += investments_in(slots)
    for word in range(2):
        ended.laid[word] = seat.laid[word]
    ended.bonus = bonuses
    ended.score = total
    seat.score += total
    laid = ones(seat.laid[0]) + ones(seat.laid[1])
    outcome.started[number] += started
    outcome.paying[number] += paying
    outcome.losing[number] += losing
    outcome.laid[number] += laid
    outcome.wagers[number] += wagers
    outcome.bonuses[number] += cards_in(bonuses)
    outcome.discarded[number] += own_turns - laid
    outcome.taken[number] += seat.taken
    for rank in range(_RANKS):
        outcome.laid_rank[number, rank] += _of_rank(seat.laid[0], seat.laid[1], rank)
    outcome.clauses[c.E_MULTIPLIED_LOSS] += multiplied


@kernel
def _note_both(state: Any, outcome: Any) -> None:
    """Counts the colours in which both seats started an expedition (LC-3.3)."""
    seat_0, seat_1 = state.seats[0], state.seats[1]
    for colour in range(COLOURS):
        mine = slots_in(seat_0.laid[0], seat_0.laid[1], colour)
        theirs = slots_in(seat_1.laid[0], seat_1.laid[1], colour)
        outcome.clauses[c.E_BOTH] += (mine != 0) & (theirs != 0)
