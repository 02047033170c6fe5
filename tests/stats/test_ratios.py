"""Estimates per deal: right numbers, and 95 % intervals that hold 95 times in 100."""

import math
from fractions import Fraction

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from simkit.stats.intervals import wilson
from simkit.stats.ratios import contrast, difference, mean, ratio, share
from simkit.tally import Moments

REPEATS = 1_000
# Four standard errors of a simulated coverage of 95 %.
SLACK = 4 * math.sqrt(0.95 * 0.05 / REPEATS)


def coverage(draw, estimate, truth, repeats=REPEATS):
    """How often the interval holds the truth; draw makes the columns of one experiment."""
    estimates = (estimate(Moments.of(draw())) for _ in range(repeats))
    return sum(e.low <= truth <= e.high for e in estimates) / repeats


def as_tuple(estimate):
    return estimate.value, estimate.low, estimate.high, estimate.se


def test_mean_is_students_interval():
    values = np.array([1, 2, 3, 4, 10, 20, 30])
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    estimate = mean(Moments.of([values]))
    assert as_tuple(estimate) == pytest.approx((10, *expected, stats.sem(values)))
    assert (estimate.deals, estimate.count) == (7, 7)


def test_ratio_of_a_constant_denominator_is_the_mean():
    values = np.array([1, 2, 3, 4, 10, 20, 30])
    estimate = ratio(Moments.of([values, np.full(7, 4)]))
    assert as_tuple(estimate) == pytest.approx([x / 4 for x in as_tuple(mean(Moments.of([values])))])
    assert (estimate.deals, estimate.count) == (7, 28)


def test_deals_without_the_denominator_change_nothing():
    a, b = np.array([3, 0, 5, 1, 0]), np.array([1, 0, 1, 1, 0])
    assert as_tuple(ratio(Moments.of([a, b]))) == pytest.approx(as_tuple(mean(Moments.of([a[b == 1]]))))


def test_ratio_has_the_cluster_robust_error_of_a_weighted_regression():
    rng = np.random.default_rng(1)
    b = rng.integers(1, 6, 200)
    a = rng.binomial(b, rng.beta(2, 2, 200))
    fit = sm.WLS(a / b, np.ones(200), weights=b).fit(cov_type="HC0")  # Σ(a − r b)²/(Σb)², without small-sample factor
    effective = b.sum() ** 2 / (b**2).sum()
    estimate = ratio(Moments.of([a, b]))
    assert estimate.value == pytest.approx(fit.params[0])
    assert estimate.se == pytest.approx(fit.bse[0] * math.sqrt(effective / (effective - 1)))


def test_huge_offsets_cost_no_digits():
    values = np.array([1, 2, 3, 4, 10, 20, 30])
    plain, far = (mean(Moments.of([values + offset])) for offset in (0, 2**60))
    assert far.se == plain.se > 0


def test_share_of_one_game_a_deal_is_wilsons_interval():
    for wins, games in ((15, 20), (550, 1000), (0, 10), (10, 10)):
        columns = [np.repeat([1, 0], [wins, games - wins]), np.ones(games, dtype=int)]
        estimate = share(Moments.of(columns))
        assert (estimate.low, estimate.high) == pytest.approx(wilson(wins, games), abs=1e-12)


def test_share_counts_identical_games_of_a_deal_once():
    once = [np.repeat([1, 0], [15, 5]), np.ones(20, dtype=int)]
    twice = [2 * column for column in once]
    assert as_tuple(share(Moments.of(twice))) == pytest.approx(as_tuple(share(Moments.of(once))))


@pytest.mark.parametrize("wins", [0, 1, 2])
def test_share_without_any_variance_still_has_a_width(wins):
    estimate = share(Moments.of([np.full(50, wins), np.full(50, 2)]))
    assert estimate.low <= wins / 2 <= estimate.high
    # The rule of three, two-sided: up to about 3.8 deals in 50 may be of a kind not seen.
    assert 0.03 < estimate.high - estimate.low < 0.08
    assert estimate.se > 0


