"""Saloon's strategies: legal under any rules and parameters, what each is about, and which is the strongest."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from simkit.driver import PLAYING, Table
from simkit.games.base import Game
from simkit.games.saloon.counts import BELIEVED_BLUFF, BELIEVED_HONEST, DOUBTED_BLUFF, DOUBTED_HONEST
from simkit.games.saloon.tell import move_words
from tests.games.saloon_positions import Position
from tests.slow.saloon import random_rules
from tests.tables import shipped, shipped_names, table_of

NAMES = shipped_names("saloon")
OTHERS = [name for name in NAMES if name != "reader"]
BOUNDS = ["believer", "sceptic"]


def mirror(game: Game, name: str, rules: Mapping[str, Any] | None = None, **parameters: float) -> np.ndarray:
    """Games of a strategy against itself, with its seats not swapped."""
    values = game.resolve(rules or {})
    players = [shipped("saloon", name).with_parameters(parameters)] * game.seats(values)
    return Table(game, players, values, seed=31).play(0, 1000, rotations=1)[:, 0]


def against(game: Game, name: str, other: str, players: int = 2, deals: int = 1000) -> np.ndarray:
    """Games of one player against copies of another, who sits at seat `rotation`: (deals, rotations)."""
    return table_of(game, [name, *[other] * (players - 1)], {"players": players}, seed=20260).play(0, deals)


def of_first(outcomes: np.ndarray, field: str) -> int:
    """What the first player at the table has of a column, over all games."""
    return sum(int(outcomes[field][:, rotation, rotation].sum()) for rotation in range(outcomes.shape[1]))


def least_win_rate(outcomes: np.ndarray) -> float:
    """The lower bound of the first player's win rate, 95 %, from the deals."""
    won = (outcomes["winner"] == np.arange(outcomes.shape[1])).mean(axis=1)
    return float(won.mean() - 1.96 * won.std(ddof=1) / np.sqrt(len(won)))


# --- legal play -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_decision_is_legal_under_any_rules(saloon: Game, name: str) -> None:
    rng = random.Random(f"legal {name}")
    for number in range(150):
        options = random_rules(rng)
        options["max_turns"] = min(options["max_turns"], 300)
        table = table_of(saloon, [name, rng.choice(NAMES)], options, seed=number)
        assert (table.play(0, 10)["turns"] > 0).all()  # an illegal move raises, with the position in words


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("name", NAMES)
def test_every_decision_is_legal_with_any_number_of_players(saloon: Game, name: str, players: int) -> None:
    for play_to in ("first_close", "last_standing"):
        rules = {"players": players, "play_to": play_to, "max_turns": 400, "caught_bluff_cards": "return"}
        assert (table_of(saloon, [name, "random"], rules, seed=2).play(0, 30)["turns"] > 0).all()


@pytest.mark.parametrize("name", ["believer", "reader", "sceptic"])
def test_every_decision_is_legal_with_absurd_parameters(saloon: Game, name: str) -> None:
    rng, player = random.Random(f"absurd {name}"), shipped("saloon", name)
    for number in range(80):
        values = {key: rng.choice([0, 1, -1, 1e300, -1e300, rng.uniform(-9, 9)]) for key in player.file.parameters}
        chosen = {key: float(value) for key, value in values.items() if rng.random() < 0.4}
        rules = saloon.resolve({"max_turns": 200, "players": 2 + number % 3})
        line_up = [player.with_parameters(chosen), *[player] * (1 + number % 3)]
        assert (Table(saloon, line_up, rules, number).play(0, 20)["turns"] > 0).all()


# --- the bounds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_sceptic_doubts_every_payment_and_believer_none(saloon: Game, players: int) -> None:
    sceptics, believers = (mirror(saloon, name, {"players": players}) for name in ("sceptic", "believer"))
    assert sceptics["doubts"].sum() == sceptics["payments"].sum() > 0
    assert believers["doubts"].sum() == 0 < believers["payments"].sum()


@pytest.mark.parametrize("name", BOUNDS)
def test_a_higher_chance_makes_more_bluffs(saloon: Game, name: str) -> None:
    found = [mirror(saloon, name, bluff=chance) for chance in (0.0, 0.3, 0.6, 0.9)]
    shares = [games["bluffs"].sum() / games["payments"].sum() for games in found]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] > 0.5


def test_the_more_believers_bluff_the_sooner_they_close(saloon: Game) -> None:
    turns = [mirror(saloon, "believer", bluff=chance)["turns"].mean() for chance in (0.0, 0.3, 0.6, 1.0)]
    assert turns == sorted(turns, reverse=True)
    assert turns[-1] < 9  # four clients each, a bluff a turn


def test_bluffs_are_of_no_use_against_a_sceptic(saloon: Game) -> None:
    assert mirror(saloon, "sceptic", bluff=0.9)["turns"].mean() > 1.3 * mirror(saloon, "sceptic", bluff=0)["turns"].mean()


def test_the_bounds_and_honesty_make_a_cycle(saloon: Game) -> None:
    """Honest and doubting beats bluffing, that beats honest and believing, that honest and doubting (rules, SAL-3)."""
    players = {
        "doubting": shipped("saloon", "sceptic").with_parameters({"bluff": 0.0}),
        "bluffing": shipped("saloon", "believer").with_parameters({"bluff": 1.0}),
        "believing": shipped("saloon", "honest"),
    }
    for better, worse in (("doubting", "bluffing"), ("bluffing", "believing"), ("believing", "doubting")):
        games = Table(saloon, [players[better], players[worse]], saloon.resolve({}), 12).play(0, 2000)
        assert least_win_rate(games) > 0.5


# --- the reader -------------------------------------------------------------------------------------------------------


LEAST = {"random": 0.95, "honest": 0.55, "bluffer": 0.9, "believer": 0.95, "sceptic": 0.55}


@pytest.mark.parametrize("other", OTHERS)
def test_reader_beats_every_other_strategy(saloon: Game, other: str) -> None:
    assert least_win_rate(against(saloon, "reader", other, deals=2000)) > LEAST[other]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("other", OTHERS)
def test_reader_wins_more_than_its_share_at_larger_tables(saloon: Game, other: str, players: int) -> None:
    assert least_win_rate(against(saloon, "reader", other, players, deals=2000)) > 1 / players


@pytest.mark.parametrize("other", OTHERS)
def test_no_other_strategy_gains_by_joining_readers(saloon: Game, other: str) -> None:
    for players in (3, 4):
        games = against(saloon, other, "reader", players)
        assert least_win_rate(games) < 1 / players - 0.05


def test_reader_bluffs_to_those_who_believe_and_is_honest_with_those_who_doubt(saloon: Game) -> None:
    bluffs = {}
    for other in BOUNDS:
        games = against(saloon, "reader", other)
        bluffs[other] = of_first(games, "bluffs") / (of_first(games, "bluffs") + of_first(games, "honest"))
    assert bluffs["believer"] > bluffs["sceptic"] + 0.2
    assert bluffs["sceptic"] < 0.15


def test_reader_doubts_those_who_bluff_more_than_honest_players(saloon: Game) -> None:
    doubts = {}
    for other in ("honest", "bluffer", "believer"):
        games = against(saloon, "reader", other)
        doubts[other] = of_first(games, "doubts") / (games["payments"].sum() - of_first(games, "bluffs") - of_first(games, "honest"))
    assert doubts["honest"] < doubts["bluffer"] - 0.3
    assert doubts["honest"] < doubts["believer"] - 0.3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_readers_come_to_their_end(saloon: Game, players: int) -> None:
    assert mirror(saloon, "reader", {"players": players})["unfinished"].mean() < 0.005
