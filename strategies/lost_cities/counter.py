"""Counter: knows which cards are gone, and values every expedition by what it holds and by what can still come.

For each way to put a card out it adds up what its expeditions would be worth, and takes off what a discard is worth to
the opponent, who starts and collects too; a turn itself has a price, which rises when it holds more cards than it has
turns to lay them. It then draws, or takes a discard when that card, the opponent's want of it and the time won are
worth more than a card from the draw pile.

Origin: simkit. The weights were set by an evolution strategy (CMA-ES) on the win rate against earlier versions of
itself and the simpler strategies.
"""

from typing import NamedTuple

import numpy as np

from simkit.games.lost_cities import (
    DECK,
    INVESTMENTS,
    NUMBERS,
    card_of,
    cards_in,
    colour_of,
    discard,
    hand_in,
    has_pile,
    investments_in,
    known_in,
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

LONG = 300  # half-turns after which it only draws from the draw pile, so that a round comes to its end
END = 12  # cards in the draw pile from which on the lead counts
HIGHEST_PRICE = 44.0  # above what any card can add: 10, three investment cards
TOP_SLOT = 11


class Params(NamedTuple):
    # What can still come, in parts of the chance that I draw a card in time
    low: float = 0.5  # for numbers below the lowest that I hold of the colour
    high: float = 0.7  # for numbers above it
    free: float = 0.2  # more for a card that the opponent cannot lay, if they hold it
    invest: float = 0.3  # for investment cards
    # An expedition
    risk: float = 3.0  # points that an expedition must bring for an investment card to be worth laying
    start: float = 0.0  # points that it must bring to be started …
    crowd: float = 2.0  # … and more for each that runs already
    option: float = 8.0  # how much its result is uncertain before it is started, in points, with the whole pile to come
    bonus_from: float = -0.5  # expected cards beyond those that earn the bonus, at which it is half certain
    bonus_width: float = 1.0  # how fast it gets certain around there, in cards
    # The price of a turn
    price: float = 1.0  # in points, while there is time for everything
    coming: float = 0.5  # part of the cards still to come that are laid
    spare: float = 0.0  # turns that are left over for other things
    # What a discard is worth to the opponent
    give: float = 0.7  # each point that it adds to an expedition they have started
    give_any: float = 1.0  # any card that they can lay there
    give_wager: float = 10.0  # an investment card that they can lay there
    offer: float = 0.5  # each point of a card of a colour they have not started, times the chance that they start it
    offer_wager: float = 8.0  # an investment card of such a colour
    offer_share: float = 0.4  # part of the unseen cards of the colour that they are taken to get
    offer_width: float = 10.0  # how uncertain their start is, in points
    cover: float = 0.5  # part of what the pile's top card is worth to me that covering it costs
    # The next card
    draw: float = 2.0  # worth of a card from the draw pile, in points …
    draw_fit: float = 0.3  # … and in parts of what the unseen cards would add, on average
    deny: float = 0.3  # part of what a discard is worth to the opponent that taking it saves
    time: float = 0.5  # part of the price of a turn that a turn won is worth
    their_time: float = 1.0  # points that a turn won by the opponent costs for each expedition they can go on with
    ahead: float = 1.0  # points that the end of the round being nearer is worth, for a full lead


class Outlook(NamedTuple):
    """What is the same for all colours: chances that an unseen card comes, the price of a turn, …"""

    chance: float  # that I draw a given unseen card while there is a turn left to lay it
    theirs: float  # that a given unseen card is in the opponent's hand
    turns: int  # my turns until the end, this one included, if nobody takes another discard
    running: int  # expeditions that I have started
    price: float  # of a turn, in points
    option: float  # uncertainty of expeditions not started
    barred: int  # slots that restricted play forbids me to lay
    their_barred: int  # … and the opponent


class Field(NamedTuple):
    """One colour: masks of slots."""

    unseen: int
    free: int  # unseen cards that the opponent cannot lay
    theirs: int  # their expedition
    follow: int  # what they can lay
    known: int  # what is known in their hand


def act(view, rules, params, rng):
    look = look_out(view, rules, params)
    best, most = 0, -np.inf
    for colour in range(rules.colors):
        move, score = best_out(view, rules, params, look, colour, most)
        if score > most:
            best, most = move, score
    return best | choose_source(view, rules, params, look, best, most) << 8


def slots_barred(bits):
    """The slots of the ranks that these bits bar."""
    return (bits & 1) * INVESTMENTS | bits >> 1 << 3


def look_out(view, rules, params):
    time = min(view.pile, rules.max_turns - view.turn)
    turns, unseen = (time + 1) // 2, 0
    for colour in range(rules.colors):
        unseen += cards_in(unseen_in(view, colour))
    running, pending, coming = 0, 0, 0
    for colour in range(rules.colors):
        running += laid_in(view, colour) != 0
    barred, their_barred = slots_barred(rules.barred[view.seat]), slots_barred(rules.barred[1 - view.seat])
    chance = (turns - 1) / max(unseen, 1)
    theirs = max(unseen - view.pile, 0) / max(unseen, 1)
    look = Outlook(chance, theirs, turns, running, 0.0, params.option * chance, barred, their_barred)
    for colour in range(rules.colors):
        laid, able = laid_in(view, colour), playable_in(view, colour)
        if laid or promise(view, rules, params, look, colour) > 0.0:
            pending += cards_in(able)
            coming += cards_in(unseen_in(view, colour) & may_follow(laid))
    time_left = turns - params.spare - params.coming * chance * coming
    price = params.price * (turns > 1)
    if pending > time_left:
        price = max(price, shadow_price(view, rules, params, look, time_left))
    return Outlook(chance, theirs, turns, running, price, params.option * chance, barred, their_barred)


def promise(view, rules, params, look, colour):
    field = field_of(view, look, colour)
    return worth(rules, params, look, field, 0, playable_in(view, colour))


def shadow_price(view, rules, params, look, time_left):
    """The value of the best card for which there is no time: what one turn more would win."""
    low, high = 0.0, HIGHEST_PRICE
    for _ in range(7):
        middle = (low + high) / 2
        count = 0
        for colour in range(rules.colors):
            laid, able = laid_in(view, colour), playable_in(view, colour)
            if laid:
                factor = 1 + investments_in(laid | able)
                slot = min(np.int64(middle / factor) + 2, TOP_SLOT + 1)
                count += cards_in(able & -(1 << slot))
            elif able and promise(view, rules, params, look, colour) > middle * cards_in(able):
                count += cards_in(able)
        if count > time_left:
            low = middle
        else:
            high = middle
    return high


def field_of(view, look, colour):
    theirs = theirs_in(view, colour)
    follow, unseen = may_follow(theirs) & ~look.their_barred, unseen_in(view, colour)
    return Field(unseen, unseen & ~follow, theirs, follow, known_in(view, colour))


def step(x):
    """A soft step from 0 to 1."""
    return 0.5 + 0.5 * x / (1.0 + abs(x))


def worth(rules, params, look, field, laid, able):
    """What the expedition with these slots laid and these in hand, that may follow, is expected to bring."""
    if laid == 0 and able == 0:
        return 0.0
    follow = may_follow(laid) & ~look.barred
    coming, free = field.unseen & follow, field.free & follow
    invested = investments_in(laid | able)
    factor = 1.0 + invested + params.invest * look.chance * investments_in(coming)
    # Cards that are worth less than a turn are not laid.
    cut = -(1 << min(np.int64(look.price / factor) + 2, TOP_SLOT + 1)) & NUMBERS
    able_cut = able & cut
    lowest = able & NUMBERS
    below = (lowest & -lowest) - 1 if lowest else 0
    lows, highs = coming & cut & below, coming & cut & ~below
    part = look.chance * (params.low * sum_of(lows) + params.high * sum_of(highs))
    part += params.free * look.theirs * sum_of(free & cut)
    number = look.chance * (params.low * cards_in(lows) + params.high * cards_in(highs))
    total = sum_of(laid) + sum_of(able_cut) + part - rules.embark_cost
    score = total * factor - params.risk * investments_in(able)
    score -= look.price * (cards_in(able_cut) + investments_in(able) + number)
    if rules.bonus:
        count = cards_in(laid) + cards_in(able) + number
        most = cards_in(laid | able | coming)
        if cards_in(laid) >= rules.bonus_cards:
            score += rules.bonus
        elif most >= rules.bonus_cards:
            score += rules.bonus * step((count - rules.bonus_cards - params.bonus_from) / max(params.bonus_width, 0.01))
    if laid == 0:
        score -= params.start + params.crowd * look.running
        return 0.5 * (score + np.sqrt(score * score + look.option * look.option))
    return score


def value_to_them(rules, params, look, field, slot):
    """What a discard of this slot is worth to the opponent."""
    if field.follow >> slot & 1 == 0 or look.turns <= 1:
        return 0.0
    if field.theirs:
        if slot < 3:
            return params.give_wager
        return params.give_any + params.give * (slot - 1) * (1 + investments_in(field.theirs))
    promised = sum_of(field.known | (1 << slot)) + params.offer_share * sum_of(field.unseen) - rules.embark_cost
    chance = step(promised / max(params.offer_width, 0.01))
    return chance * (params.offer_wager if slot < 3 else params.offer * (slot - 1))


def best_out(view, rules, params, look, colour, most):
    """The best way to put a card of this colour out, as (move without a source, score)."""
    held, able, laid = hand_in(view, colour), playable_in(view, colour), laid_in(view, colour)
    field = field_of(view, look, colour)
    before = worth(rules, params, look, field, laid, able)
    best = 0
    top = top_of(view, colour)
    cover = 0.0
    if top >= 0:
        slot = slot_of(top)
        if may_follow(laid) & ~look.barred & (1 << slot):
            cover = params.cover * max(0.0, worth(rules, params, look, field, laid, able | 1 << slot) - before)
    left, invested = held, False
    while left:
        slot = lowest_slot(left)
        bit = 1 << slot
        left &= left - 1
        if slot < 3:
            if invested:
                continue
            invested = True
        if able & bit:
            now = laid | bit
            score = worth(rules, params, look, field, now, able & ~bit & may_follow(now)) - before
            if laid == 0:
                score -= params.start + params.crowd * look.running
            if score > most:
                best, most = lay(card_of(colour, slot), 0), score
        score = worth(rules, params, look, field, laid, able & ~bit) - before if able & bit else 0.0
        score -= value_to_them(rules, params, look, field, slot) + cover
        if score > most:
            best, most = discard(card_of(colour, slot), 0), score
    return best, most


def choose_source(view, rules, params, look, out, score):
    """The best source of the next card after this way to put one out."""
    card, is_discard = out & 127, out >> 7 & 1
    best, most = DECK, 0.0
    if view.sources == 1 << DECK or (view.turn >= LONG and not rules.redraw_own_discard):
        return best
    fit, unseen, going = 0.0, 0, 0
    for colour in range(rules.colors):
        hidden = unseen_in(view, colour)
        mine = laid_in(view, colour)
        unseen += cards_in(hidden)
        if mine:
            fit += sum_of(hidden & may_follow(mine)) * (1 + investments_in(mine))
        theirs = theirs_in(view, colour)
        going += theirs != 0 and theirs >> TOP_SLOT == 0
    most = params.draw * (look.turns > 1) + params.draw_fit * fit / max(unseen, 1) * (look.turns > 1)
    # A discard taken leaves the draw pile as it is: who gains a turn by that depends on its parity.
    even = view.pile & 1 == 0
    most -= params.time * look.price if even else -params.their_time * going
    if view.pile <= END:
        most += params.ahead * lead(view, rules)
    for colour in range(rules.colors):
        if not has_pile(view, colour) or (is_discard and colour_of(card) == colour):
            continue
        slot = slot_of(top_of(view, colour))
        field = field_of(view, look, colour)
        mine, able = laid_in(view, colour), playable_in(view, colour)
        if colour_of(card) == colour:
            mine |= 1 << slot_of(card)
            able &= ~mine & may_follow(mine)
        gain = params.deny * value_to_them(rules, params, look, field, slot)
        if may_follow(mine) & ~look.barred & (1 << slot):
            gain += worth(rules, params, look, field, mine, able | 1 << slot)
            gain -= worth(rules, params, look, field, mine, able)
        if gain > most:
            best, most = colour, gain
    return best


def lead(view, rules):
    """My lead on the table, from −1 to 1 for 20 points and more."""
    ahead = view.score - view.their_score
    for colour in range(rules.colors):
        ahead += score_of(rules, laid_in(view, colour)) - score_of(rules, theirs_in(view, colour))
    return min(max(ahead / 20.0, -1.0), 1.0)
