"""Elo and the sequential test against published numbers and simulation."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from simkit.answer import Estimate
from simkit.questions.duel.cases import FIRST_LOOK, UntilDecided
from simkit.stats.duels import (
    SCORES,
    SequentialTest,
    elo,
    elo_estimate,
    expected_score,
    normalised_elo,
    superiority,
)
from simkit.stats.ratios import share
from simkit.tally import Moments

EDGE = (0.9, 0.99)  # an interval of the mean score by other means


def half(estimate: Estimate) -> float:
    return (estimate.high - estimate.low) / 2


# Counts of Fishtest's and fastchess's own tests, worst to best.
@pytest.mark.parametrize(
    ("counts", "value", "pm"),
    [
        ((13, 37, 50, 25, 3), -43.658, 29.427),
        ((10789, 19328, 33806, 19402, 10543), -0.7736, 1.2776),
        ((34, 54, 63, 64, 75), 55.580, 27.653),
    ],
)
def test_elo_is_the_published_one(counts: tuple[int, ...], value: float, pm: float) -> None:
    found = elo_estimate(counts, EDGE)
    digits = 10.0 ** -(4 if sum(counts) > 1_000 else 3)
    assert found.value == pytest.approx(value, abs=digits)
    assert half(found) == pytest.approx(pm, abs=digits)
    assert (found.deals, found.count) == (sum(counts), 2 * sum(counts))
    assert found.se == pytest.approx(pm / 1.96, rel=0.02)


def test_normalised_elo_is_the_published_one() -> None:
    assert normalised_elo((13, 37, 50, 25, 3)).value == pytest.approx(-63.968, abs=1e-3)
    found = normalised_elo((34, 54, 63, 64, 75), known_deviation=True)
    assert found.value == pytest.approx(57.936, abs=1e-3)
    assert half(found) == pytest.approx(28.275, abs=1e-3)
    assert normalised_elo((34, 54, 63, 64, 75)).value == found.value


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "ratio"),
    [
        ((13, 37, 50, 25, 3), 0, 2.715750, -0.537716),
        ((10789, 19328, 33806, 19402, 10543), -3, 1, 2.131068),
        ((39, 2226, 31451, 2412, 40), 0.2, 0.9, 2.162543),
    ],
)
def test_the_likelihood_ratio_is_the_published_one(
    counts: tuple[int, ...], elo0: float, elo1: float, ratio: float
) -> None:
    assert float(SequentialTest(elo0, elo1).ratio(counts)) == pytest.approx(ratio, abs=1e-6)


def test_many_ratios_at_once_are_those_one_by_one() -> None:
    test, counts = SequentialTest(0, 5), np.array([[13, 37, 50, 25, 3], [0, 0, 7, 0, 0], [0, 0, 0, 0, 9]])
    assert test.ratio(counts) == pytest.approx([float(test.ratio(row)) for row in counts], abs=1e-12)


def test_the_bounds_are_walds() -> None:
    assert SequentialTest(0, 5).bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    # ln(0.2/0.9) and ln(0.8/0.1)
    assert SequentialTest(0, 5, alpha=0.1, beta=0.2).bounds == pytest.approx((-1.504077, 2.079442), abs=1e-6)


def test_elo_and_score_are_each_others_inverse() -> None:
    assert expected_score(0) == 0.5
    assert elo(10 / 11) == pytest.approx(400)  # odds of ten to one
    assert [elo(expected_score(x)) for x in (-300, -1, 5, 700)] == pytest.approx([-300, -1, 5, 700])


# --- all alike --------------------------------------------------------------------------------------------------------


def wilson_ends(counts: tuple[int, ...]) -> tuple[float, float]:
    """The ends of the win rate's interval of these pairs, in quarters of a pair."""
    quarters = np.repeat(np.arange(5), counts)
    found = share(Moments.of([quarters, np.full(len(quarters), 4)]), units=2)
    return found.low, found.high


def test_when_every_game_is_won_the_elo_has_a_lower_end_only() -> None:
    won, lost = ((0, 0, 0, 0, 1_000), (1_000, 0, 0, 0, 0))
    found, other = elo_estimate(won, wilson_ends(won)), elo_estimate(lost, wilson_ends(lost))
    assert (found.value, found.high) == (math.inf, math.inf)
    # Wilson's lower end of 1,000 of 1,000 is 1/(1 + 3.8415/1,000), of which the odds are 1,000 to 3.8415.
    assert found.low == pytest.approx(400 * math.log10(1_000 / 3.841459), abs=1e-3)
    assert (other.value, other.low, other.high) == (-math.inf, -math.inf, pytest.approx(-found.low))
    assert math.isnan(normalised_elo(won).value)


@pytest.mark.parametrize("result", [1, 2, 3])
def test_pairs_that_all_end_alike_have_an_elo_with_an_interval(result: int) -> None:
    counts = tuple(500 * (i == result) for i in range(5))
    found = elo_estimate(counts, wilson_ends(counts))
    assert found.value == pytest.approx(elo(result / 4))
    assert found.low < found.value < found.high
    assert 2 < half(found) < 4  # ½ ± z²/(2 · 500 + 2 z²) is ± 2.65 Elo
    assert math.isnan(normalised_elo(counts).value)


