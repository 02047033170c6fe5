"""Where a win rate crosses a target: known lines, intervals that hold 95 times in 100, and none where there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from simkit.stats.crossing import (
    cross_differences,
    cross_shares,
    crossing,
    crossing_of_differences,
    fieller,
    share_covariance,
)
from simkit.stats.ratios import difference
from simkit.tally import Moments

REPEATS = 1_000
SLACK = 4 * math.sqrt(0.95 * 0.05 / REPEATS)  # four standard errors of a simulated coverage
VALUES = (10, 15, 20, 25, 30)


def rate(x: float, fair: float, slope: float, target: float = 0.5) -> float:
    return 1 / (1 + math.exp(-slope * (x - fair) - math.log(target / (1 - target))))


def moments_of(rng: np.random.Generator, rates: list[float], deals: int = 400, shared: float = 0.6) -> Moments:
    """Two games a deal at each value; deals are lucky or not at all values alike, a Gaussian copula."""
    from scipy.special import ndtr

    luck = rng.standard_normal((deals, 1)) * math.sqrt(shared)
    columns = []
    for p in rates:
        own = rng.standard_normal((deals, 2)) * math.sqrt(1 - shared)
        columns += [(ndtr(luck + own) < p).sum(axis=1), np.full(deals, 2)]
    return Moments.of(columns)


def test_a_line_without_noise_crosses_where_it_does() -> None:
    shares = [rate(x, 17.3, 0.04, 0.6) for x in VALUES]
    found = cross_shares(VALUES, shares, [1] * 5, np.eye(5) * 1e-10, 0.6, 1.96)
    assert found.value == pytest.approx(17.3, abs=1e-6)
    assert found.slope == pytest.approx(0.04, abs=1e-9)
    assert found.largest_miss < 1e-9
    assert found.bounded and found.low < 17.3 < found.high


def test_the_interval_holds_the_crossing_95_times_in_100() -> None:
    rng = np.random.default_rng(1)
    shares = [rate(x, 18.0, 0.05) for x in VALUES]
    held, misfits = 0, []
    for _ in range(REPEATS):
        found = crossing(VALUES, moments_of(rng, shares), 0.5)
        assert found is not None and found.bounded
        held += found.low <= 18.0 <= found.high
        misfits.append(found.misfit)
    assert abs(held / REPEATS - 0.95) < SLACK
    assert abs(float(np.mean(np.array(misfits) < 0.05)) - 0.05) < SLACK  # the line is the right one


def test_the_covariance_is_that_of_differences_on_the_same_deals() -> None:
    moments = moments_of(np.random.default_rng(2), [0.4, 0.5], deals=500)
    spread = share_covariance(moments)
    paired = spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]
    assert math.sqrt(paired) == pytest.approx(difference(moments).se, rel=1e-9)
    assert spread[0, 1] > 0


def test_a_level_line_has_an_interval_without_end() -> None:
    found = crossing(VALUES, moments_of(np.random.default_rng(3), [0.5] * 5), 0.5)
    assert found is not None and not found.bounded


@pytest.mark.parametrize(("line", "spread"), [((0.3, 0.1), 0.02), ((0.3, 0.01), 0.1), ((0.01, 0.01), 0.1)])
def test_fiellers_ends_are_where_the_test_is_just_decided(line: tuple[float, float], spread: float) -> None:
    covariance = spread**2 * np.array([[1.0, 0.2], [0.2, 0.5]])

    def beyond(x: float) -> float:
        at = np.array([1.0, x])
        return float((at @ np.array(line)) ** 2 - 1.96**2 * at @ covariance @ at)

    low, high, bounded = fieller(np.array(line), covariance, 1.96)
    if math.isnan(low):
        assert all(beyond(x) <= 0 for x in np.linspace(-1e3, 1e3, 2001))
        return
    assert beyond((low + high) / 2) * (1 if bounded else -1) < 0
    step = (high - low) / 4
    for end in (low, high):
        assert end == pytest.approx(brentq(beyond, end - step, end + step), abs=1e-6)


def test_a_curve_that_is_no_line_is_told() -> None:
    shares = [0.4, 0.55, 0.6, 0.55, 0.4]
    found = crossing(VALUES, moments_of(np.random.default_rng(4), shares, deals=2_000), 0.5)
    assert found is not None
    assert found.misfit < 1e-6 and found.largest_miss > 0.05


def test_nothing_is_drawn_through_a_win_rate_of_0_or_1() -> None:
    ones, twos = np.ones(50, dtype=np.int64), np.full(50, 2)
    assert crossing((1, 2), Moments.of([ones, twos, twos, twos]), 0.5) is None
    assert crossing((1, 2), Moments.of([ones, twos, 0 * ones, 0 * ones]), 0.5) is None
    assert crossing((1, 2), Moments.zero(4), 0.5) is None


def card_moments(rng: np.random.Generator, adds: list[float], deals: int = 300) -> Moments:
    """One game a deal, with a card and without, at each value; all on the same luck."""
    luck, games, columns = rng.random(deals), np.ones(deals, np.int64), []
    for add in adds:
        own = (luck + 0.1 * rng.random(deals)) % 1  # each value shuffles a little
        columns += [own < 0.5 + add, games, own < 0.5, games]
    return Moments.of([np.asarray(column, np.int64) for column in columns])


def test_a_straight_line_of_differences_crosses_where_it_does() -> None:
    adds = [0.02 * (x - 17.3) + 0.05 for x in VALUES]
    found = cross_differences(VALUES, adds, np.eye(5) * 1e-10, 0.05, 1.96)
    assert found.value == pytest.approx(17.3, abs=1e-9)
    assert found.slope == pytest.approx(0.02, abs=1e-12)
    assert found.largest_miss < 1e-12 and found.misfit > 0.99
    assert found.bounded and found.low < 17.3 < found.high
    bent = cross_differences(VALUES, [*adds[:-1], adds[-1] + 0.1], np.eye(5) * 1e-6, 0.05, 1.96)
    assert bent.misfit < 1e-6


def test_the_interval_of_differences_holds_the_crossing_95_times_in_100() -> None:
    rng = np.random.default_rng(3)
    values = VALUES[::2]
    adds = [0.015 * (x - 18) for x in values]  # below zero as well
    held, misfits = 0, []
    for _ in range(REPEATS):
        found = crossing_of_differences(values, card_moments(rng, adds), 0.0)
        assert found is not None and found.bounded
        held += found.low <= 18.0 <= found.high
        misfits.append(found.misfit)
    assert abs(held / REPEATS - 0.95) < SLACK
    assert abs(float(np.mean(np.array(misfits) < 0.05)) - 0.05) < SLACK


def test_where_a_card_never_changes_a_game_no_line_is_drawn() -> None:
    same = np.array([1, 0, 1, 1]), np.ones(4, np.int64)
    assert crossing_of_differences((10, 20), Moments.of([*same, *same] * 2), 0.0) is None
    nothing = np.zeros(4, np.int64), np.zeros(4, np.int64)
    assert crossing_of_differences((10, 20), Moments.of([*same, *nothing] * 2), 0.0) is None
