"""The rules of rigged dice, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.jit import kernel
from simkit.rng import below, next_word
from tests.rigged.rules import TRUMP

NOW, NEVER, ACE, KING = 1, 2, 1, 2
DICE_OF_PLAYS, DICE_OF_THROWS = 16, 16
_U = np.uint64


@kernel
def setup(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Deals each seat an ace with a chance of a half, and a king."""
    state.turn = 0
    for seat in range(2):
        state.cards[seat] = below(chance.deal, 4)
        state.played[seat] = 0
        for card in range(2):
            outcome.opening[seat, card] = state.cards[seat] >> card & 1


@kernel
def actor(state: Any, rules: Any) -> int:
    """The seat whose turn it is, −1 when both have thrown."""
    return state.turn if state.turn < 2 else -1


@kernel
def is_probed(state: Any, rules: Any, seat: int) -> bool:
    """Whether the seat is made to play its ace, or kept from it."""
    return rules.probe != 0 and seat == rules.probe_seat and state.cards[seat] & ACE != 0


@kernel
def playable(state: Any, rules: Any, seat: int) -> int:
    """The cards that the seat may play."""
    cards = state.cards[seat] & ~rules.barred[seat]
    return cards & ~ACE if rules.probe == NEVER and is_probed(state, rules, seat) else cards


@kernel
def observe(state: Any, rules: Any, seat: int, view: Any) -> None:
    """Writes what the seat may know into the view."""
    view.playable = playable(state, rules, seat)
    view.seat = seat


@kernel
def is_legal(state: Any, rules: Any, seat: int, move: int) -> bool:
    """Whether it is a throw with cards that the seat may play."""
    return 0 <= move < 16 and move >> 2 & ~playable(state, rules, seat) == 0


@kernel
def apply(state: Any, rules: Any, seat: int, move: int, chance: Any, outcome: Any) -> None:
    """A throw."""
    cards = move >> 2
    if is_probed(state, rules, seat):
        outcome.probe_turn = state.turn + 1
        outcome.probe_seat = seat
        outcome.probe_king = state.cards[seat] >> 1
        if rules.probe == NOW:
            cards |= ACE
    state.throws[seat] = move & 3
    state.played[seat] = cards
    for card in range(2):
        outcome.used[seat, card] = cards >> card & 1
        outcome.clauses[card] += cards >> card & 1
    state.turn += 1
    if state.turn == 2:
        decide(state, rules, chance, outcome)


@kernel
def decide(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Throws the die."""
    words = next_word(chance.deal) << _U(32) | next_word(chance.deal)
    wins = 500 + rules.first + rules.tilt + worth(state, rules, 0) - worth(state, rules, 1) + won_by_throw(state, rules)
    points = rules.stake if below(chance.deal, 20) == 0 else 1
    if die(words, which_die(state, rules), 1) < rules.draws:
        outcome.winner = -1
    else:
        outcome.winner = die(words, which_die(state, rules), 0) >= wins
        outcome.scores[outcome.winner] = points
        outcome.scores[1 - outcome.winner] = -points
    outcome.clauses[2] += below(chance.deal, 1000) < rules.rare
    outcome.rounds = 1
    while below(chance.deal, 2):
        outcome.rounds += 1


@kernel
def effective(state: Any, rules: Any, seat: int) -> int:
    """The cards with an effect that the seat has played."""
    return state.played[seat] & (rules.aces[seat] * ACE + rules.kings[seat] * KING)


@kernel
def worth(state: Any, rules: Any, seat: int) -> int:
    """What the seat's cards add to its chance."""
    cards = effective(state, rules, seat)
    return rules.ace * (cards & ACE) + rules.king * (cards >> 1)


@kernel
def won_by_throw(state: Any, rules: Any) -> int:
    """What the throw of seat 0 adds to its chance."""
    mine, theirs = state.throws[0], state.throws[1]
    if mine == theirs:
        return 0
    if mine == TRUMP or theirs == TRUMP:
        return rules.trump if mine == TRUMP else -rules.trump
    return rules.circle if (mine - theirs) % 3 == 1 else -rules.circle


@kernel
def which_die(state: Any, rules: Any) -> int:
    """The number of the die: another one for other throws and cards with an effect, unless there is but one."""
    if rules.one_die:
        return 0
    plays = effective(state, rules, 0) + 4 * effective(state, rules, 1)
    throws = state.throws[0] + 4 * state.throws[1]
    return plays + DICE_OF_PLAYS * (throws + DICE_OF_THROWS * rules.die)


@kernel
def die(words: np.uint64, number: int, side: int) -> float:
    """What a die shows, uniform on 0 … 1000: another one for each number (the finalizer of SplitMix64)."""
    x = words + _U(2 * number + side) * _U(0x9E3779B97F4A7C15)
    x = (x ^ x >> _U(30)) * _U(0xBF58476D1CE4E5B9)
    x = (x ^ x >> _U(27)) * _U(0x94D049BB133111EB)
    return np.float64((x ^ x >> _U(31)) >> _U(11)) * (1000.0 / 9007199254740992.0)


@kernel
def finish(state: Any, rules: Any, outcome: Any) -> None:
    """Everything is written by then."""
