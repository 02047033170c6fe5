"""Greedy: declares every marriage, wins every trick it can as cheaply as it can, and never closes.

Origin: simkit; what a player does who reads the rules for the first time. It leads the queen of a marriage, that of
trumps first, otherwise its cheapest card: no trump rather than a trump, then the lowest. It never exchanges by choice.
"""

from simkit.games.sixty_six import MARRIAGE, QUEENS, cheapest, is_lead, lowest, winning


def act(view, rules, params, rng):
    if is_lead(view):
        queens = view.couples & QUEENS
        if queens:
            trumps = queens & view.trumps
            return lowest(trumps if trumps else queens) | MARRIAGE
        return cheapest(view, view.legal)
    winners = winning(view)
    return cheapest(view, winners if winners else view.legal)
