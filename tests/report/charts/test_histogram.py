"""Distributions in per cent of games."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.patches import StepPatch

from simkit.report import style
from simkit.report.charts import histogram
from tests.report.charts.test_rows import texts


def heights(figure_axes: object) -> np.ndarray:
    (stairs,) = [patch for patch in figure_axes.patches if isinstance(patch, StepPatch)]  # type: ignore[attr-defined]
    return np.asarray(stairs.get_data().values)


def test_nothing_counted_makes_a_chart_that_says_so() -> None:
    assert texts(histogram({}, "rounds")) == ["Nothing was observed."]
    assert texts(histogram({"a": ([], [])}, "rounds")) == ["Nothing was observed."]
    assert texts(histogram({"a": ([3], [0])}, "rounds")) == ["Nothing was observed."]


def test_bars_are_per_cent_of_the_groups_own_games() -> None:
    figure = histogram({"a": ([3, 1, 2], [1, 1, 2]), "b": ([2], [7])}, "rounds a game")
    assert heights(figure.axes[0]) == pytest.approx([25, 50, 25])
    assert heights(figure.axes[1]) == pytest.approx([0, 100, 0])


def test_a_panel_names_its_group_and_its_median() -> None:
    shown = texts(histogram({"greedy": ([10, 20, 30], [5, 3, 2])}, "rounds a game"))
    assert {"greedy", "median 10", "rounds a game", "per cent of games"} <= set(shown)


def test_a_long_tail_is_told_instead_of_drawn() -> None:
    figure = histogram({"greedy": ([10, 11, 9000], [5000, 4999, 1])}, "rounds")
    assert figure.axes[0].get_xlim()[1] < 20
    assert "median 10; under 0.1 % beyond, up to 9\u202f000" in texts(figure)


def test_many_values_share_bars_and_the_chart_says_how_wide() -> None:
    figure = histogram({"a": (np.arange(1000), np.ones(1000, dtype=int))}, "turns")
    assert len(heights(figure.axes[0])) <= 70
    assert heights(figure.axes[0]).sum() == pytest.approx(100, abs=0.5)
    assert "per cent of games, bars 15 wide" in texts(figure)


@pytest.mark.parametrize("width", [style.WIDE, style.NARROW])
def test_titles_stay_on_the_chart(width: float) -> None:
    with style.drawn_at(width):
        figure = histogram({"a_strategy_with_quite_a_long_name:front=1": ([1, 2, 900], [900, 900, 1])}, "rounds")
    figure.canvas.draw()
    assert all(text.get_window_extent().x1 <= 100 * width + 1 for text in figure.axes[0].texts)
