"""Intervals of 95 % cover the truth as often as they say, by simulation; always-valid ones at all looks at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from simkit.answer import Estimate
from simkit.stats.always_valid import MeanSequence, bounded_evidence, mean_half_width
from simkit.stats.duels import elo, elo_estimate, normalised_elo
from simkit.stats.luck import luck, luck_columns
from simkit.stats.ratios import difference, mean, ratio, share
from simkit.stats.spread import spread, spread_difference
from simkit.stopping import HalfWidth
from simkit.tally import Moments

RUNS = 1_000
ERROR = 3 * math.sqrt(0.95 * 0.05 / RUNS)  # three standard errors of a coverage: 2.1 points
Columns = Iterator[tuple[NDArray[np.int64], ...]]
Draw = Callable[[np.random.Generator, int], tuple[NDArray[np.int64], ...]]


def runs(draw: Draw, deals: int) -> Columns:
    """The columns of each run, from one draw of all of them."""
    columns = draw(np.random.default_rng(2026), RUNS * deals)
    return zip(*(column.reshape(RUNS, deals) for column in columns), strict=True)


def coverage(draw: Draw, deals: int, make: Callable[[Moments], Estimate], truth: float) -> float:
    found = [make(Moments.of(columns)) for columns in runs(draw, deals)]
    return float(np.mean([estimate.low <= truth <= estimate.high for estimate in found]))


# --- one look ---------------------------------------------------------------------------------------------------------


def games(p: float, together: float) -> Draw:
    """Two games a deal that are won with the chance p; with the chance `together` the second ends as the first."""

    def draw(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
        first, other = (rng.random((2, n)) < p).astype(np.int64)
        second = np.where(rng.random(n) < together, first, other)
        return first + second, np.full(n, 2)

    return draw


def opposed(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """Two games a deal, nine times in ten one won and one lost: the deal decides."""
    won = np.where(rng.random(n) < 0.9, 1, 2 * (rng.random(n) < 0.5))
    return won.astype(np.int64), np.full(n, 2)


def seldom(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """A card that is drawn in one deal of ten, and then wins three games of five."""
    seen = rng.random(n) < 0.1
    return (seen & (rng.random(n) < 0.6)).astype(np.int64), seen.astype(np.int64)


@pytest.mark.parametrize(
    ("draw", "deals", "truth"),
    [
        (games(0.5, 0), 100, 0.5),
        (games(0.5, 1), 100, 0.5),
        (games(0.3, 0.5), 400, 0.3),
        (games(0.02, 0), 1_000, 0.02),
        (games(0.99, 0.5), 1_000, 0.99),
        (opposed, 400, 0.5),
        (seldom, 600, 0.6),
    ],
)
def test_shares(draw: Draw, deals: int, truth: float) -> None:
    assert abs(coverage(draw, deals, lambda m: share(m, units=1), truth) - 0.95) < ERROR + 0.005  # counts are coarse


@pytest.mark.parametrize("p", [0.001, 0.999])
def test_shares_that_are_hardly_ever_seen_err_on_the_safe_side(p: float) -> None:
    assert coverage(games(p, 0), 300, share, p) > 0.93


def payoffs(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """A skewed score: geometric with mean 10 (skewness 2), a game a deal."""
    return rng.geometric(0.1, n), np.ones(n, dtype=np.int64)


def a_play(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """What plays bring, of which a deal has 0 to 4: more of them bring more each."""
    plays = rng.integers(0, 5, n)
    return plays * plays + rng.poisson(3 * plays), plays


def test_means_of_skewed_payoffs() -> None:
    assert abs(coverage(payoffs, 500, mean, 10.0) - 0.95) < ERROR


def test_ratios_of_skewed_payoffs() -> None:
    assert abs(coverage(payoffs, 500, ratio, 10.0) - 0.95) < ERROR
    assert abs(coverage(a_play, 300, ratio, 30 / 10 + 3) - 0.95) < ERROR  # Σk²/Σk over 0 … 4, and 3 a play


def paired(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """The same deals under two rules: the second changes one game of ten, to a win with a chance of 0.7, not 0.5."""
    before = rng.random(n) < 0.5
    after = np.where(rng.random(n) < 0.1, rng.random(n) < 0.7, before)
    ones = np.ones(n, dtype=np.int64)
    return after.astype(np.int64), ones, before.astype(np.int64), ones


def test_differences_on_the_same_deals() -> None:
    assert abs(coverage(paired, 1_000, difference, 0.1 * 0.2) - 0.95) < ERROR


def scores(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """Scores of two games of a deal, uniform on 0 … 20, that share nothing: columns of a spread."""
    values = rng.integers(0, 21, (2, n))
    return values.sum(axis=0), (values * values).sum(axis=0), np.full(n, 2)


def skewed_scores(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """A geometric score: its standard deviation is √0.9/0.1."""
    values = rng.geometric(0.1, n)
    return values, values * values, np.ones(n, dtype=np.int64)


def both_scores(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """A score, and the same score stretched to twice its size, with a little noise."""
    values = rng.integers(0, 21, n)
    other = 2 * values + rng.integers(-1, 2, n)
    ones = np.ones(n, dtype=np.int64)
    return other, other * other, ones, values, values * values, ones


def test_spreads() -> None:
    uniform = math.sqrt((21**2 - 1) / 12)
    assert abs(coverage(scores, 300, spread, uniform) - 0.95) < ERROR
    assert coverage(skewed_scores, 2_000, spread, math.sqrt(0.9) / 0.1) > 0.92  # fourth moments are slow to be known
    truth = math.sqrt(4 * uniform**2 + 2 / 3) - uniform
    assert abs(coverage(both_scores, 300, spread_difference, truth) - 0.95) < ERROR


def lucky(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """Deal sd 3, play sd 4, in hundredths: the deal's share of the luck is 9/25."""
    deal, first, second = rng.normal(0, 1, (3, n))
    return luck_columns(*(np.rint(100 * x).astype(np.int64) for x in (3 * deal + 4 * first, -3 * deal + 4 * second)))


