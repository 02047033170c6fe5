"""The deal's share of the score, from deals played with the seats swapped."""

import math

import numpy as np
import pytest

from simkit.stats.luck import luck, luck_columns
from simkit.tally import Moments


def swapped(rng, deals, deal_sd, play_sd, skill=0):
    """Scores of one player in both games of each deal, in tenths of a point."""
    favour = rng.normal(0, 10 * deal_sd, deals)
    first, second = rng.normal(10 * skill, 10 * play_sd, (2, deals))
    return [np.rint(score).astype(np.int64) for score in (first + favour, second - favour)]


def test_deal_sd_3_and_play_sd_4_are_9_parts_in_25():
    estimate = luck(Moments.of(luck_columns(*swapped(np.random.default_rng(1), 200_000, 3, 4, skill=2))))
    assert estimate.value == pytest.approx(9 / 25, abs=0.01)
    assert estimate.low < 9 / 25 < estimate.high
    assert estimate.high - estimate.low < 0.02
    assert (estimate.deals, estimate.count) == (200_000, 400_000)


def test_the_share_is_minus_covariance_over_variance():
    first, second = swapped(np.random.default_rng(2), 50, 3, 4)
    (v1, c), (_, v2) = np.cov(first, second)
    assert luck(Moments.of(luck_columns(first, second))).value == pytest.approx(-c / ((v1 + v2) / 2))


def test_the_error_is_the_jackknifes():
    first, second = swapped(np.random.default_rng(3), 400, 3, 4, skill=5)
    left_out = [
        luck(Moments.of(luck_columns(np.delete(first, deal), np.delete(second, deal)))).value for deal in range(400)
    ]
    jackknife = math.sqrt(399 * np.var(left_out))
    assert luck(Moments.of(luck_columns(first, second))).se == pytest.approx(jackknife, rel=0.02)


@pytest.mark.parametrize("deal_sd", [0, 1, 3, 12])
def test_the_interval_holds(deal_sd):
    rng = np.random.default_rng(4)
    truth = deal_sd**2 / (deal_sd**2 + 16)
    estimates = [luck(Moments.of(luck_columns(*swapped(rng, 500, deal_sd, 4)))) for _ in range(1_000)]
    assert np.mean([e.low <= truth <= e.high for e in estimates]) == pytest.approx(0.95, abs=0.028)


def test_a_game_of_pure_luck_is_all_deal():
    score = np.array([5, -3, 2, 0])
    estimate = luck(Moments.of(luck_columns(score, -score)))
    assert (estimate.value, estimate.se) == (1, 0)


def test_without_any_variance_there_is_no_share():
    assert math.isnan(luck(Moments.of(luck_columns(np.full(5, 2), np.full(5, 3)))).value)
    assert math.isnan(luck(Moments.zero(5)).value)


def test_scores_whose_squares_overflow_are_refused():
    with pytest.raises(ValueError, match="2\\^31"):
        luck_columns(np.array([0]), np.array([-(2**31)]))
