"""Committer: starts an expedition as soon as the cards in hand promise enough of its cost, then lays card after card.

It lays all investment cards that it holds when it starts, takes any discard that fits an expedition it has started, and
throws away what it has not started, with a look at what the opponent could lay at once.

Origin: simkit; the usual advice to beginners, with the threshold set by play against itself and the other strategies.
"""

from typing import NamedTuple

from simkit.games.lost_cities import (
    DECK,
    FIRST_NUMBER,
    NUMBERS,
    card_of,
    cards_in,
    colour_of,
    discard,
    hand_in,
    has_pile,
    investments_in,
    laid_in,
    lay,
    lowest_slot,
    may_follow,
    playable_in,
    score_of,
    slot_of,
    sum_of,
    theirs_in,
    top_of,
    unseen_in,
)

LONG = 200  # half-turns after which it only draws from the draw pile, so that a round comes to its end
NONE = -1
WAGER = 5  # points that an investment card counts as


class Params(NamedTuple):
    start: float = 0.9  # it starts an expedition when the promise of its cards is this part of what starting costs
    wager: float = 3.0  # promise of each investment card in hand; each number promises itself
    early: int = 14  # with fewer cards in the draw pile, it starts only what pays with the cards in hand
    skip: int = 2  # it lays a card that passes over at most so many unseen ones, and waits otherwise
    keep: float = 10.0  # what a card of a started expedition is worth in hand, beside its number
    unstarted: float = 0.5  # what each point is worth that the cards of a colour not started promise
    give: float = 8.0  # what a discard costs that the opponent can lay at once, beside its number


def act(view, rules, params, rng):
    card = choose_lay(view, rules, params)
    if card != NONE:
        return lay(card, choose_source(view, rules, colour_of(card), 1 << slot_of(card)))
    card = choose_discard(view, rules, params)
    return discard(card, choose_source(view, rules, colour_of(card), 0))


def turns_left(view, rules):
    """My turns until the end, this one included, if nobody takes another discard."""
    return (min(view.pile, rules.max_turns - view.turn) + 1) // 2


def choose_lay(view, rules, params):
    """The card that passes over the fewest unseen ones, NONE to wait."""
    best, least, waiting = NONE, 99, 0
    for colour in range(rules.colors):
        able, laid = playable_in(view, colour), laid_in(view, colour)
        if able == 0 or (laid == 0 and not is_promising(view, rules, params, able)):
            continue
        waiting += cards_in(able)
        slot = lowest_slot(able)
        below = NUMBERS & ((1 << slot) - 1) if slot >= FIRST_NUMBER else 0
        skipped = 4 * cards_in(unseen_in(view, colour) & may_follow(laid) & below) + (laid == 0)
        if skipped < least:
            best, least = card_of(colour, slot), skipped
    patient = least > 4 * params.skip + 1 and waiting < turns_left(view, rules)
    return NONE if patient else best


def is_promising(view, rules, params, able):
    """Whether these cards of a colour in hand are reason enough to start it."""
    if cards_in(able) > turns_left(view, rules) or able & NUMBERS == 0:
        return False
    promise = sum_of(able) + params.wager * investments_in(able)
    if view.pile < params.early:
        return score_of(rules, able) > 0
    return promise >= params.start * rules.embark_cost


def choose_discard(view, rules, params):
    """The card that is worth least to me and does the opponent the least good."""
    best, least = NONE, 0.0
    for colour in range(rules.colors):
        held, able = hand_in(view, colour), playable_in(view, colour)
        laid, theirs = laid_in(view, colour), theirs_in(view, colour)
        promise = params.unstarted * (sum_of(able) + params.wager * investments_in(able))
        wanted = may_follow(theirs) if theirs else 0
        while held:
            slot = lowest_slot(held)
            held &= held - 1
            points, cost = points_of(slot), 0.0
            if able >> slot & 1:
                cost += params.keep + points if laid else promise
            if wanted >> slot & 1:
                cost += params.give + points
            if best == NONE or cost < least:
                best, least = card_of(colour, slot), cost
    return best


def points_of(slot):
    """The number of a card, and what an investment card counts as."""
    return slot - 1 if slot >= FIRST_NUMBER else WAGER


def choose_source(view, rules, out, laid_now):
    """A discard that fits an expedition I have started, the highest gain first; else the draw pile.

    The card put out has the colour `out`; `laid_now` is the mask of its slot if it was laid, 0 if discarded.
    """
    best, most = DECK, 0
    if view.turn >= LONG:
        return best
    for colour in range(rules.colors):
        if not has_pile(view, colour) or (colour == out and laid_now == 0):
            continue
        mine, top = laid_in(view, colour) | (laid_now if colour == out else 0), slot_of(top_of(view, colour))
        if mine and may_follow(mine) >> top & 1 and not is_barred(view, rules, top):
            worth = points_of(top) * (1 + investments_in(mine))
            if worth > most:
                best, most = colour, worth
    return best


def is_barred(view, rules, slot):
    """Whether restricted play forbids me to lay the rank of this slot."""
    return rules.barred[view.seat] >> max(slot - 2, 0) & 1 != 0
