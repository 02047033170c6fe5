"""Colina as compiled against exact facts and against an independent engine's figures of random play.

Both are in the game's rule document: "Exact facts to test against" and "Figures from an independent engine". Seeds are
fixed; a tolerance is four standard errors, ours combined with theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, sqrt

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games.base import Game
from simkit.games.colina.counts import E_RESHUFFLE, E_RESHUFFLE_MID, KINDS
from tests.conftest import MakePlayer
from tests.games.colina_positions import Position, asked
from tests.tables import shipped, table_of

DEALS = 30_000
THEIR_GAMES = 40_000  # from the standard error .0025 of "seat 0 wins half"
HANDS = 20_000


def ratio(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Σa / Σb and its standard error by the delta method; a and b are (deals,) or (deals, rotations)."""
    a, b = (x.reshape(len(x), -1).sum(1).astype(float) for x in (a, b))
    value = a.sum() / b.sum()
    return value, (a - value * b).std() / b.mean() / sqrt(len(a))


# --- exact facts ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def openings(colina: Game) -> np.ndarray:
    """Cards of each kind in the first hands, shape (deals, seats, kinds)."""
    outcomes = table_of(colina, rules={"max_rounds": 1}, seed=21).play(0, 100_000, rotations=1)
    opening: np.ndarray = outcomes[:, 0]["opening"]
    return opening


@pytest.mark.parametrize(
    ("kind", "chance"),
    [*((rank, 8589307 / 22780407) for rank in "JQKA"), ("joker", 0.2070349565)],
)
def test_the_chance_to_be_dealt_a_kind_of_card(kind: str, chance: float, openings: np.ndarray) -> None:
    has = openings[:, :, KINDS.index(kind)] > 0
    value, error = ratio(has, np.ones_like(has))
    assert value == pytest.approx(chance, abs=4 * error)


def test_the_chance_of_a_hand_without_value_cards(openings: np.ndarray) -> None:
    none = openings.sum(2) == 6
    value, error = ratio(none, np.ones_like(none))
    assert value == pytest.approx(0.0010178923, abs=4 * error)


@pytest.fixture(scope="module")
def hands(colina: Game) -> tuple[np.ndarray, np.ndarray]:
    """Card codes of seat 0's first hand, shape (deals, 6), and its number of legal moves, shape (deals,)."""
    table, outcome = table_of(colina, seed=22), np.zeros(1, table_of(colina).engine.outcome)
    cards, moves = np.zeros((HANDS, 6), np.int64), np.zeros(HANDS, np.int64)
    with asked(table, 0):
        for deal in range(HANDS):
            table.engine.begin(table.record[0], outcome[0], table.seed, np.uint64(deal), 0)
            cards[deal] = table.record["state"]["seats"][0, 0]["hand"][:6]
            moves[deal] = len(table.legal_moves())
    return cards, moves


@pytest.mark.parametrize(("first", "last", "chance"), [(2, 10, 18300653 / 22780407), (11, 14, 0.2380021276)])
def test_the_chance_of_a_siamese(first: int, last: int, chance: float, hands: tuple[np.ndarray, np.ndarray]) -> None:
    suit, rank = np.divmod(hands[0], 16)
    wanted = (first <= rank) & (rank <= last)
    available = np.any([(wanted & (suit == s)).sum(1) >= 2 for s in range(4)], axis=0)
    assert available.mean() == pytest.approx(chance, abs=4 * available.std() / sqrt(HANDS))


def test_the_mean_number_of_legal_moves_of_a_fresh_hand(hands: tuple[np.ndarray, np.ndarray]) -> None:
    moves = hands[1]
    assert moves.mean() == pytest.approx(497058643 / 22780407, abs=4 * moves.std() / sqrt(HANDS))


def test_two_random_value_cards_tie_and_differ_as_known(colina: Game) -> None:
    table = table_of(colina, rules={"hand_size": 1, "jokers": 0, "max_rounds": 1}, seed=23)
    outcomes = table.play(0, 100_000, rotations=1)[:, 0]
    both = outcomes[(outcomes["opening"] == 0).all((1, 2))]
    lost = both["lost"].sum(1)
    for found, exact in ((both["ties"], 7 / 71), (lost, 640 / 213)):
        assert found.mean() == pytest.approx(exact, abs=4 * found.std() / sqrt(len(both)))


@pytest.mark.parametrize(("points", "over"), [(92, True), (93, False)])
def test_the_costliest_round_takes_92(points: int, over: bool) -> None:
    hand = ["10h", "10h", "9h", "9h", "8h", "Js"]
    played = Position({}, [hand, ["*", "2s"]], points=(points, points)).play([(hand[:5], "Js"), (["*"], None)])
    assert [event["damage"] for event in played.events if event["type"] == "result"] == [[0, 92]]
    assert (played.end is not None) is over


# --- an independent engine's random play ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def random_play(colina: Game) -> np.ndarray:
    """Outcomes of `random` against itself under the default rules, shape (deals, rotations)."""
    return table_of(colina, seed=24).play(0, DEALS)


def agree(ours: tuple[float, float], theirs: float, their_error: float, unit: float) -> None:
    """Our (value, error) is theirs within four combined standard errors and half a unit of their last digit."""
    assert ours[0] == pytest.approx(theirs, abs=4 * hypot(ours[1], their_error) + unit / 2)


