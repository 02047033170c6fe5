"""Counter: remembers every card, plays endings exactly, and closes when that is worth it on average.
"""

import math
from typing import NamedTuple

import numpy as np

from simkit.games.sixty_six import (
    CARDS,
    CLOSE,
    EXCHANGE,
    GOAL,
    KING,
    MARRIAGE,
    QUEEN,
    QUEENS,
    TEN,
    add_values,
    beating,
    bit,
    card_points,
    exchanged,
    free_couples,
    is_lead,
    lowest,
    ones,
    solved,
    suit_of,
    their_hand_size,
    unseen,
)
from simkit.games.sixty_six.score import winner_worth
from simkit.rng import below

_U = np.uint64
NONE, ONE = _U(0), _U(1)
MOST_HIDDEN = 18
# Binomial coefficients: CHOOSE[n, k].
CHOOSE = np.array([[math.comb(n, k) for k in range(8)] for n in range(MOST_HIDDEN)])


class Params(NamedTuple):
    close_at: float = 1.0  # closes when that is worth so many game points on average: -10 always, 10 never
    samples: int = 16  # hands of the opponent that it plays out at most to decide after or about a close
    doubt: float = 3.0  # it tries no more hands once the mean after n of them is this / √n below close_at
    # What a card kept in hand is worth, in card points
    ten: float = 6.0  # a plain ten
    ace: float = 10.0  # a plain ace
    court: float = 0.5  # a plain jack, queen or king, for each of its points
    trump: float = 7.0  # more for a trump
    couple: float = 15.0  # more for king and queen together, twice that in trumps
    half: float = 3.0  # more for a king or queen whose partner may still come
    tempo: float = 2.0  # having the next lead and the first draw
    ruff: float = 0.3  # how readily the opponent trumps a card of few points


def act(view, rules, params, rng):
    if view.stock == 0:
        return solved(view, rules)[0]
    if not is_lead(view) and ones(view.legal) == 1:
        return lowest(view.legal)
    if not view.open:
        card = averaged(view, rules, params, rng, view.hand, view.closer, -np.inf)[0]
        return card | MARRIAGE if view.couples & bit(card) else card
    if is_lead(view):
        return lead(view, rules, params, rng)
    return reply(view, params)


def lead(view, rules, params, rng):
    hand, couples, flags = view.hand, view.couples, 0
    if view.may_exchange:
        hand, flags = exchanged(hand, view), EXCHANGE
        couples = free_couples(hand, view.trumps, rules.barred[view.seat])
    trumps = couples & view.trumps
    queens = (trumps if trumps else couples) & QUEENS
    if queens and view.tricks > 0 and view.points + (40 if trumps else 20) >= GOAL:
        return lowest(queens) | MARRIAGE | flags
    if view.may_close:
        card, value = averaged(view, rules, params, rng, hand, view.seat, params.close_at)
        if value >= params.close_at:
            wed = rules.marriage_after_close and couples & bit(card)
            return card | CLOSE | flags | (MARRIAGE if wed else 0)
    if queens:
        return lowest(queens) | MARRIAGE | flags
    best, chosen = -np.inf, 0
    left = hand
    while left:
        card = lowest(left)
        left &= left - ONE
        score = lead_score(view, params, hand, card)
        if score > best:
            best, chosen = score, card
    return chosen | flags


def averaged(view, rules, params, rng, hand, closer, least):
    """The card that is best on average over the opponent's possible hands, and its mean: (card, game points).

    All of these hands, or a sample. It stops when the mean cannot reach `least` any more.
    """
    totals = np.zeros(CARDS, np.int64)
    hidden = unseen(view)
    size = their_hand_size(view) - ones(view.their_shown)
    ways = CHOOSE[ones(hidden), size]
    count = min(ways, max(params.samples, 1))
    best, n = 0, 0
    while n < count:
        number = n if ways == count else below(rng, ways)
        theirs = view.their_shown | nth_hand(hidden, size, number)
        add_values(view, rules, hand, theirs, closer, totals)
        best = best_card(view, hand, totals)
        n += 1
        if totals[best] / n + params.doubt / np.sqrt(n) < least:
            return best, -np.inf
    return best, totals[best] / count


def best_card(view, hand, totals):
    legal = hand if is_lead(view) else view.legal
    best, left = lowest(legal), legal
    while left:
        card = lowest(left)
        left &= left - ONE
        if totals[card] > totals[best]:
            best = card
    return best


def nth_hand(hidden, size, number):
    """One of the sets of so many cards out of `hidden`, by its number."""
    hand = NONE
    while size > 0:
        card = hidden & (NONE - hidden)
        hidden ^= card
        with_it = CHOOSE[ones(hidden), size - 1]
        if number < with_it:
            hand |= card
            size -= 1
        else:
            number -= with_it
    return hand


def reply(view, params):
    best, chosen = -np.inf, 0
    winners = view.legal & beating(view.led, view.trumps)
    left = view.legal
    while left:
        card = lowest(left)
        left &= left - ONE
        gain = card_points(view.led) + card_points(card)
        if winners & bit(card):
            score = gain + params.tempo
            if view.points + view.pending + gain >= GOAL:
                score += 1000.0
        else:
            score = -1.0 * gain - params.tempo
            if view.their_points + view.their_pending + gain >= GOAL:
                score -= 1000.0
        score -= keep(view, params, view.hand, card)
        if score > best:
            best, chosen = score, card
    return chosen


def keep(view, params, hand, card):
    """What a card is worth that stays in hand."""
    rank = card >> 2
    points = card_points(card)
    value = params.court * points
    if rank == TEN:
        value = params.ten
    elif rank > TEN:
        value = params.ace
    trump = (view.trumps & bit(card)) != NONE
    if trump:
        value += params.trump
    if rank == QUEEN or rank == KING:
        partner = bit(card + 4 if rank == QUEEN else card - 4)
        factor = 2.0 if trump else 1.0
        if hand & partner:
            value += params.couple * factor
        elif unseen(view) & partner or (view.turned & partner):
            value += params.half * factor
    return value


def lead_score(view, params, hand, card):
    hidden, size = unseen(view), their_hand_size(view)
    suit = suit_of(card)
    higher = beating(card, view.trumps) & suit
    points = card_points(card)
    suited = chance(view, higher, hidden, size)
    ruffed = 0.0
    if not view.trumps & bit(card):
        ruffed = chance(view, view.trumps, hidden, size) * (1.0 if points >= 10 else params.ruff)
    lost = 1.0 - (1.0 - suited) * (1.0 - ruffed)
    gain = points + 4.0
    return (1.0 - 2.0 * lost) * (gain + params.tempo) - keep(view, params, hand, card)


def chance(view, wanted, hidden, size):
    """The chance that the opponent holds one of these cards."""
    if view.their_shown & wanted:
        return 1.0
    drawn = size - ones(view.their_shown)
    missing = CHOOSE[ones(hidden & ~wanted), drawn] / CHOOSE[ones(hidden), drawn]
    return 1.0 - missing
