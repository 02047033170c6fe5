"""Charts are drawn under settings of their own, and leave everybody else's alone."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import matplotlib as mpl
import pytest

from simkit.report import charts, style
from simkit.report.svg import svg_of


def test_drawing_changes_no_setting_of_matplotlib() -> None:
    before = dict(mpl.rcParams)
    charts.bars([("a", 0.5, 0.4, 0.6)])
    assert dict(mpl.rcParams) == before


def test_a_users_own_settings_do_not_show() -> None:
    plain = svg_of(charts.bars([("a", 0.5, 0.4, 0.6)]), "c", "")
    with mpl.rc_context({"font.size": 30, "text.color": "red", "svg.fonttype": "path"}):
        assert svg_of(charts.bars([("a", 0.5, 0.4, 0.6)]), "c", "") == plain


def test_charts_never_import_pyplot() -> None:
    code = (
        "import sys; from simkit.report import charts, svg;"
        "svg.svg_of(charts.bars([('a', 0.5, 0.4, 0.6)]), 'c', '');"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_the_width_belongs_to_the_thread_that_asked_for_it() -> None:
    with style.drawn_at(style.NARROW), ThreadPoolExecutor(1) as pool:
        assert style.chart_width() == style.NARROW
        assert style.is_narrow()
        assert pool.submit(style.chart_width).result() == style.WIDE
    assert not style.is_narrow()


def test_threads_draw_the_same_chart_at_once() -> None:
    def draw(_: int) -> str:
        return svg_of(charts.forest([("K", "", 0.01, 0.0, 0.02)], 0.01), "c", "")

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(draw, range(8)))) == 1


def test_a_long_name_is_cut_in_its_middle_so_that_its_parameters_stay() -> None:
    name = "a_hunter_of_hills_with_a_long_name:max_front=7"
    short = style.shorten(name, 1.2)
    assert style.text_width(short) <= 1.2 < style.text_width(name)
    assert short.startswith("a_hunt")
    assert short.endswith("front=7")
    assert style.shorten("K", 1.2) == "K"
    assert style.shorten(name, 0.01) == "…"


def test_a_name_is_broken_after_its_marks_before_it_is_cut() -> None:
    name = "hill_hunter:max_front=7 against itself"
    assert style.in_lines(name, 4.0) == [name]
    assert style.in_lines(name, 1.7) == ["hill_hunter:max_front=7", "against itself"]
    first, second = style.in_lines(name, 1.3)
    assert first == "hill_hunter:max_"
    assert second.startswith("front=7")
    assert second.endswith("t itself")
    assert style.text_width(second) <= 1.3
    assert style.in_lines("", 1.0) == [""]


def test_the_first_eighteen_series_look_different() -> None:
    assert len({style.series_style(i) for i in range(18)}) == 18


def _luminance(colour: str) -> float:
    """Relative luminance of sRGB (WCAG 2.2)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a: str, b: str) -> float:
    low, high = sorted((_luminance(a), _luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("a", "b", "ratio"), [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48)])
def test_contrast_is_that_of_wcag(a: str, b: str, ratio: float) -> None:
    assert _contrast(a, b) == pytest.approx(ratio, abs=0.01)


@pytest.mark.parametrize(("ink", "paper"), [("#1b1e23", "#ffffff"), ("#e8eaed", "#15181c")])
@pytest.mark.parametrize("colour", [style.BLUE, style.VERMILLION])
def test_the_deepest_cell_of_a_matrix_keeps_its_number_readable(ink: str, paper: str, colour: str) -> None:
    from simkit.report.charts.matrix import STRONGEST

    mixed = [
        round(STRONGEST * int(colour[i : i + 2], 16) + (1 - STRONGEST) * int(paper[i : i + 2], 16)) for i in (1, 3, 5)
    ]
    assert _contrast(ink, "#{:02x}{:02x}{:02x}".format(*mixed)) >= 4.5
