"""Tracker: plays hands on in its head, over cards that the others may hold, and does what is best on average.

It remembers which cards are gone, which become Elders next, what each player cannot have, and who called. Every lead,
every way to beat and some discards are played out to the end of the hand, by the rule of thumb in `_playout`. It does
not claim while its best lead is worth more. It calls when its mean points as the caller are `call_at` or more, a little
below 0: a pass is not worth 0, since somebody else may call.

Origin: simkit; perfect information Monte Carlo, as Ginsberg's GIB (2001) plays bridge, with rollouts by a simple player
in place of perfect play, as Tesauro and Galperin (1996) did for backgammon. Parameters by play against the others.
"""

from typing import NamedTuple

import numpy as np
from _playout import ENOUGH, NOBODY, Roles, Trick, chosen_lead, played_out
from greedy_claim import give_up, lowest_numbers, promise

from simkit.games.hakka import (
    CALL,
    CLAIM,
    ELDERS_AT_START,
    FOLLOW,
    LEAD,
    PACK,
    cards_of_move,
    count_moves,
    discard,
    is_discard,
    last_cards,
    lowest_bit,
    my_elders,
    nth_bit,
    nth_move,
    of_number,
    ones,
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
FACTOR, STEP = _U(6364136223846793005), _U(1442695040888963407)  # Knuth's MMIX generator: new worlds at little cost
LONGEST_RUN, LONGEST_SET, HAND_SIZE = 9, 5, 12
MOST_WORLDS, MOST_TRIES = 200, 10
DISCARDS = 3  # ways of choosing what to discard to a run or set


class Params(NamedTuple):
    worlds: int = 40  # hands of the others that each choice is played out with, up to 200
    call_worlds: int = 60  # the same for a call
    call_at: float = -1.0  # mean points from which on it calls, in thirds of what 6 and 7 tricks are worth together
    play_on: float = 0.35  # in its head, the chance that a player's next lead wins from which on he does not claim yet
    others_call_at: int = 6  # tricks that Elders and longest pattern promise in the hands of others who call
    tries: int = 4  # draws of the others' hands, up to 10, until they agree with who called


def act(view, rules, params, rng):
    if view.decision == LEAD:
        return play(best_lead(view, rules, params, rng)[0])
    if view.decision == FOLLOW:
        return best_follow(view, rules, params, rng)
    if view.decision == CALL:
        unit = (rules.values[0] + rules.values[1]) / 3.0
        return say(call_value(view, rules, params, rng) >= params.call_at * unit)
    if view.decision == CLAIM and view.hand != my_elders(view):
        claim = rules.values[view.won[view.seat] + ones(my_elders(view)) - ENOUGH]
        return say(best_lead(view, rules, params, rng)[1] <= 2.0 * claim)
    return say(True)


def best_lead(view, rules, params, rng):
    """The lead that is best on average, and its mean points: (cards, points)."""
    hand, seed = view.hand, word(rng)
    best = (NONE, -np.inf)
    singles = single_leads(hand, view.elders, view.privileged == view.seat)
    while singles:
        best = better(view, rules, params, best, lowest_bit(singles), seed)
        singles &= singles - ONE
    for size in range(3, LONGEST_RUN + 1):
        tops = run_tops(hand, size)
        while tops:
            best = better(view, rules, params, best, run_from(lowest_bit(tops), size), seed)
            tops &= tops - ONE
    for size in range(3, LONGEST_SET + 1):
        numbers = sets_of(hand, size)
        while numbers:
            cards = last_cards(hand & of_number(lowest_bit(numbers)), size)
            best = better(view, rules, params, best, cards, seed)
            numbers &= numbers - ONE
    return best


def better(view, rules, params, best, cards, seed):
    """The best lead so far or this one: (cards, points)."""
    mean = mean_points(view, rules, params, cards, True, seed)
    return (cards, mean) if mean > best[1] else best


def best_follow(view, rules, params, rng):
    """The move that is best on average, of all that beat and some discards."""
    seed, best, most = word(rng), 0, -np.inf
    if view.choices:
        for n in range(count_moves(view, rules)):
            move = nth_move(view, rules, n)
            if is_discard(move):
                break
            mean = mean_points(view, rules, params, cards_of_move(move), True, seed)
            if mean > most:
                best, most = move, mean
        if rules.must_beat:
            return best
    for n in range(ones(losers(view)) if view.size == 1 else DISCARDS):
        cards = nth_discard(view, n)
        mean = mean_points(view, rules, params, cards, False, seed)
        if mean > most:
            best, most = discard(cards), mean
    return best


def losers(view):
    """The cards in hand that are no Elders, or all if there are only Elders."""
    rest = view.hand & ~view.elders
    return rest if rest else view.hand


def nth_discard(view, n):
    """A way to discard: any single; of more cards low numbers but no pattern, low numbers, or the last suits."""
    if view.size == 1:
        return ONE << _U(nth_bit(losers(view), n))
    if n == 0:
        return give_up(view.hand, view.elders, view.size)
    rest = view.hand & ~view.elders
    given = lowest_numbers(rest, view.size) if n == 1 else last_cards(rest, min(view.size, ones(rest)))
    return given | lowest_numbers(my_elders(view), view.size - ones(given))


def call_value(view, rules, params, rng):
    """The mean points of a hand as its caller."""
    total, seed, me = 0.0, word(rng), np.int64(view.passes)
    roles = Roles(me, me if me > 0 else NOBODY, NOBODY)
    count = min(max(params.call_worlds, 1), MOST_WORLDS)
    for world in range(count):
        a, b, c = possible_hands(view, params, view.dealer, me, HAND_SIZE, HAND_SIZE, seed + _U(world))
        lead = chosen_lead(a, view.gone, view.elders, False)
        trick = Trick(lead, 0, lead, 2)
        total += played_out(rules, (a ^ lead, b, c), (0, 0, 0), roles, view.gone, trick, params.play_on)
    return total / count


def mean_points(view, rules, params, cards, wins, seed):
    """The mean points of a hand in which these cards are played now, as a pattern that wins so far or as a discard."""
    me = 2 - np.int64(view.left) if view.decision == FOLLOW else 0
    leader = np.int64(view.leader) if me > 0 else np.int64(view.seat)
    second = next_active(leader, view.dreamer)
    third = next_active(second, view.dreamer)
    best, place = (cards, me) if wins else (view.best, np.int64(view.best_seat != leader))
    trick = Trick(best, place, view.trick | cards, 2 - me)
    privileged, first_six = np.int64(view.privileged), np.int64(view.first_six)
    roles = Roles(me, place_of(privileged, leader, second, third), place_of(first_six, leader, second, third))
    tricks = (np.int64(view.won[leader]), np.int64(view.won[second]), np.int64(view.won[third]))
    size, total = ones(view.hand), 0.0
    count = min(max(params.worlds, 1), MOST_WORLDS)
    for world in range(count):
        a, b, c = possible_hands(view, params, leader, me, size, size - ones(best), seed + _U(world))
        hands = (a & ~cards, b & ~cards, c & ~cards)
        total += played_out(rules, hands, tricks, roles, view.gone, trick, params.play_on)
    return total / count


def place_of(seat, leader, second, third):
    """The place of a seat."""
    return 0 if seat == leader else 1 if seat == second else 2 if seat == third else NOBODY


def possible_hands(view, params, leader, me, size, played_size, seed):
    """Hands of the three places that agree with what is known; those before mine have played to the trick."""
    second = next_active(leader, view.dreamer)
    one = second if me == 0 else leader
    other = second if me == 2 else next_active(second, view.dreamer)
    one_size, other_size = size if me == 0 else played_size, played_size if me == 2 else size
    seed = seed * FACTOR + STEP
    ones_hand = others_hand = NONE
    for _ in range(min(max(params.tries, 1), MOST_TRIES)):
        unseen = PACK & ~(view.gone | view.trick | view.hand)
        ones_hand, seed = drawn(unseen, view.lacks[one], one_size, seed)
        others_hand, seed = drawn(unseen ^ ones_hand, view.lacks[other], other_size, seed)
        if agrees(view, params, one, ones_hand) and agrees(view, params, other, others_hand):
            break
    if me == 0:
        return view.hand, ones_hand, others_hand
    return (ones_hand, view.hand, others_hand) if me == 1 else (ones_hand, others_hand, view.hand)


def drawn(cards, lacking, count, seed):
    """So many of the cards at random, without those that are lacking as far as possible: (hand, the next seed)."""
    hand, left = NONE, cards & ~lacking
    if ones(left) < count:
        left = cards
    for _ in range(count):
        seed = seed * FACTOR + STEP
        card = ONE << _U(nth_bit(left, np.int64(((seed >> HALF) * _U(ones(left))) >> HALF)))
        left ^= card
        hand |= card
    return hand, seed


def agrees(view, params, seat, hand):
    """Whether a player with this hand would have called or passed as that seat did."""
    strong = promise(hand | view.played[seat], ELDERS_AT_START) >= params.others_call_at
    if seat == view.caller:
        return strong
    step = (seat - view.dealer) & 3
    return not strong or step - (step > 2) >= view.passes  # the Dreamer, two seats after the dealer, is not asked


def word(rng):
    return next_word(rng) | (next_word(rng) << HALF)
