"""The rules of Saloon, compiled: set up, who acts, what a seat sees, what is legal, what a move does.

The driver calls `setup`, `actor`, `observe`, `is_legal`, `apply` and `finish`. `outcome` is the game's row of OUTCOME:
it starts as zeros and is counted up while the game is played. How cards move is in `piles`, how turns begin and end in
`turns`, what is counted at the end in `score`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones, put_word
from simkit.games.saloon import counts as c
from simkit.games.saloon import probe
from simkit.games.saloon.cards import ALL_CLIENTS, ALL_NUMBERS, NO_CLIENT, of_suit, suit_of
from simkit.games.saloon.moves import (
    DOUBT,
    DRAW,
    HAND_LIMIT,
    JUDGE,
    PAY,
    TURN,
    WRONG_DOUBT,
    client_of,
    judge_of,
    places_of,
)
from simkit.games.saloon.piles import (
    ALL_IT_HAS,
    AT_ONCE,
    JUDGE_DRAW,
    LAST_BILL,
    OTHER_JUDGE,
    PAYER_DRAW,
    VOID,
    discard,
    draw,
    give_back,
    lay_off,
    take,
)
from simkit.games.saloon.rules import MAX_PLAYERS, RETURN, SWAP_DRAW
from simkit.games.saloon.score import count_up
from simkit.games.saloon.state import TABLE_WORD
from simkit.games.saloon.turns import ask, begin_turn, end_turn, next_turn, size_of
from simkit.games.saloon.words import copy_public
from simkit.jit import inlined, kernel

_U = np.uint64
_ONE, _NONE, _BYTE, _HALF_WORD = _U(1), _U(0), _U(8), _U(16)
_FULL = _U(0xFFFF)


@kernel
def setup(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Deals clients and hands; seat 0 begins (SAL-1)."""
    state.pile = ALL_NUMBERS
    state.pile_2 = ALL_NUMBERS if rules.packs > 1 else _NONE
    state.mixed, state.mixed_2 = state.pile, state.pile_2
    state.discard = _NONE
    state.discard_2 = _NONE
    state.sizes = _NONE
    state.last = _NONE
    state.places = _NONE
    state.recent = _NONE
    state.payments = 0
    state.turns = 0
    state.open = (_ONE << _U(rules.players)) - _ONE
    state.closed = 0
    for seat in range(MAX_PLAYERS):
        state.hand[seat] = _NONE
        state.hand_2[seat] = _NONE
        state.known[seat] = _NONE
        state.known_2[seat] = _NONE
        state.clients[seat] = 0
        state.paid[seat] = _NONE
        state.judged[seat] = _NONE
    _deal_clients(state, rules, chance)
    for seat in range(rules.players):
        draw(state, rules, chance, outcome, seat, rules.hand_size, PAYER_DRAW)
    if rules.probe:
        probe.draw_payment(state, rules, chance)
    begin_turn(state, rules, 0)


@kernel
def _deal_clients(state: Any, rules: Any, chance: Any) -> None:
    """Clients for each player, face up; the rest are out of play (SAL-1.2)."""
    left = ALL_CLIENTS | (ALL_CLIENTS << _HALF_WORD) if rules.packs > 1 else ALL_CLIENTS
    for seat in range(rules.players):
        missing = rules.clients
        while missing > 0:
            now = min(missing, AT_ONCE)
            found, _ = take(left, _NONE, ones(left), now, chance.deal)
            left ^= found
            state.clients[seat] |= np.uint32(found)
            missing -= now


@inlined
def actor(state: Any, rules: Any) -> int:
    """The seat that decides, −1 when the game is over."""
    return state.turn


@inlined
def observe(state: Any, rules: Any, number: int, view: Any) -> None:
    """Writes all that a seat with a perfect memory knows into the view, and nothing else."""
    copy_public(view, state)
    view.hand = state.hand[_U(number)]
    view.hand_2 = state.hand_2[_U(number)]
    size = _U(ones(state.pile) + ones(state.pile_2))
    put_word(view, TABLE_WORD, state.table | (size << _U(56)))


@inlined
def is_legal(state: Any, rules: Any, number: int, move: int) -> bool:
    """Whether the move is legal for the seat whose decision it is (SAL-2, SAL-3, SAL-5.2)."""
    if state.asked == JUDGE:
        return (move | 1) == 1
    size = size_of(state, number)
    if state.asked != TURN:
        return _are_places(move, size, state.count)
    if move < PAY:
        return 0 <= move <= size
    client, judge = _U(client_of(move)), _U(judge_of(move))
    named = (_U(state.clients[_U(number)]) >> client) & (state.judges >> judge) & _ONE
    return _are_places(places_of(move), size, state.count) and named != _NONE


@inlined
def _are_places(places: int, size: int, count: int) -> bool:
    """Whether this is a set of so many places of a hand of that size."""
    return (_U(places) >> _U(size)) == _NONE and ones(_U(places)) == count


@inlined
def apply(state: Any, rules: Any, number: int, move: int, chance: Any, outcome: Any) -> None:
    """Takes one decision: the action of a turn, a verdict, or cards to discard; then whatever follows by itself."""
    state.move = move
    state.events = _NONE
    if state.asked == TURN:
        if move >= PAY:
            _pay(state, rules, outcome, number, move)
            return
        _draw_or_swap(state, rules, chance, outcome, number, move)
    elif state.asked == JUDGE:
        if _judge(state, rules, chance, outcome, number, move):
            return
    else:
        cards, twice = lay_off(state, rules, number, move)
        discard(state, rules, number, cards, twice)
        if state.asked == HAND_LIMIT:
            next_turn(state, rules, outcome)
            return
    end_turn(state, rules, chance, outcome)


