"""What every game keeps: the checks of simkit.contract, and more that only simkit asks of its own."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from simkit import contract
from simkit.contract import mixed, opening
from simkit.games import SHIPPED
from simkit.games.base import Game
from simkit.games.options import Switch
from tests.tables import table_of

pytestmark = pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in SHIPPED])


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_contract(game: Game, check: contract.Check) -> None:
    check(game)


def test_two_threads_give_the_same_bits(game: Game) -> None:
    table = mixed(game)
    alone = table.play(0, 400)  # compiled by now
    with ThreadPoolExecutor(2) as threads:
        parts = list(threads.map(lambda first: mixed(game).play(first, 100), range(0, 400, 100)))
    assert np.concatenate(parts).tobytes() == alone.tobytes()


def test_switching_a_card_off_leaves_every_opening_deal_alone(game: Game) -> None:
    default = table_of(game)
    for option in game.options:
        if isinstance(option, Switch) and option.name.endswith("_on"):
            for off in [False, *([[True, False], [False, True]] if option.per_seat else [])]:
                table = table_of(game, rules={option.name: off})
                assert [opening(table, 0, deal) for deal in range(20)] == [
                    opening(default, 0, deal) for deal in range(20)
                ]


def test_random_chooses_among_all_legal_moves_each_as_likely(game: Game) -> None:
    table = table_of(game, seed=3)
    chosen: dict[tuple[int, int], int] = {}
    for deal in range(3000):
        steps = table.steps(deal, 0, np.zeros(1, table.engine.outcome))
        next(steps), next(steps)  # one decision
        table.engine.begin(table.record[0], np.zeros(1, table.engine.outcome)[0], table.seed, np.uint64(deal), 0)
        moves = table.legal_moves().tolist()
        place = moves.index(int(table.record["move"][0]))
        chosen[len(moves), place] = chosen.get((len(moves), place), 0) + 1
    share = sum((place + 0.5) / count * times for (count, place), times in chosen.items()) / 3000
    assert share == pytest.approx(0.5, abs=4 / np.sqrt(12 * 3000))
    ends = sum(times for (count, place), times in chosen.items() if place in (0, count - 1))
    expected = sum(min(1, 2 / count) * times for (count, _), times in chosen.items())
    assert ends == pytest.approx(expected, abs=4 * np.sqrt(expected))


# Imports modules, each as the first of simkit: what is loaded of it is forgotten before.
IMPORT_EACH = """
import importlib
import sys

for module in sys.argv[1:]:
    for loaded in [name for name in sys.modules if name.partition(".")[0] == "simkit"]:
        del sys.modules[loaded]
    try:
        importlib.import_module(module)
    except Exception as wrong:
        sys.exit(f"{module}: {wrong!r}")
"""


def test_each_module_can_be_imported_first(game: Game) -> None:
    """A package that offers names of its modules late must not ask itself for these modules."""
    modules = [f"{game.package}.{part}" for part in sorted(path.stem for path in game.folder.glob("[!_]*.py"))]
    assert len(modules) > 5
    done = subprocess.run([sys.executable, "-c", IMPORT_EACH, *modules], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_length_of_a_game_is_no_word_of_the_laboratory(game: Game) -> None:
    """An experiment plays deals and counts games: "4 deals a game" would say something else."""
    assert game.length not in {"deals", "games", "seatings", "rotations"}
