"""Planner: the play with the best expected difference of TP, plus what the cards it keeps will be worth.

The difference is taken over the plays that opponents make with as many cards in hand, as far as the support cards for
them are still unseen. Cards kept count by the rounds they need until the hand is empty, and by what they can still do.

Origin: simkit. First weights by regression on the TP won over twelve rounds, then an evolution strategy (CMA-ES) on the
win rate against earlier versions of itself and the simpler strategies, from whose games the forecast comes too.
"""

from typing import NamedTuple

import numpy as np

from simkit.games.colina import (
    ACE,
    BLOCK,
    COUNT,
    DOUBLE,
    HILL,
    JACK,
    KING,
    LOWEST,
    MIRROR,
    NO_EFFECT,
    NO_SLOT,
    QUEEN,
    dead_count,
    is_distinct,
    is_last_ace,
    jokers_may_join,
    play,
    siamese_groups,
    single_fronts,
    total,
)

# How opponents play with 0 to 6 cards in hand (rows): the chance of each effect in the order none, J, Q, K, A, and the
# mean total of the front line, before doubling, that comes with it.
CHANCE = np.array(
    [
        [0.00, 0.00, 0.00, 0.00, 0.00],
        [0.82, 0.00, 0.00, 0.00, 0.18],
        [0.59, 0.08, 0.10, 0.09, 0.14],
        [0.63, 0.16, 0.05, 0.07, 0.09],
        [0.47, 0.17, 0.11, 0.12, 0.13],
        [0.42, 0.20, 0.11, 0.15, 0.12],
        [0.43, 0.16, 0.16, 0.16, 0.09],
    ]
)
MEAN = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [5.6, 0.0, 0.0, 0.0, 5.3],
        [8.2, 8.3, 5.6, 4.7, 5.3],
        [8.8, 13.6, 9.2, 7.5, 7.3],
        [10.0, 12.2, 8.3, 4.5, 4.3],
        [10.7, 14.5, 8.0, 4.9, 4.9],
        [11.4, 12.5, 14.1, 3.9, 3.7],
    ]
)
EFFECTS = 5
COPIES = 8  # of each support card in the pack
PACK_SHARE = COPIES / 108
LOW_RANK = 4  # up to here a value card is a good front line for a king or an ace

_U = np.uint64
ONES, GUARD, BYTE = _U(0x0101010101010101), _U(0x8080808080808080), _U(255)
VALUE_BYTES = _U(0x003F003F003F003F)


class Params(NamedTuple):
    # What the cards kept are worth in TP, compared with the fresh hand that follows an empty one
    round: float = -11.64  # for each round they need until the hand is empty
    value: float = 0.50  # for each point of the value cards
    pair: float = -0.22  # for each suit with two value cards or more
    support_again: float = 6.08  # for each support card beside another
    jack: float = -1.04  # for each jack, and …
    jack_best: float = 0.49  # … for each point that it can add to the best siamese
    queen: float = -1.04  # for each queen
    king: float = 8.09  # for each king
    ace: float = 8.76  # for each ace
    flip_again: float = -3.76  # for each king or ace beside another
    flip_low: float = 2.34  # for having a low front line to go with a king or an ace
    joker: float = -0.56  # for each joker
    last_ace: float = 7.23  # for an ace as the only card: a mirror in the front line (COL-4.7)
    last_card: float = -1.31  # for any other only card
    finish: float = 0.57  # how much less all this counts when the opponent is at 0 TP …
    finish_from: float = 30.0  # … and in proportion from so many TP on
    # The forecast of the opponent's play
    caution: float = 1.58  # how much likelier than with the average opponent a support card is held to be
    unseen: float = 0.32  # how far that follows the unseen share of the card: 0 not at all, 1 in proportion


class Hand(NamedTuple):
    """Masks of slots. The support cards by kind are only those with an effect that may go to the back line."""

    values: int
    supports: int
    jacks: int
    queens: int
    kings: int
    aces: int
    lows: int


def act(view, rules, params, rng):
    hand, lines = sort_hand(view, rules), forecast(view, rules, params)
    best = (0, -np.inf)
    fronts = single_fronts(view, rules)
    while fronts:
        best = best_back(view, rules, params, hand, lines, fronts & -fronts, best)
        fronts &= fronts - 1
    jokers = jokers_may_join(view, rules)
    groups = siamese_groups(view, rules)
    while groups:
        group = np.int64(groups & BYTE)
        groups >>= _U(8)
        front = group
        while front:
            if front & (front - 1) and (rules.siamese_ranks == 0 or is_distinct(view, front)):
                best = best_back(view, rules, params, hand, lines, front, best)
                if jokers:
                    best = best_back(view, rules, params, hand, lines, front | jokers, best)
            front = (front - 1) & group
    return best[0]


def best_back(view, rules, params, hand, lines, front, best):
    """The better of `best` and the plays with a front line, as (move, score).

    A score is the expected difference plus the worth of the cards left.
    """
    points, left = total(view, front), view.held & ~front
    weight = 1.0
    if view.their_points < params.finish_from:
        weight -= params.finish * (1.0 - view.their_points / params.finish_from)
    slope, base = lines[MIRROR if is_last_ace(view) and rules.ace_on[view.seat] else NO_EFFECT]
    score = slope * points + base + weight * worth(view, rules, params, hand, left)
    if score > best[1]:
        best = (play(front, NO_SLOT), score)
    backs = view.backs & left
    while backs:
        back = backs & -backs
        slope, base = lines[effect_of(hand, back)]
        score = slope * points + base + weight * worth(view, rules, params, hand, left & ~back)
        if score > best[1]:
            best = (play(front, LOWEST[_U(back)]), score)
        backs &= backs - 1
    return best


