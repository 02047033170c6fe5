"""Cautious: few expeditions, and only those that the cards in hand pay for; investment cards late or not at all.

It gathers first, lays an investment card only when its numbers of that colour would win points all by themselves, and
discards nothing that the opponent could lay as long as it holds anything else.

Origin: simkit; play that minds losses first, with the margins set by play against itself and the other strategies.
"""

from typing import NamedTuple

from simkit.games.lost_cities import (
    DECK,
    FIRST_NUMBER,
    INVESTMENTS,
    NUMBERS,
    card_of,
    cards_in,
    colour_of,
    discard,
    hand_in,
    has_pile,
    laid_in,
    lay,
    lowest_slot,
    may_follow,
    number_of,
    playable_in,
    slot_of,
    sum_of,
    theirs_in,
    top_of,
    unseen_in,
)

LONG = 200  # half-turns after which it only draws from the draw pile, so that a round comes to its end
NONE = -1


class Params(NamedTuple):
    margin: float = 0.0  # points beyond its cost that the cards in hand must bring for an expedition to start
    more: float = 3.0  # points more for each expedition that runs already
    sure: float = 3.0  # points beyond the cost that they must bring for an investment card to be laid
    wait: int = 16  # with more cards in the draw pile, it gathers on when it holds an investment card it cannot lay yet
    skip: int = 2  # it lays a card that passes over at most so many unseen ones, and waits otherwise
    gather: float = 0.8  # what each point in hand of a colour not started is worth to keep
    give: float = 30.0  # what a discard costs that the opponent can lay
    offer: float = 0.1  # what each point of a discard costs that the opponent may come to collect


def act(view, rules, params, rng):
    card = choose_lay(view, rules, params)
    if card != NONE:
        return lay(card, choose_source(view, rules, colour_of(card), 1 << slot_of(card)))
    card = choose_discard(view, rules, params)
    return discard(card, choose_source(view, rules, colour_of(card), 0))


def turns_left(view, rules):
    """My turns until the end, this one included, if nobody takes another discard."""
    return (min(view.pile, rules.max_turns - view.turn) + 1) // 2


def running(view, rules):
    """How many expeditions I have started."""
    found = 0
    for colour in range(rules.colors):
        found += laid_in(view, colour) != 0
    return found


def choose_lay(view, rules, params):
    """The card that passes over the fewest unseen ones; NONE when gathering or waiting is better."""
    best, least, waiting = NONE, 99, 0
    bar = rules.embark_cost + params.margin + params.more * running(view, rules)
    for colour in range(rules.colors):
        able, laid = playable_in(view, colour), laid_in(view, colour)
        if able & NUMBERS == 0 or (laid == 0 and not may_start(view, rules, params, able, bar)):
            continue
        waiting += cards_in(able)
        # An investment card only on what pays without it.
        pays = sum_of(able) >= rules.embark_cost + params.sure
        slot = lowest_slot(able if pays else able & NUMBERS)
        below = NUMBERS & ((1 << slot) - 1) if slot >= FIRST_NUMBER else 0
        if able & INVESTMENTS and not pays and view.pile > params.wait:
            continue
        skipped = cards_in(unseen_in(view, colour) & may_follow(laid) & below)
        if skipped < least:
            best, least = card_of(colour, slot), skipped
    return NONE if least > params.skip and waiting < turns_left(view, rules) else best


def may_start(view, rules, params, able, bar):
    """Whether my cards of a colour reach the bar, and there is time to lay them."""
    return sum_of(able) >= bar and cards_in(able) <= turns_left(view, rules)


def choose_discard(view, rules, params):
    """The card that does the opponent the least good and that I want least."""
    best, least = NONE, 0.0
    for colour in range(rules.colors):
        held, able = hand_in(view, colour), playable_in(view, colour)
        laid, theirs = laid_in(view, colour), theirs_in(view, colour)
        while held:
            slot = lowest_slot(held)
            held &= held - 1
            card = card_of(colour, slot)
            cost = 0.0
            if able >> slot & 1:
                cost += params.gather * (sum_of(able) if laid == 0 else rules.embark_cost + number_of(card))
            if may_follow(theirs) >> slot & 1:
                cost += params.give if theirs else params.offer * number_of(card)
            if best == NONE or cost < least:
                best, least = card, cost
    return best


def choose_source(view, rules, out, laid_now):
    """A discard that fits an expedition I have started, the highest first; else the draw pile.

    The card put out has the colour `out`; `laid_now` is the mask of its slot if it was laid, 0 if discarded.
    """
    best, most = DECK, -1
    if view.turn >= LONG:
        return best
    for colour in range(rules.colors):
        if not has_pile(view, colour) or (colour == out and laid_now == 0):
            continue
        mine, top = laid_in(view, colour) | (laid_now if colour == out else 0), top_of(view, colour)
        if mine and may_follow(mine) >> slot_of(top) & 1 and number_of(top) > most and not is_barred(view, rules, top):
            best, most = colour, number_of(top)
    return best


def is_barred(view, rules, card):
    """Whether restricted play forbids me to lay cards of this rank."""
    return rules.barred[view.seat] >> max(number_of(card) - 1, 0) & 1 != 0
