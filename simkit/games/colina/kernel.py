"""The rules of Colina, compiled: set up, who acts, what a seat sees, what is legal, what a play does, what came of it.

The driver calls `setup`, `actor`, `observe`, `is_legal`, `apply` and `finish`. `outcome` is the game's row of OUTCOME:
it starts as zeros and is counted up while the game is played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.games.colina import counts as c
from simkit.games.colina import state as s
from simkit.games.colina.cards import DEAD_STEP, GROUP, HAND, JOKER, KIND, LOWEST, PACK, VALUE
from simkit.games.colina.fight import fight, fire
from simkit.games.colina.moves import NO_SLOT, back_of, count, front_of, is_legal_play, support_cards
from simkit.jit import kernel
from simkit.rng import below

_U = np.uint64
_ONE = _U(1)
_TWO_BITS, _FOUR_BITS = _U(3), _U(15)
_SPREAD = _U(0x0101010101010101)
_DEAD_0, _DEAD_1 = DEAD_STEP[0].copy(), DEAD_STEP[1].copy()
_OVER = -1


@kernel
def setup(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Shuffles and deals (COL-1): the first deal is seat 0's, then seat 1's."""
    for i in range(PACK.size):
        state.deck[i] = PACK[i]
    state.pile = 104 + rules.jokers
    state.reshuffles = 0
    state.round = 0
    state.turn = 0
    state.leader = -1
    state.dead[0] = _U(0)
    state.dead[1] = _U(0)
    for number in range(2):
        seat = state.seats[number]
        seat.seat = number
        seat.points = rules.start_points
        seat.total = -1
        seat.back = -1
        seat.damage = 0
        seat.events = _U(0)
        draw_hand(state, rules, chance, outcome, number)
        for kind in range(s.KIND_COUNT):
            outcome.opening[number, kind] = outcome.drawn[number, kind]


@kernel
def draw_hand(state: Any, rules: Any, chance: Any, outcome: Any, number: int) -> None:
    """Deals a whole hand; a pile that runs out is made again in the middle of it (COL-5.3)."""
    seat = state.seats[number]
    seat.drew = 1
    values, groups, jokers = _U(0), _U(0), 0
    for slot in range(rules.hand_size):
        if state.pile == 0:
            reshuffle(state)
            seat.drew = 2
            fire(seat, outcome, c.E_RESHUFFLE_MID if slot else c.E_RESHUFFLE)
        # The first pass through the pack and later shuffles have streams of their own: arms deal the same cards.
        place = _U(below(chance.deal if state.reshuffles == 0 else chance.shuffle, state.pile))
        state.pile -= 1
        card = state.deck[place]
        state.deck[place] = state.deck[_U(state.pile)]
        seat.hand[slot] = card
        index = _U(card)
        values |= VALUE[index] << _U(8 * slot)
        if card == JOKER:
            jokers |= 1 << slot
        else:
            groups |= _ONE << (GROUP[index] + _U(slot))
        outcome.drawn[number, _U(max(KIND[index], 0))] += KIND[index] >= 0  # no branch to mispredict
    for slot in range(rules.hand_size, HAND):
        seat.hand[slot] = 0
    seat.values = values
    seat.groups = groups
    seat.jokers = jokers
    seat.held = (1 << rules.hand_size) - 1
    seat.backs = _allowed_backs(seat, rules.barred[number])


