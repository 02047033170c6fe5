"""Lost Cities as compiled against exact facts and against others' figures of random play.

The facts are in docs/rules/lost_cities.md. The figures are those of a public data set of 11,303 games of random play
(with `redraw_own_discard`), and of an independent program that plays as `first_fit` does. Seeds are fixed; a
tolerance is four standard errors, ours combined with theirs where theirs is known, and half a unit of their last digit.
"""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np
import pytest

from simkit.games.base import Game
from simkit.games.lost_cities.counts import E_CUT
from simkit.games.lost_cities.tell import hand_of
from tests.tables import table_of

DEALS = 30_000
THEIR_GAMES = 11_303  # of the data set of random play


def mean(values: np.ndarray) -> tuple[float, float]:
    """The mean and its standard error; values are (deals,) or (deals, rotations), and deals are the unit."""
    deals = values.reshape(len(values), -1).mean(1)
    return deals.mean(), deals.std() / sqrt(len(deals))


# --- exact facts ------------------------------------------------------------------------------------------------------


def test_the_chance_to_be_dealt_no_investment_card(lost_cities: Game) -> None:
    outcomes = table_of(lost_cities, rules={"max_turns": 1}, seed=31).play(0, 100_000, rotations=1)
    value, error = mean(outcomes[:, 0]["opening"][:, :, 0] == 0)
    assert value == pytest.approx(22919 / 272049, abs=4 * error)


@pytest.fixture(scope="module")
def hands(lost_cities: Game) -> np.ndarray:
    """How many cards of each colour seat 0 and seat 1 are dealt, shape (deals, seats, colours)."""
    table, outcome = table_of(lost_cities, seed=32), np.zeros(1, table_of(lost_cities).engine.outcome)
    found = np.zeros((10_000, 2, 5), np.int64)
    for deal in range(len(found)):
        table.engine.begin(table.record[0], outcome[0], table.seed, np.uint64(deal), 0)
        for seat in (0, 1):
            letters = [card[0] for card in hand_of(table.record[0]["state"]["seats"][seat])]
            found[deal, seat] = [letters.count(letter) for letter in "YBWGR"]
    return found


def test_the_chance_of_all_colours_and_of_many_cards_of_one(hands: np.ndarray) -> None:
    for found, chance in ((hands.min(2) > 0, 0.3779876342), (hands.max(2) >= 4, 0.2161443053)):
        value, error = mean(found)
        assert value == pytest.approx(chance, abs=4 * error)


def test_every_card_is_as_likely_in_each_place_of_the_deal(lost_cities: Game) -> None:
    """A chi-square of 60 cards by 60 places has 59 × 59 degrees of freedom."""
    table, outcome, deals = table_of(lost_cities, seed=33), np.zeros(1, table_of(lost_cities).engine.outcome), 20_000
    counts = np.zeros((60, 60))
    for deal in range(deals):
        table.engine.begin(table.record[0], outcome[0], table.seed, np.uint64(deal), 0)
        counts[table.record[0]["state"]["deck"][:60], np.arange(60)] += 1
    chi = ((counts - deals / 60) ** 2 / (deals / 60)).sum()
    freedom = 59 * 59
    assert chi == pytest.approx(freedom, abs=4 * sqrt(2 * freedom))


def test_without_discards_taken_a_game_lasts_44_half_turns_each_way(lost_cities: Game) -> None:
    outcomes = table_of(lost_cities, ["first_fit"], seed=34).play(0, 1000)
    assert (outcomes["turns"] == 44).all()
    assert (outcomes["laid"] + outcomes["discarded"] == 22).all()
    assert (outcomes["taken"] == 0).all()


def test_totals_stay_within_what_is_possible(random_play: np.ndarray) -> None:
    assert random_play["scores"].min() >= -400
    assert random_play["scores"].max() <= 580


def test_a_round_that_is_cut_short_is_scored_and_can_be_won(lost_cities: Game) -> None:
    outcomes = table_of(lost_cities, rules={"max_turns": 10, "rounds": 2}, seed=35).play(0, 500)
    assert (outcomes["unfinished"] == 1).all()
    assert (outcomes["turns"] == 20).all()
    assert (outcomes["clauses"][:, :, E_CUT] == 2).all()
    ahead = np.sign(outcomes["scores"][:, :, 0] - outcomes["scores"][:, :, 1])
    assert (outcomes["winner"] == np.choose(ahead + 1, [1, -1, 0])).all()
    assert set(np.unique(ahead)) == {-1, 0, 1}


# --- figures from elsewhere -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def random_play(lost_cities: Game) -> np.ndarray:
    """Outcomes of `random` against itself with `redraw_own_discard`, as in the data set; shape (deals, rotations)."""
    return table_of(lost_cities, rules={"redraw_own_discard": True}, seed=36).play(0, DEALS)


@pytest.mark.parametrize(("seat", "theirs"), [(0, -32.67), (1, -33.22)])
def test_random_play_scores_as_in_the_public_data_set(seat: int, theirs: float, random_play: np.ndarray) -> None:
    value, error = mean(random_play["scores"][:, :, seat])
    assert value == pytest.approx(theirs, abs=4 * hypot(error, 20.2 / sqrt(THEIR_GAMES)) + 0.005)


def test_random_play_spreads_and_ties_as_in_the_public_data_set(random_play: np.ndarray) -> None:
    spread = random_play["scores"].std()
    assert spread == pytest.approx(20.2, abs=4 * hypot(spread / sqrt(4 * DEALS), spread / sqrt(2 * THEIR_GAMES)) + 0.05)
    value, error = mean(random_play["winner"] < 0)
    assert value == pytest.approx(0.0116, abs=4 * hypot(error, sqrt(0.0116 / THEIR_GAMES)) + 0.00005)


@pytest.mark.parametrize(("colours", "theirs"), [(5, -32.6), (6, -38.7)])
def test_first_fit_scores_as_elsewhere(colours: int, theirs: float, lost_cities: Game) -> None:
    outcomes = table_of(lost_cities, ["first_fit"], {"colors": colours}, seed=37).play(0, DEALS)
    for seat in (0, 1):
        value, error = mean(outcomes["scores"][:, :, seat])
        assert value == pytest.approx(theirs, abs=4 * error + 0.05)


def test_first_fit_spreads_and_ties_as_elsewhere(lost_cities: Game) -> None:
    outcomes = table_of(lost_cities, ["first_fit"], seed=38).play(0, DEALS)
    spread = outcomes["scores"].std()
    assert spread == pytest.approx(19.8, abs=4 * spread / sqrt(4 * DEALS) + 0.05)
    value, error = mean(outcomes["winner"] < 0)
    assert value == pytest.approx(0.014, abs=4 * error + 0.0005)


@pytest.mark.parametrize(
    ("rules", "warned"),
    [({}, 0), ({"bonus_cards": 13}, 1), ({"bonus_cards": 12, "wagers": 2}, 1), ({"bonus_cards": 13, "bonus": 0}, 0)],
)
def test_a_bonus_that_nobody_can_earn_is_warned_of(lost_cities: Game, rules: dict[str, int], warned: int) -> None:
    """LC-4.3: above 9 + wagers cards."""
    assert len(lost_cities.warnings(lost_cities.resolve(rules))) == warned
