"""Counter: knows which cards are gone, and values every expedition by what it holds and by what can still come.

For each way to put a card out it adds up what its expeditions are expected to bring, and takes off what a discard is
worth to the opponent, whose expeditions and chances it watches. A turn itself has a price: with more cards to lay than
turns, it is the value of the least card that can still be laid. The next card comes from the draw pile, or from a
discard pile when that card adds enough, or when the turns won by leaving the draw pile alone are worth more to it.

Origin: simkit. The terms were found by comparing its choices with the results of games played on from there, the
weights by an evolution strategy (CMA-ES) on the win rate against earlier versions of itself and the simpler strategies.
"""

from typing import NamedTuple

import numpy as np

from simkit.games.lost_cities import (
    DECK,
    DISCARD,
    FIRST_NUMBER,
    INVESTMENTS,
    NO_CARD,
    NUMBERS,
    card_of,
    card_out,
    cards_in,
    colour_of,
    count_hand,
    discard,
    goes_to,
    hand_in,
    investments_in,
    known_in,
    laid_in,
    lay,
    lowest_slot,
    may_follow,
    playable_in,
    slot_of,
    sum_of,
    theirs_in,
    top_of,
    unseen_in,
)

LONG = 300  # half-turns after which it only draws from the draw pile, so that a round comes to its end
NONE = -1
HIGHEST_PRICE = 44.0  # more than any card can add: a 10 beside three investment cards
BONUS_WIDTH = 0.1  # how fast the bonus gets certain, in expected cards


class Params(NamedTuple):
    # What can still come, in parts of the chance that I draw a card while there is a turn left to lay it
    low: float = 0.74  # for numbers below the lowest that I hold of the colour
    high: float = 0.85  # for numbers above it
    rival: float = 0.23  # part of it that is lost in a colour of which the opponent can still lay some
    invest: float = 0.45  # for investment cards
    # An expedition
    start: float = 1.14  # points that it must bring to be started …
    crowd: float = 0.8  # … and more for each that runs already
    option: float = 3.7  # how uncertain its result is before it is started, in points, with all cards still to come
    bonus_from: float = -0.54  # expected cards beyond those that earn the bonus, at which it is half certain
    # The price of a turn
    price: float = 1.2  # in points, while there is time for everything
    unready: float = 12.7  # points short of the cost up to which cards not started count among those to be laid
    squeeze: float = 3.6  # points that laying a card is worth when there is nothing else in hand to throw away
    # What a discard is worth to the opponent
    give: float = 0.67  # each point that it adds to an expedition they have started
    give_any: float = 1.07  # any number that they can lay there
    give_wager: float = 4.4  # an investment card that they can lay there
    offer: float = 0.54  # each point of a card of a colour they have not started, times the chance that they start it
    offer_wager: float = 1.97  # an investment card of such a colour, likewise
    offer_share: float = 0.074  # part of the unseen cards of the colour that they are taken to get
    offer_width: float = 13.2  # how uncertain their start is, in points
    # The next card
    draw: float = 1.94  # worth of a card from the draw pile, in points …
    draw_fit: float = 0.51  # … and in parts of what the unseen cards would add to my expeditions, on average
    time: float = 0.52  # part of the price of a turn that leaving the draw pile alone is worth
    their_time: float = 1.55  # the opponent's price of a turn, in parts of what a turn would add to their expeditions


class Outlook(NamedTuple):
    """What is the same for all colours."""

    low: float  # chance that an unseen number comes below my lowest
    high: float  # … and above
    invest: float  # … and that an investment card comes
    rival: float  # part of it that is lost where the opponent collects too
    start: float  # points that an expedition must bring to be started
    option: float  # uncertainty of those not started, in points
    bonus_at: float  # expected cards at which the bonus is half certain
    barred: int  # slots that restricted play forbids me to lay
    turns: int  # mine until the end, this one included, if nobody takes another discard
    price: float  # of a turn
    squeeze: float  # worth of laying a card rather than throwing one away
    draw: float  # worth of drawing
    longer: float  # worth of the end not coming nearer, when the turn is used to lay a card


