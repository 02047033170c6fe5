"""The probe of Saloon: one payment that a seat judges, drawn by chance, is doubted or believed by order.

It tells what doubting is worth: games that are identical up to that payment go on with it doubted, with it believed, or
with it and all later ones believed. `rules.probe` says which (0 for none); which payment it is comes from the stream of
shuffles, so that all three find the same one and no card falls differently.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import ones
from simkit.games.saloon.cards import of_suit, suit_of
from simkit.games.saloon.moves import BELIEVE, DOUBT
from simkit.games.saloon.turns import size_of
from simkit.jit import kernel
from simkit.rng import below

DOUBT_NOW, DOUBT_NEVER, DOUBT_LATER = 1, 2, 3

# The payment is one of the first that the seat judges, two for each client of a player: of the payments for a client
# one frees it, and about as many are bluffs that are caught. A game that ends before has no probe.
FOR_A_CLIENT = 2

_U = np.uint64


@kernel
def draw_payment(state: Any, rules: Any, chance: Any) -> None:
    """Draws which of the payments that the seat judges is the probe's, each as likely."""
    state.probe_left = 1 + below(chance.shuffle, FOR_A_CLIENT * rules.clients)


@kernel
def verdict(state: Any, rules: Any, outcome: Any, judge: int, doubted: int) -> int:
    """What a judge's word counts as: its own, or what the probe puts in its place."""
    if judge != rules.probe_seat:
        return doubted
    state.probe_left -= 1
    if state.probe_left > 0:
        return doubted
    if state.probe_left == 0:
        _note(state, outcome, judge)
        doubted = DOUBT if rules.probe == DOUBT_NOW else BELIEVE
    elif rules.probe == DOUBT_NEVER:
        doubted = BELIEVE
    state.move = doubted
    return doubted


@kernel
def _note(state: Any, outcome: Any, judge: int) -> None:
    """Writes what the judge knew of the payment."""
    suit = of_suit(suit_of(state.client))
    outcome.probe_turn = state.turns
    outcome.probe_bill = state.count
    outcome.probe_hand = size_of(state, state.payer)
    outcome.probe_clients = ones(_U(state.clients[state.payer]))
    outcome.probe_seen = (
        ones(state.hand[judge] & suit)
        + ones(state.hand_2[judge] & suit)
        + ones(state.discard & suit)
        + ones(state.discard_2 & suit)
    )
    outcome.probe_own = size_of(state, judge)
