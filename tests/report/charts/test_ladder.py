"""Effects over the strength of play."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from simkit.report import style
from simkit.report.charts import ladder
from tests.report.charts.test_rows import texts

RUNGS = [("random", 0.1), ("greedy", 0.5), ("hill_hunter", 0.505), ("never_bluffs", 0.505), ("planner", 0.9)]
LINE = [(0.02, 0.015, 0.025), (0.0, -0.005, 0.005), (0.012, 0.0, 0.024), (0.02, 0.015, 0.025), (-0.03, -0.04, -0.02)]
AXES = ("strength", "points of win rate")


@pytest.mark.parametrize("rungs", [RUNGS, [(name, 0.5) for name, _ in RUNGS]], ids=["different", "equal"])
@pytest.mark.parametrize("subjects", [1, 5, 12])
@pytest.mark.parametrize("width", [style.WIDE, style.NARROW])
def test_names_do_not_touch_and_marks_stand_inside(rungs: list[tuple[str, float]], subjects: int, width: float) -> None:
    with style.drawn_at(width):
        figure = ladder(rungs, {f"seat {i}": LINE for i in range(subjects)}, *AXES, margin=0.01)
    (axes,) = figure.axes
    boxes = [t.get_window_extent() for t in axes.texts if t.get_text() in dict(rungs)]
    assert len(boxes) == len(rungs)
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 for box in boxes)
    left, right = axes.get_xlim()
    marks = [x for line in axes.lines if line.get_marker() in "osDPXh" and line.get_clip_on() for x in line.get_xdata()]
    assert left < min(marks) <= max(marks) < right


def test_stronger_strategies_stand_to_the_right_at_least_as_far_as_their_marks_need() -> None:
    figure = ladder(RUNGS, {"seat 0": LINE}, *AXES)
    line = next(line for line in figure.axes[0].lines if len(line.get_xdata()) == len(RUNGS))
    steps = [b - a for a, b in pairwise(line.get_xdata())]
    assert min(steps) > 0.15
    assert steps[0] > 5 * steps[1]


def test_subjects_strategies_strengths_margin_and_doubt_are_named() -> None:
    figure = ladder(RUNGS, {"seat 0": LINE, "seat 1": LINE[::-1]}, *AXES, margin=0.01, remark="2 of 8")
    shown = texts(figure)
    assert {"seat 0", "seat 1", "random", "10 %", "strength", "points of win rate"} <= set(shown)
    assert "2 of 8; shaded: your margin of ±1; hollow: undecided" in shown


def test_what_is_decided_or_not_judged_is_not_called_undecided() -> None:
    assert not any("hollow" in text for text in texts(ladder(RUNGS[:2], {"seat 0": LINE[:2]}, *AXES, margin=0.01)))
    assert not any("margin" in text for text in texts(ladder(RUNGS, {"seat 0": LINE}, *AXES)))


def test_gaps_are_left_out_and_nothing_says_so() -> None:
    nan = (math.nan,) * 3
    shown = texts(ladder(RUNGS, {"gap": [LINE[0], nan, *LINE[2:]], "none": [nan] * 5}, *AXES, margin=0.01))
    assert "gap" in shown
    assert "none" not in shown
    assert texts(ladder(RUNGS, {"none": [nan] * 5}, *AXES)) == ["Nothing was observed."]
    assert texts(ladder([], {}, *AXES)) == ["Nothing was observed."]
