"""Sweeps and paths."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.report import style
from simkit.report.charts import lines, paths
from simkit.report.charts.ends import spread_out
from tests.report.charts.test_rows import texts

NAN = math.nan
X = [50, 100, 200]


def flat(level: float, x: list[int] | list[str] = X) -> tuple[list[int] | list[str], list[float], ...]:
    """A series that does not move, with a half-width of 0.01."""
    return x, [level] * len(x), [level - 0.01] * len(x), [level + 0.01] * len(x)


def test_no_series_make_a_chart_that_says_so() -> None:
    assert texts(lines({}, "x", "y")) == ["Nothing was observed."]
    assert texts(lines({"a": ([], [], [], [])}, "x", "y")) == ["Nothing was observed."]
    assert texts(paths([], {}, "x", "y")) == ["Nothing was observed."]


def test_a_sweep_names_its_lines_axes_values_and_margin() -> None:
    shown = texts(lines({"greedy": flat(0.5)}, "start points", "win rate, per cent", band=(0.49, 0.51)))
    assert {"greedy", "start points", "win rate, per cent", "shaded: your margin", "50", "100", "200"} <= set(shown)


def test_without_a_margin_no_margin_is_mentioned() -> None:
    assert not any("margin" in text for text in texts(lines({"greedy": flat(0.5)}, "x", "y")))


def test_options_that_are_words_are_set_apart_in_their_order() -> None:
    figure = lines({"greedy": flat(0.5, ["any front", "a hill"])}, "king_on", "win rate, per cent")
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["any front", "a hill"]


def test_plain_numbers_are_not_made_per_cent() -> None:
    low, high = lines({"greedy": flat(14.0)}, "x", "rounds a game", scale=1.0).axes[0].get_ylim()
    assert 13 < low < 14 < high < 15


def test_gaps_and_empty_series_are_left_out() -> None:
    series = {"gap": (X, [0.5, NAN, 0.6], [0.4, NAN, 0.5], [0.6, NAN, 0.7]), "empty": (X, *[[NAN] * 3] * 3)}
    shown = texts(lines(series, "x", "y"))
    assert "gap" in shown
    assert "empty" not in shown


@pytest.mark.parametrize("width", [style.WIDE, style.NARROW])
@pytest.mark.parametrize("n", [1, 6, 25])
def test_labels_at_the_ends_never_touch(n: int, width: float) -> None:
    with style.drawn_at(width):
        figure = lines({f"strategy {i}": flat(0.5 + i / 1e5) for i in range(n)}, "x", "y")
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text().startswith("strategy")]
    assert len(boxes) == n
    assert not any(box.overlaps(other) for i, box in enumerate(boxes) for other in boxes[:i])
    assert all(box.x1 <= 100 * width + 1 for box in boxes)


def test_labels_that_have_room_stay_where_they_belong() -> None:
    assert spread_out(np.array([1.0, 3.0, 2.0]), 0.5, 0.0, 4.0) == pytest.approx([1.0, 3.0, 2.0])


def test_labels_that_meet_are_moved_apart_by_the_same_amount() -> None:
    assert spread_out(np.array([2.0, 2.0]), 1.0, 0.0, 4.0) == pytest.approx([1.5, 2.5])


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=20))
def test_labels_keep_their_order_and_their_distance(wanted: list[float]) -> None:
    places = spread_out(np.array(wanted), 0.1, -1.0, 1.0)
    ordered = places[np.argsort(wanted, kind="stable")]
    assert all(b - a >= 0.1 - 1e-9 for a, b in pairwise(ordered))
    assert ordered[0] >= -1 - 1e-9
    assert ordered[-1] <= 1 + 1e-9


def test_paths_name_their_groups_and_say_what_the_bands_are() -> None:
    band = np.arange(5)[:, None] + np.zeros(3)
    band[:, 2] = NAN
    shown = texts(paths([1, 2, 3], {"winner": band + 5, "loser": band}, "round", "TP after the round"))
    assert {"winner", "loser", "round", "TP after the round"} <= set(shown)
    assert any("median" in text for text in shown)


def test_a_path_of_one_step_is_a_point() -> None:
    assert "w" in texts(paths([1], {"w": [[1], [2], [3], [4], [5]]}, "round", "TP"))


def test_a_long_name_of_the_x_axis_stays_on_a_narrow_chart() -> None:
    name = "start_points: total points (TP) of each player at the start"
    with style.house_style(), style.drawn_at(style.NARROW):
        figure = lines({"planner against itself": flat(0.5)}, name, "y")
        figure.canvas.draw()
        box = figure.axes[0].xaxis.label.get_window_extent()
        assert figure.axes[0].get_xlabel() == name
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1


def test_long_names_of_values_are_broken_at_their_spaces_on_a_narrow_chart() -> None:
    tables = ["[1, 2, 4, 8, 16, 32, 128]", "[1, 2, 4, 8, 8, 8, 8]", "[1, 2, 3, 4, 5, 6, 7]"]
    with style.house_style(), style.drawn_at(style.NARROW):
        figure = lines({"caller": (tables, [0.1] * 3, [0.1] * 3, [0.1] * 3)}, "values", "y")
        figure.draw_without_rendering()
        ticks = figure.axes[0].get_xticklabels()
        boxes = [tick.get_window_extent() for tick in ticks]
        below = figure.axes[0].xaxis.label.get_window_extent()
    assert [tick.get_text().replace("\n", " ") for tick in ticks] == tables
    assert not any(a.overlaps(b) for a, b in pairwise(boxes))
    assert below.y0 >= 0
    assert below.y1 <= min(box.y0 for box in boxes)


def test_a_remark_stands_beside_what_the_band_is() -> None:
    shown = texts(lines({"2": flat(0.5)}, "x", "y", band=(0.4, 0.6), remark="a line for each draw"))
    assert "a line for each draw; shaded: your margin" in shown
