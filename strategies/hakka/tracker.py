"""Tracker: plays every hand on in its head, over hands that the others may hold, and does what is best on average.

It remembers all cards: which are gone, which become Elders next, which a player cannot have. Each lead, each way to
beat, some discards, and playing on instead of a claim are played out to the end of the hand, all players leading their
longest pattern, beating with the weakest and giving up low numbers. It calls when its mean points as the caller are
worth `call_at`.

Origin: simkit; perfect information Monte Carlo with a rule of thumb in place of perfect play, as in Ginsberg's GIB
(2001) and Tesauro's rollouts for backgammon (1996). Parameters by play against the other strategies.
"""

from typing import NamedTuple

import numpy as np
from greedy_claim import give_up, lowest_numbers

from simkit.games.hakka import (
    CALL,
    CLAIM,
    FOLLOW,
    LEAD,
    PACK,
    SET,
    above,
    beaters,
    cards_of_move,
    count_moves,
    discard,
    elders_of,
    first_cards,
    is_discard,
    last_cards,
    longest,
    lowest_bit,
    nth_bit,
    nth_move,
    of_number,
    ones,
    pattern_of,
    play,
    run_from,
    run_tops,
    say,
    sets_of,
    single_leads,
)
from simkit.games.hakka.tricks import next_active
from simkit.rng import next_word

_U = np.uint64
ONE, NONE, HALF = _U(1), _U(0), _U(32)
FACTOR, STEP = _U(6364136223846793005), _U(1442695040888963407)
ENOUGH, MOST = 6, 12
NOBODY = 3  # places are 0 to 2, from the leader of a trick on
LONGEST_RUN, LONGEST_SET = 9, 5
MATCHES = (0.45, 0.23, 0.05)  # how often one, two, more cards of the winner match the Dreamer's


class Params(NamedTuple):
    worlds: int = 30  # hands of the others that each choice is played out with
    call_worlds: int = 60  # the same for a call
    call_at: float = -1.0  # mean points of a hand from which on it calls
    greed: float = 0.0  # points by which playing on must be better than a claim


class Trick(NamedTuple):
    """A trick on the table: its best pattern, the place that played it, all its cards, and who is still to play."""

    best: int
    place: int
    fallen: int
    left: int


class Roles(NamedTuple):
    """The places of this player, of the Privileged player, and of the first with six tricks."""

    me: int
    privileged: int
    first_six: int


def act(view, rules, params, rng):
    if view.decision == LEAD:
        return play(best_lead(view, rules, params, rng)[0])
    if view.decision == FOLLOW:
        return best_follow(view, rules, params, rng)
    if view.decision == CALL:
        return say(call_value(view, rules, params, rng) >= params.call_at)
    if view.decision == CLAIM and view.hand != view.hand & view.elders:
        total = view.won[view.seat] + ones(view.hand & view.elders)
        claim = 2.0 * rules.values[min(total, MOST) - ENOUGH]
        return say(best_lead(view, rules, params, rng)[1] <= claim + params.greed)
    return say(True)


def word(rng):
    return next_word(rng) | (next_word(rng) << HALF)


def best_lead(view, rules, params, rng):
    """The lead that is best on average, and its mean points: (cards, points)."""
    hand, seed = view.hand, word(rng)
    best, most = NONE, -np.inf
    singles = single_leads(hand, view.elders, view.privileged == view.seat)
    while singles:
        card = lowest_bit(singles)
        singles ^= card
        mean = mean_points(view, rules, params.worlds, card, True, seed)
        if mean > most:
            best, most = card, mean
    for size in range(3, LONGEST_RUN + 1):
        tops = run_tops(hand, size)
        while tops:
            run = run_from(lowest_bit(tops), size)
            tops &= tops - ONE
            mean = mean_points(view, rules, params.worlds, run, True, seed)
            if mean > most:
                best, most = run, mean
    for size in range(3, LONGEST_SET + 1):
        numbers = sets_of(hand, size)
        while numbers:
            cards = last_cards(hand & of_number(lowest_bit(numbers)), size)
            numbers &= numbers - ONE
            mean = mean_points(view, rules, params.worlds, cards, True, seed)
            if mean > most:
                best, most = cards, mean
    return best, most


