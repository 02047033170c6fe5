"""How a hand of Hakka cards is scored (HK-6.2 to HK-6.7), and who wins the game (HK-1.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.hakka import counts as c
from simkit.games.hakka.cards import DREAMER_TRICKS, ENOUGH, ONES, WAN, number_of, of_number
from simkit.games.hakka.deal import NOBODY
from simkit.games.hakka.rules import WINNING_CARDS
from simkit.games.hakka.state import SEATS
from simkit.games.hakka.tricks import fire, fire_if
from simkit.games.hakka.words import DEALER, FIRST_SIX, NONE, ONE_HAND, PRIVILEGED, byte_of, tricks_of, without_redeals
from simkit.jit import inlined, kernel

HIGH = 10  # tricks of a hand whose points are counted as moved in high hands

_U = np.uint64


@kernel
def run_out(state: Any, rules: Any, outcome: Any) -> None:
    """Scores a hand whose cards ran out without a claim (HK-6.2)."""
    winner = byte_of(state.roles, FIRST_SIX)
    if winner == NONE:
        fire(state, outcome, c.E_NO_WINNER)
        _note_end(state, NOBODY, 0, 0)
        for seat in range(SEATS):
            state.end_points[seat] = 0
        count_hand(state, outcome)
        return
    fire(state, outcome, c.E_RAN_OUT)
    for seat in range(SEATS):
        fire_if(state, outcome, c.E_FIRST_OF_TWO, (seat != winner) & (tricks_of(state.won, seat) >= ENOUGH))
    score(state, rules, outcome, winner, tricks_of(state.won, winner))


@inlined
def _note_end(state: Any, winner: int, tricks: int, dreamer_tricks: int) -> None:
    """Keeps for transcripts how a hand ended."""
    state.end_winner = winner
    state.end_tricks = tricks
    state.end_dreamer = dreamer_tricks
    state.end_won = state.won


@kernel
def dreamer_tricks(state: Any, rules: Any, winner: int) -> Any:
    """The tricks that the Dreamer wakes with (HK-6.4)."""
    cards = state.winning[_U(winner)] if rules.dream_match == WINNING_CARDS else state.dealt[_U(winner)]
    number = ONES if state.dream == WAN else number_of(state.dream)
    return DREAMER_TRICKS + ones(cards & of_number(number))


@inlined
def value_of(rules: Any, tricks: int) -> Any:
    """The value of so many tricks (HK-6.3)."""
    return rules.values[_U(max(tricks - ENOUGH, 0))] * np.int64(tricks >= ENOUGH)


@kernel
def score(state: Any, rules: Any, outcome: Any, winner: int, tricks: int) -> None:
    """Scores a hand that was won with so many tricks (HK-6.3 to HK-6.6)."""
    dealer, privileged = byte_of(state.roles, DEALER), byte_of(state.roles, PRIVILEGED)
    dreamer = (dealer + 2) & 3
    woken = dreamer_tricks(state, rules, winner)
    win, dream = value_of(rules, tricks), value_of(rules, woken)
    _note_end(state, winner, tricks, woken)
    pays_all = (privileged != NONE) & (privileged != winner)
    for seat in range(SEATS):
        # Of the losers each pays one share, or the Privileged one both; without branches, which would go wrong often.
        shares = np.int64(seat == privileged) * 2 if pays_all else 1
        state.end_points[seat] = -shares * (win + dream)
    state.end_points[_U(winner)] = 2 * win
    state.end_points[_U(dreamer)] = 2 * dream
    fire_if(state, outcome, c.E_MATCH, woken > DREAMER_TRICKS)
    fire_if(state, outcome, c.E_PRIVILEGED_PAYS, pays_all)
    role = active_role(winner, dealer, privileged)
    place = _U(tricks - ENOUGH)
    outcome.hands_won[_U(winner)] += 1
    outcome.wins_role[_U(winner), _U(role)] += 1
    outcome.won_with[place] += 1
    outcome.moved_with[place] += 2 * (win + dream)
    outcome.winner_tricks += tricks
    outcome.dreamer_tricks += woken
    count_hand(state, outcome)


@inlined
def active_role(seat: int, dealer: int, privileged: int) -> Any:
    """An active player's part in the hand, see counts.ROLES."""
    return np.int64(seat != dealer) * (c.ACTIVE - np.int64(seat == privileged))


@kernel
def count_hand(state: Any, outcome: Any) -> None:
    """Adds the points of a hand to the game's, and counts them by role; the hand counts as played."""
    dealer, privileged = byte_of(state.roles, DEALER), byte_of(state.roles, PRIVILEGED)
    for step in range(SEATS):
        seat = (dealer + step) & 3
        role = c.DREAMER if step == 2 else active_role(seat, dealer, privileged)
        points = state.end_points[_U(seat)]
        state.points[_U(seat)] += points
        outcome.points_role[_U(seat), _U(role)] += points
        outcome.hands_role[_U(seat), _U(role)] += 1
    if state.tigers != NOBODY:
        outcome.tigers_won += state.end_winner == state.tigers
        outcome.tigers_points += state.end_points[_U(state.tigers)]
    state.won = without_redeals(state.won) + ONE_HAND


@kernel
def highest_total(state: Any) -> Any:
    """The seat with the highest total, −1 if it is shared."""
    best, winner = state.points[0], 0
    for seat in range(1, SEATS):
        if state.points[seat] > best:
            best, winner = state.points[seat], seat
        elif state.points[seat] == best:
            winner = NOBODY
    return winner
