"""The probe of Lost Cities: one decision of one seat, at a turn drawn by chance, is forced or forbidden.

It tells what starting an expedition, or laying an investment card, is worth: games that are identical up to that turn
go on with it done, not done this turn, or never done. `rules.probe` says which (0 for none); all modes of a decision
draw the same random numbers from the stream of shuffles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.bits import nth_bit, ones
from simkit.games.lost_cities.cards import COLOURS, DECK, INVESTMENTS, NUMBERS, OPEN_6, SIXTH, SLOTS
from simkit.games.lost_cities.moves import (
    NO_CARD,
    card_of,
    cards_in,
    investments_in,
    laid_in,
    lay,
    lowest_slot,
    slots_in,
    source_of,
    sum_of,
)
from simkit.jit import kernel
from simkit.rng import below

START, START_NEVER, START_LATER, INVEST, INVEST_NEVER, INVEST_LATER = 1, 2, 3, 4, 5, 6
NO_TURN = -1

_U = np.uint64


@kernel
def draw_turn(state: Any, rules: Any, chance: Any) -> None:
    """Draws the turn of the probe: any own turn of the seat in a first round without cards from discard piles."""
    own = (min(state.pile, rules.max_turns) + 1 - rules.probe_seat) // 2  # seat 0 starts
    if own > 0:
        state.probe_at = 2 * below(chance.shuffle, own) + rules.probe_seat


@kernel
def _able_in(seat: Any, colour: int) -> int:
    """The slots of a colour that a seat (a SEAT record) may lay now."""
    slots: int = slots_in(seat.hand & seat.open, seat.sixth & (seat.sixth >> _U(OPEN_6)), colour)
    return slots


@kernel
def _asked(seat: Any, rules: Any, colour: int) -> int:
    """The slots of a colour that the probe's decision could lay now; none when it does not come up there."""
    able: int = _able_in(seat, colour)
    if rules.probe >= INVEST:
        return able & INVESTMENTS
    return 0 if laid_in(seat, colour) else able


@kernel
def begin(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """The turn of the probe has come: draws a colour for which the decision comes up, and forces or forbids it there.

    Without such a colour there is no probe in this game.
    """
    seat = state.seats[rules.probe_seat]
    colours = 0
    for colour in range(COLOURS):
        colours |= (_asked(seat, rules, colour) != 0) << colour
    if not colours:
        state.probe_at = NO_TURN
        return
    colour = nth_bit(_U(colours), below(chance.shuffle, ones(_U(colours))))
    _note(state, rules, outcome, colour)
    if rules.probe == START or rules.probe == INVEST:
        state.probe_card = card_of(colour, lowest_slot(_asked(seat, rules, colour)))
    else:
        _close(state, rules, seat, colour)


@kernel
def _close(state: Any, rules: Any, seat: Any, colour: int) -> None:
    """The seat may not lay these cards, for good or for this turn."""
    slots = _U(INVESTMENTS if rules.probe >= INVEST else INVESTMENTS | NUMBERS)
    closed = seat.open & slots << _U(SLOTS * colour) if colour < SIXTH else _U(0)
    closed_6 = seat.sixth & slots << _U(OPEN_6) if colour == SIXTH else _U(0)
    seat.open &= ~closed
    seat.sixth &= ~closed_6
    if rules.probe == START_LATER or rules.probe == INVEST_LATER:
        state.probe_closed = closed
        state.probe_closed_6 = closed_6


@kernel
def _note(state: Any, rules: Any, outcome: Any, colour: int) -> None:
    """Writes what the decision looked like."""
    seat, other = state.seats[rules.probe_seat], state.seats[1 - rules.probe_seat]
    able = _able_in(seat, colour)
    outcome.probe_turn = state.turn // 2 + 1
    outcome.probe_cards = cards_in(able & NUMBERS)
    outcome.probe_sum = sum_of(able)
    outcome.probe_wagers = investments_in(able)
    outcome.probe_laid = investments_in(laid_in(seat, colour))
    outcome.probe_theirs = laid_in(other, colour) != 0


@kernel
def during(state: Any, seat: Any, move: int) -> int:
    """The turn of the probe: what becomes of the move that was chosen, and what is allowed again after it."""
    state.probe_at = NO_TURN
    seat.open |= state.probe_closed
    seat.sixth |= state.probe_closed_6
    if state.probe_card == NO_CARD:
        return move
    source = source_of(move)
    instead: int = lay(state.probe_card, source if state.sources >> source & 1 else DECK)
    return instead
