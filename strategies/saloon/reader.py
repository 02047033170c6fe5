"""Reader: asks how likely a payment is honest, and how likely a bluff is believed, from all that is open to see.

As a judge it counts the cards of the client's suit that it has not seen, reckons the chance that the payer holds enough
of them after its turns of swapping, and weighs it against how often that payer has bluffed when it could have waited.
The payment that would close the first saloon it doubts always: believed, it ends the game. As a payer it bluffs to
judges who have believed and pays honestly to those who doubt; it collects one suit and bluffs for clients of others.

Origin: simkit; the numbers were set by play against the other strategies and earlier readers, with two to four players.
"""

from typing import NamedTuple

from simkit.bits import ones
from simkit.games.saloon import (
    BELIEVE,
    BELIEVED_BLUFF,
    DOUBT,
    DOUBTED_BLUFF,
    DRAW,
    JUDGE,
    SUIT_NUMBERS,
    TURN,
    beliefs_by,
    bluffs_by,
    client_suit,
    clients_at,
    clients_of,
    count_of_suit,
    count_places,
    discarded_of_suit,
    doubts_by,
    first_client,
    first_places,
    hand_size,
    held_of_suit,
    lowest_place,
    my_clients,
    pay,
    payments_by,
    places_of_suit,
    swap,
    unseen_of_suit,
)
from simkit.rng import uniform

SUITS, NONE = 4, -1
IMPOSSIBLE = 100.0  # cards that keep it from a bluff that nobody can believe


class Params(NamedTuple):
    doubt: float = 0.69  # it doubts a payment that is a bluff with more than this chance
    crowd: float = 0.07  # how much more it takes for each player beyond two: the others gain by its doubts as well
    alarm: float = 0.89  # how much less it takes when the payer has one client left, half of it with two, and so on
    spare: float = 0.04  # how much less it takes for each card it holds beyond the hand limit, and more for each below
    bluffer: float = 0.2  # how often it takes a player for bluffing that has shown nothing yet
    patience: float = 3.9  # turns of a player that weigh as much as this first guess
    stretch: float = 0.72  # cards that a payer has looked through in each turn that it did not pay in
    trust: float = 0.14  # how often it takes a judge for believing that has shown nothing yet
    slow: float = 0.74  # verdicts that weigh as much as this first guess
    fair: float = 0.9  # part of a verdict that one on an honest payment counts as
    shame: float = 0.12  # part of that trust that it loses when it has bluffed whenever it could
    dare: float = 0.6  # it bluffs to a judge who believes with more than this chance
    greed: float = 0.7  # likewise, when it could pay honestly
    last: float = 2.4  # the power that a judge's trust is raised to when the last client is paid for
    give_way: float = 0.03  # chance to let a card of its last suit go in a turn when no more of them can be drawn
    more: float = 0.4  # cards in hand that another client of the same suit is worth


def act(view, rules, params, rng):
    if view.asked == JUDGE:
        return judge(view, rules, params)
    if view.asked == TURN:
        return take_turn(view, rules, params, rng)
    return least_wanted(view, worths(view, params), int(view.count))


# --- the judge --------------------------------------------------------------------------------------------------------


def judge(view, rules, params):
    """DOUBT if a bluff is likely enough. A payment that would end the game costs nothing more to doubt in vain."""
    left = ones(clients_at(view, view.payer))
    chance = bluff_chance(view, rules, params)
    if (left <= 1 and view.closed == 0) or chance == 1:
        return DOUBT
    needed = params.doubt + params.crowd * (rules.players - view.closed - 2) - params.alarm / max(left, 1)
    needed -= params.spare * (hand_size(view) - int(rules.hand_limit))
    return DOUBT if chance > needed else BELIEVE


def bluff_chance(view, rules, params):
    """How likely the payment that I judge is a bluff, by Bayes."""
    payer, count, suit = int(view.payer), int(view.count), client_suit(view)
    unknown = int(view.sizes[payer]) + count  # cards that the payer had in hand
    free, pool, sure = unseen_of_suit(view, rules, suit), 0, 0
    for other in range(SUITS):
        pool += unseen_of_suit(view, rules, other)
    if rules.players - view.closed == 2:  # what is surely not in the draw pile is the payer's
        sure = held_of_suit(view, rules, suit)
        free -= sure
        for other in range(SUITS):
            unknown -= held_of_suit(view, rules, other)
            pool -= held_of_suit(view, rules, other)
    if sure + min(unknown, free) < count:
        return 1.0
    looked = unknown + params.stretch * waits_of(view, rules, payer) / (payments_by(view, payer) + 1)
    able = at_least(count - sure, looked, free / max(pool, 1))
    bluff = (1 - able) * habit_of(view, rules, params, payer)
    return bluff / (able + bluff) if able + bluff > 0 else 1.0


def waits_of(view, rules, seat):
    """How many turns before this one a seat has not paid in, if no saloon has closed."""
    started = (int(view.turns) - 1 + int(rules.players) - 1 - seat) // int(rules.players)
    return max(started - payments_by(view, seat), 0)


def habit_of(view, rules, params, seat):
    """How often a seat bluffs when it cannot pay honestly, judged by the turns in which it has waited."""
    bluffs = bluffs_by(view, seat)
    return share(bluffs, bluffs + waits_of(view, rules, seat), params.bluffer, params.patience)


