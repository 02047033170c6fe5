"""Intervals of proportions against published numbers."""

import math

import pytest

from simkit.stats.intervals import jeffreys, needed_deals, never_seen, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # Roots of (p̂ − p)² = z² p (1 − p)/n, Wilson (1927).
    [(0, 10, 0, 0.277533), (15, 20, 0.531299, 0.888138), (550, 1000, 0.519033, 0.580585)],
)
def test_wilson_gives_the_known_intervals(successes, trials, low, high):
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-6)


def test_jeffreys_gives_the_known_interval():
    # The 2.5 % and 97.5 % points of Beta(15.5, 5.5).
    assert jeffreys(15, 20) == pytest.approx((0.535805, 0.897602), abs=1e-6)


@pytest.mark.parametrize("interval", [wilson, jeffreys])
def test_no_trials_give_no_interval(interval):
    assert all(map(math.isnan, interval(0, 0)))


def test_a_higher_level_is_wider():
    assert wilson(5, 10, level=0.99)[0] < wilson(5, 10)[0] < 0.5 < wilson(5, 10)[1] < wilson(5, 10, level=0.99)[1]


@pytest.mark.parametrize(("half_width", "games"), [(0.01, 9_604), (0.001, 960_365)])
def test_a_win_rate_of_a_half_needs_the_textbook_number_of_games(half_width, games):
    # n = (1.959964 * 0.5 / half-width)^2, rounded up.
    assert needed_deals(0.5 / math.sqrt(400), 400, half_width) == games


def test_no_plan_for_no_width_or_an_unknown_error():
    with pytest.raises(ValueError, match="half-width of 0"):
        needed_deals(0.1, 100, 0)
    with pytest.raises(ValueError, match="error of nan"):
        needed_deals(math.nan, 1, 0.1)


def test_what_was_never_seen_may_still_be_there_by_the_rule_of_three():
    """Hanley & Lippman-Hand 1983: about 3/n; exactly, (1 − p)^n = 0.05."""
    assert never_seen(1) == pytest.approx(0.95)
    for trials in (30, 100, 10_000):
        assert (1 - never_seen(trials)) ** trials == pytest.approx(0.05)
    assert never_seen(10_000) == pytest.approx(3 / 10_000, rel=0.002)
    assert never_seen(0) == 1
