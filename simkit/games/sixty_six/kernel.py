"""The rules of Sixty-Six, compiled: set up, who acts, what a seat sees, what is legal, what a move does.

The driver calls `setup`, `actor`, `observe`, `is_legal`, `apply` and `finish`. `outcome` is the game's row of OUTCOME:
it starts as zeros and is counted up while the game is played. What comes before a lead's card is in `turns`, how a deal
ends in `score`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import nth_bit, ones, put_word
from simkit.games.sixty_six import counts as c
from simkit.games.sixty_six.cards import (
    CARDS,
    GOAL,
    HAND_SIZE,
    PACK,
    beating,
    bit,
    card_points,
    free_couples,
    replies,
    suit_of,
)
from simkit.games.sixty_six.moves import CARD, CLOSE, EXCHANGE, MARRIAGE, exchanged
from simkit.games.sixty_six.rules import BONUS10
from simkit.games.sixty_six.score import count_opening, end_deal, is_last_deal, most_game_points
from simkit.games.sixty_six.state import STANDING, TABLE, THEIR_STANDING
from simkit.games.sixty_six.turns import begin_turn, close, exchange, fire, marry, treasures
from simkit.games.sixty_six.words import (
    CLOSER,
    DEALER,
    GAME_POINTS,
    LED,
    MAY_CLOSE,
    MAY_EXCHANGE,
    NONE,
    OPEN,
    PENDING,
    SEAT,
    STOCK,
    TRICK,
    byte_of,
    game_points_of,
    pending_of,
    points_of,
    with_byte,
    with_led,
)
from simkit.jit import inlined, kernel
from simkit.rng import below

BONUS = 10
FULL_STOCK = CARDS - 2 * HAND_SIZE

_U = np.uint64
_ONE, _NONE = _U(1), _U(0)
_MOVES = _U(CARD | MARRIAGE | CLOSE | EXCHANGE)
_NEW_DEAL = (_U(1) << OPEN) | (_U(FULL_STOCK) << STOCK) | (_U(NONE) << CLOSER)
_TWO_DRAWN = _U(2) << STOCK
_OF_THE_MATCH = ~_U(GAME_POINTS - 1)
_OVER = -1


@kernel
def setup(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Starts a game with its first deal, which seat 1 deals (SS-1.3)."""
    state.deals = 0
    state.events = _NONE
    state.standing[0] = _NONE
    state.standing[1] = _NONE
    deal(state, rules, chance, outcome, 1)


@kernel
def deal(state: Any, rules: Any, chance: Any, outcome: Any, dealer: int) -> None:
    """Six cards each and the turned-up one (SS-1.2); the one who did not deal leads."""
    first, second, left = _NONE, _NONE, PACK
    for dealt in range(0, 2 * HAND_SIZE, 2):
        card = bit(one_of(left, CARDS - dealt, chance))
        first, left = first | card, left ^ card
        card = bit(one_of(left, CARDS - 1 - dealt, chance))
        second, left = second | card, left ^ card
    turned = one_of(left, FULL_STOCK, chance)
    state.turned = bit(turned)
    state.trumps = suit_of(turned)
    state.stock = left ^ bit(turned)
    state.table = _NEW_DEAL | (_U(dealer) << DEALER)
    state.hand[0] = first
    state.hand[1] = second
    state.held[0] = treasures(first)
    state.held[1] = treasures(second)
    for number in range(2):
        state.played[number] = _NONE
        state.shown[number] = _NONE
        state.standing[number] &= _OF_THE_MATCH
    count_opening(state, outcome)
    begin_turn(state, rules, outcome, 1 - dealer, second if dealer == 0 else first)


@inlined
def one_of(cards: np.uint64, count: int, chance: Any) -> Any:
    """One of so many cards, each as likely."""
    return nth_bit(cards, below(chance.deal, count))


@inlined
def draw(state: Any, chance: Any) -> np.uint64:
    """One of the face-down cards: the order of the stock is drawn when it matters."""
    card = bit(one_of(state.stock, ones(state.stock), chance))
    state.stock ^= card
    return card


@inlined
def actor(state: Any, rules: Any) -> int:
    """The seat whose lead or reply it is, −1 when the game is over."""
    return state.turn