def act(view, rules, params, rng):
    look = look_out(view, rules, params)
    best, most = NONE, -np.inf
    for colour in range(rules.colors):
        move, score = best_out(view, rules, params, look, colour)
        if score > most or best == NONE:
            best, most = move, score
    source, gain = choose_source(view, rules, look, best)
    if rules.redraw_own_discard and most + gain < 0.0:
        return discard(card_out(best), colour_of(card_out(best)))  # everything would harm: passes
    return best | source << 8


# --- what is the same for all colours --------------------------------------------------------------------------------


def look_out(view, rules, params):
    time = min(view.pile, rules.max_turns - view.turn)
    turns, unseen, running, waiting, fit = (time + 1) // 2, 0, 0, 0, 0
    for colour in range(rules.colors):
        hidden, laid, able = unseen_in(view, colour), laid_in(view, colour), playable_in(view, colour)
        unseen += cards_in(hidden)
        running += laid != 0
        if laid:
            fit += sum_of(hidden & may_follow(laid)) * (1 + investments_in(laid))
        if laid or promise(rules, able) > -params.unready:
            waiting += cards_in(able)
    unseen = max(unseen, 1)
    chance, their_share = (turns - 1) / unseen, max(unseen - view.pile, 0) / unseen
    price, draw = 0.0, 0.0
    if turns > 1:
        price, draw = params.price, params.draw + params.draw_fit * fit / unseen
    if waiting >= turns:
        price = max(price, shadow_price(view, rules, turns))
    # Each card drawn brings the end nearer, which is dear to who has more to lay.
    draw += params.time * params.their_time * price_to_them(view, rules, their_share, time // 2 + 1)
    return Outlook(
        params.low * chance,
        params.high * chance,
        params.invest * chance,
        params.rival,
        params.start + params.crowd * running,
        params.option * chance,
        rules.bonus_cards + params.bonus_from,
        slots_barred(rules.barred[view.seat]),
        turns,
        price,
        params.squeeze / (1 + max(count_hand(view) - waiting, 0)),
        draw,
        params.time * price,
    )


def slots_barred(bits):
    """The slots of the ranks that these bits bar."""
    return (bits & 1) * INVESTMENTS | bits >> 1 << FIRST_NUMBER


def promise(rules, able):
    """What these cards in hand alone would bring on an expedition that is not started."""
    return (sum_of(able) - rules.embark_cost) * (1.0 + investments_in(able)) if able else -np.inf


def shadow_price(view, rules, turns):
    """What a turn less would lose: the least value that can still be laid when the best cards get the turns left."""
    low, high = 0.0, HIGHEST_PRICE
    for _ in range(7):
        middle, count = (low + high) / 2, 0
        for colour in range(rules.colors):
            laid, able = laid_in(view, colour), playable_in(view, colour)
            if laid:
                count += cards_in(able & above(middle, 1 + investments_in(laid | able)))
            elif promise(rules, able) > middle * cards_in(able):
                count += cards_in(able)
        if count >= turns:
            low = middle
        else:
            high = middle
    return low


def above(price, factor):
    """The slots of numbers that add more than a price."""
    return NUMBERS & -(1 << np.int64(min(max(price / factor, 0.0), 10.0)) + 2)


def price_to_them(view, rules, their_share, turns):
    """What the cards that the opponent may hold would add, over their number or the turns left."""
    total, number = 0.0, 0.0
    for colour in range(rules.colors):
        theirs = theirs_in(view, colour)
        if theirs:
            follow = may_follow(theirs) & NUMBERS
            hidden, known = unseen_in(view, colour) & follow, known_in(view, colour) & follow
            number += their_share * cards_in(hidden) + cards_in(known)
            total += (their_share * sum_of(hidden) + sum_of(known)) * (1 + investments_in(theirs))
    return total / max(number, 1.0 * turns)


# --- what cards are worth --------------------------------------------------------------------------------------------


def worth(view, rules, look, turns, colour, laid, able):
    """What the expedition with these slots laid and these in hand, that may follow, is expected to bring."""
    if laid == 0 and able == 0:
        return 0.0
    unseen, theirs = unseen_in(view, colour), theirs_in(view, colour)
    coming = unseen & may_follow(laid) & ~look.barred
    share = 1.0 - look.rival if theirs and may_follow(theirs) & unseen else 1.0
    invested = investments_in(able)
    factor = max(1.0 + investments_in(laid) + invested + look.invest * investments_in(coming), 1.0)
    wanted = above(look.price, factor)
    held = able & wanted
    while held and cards_in(held) + invested > turns:
        held &= held - 1
    lowest = able & NUMBERS & -(able & NUMBERS)
    lows, highs = coming & wanted & max(lowest - 1, 0), coming & wanted & -max(lowest, 1)
    low, high = look.low * share, look.high * share
    total = sum_of(laid) + sum_of(held) + low * sum_of(lows) + high * sum_of(highs) - rules.embark_cost
    number = low * cards_in(lows) + high * cards_in(highs)
    if total < look.price:
        factor, invested = factor - invested, 0
    score = total * factor - look.price * (cards_in(held) + invested + number)
    if cards_in(laid) >= rules.bonus_cards:
        score += rules.bonus
    elif cards_in(laid | able | coming) >= rules.bonus_cards:
        score += rules.bonus * step((cards_in(laid) + cards_in(able) + number - look.bonus_at) / BONUS_WIDTH)
    if laid:
        return score
    score -= look.start
    return 0.5 * (score + np.sqrt(score * score + (look.option * factor) ** 2))


def step(x):
    """A soft step from 0 to 1."""
    return 0.5 + 0.5 * x / (1.0 + abs(x))


def gifts(view, rules, params, look, colour):
    """What discards of a colour are worth to the opponent: (slots they can lay, a number, a point, an investment)."""
    theirs = theirs_in(view, colour)
    follow = may_follow(theirs) & ~slots_barred(rules.barred[1 - view.seat])
    if look.turns <= 1:
        return 0, 0.0, 0.0, 0.0
    if theirs:
        return follow, params.give_any, params.give * (1 + investments_in(theirs)), params.give_wager
    coming = sum_of(known_in(view, colour)) + params.offer_share * sum_of(unseen_in(view, colour))
    chance = step((coming - rules.embark_cost) / max(params.offer_width, 0.01))
    return follow, 0.0, params.offer * chance, params.offer_wager * chance


# --- the card out and the card in ------------------------------------------------------------------------------------


def best_out(view, rules, params, look, colour):
    """The best way to put a card of this colour out, as (move without a source, score)."""
    left, able, laid = hand_in(view, colour), playable_in(view, colour), laid_in(view, colour)
    if left == 0:
        return NONE, -np.inf
    best, most = discard(card_of(colour, lowest_slot(left)), 0), -np.inf
    turns, before = look.turns - 1, worth(view, rules, look, look.turns, colour, laid, able)
    follow, any_number, point, wager = gifts(view, rules, params, look, colour)
    while left:
        slot = lowest_slot(left)
        bit, is_wager = 1 << slot, slot < FIRST_NUMBER
        left &= NUMBERS if is_wager else left - 1  # investment cards are alike
        # To pass over a number in hand may only be right when time is short.
        if able & bit and (look.price > params.price or able & NUMBERS & (bit - 1) == 0):
            now = laid | bit
            score = look.squeeze + worth(view, rules, look, turns, colour, now, able & ~bit & may_follow(now)) - before
            score -= 0.0 if laid else look.start
            if score > most:
                best, most = lay(card_of(colour, slot), 0), score
        score = worth(view, rules, look, turns, colour, laid, able & ~bit) - before if able & bit else 0.0
        if follow & bit:
            score -= wager if is_wager else any_number + point * (slot - 1)
        if score > most:
            best, most = discard(card_of(colour, slot), 0), score
    return best, most


def choose_source(view, rules, look, out):
    """The best source of the next card after this way to put one out, and its worth."""
    best, most, card = DECK, look.draw - look.longer * (goes_to(out) != DISCARD), card_out(out)
    if view.turn >= LONG and not rules.redraw_own_discard:
        return best, most
    for colour in range(rules.colors):
        laid, able, is_own = laid_in(view, colour), playable_in(view, colour), colour == colour_of(card)
        if top_of(view, colour) == NO_CARD or (is_own and goes_to(out) == DISCARD):
            continue
        if is_own:
            laid |= 1 << slot_of(card)
            able &= ~laid & may_follow(laid)
        top, gain = 1 << slot_of(top_of(view, colour)), 0.0
        if may_follow(laid) & ~look.barred & top:
            gain += worth(view, rules, look, look.turns, colour, laid, able | top)
            gain -= worth(view, rules, look, look.turns, colour, laid, able)
        if gain > most:
            best, most = colour, gain
    return best, most
