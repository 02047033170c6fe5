"""Counter: remembers every card, plays the end of a deal exactly, and closes when that is worth it on average.

With the stock exhausted it knows the opponent's hand and plays for the most game points by perfect play of both. With
the stock closed it takes the card that is best on average over the hands that the opponent may hold, each played
perfectly. It closes when such averages say that this is worth `close_at`. While the stock is open it declares every
marriage and exchanges the nine; for the rest it weighs the points of the trick, and of the next lead, against what the
card is worth in its hand, where trumps, aces and marriages to come are dear.

Origin: simkit; the averages are perfect information Monte Carlo, as Ginsberg's GIB (2001) plays bridge. The weights of
open play are from an evolution strategy (CMA-ES) on wins and game points against greedy, trump_saver and an earlier
self, without closing; then `close_at`, `samples` and `trials` by hand, with closing; all on seeds of their own.
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
    HAND_SIZE,
    KING,
    MARRIAGE,
    NINES,
    PLAIN_MARRIAGE,
    QUEEN,
    QUEENS,
    TEN,
    TRUMP_MARRIAGE,
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
    reaches,
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
CHOOSE = np.array([[math.comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(CARDS)])  # binomial coefficients


class Params(NamedTuple):
    close_at: float = 1.0  # closes when that is worth so many game points on average: -10 always, 10 never
    samples: int = 20  # hands of the opponent that it tries at most to see whether a close succeeds
    trials: int = 12  # hands of the opponent that it plays out at most to choose a card in a closed deal
    doubt: float = 1.0  # it gives up what after n hands is this / √n game points worse on average than it should be
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
        card = averaged(view, rules, params, rng, view.hand, view.closer)[0]
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
    if queens and view.tricks > 0 and view.points + (TRUMP_MARRIAGE if trumps else PLAIN_MARRIAGE) >= GOAL:
        return lowest(queens) | MARRIAGE | flags
    if view.may_close and close_value(view, rules, params, rng, hand) >= params.close_at:
        card, value = averaged(view, rules, params, rng, hand, view.seat)
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


class Hidden(NamedTuple):
    """What is not known of the opponent's hand: `size` of these cards, in one of so many ways."""

    cards: int
    size: int
    ways: int


def hidden_from(view):
    cards, size = unseen(view), their_hand_size(view) - ones(view.their_shown)
    return Hidden(cards, size, CHOOSE[ones(cards), size])


def close_value(view, rules, params, rng, hand):
    """The mean of what a close is worth with all hands known, if it succeeds for as much as it could now.

    Minus infinity once the mean falls far behind `close_at`.
    """
    hidden = hidden_from(view)
    count = min(hidden.ways, max(params.samples, 1))
    won, lost = winner_worth(view.their_points, view.their_tricks), rules.failed_close_points
    total = 0
    for n in range(count):
        theirs = possible_hand(view, hidden, n, count, rng)
        total += won if reaches(view, rules, hand, theirs, view.seat, 1) else -lost
        if total + slack(params, hidden, n + 1, count) < params.close_at * (n + 1):
            return -np.inf
    return total / count


def averaged(view, rules, params, rng, hand, closer):
    """The card that is best on average over the opponent's possible hands, and its mean: (card, game points).

    Cards that fall far behind are given up, and the last one left is taken.
    """
    totals = np.zeros(CARDS, np.int64)
    cards = hand if is_lead(view) else view.legal
    hidden = hidden_from(view)
    count = min(hidden.ways, max(params.trials, 1))
    best, n = lowest(cards), 0
    while n < count and (n == 0 or cards & (cards - ONE)):
        add_values(view, rules, hand, possible_hand(view, hidden, n, count, rng), closer, cards, totals)
        n += 1
        best = highest_total(cards, totals)
        cards = at_least(cards, totals, totals[best] - slack(params, hidden, n, count))
    return best, totals[best] / n


def possible_hand(view, hidden, n, count, rng):
    """The n-th of `count` hands that the opponent may hold: all there are in turn, or any one of them."""
    number = n if count == hidden.ways else below(rng, hidden.ways)
    return view.their_shown | nth_hand(hidden, number)


def slack(params, hidden, n, count):
    """How far a total over n hands may lag and not be given up; what is not left to chance is looked at in full."""
    return np.inf if count == hidden.ways else params.doubt * np.sqrt(n)


def highest_total(cards, totals):
    """The card with the highest total, the first of several."""
    best = lowest(cards)
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        if totals[card] > totals[best]:
            best = card
    return best


def at_least(cards, totals, least):
    """The cards with a total of at least so much."""
    found = NONE
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        if totals[card] >= least:
            found |= bit(card)
    return found


def nth_hand(hidden, number):
    """One of the sets of cards that may be hidden, by its number."""
    cards, size, hand = hidden.cards, hidden.size, NONE
    while size > 0:
        card = cards & (NONE - cards)
        cards ^= card
        with_it = CHOOSE[ones(cards), size - 1]
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
    elif rank in (QUEEN, KING):
        partner = bit(card + 4 if rank == QUEEN else card - 4)
        factor = 2.0 if is_trump else 1.0
        if hand & partner:
            value += params.couple * factor
        elif partner & (unseen(view) | view.turned):
            value += params.half * factor
    return value


def lead_score(view, params, hand, card):
    """What leading a card is worth: the trick if it holds, by the cards that the opponent may have, less the card."""
    hidden, points = hidden_from(view), card_points(card)
    holds = 1.0 - chance(view, hidden, beating(card, view.trumps) & suit_of(card))
    if not view.trumps & bit(card):
        ruff = params.ruff if points < 10 else 1.0
        holds *= 1.0 - ruff * chance(view, hidden, view.trumps)
    return holds * (2.0 * points + params.lead) - points - keep(view, params, hand, card)


def chance(view, hidden, wanted):
    """The chance that the opponent holds one of these cards."""
    if view.their_shown & wanted:
        return 1.0
    return 1.0 - CHOOSE[ones(hidden.cards & ~wanted), hidden.size] / hidden.ways
