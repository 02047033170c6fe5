"""Scripted: plays the move it is told, in any game. Tests write it into its parameters before each decision."""

from typing import NamedTuple


class Params(NamedTuple):
    move: int = 0
    high: int = 0  # added 2^32 times: a parameter is a float, which cannot hold all of a large move


def act(view, rules, params, rng):
    return params.move + (params.high << 32)
