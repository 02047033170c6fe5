"""The rules of Kuhn poker, compiled."""

from __future__ import annotations

from typing import Any

from kuhn_poker import rules as r
from kuhn_poker.moves import BET, PASS
from simkit.jit import kernel
from simkit.rng import below

NOW, NEVER = 1, 2  # of `rules.probe`


@kernel
def setup(state: Any, rules: Any, chance: Any, outcome: Any) -> None:
    """Deals a card to each seat (KP-1.3)."""
    first = below(chance.deal, len(r.CARDS))
    second = below(chance.deal, len(r.CARDS) - 1)
    state.cards[0] = first
    state.cards[1] = second + (second >= first)
    state.turn = 0
    state.winner = -1
    for seat in range(2):
        state.bets[seat] = 0
        outcome.opening[seat, state.cards[seat]] = 1


@kernel
def actor(state: Any, rules: Any) -> int:
    """The seat whose turn it is, −1 when the hand is over (KP-2.4)."""
    return state.turn & 1 if state.winner < 0 else -1


@kernel
def is_probed(state: Any, rules: Any, seat: int) -> bool:
    """Whether this is the decision that a question forces or forbids: the seat's first, where it can bet."""
    return rules.probe != 0 and seat == rules.probe_seat and state.turn == seat and state.bets[1 - seat] == 0


@kernel
def may_bet(state: Any, rules: Any, seat: int) -> bool:
    """Whether the seat may bet or call."""
    is_barred = rules.barred[seat] >> state.cards[seat] & 1
    return not is_barred and not (rules.probe == NEVER and is_probed(state, rules, seat))


@kernel
def observe(state: Any, rules: Any, seat: int, view: Any) -> None:
    """Writes all that a seat may know into the view, and nothing else."""
    view.card = state.cards[seat]
    view.seat = seat
    view.facing = state.bets[1 - seat]
    view.may_bet = may_bet(state, rules, seat)


@kernel
def is_legal(state: Any, rules: Any, seat: int, move: int) -> bool:
    """Whether the move is legal for the seat whose turn it is (KP-2.1, KP-2.3)."""
    return move == PASS or (move == BET and may_bet(state, rules, seat))


@kernel
def apply(state: Any, rules: Any, seat: int, move: int, chance: Any, outcome: Any) -> None:
    """One decision, and the end of the hand if there is nothing more to say (KP-2, KP-3)."""
    if is_probed(state, rules, seat):
        note_probe(state, seat, outcome)
        if rules.probe == NOW:
            move = BET
    card, facing = state.cards[seat], state.bets[1 - seat]
    state.turn += 1
    if move == BET:
        state.bets[seat] = 1
        outcome.used[seat, card] += 1
        outcome.bluffs[seat] += card == 0 and not facing
        outcome.clauses[r.CALLED if facing else r.BETTED] += 1
    else:
        outcome.clauses[r.FOLDED if facing else r.CHECKED] += 1
    if facing and move == PASS:
        state.winner = 1 - seat
    elif facing or (move == PASS and state.turn == 2):
        state.winner = state.cards[1] > state.cards[0]
        outcome.clauses[r.SHOWN] += 1


@kernel
def note_probe(state: Any, seat: int, outcome: Any) -> None:
    """Writes what the decision looked like."""
    outcome.probe_turn = state.turn + 1
    outcome.probe_card = state.cards[seat]
    outcome.probe_place = seat


@kernel
def finish(state: Any, rules: Any, outcome: Any) -> None:
    """Writes who won, and how much (KP-3.3)."""
    winner, loser = state.winner, 1 - state.winner
    chips = rules.ante + rules.bet * state.bets[loser]
    outcome.winner = winner
    outcome.turns = state.turn
    outcome.scores[winner] = chips
    outcome.scores[loser] = -chips
    outcome.folded = outcome.clauses[r.FOLDED]