Counts = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
FIGURES: dict[str, tuple[Counts, float, float | None, float]] = {  # counts, theirs, its error, unit of its last digit
    "rounds": (lambda o: (o["rounds"], np.ones_like(o["rounds"])), 39.82, 0.04, 0.01),
    "seat 0 wins": (lambda o: (o["winner"] == 0, np.ones_like(o["winner"])), 0.4995, 0.0025, 0.0001),
    "the winner's TP left": (lambda o: (o["points"].max(2), np.ones_like(o["winner"])), 28.87, 0.10, 0.01),
    "rounds in which nobody loses": (lambda o: (o["ties"], o["rounds"]), 0.0831, None, 0.0001),
    "back line used": (lambda o: (o["backed"].sum((2, 3)), 2 * o["rounds"]), 1 - 0.717, None, 0.001),
    "reshuffles": (
        lambda o: (o["clauses"][:, :, [E_RESHUFFLE, E_RESHUFFLE_MID]].sum(2), np.ones_like(o["winner"])),
        0.632,
        None,
        0.001,
    ),
}


@pytest.mark.parametrize("figure", FIGURES)
def test_random_play_has_the_figures_of_the_independent_engine(figure: str, random_play: np.ndarray) -> None:
    counts, theirs, their_error, unit = FIGURES[figure]
    value, error = ratio(*counts(random_play))
    # Where they give no error, theirs is ours for as many games as they played.
    agree((value, error), theirs, their_error or error * sqrt(2 * DEALS / THEIR_GAMES), unit)


def test_the_spread_of_the_length_is_that_of_the_independent_engine(random_play: np.ndarray) -> None:
    spread = random_play["rounds"].std()
    agree((spread, spread / sqrt(4 * DEALS)), 7.4, spread / sqrt(2 * THEIR_GAMES), 0.1)


@pytest.mark.parametrize(
    ("kind", "plays", "swing"),
    [("J", 5.08, 3.78), ("Q", 5.06, 0.07), ("K", 5.07, 0.39), ("A", 5.05, 0.38), ("joker", 2.30, None)],
)
def test_back_line_plays_and_their_swing(kind: str, plays: float, swing: float | None, random_play: np.ndarray) -> None:
    backed, gained = (random_play[field][:, :, :, KINDS.index(kind)].sum(2) for field in ("backed", "gained"))
    times = sqrt(2 * DEALS / THEIR_GAMES)
    value, error = ratio(backed, np.ones_like(backed))
    agree((value, error), plays, error * times, 0.01)
    if swing is not None:
        value, error = ratio(gained, backed)
        agree((value, error), swing, error * times, 0.01)


def test_the_tp_lost_a_round_not_cut_at_the_tp_left(colina: Game) -> None:
    """With TP enough nothing is cut; forty rounds are a game's length, since fresh hands make the first ones dearer."""
    table = table_of(colina, rules={"start_points": 100_000, "max_rounds": 40}, seed=25)
    outcomes = table.play(0, DEALS)
    agree(ratio(outcomes["lost"].sum(2), outcomes["rounds"]), 4.388, 0.003, 0.001)


def test_the_mean_number_of_legal_moves_a_play(colina: Game) -> None:
    table, games = table_of(colina, seed=26), 300
    moves, plays = np.zeros(games), np.zeros(games)
    for game in range(games):
        for record in table.steps(game, 0, np.zeros(1, table.engine.outcome)):
            turn = int(record["state"]["turn"])
            if turn >= 0:
                with asked(table, turn):
                    moves[game] += len(table.legal_moves())
                plays[game] += 1
    value, error = ratio(moves, plays)
    agree((value, error), 9.04, error * sqrt(games / THEIR_GAMES), 0.01)


def test_every_game_ends_and_none_in_less_than_two_rounds(random_play: np.ndarray) -> None:
    assert random_play["unfinished"].sum() == 0
    assert random_play["rounds"].min() >= 2
    assert set(np.unique(random_play["winner"])) == {0, 1}
    assert (random_play["points"].min(2) == 0).all()
    assert (random_play["points"].max(2) > 0).all()


MOST_CARDS = """
from simkit.games.colina import back_of, count, count_moves, front_of, nth_move


def act(view, rules, params, rng):
    best, most = 0, 0
    for n in range(count_moves(view, rules)):
        move = nth_move(view, rules, n)
        cards = count(front_of(move)) + (back_of(move) >= 0)
        if cards > most:
            best, most = move, cards
    return best
"""


@pytest.mark.parametrize(("name", "theirs"), [("random", 0.82), ("greedy", 0.71)])
def test_as_many_cards_as_possible_wins_as_often_as_seen_there(
    name: str, theirs: float, colina: Game, make_player: MakePlayer
) -> None:
    players = [make_player(MOST_CARDS), shipped("colina", name)]
    outcomes = Table(colina, players, colina.resolve({}), 27).play(0, 10_000)
    wins = outcomes["winner"] == np.arange(2)  # player 0 sits at seat 0, then at seat 1
    value, error = ratio(wins, np.ones_like(wins))
    agree((value, error), theirs, error, 0.01)