def test_an_interval_that_would_leave_the_scale_is_wilsons() -> None:
    counts = (0, 0, 1, 0, 9)
    found = elo_estimate(counts, wilson_ends(counts))
    assert (found.low, found.high) == tuple(map(elo, wilson_ends(counts)))
    assert math.isfinite(found.high)


def test_no_pairs_have_no_elo() -> None:
    assert math.isnan(elo_estimate((0,) * 5, EDGE).value)
    assert math.isnan(normalised_elo((0,) * 5).value)
    assert SequentialTest(0, 5).decision((0,) * 5) == "undecided"


@pytest.mark.parametrize("elo1", [1, 5, 200])
def test_a_test_of_pairs_that_are_all_alike_decides_as_it_should(elo1: float) -> None:
    test = SequentialTest(0, elo1)
    decisions = [test.decision(tuple(10**6 * (i == result) for i in range(5))) for result in range(5)]
    assert decisions == ["elo0", "elo0", "elo0", "elo1", "elo1"]
    assert np.isfinite(test.ratio(10**9 * np.eye(5))).all()


def test_the_likelihood_of_superiority_is_that_of_the_normal_distribution() -> None:
    def at(value: float, se: float = 0.01) -> float:
        return superiority(Estimate(value, 0, 1, se, 1_000, 2_000))

    assert at(0.5) == 0.5
    assert at(0.5164485) == pytest.approx(0.95, abs=1e-6)  # 1.64485 standard errors
    assert at(0.49) == pytest.approx(0.158655, abs=1e-6)
    assert math.isnan(at(math.nan, math.nan))
    assert superiority(Estimate(0.3, 0, 1, 0.05, 100, 100), even=0.25) == pytest.approx(0.841345, abs=1e-6)


# --- simulation -------------------------------------------------------------------------------------------------------

PLAYED = np.array([0.22, 0.06, 0.44, 0.06, 0.22])  # of two equals; half of the luck is in the deal


def tilted(score: float) -> np.ndarray:
    """PLAYED, with as much moved from the worst to the best result as makes that mean score."""
    return PLAYED + (score - 0.5) * np.array([-1, 0, 0, 0, 1])


def accepted(true_elo: float, test: SequentialTest, looks: int, step: int, runs: int = 2_000) -> dict[str, float]:
    """How often each of the two is accepted, when the counts are looked at every `step` pairs."""
    rng = np.random.default_rng(2026)
    steps = rng.multinomial(step, tilted(expected_score(true_elo)), size=(runs, looks))
    ratio = test.ratio(steps.cumsum(axis=1))
    lower, upper = test.bounds
    out = (ratio <= lower) | (ratio >= upper)
    first = np.where(out.any(axis=1), out.argmax(axis=1), looks - 1)
    last = ratio[np.arange(runs), first]
    return {"elo0": float(np.mean(last <= lower)), "elo1": float(np.mean(last >= upper))}


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.02, 0.2)])
def test_both_error_rates_hold(alpha: float, beta: float) -> None:
    test = SequentialTest(0, 30, alpha, beta)
    at_zero, at_one = accepted(0, test, 60, 50), accepted(30, test, 60, 50)
    for found, wrong, right, rate in ((at_zero, "elo1", "elo0", alpha), (at_one, "elo0", "elo1", beta)):
        assert rate / 4 < found[wrong] < rate + 3 * math.sqrt(rate * (1 - rate) / 2_000)  # 3 standard errors
        assert found[wrong] + found[right] > 0.98  # it ends


def test_errors_are_rarer_beyond_the_two_strengths() -> None:
    test = SequentialTest(0, 30)
    assert accepted(-15, test, 60, 50)["elo1"] < 0.01
    assert accepted(45, test, 60, 50)["elo0"] < 0.01


def test_looking_at_fixed_intervals_instead_would_be_wrong_far_more_often() -> None:
    rng = np.random.default_rng(2026)
    counts = rng.multinomial(50, PLAYED, size=(2_000, 60)).cumsum(axis=1)
    pairs = counts.sum(axis=2)
    mean = counts @ SCORES / pairs
    se = np.sqrt((counts @ SCORES**2 / pairs - mean**2) / pairs)
    assert np.mean((mean - 0.5 > 1.645 * se).any(axis=1)) > 0.2  # of a nominal 5 %


# --- when to look -----------------------------------------------------------------------------------------------------


def test_looks_are_at_the_same_deals_wherever_a_run_was_cut() -> None:
    class Even:
        def moments(self, name: str) -> Moments:
            return Moments.of([np.array([int(i == 2)]) for i in range(5)])

    rule = UntilDecided("pairs", SequentialTest(0, 5))
    looks = [FIRST_LOOK]
    while looks[-1] < 10**7:
        looks.append(rule.then(Even(), looks[-1]))  # type: ignore[arg-type]
    assert looks[:4] == [1_000, 2_000, 3_000, 4_000]
    assert max(after / before for before, after in pairwise(looks[20:])) < 1.0501
    for between in (1_500, 3_999, 77_777):
        assert rule.then(Even(), between) in looks  # type: ignore[arg-type]
