"""Intervals that hold however often one looks: known answers and what has to be true of them (coverage elsewhere)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.answer import Estimate
from simkit.questions.base import shifted
from simkit.stats.always_valid import (
    BoundedSequence,
    MeanSequence,
    always,
    mean_always,
    mean_half_width,
    proportion,
    share_always,
    share_difference_always,
)
from simkit.stats.ratios import difference, share
from simkit.stats.verdicts import judge
from simkit.tally import Moments


def moments(*columns: object) -> Moments:
    return Moments.of([np.asarray(column, dtype=np.int64) for column in columns])


def tosses(heads: int, deals: int) -> Moments:
    """One game a deal."""
    return moments(np.arange(deals) < heads, np.ones(deals))


# --- known answers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # The p at which the density of Beta(1 + k, 1 + n − k) is 0.05 (scipy.stats.beta).
    [(550, 1000, 0.494227, 0.604945), (5500, 10000, 0.530844, 0.569057)],
)
def test_a_proportion_has_the_known_interval(successes: int, trials: int, low: float, high: float) -> None:
    assert proportion(successes, trials) == pytest.approx((low, high), abs=1e-6)


def test_a_mean_has_the_known_half_width() -> None:
    assert mean_half_width(1, 1000, target=1000) == pytest.approx(0.095982, abs=1e-6)
    assert mean_half_width(7, 1000, target=1000) == pytest.approx(7 * 0.095982, abs=1e-5)


def test_a_proportion_at_an_end_reaches_it() -> None:
    # (1 + n) (1 − p)^n = 0.05 at n = 10: p = 1 − (0.05/11)^(1/10).
    assert proportion(0, 10) == pytest.approx((0, 1 - (0.05 / 11) ** 0.1), abs=1e-9)
    assert proportion(10, 10) == pytest.approx(((0.05 / 11) ** 0.1, 1), abs=1e-9)
    assert proportion(0, 0) == (0, 1)


@pytest.mark.parametrize("deals", [100, 1_000, 10_000, 10**6])
def test_the_price_of_looking_is_known(deals: int) -> None:
    assert 2.5 < mean_half_width(1, deals) * math.sqrt(deals) < {100: 25}.get(deals, 4)


# --- the sequences ----------------------------------------------------------------------------------------------------


def sequences() -> list[tuple[MeanSequence | BoundedSequence, float]]:
    pairs = share_difference_always(moments([1, 0, 1, 1] * 99, [1] * 396, [0, 0, 1, 1] * 99, [1] * 396)).sequence
    assert isinstance(pairs, BoundedSequence)
    return [
        (MeanSequence(0.3, 0.02, 5_000), 0.3),
        (BoundedSequence.of_share(tosses(300, 1_000)), 0.3),
        (BoundedSequence.of_share(tosses(300, 1_000)).shifted(-0.5), -0.2),
        (pairs, 0.25),
    ]


@pytest.mark.parametrize(("sequence", "value"), sequences())
@pytest.mark.parametrize("level", [0.5, 0.95, 0.9999])
def test_the_p_value_at_the_ends_is_what_the_level_leaves(
    sequence: MeanSequence | BoundedSequence, value: float, level: float
) -> None:
    low, high = sequence.interval(level)
    assert low < value < high
    assert sequence.p_value(value) == 1
    assert [sequence.p_value(low), sequence.p_value(high)] == pytest.approx([1 - level] * 2, rel=1e-6)


@pytest.mark.parametrize(("sequence", "value"), sequences())
def test_the_p_value_falls_to_both_sides(sequence: MeanSequence | BoundedSequence, value: float) -> None:
    for side in (-1, 1):
        p_values = [sequence.p_value(value + side * step) for step in np.linspace(0, 0.6, 61)]
        assert p_values == sorted(p_values, reverse=True)


def test_what_cannot_be_has_the_p_value_0() -> None:
    sequence = BoundedSequence.of_share(tosses(3, 10))
    assert [sequence.p_value(p) for p in (-0.1, 0, 1, 1.1)] == [0, 0, 0, 0]


def test_a_difference_without_any_spread_keeps_a_width_when_it_is_of_shares() -> None:
    same = moments([1, 0] * 500, [1] * 1_000, [1, 0] * 500, [1] * 1_000)
    assert (difference(same).low, difference(same).high) == (0, 0)
    found = share_difference_always(same)
    assert found.low == pytest.approx(-found.high)
    assert 0 < found.high < 0.05


def test_a_share_that_was_never_seen_is_known_nearly_as_well_as_by_the_rule_of_three() -> None:
    found = share_always(tosses(0, 1_000))
    assert found.low == 0
    assert 0.003 < found.high < 0.012


def test_games_that_offset_each_other_make_it_narrower() -> None:
    deals = 4_000
    won = np.arange(deals) % 2
    alike, offset = moments(2 * won, np.full(deals, 2)), moments(np.ones(deals), np.full(deals, 2))
    wide, narrow = share_always(alike), share_always(offset)
    assert narrow.high - narrow.low < 0.15 * (wide.high - wide.low)
    assert wide.high - wide.low > 1.5 * (share(alike).high - share(alike).low)


def test_units_change_the_count_only() -> None:
    one, many = tosses(300, 1_000), moments(840 * (np.arange(1_000) < 300), np.full(1_000, 840))
    assert share_always(many, units=840) == share_always(one)


def test_nothing_seen_is_nothing_known() -> None:
    empty = moments([0] * 9, [0] * 9)
    assert math.isnan(share_always(empty).value)
    assert math.isnan(share_difference_always(moments(*[[0] * 9] * 4)).value)
    assert math.isnan(mean_always(share(empty)).low)


def test_without_a_standard_error_there_is_no_interval() -> None:
    seen_once = Estimate(3.0, math.nan, math.nan, math.nan, 50, 1)
    assert math.isnan(mean_always(seen_once).high)
    assert MeanSequence(3.0, math.nan, 50).p_value(0) == 1


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)).map(sorted), min_size=1, max_size=40).filter(
        lambda deals: any(b for _, b in deals)
    )
)
def test_a_share_stays_inside_0_and_1_and_covers_its_estimate(deals: list[list[int]]) -> None:
    found = share_always(moments(*np.array(deals).T))
    assert 0 <= found.low <= found.value <= found.high <= 1


# --- verdicts ---------------------------------------------------------------------------------------------------------


def estimate(value: float, se: float) -> Estimate:
    return mean_always(Estimate(value, math.nan, math.nan, se, 10_000, 20_000))


@pytest.mark.parametrize(
    ("value", "se", "word"),
    [(0.0, 0.001, "fair"), (0.03, 0.001, "too strong"), (-0.03, 0.001, "too weak"), (0.0125, 0.001, "undecided")],
)
def test_a_verdict_is_what_its_always_valid_interval_shows(value: float, se: float, word: str) -> None:
    (verdict,) = judge([("K", estimate(value, se), "greedy")], 0.01)
    assert verdict.verdict == word
    assert (verdict.low, verdict.high) == pytest.approx((estimate(value, se).low, estimate(value, se).high))
    assert "always-valid 95 % interval" in verdict.sentence
    assert (verdict.p <= 0.05) == (word != "undecided")


def test_the_same_numbers_would_be_decided_for_one_look() -> None:
    once = replace(estimate(0.0125, 0.001), sequence=None)
    (verdict,) = judge([("K", once, "greedy")], 0.01)
    assert verdict.verdict == "too strong"
    assert "always" not in verdict.sentence


def test_an_undecided_verdict_needs_as_many_deals_as_the_wider_interval_asks_for() -> None:
    (verdict,) = judge([("K", estimate(0.0125, 0.001), "greedy")], 0.01)
    half = (verdict.high - verdict.low) / 2
    assert verdict.more_deals == pytest.approx(10_000 * ((half / 0.0025) ** 2 - 1), abs=2)


def test_a_shifted_share_is_judged_where_it_was_shifted_to() -> None:
    found = shifted(share_always(tosses(5_400, 10_000)), -0.5)
    (verdict,) = judge([("seat 0", found, "greedy")], 0.01)
    assert verdict.verdict == "too strong"
    assert (verdict.low, verdict.high) == pytest.approx((found.low, found.high))


def test_a_list_of_verdicts_is_corrected() -> None:
    one, two = judge([("K", estimate(0.03, 0.001), "a"), ("Q", estimate(0.0, 0.001), "a")], 0.01)
    assert one.high - one.low > estimate(0.03, 0.001).high - estimate(0.03, 0.001).low
    assert "Holm-corrected always-valid 95 % interval" in one.sentence
    assert two.verdict == "fair"


def test_an_estimate_takes_its_interval_from_the_sequence() -> None:
    found = always(estimate(0, 1), MeanSequence(0.0, 0.5, 10_000))
    assert (found.low, found.high) == MeanSequence(0.0, 0.5, 10_000).interval(0.95)
