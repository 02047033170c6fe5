"""Experiments as text for the tests of loading, and what is said of their faults."""

from __future__ import annotations

import pytest

from simkit.errors import SimkitError
from simkit.experiment import loads
from tests.experiment.fakes import KNOWN, FakeKnown

GOOD = """\
# Is the King too strong?
question = "card_strength"
game = "colina"
deals = 100_000
seed = 2026
margin = 0.02
title = "Is the King too strong?"
keep_games = true

[rules]
start_points = 50
king_on = [true, false]

[strategies]
random = {}
hunter = { use = "hill_hunter", max_front = 7 }
bold = "greedy"

[card_strength]
cards = ["K"]

[require]
"K.fair" = true
"K.too strong" = false
"""
SHORT = 'question = "card_strength"\ngame = "colina"\ndeals = 5\nstrategies.random = {}\ncard_strength.cards = ["K"]\n'
WHOLE_DEALS = "is not a whole number from 1 to 1000000000000"


def faults(text: str, *overrides: str, known: FakeKnown = KNOWN) -> list[str]:
    with pytest.raises(SimkitError) as raised:
        loads(text, name="x.toml", overrides=overrides, known=known)
    return str(raised.value).splitlines()


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)