def best_follow(view, rules, params, rng):
    """The move that is best on average: of all that beat, and some discards."""
    seed, best, most = word(rng), 0, -np.inf
    hand, size = view.hand, view.size
    if view.choices != NONE:
        for n in range(count_moves(view, rules)):
            move = nth_move(view, rules, n)
            if is_discard(move):
                break
            mean = mean_points(view, rules, params.worlds, cards_of_move(move), True, seed)
            if mean > most:
                best, most = move, mean
        if rules.must_beat:
            return best
    left = hand & ~view.elders
    if left == NONE:
        left = hand
    options = ones(left) if size == 1 else 3
    for n in range(options):
        cards = ONE << _U(nth_bit(left, n)) if size == 1 else some_discard(hand, view.elders, size, n)
        mean = mean_points(view, rules, params.worlds, cards, False, seed)
        if mean > most:
            best, most = discard(cards), mean
    return best


def some_discard(hand, elders, size, n):
    """A way to discard: low numbers but no pattern, low numbers, the last suits; Elders last."""
    if n == 0:
        return give_up(hand, elders, size)
    rest = hand & ~elders
    given = lowest_numbers(rest, size) if n == 1 else last_cards(rest, min(size, ones(rest)))
    return given | lowest_numbers(hand & elders, size - ones(given))


def call_value(view, rules, params, rng):
    """The mean points of a hand as its caller."""
    total, seed = 0.0, word(rng)
    me = np.int64(view.passes)
    roles = Roles(me, me if me > 0 else NOBODY, NOBODY)
    worlds = max(params.call_worlds, 1)
    for world in range(worlds):
        hands = possible_hands(view, view.dealer, me, MOST, MOST, seed + _U(world))
        lead = chosen_lead(hands[0], view.gone, view.elders, False)
        hands = (hands[0] ^ lead, hands[1], hands[2])
        total += played_out(rules, hands, (0, 0, 0), roles, view.gone, Trick(lead, 0, lead, 2))
    return total / worlds


def mean_points(view, rules, worlds, cards, beats, seed):
    """The mean points of a hand after these cards as a lead or a follow, over hands that the others may hold."""
    follows = view.decision == FOLLOW
    me = 2 - np.int64(view.left) if follows else 0
    leader = np.int64(view.leader) if follows else np.int64(view.seat)
    second = next_active(leader, view.dreamer)
    third = next_active(second, view.dreamer)
    best, place = (cards, me) if beats else (view.best, np.int64(0 if view.best_seat == leader else 1))
    fallen = view.trick | (cards if beats or rules.discards == 0 else NONE)
    trick = Trick(best, place, fallen, 2 - me)
    roles = Roles(
        me,
        place_of(view.privileged, leader, second, third),
        place_of(view.first_six, leader, second, third),
    )
    tricks = (np.int64(view.won[leader]), np.int64(view.won[second]), np.int64(view.won[third]))
    size = ones(view.hand)
    total, worlds = 0.0, max(worlds, 1)
    for world in range(worlds):
        hands = possible_hands(view, leader, me, size, size - ones(best), seed + _U(world))
        hands = (
            hands[0] ^ (cards if me == 0 else NONE),
            hands[1] ^ (cards if me == 1 else NONE),
            hands[2] ^ (cards if me == 2 else NONE),
        )
        total += played_out(rules, hands, tricks, roles, view.gone, trick)
    return total / worlds


def place_of(seat, leader, second, third):
    return 0 if seat == leader else 1 if seat == second else 2 if seat == third else NOBODY


def possible_hands(view, leader, me, size, size_played, seed):
    """Hands of the three places that agree with all that is known; those before mine have played."""
    second = next_active(leader, view.dreamer)
    seat = second if me == 0 else leader
    other = next_active(second, view.dreamer) if me < 2 else second
    unseen = PACK & ~(view.gone | view.trick | view.hand)
    can = unseen & ~view.lacks[seat]
    count = size if me == 0 else size_played
    hers, seed = drawn(can if ones(can) >= count else unseen, count, seed * FACTOR + STEP)
    unseen ^= hers
    can = unseen & ~view.lacks[other]
    count = size_played if me == 2 else size
    theirs, seed = drawn(can if ones(can) >= count else unseen, count, seed)
    if me == 0:
        return view.hand, hers, theirs
    if me == 1:
        return hers, view.hand, theirs
    return hers, theirs, view.hand


