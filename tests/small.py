"""A small experiment for tests of the run machinery: two cheap strategies, one card, games that may stay unfinished."""

from __future__ import annotations

from functools import cache

from simkit.catalog import Catalog
from simkit.experiment import loads
from simkit.games import get_game
from simkit.questions import KINDS, Asked
from simkit.runner import Work
from tests.tables import shipped

TEXT = """\
question = "card_strength"
game = "colina"
deals = 100
seed = 1

[rules]
max_rounds = 60

[strategies]
random = {}
greedy = {}

[card_strength]
cards = ["K"]
"""


@cache
def small_work() -> Work:
    """The small experiment, compiled once."""
    experiment = loads(TEXT, known=Catalog())
    game = get_game(experiment.game)
    plan = KINDS[experiment.kind].plan(Asked(experiment, game, 2))
    players = {label: shipped(game.name, label) for label in experiment.strategies}
    return Work(game, plan, players, experiment.seed)