@kernel
def reshuffle(state: Any) -> None:
    """The dead pile becomes the draw pile (COL-5.3), in the order of the pack: drawing from it is the shuffle."""
    n = 0
    for card in range(JOKER + 1):
        times = 0
        if _DEAD_0[card]:
            times = np.int64(state.dead[0] // _DEAD_0[card] & _TWO_BITS)
        elif _DEAD_1[card]:
            times = np.int64(state.dead[1] // _DEAD_1[card] & (_FOUR_BITS if card == JOKER else _TWO_BITS))
        for _ in range(times):
            state.deck[n] = card
            n += 1
    state.pile = n
    state.dead[0] = _U(0)
    state.dead[1] = _U(0)
    state.reshuffles += 1


@kernel
def _allowed_backs(seat: Any, barred: int) -> int:
    """The mask of slots that may go to the back line (COL-2.4), less the kinds that the seat is barred from."""
    backs = support_cards(seat) | seat.jokers
    if barred:
        left = backs
        while left:
            slot = LOWEST[_U(left)]
            if barred >> KIND[_U(seat.hand[slot])] & 1:
                backs &= ~(1 << slot)
            left &= left - 1
    return backs


@kernel
def actor(state: Any, rules: Any) -> int:
    """The seat that chooses next, −1 when the game is over. Both choose before anything is revealed (COL-2.1)."""
    return state.turn


@kernel
def observe(state: Any, rules: Any, number: int, view: Any) -> None:
    """Writes all that a seat may know into the view, and nothing else."""
    seat, other = state.seats[number], state.seats[1 - number]
    for slot in range(8):
        view.hand[slot] = seat.hand[slot]
    view.held = seat.held
    view.values = seat.values
    view.groups = seat.groups
    view.jokers = seat.jokers
    view.backs = seat.backs
    view.points = seat.points
    view.seat = number
    view.cards = count(seat.held)
    view.their_cards = count(other.held)
    view.their_points = other.points
    view.round = state.round + 1
    view.pile = state.pile
    view.dead[0] = state.dead[0]
    view.dead[1] = state.dead[1]
    view.their_total = other.total
    view.their_back = other.back


@kernel
def is_legal(state: Any, rules: Any, number: int, move: int) -> bool:
    """Whether the move is legal for the seat that chooses (COL-2, COL-3)."""
    return is_legal_play(state.seats[number], rules, move)


@kernel
def apply(state: Any, rules: Any, number: int, move: int, chance: Any, outcome: Any) -> None:
    """Takes the seat's choice; with the second one the round is played (COL-4 to COL-6)."""
    state.seats[number].move = move
    if number == 0:
        state.turn = 1
        return
    state.turn = 0
    state.round += 1
    fight(state, rules, outcome)
    _bury(state, outcome, 0)
    _bury(state, outcome, 1)
    _end_or_refill(state, rules, chance, outcome)


@kernel
def _bury(state: Any, outcome: Any, number: int) -> None:
    """The cards played leave the hand for the dead pile (COL-5.1)."""
    seat = state.seats[number]
    front, back = front_of(seat.move), back_of(seat.move)
    played = front if back == NO_SLOT else front | 1 << back
    outcome.cards_played[number] += count(played)
    left = played
    while left:
        card = _U(seat.hand[LOWEST[_U(left)]])
        state.dead[0] += _DEAD_0[card]
        state.dead[1] += _DEAD_1[card]
        left &= left - 1
    seat.held &= ~played
    seat.jokers &= ~played
    seat.backs &= ~played
    seat.groups &= ~(_U(played) * _SPREAD)


@kernel
def _end_or_refill(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """COL-6, then COL-5.2: no refill follows the round that ends the game; seat 0 draws first."""
    seat_0, seat_1 = state.seats[0], state.seats[1]
    if seat_0.points == 0 or seat_1.points == 0:
        state.turn = _OVER
        fire(seat_0, outcome, c.E_BOTH_ZERO if seat_0.points == seat_1.points else c.E_END)
    elif state.round >= rules.max_rounds:
        state.turn = _OVER
        fire(seat_0, outcome, c.E_UNFINISHED)
    else:
        if seat_0.held | seat_1.held == 0:
            fire(seat_0, outcome, c.E_BOTH_REFILL)
        if seat_0.held == 0:
            fire(seat_0, outcome, c.E_REFILL)
            draw_hand(state, rules, chance, outcome, 0)
        if seat_1.held == 0:
            fire(seat_1, outcome, c.E_REFILL)
            draw_hand(state, rules, chance, outcome, 1)


@kernel
def finish(state: Any, rules: Any, outcome: Any) -> None:
    """Writes what is known at the end: winner, rounds, TP, and the rest of the path of TP."""
    points_0, points_1 = state.seats[0].points, state.seats[1].points
    over = points_0 == 0 or points_1 == 0
    outcome.winner = (0 if points_0 > 0 else 1) if over else -1
    outcome.unfinished = not over
    outcome.rounds = state.round
    for number in range(2):
        points = state.seats[number].points
        outcome.points[number] = points
        outcome.scores[number] = points
        for point in range(state.round // c.PATH_STEP, c.PATH_POINTS):
            outcome.path[number, point] = points
