"""Sixty-Six as compiled against exact facts and against independent engines' figures.

All are in the game's rule document: "Exact facts to test against", "Figures from elsewhere" and "Figures from an
independent engine". Seeds are fixed; a tolerance is four standard errors, ours combined with theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, sqrt

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games.base import Game
from simkit.games.sixty_six.cards import code_of
from tests.slow.sixty_six import PACK, points_of
from tests.tables import table_of

DEALS = 100_000
HANDS = 20_000

Counts = Callable[[np.ndarray], np.ndarray]


def mean(values: np.ndarray) -> tuple[float, float]:
    """The mean over deals and its standard error."""
    return float(values.mean()), float(values.std()) / sqrt(len(values))


# --- exact facts ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def openings(sixty_six: Game) -> np.ndarray:
    """Subjects in the first hands, shape (deals, seats, subjects)."""
    opening: np.ndarray = table_of(sixty_six, seed=21).play(0, DEALS, rotations=1)[:, 0]["opening"]
    return opening


EXACT: dict[str, tuple[Counts, float]] = {
    "trump marriage in a hand": (lambda o: o[:, :, 0].mean(1), 10 / 253),
    "any marriage in a hand": (lambda o: (o[:, :, :2].sum(2) > 0).mean(1), 7031 / 33649),
    "no marriage in either hand": (lambda o: o[:, :, :2].sum((1, 2)) == 0, 97007 / 156009),
    "nine of trumps in a hand": (lambda o: o[:, :, 2].mean(1), 5 / 23),
}


@pytest.mark.parametrize("fact", EXACT)
def test_the_chances_of_the_subjects(fact: str, openings: np.ndarray) -> None:
    counts, exact = EXACT[fact]
    value, error = mean(counts(openings))
    assert value == pytest.approx(exact, abs=4 * error)


@pytest.fixture(scope="module")
def hands(sixty_six: Game) -> np.ndarray:
    """Which cards seat 0 is dealt (hands, 24), and whether they are trumps (hands, 24), as one array (2, hands, 24)."""
    table, outcome = table_of(sixty_six, seed=22), np.zeros(1, table_of(sixty_six).engine.outcome)
    sets = np.zeros((2, HANDS), np.uint64)
    for deal in range(HANDS):
        table.engine.begin(table.record[0], outcome[0], table.seed, np.uint64(deal), 0)
        state = table.record[0]["state"]
        sets[:, deal] = state["hand"][0], state["trumps"]
    cards: np.ndarray = (sets[:, :, None] >> np.arange(24, dtype=np.uint64)) & np.uint64(1)
    return cards.astype(np.int64)


def test_the_chance_of_no_trump(hands: np.ndarray) -> None:
    value, error = mean((hands[0] * hands[1]).sum(1) == 0)
    assert value == pytest.approx(884 / 4807, abs=4 * error)


def test_the_points_of_a_hand(hands: np.ndarray) -> None:
    points = hands[0] @ np.array([points_of(card) for card in sorted(PACK, key=code_of)])
    value, error = mean(points)
    assert value == pytest.approx(30, abs=4 * error)
    value, error = mean((points - 30) ** 2)
    assert value == pytest.approx(1800 / 23, abs=4 * error)
    value, error = mean(points >= 33)
    assert value == pytest.approx(24987 / 67298, abs=4 * error)
    assert points.min() >= 4 and points.max() <= 64
    assert (hands[0].sum(1) == 6).all()


# --- an independent engine's random play ------------------------------------------------------------------------------


def agree(ours: tuple[float, float], theirs: float, their_error: float, unit: float) -> None:
    """Our (value, error) is theirs within four combined standard errors and half a unit of their last digit."""
    assert ours[0] == pytest.approx(theirs, abs=4 * hypot(ours[1], their_error) + unit / 2)


def gain(outcomes: np.ndarray) -> np.ndarray:
    """The game points of seat 0 less those of seat 1."""
    difference: np.ndarray = outcomes["scores"][:, 0] - outcomes["scores"][:, 1]
    return difference


THEIR_DEALS = 97_000  # from the standard error .0016 of "seat 0 wins"
FIGURES: dict[str, dict[str, tuple[Counts, float, float | None, float]]] = {  # counts, theirs, error, unit
    "closing off": {
        "seat 0 wins": (lambda o: o["winner"] == 0, 0.5166, 0.0016, 0.0001),
        "seat 1 wins": (lambda o: o["winner"] == 1, 0.3810, 0.0016, 0.0001),
        "nobody wins": (lambda o: o["no_winner"], 0.1025, 0.0016, 0.0001),
        "gain of the first leader": (gain, 0.333, 0.006, 0.001),
        "tricks": (lambda o: o["tricks"], 8.887, None, 0.001),
        "points of seat 0": (lambda o: o["points"][:, 0], 54.61, None, 0.01),
        "points of seat 1": (lambda o: o["points"][:, 1], 45.97, None, 0.01),
    },
    "closing on": {
        "deals closed": (lambda o: o["closes"].sum(1), 0.98, None, 0.01),
        "closed and won": (lambda o: o["closes_won"].sum(1)[o["closes"].sum(1) > 0], 0.151, None, 0.001),
        "gain of the first leader": (gain, -0.970, 0.004, 0.001),
        "tricks": (lambda o: o["tricks"], 6.661, None, 0.001),
    },
}


@pytest.fixture(scope="module")
def random_play(sixty_six: Game) -> dict[str, np.ndarray]:
    """Outcomes of `random` against itself with and without closing, shape (deals,)."""
    rules = {"closing off": {"closing": False}, "closing on": {}}
    return {name: table_of(sixty_six, rules=r, seed=24).play(0, DEALS, 1)[:, 0] for name, r in rules.items()}


@pytest.mark.parametrize(("rules", "figure"), [(rules, figure) for rules in FIGURES for figure in FIGURES[rules]])
def test_random_play_has_the_figures_of_the_independent_engine(
    rules: str, figure: str, random_play: dict[str, np.ndarray]
) -> None:
    counts, theirs, their_error, unit = FIGURES[rules][figure]
    value, error = mean(counts(random_play[rules]))
    # Where they give no error, theirs is ours for as many deals as they played.
    agree((value, error), theirs, their_error or error * sqrt(DEALS / THEIR_DEALS), unit)


@pytest.mark.parametrize(("seat", "spread"), [(0, 23.6), (1, 27.1)])
def test_the_spread_of_points_is_that_of_the_independent_engine(
    seat: int, spread: float, random_play: dict[str, np.ndarray]
) -> None:
    found = random_play["closing off"]["points"][:, seat].std()
    agree((found, found / sqrt(2 * DEALS)), spread, spread / sqrt(2 * THEIR_DEALS), 0.1)


def test_half_of_all_random_leads_close(sixty_six: Game, random_play: dict[str, np.ndarray]) -> None:
    """Of the first leads: each closes with chance one half, whatever the hand."""
    at_once = random_play["closing on"]["clauses"][:, sixty_six.labels["clauses"].index("SS-6.2 closed at once")]
    value, error = mean(at_once)
    assert value == pytest.approx(0.5, abs=4 * error)


def test_a_random_match_to_seven_is_as_the_independent_engine_has_it(sixty_six: Game) -> None:
    outcomes = table_of(sixty_six, rules={"match_points": 7}, seed=25).play(0, 40_000, 1)[:, 0]
    assert outcomes["unfinished"].sum() == 0
    for found, theirs, unit in ((outcomes["winner"] == 0, 0.430, 0.001), (outcomes["deals"], 5.68, 0.01)):
        value, error = mean(found)
        agree((value, error), theirs, error, unit)


# --- another engine's step-by-step random play ------------------------------------------------------------------------

STEP_BY_STEP = '''
"""Among each card, closing and exchange, one at a time, each as likely; a marriage is declared with its card."""

from simkit.games.sixty_six import CLOSE, EXCHANGE, MARRIAGE, bit, couples, exchanged, nth_bit, ones
from simkit.rng import below


def act(view, rules, params, rng):
    flags, hand = 0, view.legal
    may_close, may_exchange = view.may_close, view.may_exchange
    while True:
        chosen = below(rng, ones(hand) + may_close + may_exchange)
        if chosen < ones(hand):
            break
        if may_close and chosen == ones(hand):
            flags |= CLOSE
            may_close = may_exchange = 0
        else:
            flags |= EXCHANGE
            hand = exchanged(hand, view)
            may_exchange = 0
    card = nth_bit(hand, chosen)
    wed = couples(hand) if flags & EXCHANGE else view.couples
    return card | flags | (MARRIAGE if wed & bit(card) else 0)
'''
VARIANT = {
    **{"failed_close_points": 3, "must_head": True, "nine_exchange": "optional"},
    **{"free_first_lead": False, "min_stock": 4},
}
THEIR_STEPS = 400_000  # deals, from the standard error .003 of a gain with spread 1.9
SHARES = {-3: 0.226, -2: 0.119, -1: 0.131, 1: 0.135, 2: 0.166, 3: 0.219}


@pytest.fixture(scope="module")
def step_by_step(sixty_six: Game, tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """Outcomes of step-by-step random play with the bonus of the last trick and without, shape (deals,)."""
    from simkit import strategy
    from simkit.driver import engine
    from simkit.player import compile_player

    path = tmp_path_factory.mktemp("strategies") / "step_by_step.py"
    path.write_text(STEP_BY_STEP, encoding="utf-8")
    player = compile_player(engine(sixty_six), strategy.read(path), "step_by_step", {})
    found = {}
    for last_trick in ("bonus10", "none"):
        values = sixty_six.resolve({**VARIANT, "last_trick": last_trick})
        found[last_trick] = Table(sixty_six, [player] * 2, values, 26).play(0, DEALS, 1)[:, 0]
    return found


def test_the_first_leader_gains_as_another_engine_has_it(step_by_step: dict[str, np.ndarray]) -> None:
    agree(mean(gain(step_by_step["bonus10"])), 0.072, 0.003 / sqrt(2), 0.001)


@pytest.mark.parametrize("points", SHARES)
def test_the_shares_of_results_are_those_of_another_engine(points: int, step_by_step: dict[str, np.ndarray]) -> None:
    value, error = mean(gain(step_by_step["bonus10"]) == points)
    agree((value, error), SHARES[points], error * sqrt(DEALS / THEIR_STEPS), 0.001)


@pytest.mark.parametrize(("last_trick", "share", "unit"), [("bonus10", 0.0037, 0.0001), ("none", 0.046, 0.001)])
def test_deals_without_a_winner_are_as_many_as_there(
    last_trick: str, share: float, unit: float, step_by_step: dict[str, np.ndarray]
) -> None:
    value, error = mean(step_by_step[last_trick]["no_winner"])
    agree((value, error), share, error * sqrt(DEALS / THEIR_STEPS), unit)


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_points_and_tricks_of_a_deal_stay_within_their_bounds(random_play: dict[str, np.ndarray]) -> None:
    for outcomes in random_play.values():
        assert (outcomes["points"].sum(1) <= 120 + outcomes["marriage_points"].sum(1)).all()
        assert outcomes["tricks"].max() <= 12 and outcomes["tricks"].min() >= 1
        assert outcomes["scores"].max() <= 3
        assert ((outcomes["winner"] < 0) == (outcomes["no_winner"] == 1)).all()
