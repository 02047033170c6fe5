"""Numbers are written to the digit that is known. Known answers by hand, from the rule in the report's design."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.report import numbers

NAN = math.nan


@pytest.mark.parametrize(
    ("value", "half_width", "text"),
    [
        (0.4187211, 0.0283, "0.42 ± 0.03"),
        (0.4187211, 0.0137, "0.419 ± 0.014"),
        (-0.4187211, 0.3, "−0.4 ± 0.3"),
        (0.4187211, 0.0996, "0.42 ± 0.10"),
        (1234.56, 37.2, "1\u202f235 ± 37"),
        (-0.004, 0.03, "0.00 ± 0.03"),
        (0.0, 0.0, "0 ± 0"),
        (0.25, 0.0, "0.250 ± 0"),
        (0.4, NAN, "0.400"),
        (NAN, 0.1, "–"),
        (math.inf, None, "–"),
        (14.2318, None, "14.2"),
        (0.00417, None, "0.00417"),
        (12345.0, None, "12\u202f345"),
        (3.0, None, "3"),
    ],
)
def test_a_number_shows_the_digits_that_its_half_width_leaves(value: float, half_width: float, text: str) -> None:
    assert numbers.number(value, half_width) == text


@pytest.mark.parametrize(
    ("share", "half_width", "text"),
    [(0.523, None, "52.3 %"), (0.52345, 0.004, "52.3 ± 0.4 %"), (NAN, NAN, "–"), (1.0, 0.0, "100 ± 0 %")],
)
def test_a_share_is_written_as_per_cent(share: float, half_width: float | None, text: str) -> None:
    assert numbers.percent(share, half_width) == text


@pytest.mark.parametrize(
    ("effect", "half_width", "text"),
    [(0.0042, 0.0003, "+0.42 ± 0.03"), (-0.012, None, "−1.20"), (0.0, None, "0.00"), (NAN, None, "–")],
)
def test_an_effect_is_written_in_signed_points(effect: float, half_width: float | None, text: str) -> None:
    assert numbers.points(effect, half_width) == text


def test_a_count_has_thin_spaces_that_do_not_break() -> None:
    assert numbers.count(12345) == "12\u202f345"
    assert numbers.count(1_234_567) == "1\u202f234\u202f567"
    assert numbers.count(999) == "999"
    assert numbers.count(NAN) == "–"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "less than a second"),
        (1.0, "1 second"),
        (41.2, "41 seconds"),
        (90.0, "1.5 minutes"),
        (720.0, "12 minutes"),
        (12_600.0, "3.5 hours"),
        (259_200.0, "3 days"),
    ],
)
def test_a_duration_is_told_in_the_largest_unit_that_fits(seconds: float, text: str) -> None:
    assert numbers.duration(seconds) == text


def test_an_axis_tick_has_no_more_digits_than_it_needs() -> None:
    assert numbers.tick(0.1 + 0.2) == "0.3"
    assert numbers.tick(-2.0, signed=True) == "−2"
    assert numbers.tick(2.0, signed=True) == "+2"
    assert numbers.tick(0.0, signed=True) == "0"


def test_a_cell_follows_the_format_of_its_column() -> None:
    assert numbers.cell(0.523, "percent", 0.004) == "52.3 ± 0.4 %"
    assert numbers.cell(np.float64(0.0042), "points", 0.0003) == "+0.42 ± 0.03"
    assert numbers.cell(np.int64(12345), "count") == "12\u202f345"
    assert numbers.cell(14.2318, "number", 0.0283) == "14.23 ± 0.03"
    assert numbers.cell("K", "text") == "K"


@pytest.mark.parametrize("missing", [None, NAN, np.float64("nan"), pd.NaT, pd.NA])
@pytest.mark.parametrize("form", ["percent", "points", "number", "count", "text"])
def test_a_missing_cell_is_a_dash_in_every_format(missing: object, form: numbers.Format) -> None:
    assert numbers.cell(missing, form) == "–"


@given(st.floats(-1e6, 1e6), st.floats(1e-5, 1e5))
def test_a_written_number_lies_within_its_half_width(value: float, half_width: float) -> None:
    text = numbers.number(value, half_width).replace(numbers.THIN_SPACE, "").replace(numbers.MINUS, "-")
    shown, shown_half = (float(part) for part in text.split(" ± "))
    assert abs(shown - value) <= 0.5 * max(half_width, 1.0) + 1e-6
    assert shown_half == pytest.approx(half_width, rel=0.35, abs=0.5 if half_width > 1 else 1e-6)