def test_the_share_of_luck() -> None:
    assert abs(coverage(lucky, 400, luck, 9 / 25) - 0.95) < ERROR


@pytest.mark.parametrize("chances", [(0.2, 0.1, 0.4, 0.1, 0.2), (0.01, 0.02, 0.17, 0.3, 0.5)])
def test_elo(chances: tuple[float, ...]) -> None:
    truth, found = np.array(chances), np.random.default_rng(2026).multinomial(500, chances, RUNS)
    score = float(truth @ np.linspace(0, 1, 5))
    sd = math.sqrt(truth @ np.linspace(0, 1, 5) ** 2 - score**2)
    plain = [elo_estimate(row, (0.0, 1.0)) for row in found.tolist()]
    assert abs(np.mean([e.low <= elo(score) <= e.high for e in plain]) - 0.95) < ERROR
    scaled = [normalised_elo(row) for row in found.tolist()]
    inside = [e.low <= 800 / math.log(10) * (score - 0.5) / (sd * math.sqrt(2)) <= e.high for e in scaled]
    assert abs(np.mean(inside) - 0.95) < ERROR


# --- until it is known well enough ------------------------------------------------------------------------------------


class Known:
    """Results of which the headline is known."""

    def __init__(self, estimate: Estimate) -> None:
        self.plan, self._estimate = self, estimate
        self.headline = ""

    def estimate(self, name: str) -> Estimate:
        return self._estimate


def test_stopping_at_a_half_width_leaves_the_interval_what_it_says() -> None:
    rng, rule, truth, covered = np.random.default_rng(2026), HalfWidth(0.012), 0.3, 0
    for _ in range(RUNS):
        deals, won = 0, 0
        wanted = 1_000
        while wanted > deals:
            won, deals = won + int(rng.binomial(wanted - deals, truth)), wanted
            found = share(Moments(deals, (won, deals), (won, won, deals), (0, 1), (1, 1)))
            wanted = rule.then(Known(found), deals)  # type: ignore[arg-type]
        covered += found.low <= truth <= found.high
        assert (found.high - found.low) / 2 <= 0.012
    assert abs(covered / RUNS - 0.95) < ERROR


