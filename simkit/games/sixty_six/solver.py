"""Endings of Sixty-Six solved exactly: both hands known, the stock exhausted or closed, so that chance has no say.

Alpha–beta over the cards, without recursion: a stack of nodes holds the path that is looked at. A value is in game
points: those that ME, the player who asks, wins less those that it loses (SS-6.3, SS-7). Two facts keep the tree small.
A lead that may declare its marriage does: more points never hurt the player who has them. And what either player can
still win at most only falls while a deal goes on, so a node is left as soon as it cannot change a choice above it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simkit.bits import lowest, ones
from simkit.games.sixty_six.cards import (
    GOAL,
    HAND_SIZE,
    NO_CARD,
    PACK,
    PLAIN_MARRIAGE,
    QUEENS,
    TRUMP_MARRIAGE,
    beating,
    bit,
    card_points,
    free_couples,
    replies,
)
from simkit.games.sixty_six.moves import MARRIAGE, theirs, worth
from simkit.games.sixty_six.rules import BONUS10, WINS
from simkit.games.sixty_six.score import winner_worth
from simkit.jit import inlined, kernel

ME, THEM, NOBODY = 0, 1, -1
BONUS = 10
NO_LIMIT = 1 << 40  # game points; more than any deal is worth

# A position on the path. Pairs are (ME, THEM).
NODE = np.dtype(
    [
        ("hand", "u8", (2,)),
        ("points", "i8", (2,)),
        ("pending", "i8", (2,)),
        ("tricks", "i8", (2,)),
        ("mover", "i8"),  # ME or THEM: whose lead or reply it is
        ("led", "i8"),  # the card on the table, −1 for none
        ("first", "u8"),  # cards to try first, from the top …
        ("rest", "u8"),  # … and after them, from below
        ("best", "i8"),  # the best value for the mover so far
        ("alpha", "i8"),  # what ME is sure of by other choices above, or by the score
        ("beta", "i8"),  # the same of THEM
    ],
    align=True,
)
NODES = 2 * HAND_SIZE + 1

_U = np.uint64
_NONE, _STEP = _U(0), _U(4)


class Terms(NamedTuple):
    """What stays the same in a whole ending."""

    trumps: np.uint64
    mine: np.uint64  # queens that may be declared with their king, by ME …
    theirs: np.uint64  # … and by THEM
    closer: int  # ME, THEM or NOBODY
    must_head: int
    failed: int  # game points for the other when the closer fails
    last_trick: int


@kernel
def terms_of(view: Any, rules: Any, closer: int) -> Any:
    """The terms of the view's deal once its stock is exhausted, or closed by the seat `closer`."""
    mine, theirs = _NONE, _NONE
    if rules.marriage_after_close:
        mine = free_couples(PACK, view.trumps, rules.barred[_U(view.seat)]) & QUEENS
        theirs = free_couples(PACK, view.trumps, rules.barred[_U(1 - view.seat)]) & QUEENS
    who = closer
    if closer >= 0:
        who = ME if closer == view.seat else THEM
    return Terms(view.trumps, mine, theirs, who, rules.must_head, rules.failed_close_points, rules.last_trick)


@kernel
def set_up(stack: Any, terms: Any, view: Any, hand: np.uint64, theirs: np.uint64) -> None:
    """Makes the view's position the top of the stack, with these hands; ME is about to lead or to reply."""
    node = stack[0]
    node.hand[0], node.hand[1] = hand, theirs
    node.points[0], node.points[1] = view.points, view.their_points
    node.pending[0], node.pending[1] = view.pending, view.their_pending
    node.tricks[0], node.tricks[1] = view.tricks, view.their_tricks
    node.mover, node.led = ME, view.led
    node.alpha, node.beta = -NO_LIMIT, NO_LIMIT
    if view.led == NO_CARD:
        _order_leads(node, terms)
    else:
        _order_replies(node, terms)


@inlined
def _wed(node: Any, terms: Any, seat: int) -> np.uint64:
    """The queens that the seat could declare now if it led."""
    hand = node.hand[_U(seat)]
    return hand & (hand >> _STEP) & (terms.theirs if seat else terms.mine)


@inlined
def downwards(cards: np.uint64) -> np.uint64:
    """The cards and all that are lower in their suits."""
    cards |= cards >> _STEP
    cards |= cards >> _U(8)
    return cards | (cards >> _U(16))


@inlined
def upwards(cards: np.uint64) -> np.uint64:
    """The cards and all that are higher in their suits."""
    cards |= cards << _STEP
    cards |= cards << _U(8)
    return (cards | (cards << _U(16))) & PACK


