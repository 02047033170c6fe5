"""Saloon's strategies: legal under any rules and parameters, what each is about, and which is the strongest."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from simkit.driver import PLAYING, Table
from simkit.games.base import Game
from simkit.games.saloon.counts import BELIEVED_BLUFF, DOUBTED_BLUFF
from simkit.games.saloon.moves import DRAW
from simkit.games.saloon.tell import move_words
from tests.games.saloon_positions import Position
from tests.slow.saloon import random_rules
from tests.tables import shipped, shipped_names, table_of

NAMES = shipped_names("saloon")
OTHERS = [name for name in NAMES if name != "reader"]
BOUNDS = ["believer", "sceptic"]


def mirror(
    game: Game, name: str, rules: Mapping[str, Any] | None = None, deals: int = 1000, **parameters: float
) -> np.ndarray:
    """Games of a strategy against itself, with its seats not swapped."""
    values = game.resolve(rules or {})
    players = [shipped("saloon", name).with_parameters(parameters)] * game.seats(values)
    return Table(game, players, values, seed=31).play(0, deals, rotations=1)[:, 0]


def against(game: Game, name: str, other: str, players: int = 2, deals: int = 1000) -> np.ndarray:
    """Games of one player against copies of another, who sits at seat `rotation`: (deals, rotations)."""
    return table_of(game, [name, *[other] * (players - 1)], {"players": players}, seed=20260).play(0, deals)


def of_first(outcomes: np.ndarray, field: str) -> int:
    """What the first player at the table has of a column, over all games."""
    return sum(int(outcomes[field][:, rotation, rotation].sum()) for rotation in range(outcomes.shape[1]))


def win_rate(outcomes: np.ndarray) -> tuple[float, float]:
    """The bounds of the first player's win rate, 95 %, from the deals."""
    won = (outcomes["winner"] == np.arange(outcomes.shape[1])).mean(axis=1)
    half_width = 1.96 * won.std(ddof=1) / np.sqrt(len(won))
    return float(won.mean() - half_width), float(won.mean() + half_width)


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
    never, often = (mirror(saloon, "sceptic", bluff=chance)["turns"].mean() for chance in (0.0, 0.9))
    assert often > 1.3 * never


def test_the_bounds_and_honesty_make_a_cycle(saloon: Game) -> None:
    """Honest and doubting beats bluffing, that beats honest and believing, that honest and doubting (rules, SAL-3)."""
    players = {
        "doubting": shipped("saloon", "sceptic").with_parameters({"bluff": 0.0}),
        "bluffing": shipped("saloon", "believer").with_parameters({"bluff": 1.0}),
        "believing": shipped("saloon", "honest"),
    }
    for better, worse in (("doubting", "bluffing"), ("bluffing", "believing"), ("believing", "doubting")):
        games = Table(saloon, [players[better], players[worse]], saloon.resolve({}), 12).play(0, 2000)
        assert win_rate(games)[0] > 0.5


# --- the reader -------------------------------------------------------------------------------------------------------


LEAST = {"random": 0.95, "honest": 0.8, "bluffer": 0.9, "believer": 0.95, "sceptic": 0.75}


@pytest.mark.parametrize("other", OTHERS)
def test_reader_beats_every_other_strategy(saloon: Game, other: str) -> None:
    assert win_rate(against(saloon, "reader", other, deals=2000))[0] > LEAST[other]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("other", OTHERS)
def test_reader_wins_more_than_its_share_at_larger_tables(saloon: Game, other: str, players: int) -> None:
    assert win_rate(against(saloon, "reader", other, players, deals=2000))[0] > 1 / players


@pytest.mark.parametrize("other", OTHERS)
def test_no_other_strategy_gains_by_joining_readers(saloon: Game, other: str) -> None:
    for players in (3, 4):
        games = against(saloon, other, "reader", players)
        assert win_rate(games)[1] < 1 / players - 0.05


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
        judged = games["payments"].sum() - of_first(games, "bluffs") - of_first(games, "honest")
        doubts[other] = of_first(games, "doubts") / judged
    assert doubts["honest"] < doubts["bluffer"] - 0.3
    assert doubts["honest"] < doubts["believer"] - 0.3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_readers_come_to_their_end(saloon: Game, players: int) -> None:
    """Without giving way, three of them may each keep three cards of the suit that all their last clients are of."""
    rules = {"players": players}
    assert mirror(saloon, "reader", rules, deals=4000)["unfinished"].sum() == 0
    stuck = mirror(saloon, "reader", rules, deals=4000, give_way=0.0)["unfinished"].sum()
    assert (stuck > 0) == (players > 2)


# --- positions by hand ------------------------------------------------------------------------------------------------


def choice(position: Position, **parameters: float) -> str:
    """What a reader does for the seat that decides, in words."""
    table, player = position.table, shipped("saloon", "reader").with_parameters(parameters)
    table.record["params"][0]["value"][:, : len(player.row)] = player.row
    acts = (player.act,) * len(table.acts)
    assert table.engine.step(table.record[0], position.outcome[0], acts) == PLAYING
    return move_words(table.record["sight"][0], int(table.record["move"][0]))