# --- looking all the time ---------------------------------------------------------------------------------------------

LOOKS = np.unique(np.geomspace(1, 3_000, 400).astype(int))  # every deal at first, later every 2 %: nothing is missed


def totals(draw: Draw, most: int = 3_000, many: int = 500) -> list[NDArray[np.int64]]:
    """Sums of each column and of the products of two, at each look: shape (runs, looks)."""
    columns = [column.reshape(many, most) for column in draw(np.random.default_rng(2026), many * most)]
    k = range(len(columns))
    products = [columns[i] * columns[j] for i in k for j in k if i <= j]
    return [x.cumsum(axis=1)[:, LOOKS - 1] for x in (*columns, *products)]


def ever_missed(draw: Draw, p: float) -> tuple[float, float]:
    """How often a share is ever missed: by the always-valid interval, and by the usual one from the 30th deal on."""
    a, b, aa, ab, bb = (total.astype(float) for total in totals(draw))
    scale = 2.0 if np.any(np.diff(b, prepend=0) > np.diff(LOOKS, prepend=0)) else 1.0
    evidence = bounded_evidence(p, a / scale, b / scale, aa / scale**2, ab / scale**2, bb / scale**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        usual = abs(a - p * b) > 1.96 * np.sqrt(aa - 2 * a / b * ab + (a / b) ** 2 * bb)
    return (
        float(np.mean((evidence > math.log(1 / 0.05)).any(axis=1))),
        float(np.mean(usual[:, LOOKS >= 30].any(axis=1))),
    )


@pytest.mark.parametrize(
    ("draw", "p"),
    [
        (games(0.5, 0), 0.5),
        (games(0.5, 1), 0.5),
        (games(0.02, 0.5), 0.02),
        (games(0.995, 0), 0.995),
        (opposed, 0.5),
        (seldom, 0.6),
    ],
)
def test_a_share_is_covered_at_all_looks_at_once(draw: Draw, p: float) -> None:
    always, usual = ever_missed(draw, p)
    assert always < 0.05
    assert usual > 0.4  # the trap: looking all the time at an interval that is meant for one look


def change(rng: np.random.Generator, n: int) -> tuple[NDArray[np.int64], ...]:
    """Twice the share that a difference of two win rates is judged by: after − before + 1, of 2."""
    after, _, before, _ = paired(rng, n)
    return after - before + 1, np.full(n, 2)


def test_a_difference_of_shares_is_covered_at_all_looks_at_once() -> None:
    always, usual = ever_missed(change, (1 + 0.1 * 0.2) / 2)
    assert always < 0.05
    assert usual > 0.25


@pytest.mark.parametrize(("draw", "truth"), [(payoffs, 10.0), (a_play, None)])
def test_a_mean_is_covered_at_all_looks_from_the_hundredth_deal_on(draw: Draw, truth: float | None) -> None:
    a, _, aa, *_ = (total.astype(float) for total in totals(draw))
    n = LOOKS.astype(float)
    true_mean = truth if truth is not None else 6.0 + 6.0  # E(plays²) + 3 E(plays)
    sd = np.sqrt((aa - a * a / n) / np.maximum(n - 1, 1))
    half = sd * np.array([mean_half_width(1, many) for many in LOOKS])
    missed = (abs(a / n - true_mean) > half)[:, LOOKS >= 100]
    assert np.mean(missed.any(axis=1)) < 0.05
    once = MeanSequence(a[0, -1] / n[-1], sd[0, -1] / math.sqrt(n[-1]), int(n[-1])).interval(0.95)
    assert (once[1] - once[0]) / 2 == pytest.approx(half[0, -1])