@inlined
def _draw_or_swap(state: Any, rules: Any, chance: Any, outcome: Any, seat: int, move: int) -> None:
    """A turn without a payment (SAL-2.2, SAL-2.3)."""
    if move == DRAW:
        outcome.draws[_U(seat)] += 1
        draw(state, rules, chance, outcome, seat, 1, PAYER_DRAW)
    else:
        outcome.swaps[_U(seat)] += 1
        cards, twice = lay_off(state, rules, seat, 1 << (move - 1))
        discard(state, rules, seat, cards, twice)
        draw(state, rules, chance, outcome, seat, SWAP_DRAW, PAYER_DRAW)


@inlined
def _pay(state: Any, rules: Any, outcome: Any, seat: int, move: int) -> None:
    """Cards are laid face down for a client, and a judge is asked (SAL-3.1, SAL-3.2)."""
    clients, client, judge = _U(state.clients[_U(seat)]), client_of(move), judge_of(move)
    state.payment, state.payment_2 = lay_off(state, rules, seat, places_of(move))
    before = (state.last >> (_BYTE * _U(seat))) & state.open
    last_bill = _U((clients & (clients - _ONE)) == _NONE)
    other, void = _U((before & ~state.judges) != _NONE), _U((before & state.judges) != _NONE)
    state.choice = (last_bill << _U(LAST_BILL)) | (other << _U(OTHER_JUDGE)) | (void << _U(VOID))
    outcome.clauses[c.C_LAST_BILL] += np.int32(last_bill)
    outcome.clauses[c.C_OTHER_JUDGE] += np.int32(other)
    outcome.clauses[c.C_VOID] += np.int32(void)
    state.last &= ~(_U(0xFF) << (_BYTE * _U(seat)))
    state.last |= _ONE << (_BYTE * _U(seat) + _U(judge))
    state.client = client
    state.judge = judge
    ask(state, judge, JUDGE, state.count)


@inlined
def _judge(state: Any, rules: Any, chance: Any, outcome: Any, judge: int, doubted: int) -> bool:
    """The verdict and what follows from it (SAL-3.4 to 3.7); true if the judge has cards to discard."""
    if rules.probe:
        doubted = probe.verdict(state, rules, outcome, judge, doubted)
    payer, client, cards, twice = state.payer, state.client, state.payment, state.payment_2
    bluff = np.int64((cards & ~of_suit(suit_of(client))) != _NONE)
    _note(state, outcome, payer, judge, doubted, bluff)
    if doubted & bluff:
        if rules.caught_bluff_cards == RETURN:
            give_back(state, payer, cards, twice)
        else:
            discard(state, rules, payer, cards, twice)
        draw(state, rules, chance, outcome, judge, rules.caught_bluff_judge_draw, JUDGE_DRAW)
        return False
    discard(state, rules, payer, cards, twice)
    state.clients[_U(payer)] ^= np.uint32(_ONE << _U(client))
    believed_draw = rules.believed_bluff_draw if bluff else rules.believed_honest_draw
    count = rules.doubted_honest_draw if doubted else believed_draw
    draw(state, rules, chance, outcome, payer, count, PAYER_DRAW)
    return doubted == DOUBT and _must_discard(state, rules, outcome, judge)


@inlined
def _note(state: Any, outcome: Any, payer: int, judge: int, doubted: int, bluff: int) -> None:
    """Counts a verdict, and keeps what all have seen of it; without branches, which would be hard to foretell."""
    outcome.honest[_U(payer)] += 1 - bluff
    outcome.bluffs[_U(payer)] += bluff
    outcome.believed_bluffs[_U(payer)] += bluff & ~doubted
    outcome.caught[_U(judge)] += doubted & bluff
    outcome.wrong_doubts[_U(judge)] += doubted & ~bluff
    how = 2 * doubted + bluff
    state.recent = (state.recent << _BYTE) | _U(payer | judge << 3 | how << 6)
    state.payments += 1
    place = _HALF_WORD * _U(how)
    state.paid[_U(payer)] = _one_more(state.paid[_U(payer)], place)
    state.judged[_U(judge)] = _one_more(state.judged[_U(judge)], place)


@inlined
def _one_more(word: np.uint64, place: np.uint64) -> np.uint64:
    """A word with one of its half-words counted up, unless that is full."""
    return word + (_U(((word >> place) & _FULL) != _FULL) << place)


@kernel
def _must_discard(state: Any, rules: Any, outcome: Any, judge: int) -> bool:
    """Asks the judge of an honest payment for the cards it owes, all it has if fewer (SAL-3.5)."""
    size = size_of(state, judge)
    if size < rules.wrong_doubt_discard:
        outcome.clauses[c.C_ALL_IT_HAS] += 1
        state.events |= _ONE << _U(ALL_IT_HAS)
    count = min(size, rules.wrong_doubt_discard)
    if count == 0:
        return False
    state.client = NO_CLIENT
    ask(state, judge, WRONG_DOUBT, count)
    return True


@kernel
def finish(state: Any, rules: Any, outcome: Any) -> None:
    """Writes what is known at the end: winner, ranking, and the counts that follow from others."""
    count_up(state, rules, outcome)