def sort_hand(view, rules):
    jacks, queens, kings, aces, lows = 0, 0, 0, 0, view.jokers
    left = view.held & ~view.jokers
    while left:
        card = left & -left
        rank = view.hand[LOWEST[_U(left)]] & 15
        if rank <= LOW_RANK:
            lows |= card
        elif rank == JACK:
            jacks |= card
        elif rank == QUEEN:
            queens |= card
        elif rank == KING:
            kings |= card
        elif rank == ACE:
            aces |= card
        left &= left - 1
    supports = jacks | queens | kings | aces
    me, backs = view.seat, view.backs
    return Hand(
        view.held & ~view.jokers & ~supports,
        supports,
        jacks & backs if rules.jack_on[me] else 0,
        queens & backs if rules.queen_on[me] else 0,
        kings & backs if rules.king_on[me] else 0,
        aces & backs if rules.ace_on[me] else 0,
        lows,
    )


def effect_of(hand, back):
    """The effect of the card in a slot (a mask of one) when it goes to the back line."""
    if back & hand.jacks:
        return DOUBLE
    if back & hand.queens:
        return BLOCK
    if back & hand.kings:
        return HILL
    return MIRROR if back & hand.aces else NO_EFFECT


def worth(view, rules, params, hand, left):
    """TP that the cards left in hand will bring, compared with a fresh hand."""
    if left == 0:
        return 0.0
    values = view.groups & (_U(left) * ONES) & VALUE_BYTES
    suits = occupied(values)
    pairs = occupied(values & ((values | GUARD) - ONES) & VALUE_BYTES)
    supports, jokers = size(left & hand.supports), size(left & view.jokers)
    # A front line a suit, each with a card behind it; what is left over goes two a round. Jokers join a siamese.
    loose = supports + (0 if pairs else jokers) - suits
    rounds = suits + ((loose + 1) >> 1 if loose > 0 else 0)
    score = params.round * rounds + params.value * total(view, left & hand.values) + params.pair * pairs
    score += params.joker * jokers
    if left & (left - 1) == 0:
        score += params.last_ace if left & hand.aces else params.last_card
    if supports:
        score += params.support_again * (supports - 1) + worth_of_effects(view, rules, params, hand, left, values)
    return score


def worth_of_effects(view, rules, params, hand, left, values):
    score = params.queen * size(left & hand.queens)
    kings, aces = size(left & hand.kings), size(left & hand.aces)
    if kings + aces:
        score += params.king * kings + params.ace * aces + params.flip_again * (kings + aces - 1)
        if left & hand.lows:
            score += params.flip_low
    if left & hand.jacks:
        best = 0
        for suit in range(4):
            best = max(best, total(view, np.int64((values >> _U(16 * suit)) & BYTE)))
        added = (rules.jack_factor / 100 - 1.0) * best
        score += params.jack * size(left & hand.jacks) + params.jack_best * added
    return score


def size(slots):
    return COUNT[_U(slots)]


def occupied(groups):
    """How many bytes of a word of groups hold a card."""
    return np.int64(((((groups + (GUARD - ONES)) & GUARD) >> _U(7)) * ONES) >> _U(56))


def forecast(view, rules, params):
    """For each effect I may use, none included: the expected difference as a line over my front total (slope, base)."""
    jack = chance(view, rules, params, rules.jack_on, JACK)
    queen = chance(view, rules, params, rules.queen_on, QUEEN)
    king = chance(view, rules, params, rules.king_on, KING)
    ace = chance(view, rules, params, rules.ace_on, ACE)
    chances = (1.0 - jack - queen - king - ace, jack, queen, king, ace)
    return (
        line(view, rules, chances, NO_EFFECT),
        line(view, rules, chances, DOUBLE),
        line(view, rules, chances, BLOCK),
        line(view, rules, chances, HILL),
        line(view, rules, chances, MIRROR),
    )


def chance(view, rules, params, switches, rank):
    """The chance that the opponent's play has the effect of a support card."""
    them, kind = 1 - view.seat, rank - JACK
    if not switches[them] or rules.barred[them] >> kind & 1:
        return 0.0
    unseen, left = COPIES, view.held & ~view.jokers
    while left:
        unseen -= view.hand[LOWEST[_U(left)]] & 15 == rank
        left &= left - 1
    for suit in range(4):
        unseen -= dead_count(view, suit, rank)
    share = unseen / (view.pile + view.their_cards)
    likelihood = params.caution * (1.0 + params.unseen * (share / PACK_SHARE - 1.0))
    return likelihood * CHANCE[view.their_cards, 1 + kind]


def line(view, rules, chances, mine):
    slope, base = 0.0, 0.0
    for theirs in range(EFFECTS):
        their_front = MEAN[view.their_cards, theirs]
        slope += chances[theirs] * difference(rules, 1.0, mine, 0.0, theirs)
        base += chances[theirs] * difference(rules, 0.0, mine, their_front, theirs)
    return slope, base


def difference(rules, front, mine, their_front, theirs):
    """TP that a round wins me, from totals before doubling and effects before blocking (COL-4), without rounding.

    Linear in both totals, so that the mean of the opponent's total is all that an expectation needs.
    """
    if theirs == BLOCK and mine != BLOCK:
        mine = NO_EFFECT
    elif mine == BLOCK and theirs != BLOCK:
        theirs = NO_EFFECT
    if mine == MIRROR and theirs == MIRROR and rules.double_mirror:
        return 0.0
    factor = rules.jack_factor / 100
    d = (factor if mine == DOUBLE else 1.0) * front - (factor if theirs == DOUBLE else 1.0) * their_front
    flips = (mine == HILL) ^ (theirs == HILL) ^ (mine == MIRROR) ^ (theirs == MIRROR)
    return -d if flips else d
