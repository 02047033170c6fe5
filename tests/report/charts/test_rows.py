"""Charts of one row a thing."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from matplotlib.figure import Figure

from simkit.report import style
from simkit.report.charts import bars, forest, twin_bars
from simkit.report.svg import svg_of

NAN = math.nan


def texts(figure: Figure) -> list[str]:
    """All texts of the chart, in the order they are drawn."""
    root = ET.fromstring(svg_of(figure, "c", ""))
    return [node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_no_rows_make_a_chart_that_says_so() -> None:
    assert texts(forest([])) == ["Nothing was observed."]
    assert texts(bars([])) == ["Nothing was observed."]
    assert texts(twin_bars([], ("one", "other"))) == ["Nothing was observed."]


def test_an_effect_is_written_at_the_end_of_its_row_with_its_verdict() -> None:
    shown = texts(forest([("K", "", 0.0123, 0.0111, 0.0135)], 0.01))
    assert "K" in shown
    assert shown[shown.index("+1.23") + 1] == "± 0.12"
    assert "too strong" in shown
    assert "points of win rate" in shown
    assert "shaded: your margin of ±1" in shown


def test_without_a_margin_nothing_is_judged_and_numbers_keep_their_unit() -> None:
    shown = texts(forest([("K", "", 3.21, 3.11, 3.31)], None, unit="TP a round", scale=1.0, zero_label="no gain"))
    assert "+3.21" in shown
    assert "TP a round" in shown
    assert "no gain" in shown
    assert not {"fair", "too strong", "undecided"} & set(shown)
    assert not any("margin" in text for text in shown)


def test_rows_are_sorted_within_groups_and_groups_stay_in_order() -> None:
    rows = [
        ("low", "second", -0.02, -0.03, -0.01),
        ("unseen", "second", NAN, NAN, NAN),
        ("high", "second", 0.02, 0.01, 0.03),
        ("only", "first", 0.0, -0.01, 0.01),
    ]
    shown = [text for text in texts(forest(rows, 0.01)) if text in {"second", "first", "low", "high", "unseen", "only"}]
    assert shown == ["second", "high", "low", "unseen", "first", "only"]


def test_one_group_needs_no_header() -> None:
    assert "King" not in texts(forest([("greedy", "King", 0.0, -0.01, 0.01)], 0.01))


def test_a_row_without_observations_says_so() -> None:
    shown = texts(forest([("K", "", NAN, NAN, NAN)], 0.01))
    assert "not seen" in shown
    assert "nan" not in "".join(shown)
    assert "never played" in texts(forest([("K", "", NAN, NAN, NAN)], 0.01, not_seen="never played"))


def test_one_hopeless_interval_does_not_flatten_the_others() -> None:
    rows = [("a", "", 0.004, 0.001, 0.007), ("b", "", -0.004, -0.007, -0.001), ("rare", "", 0.0, -0.4, 0.4)]
    low, high = forest(rows, 0.01).axes[0].get_xlim()
    assert -5 < low < -1
    assert 1 < high < 5


def test_a_large_estimate_is_never_cut() -> None:
    rows = [("a", "", 0.004, 0.001, 0.007), ("b", "", 0.001, 0.0, 0.002), ("giant", "", 0.4, 0.3, 0.5)]
    assert forest(rows, 0.01).axes[0].get_xlim()[1] > 50


@pytest.mark.parametrize("width", [style.WIDE, style.NARROW])
@pytest.mark.parametrize("rows", [1, 13, 40])
def test_rows_keep_their_height_however_many_there_are(rows: int, width: float) -> None:
    with style.drawn_at(width):
        effects = [(f"card {i}", "", i / 1000, i / 1000 - 0.002, i / 1000 + 0.002) for i in range(rows)]
        figure = forest(effects, 0.01)
    assert figure.get_size_inches()[0] == width
    assert figure.axes[0].get_ylim()[0] / rows == pytest.approx(0.245)
    assert texts(figure).count("card 0") == 1


@pytest.mark.parametrize("width", [style.WIDE, style.NARROW])
def test_no_text_leaves_the_chart_or_touches_another(width: float) -> None:
    long = "a_strategy_with_quite_a_long_name:and_a_parameter=12"
    rows = [(long, "a group", 0.01, 0.009, 0.011), ("b", "a group", NAN, NAN, NAN), ("c", "other", -0.2, -0.3, -0.1)]
    with style.drawn_at(width):
        figure = forest(rows, 0.01, zero_label="the card changes nothing at all")
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text()]
    for i, box in enumerate(boxes):
        assert box.x0 >= 0
        assert box.x1 <= 100 * width + 1
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_shares_stand_in_the_order_given_with_their_half_widths() -> None:
    shown = texts(
        bars([("7", 0.312, 0.305, 0.319), ("8", 0.5, 0.5, 0.5), ("none", NAN, NAN, NAN)], "per cent of plays")
    )
    assert [text for text in shown if text in {"7", "8", "none"}] == ["7", "8", "none"]
    assert shown[shown.index("31.2") + 1] == "± 0.7"
    assert "–" in shown
    assert "per cent of plays" in shown


@pytest.mark.parametrize("width", [style.WIDE, style.NARROW])
def test_twin_bars_write_both_numbers_and_what_they_are(width: float) -> None:
    rows = [
        ("a_rule_with_a_long_name", (0.62, 0.57, 0.67), (-0.01, -0.04, 0.02)),
        ("unseen", (NAN, NAN, NAN), (NAN, NAN, NAN)),
    ]
    with style.drawn_at(width):
        figure = twin_bars(rows, ("the one of two numbers", "the other of them"), "per cent of all")
        figure.draw_without_rendering()  # type: ignore[no-untyped-call]
        inches = [text.get_window_extent().bounds for text in figure.axes[0].texts if text.get_text()]
    shown = texts(figure)
    assert shown[shown.index("62") + 1] == "± 5"
    assert shown[shown.index("\u22121") + 1] == "± 3"
    assert shown.count("–") == 2
    assert {"the one of two numbers", "the other of them", "per cent of all"} <= set(shown)
    assert all(x >= -1 and x + wide <= figure.get_size_inches()[0] * figure.dpi + 1 for x, _, wide, _ in inches)
    bars_drawn = [patch.get_width() for patch in figure.axes[0].patches]
    assert bars_drawn == pytest.approx([62, 0])  # what lies below 0 has no bar
