"""Tallies are exact, whatever the size of the numbers and the order of merging."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from simkit.tally import Cells, FirstSeen, Histogram, Moments

INT64 = st.integers(-(2**63), 2**63 - 1)
SMALL = st.integers(-50, 50)


def tables(elements=INT64, columns=3):
    """Arrays of shape (columns, deals)."""
    shapes = st.tuples(st.just(columns), st.integers(0, 8))
    return arrays(np.int64, shapes, elements=elements)


def by_hand(table):
    """The moments in plain Python integers."""
    rows = [[int(x) for x in row] for row in table]
    k = len(rows)
    products = tuple(sum(x * y for x, y in zip(rows[i], rows[j], strict=True)) for i in range(k) for j in range(i, k))
    low, high = ((tuple(map(pick, rows)) if rows[0] else None) for pick in (min, max))
    return Moments(len(rows[0]), tuple(map(sum, rows)), products, low, high)


@given(tables())
def test_moments_are_exact_for_any_int64(table):
    assert Moments.of(list(table)) == by_hand(table)


@given(tables(SMALL))
def test_moments_of_small_numbers_take_the_int64_path_to_the_same_result(table):
    assert Moments.of(list(table)) == by_hand(table)


@pytest.mark.parametrize(
    "size", [3_037_000_499, 3_037_000_500]
)  # the square of the first fits an int64, the other's not
def test_moments_are_exact_on_both_sides_of_the_overflow_bound(size):
    column = np.array([size, -size], dtype=np.int64)
    for deals in (column[:1], column):
        assert Moments.of([deals]).products == (len(deals) * size**2,)


def test_moments_hold_python_integers():
    moments = Moments.of([np.arange(3)])
    assert {type(x) for x in (*moments.sums, *moments.products, *moments.low, *moments.high)} == {int}


@given(st.lists(tables(), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_moments_merge_in_any_order_to_the_moments_of_all_deals(batches, random):
    whole = Moments.of(list(np.concatenate(batches, axis=1)))
    random.shuffle(batches)
    assert sum((Moments.of(list(batch)) for batch in batches), Moments.zero(3)) == whole
    assert sum((Moments.of(list(batch)) for batch in reversed(batches)), Moments.zero(3)) == whole


def test_two_batches_merge_to_the_known_mean_and_sum_of_squares():
    merged = Moments.of([np.array([1, 2, 3, 4])]) + Moments.of([np.array([10, 20, 30])])
    mean = Fraction(merged.sums[0], merged.n)
    # Worked by hand: mean 10, M2 = 81 + 64 + 49 + 36 + 0 + 100 + 400 = 730.
    assert (mean, merged.product(0, 0) - merged.n * mean**2) == (10, 730)


@given(tables(SMALL, columns=4))
def test_product_finds_any_pair_of_columns(table):
    moments = Moments.of(list(table))
    for i in range(4):
        for j in range(4):
            assert moments.product(i, j) == int(table[i] @ table[j])


@given(tables())
def test_moments_survive_json_whatever_their_size(table):
    moments = Moments.of(list(table))
    assert Moments.from_json(json.loads(json.dumps(moments.to_json()))) == moments


def test_no_deals_are_the_zero_of_merging():
    empty = Moments.of([np.array([], dtype=np.int64)] * 2)
    assert empty == Moments.zero(2)
    assert empty.low is empty.high is None
    some = Moments.of([np.array([-5, 3]), np.array([7, 7])])
    assert empty + some == some + empty == some
    assert (some.low, some.high) == ((-5, 7), (3, 7))


def test_columns_that_do_not_belong_together_are_refused():
    with pytest.raises(ValueError, match="2 columns do not merge with 3"):
        Moments.zero(2) + Moments.zero(3)
    with pytest.raises(ValueError, match="same shape"):
        Moments.of([np.arange(2), np.arange(3)])
    with pytest.raises(ValueError, match="not the moments of 2 columns"):
        Moments(1, (1, 1), (1, 1), (1, 1), (1, 1))


@pytest.mark.parametrize("column", [np.array([0.5]), np.array([2**63], dtype=np.uint64)])
def test_a_column_that_does_not_fit_int64_is_refused(column):
    with pytest.raises(TypeError):
        Moments.of([column])
    with pytest.raises(TypeError):
        Histogram.of(column)


@given(arrays(np.int64, st.integers(1, 30), elements=INT64))
def test_histogram_counts_every_value(values):
    histogram = Histogram.of(values)
    assert list(histogram.items()) == [(v, values.tolist().count(v)) for v in sorted(set(values.tolist()))]
    assert histogram.total == len(values)
    assert histogram.mean() == sum(values.tolist()) / len(values)


@given(st.lists(arrays(np.int64, st.integers(0, 10), elements=SMALL), min_size=1, max_size=4))
def test_histograms_merge_in_any_order_to_that_of_all_values(batches):
    whole = Histogram.of(np.concatenate(batches))
    for order in (batches, batches[::-1]):
        merged = sum((Histogram.of(batch) for batch in order), Histogram({}))
        assert merged == whole
        assert list(merged.items()) == list(whole.items())


@given(arrays(np.int64, st.integers(1, 30), elements=SMALL), st.integers(0, 100))
def test_quantile_is_the_smallest_value_with_enough_below(values, percent):
    rank = max(1, -(-percent * len(values) // 100))
    assert Histogram.of(values).quantile(percent / 100) == sorted(values.tolist())[rank - 1]


def test_quantile_of_a_tenth_of_ten_values_is_the_first():
    assert Histogram.of(np.arange(1, 11)).quantile(0.1) == 1
    assert Histogram.of(np.arange(1, 11)).quantile(0.1000001) == 2


@given(arrays(np.int64, st.integers(0, 10), elements=INT64))
def test_histograms_survive_json(values):
    histogram = Histogram.of(values)
    assert Histogram.from_json(json.loads(json.dumps(histogram.to_json()))) == histogram


def test_an_empty_histogram_has_no_mean_and_no_quantile():
    assert np.isnan(Histogram({}).mean())
    with pytest.raises(ValueError, match="of 0 values"):
        Histogram({}).quantile(0.5)
    with pytest.raises(ValueError, match=r"no quantile 1\.5"):
        Histogram({3: 1}).quantile(1.5)


@given(st.lists(st.lists(SMALL, max_size=8), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_first_seen_keeps_the_first_deal_of_every_value_in_any_order(batches, random):
    whole = [value for batch in batches for value in batch]
    wanted = {value: whole.index(value) for value in sorted(set(whole))}
    starts = [sum(map(len, batches[:i])) for i in range(len(batches))]
    seen = [
        FirstSeen.of(np.array(batch, dtype=np.int64), start + np.arange(len(batch)))
        for batch, start in zip(batches, starts, strict=True)
    ]
    random.shuffle(seen)
    merged = sum(seen, FirstSeen({}))
    assert merged == FirstSeen(wanted)
    assert list(merged.deals) == sorted(wanted)
    assert FirstSeen.from_json(json.loads(json.dumps(merged.to_json()))) == merged


def test_first_seen_knows_the_nearest_value_that_was_seen():
    seen = FirstSeen({3: 40, 10: 2, 12: 7})
    assert [seen.nearest(v) for v in (0, 6, 7, 11, 99)] == [3, 3, 10, 10, 12]
    with pytest.raises(ValueError):
        FirstSeen({}).nearest(1)


def test_first_seen_refuses_what_is_no_value_a_deal():
    with pytest.raises(ValueError, match="2 values of 3 deals"):
        FirstSeen.of(np.arange(2), np.arange(3))
    with pytest.raises(TypeError):
        FirstSeen.of(np.array([0.5]), np.arange(1))


# --- cells ------------------------------------------------------------------------------------------------------------


def test_the_moments_of_a_cell_are_those_of_its_games_summed_a_deal() -> None:
    rng = np.random.default_rng(5)
    cells, a = rng.integers(-1, 4, (300, 2)), rng.integers(-50, 50, (300, 2))
    b = np.ones_like(a)
    found = Cells.of(cells, [a, b])
    assert found.n == 300
    for cell in range(4):
        inside = cells == cell
        wanted = Moments.of([(a * inside).sum(axis=1), (b * inside).sum(axis=1)])
        assert found.cells[cell] == wanted
    assert list(found.cells) == [0, 1, 2, 3]


def test_cells_merge_to_the_same_bits_in_any_order_and_survive_json() -> None:
    rng = np.random.default_rng(6)
    cells, a = rng.integers(-1, 9, (90, 3)), rng.integers(-5, 5, (90, 3))
    whole = Cells.of(cells, [a])
    parts = [Cells.of(cells[i : i + 10], [a[i : i + 10]]) for i in range(0, 90, 10)]
    total = parts[4]
    for part in parts[5:] + parts[:4]:
        total = part + total
    assert total == whole
    assert Cells.from_json(json.loads(json.dumps(whole.to_json()))) == whole


def test_without_a_game_there_are_no_cells() -> None:
    nothing = Cells.of(np.full((5, 2), -1), [np.ones((5, 2), np.int64)])
    assert nothing == Cells(5, {})
    assert nothing + nothing == Cells(10, {})
