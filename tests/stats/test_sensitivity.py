"""Sensitivity by SALib: functions whose indices are known, and resamples that say how sure these are."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from simkit.errors import UsageError
from simkit.stats.sensitivity import CHANGE, Method, design, indices, noise_share, sampled

Floats = NDArray[np.float64]
METHODS: tuple[Method, ...] = ("sobol", "morris")

# Ishigami and Homma 1990, a = 7, b = 0.1; the indices follow from the variances of its terms.
FIRST, TOTAL = (0.313905, 0.442411, 0.0), (0.557589, 0.442411, 0.243684)


def ishigami(points: Floats) -> Floats:
    x, y, z = (np.pi * (2 * points - 1)).T
    value: Floats = np.sin(x) + 7 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x)
    return value


def repeated(values: Floats, resamples: int = 40) -> Floats:
    """The same numbers in all resamples of the deals: there is no noise."""
    return np.tile(values, (1 + resamples, 1))


def test_the_indices_of_the_ishigami_function() -> None:
    made = design("sobol", 4096, (2, 2, 2), 1)
    found = indices(made, ishigami(made.points))
    assert found[0] == pytest.approx(FIRST, abs=0.02)
    assert found[1] == pytest.approx(TOTAL, abs=0.02)


def test_a_step_of_morris_in_a_linear_function_is_half_its_range_and_does_not_differ() -> None:
    made = design("morris", 20, (3, 4, 5), 1)
    found = indices(made, made.points @ [3.0, -2.0, 0.0])
    assert found[0] == pytest.approx([3 * made.step, 2 * made.step, 0], abs=1e-12)
    assert found[1] == pytest.approx(0, abs=1e-12)
    assert found[CHANGE] == pytest.approx([3 * made.step, -2 * made.step, 0], abs=1e-12)
    assert 0.5 < made.step < 0.51  # a grid of 60 levels


def test_what_only_a_combination_does_shows_as_a_spread_of_the_steps() -> None:
    made = design("morris", 40, (2, 2, 2), 1)
    found = indices(made, made.picks[:, 0] * made.picks[:, 1] * 1.0)
    assert found[1][:2] == pytest.approx([0.5, 0.5], abs=0.06)  # a step does 1 or nothing, each half of the time
    assert found[:2, 2] == pytest.approx([0, 0], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("counts", [(2, 3, 5), (2, 4, 7), (3, 3, 3)])
def test_each_value_is_picked_as_often_as_any_other(method: Method, counts: tuple[int, ...]) -> None:
    picks = design(method, 512, counts, 3).picks
    for i, count in enumerate(counts):
        shares = np.bincount(picks[:, i], minlength=count) / len(picks)
        assert len(shares) == count
        assert shares == pytest.approx(np.full(count, 1 / count), abs=0.04)


@pytest.mark.parametrize("method", METHODS)
def test_rows_of_a_block_change_one_input_at_a_time(method: Method) -> None:
    made = design(method, 16, (3, 4, 2), 9)
    for block in range(16):
        rows = made.points[made.rows(np.array([block]))]
        steps = rows[1:-1] - rows[0] if method == "sobol" else np.diff(rows, axis=0)
        assert np.all((steps != 0).sum(axis=1) == 1)
        assert set(np.argmax(steps != 0, axis=1)) == {0, 1, 2}
        if method == "morris":  # and every step reaches another value
            assert np.all(np.abs(np.diff(made.picks[made.rows(np.array([block]))], axis=0)).sum(axis=1) >= 1)


def test_the_change_is_the_mean_at_the_last_value_less_that_at_the_first() -> None:
    made = design("sobol", 64, (3, 4), 2)
    values = ishigami(np.column_stack([made.points, made.points[:, 0]]))
    rows = list(zip(made.picks.tolist(), values.tolist(), strict=True))
    for i, last in ((0, 2), (1, 3)):
        ends = [[value for picks, value in rows if picks[i] == pick] for pick in (0, last)]
        expected = sum(ends[1]) / len(ends[1]) - sum(ends[0]) / len(ends[0])
        assert indices(made, values)[CHANGE, i] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_an_input_that_is_not_used_has_exactly_nothing_and_no_width(method: Method) -> None:
    made = design(method, 32, (2, 3, 4), 4)
    values = made.picks[:, 0] + 0.3 * made.picks[:, 2] ** 2
    noisy = values + np.linspace(0, 1, 41)[:, None] * made.picks[:, 2]
    found = sampled(made, noisy)
    row = 1 if method == "sobol" else 0
    assert found.value[row, 1] == 0
    assert found.half[row, 1] == 0
    assert found.half[row, 0] > 0


@pytest.mark.parametrize("method", METHODS)
def test_the_same_number_everywhere_depends_on_nothing(method: Method) -> None:
    made = design(method, 16, (2, 2), 4)
    found = sampled(made, np.full((41, len(made.points)), 0.5))
    assert np.all(found.value == 0)
    assert np.all(found.half == 0)
    assert np.isnan(noise_share(np.full((41, len(made.points)), 0.5)))


@pytest.mark.parametrize("method", METHODS)
def test_a_number_that_is_not_known_everywhere_has_no_indices(method: Method) -> None:
    made = design(method, 16, (2, 2), 4)
    values = repeated(made.picks.sum(axis=1) * 1.0)
    values[:, 3] = np.nan
    assert np.isnan(sampled(made, values).value).all()
    assert np.isnan(sampled(made, values).half).all()
    assert np.isnan(noise_share(values))


def test_sobols_indices_are_those_of_salib_to_the_bit() -> None:
    from SALib.analyze import sobol

    made = design("sobol", 64, (2, 3, 2), 6)
    problem = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[0, 1]] * 3}
    for values in (ishigami(made.points), 1000 + made.points @ [1.0, 2.0, 0.0], made.picks[:, 0] * 1.0):
        theirs = sobol.analyze(problem, values, calc_second_order=False, num_resamples=2, seed=1)
        first, total, _ = indices(made, values)
        assert first.tolist() == theirs["S1"].tolist()
        assert total.tolist() == theirs["ST"].tolist()


def test_the_uncertainty_of_the_design_is_what_salib_says_it_is() -> None:
    from SALib.analyze import sobol

    made = design("sobol", 512, (2, 2, 2), 6)
    values = ishigami(made.points)
    problem = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[0, 1]] * 3}
    theirs = sobol.analyze(problem, values, calc_second_order=False, num_resamples=400, seed=1)
    found = sampled(made, repeated(values, 400))
    assert found.design_half[0] == pytest.approx(theirs["S1_conf"], rel=0.2)
    assert found.design_half[1] == pytest.approx(theirs["ST_conf"], rel=0.2)
    assert found.deals_half == pytest.approx(0, abs=1e-12)
    assert found.half == pytest.approx(found.design_half)


def test_the_noise_of_the_deals_is_the_share_that_it_has_of_the_variation() -> None:
    made = design("sobol", 256, (2, 2, 2), 6)
    rng, signal = np.random.default_rng(1), ishigami(made.points)
    noise = 0.5 * signal.std() * rng.standard_normal((401, len(signal)))
    values = signal + noise + 9 * rng.standard_normal((401, 1))  # what moves all alike does not count
    assert noise_share(values) == pytest.approx(0.25 / 1.25, abs=0.02)
    assert np.all(sampled(made, values).deals_half[:2] > 0)


def test_the_two_uncertainties_are_added_as_squares_and_carry_over_to_differences() -> None:
    made = design("sobol", 64, (2, 2), 6)
    rng = np.random.default_rng(1)
    found = sampled(made, made.points @ [1.0, 2.0] + 0.1 * rng.standard_normal((101, len(made.points))))
    assert found.half == pytest.approx(np.sqrt(found.design_half**2 + found.deals_half**2))
    gap = found.map(lambda numbers: numbers[..., 1, :] - numbers[..., 0, :])
    assert gap.value == pytest.approx(found.value[1] - found.value[0])
    deals = found.by_deals[:, 1] - found.by_deals[:, 0]
    assert gap.deals_half == pytest.approx(1.959964 * deals.std(axis=0, ddof=1))


@pytest.mark.parametrize("method", METHODS)
def test_equal_seeds_give_equal_designs_and_others_do_not(method: Method) -> None:
    make: Callable[..., object] = design.__wrapped__
    one, again, other = (make(method, 16, (2, 3), seed) for seed in (5, 5, 6))
    assert np.array_equal(one.points, again.points)  # type: ignore[attr-defined]
    assert not np.array_equal(one.points, other.points)  # type: ignore[attr-defined]


def test_without_salib_one_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "SALib.sample.sobol", None)
    with pytest.raises(UsageError, match=r'needs SALib: pip install "simkit\[sensitivity\]"'):
        design("sobol", 8, (2, 2, 2, 2, 2), 77)
