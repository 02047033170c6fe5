"""Counter: remembers every card, plays endings exactly, and closes when that is worth it on average.
"""

import math
from typing import NamedTuple

import numpy as np

from simkit.games.sixty_six import (
    ACE,
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
    # While the stock is open, in card points: what a card kept in hand is worth …
    ten: float = 3.0  # a plain ten
    ace: float = 16.5  # a plain ace
    trump: float = 20.0  # more for a trump
    couple: float = 25.0  # more for king and queen together, twice that in trumps
    half: float = 16.0  # more for a king or queen whose partner may still come, twice that in trumps
    # … and what a trick is worth besides its cards
    tempo: float = 1.0  # the next lead and the first draw
    ready: float = 3.5  # more with a couple in hand, or the nine of trumps
    lead: float = 9.5  # a trick won as its leader
    ruff: float = 0.3  # the share of cards below ten points that an opponent with trumps takes with one


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
    extra = params.tempo + (params.ready if couples(view.hand) or view.hand & view.trumps & NINES else 0.0)
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


def keep(view, params, hand, card):
    """What a card is worth that stays in hand."""
    rank, is_trump = card >> 2, (view.trumps & bit(card)) != NONE
    value = params.trump if is_trump else 0.0
    if rank == TEN:
        value += params.ten
    elif rank == ACE:
        value += params.ace
    elif rank == QUEEN or rank == KING:
        partner = bit(card + 4 if rank == QUEEN else card - 4)
        factor = 2.0 if is_trump else 1.0
        if hand & partner:
            value += params.couple * factor
        elif partner & (unseen(view) | view.turned):
            value += params.half * factor
    return value


def lead_score(view, params, hand, card):
    """What leading a card is worth: the trick if it holds, by the cards that the opponent may have, less the card."""
    hidden, size, points = unseen(view), their_hand_size(view), card_points(card)
    holds = 1.0 - chance(view, beating(card, view.trumps) & suit_of(card), hidden, size)
    if not view.trumps & bit(card):
        ruff = params.ruff if points < 10 else 1.0
        holds *= 1.0 - ruff * chance(view, view.trumps, hidden, size)
    return holds * (2.0 * points + params.lead) - points - keep(view, params, hand, card)


def chance(view, wanted, hidden, size):
    """The chance that the opponent holds one of these cards."""
    if view.their_shown & wanted:
        return 1.0
    drawn = size - ones(view.their_shown)
    missing = CHOOSE[ones(hidden & ~wanted), drawn] / CHOOSE[ones(hidden), drawn]
    return 1.0 - missing
