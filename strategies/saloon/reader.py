"""Reader: asks how likely a payment is honest, and how likely a bluff is believed, from all that is open to see.

As a judge it counts the cards of the client's suit that it has not seen, reckons the chance that the payer holds enough
of them after its turns of swapping, and weighs it against how often that payer has bluffed when it could have waited.
The last client of a saloon it doubts always: a game that is lost if it believes costs nothing more if it is wrong. As a
payer it bluffs to judges who believe and pays honestly to those who doubt; it collects the suit that pays most clients.

Origin: simkit; the numbers were set by play against the other strategies at two, three and four players.
"""

from typing import NamedTuple

from simkit.bits import ones
from simkit.games.saloon import (
    BELIEVE,
    DOUBT,
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
    verdicts_by,
)

SUITS, NONE = 4, -1
IMPOSSIBLE = 100.0  # cards that keep it from a bluff that nobody can believe


class Params(NamedTuple):
    doubt: float = 0.3  # it doubts a payment that is a bluff with more than this chance
    crowd: float = 0.05  # how much more it takes for each player beyond two: all others gain by its doubts
    alarm: float = 0.1  # how much less it takes the fewer clients the payer has left
    spare: float = 0.02  # how much less it takes for each card it holds beyond the hand limit, and more for each below
    bluffer: float = 0.4  # how often it takes a player for bluffing that has shown nothing yet
    patience: float = 4.0  # turns of a player that weigh as much as this first guess
    stretch: float = 1.0  # cards that a payer has looked for its suit in, with each turn it did not pay
    trust: float = 0.5  # how often it takes a judge for believing that has shown nothing yet
    slow: float = 2.0  # verdicts that weigh as much as this first guess
    shame: float = 0.3  # part of that trust it loses when all its payments have been bluffs
    dare: float = 0.45  # it bluffs to a judge who believes with more than this chance
    greed: float = 0.75  # likewise, when it could pay honestly
    last: float = 2.0  # the power that a judge's trust is raised to when the last client is paid for
    more: float = 0.7  # cards in hand that another client of the same suit is worth


def act(view, rules, params, rng):
    if view.asked == JUDGE:
        return judge(view, rules, params)
    if view.asked == TURN:
        return take_turn(view, rules, params)
    return least_wanted(view, worths(view, params), int(view.count))


# --- the judge --------------------------------------------------------------------------------------------------------


def judge(view, rules, params):
    """DOUBT if that pays."""
    left = ones(clients_at(view, view.payer))
    if (left <= 1 and view.closed == 0) or unseen_of_suit(view, rules, client_suit(view)) < view.count:
        return DOUBT
    needed = params.doubt + params.crowd * (rules.players - view.closed - 2) - params.alarm / max(left, 1)
    needed -= params.spare * (hand_size(view) - int(rules.hand_limit))
    return DOUBT if bluff_chance(view, rules, params) > needed else BELIEVE


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


def take_turn(view, rules, params):
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
    if count_of_suit(view, wanted) == hand_size(view):
        return DRAW
    return swap(lowest_place(least_wanted(view, values, 1)))


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
    found = share(beliefs_by(view, seat), verdicts_by(view, seat), params.trust, params.slow)
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
