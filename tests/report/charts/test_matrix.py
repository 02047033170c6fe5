"""Charts of cells: everybody against everybody, and maps of one thing against another."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from simkit.report import style
from simkit.report.charts import grid, heat, matrix
from simkit.report.svg import svg_of
from tests.report.charts.test_rows import texts

NAN = math.nan


def test_no_strategies_make_a_chart_that_says_so() -> None:
    assert texts(matrix([], np.empty((0, 0)))) == ["Nothing was observed."]


def test_a_cell_says_the_row_wins_with_one_number_of_decimals() -> None:
    shown = texts(matrix(["a", "b"], [[NAN, 0.62345], [0.37655, NAN]], [[NAN, 0.004], [0.0038, NAN]]))
    assert shown[shown.index("62.3") + 1] == "± 0.4"
    assert shown[shown.index("37.7") + 1] == "± 0.4"


def test_a_pair_that_did_not_play_is_hatched_and_has_no_number() -> None:
    figure = matrix(["a"], [[NAN]])
    assert "<pattern" in svg_of(figure, "c", "")
    assert not any(re.search(r"\d|–|nan", text) for text in texts(figure))


def test_colours_are_centred_on_half() -> None:
    figure = matrix(["a", "b"], [[0.5, 0.8], [0.2, 0.5]])
    looks = [(patch.get_facecolor()[:3], patch.get_alpha()) for patch in figure.axes[0].patches if patch.get_alpha()]
    (strong, deep), (weak, as_deep) = looks
    assert strong != weak
    assert deep == as_deep == 0.75


def test_small_differences_stay_pale() -> None:
    figure = matrix(["a", "b"], [[NAN, 0.51], [0.49, NAN]])
    assert max(patch.get_alpha() or 0 for patch in figure.axes[0].patches) == pytest.approx(0.75 / 5)


@pytest.mark.parametrize("width", [style.WIDE, style.NARROW])
@pytest.mark.parametrize("n", [1, 2, 7, 20, 40])
def test_names_and_numbers_fit_however_many_there_are(n: int, width: float) -> None:
    names = [f"strategy_{i}:front={i}" for i in range(n)]
    with style.drawn_at(width):
        figure = matrix(names, np.full((n, n), 0.5), np.full((n, n), 0.004), title="")
    figure.canvas.draw()
    boxes = [text.get_window_extent().shrunk(0.98, 0.7) for text in figure.axes[0].texts if text.get_text()]
    numbered = len(boxes) > 3 * n + 1
    assert numbered or n >= 20
    for i, box in enumerate(boxes[: 3 * n + 1]):
        assert box.x0 >= 0
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_a_title_is_drawn_when_there_is_one() -> None:
    assert "Win rates" in texts(matrix(["a"], [[NAN]], title="Win rates"))


# --- one thing against another ----------------------------------------------------------------------------------------

ROWS, COLUMNS = ["0", "1", "2 up"], ["0–9", "10–19", "20 up", "never"]
VALUES = [[-8.0, -1.2, 4.0, NAN], [-20.0, -6.5, 10.0, NAN], [NAN, NAN, NAN, NAN]]


def a_map() -> list[str]:
    errors = np.full((3, 4), 0.31)
    return texts(heat(ROWS, COLUMNS, VALUES, errors, "investment cards", "sum", "points"))


def test_a_map_says_what_its_rows_columns_and_colours_are() -> None:
    shown = a_map()
    assert "rows: investment cards; columns: sum" in shown
    assert "points; blue: it adds, orange: it costs; hatched: hardly seen" in shown
    assert [shown.count(name) for name in (*ROWS, *COLUMNS)] == [1] * 7


def test_a_map_writes_signed_values_with_their_half_widths() -> None:
    shown = a_map()
    for value in ("−8.0", "−1.2", "+4.0", "−20.0", "−6.5", "+10.0"):
        assert shown[shown.index(value) + 1] == "± 0.3"


def test_a_map_of_nothing_says_so() -> None:
    nothing = np.full((1, 1), NAN)
    assert texts(heat(["a"], ["b"], nothing, nothing, "", "", "points")) == ["Nothing was observed."]


def test_the_largest_value_of_a_map_has_the_deepest_colour() -> None:
    figure = heat(ROWS, COLUMNS, VALUES, np.full((3, 4), NAN), "r", "c", "points")
    depths = [patch.get_alpha() or 0 for patch in figure.axes[0].patches]
    assert max(depths) == pytest.approx(0.75)
    assert sum(0 < depth < 0.75 for depth in depths) == 5


def test_a_map_of_zeros_is_pale() -> None:
    figure = heat(["a"], ["b", "c"], [[0.0, 0.0]], np.full((1, 2), 0.3), "r", "c", "points")
    assert {patch.get_alpha() or 0 for patch in figure.axes[0].patches} == {0}


def test_what_rows_and_columns_are_takes_two_lines_where_one_is_too_narrow() -> None:
    with style.drawn_at(style.NARROW):
        shown = texts(
            heat(ROWS, COLUMNS, VALUES, np.full((3, 4), 0.3), "investment cards in hand", "sum in hand", "points")
        )
    assert {"rows: investment cards in hand", "columns: sum in hand"} <= set(shown)


def test_cells_of_a_map_that_there_are_not_stay_empty_and_others_may_be_framed() -> None:
    framed = [[False, True], [False, False]]
    figure = heat(["a", "b"], ["c", "d"], [[1.0, -2.0], [3.0, NAN]], None, "r", "c", "points", hatched="",
                  framed=framed, framed_words="beyond your margin", deepest=6.0)  # fmt: skip
    assert "<pattern" not in svg_of(figure, "c", "")
    assert "points; blue: it adds, orange: it costs; framed: beyond your margin" in texts(figure)
    (frame,) = [patch for patch in figure.axes[0].patches if patch.get_linewidth() == 1.2]
    assert 1 < frame.get_x() < frame.get_x() + frame.get_width() < 2
    assert max(patch.get_alpha() or 0 for patch in figure.axes[0].patches) == pytest.approx(0.75 / 2)


def test_a_long_key_of_a_map_takes_more_lines() -> None:
    with style.drawn_at(style.NARROW):
        shown = texts(heat(ROWS, COLUMNS, VALUES, None, "r", "c", "points of win rate above an even share"))
    assert not any("…" in text for text in shown)
    assert any(text.endswith("hatched: hardly seen") for text in shown)


# --- ways of playing by rules -----------------------------------------------------------------------------------------

RATES = [[0.53, 0.45], [0.50, 0.51], [0.47, 0.52]]


def frames(best: list[tuple[int, ...]]) -> list[tuple[float, float, str]]:
    figure = grid(["0", "0.5", "1"], ["0", "3"], RATES, np.full((3, 2), 0.004), "bluff", "draw", best)
    return [(*p.get_xy(), p.get_linestyle()) for p in figure.axes[0].patches if p.get_linewidth() == 1.6]


def test_one_best_cell_of_a_column_has_a_full_frame_and_several_have_dotted_ones() -> None:
    (first, second, third) = frames([(0,), (1, 2)])
    assert [(round(x), round(y)) for x, y, _ in (first, second, third)] == [(0, 0), (1, 1), (1, 2)]
    assert first[2] == "solid"
    assert second[2] == third[2] != "solid"


def test_a_grid_explains_its_frames_where_it_has_any() -> None:
    def key(best: list[tuple[int, ...]]) -> str:
        figure = grid(["0", "0.5", "1"], ["0", "3"], RATES, np.full((3, 2), 0.004), "bluff", "draw", best)
        return next(text for text in texts(figure) if text.startswith("per cent"))

    assert key([(), ()]) == "per cent of games won"
    assert key([(0,), ()]) == "per cent of games won; framed: best of its column"
    assert key([(0,), (1, 2)]) == "per cent of games won; framed: best of its column; dotted: one of these"


def test_a_grid_has_an_even_share_for_each_column() -> None:
    figure = grid(["a"], ["2 players", "4 players"], [[0.5, 0.25]], [[NAN, NAN]], "way", "players", even=[0.5, 0.25])
    assert not any(patch.get_alpha() for patch in figure.axes[0].patches)
    assert {"50.0", "25.0"} <= set(texts(figure))


def test_a_grid_of_nothing_says_so() -> None:
    assert texts(grid(["a"], ["b"], [[NAN]], [[NAN]], "r", "c")) == ["Nothing was observed."]
