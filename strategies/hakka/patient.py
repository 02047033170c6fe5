"""Patient: plays on for more tricks when it may claim and its next lead is likely to win.

Origin: simkit; greedy_claim with another mind at claims. The threshold is the best of a few against greedy_claim.
"""

from typing import NamedTuple

from greedy_claim import best_lead, give_up, promise

from simkit.games.hakka import CALL, CLAIM, FOLLOW, LEAD, can_beat, discard, my_elders, play, say, weakest


class Params(NamedTuple):
    call_at: int = 6  # tricks that Elders and the longest pattern must promise for a call
    play_on: float = 0.5  # the chance that its next lead wins from which on it does not claim yet


def act(view, rules, params, rng):
    if view.decision == LEAD:
        return play(best_lead(view, rules)[0])
    if view.decision == FOLLOW:
        return play(weakest(view)) if can_beat(view) else discard(give_up(view.hand, view.elders, view.size))
    if view.decision == CALL:
        return say(promise(view.hand, view.elders) >= params.call_at)
    if view.decision == CLAIM and view.hand != my_elders(view):
        return say(best_lead(view, rules)[1] < params.play_on)
    return say(True)