def judging(clients: list[str], discard: list[str]) -> Position:
    """Seat 0 has laid three cards for the ace of hearts, and seat 1 is to judge."""
    hands = [["2s", "3s", "4s", "5s"], ["2d", "3d", "4d", "5d", "6d"]]
    known = {"player": 0, "clients": [clients, ["Kd", "Qd"]], "hands": hands, "pile": ["6s", "7s"], "discard": discard}
    position = Position({}, known)
    position.play(position.payment("Ah", ["2s", "3s", "4s"], 1))
    return position


HEARTS = [f"{number}h" for number in range(2, 11)]


def test_reader_doubts_what_cannot_be_honest_however_much_it_takes() -> None:
    assert choice(judging(["Ah", "Js"], HEARTS[:7]), doubt=9.0) == "doubt"
    assert choice(judging(["Ah", "Js"], HEARTS[:6]), doubt=9.0) == "believe"


def test_reader_doubts_the_payment_that_would_end_the_game_however_much_it_takes() -> None:
    hands = [["2h", "3h", "4h", "5h"], ["2d", "3d", "4d", "5d", "6d"]]
    known = {"player": 0, "clients": [["Ah"], ["Kd", "Qd"]], "hands": hands, "pile": ["6s", "7s"], "discard": []}
    position = Position({}, known)
    position.play(position.payment("Ah", hands[0], 1))
    assert choice(position, doubt=9.0) == "doubt"


def test_the_more_cards_of_the_suit_are_in_sight_the_less_likely_a_payment_is_honest() -> None:
    """Found by the threshold at which it stops to doubt."""
    thresholds = np.arange(0, 2, 0.02)
    chances = []
    for seen in (0, 3, 6):
        words = [choice(judging(["Ah", "Js"], HEARTS[:seen]), doubt=float(level)) for level in thresholds]
        assert words == sorted(words, reverse=True)  # doubts below its threshold, belief above
        chances.append(words.count("doubt"))
    assert chances == sorted(set(chances))


def paying(hand: list[str], clients: list[str], judged: Mapping[int, int], seats: int = 2) -> Position:
    """Seat 0 is to move; `judged` has how the bluffs that each seat judged five times have ended."""
    others = [["Kd", "Qd"], ["Kc", "Qc"]][: seats - 1]
    known = {"player": 0, "clients": [clients, *others], "hands": [hand, *[["2d", "6c"], ["3d", "7c"]][: seats - 1]]}
    position = Position({"players": seats}, {**known, "pile": ["6s", "7s", "8s", "9s"], "discard": []})
    for seat, how in judged.items():
        position.state["judged"][seat] = 5 << 16 * how
    return position


POOR, RICH = ["2h", "5h", "9d", "3c", "4c"], ["2h", "5h", "9h", "3c", "4c"]
BELIEVES, DOUBTS = BELIEVED_BLUFF, DOUBTED_BLUFF


def test_reader_bluffs_with_what_no_client_wants_for_the_client_of_the_suit_it_lacks() -> None:
    assert choice(paying(POOR, ["Ah", "Qh", "Js"], {1: BELIEVES})) == "pay 9d 3c 4c for Js, judge 1"


def test_reader_looks_for_its_suit_while_its_bluffs_would_be_doubted() -> None:
    assert choice(paying(POOR, ["Ah", "Qh", "Js"], {1: DOUBTS})) == "swap 9d"
    assert choice(paying(["2h", "5h"], ["Ah", "Qh", "Js"], {1: DOUBTS})) == "draw"


def test_reader_pays_honestly_when_it_can_and_would_be_doubted() -> None:
    assert choice(paying(RICH, ["Ah", "Js"], {1: DOUBTS})) == "pay 2h 5h 9h for Ah, judge 1"


def test_reader_bluffs_to_the_judge_who_believes_and_has_the_other_judge_its_honest_payments() -> None:
    assert choice(paying(POOR, ["Ah", "Js"], {1: DOUBTS, 2: BELIEVES}, 3)).endswith("for Js, judge 2")
    assert choice(paying(RICH, ["Ah", "Js"], {1: DOUBTS, 2: BELIEVES}, 3), greed=2.0).endswith("for Ah, judge 1")


def test_reader_collects_the_suit_of_most_clients_between_equal_ones() -> None:
    position = paying(["2s", "3s", "4h", "5h"], ["Js", "Ah", "Qh"], {1: DOUBTS})
    assert choice(position) == "swap 2s"


def test_reader_discards_what_its_clients_have_no_use_for() -> None:
    position = paying(["2h", "5h", "9h", "3c", "4s", "5s", "9d"], ["Ah", "Js"], {1: DOUBTS})
    position.play(DRAW)
    assert choice(position) == "discard 4s 9d 3c"