def drawn(cards, count, seed):
    """So many of the cards at random, and the next seed."""
    found = NONE
    for _ in range(count):
        seed = seed * FACTOR + STEP
        card = ONE << _U(nth_bit(cards, np.int64(((seed >> HALF) * _U(ones(cards))) >> HALF)))
        cards ^= card
        found |= card
    return found, seed


def played_out(rules, hands, tricks, roles, gone, trick):
    """Points for `me` when all play on by rule of thumb."""
    a, b, c = hands
    ta, tb, tc = tricks
    me, privileged, six = roles.me, roles.privileged, roles.first_six
    best, place, fallen, left = trick.best, trick.place, trick.fallen, trick.left
    while True:
        size = ones(best)
        pattern = pattern_of(best, size)
        elders = elders_of(PACK & ~gone)
        if left == 2:
            cards, beats = reply(rules, b, best, pattern, size, elders)
            b ^= cards
            if beats:
                best, place = cards, 1
            fallen |= cards
        if left > 0:
            cards, beats = reply(rules, c, best, pattern, size, elders)
            c ^= cards
            if beats:
                best, place = cards, 2
            fallen |= cards
        gone |= fallen
        if place == 1:
            a, b, c, ta, tb, tc = b, c, a, tb, tc, ta
        elif place == 2:
            a, b, c, ta, tb, tc = c, a, b, tc, ta, tb
        me, privileged, six = turned(me, place), turned(privileged, place), turned(six, place)
        ta += size
        if ta >= ENOUGH and six == NOBODY:
            six = 0
        elders = elders_of(PACK & ~gone)
        total = ta + ones(a & elders)
        if total >= ENOUGH and (a & ~elders == NONE or not is_sure(rules, a, gone, elders, privileged == 0)):
            return points_of(rules, 0, total, me, privileged)
        if a == NONE:
            return 0.0 if six == NOBODY else points_of(rules, six, tb if six == 1 else tc, me, privileged)
        best = chosen_lead(a, gone, elders, privileged == 0)
        a ^= best
        place, fallen, left = 0, best, 2


def turned(place, winner):
    """A place as seen from the winner of a trick."""
    return place if place == NOBODY else (place - winner + 3) % 3


def chosen_lead(hand, gone, elders, privileged):
    pattern = longest(hand)
    if pattern != NONE:
        return pattern
    old = hand & elders
    if privileged and old != NONE:
        return lowest_bit(old)
    singles = single_leads(hand, elders, False)
    top = lowest_bit(singles)
    return top if above(top) & ~(gone | hand) == NONE else last_cards(singles, 1)


def is_sure(rules, hand, gone, elders, privileged):
    lead = chosen_lead(hand, gone, elders, privileged)
    size = ones(lead)
    return beaters(PACK & ~(gone | hand), lead, pattern_of(lead, size), size, rules.ones_set) == NONE


def reply(rules, hand, best, pattern, size, elders):
    """The weakest pattern that beats, or low numbers: (cards, whether they beat)."""
    found = beaters(hand, best, pattern, size, rules.ones_set)
    if found == NONE:
        return give_up(hand, elders, size), False
    last = last_cards(found, 1)
    if pattern == SET:
        return first_cards(hand & of_number(last), size), True
    return run_from(last, size), True


def points_of(rules, winner, tricks, me, privileged):
    """Points for `me` (HK-6.3 to HK-6.6), the Dreamer's on average."""
    value = 1.0 * rules.values[min(tricks, MOST) - ENOUGH]
    if winner == me:
        return 2.0 * value
    dream = MATCHES[0] * rules.values[0] + MATCHES[1] * rules.values[1] + MATCHES[2] * rules.values[2]
    if privileged == NOBODY or privileged == winner:
        return -value - dream
    return -2.0 * (value + dream) if privileged == me else 0.0