@inlined
def highest(cards: np.uint64) -> int:
    """The last card of a set, of the highest rank in it: not of an empty one."""
    below = cards | (cards >> _U(1))
    below |= below >> _U(2)
    below |= below >> _U(4)
    below |= below >> _U(8)
    return ones(below | (below >> _U(16))) - 1


@inlined
def _order_leads(node: Any, terms: Any) -> None:
    """First marriages and cards that cannot lose their trick."""
    seat = node.mover
    hand, other = node.hand[_U(seat)], node.hand[_U(1 - seat)]
    queens = _wed(node, terms, seat)
    beaten = downwards(other)
    suits = upwards(beaten)  # all cards of the suits that the other holds
    if other & terms.trumps:
        beaten |= ~(suits | terms.trumps)
    first = queens | (queens << _STEP) | (hand & ~beaten)
    node.first, node.rest = first, hand & ~first
    node.best = NO_LIMIT if seat else -NO_LIMIT


@inlined
def _order_replies(node: Any, terms: Any) -> None:
    """First cards that win the trick."""
    allowed = replies(node.hand[_U(node.mover)], node.led, terms.trumps, 0, terms.must_head)
    node.first = allowed & beating(node.led, terms.trumps)
    node.rest = allowed & ~node.first
    node.best = NO_LIMIT if node.mover else -NO_LIMIT


@inlined
def _next_card(node: Any) -> int:
    """Takes the next card to try off the node's lists."""
    if node.first:
        card = highest(node.first)
        node.first ^= bit(card)
        return card
    card = lowest(node.rest)
    node.rest &= node.rest - _U(1)
    return card


@inlined
def _won(node: Any, terms: Any, seat: int) -> int:
    """The value of a deal in which this seat reaches 66 now: the most that it can still get (SS-6.3, SS-7.2)."""
    other = _U(1 - seat)
    value = winner_worth(node.points[other], node.tricks[other])
    if terms.closer == 1 - seat:
        value = terms.failed
    return -value if seat else value


@inlined
def _ran_out(node: Any, terms: Any, winner: int) -> int:
    """The value when the cards are out and nobody has 66; `winner` of the last trick (SS-6.3, SS-7.3)."""
    if terms.closer >= 0:
        return terms.failed if terms.closer else -terms.failed
    return _won(node, terms, winner) if terms.last_trick == WINS else 0


@inlined
def _most(node: Any, terms: Any, seat: int) -> int:
    """The best value that this seat can still reach."""
    queens = _wed(node, terms, seat)
    marriages = PLAIN_MARRIAGE * ones(queens) + (PLAIN_MARRIAGE if queens & terms.trumps else 0)
    bonus = BONUS if terms.last_trick == BONUS10 and terms.closer < 0 else 0
    in_reach = node.points[_U(seat)] + node.pending[_U(seat)] + marriages + bonus
    mine, other = node.hand[_U(seat)], node.hand[_U(1 - seat)]
    lost = other & terms.trumps & ~downwards(mine)  # each of these wins its trick
    if in_reach + worth((mine | other) & ~lost) >= GOAL:
        return _won(node, terms, seat)
    return _ran_out(node, terms, seat)


@inlined
def _copy(node: Any, child: Any) -> None:
    for k in range(2):
        child.hand[k] = node.hand[k]
        child.points[k] = node.points[k]
        child.pending[k] = node.pending[k]
        child.tricks[k] = node.tricks[k]
    child.alpha, child.beta = node.alpha, node.beta


@inlined
def _play(node: Any, child: Any, terms: Any, card: int) -> bool:
    """Makes `child` the node after this card; true if its value is known, in `best`, as far as it matters."""
    _copy(node, child)
    child.hand[_U(node.mover)] ^= bit(card)
    if node.led == NO_CARD:
        return _lead(node, child, terms, card)
    return _reply(node, child, terms, card)


@inlined
def _lead(node: Any, child: Any, terms: Any, card: int) -> bool:
    seat = node.mover
    queens = _wed(node, terms, seat)
    if (queens | (queens << _STEP)) & bit(card):
        gain = TRUMP_MARRIAGE if terms.trumps & bit(card) else PLAIN_MARRIAGE
        if node.tricks[_U(seat)]:
            child.points[_U(seat)] += gain
            if child.points[_U(seat)] >= GOAL:
                child.best = _won(child, terms, seat)
                return True
        else:
            child.pending[_U(seat)] += gain
    child.led = card
    child.mover = 1 - seat
    _order_replies(child, terms)
    return False


