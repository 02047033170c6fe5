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
    NINES,
    QUEEN,
    QUEENS,
    TEN,
    add_values,
    beating,
    bit,
    card_points,
    couples,
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
DECISIVE = 1000.0  # card points; more than any other reason
MOST_HIDDEN = 18
# Binomial coefficients: CHOOSE[n, k].
CHOOSE = np.array([[math.comb(n, k) for k in range(8)] for n in range(MOST_HIDDEN)])


class Params(NamedTuple):
    close_at: float = 1.0  # closes when that is worth so many game points on average: -10 always, 10 never
    samples: int = 16  # hands of the opponent that it plays out at most to decide after or about a close
    doubt: float = 2.0  # it gives up what after n hands is this / √n game points worse on average than it should be
    # While the stock is open: what a card kept in hand is worth, in card points
    ten: float = 6.0  # a plain ten
    ace: float = 10.0  # a plain ace
    court: float = 0.5  # a plain jack, queen or king, for each of its points
    trump: float = 7.0  # more for a trump
    couple: float = 15.0  # more for king and queen together, twice that in trumps
    half: float = 3.0  # more for a king or queen whose partner may still come
    # … and what a trick is worth besides its points
    tempo: float = 2.0  # the next lead and the first draw
    first: float = 2.0  # more for my first trick
    ready: float = 2.0  # more with a couple in hand, or the nine of trumps to exchange
    turned: float = 0.3  # less for the last trick before the stock is exhausted: this share of the turned-up card
    # … and how the opponent is taken to answer a lead
    take: float = 0.9  # how often it takes a trick in the suit led that it can take
    ruff: float = 0.3  # how often it trumps a card of less than ten points
    feed: float = 2.0  # points that it adds to a trick that it loses …
    grab: float = 7.0  # … and to one that it takes


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
    hand, wed, flags = view.hand, view.couples, 0
    if view.may_exchange:
        hand, flags = exchanged(hand, view), EXCHANGE
        wed = free_couples(hand, view.trumps, rules.barred[view.seat])
    trumps = wed & view.trumps
    queens = (trumps if trumps else wed) & QUEENS
    if queens and view.tricks > 0 and view.points + (40 if trumps else 20) >= GOAL:
        return lowest(queens) | MARRIAGE | flags
    if view.may_close:
        card, value = averaged(view, rules, params, rng, hand, view.seat, params.close_at)
        if value >= params.close_at:
            declares = rules.marriage_after_close and wed & bit(card)
            return card | CLOSE | flags | (MARRIAGE if declares else 0)
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

    These are all its hands, or a sample. Cards that fall behind are given up, and all of them (minus infinity) when the
    mean falls behind `least`.
    """
    totals = np.zeros(CARDS, np.int64)
    cards = hand if is_lead(view) else view.legal
    hidden, size = unseen(view), their_hand_size(view) - ones(view.their_shown)
    ways = CHOOSE[ones(hidden), size]
    count = min(ways, max(params.samples, 1))
    best = lowest(cards)
    for n in range(1, count + 1):
        number = n - 1 if ways == count else below(rng, ways)
        theirs = view.their_shown | nth_hand(hidden, size, number)
        add_values(view, rules, hand, theirs, closer, cards, totals)
        slack = params.doubt * np.sqrt(n) if count < ways else np.inf
        best, cards = leading(cards, totals, slack)
        if totals[best] + slack < least * n:
            return best, -np.inf
    return best, totals[best] / count


def leading(cards, totals, slack):
    """The card with the highest total, the first of several, and the set of those that are not far behind it."""
    best, left = lowest(cards), cards
    while left:
        card = lowest(left)
        left &= left - ONE
        if totals[card] > totals[best]:
            best = card
    left = cards
    while left:
        card = lowest(left)
        left &= left - ONE
        if totals[card] + slack < totals[best]:
            cards ^= bit(card)
    return best, cards


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
    extra = trick_extra(view, params)
    left = view.legal
    while left:
        card = lowest(left)
        left &= left - ONE
        gain = card_points(view.led) + card_points(card)
        if winners & bit(card):
            gain += view.pending
            score = gain + extra
            if view.points + gain >= GOAL:
                score += DECISIVE
        else:
            gain += view.their_pending
            score = -1.0 * gain - extra
            if view.their_points + gain >= GOAL:
                score -= DECISIVE
        score -= keep(view, params, view.hand, card)
        if score > best:
            best, chosen = score, card
    return chosen


def trick_extra(view, params):
    """Half of what winning this trick is worth besides its points."""
    extra = params.tempo
    if view.tricks == 0:
        extra += params.first
    if couples(view.hand) or view.hand & view.trumps & NINES:
        extra += params.ready
    if view.stock == 2:
        extra -= params.turned * keep(view, params, view.hand, lowest(view.turned))
    return extra


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
    points, extra = card_points(card), trick_extra(view, params)
    kept = 1.0 - params.take * chance(view, beating(card, view.trumps) & suit_of(card), hidden, size)
    if not view.trumps & bit(card):
        readiness = 1.0 if points >= 10 else params.ruff
        kept *= 1.0 - readiness * chance(view, view.trumps, hidden, size)
    won, lost = points + params.feed + extra, points + params.grab + extra
    return kept * won - (1.0 - kept) * lost - keep(view, params, hand, card)


def chance(view, wanted, hidden, size):
    """The chance that the opponent holds one of these cards."""
    if view.their_shown & wanted:
        return 1.0
    drawn = size - ones(view.their_shown)
    missing = CHOOSE[ones(hidden & ~wanted), drawn] / CHOOSE[ones(hidden), drawn]
    return 1.0 - missing
