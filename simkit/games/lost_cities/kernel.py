"""The rules of Lost Cities, compiled: set up, who acts, what a seat sees, what is legal, what a turn does, what came.

The driver calls `setup`, `actor`, `observe`, `is_legal`, `apply` and `finish`. `outcome` is the game's row of OUTCOME:
it starts as zeros and is counted up while the game is played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import lowest
from simkit.games.lost_cities import counts as c
from simkit.games.lost_cities import probe
from simkit.games.lost_cities.cards import ALIKE, CARDS, CLOSED, COLOURS, DECK, RANK_OF, SLOTS, WORD_CARDS
from simkit.games.lost_cities.moves import card_out, colour_of, goes_to, source_of
from simkit.games.lost_cities.play import bit_of, deal, end_round, word_of
from simkit.jit import kernel

_U = np.uint64
_ONE, _NIBBLE, _FOUR = _U(1), _U(15), _U(4)
_NO_MOVE = -1


@kernel
def setup(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Deals the first round; seat 0 starts it (LC-1.4)."""
    state.round = 1
    state.starter = 0
    state.cuts = 0
    state.move = _NO_MOVE
    for number in range(2):
        state.seats[number].score = 0
    deal(state, rules, chance, outcome)
    if rules.probe:
        probe.draw_turn(state, rules, chance)
        if state.probe_at == 0:
            probe.begin(state, rules, chance, outcome)


@kernel
def actor(state: Any, rules: Any) -> int:
    """The seat whose turn it is, −1 when the game is over."""
    return state.actor


@kernel
def observe(state: Any, rules: Any, number: int, view: Any) -> None:
    """Writes all that a seat may know into the view, and nothing else."""
    seat, other = state.seats[number], state.seats[1 - number]
    for word in range(2):
        view.hand[word] = seat.hand[word]
        view.playable[word] = seat.hand[word] & seat.open[word]
        view.laid[word] = seat.laid[word]
        view.theirs[word] = other.laid[word]
        view.known[word] = other.known[word]
        view.unseen[word] = seat.unseen[word]
    for colour in range(COLOURS):
        view.piles[colour] = state.piles[colour]
    view.sources = state.sources
    view.pile = state.pile
    view.turn = state.turn
    view.round = state.round
    view.score = seat.score
    view.their_score = other.score
    view.their_move = state.move if state.turn else _NO_MOVE
    view.seat = number


@kernel
def is_legal(state: Any, rules: Any, number: int, move: int) -> bool:
    """Whether the move is legal for the seat whose turn it is (LC-2, LC-3)."""
    card, to, source = card_out(move), goes_to(move), source_of(move)
    if move >> 11 or card >= CARDS:
        return False
    seat, word = state.seats[number], word_of(card)
    able = seat.hand[word] & (seat.open[word] | _U(-to)) & bit_of(card, word)
    own = to << colour_of(card)  # LC-2.3
    sources = state.sources & ~own | own * rules.redraw_own_discard
    return (able != _U(0)) & (sources >> source & 1 != 0)


@kernel
def apply(state: Any, rules: Any, number: int, move: int, chance: Any, outcome: Any) -> None:
    """One turn: a card out, a card in (LC-2); with the last one the round ends (LC-4)."""
    seat = state.seats[number]
    if state.turn == state.probe_at:
        move = probe.during(state, seat, move)
    state.move = move
    _put_out(state, seat, state.seats[1 - number], card_out(move), goes_to(move))
    if rules.redraw_own_discard:
        outcome.clauses[c.E_OWN_DISCARD] += goes_to(move) & (colour_of(card_out(move)) == source_of(move))
    _take_in(state, outcome, number, source_of(move))
    state.actor = 1 - number
    state.turn += 1
    if state.pile == 0 or state.turn == rules.max_turns:
        end_round(state, rules, chance, outcome)
    elif state.turn == state.probe_at:
        probe.begin(state, rules, chance, outcome)


@kernel
def _put_out(state: Any, seat: Any, other: Any, card: int, to: int) -> None:
    """The card leaves the hand for its expedition or its discard pile; without a branch that is hard to predict."""
    word, colour = word_of(card), colour_of(card)
    # Nobody sees which of two investment cards goes out: it is one that was taken from a discard pile, if there is one.
    alike = seat.known[word] & ALIKE[_U(card)]
    if alike:
        card = WORD_CARDS * word + lowest(alike)
    bit, if_laid = bit_of(card, word), _U(to) - _ONE
    seat.hand[word] ^= bit
    seat.known[word] &= ~bit
    seat.laid[word] |= bit & if_laid
    seat.open[word] &= ~(CLOSED[_U(card)] & if_laid)
    other.unseen[word] &= ~bit
    state.piles[_U(colour)] = state.piles[_U(colour)] << _U(4 * to) | _U((card - SLOTS * colour + 1) * to)
    state.sources |= to << colour


@kernel
def _take_in(state: Any, outcome: Any, number: int, source: int) -> None:
    """The next card comes from the draw pile or the top of a discard pile; without a branch to mispredict."""
    seat = state.seats[number]
    is_deck = np.int64(source == DECK)
    stack = state.piles[_U(source)]
    top = SLOTS * source + np.int64(stack & _NIBBLE) - 1
    hidden = np.int64(state.deck[_U(state.pile - 1)])
    card = hidden if is_deck else top
    rest = stack >> _FOUR
    state.piles[_U(source)] = rest
    state.sources &= ~(((rest == _U(0)) & (1 - is_deck)) << source)
    state.pile -= is_deck
    word = word_of(card)
    bit = bit_of(card, word)
    seat.hand[word] |= bit
    seat.unseen[word] &= ~bit
    seat.known[word] |= bit & (_U(is_deck) - _ONE)
    seat.taken += 1 - is_deck
    state.drawn = card
    outcome.drawn[number, RANK_OF[_U(card)]] += 1


@kernel
def finish(state: Any, rules: Any, outcome: Any) -> None:
    """Writes what is known at the end: winner, scores, and the clauses that follow from other counts."""
    score_0, score_1 = state.seats[0].score, state.seats[1].score
    outcome.winner = -1 if score_0 == score_1 else np.int64(score_1 > score_0)
    outcome.unfinished = state.cuts > 0
    outcome.rounds = state.round
    outcome.scores[0] = score_0
    outcome.scores[1] = score_1
    taken = outcome.taken[0] + outcome.taken[1]
    started = outcome.started[0] + outcome.started[1]
    paying, losing = outcome.paying[0] + outcome.paying[1], outcome.losing[0] + outcome.losing[1]
    outcome.clauses[c.E_LAID] = outcome.laid[0] + outcome.laid[1]
    outcome.clauses[c.E_DISCARDED] = outcome.discarded[0] + outcome.discarded[1]
    outcome.clauses[c.E_DECK] = outcome.turns - taken
    outcome.clauses[c.E_TAKEN] = taken
    outcome.clauses[c.E_INVESTMENT] = outcome.wagers[0] + outcome.wagers[1]
    outcome.clauses[c.E_GAIN] = paying
    outcome.clauses[c.E_NOTHING] = started - paying - losing
    outcome.clauses[c.E_LOSS] = losing
    outcome.clauses[c.E_BONUS] = outcome.bonuses[0] + outcome.bonuses[1]
    outcome.clauses[c.E_DRAW] = score_0 == score_1