@inlined
def _reply(node: Any, child: Any, terms: Any, card: int) -> bool:
    seat = node.mover
    winner = seat if beating(node.led, terms.trumps) & bit(card) else 1 - seat
    last = child.hand[_U(seat)] == _NONE
    gain = card_points(node.led) + card_points(card) + child.pending[_U(winner)]
    if last and terms.last_trick == BONUS10 and terms.closer < 0:
        gain += BONUS
    child.points[_U(winner)] += gain
    child.pending[_U(winner)] = 0
    child.tricks[_U(winner)] += 1
    if child.points[_U(winner)] >= GOAL:
        child.best = _won(child, terms, winner)
        return True
    if last:
        child.best = _ran_out(child, terms, winner)
        return True
    child.mover = winner
    child.led = NO_CARD
    if _decided(child, terms):
        return True
    _order_leads(child, terms)
    return False


@inlined
def _decided(node: Any, terms: Any) -> bool:
    """Narrows the node's window to what the players can still reach; true if that settles its value."""
    upper, lower = _most(node, terms, ME), _most(node, terms, THEM)
    if upper <= node.alpha or upper == lower:
        node.best = upper
        return True
    if lower >= node.beta:
        node.best = lower
        return True
    node.alpha, node.beta = max(node.alpha, lower), min(node.beta, upper)
    return False


@inlined
def _improve(node: Any, value: int) -> None:
    if node.mover == ME:
        node.best = max(node.best, value)
        node.alpha = max(node.alpha, value)
    else:
        node.best = min(node.best, value)
        node.beta = min(node.beta, value)


@kernel
def _search(stack: Any, terms: Any, top: int) -> int:
    """The value of the node `top` of the stack: exact inside its window, else a bound on the same side of it."""
    depth, value = top, 0
    while True:
        node = stack[depth]
        if node.alpha < node.beta and node.first | node.rest:
            child = stack[depth + 1]
            if not _play(node, child, terms, _next_card(node)):
                depth += 1
                continue
            value = child.best
        else:
            value = node.best
            if depth == top:
                return value
            depth -= 1
        _improve(stack[depth], value)


@kernel
def _value_of(stack: Any, terms: Any, card: int) -> int:
    """The value of a card played at the top of the stack: exact inside the top's window, else a bound."""
    if _play(stack[0], stack[1], terms, card):
        return stack[1].best
    return _search(stack, terms, 1)


@kernel
def add_values(
    view: Any, rules: Any, hand: np.uint64, theirs: np.uint64, closer: int, cards: np.uint64, totals: Any
) -> None:
    """Adds to `totals[card]`, for each of some cards, the game points that playing it now is worth by perfect play.

    A king or queen that may be led with its marriage counts as led with it.

    Args:
        view, rules: as a strategy gets them. The stock must be exhausted or closed, or be closed with this lead.
        hand: the player's cards: the view's, or after an exchange of the nine those then in hand.
        theirs: the cards that the opponent is taken to hold, as many as it does hold.
        closer: the seat that closed or closes, −1 for none.
        cards: those asked about, all of them legal.
        totals: array of CARDS numbers.
    """
    stack, terms = np.empty(NODES, NODE), terms_of(view, rules, closer)
    set_up(stack, terms, view, hand, theirs)
    while cards:
        card = lowest(cards)
        cards &= cards - _U(1)
        totals[card] += _value_of(stack, terms, card)


@kernel
def reaches(view: Any, rules: Any, hand: np.uint64, theirs: np.uint64, closer: int, least: int) -> bool:
    """Whether perfect play brings at least so many game points: sooner known than values. Arguments: `add_values`."""
    stack, terms = np.empty(NODES, NODE), terms_of(view, rules, closer)
    set_up(stack, terms, view, hand, theirs)
    stack[0].alpha, stack[0].beta = least - 1, least
    return _search(stack, terms, 0) >= least


@kernel
def solved(view: Any, rules: Any) -> Any:
    """A best move once the stock is exhausted, and the game points it is worth: (move, value).

    Of equal moves it is the first that was tried: a marriage or a sure trick rather than another card.
    """
    stack, terms = np.empty(NODES, NODE), terms_of(view, rules, view.closer)
    set_up(stack, terms, view, view.hand, theirs(view))
    node, best, found = stack[0], -NO_LIMIT, np.int64(NO_CARD)
    while node.first | node.rest:
        card = _next_card(node)
        value = _value_of(stack, terms, card)
        if value > best:
            best, found = value, card
            node.alpha = value
    return (found | MARRIAGE if view.couples & bit(found) else found), best
