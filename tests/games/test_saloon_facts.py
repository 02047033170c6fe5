"""Saloon as compiled against exact facts and against independent engines' figures.

All facts are in the game's rule document; the figures are from it ("Figures from an independent engine") and from a
program in C written for speed, with strategies defined alike. Seeds are fixed; a tolerance is four standard errors.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import hypot, sqrt

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games import get_game
from simkit.games.saloon.cards import of_suit
from tests.slow.transcript import known_answers
from tests.tables import table_of

DEALS = 30_000
GAMES = 60_000
FACTS = [Fraction(case["expect"]["value"]) for case in known_answers("saloon")["cases"] if case["kind"] == "fact"]
SUITS = np.array([int(of_suit(suit)) for suit in range(4)], np.uint64)
CLIENTS = np.array([0xF000F << 4 * suit for suit in range(4)], np.uint64)

Figure = Callable[[np.ndarray], tuple[float, float]]


def mean(values: np.ndarray) -> tuple[float, float]:
    """The mean over deals and its standard error."""
    return float(values.mean()), float(values.std()) / sqrt(len(values))


# --- exact facts ------------------------------------------------------------------------------------------------------


@cache
def dealt(packs: int = 1, hand_size: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and clients of seat 1 by suit as dealt, each of shape (deals, 4)."""
    table = table_of(get_game("saloon"), rules={"packs": packs, "hand_size": hand_size}, seed=21)
    outcome, words = np.zeros(1, table.engine.outcome), np.zeros((3, DEALS), np.uint64)
    for deal in range(DEALS):
        table.engine.begin(table.record[0], outcome[0], table.seed, np.uint64(deal), 0)
        state = table.record[0]["state"]
        words[:, deal] = state["hand"][1], state["hand_2"][1], state["clients"][1]
    numbers = np.bitwise_count(words[:2, :, None] & SUITS).sum(0)
    clients = np.bitwise_count(words[2][:, None] & CLIENTS)
    return numbers.astype(np.int64), clients.astype(np.int64)


def honest_payment(numbers: np.ndarray, clients: np.ndarray) -> np.ndarray:
    """Whether a hand can pay one of four clients honestly."""
    can: np.ndarray = np.any((numbers >= 3) & (clients > 0), axis=1)
    return can


EXACT: dict[str, tuple[Callable[[], np.ndarray], Fraction]] = {
    "three cards of a given suit": (lambda: (dealt()[0] >= 3).mean(1), FACTS[0]),
    "three cards of some suit": (lambda: np.any(dealt()[0] >= 3, axis=1), FACTS[1]),
    "suits among the clients": (lambda: (dealt()[1] > 0).sum(1), FACTS[2]),
    "an honest payment": (lambda: honest_payment(*dealt()), FACTS[3]),
    "an honest payment, two packs": (lambda: honest_payment(*dealt(packs=2)), Fraction("0.2701907046")),
    "three cards all of a given suit": (lambda: (dealt(hand_size=3)[0] == 3).mean(1), FACTS[4]),
    "four cards all of a given suit": (lambda: (dealt(hand_size=4)[0] == 4).mean(1), FACTS[5]),
}


@pytest.mark.parametrize("fact", EXACT)
def test_the_chances_of_a_deal(fact: str) -> None:
    found, exact = EXACT[fact]
    value, error = mean(found())
    assert value == pytest.approx(float(exact), abs=4 * error)


# --- an independent engine's random play ------------------------------------------------------------------------------


def agree(ours: tuple[float, float], theirs: float, their_error: float, unit: float) -> None:
    """Our (value, error) is theirs within four combined standard errors and half a unit of their last digit."""
    assert ours[0] == pytest.approx(theirs, abs=4 * hypot(ours[1], their_error) + unit / 2)


def ratio(parts: np.ndarray, wholes: np.ndarray) -> tuple[float, float]:
    """The ratio of two sums over games and its standard error (delta method)."""
    value = float(parts.sum() / wholes.sum())
    residuals = parts - value * wholes
    return value, float(residuals.std()) / sqrt(len(parts)) / float(wholes.mean())


def per_turn(field: str) -> Figure:
    """What a field counts over all seats, a turn."""
    return lambda o: ratio(o[field].reshape(len(o), -1).sum(1), o["turns"])


def wins(seat: int) -> Figure:
    """The share of games that a seat wins."""
    return lambda o: mean(o["winner"] == seat)


def turns(outcomes: np.ndarray) -> tuple[float, float]:
    """The mean number of turns."""
    return mean(outcomes["turns"])


def reshuffles(outcomes: np.ndarray) -> tuple[float, float]:
    """The mean number of reshuffles."""
    return mean(outcomes["reshuffles"])


def honest_share(outcomes: np.ndarray) -> tuple[float, float]:
    """Honest payments among all."""
    return ratio(outcomes["honest"].sum(1), outcomes["payments"])