@inlined
def observe(state: Any, rules: Any, number: int, view: Any) -> None:
    """Writes all that a seat with a perfect memory knows into the view, and nothing else."""
    mine, theirs = _U(number), _U(1 - number)
    hand = state.hand[mine]
    view.hand = hand
    view.legal = state.legal
    view.couples = state.couples
    view.trumps = state.trumps
    view.turned = state.turned
    view.played = state.played[mine]
    view.their_played = state.played[theirs]
    view.shown = state.shown[mine] & hand
    view.their_shown = state.shown[theirs] & state.hand[theirs]
    put_word(view, STANDING, state.standing[mine])
    put_word(view, THEIR_STANDING, state.standing[theirs])
    put_word(view, TABLE, state.table | (mine << SEAT))


@inlined
def is_legal(state: Any, rules: Any, number: int, move: int) -> bool:
    """Whether the move is legal for the seat whose turn it is (SS-2, SS-3, SS-5, SS-6)."""
    if _U(move) > _MOVES:
        return False
    cards = state.legal
    if move > CARD:
        cards = _cards_with(state, rules, number, move)
    return ((cards >> _U(move & CARD)) & _ONE) != _NONE


@kernel
def _cards_with(state: Any, rules: Any, seat: int, move: int) -> np.uint64:
    """The cards that may be led with what a move does before it: exchange, closing, marriage."""
    cards, wed = state.legal, state.couples
    if move & EXCHANGE:
        if not byte_of(state.table, MAY_EXCHANGE):
            return _NONE
        cards = exchanged(state.hand[_U(seat)], state)
        wed = free_couples(cards, state.trumps, rules.barred[_U(seat)])
    if move & CLOSE:
        if not byte_of(state.table, MAY_CLOSE):
            return _NONE
        if not rules.marriage_after_close:  # SS-5.3
            wed = _NONE
    return wed if move & MARRIAGE else cards


@inlined
def apply(state: Any, rules: Any, number: int, move: int, chance: Any, outcome: Any) -> None:
    """Takes a lead, or the reply that completes a trick; then the next turn, the next deal, or the end."""
    state.move = move
    if byte_of(state.table, LED) == NONE:
        over = _lead(state, rules, number, move, outcome)
    else:
        over = _reply(state, rules, number, move, chance, outcome)
    if over:
        _end_or_deal(state, rules, chance, outcome)


@inlined
def _lead(state: Any, rules: Any, seat: int, move: int, outcome: Any) -> bool:
    """Exchange, closing and marriage as the lead says, then its card; true if a marriage ended the deal (SS-7.1)."""
    card, other = move & CARD, 1 - seat
    state.events = _NONE
    if move > CARD and _announce(state, rules, seat, move, outcome):
        return True
    state.hand[_U(seat)] ^= bit(card)
    state.played[_U(seat)] |= bit(card)
    table = state.table
    state.table = with_led(table, card)
    state.turn = other
    state.legal = replies(state.hand[_U(other)], card, state.trumps, byte_of(table, OPEN), rules.must_head)
    state.couples = _NONE
    return False


@kernel
def _announce(state: Any, rules: Any, seat: int, move: int, outcome: Any) -> bool:
    """What comes before the card of a lead; true if a marriage ended the deal."""
    if move & EXCHANGE:
        exchange(state, outcome, seat)
    if move & CLOSE:
        close(state, outcome, seat)
    if move & MARRIAGE:
        marry(state, outcome, seat, move & CARD)
        if points_of(state.standing[_U(seat)]) >= GOAL:
            fire(state, outcome, c.E_MARRIAGE_66)
            end_deal(state, rules, outcome, seat)
            return True
    return False


