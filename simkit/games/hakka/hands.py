"""What is decided in a hand of Hakka cards besides the tricks: Five Tigers, calls, claims; then the next hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.hakka import counts as c
from simkit.games.hakka.cards import ELDERS_AT_START, TIGERS_TRICKS
from simkit.games.hakka.deal import NOBODY, deal
from simkit.games.hakka.rules import AFTER_CALL
from simkit.games.hakka.score import run_out, score
from simkit.games.hakka.tricks import ask, ask_lead, fire, fire_if, next_active
from simkit.games.hakka.words import (
    CALL,
    CALLER,
    DEALER,
    DREAMER,
    FIVE_TIGERS,
    NONE,
    ONE_REDEAL,
    PASSES,
    PRIVILEGED,
    byte_of,
    hands_of,
    redeals_of,
    tricks_of,
    with_byte,
)
from simkit.jit import kernel

ACTIVE = 3
OVER = -1

_U = np.uint64
_ONE, _NONE = _U(1), _U(0)


@kernel
def decide_tigers(state: Any, rules: Any, outcome: Any, seat: int, take: bool) -> bool:
    """Wins with the Five Tigers or plays on; true if the hand is over."""
    if take:
        fire(state, outcome, c.E_TIGERS_TAKEN)
        score(state, rules, outcome, seat, TIGERS_TRICKS)
        return True
    fire(state, outcome, c.E_TIGERS_DECLINED)
    dealer = byte_of(state.roles, DEALER)
    if byte_of(state.roles, CALLER) == NONE:
        ask(state, dealer, CALL)
    else:
        ask_lead(state, dealer, state.hand[_U(dealer)])
    return False


@kernel
def decide_call(state: Any, rules: Any, outcome: Any, seat: int, call: bool) -> bool:
    """Calls or passes (HK-3); true if the hand was cancelled."""
    roles = state.roles
    dealer = byte_of(roles, DEALER)
    if not call:
        roles += _ONE << PASSES
        state.roles = roles
        state.turn = next_active(seat, byte_of(roles, DREAMER))
        if byte_of(roles, PASSES) < ACTIVE:
            return False
        fire(state, outcome, c.E_CANCELLED)
        state.won += ONE_REDEAL
        state.end_winner = NOBODY
        return True
    roles = with_byte(roles, CALLER, seat)
    outcome.calls[_U(seat)] += 1
    if seat == dealer:
        fire(state, outcome, c.E_DEALER_CALLED)
    else:
        roles = with_byte(roles, PRIVILEGED, seat)
        fire(state, outcome, c.E_HANDED_ON)
    state.roles = roles
    ask_lead(state, dealer, state.hand[_U(dealer)])
    if rules.five_tigers == AFTER_CALL and state.tigers != NOBODY:
        ask(state, state.tigers, FIVE_TIGERS)
    return False


@kernel
def decide_claim(state: Any, rules: Any, outcome: Any, seat: int, claim: bool) -> bool:
    """Claims the hand or plays on (HK-6.1, HK-6.2); true if the hand is over."""
    hand = state.hand[_U(seat)]
    if not claim:
        fire(state, outcome, c.E_PLAYED_ON)
        if hand == _NONE:
            run_out(state, rules, outcome)
            return True
        ask_lead(state, seat, hand)
        return False
    elders = hand & state.elders
    outcome.claims[_U(seat)] += 1
    fire(state, outcome, c.E_CLAIMED)
    fire_if(state, outcome, c.E_CLAIMED_LAST, hand == _NONE)
    fire_if(state, outcome, c.E_NEW_ELDER, (elders & ~ELDERS_AT_START) != _NONE)
    state.winning[_U(seat)] |= elders
    score(state, rules, outcome, seat, tricks_of(state.won, seat) + ones(elders))
    return True


@kernel
def next_hand(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """After a hand: the next one, by whoever called (HK-3.2), or the end of the game (HK-1.3, HK-3.4)."""
    state.deals += 1
    won = state.won
    if redeals_of(won) >= rules.max_redeals:
        state.turn = OVER
        fire(state, outcome, c.E_UNFINISHED)
    elif redeals_of(won) == 0 and hands_of(won) >= rules.hands:
        state.turn = OVER
    else:
        caller = byte_of(state.roles, CALLER)
        deal(state, rules, chance, outcome, byte_of(state.roles, DEALER) if caller == NONE else caller)