@cache
def played(strategy: str, players: int) -> np.ndarray:
    """Outcomes of a strategy against itself, shape (games,)."""
    table = table_of(get_game("saloon"), [strategy], {"players": players}, seed=24)
    outcomes: np.ndarray = table.play(0, GAMES, 1)[:, 0]
    return outcomes


THEIR_GAMES = {2: 127_000, 3: 68_000, 4: 60_000}  # from the standard errors of "seat 0 wins"
FIGURES: dict[int, dict[str, tuple[Figure, float, float]]] = {  # by players: ours, theirs, unit
    2: {
        "turns": (turns, 19.451, 0.001),
        "seat 0 wins": (wins(0), 0.5179, 0.0001),
        "payments": (per_turn("payments"), 0.6128, 0.0001),
        "swaps": (per_turn("swaps"), 0.2995, 0.0001),
        "draws": (per_turn("draws"), 0.0878, 0.0001),
        "honest payments": (honest_share, 0.0102, 0.0001),
        "reshuffles": (reshuffles, 1.208, 0.001),
    },
    3: {"turns": (turns, 25.03, 0.01)}
    | {f"seat {seat} wins": (wins(seat), share, 0.0001) for seat, share in enumerate((0.3517, 0.3387, 0.3095))},
    4: {"turns": (turns, 26.47, 0.01)}
    | {f"seat {seat} wins": (wins(seat), share, 0.0001) for seat, share in enumerate((0.2775, 0.2595, 0.2381, 0.2248))},
}


@pytest.mark.parametrize(("players", "figure"), [(number, name) for number in FIGURES for name in FIGURES[number]])
def test_random_play_has_the_figures_of_the_independent_engine(players: int, figure: str) -> None:
    ours, theirs, unit = FIGURES[players][figure]
    value, error = ours(played("random", players))
    # Theirs is uncertain as ours is for as many games as they played.
    agree((value, error), theirs, error * sqrt(GAMES / THEIR_GAMES[players]), unit)


# --- a program in C ---------------------------------------------------------------------------------------------------

C_GAMES = 1_000_000
C_FIGURES = {  # turns, seat 0 wins, payments and swaps a turn, reshuffles, honest payments
    ("random", 2): (19.4903, 0.51668, 0.61257, 0.29964, 1.2095, 0.01020),
    ("honest", 2): (31.9898, 0.53458, 0.21346, 0.78314, 1.5640, 1.0),
    ("bluffer", 2): (19.1904, 0.51412, 0.47685, 0.43700, 1.0154, 0.36212),
    ("random", 4): (26.5393, 0.27687, 0.71708, 0.20975, 2.8331, 0.01074),
    ("honest", 4): (60.8135, 0.28208, 0.20110, 0.79605, 5.3137, 1.0),
    ("bluffer", 4): (31.2623, 0.26865, 0.48947, 0.43021, 2.7236, 0.36925),
}


@pytest.mark.parametrize(("strategy", "players"), C_FIGURES)
def test_strategies_play_as_in_a_program_in_c(strategy: str, players: int) -> None:
    """Defined alike there, to the order of cards, clients and judges."""
    outcomes, theirs = played(strategy, players), C_FIGURES[strategy, players]
    figures = (turns, wins(0), per_turn("payments"), per_turn("swaps"), reshuffles, honest_share)
    for figure, value in zip(figures, theirs, strict=True):
        found, error = figure(outcomes)
        agree((found, error), value, error * sqrt(GAMES / C_GAMES), 0.0001)


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_counts_of_a_game_stay_within_their_bounds() -> None:
    for strategy, players in C_FIGURES:
        outcomes = played(strategy, players)
        acts = outcomes["payments"] + outcomes["draws"].sum(1) + outcomes["swaps"].sum(1)
        assert (acts == outcomes["turns"]).all()
        assert (outcomes["honest"].sum(1) + outcomes["bluffs"].sum(1) == outcomes["payments"]).all()
        assert outcomes["freed"].max() <= 4
        finished = outcomes[outcomes["unfinished"] == 0]
        assert (finished["scores"].sum(1) == 1).all()
        assert (np.sort(finished["rank"])[:, -players:] == np.arange(1, players + 1)).all()
        assert (finished["freed"][np.arange(len(finished)), finished["winner"]] == 4).all()


def test_bluffers_against_doubters_can_go_on_for_a_thousand_turns() -> None:
    """The rule document's remark, and the independent engine's: such a game is stopped, and has no winner."""
    game = get_game("saloon")
    table = table_of(game, ["bluffer"], {"max_turns": 1000})
    stubborn = [player.with_parameters({"bluff": 1.0, "doubt": 1.0}) for player in table.players]
    outcomes = Table(game, stubborn, table.rules[0], 3).play(0, 300)
    assert outcomes["believed_bluffs"].sum() == 0
    stopped = outcomes[outcomes["unfinished"] == 1]
    assert len(stopped) > 20
    assert (stopped["winner"] == -1).all() and (stopped["turns"] == 1000).all()