def test_share_of_what_is_no_part_is_refused():
    for a in ([3, 2], [-1, 2]):
        with pytest.raises(ValueError, match="not a share"):
            share(Moments.of([np.array(a), np.array([2, 2])]))


def test_a_change_without_effect_is_exactly_zero_with_zero_variance():
    rng = np.random.default_rng(2)
    b = rng.integers(0, 5, 100)
    a = rng.binomial(b, 0.3)
    for moments, columns in ((Moments.of([a, b, a, b]), (0, 1, 2, 3)), (Moments.of([a, b]), (0, 1, 0, 1))):
        assert as_tuple(difference(moments, *columns)) == (0, 0, 0, 0)


def test_difference_of_win_rates_is_the_paired_t_interval():
    rng = np.random.default_rng(3)
    before, after = rng.integers(0, 3, (2, 80))
    games = np.full(80, 2)
    expected = stats.ttest_rel(before / 2, after / 2).confidence_interval(0.95)
    estimate = difference(Moments.of([before, games, after, games]))
    assert (estimate.low, estimate.high) == pytest.approx(expected)
    assert (estimate.deals, estimate.count) == (80, 160)


def test_difference_of_separate_denominators_is_that_of_two_samples():
    a, first = np.array([1, 0, 1, 1, 0, 0, 1, 0]), np.array([1, 1, 1, 1, 0, 0, 0, 0])
    estimate = difference(Moments.of([a * first, first, a * (1 - first), 1 - first]))
    # 3/4 − 1/4; the variances of two independent proportions add: (3/16)/4 + (3/16)/4, times 4/3 for four deals each.
    assert (estimate.value, estimate.se) == pytest.approx((0.5, math.sqrt(0.125)))
    assert estimate.count == 4


@pytest.mark.parametrize("estimate", [mean, ratio, share, difference])
def test_nothing_seen_is_nan(estimate):
    nothing = estimate(Moments.zero(4))
    assert all(map(math.isnan, as_tuple(nothing)))
    assert (nothing.deals, nothing.count) == (0, 0)
    if estimate is not mean:
        unseen = estimate(Moments.of([np.zeros(9, dtype=int)] * 4))
        assert math.isnan(unseen.value)
        assert (unseen.deals, unseen.count) == (9, 0)


@pytest.mark.parametrize("estimate", [mean, ratio, difference])
def test_one_deal_has_a_value_and_no_error(estimate):
    one = estimate(Moments.of([np.array([3]), np.array([2]), np.array([1]), np.array([2])]))
    assert one.value > 0
    assert all(map(math.isnan, as_tuple(one)[1:]))


@pytest.mark.parametrize("rates", [(0.002, 0.05), (0.4, 0.6), (0.95, 0.998)])
@pytest.mark.parametrize("together", [0.0, 0.5, 1.0])
def test_share_holds_near_zero_a_half_and_one(rates, together):
    # Averaged over rates: at a single one the coverage of any such interval oscillates (Brown, Cai & DasGupta 2001).
    rng = np.random.default_rng(4)
    covered = []
    for rate in rng.uniform(*rates, REPEATS):
        first, other = rng.binomial(1, rate, (2, 300))
        second = np.where(rng.random(300) < together, first, other)
        covered.append(coverage(lambda a=first + second: (a, np.full(300, 2)), share, rate, repeats=1))
    assert np.mean(covered) == pytest.approx(0.95, abs=SLACK)


def test_share_holds_when_the_games_of_a_deal_offset_each_other():
    rng = np.random.default_rng(5)
    columns = lambda: (1 + rng.choice([-1, 0, 1], 300, p=[0.05, 0.85, 0.10]), np.full(300, 2))  # noqa: E731
    assert coverage(columns, share, 0.525) == pytest.approx(0.95, abs=SLACK)


def test_share_holds_when_hardly_any_deal_is_not_halved():
    rng = np.random.default_rng(11)
    # Three deals in a thousand are won twice; the plain delta interval holds 83 times in 100.
    columns = lambda: (1 + rng.binomial(1, 0.003, 1_000), np.full(1_000, 2))  # noqa: E731
    assert coverage(columns, share, 0.5015) > 0.95 - SLACK