def share(hits, cases, guess, weight):
    """A relative frequency that begins with a guess of some weight."""
    total = cases + weight
    return (hits + guess * weight) / total if total > 0 else guess


def at_least(count, cards, chance):
    """The chance that so many cards or more are of a suit, each of which is with this chance (binomial)."""
    if chance >= 1:
        return 1.0
    term, below = (1 - chance) ** cards, 0.0
    for found in range(count):
        below += term
        term *= max(cards - found, 0.0) / (found + 1) * chance / (1 - chance)
    return min(max(1 - below, 0.0), 1.0)


# --- the payer --------------------------------------------------------------------------------------------------------


def take_turn(view, rules, params, rng):
    """A payment, honest or not, or one more look for cards of the suit that it collects."""
    count, last = int(view.count), ones(my_clients(view)) == 1
    values = worths(view, params)
    honest = wanted_suit(view, values, count)
    if hand_size(view) >= count:
        credulous = pick_judge(view, rules, params, 1)
        hope = trust_in(view, rules, params, credulous) ** (params.last if last else 1.0)
        if hope > (params.greed if honest != NONE else params.dare):
            return bluff(view, rules, params, values, credulous)
    if honest != NONE:
        client = first_client(my_clients(view) & clients_of(honest))
        return pay(first_places(places_of_suit(view, honest), count), client, pick_judge(view, rules, params, -1))
    wanted = wanted_suit(view, values, 0)
    if last and uniform(rng) < params.give_way and is_stuck(view, rules, wanted):
        return swap(lowest_place(places_of_suit(view, wanted)))
    if count_of_suit(view, wanted) == hand_size(view):
        return DRAW
    return swap(lowest_place(least_wanted(view, values, 1)))


def is_stuck(view, rules, suit):
    """Whether I hold cards of a suit and all others of it are surely in hands: each may wait for the other for ever."""
    return count_of_suit(view, suit) > 0 and unseen_of_suit(view, rules, suit) == held_of_suit(view, rules, suit)


def bluff(view, rules, params, values, credulous):
    """Pays with the cards that it can best do without, for the client that it can least pay honestly."""
    count, chosen, least = int(view.count), NONE, 0.0
    for suit in range(SUITS):
        if ones(my_clients(view) & clients_of(suit)) == 0:
            continue
        open_to_doubt = discarded_of_suit(view, suit) + count > SUIT_NUMBERS * rules.packs
        value = values[suit] + (IMPOSSIBLE if open_to_doubt else 0.0)
        if chosen == NONE or value < least:
            chosen, least = suit, value
    client = first_client(my_clients(view) & clients_of(chosen))
    return pay(least_wanted(view, values, count), client, credulous)


def trust_in(view, rules, params, seat):
    """How likely a seat is to believe me."""
    believed, doubted = int(view.judged[seat, BELIEVED_BLUFF]), int(view.judged[seat, DOUBTED_BLUFF])
    beliefs = believed + params.fair * (beliefs_by(view, seat) - believed)
    doubts = doubted + params.fair * (doubts_by(view, seat) - doubted)
    found = share(beliefs, beliefs + doubts, params.trust, params.slow)
    return found * (1 - params.shame * habit_of(view, rules, params, int(view.seat)))


def pick_judge(view, rules, params, sign):
    """Of those that may judge, the one most likely to believe (sign 1) or to doubt (−1)."""
    chosen, most = NONE, 0.0
    for seat in range(rules.players):
        if int(view.judges) >> seat & 1:
            value = sign * trust_in(view, rules, params, seat)
            if chosen == NONE or value > most:
                chosen, most = seat, value
    return chosen


# --- suits ------------------------------------------------------------------------------------------------------------


def worths(view, params):
    """What each suit is worth to me, see `worth`."""
    return (
        worth(view, params, 0),
        worth(view, params, 1),
        worth(view, params, 2),
        worth(view, params, 3),
    )


def worth(view, params, suit):
    """What a suit is worth to me, in cards in hand; below 0 if none of my clients has it."""
    clients = ones(my_clients(view) & clients_of(suit))
    if clients == 0:
        return -1.0
    return count_of_suit(view, suit) + params.more * (clients - 1)


def wanted_suit(view, values, least):
    """Of my clients' suits the one that is worth most of those of which I hold at least so many cards, or NONE."""
    chosen, most = NONE, 0.0
    for suit in range(SUITS):
        if count_of_suit(view, suit) < least or ones(my_clients(view) & clients_of(suit)) == 0:
            continue
        if chosen == NONE or values[suit] > most:
            chosen, most = suit, values[suit]
    return chosen


def least_wanted(view, values, count):
    """So many places of my hand, those of the suits first that are worth least to me."""
    found, done = 0, 0
    while count > 0 and done != (1 << SUITS) - 1:
        worst, least = NONE, 0.0
        for suit in range(SUITS):
            if not done >> suit & 1 and (worst == NONE or values[suit] < least):
                worst, least = suit, values[suit]
        places = places_of_suit(view, worst)
        taken = min(count, count_places(places))
        found |= first_places(places, taken)
        count -= taken
        done |= 1 << worst
    return found
