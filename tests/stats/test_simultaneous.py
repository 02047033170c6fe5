"""Intervals and ranks of many numbers at once: known quantiles, joint coverage, and no order where there is none."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, norm, studentized_range

from simkit.answer import Estimate
from simkit.measures import WinRate
from simkit.series import Differences
from simkit.stats import simultaneous
from simkit.stats.always_valid import mean_always
from simkit.stats.simultaneous import Less, Ranking, ranked

DEALS, SEEDS = 10_000, 200


def estimate(value: float, se: float, deals: int = DEALS) -> Estimate:
    return Estimate(value, value - 2 * se, value + 2 * se, se, deals, deals)


def measured(values: np.ndarray, covariance: np.ndarray, deals: int = DEALS) -> tuple[list[Estimate], Less]:
    """Numbers with errors of that covariance, and their differences."""
    found = [estimate(float(v), math.sqrt(c), deals) for v, c in zip(values, np.diag(covariance), strict=True)]

    def less(i: int, j: int) -> Estimate:
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        return estimate(float(values[i] - values[j]), math.sqrt(max(0.0, variance)), deals)

    return found, less


def order_of(values: list[float], se: float = 0.01) -> Ranking:
    return ranked(*measured(np.array(values), se**2 * np.eye(len(values))))


@pytest.fixture
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simultaneous, "DRAWS", 4_000)


# --- known quantiles --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [1, 2, 5])
def test_independent_numbers_get_the_intervals_of_sidak(many: int) -> None:
    low, high = order_of([0.0] * many).intervals[0]
    reach = norm.ppf((1 + 0.95 ** (1 / many)) / 2)  # Šidák 1967
    assert (high - low) / 2 == pytest.approx(0.01 * reach, rel=0.01)


@pytest.mark.parametrize("many", [2, 3, 6])
def test_pairs_of_independent_numbers_are_told_apart_as_by_tukey(many: int) -> None:
    reach = 0.01 * math.sqrt(2) * studentized_range.ppf(0.95, many, math.inf) / math.sqrt(2)  # Tukey's range test
    for gap, is_sure in ((0.98 * reach, False), (1.02 * reach, True)):
        order = order_of([gap, *[0.0] * (many - 1)])
        assert (order.first == (0,)) is is_sure
        assert order.told_apart == (many - 1) * is_sure


def test_numbers_that_go_together_get_narrower_intervals_than_by_bonferroni() -> None:
    alike = 0.01**2 * (0.9 + 0.1 * np.eye(6))
    low, high = ranked(*measured(np.zeros(6), alike)).intervals[0]
    assert 1.96 < (high - low) / 0.02 < 2.45 < norm.ppf(1 - 0.05 / 12)


def test_of_few_deals_the_quantile_is_students() -> None:
    order = ranked(*measured(np.zeros(1), np.array([[0.01**2]]), deals=31))
    assert order.intervals[0][1] == pytest.approx(0.01 * 2.0423, rel=0.02)  # t of 30 degrees of freedom


# --- ranks ------------------------------------------------------------------------------------------------------------


def test_ranks_are_those_that_the_pairs_leave_open() -> None:
    order = order_of([0.30, 0.10, 0.095, -0.2])
    assert order.ranks == ((1, 1), (2, 3), (2, 3), (4, 4))
    assert (order.first, order.told_apart, order.pairs) == ((0,), 5, 6)


def test_what_was_not_seen_has_no_rank_and_what_was_hardly_seen_may_have_any() -> None:
    values, less = measured(np.array([0.3, 0.0, math.nan, 0.1]), 0.01**2 * np.eye(4))
    values[1] = estimate(0.0, 0.01, deals=29)

    def few(i: int, j: int) -> Estimate:
        return estimate(values[i].value - values[j].value, 0.01, deals=29) if 1 in (i, j) else less(i, j)

    order = ranked(values, few)
    assert order.ranks == ((1, 2), (1, 3), None, (2, 3))
    assert order.intervals[1] == (-math.inf, math.inf)
    assert all(math.isnan(end) for end in order.intervals[2])


def test_bars_that_change_nothing_are_exactly_equal() -> None:
    covariance = np.zeros((3, 3))
    covariance[2, 2] = 0.01**2
    order = ranked(*measured(np.array([0.0, 0.0, 0.1]), covariance))
    assert order.ranks == ((2, 3), (2, 3), (1, 1))
    assert order.intervals[0] == (0.0, 0.0)


def test_intervals_that_always_hold_are_taken_at_bonferronis_level() -> None:
    found, less = measured(np.array([0.3, 0.1]), 0.01**2 * np.eye(2))
    order = ranked([mean_always(each) for each in found], lambda i, j: mean_always(less(i, j)))
    wanted = mean_always(found[0]).sequence
    assert wanted is not None
    assert order.intervals[0] == wanted.interval(0.975)
    assert order.ranks == ((1, 1), (2, 2))


# --- how often all is right -------------------------------------------------------------------------------------------


def how_often(right: Callable[[Ranking], bool], values: np.ndarray, root: np.ndarray) -> int:
    """In how many of SEEDS samples; each has errors of covariance root rootᵀ."""
    count = 0
    for seed in range(SEEDS):
        noise = root @ np.random.default_rng(seed).standard_normal(root.shape[1])
        count += right(ranked(*measured(values + noise, root @ root.T)))
    return count


@pytest.mark.usefixtures("fewer_draws")
def test_all_intervals_and_all_ranks_are_right_in_95_of_100_samples() -> None:
    values = np.array([0.03, 0.02, 0.02, 0.0, -0.01])
    root = 0.008 * np.random.default_rng(7).standard_normal((5, 7))
    above = [sum(values > v) for v in values]
    below = [sum(values < v) for v in values]

    def all_right(order: Ranking) -> bool:
        inside = [low <= v <= high for v, (low, high) in zip(values, order.intervals, strict=True)]
        ranks = [
            rank is not None and rank[0] <= 1 + up and 5 - down <= rank[1]
            for rank, up, down in zip(order.ranks, above, below, strict=True)
        ]
        return all(inside), all(ranks)

    both = [how_often(lambda order, at=at: all_right(order)[at], values, root) for at in (0, 1)]
    assert all(n >= binom.ppf(0.001, SEEDS, 0.95) for n in both)
    assert both[0] <= binom.ppf(0.999, SEEDS, 0.95)  # as good as exact, not just safe


@pytest.mark.usefixtures("fewer_draws")
def test_no_order_is_claimed_where_there_is_none() -> None:
    root = 0.01 * np.random.default_rng(3).standard_normal((6, 6))
    claims = SEEDS - how_often(lambda order: order.told_apart == 0, np.zeros(6), root)
    assert claims <= binom.ppf(0.999, SEEDS, 0.05)


# --- dealt or not, of players who share a deal ------------------------------------------------------------------------

KINDS = 4


def shared_deals(rng: np.random.Generator, worth: float, deals: int = 400) -> list[tuple[Any, ...]]:
    """(won, games) with each kind and without, of deals played both ways round; kind 0 alone is worth something.

    A card that one hand has the other one lacks, and who does not win loses: both seatings of a deal depend on each
    other. With the card and without it 0.5 ± worth / 2 of the games are won.
    """
    has = rng.random((KINDS, deals)) < 0.5
    lucky = rng.random(deals) < 0.5 + (has[0] - 0.5) * worth
    won = np.stack([lucky, ~lucky])  # in the other seating the player holds what the opponent held
    columns: list[tuple[Any, ...]] = []
    for kind in range(KINDS):
        for wanted in (True, False):
            holds = np.stack([has[kind] == wanted, ~has[kind] == wanted])
            columns.append(((won & holds).sum(axis=0), holds.sum(axis=0)))
    return columns


def of_kinds() -> Differences:
    """A series of as many differences; what it measures is not asked here."""
    sides = [[(f"{kind}", WinRate(100 * kind + side)) for side in (0, 1)] for kind in range(KINDS)]
    return Differences("kinds", tuple((one, other) for one, other in sides))


@pytest.mark.parametrize("worth", [0.0, 0.3])
@pytest.mark.usefixtures("fewer_draws")
def test_being_dealt_a_card_is_judged_rightly_though_the_players_share_their_deals(
    worth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simkit.series._units", lambda measure: 1)
    series, right, claims = of_kinds(), [0, 0], 0
    truth = [worth, *[0.0] * (KINDS - 1)]
    for seed in range(SEEDS // 2):
        tally = series.tally(shared_deals(np.random.default_rng(seed), worth))
        found = [series.estimate(tally, i) for i in range(KINDS)]
        order = ranked(found, lambda i, j, tally=tally: series.less(tally, i, j))
        right[0] += all(low <= v <= high for v, (low, high) in zip(truth, order.intervals, strict=True))
        right[1] += found[1].low <= 0 <= found[1].high
        claims += order.told_apart > 0
        if worth:
            assert found[0].value == pytest.approx(worth, abs=0.25)
    lowest = binom.ppf(0.001, SEEDS // 2, 0.95)
    assert min(right) >= lowest
    assert (claims <= SEEDS // 2 - lowest) if worth == 0 else claims > SEEDS // 4


def test_a_difference_of_differences_is_paired_on_the_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.series._units", lambda measure: 1)
    series, columns = of_kinds(), shared_deals(np.random.default_rng(1), 0.3)
    tally = series.tally(columns)
    rates = [float(won.sum() / games.sum()) for won, games in columns]
    for i, j in combinations(range(KINDS), 2):
        wanted = (rates[2 * i] - rates[2 * i + 1]) - (rates[2 * j] - rates[2 * j + 1])
        assert series.less(tally, i, j).value == pytest.approx(wanted, abs=1e-12)
    assert (series.less(tally, 2, 2).value, series.less(tally, 2, 2).se) == (0, 0)