def test_mean_holds_for_skewed_payoffs():
    rng = np.random.default_rng(6)
    # Skewness 2, as an exponential's.
    assert coverage(lambda: [rng.geometric(0.02, 400)], mean, 50) == pytest.approx(0.95, abs=SLACK)


def test_mean_holds_for_ten_deals():
    rng = np.random.default_rng(7)
    assert coverage(lambda: [rng.binomial(20, 0.5, 10)], mean, 10) == pytest.approx(0.95, abs=SLACK)


@pytest.mark.parametrize(("deals", "often"), [(500, 1.0), (500, 0.1)])
def test_ratio_holds_for_random_denominators(deals, often):
    rng = np.random.default_rng(8)

    def draw():
        b = rng.geometric(0.3, deals) * rng.binomial(1, often, deals)
        rate = np.where(rng.random(deals) < 0.5, 0.2, 0.6)  # the deal's luck: its games depend on each other
        return rng.binomial(b, rate), b

    assert coverage(draw, ratio, 0.4) == pytest.approx(0.95, abs=SLACK)


@pytest.mark.parametrize("changed", [0.1, 1.0])
def test_difference_holds_for_paired_deals(changed):
    rng = np.random.default_rng(9)
    deals = 500

    def draw():
        rate = rng.beta(2, 2, deals)
        b = np.full(deals, 2)
        before = rng.binomial(2, rate)
        after = np.where(rng.random(deals) < changed, rng.binomial(2, rate**2), before)
        return after, b, before, b

    # E rate = 1/2 and E rate² = 3/10 for Beta(2, 2).
    assert coverage(draw, difference, -0.2 * changed) == pytest.approx(0.95, abs=SLACK)


def test_difference_holds_for_conditional_rates():
    rng = np.random.default_rng(10)
    deals = 500

    def draw():
        drawn = rng.binomial(2, 0.4, deals)
        luck = rng.uniform(0.3, 0.7, deals)
        return rng.binomial(drawn, luck + 0.1), drawn, rng.binomial(2 - drawn, luck), 2 - drawn

    assert coverage(draw, difference, 0.1) == pytest.approx(0.95, abs=SLACK)


def test_a_contrast_of_four_means_is_students_interval_of_their_sum_by_deal():
    rng = np.random.default_rng(8)
    columns = [rng.integers(0, 9, 40) for _ in range(4)]
    ones = np.ones(40, dtype=int)
    moments = Moments.of([column for mean_of in columns for column in (mean_of, ones)])
    by_deal = columns[0] - columns[1] - columns[2] + columns[3]
    found = contrast(moments, [(1, 0, 1), (-1, 2, 3), (-1, 4, 5), (1, 6, 7)])
    expected = stats.ttest_1samp(by_deal, 0).confidence_interval(0.95)
    assert as_tuple(found) == pytest.approx((by_deal.mean(), *expected, stats.sem(by_deal)))


def test_a_contrast_with_a_denominator_of_nothing_is_nothing():
    columns = [np.array([1, 2]), np.array([2, 2]), np.array([0, 0]), np.array([0, 0])]
    assert math.isnan(contrast(Moments.of(columns), [(1, 0, 1), (-1, 2, 3)]).value)


def test_a_contrast_with_fractions_is_the_mean_of_ratios():
    rng = np.random.default_rng(8)
    columns = [rng.integers(0, 3, 50), np.full(50, 2), rng.integers(0, 3, 50), np.full(50, 2)]
    half = Fraction(1, 2)
    found = contrast(Moments.of(columns), ((half, 0, 1), (half, 2, 3)))
    assert as_tuple(found) == pytest.approx(as_tuple(ratio(Moments.of([columns[0] + columns[2], np.full(50, 4)]))))
    once = ratio(Moments.of(columns[:2]))
    assert as_tuple(contrast(Moments.of(columns), ((half, 0, 1), (half, 0, 1)))) == pytest.approx(as_tuple(once))
