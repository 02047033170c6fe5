"""One round of Colina: effects, totals, damage (COL-4), and what is counted about them."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.games.colina import counts as c
from simkit.games.colina.cards import BLOCK, DOUBLE, HILL, JOKER_KIND, KIND, MIRROR, NO_EFFECT
from simkit.games.colina.moves import NO_SLOT, back_of, front_of, is_last_ace, total, value_cards
from simkit.games.colina.state import FRONT_CLASS
from simkit.jit import kernel

_U = np.uint64
_LAST_POINT = c.PATH_STEP * c.PATH_POINTS


@kernel
def fire_if(seat: Any, outcome: Any, clause: int, fired: bool) -> None:
    """Notes a clause, if it fired, for the transcript and for the rule coverage; without a branch to mispredict."""
    seat.events |= _U(fired) << _U(clause)
    outcome.clauses[clause] += fired


@kernel
def fire(seat: Any, outcome: Any, clause: int) -> None:
    """Notes that a clause fired."""
    fire_if(seat, outcome, clause, True)


@kernel
def fight(state: Any, rules: Any, outcome: Any) -> None:
    """Resolves a round once both have chosen: totals, damage and TP."""
    seat_0, seat_1 = state.seats[0], state.seats[1]
    front_0, front_1 = total(seat_0, front_of(seat_0.move)), total(seat_1, front_of(seat_1.move))
    effect_0, effect_1 = _open(seat_0, outcome, rules, 0), _open(seat_1, outcome, rules, 1)
    d = difference(front_0, effect_0, front_1, effect_1, rules)
    seat_0.total = doubled(front_0, after_block(effect_0, effect_1), rules)
    seat_1.total = doubled(front_1, after_block(effect_1, effect_0), rules)
    seat_0.damage = max(-d, 0)
    seat_1.damage = max(d, 0)
    if seat_0.back >= 0 or effect_0:
        without = difference(front_0, NO_EFFECT, front_1, effect_1, rules)
        _note_effect(seat_0, outcome, 0, front_0, effect_0, effect_1, d, d - without)
    if seat_1.back >= 0 or effect_1:
        without = difference(front_0, effect_0, front_1, NO_EFFECT, rules)
        _note_effect(seat_1, outcome, 1, front_1, effect_1, effect_0, -d, without - d)
    _try_twin(outcome, front_0, effect_0, front_1, effect_1, d, rules)
    _try_twin(outcome, front_1, effect_1, front_0, effect_0, -d, rules)
    fire_if(seat_0, outcome, c.E_TIE, seat_0.total == seat_1.total)
    outcome.ties += d == 0
    _take_points(seat_0, outcome, 0)
    _take_points(seat_1, outcome, 1)
    _note_lead(state, outcome, seat_0.points - seat_1.points)


@kernel
def _open(seat: Any, outcome: Any, rules: Any, number: int) -> int:
    """Reveals a play: notes its front line and returns the effect it asks for, before any blocking."""
    seat.events = _U(0)
    seat.drew = 0
    _note_front(seat, outcome, front_of(seat.move))
    back = back_of(seat.move)
    if back == NO_SLOT:
        seat.back = -1
        return MIRROR if is_last_ace(seat) and rules.ace_on[number] else NO_EFFECT  # COL-4.7
    kind = KIND[_U(seat.hand[_U(back)])]
    seat.back = kind
    return kind + 1 if _is_on(rules, number, kind) else NO_EFFECT


@kernel
def _is_on(rules: Any, number: int, kind: int) -> bool:
    """Whether the kind has an effect for this seat: a joker has none (COL-2.4), the others by the balance switches."""
    if kind == 0:
        return rules.jack_on[number] != 0
    if kind == 1:
        return rules.queen_on[number] != 0
    if kind == 2:
        return rules.king_on[number] != 0
    return kind == 3 and rules.ace_on[number] != 0


@kernel
def after_block(mine: int, theirs: int) -> int:
    """My effect once queens have blocked (COL-4.1, 4.8): theirs cancels any of mine but a queen."""
    return NO_EFFECT if theirs == BLOCK and mine != BLOCK else mine


@kernel
def doubled(front: int, effect: int, rules: Any) -> int:
    """The front total after an unblocked jack (COL-4.2), rounded down."""
    return front * rules.jack_factor // 100 if effect == DOUBLE else front


@kernel
def difference(front_0: int, effect_0: int, front_1: int, effect_1: int, rules: Any) -> int:
    """TP that seat 1 loses (negative: seat 0 loses), from front totals and effects as played (COL-4.1 to 4.5)."""
    unblocked_0, unblocked_1 = after_block(effect_0, effect_1), after_block(effect_1, effect_0)
    d = doubled(front_0, unblocked_0, rules) - doubled(front_1, unblocked_1, rules)
    if (unblocked_0 == HILL) != (unblocked_1 == HILL):
        d = -d
    if (unblocked_0 == MIRROR) != (unblocked_1 == MIRROR):
        d = -d
    elif unblocked_0 == MIRROR and rules.double_mirror:
        d = 0
    return d


@kernel
def _try_twin(outcome: Any, front: int, effect: int, other: int, theirs: int, d: int, rules: Any) -> None:
    """Counts whether an ace for the king, or a king for the ace, would have made another result (COL-4.9)."""
    if effect < HILL or theirs == BLOCK:
        return
    twin = MIRROR if effect == HILL else HILL
    outcome.unblocked[effect - HILL] += 1
    outcome.twin_differs[effect - HILL] += difference(front, twin, other, theirs, rules) != d


@kernel
def _take_points(seat: Any, outcome: Any, number: int) -> None:
    lost = min(seat.damage, seat.points)  # COL-6.1: never below 0
    seat.points -= lost
    outcome.lost[number] += lost


@kernel
def _note_lead(state: Any, outcome: Any, lead: int) -> None:
    """Who is ahead, how far the other ever was behind, and the TP at the checkpoints of the path."""
    if lead:
        ahead = 0 if lead > 0 else 1
        outcome.lead_changes += state.leader == 1 - ahead
        state.leader = ahead
        outcome.behind_most[1 - ahead] = max(outcome.behind_most[1 - ahead], abs(lead))
    if state.round % c.PATH_STEP == 0 and state.round <= _LAST_POINT:
        point = state.round // c.PATH_STEP - 1
        outcome.path[0, point] = state.seats[0].points
        outcome.path[1, point] = state.seats[1].points


@kernel
def _note_effect(
    seat: Any, outcome: Any, number: int, front: int, effect: int, theirs: int, gained: int, moved: int
) -> None:
    """Counts a back-line play or a last-card mirror: behind what, blocked or not, TP it moved to its player."""
    blocked = effect != NO_EFFECT and after_block(effect, theirs) == NO_EFFECT
    if seat.back < 0:
        fire(seat, outcome, c.E_LAST_BLOCKED if blocked else c.E_LAST_MIRROR)
    else:
        outcome.backed[number, seat.back] += 1
        outcome.behind[number, seat.back, FRONT_CLASS[front]] += 1
        outcome.moved[number, seat.back] += moved
        outcome.gained[number, seat.back] += gained
        outcome.blocked[number, seat.back] += blocked
        if seat.back == JOKER_KIND:
            fire(seat, outcome, c.E_JOKER_BACK)
    if effect == BLOCK:
        _note_queen(seat, outcome, theirs, number)
    elif not blocked:
        _note_unblocked(seat, outcome, effect, theirs, number)


@kernel
def _note_queen(seat: Any, outcome: Any, theirs: int, number: int) -> None:
    if theirs == NO_EFFECT:
        fire(seat, outcome, c.E_QUEEN_IN_VAIN)
    elif theirs != BLOCK:
        fire(seat, outcome, c.E_BLOCK)
    elif number == 0:  # two queens are one event of the round
        fire(seat, outcome, c.E_TWO_QUEENS)


@kernel
def _note_unblocked(seat: Any, outcome: Any, effect: int, theirs: int, number: int) -> None:
    if effect == DOUBLE:
        fire(seat, outcome, c.E_DOUBLE)
    elif effect == HILL and theirs != HILL:
        fire(seat, outcome, c.E_HILL)
    elif effect == HILL and number == 0:
        fire(seat, outcome, c.E_TWO_KINGS)
    elif effect == MIRROR and theirs != MIRROR:
        fire(seat, outcome, c.E_MIRROR)
    elif effect == MIRROR and number == 0:
        fire(seat, outcome, c.E_TWO_MIRRORS)


@kernel
def _note_front(seat: Any, outcome: Any, front: int) -> None:
    """Counts what kind of front line was played; without branches, which would be mispredicted half of the time."""
    cards = front & ~seat.jokers
    several, value, joker = cards & (cards - 1) != 0, cards & value_cards(seat) != 0, cards != front
    fire_if(seat, outcome, c.E_SIAMESE, several & value)
    fire_if(seat, outcome, c.E_JOKER_SIAMESE, several & value & joker)
    fire_if(seat, outcome, c.E_SUPPORT_SIAMESE, several & (not value))
    fire_if(seat, outcome, c.E_JOKER_SUPPORT, several & (not value) & joker)
    fire_if(seat, outcome, c.E_JOKER_ALONE, joker & (not several))
    fire_if(seat, outcome, c.E_SUPPORT_FRONT, (not joker) & (not several) & (not value))