@inlined
def _reply(state: Any, rules: Any, seat: int, card: int, chance: Any, outcome: Any) -> bool:
    """Completes a trick: its winner takes the points, both draw (SS-2.2, SS-2.3); true if it ended the deal."""
    led, hand = byte_of(state.table, LED), state.hand[_U(seat)]
    restricted = _U(state.legal != hand)
    beaten = (beating(led, state.trumps) >> _U(card)) & _ONE
    trumped = beaten & ~(suit_of(led) >> _U(card))
    state.events = (trumped << _U(c.E_TRUMPED)) | (restricted << _U(c.E_DUTY))
    outcome.clauses[c.E_TRUMPED] += np.int32(trumped)
    outcome.clauses[c.E_DUTY] += np.int32(restricted)
    hand ^= bit(card)
    state.hand[_U(seat)] = hand
    state.played[_U(seat)] |= bit(card)
    winner = (1 - seat) ^ np.int64(beaten)
    standing = state.standing[_U(winner)] + _U(TRICK + card_points(led) + card_points(card))
    if pending_of(standing):
        standing = _count_late(state, outcome, winner, standing)
    state.standing[_U(winner)] = standing
    if points_of(standing) >= GOAL or hand == _NONE:
        _last_trick(state, rules, outcome, winner, hand == _NONE)
        return True
    # The hands as values: to write them and read them back by a seat just found out would take long.
    swap = (hand ^ state.hand[_U(1 - seat)]) & (beaten - _ONE)
    won, lost = hand ^ swap, state.hand[_U(1 - seat)] ^ swap
    if byte_of(state.table, OPEN):
        won = _draw_both(state, chance, outcome, winner, won, lost)
    begin_turn(state, rules, outcome, winner, won)
    return False


@kernel
def _count_late(state: Any, outcome: Any, seat: int, standing: np.uint64) -> np.uint64:
    """The standing with its pending points counted: the seat has won its first trick (SS-5.2)."""
    pending = pending_of(standing)
    outcome.marriage_points[_U(seat)] += pending
    fire(state, outcome, c.E_LATE)
    return standing + _U(pending) - _U(pending * PENDING)


@kernel
def _last_trick(state: Any, rules: Any, outcome: Any, winner: int, cards_are_out: bool) -> None:
    """Ends a deal with a trick: the bonus of the last one, and the clauses of 66 by a trick (SS-7.1, SS-7.3)."""
    points = points_of(state.standing[_U(winner)])
    if cards_are_out and rules.last_trick == BONUS10 and byte_of(state.table, CLOSER) == NONE:
        state.standing[_U(winner)] += _U(BONUS)
        fire(state, outcome, c.E_BONUS)
        if points < GOAL <= points + BONUS:
            fire(state, outcome, c.E_BONUS_DECIDES)
        points += BONUS
    if points >= GOAL:
        fire(state, outcome, c.E_TRICK_66)
    end_deal(state, rules, outcome, winner)


@inlined
def _draw_both(state: Any, chance: Any, outcome: Any, winner: int, won: np.uint64, lost: np.uint64) -> np.uint64:
    """The winner of the trick draws, then the other, who gets the turned-up card as the last one (SS-2.3, SS-2.4).

    Returns the winner's hand.
    """
    other = 1 - winner
    won |= draw(state, chance)
    state.table -= _TWO_DRAWN
    if state.stock:
        lost |= draw(state, chance)
    else:
        lost |= state.turned
        state.shown[_U(other)] |= state.turned
        state.turned = _NONE
        state.table = with_byte(state.table, OPEN, 0)
        fire(state, outcome, c.E_EXHAUSTED)
    state.hand[_U(winner)] = won
    state.hand[_U(other)] = lost
    state.held[_U(winner)] |= treasures(won)
    state.held[_U(other)] |= treasures(lost)
    return won


@kernel
def _end_or_deal(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """After a deal: the end of the game, or in a match the next deal, by the other dealer (SS-7.4)."""
    if is_last_deal(state, rules):
        state.turn = _OVER
        if rules.match_points:
            won = most_game_points(state) >= rules.match_points
            fire(state, outcome, c.E_MATCH if won else c.E_UNFINISHED)
        return
    while state.stock:  # so that the next deal has the same cards whatever was drawn in this one
        draw(state, chance)
    deal(state, rules, chance, outcome, 1 - byte_of(state.table, DEALER))


@kernel
def finish(state: Any, rules: Any, outcome: Any) -> None:
    """Writes what is known at the end: winner, game points, and the counts that follow from others."""
    outcome.deals = state.deals
    for number in range(2):
        outcome.scores[number] = game_points_of(state.standing[number])
        outcome.used[number, 2] = outcome.exchanges[number]
        outcome.tricks += outcome.won_tricks[number]
    outcome.schneider = outcome.clauses[c.E_TWO]
    outcome.schwarz = outcome.clauses[c.E_THREE]
    outcome.winner = state.end_winner
    if rules.match_points:
        outcome.unfinished = outcome.clauses[c.E_UNFINISHED]
        ahead = 0 if outcome.scores[0] > outcome.scores[1] else 1
        outcome.winner = -1 if outcome.unfinished else ahead
