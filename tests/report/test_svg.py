"""Charts on a page: XML, without dates, ids that do not meet, colours of the page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from matplotlib.figure import Figure

from simkit.report import charts, style
from simkit.report.svg import png_bytes, svg_bytes, svg_of
from tests.report.examples import PLANTED

SVG = "{http://www.w3.org/2000/svg}"


def draw() -> Figure:
    return charts.matrix(["a", "b"], [[float("nan"), 0.6], [0.4, float("nan")]])


def test_the_same_chart_is_the_same_bytes() -> None:
    assert svg_of(draw(), "c", "x") == svg_of(draw(), "c", "x")
    assert svg_bytes(draw(), "x") == svg_bytes(draw(), "x")
    assert png_bytes(draw()) == png_bytes(draw())


def test_one_figure_can_be_written_twice() -> None:
    figure = draw()
    assert svg_of(figure, "c", "x") == svg_of(figure, "c", "x")


def test_ids_carry_the_charts_name_and_every_reference_finds_its_id() -> None:
    text = svg_of(draw(), "mine", "x")
    ids = re.findall(r' id="([^"]+)"', text)
    references = re.findall(r'(?:href="|url\()#([^")]+)', text)
    assert len(ids) == len(set(ids)) > 0
    assert all(name.startswith("mine-") for name in ids)
    assert set(references) == set(ids)


def test_colours_come_from_the_page_and_the_ground_is_transparent() -> None:
    text = svg_of(draw(), "c", "x")
    assert f"var(--ink, {style.INK})" in text
    assert f"var(--muted, {style.MUTED})" in text
    assert "fill: var(--paper" not in text
    assert not re.search(rf"(?<!, ){style.INK}", text)


def test_text_stays_text_in_the_pages_own_font() -> None:
    text = svg_of(charts.bars([("a name", 0.5, 0.4, 0.6)]), "c", "x")
    assert ">a name</text>" in text
    assert "font-family" not in text
    assert "DejaVu" not in svg_bytes(draw()).decode()


def test_the_alternative_text_is_a_label_without_markup() -> None:
    root = ET.fromstring(svg_of(draw(), "c", f'says "{PLANTED}"'))
    assert root.get("role") == "img"
    assert root.get("aria-label") == f'says "{PLANTED}"'
    assert root.find(f".//{SVG}script") is None


def test_a_planted_name_is_escaped() -> None:
    text = svg_of(charts.bars([(PLANTED, 0.5, 0.4, 0.6)]), "c", PLANTED)
    assert "<script" not in text
    assert ET.fromstring(text) is not None


def test_a_name_with_dollar_signs_is_not_mathematics() -> None:
    assert ">$a$</text>" in svg_of(charts.bars([("$a$", 0.5, 0.4, 0.6)]), "c", "")


def test_a_glyph_that_the_layout_font_lacks_is_left_to_the_reader() -> None:
    assert ">國王</text>" in svg_of(charts.bars([("國王", 0.5, 0.4, 0.6)]), "c", "")


@pytest.mark.parametrize("width", [style.WIDE, style.NARROW])
def test_a_chart_is_as_wide_as_its_place(width: float) -> None:
    with style.drawn_at(width):
        root = ET.fromstring(svg_of(draw(), "c", "x"))
    assert float(root.attrib["viewBox"].split()[2]) == pytest.approx(72 * width)
    assert "width" not in root.attrib


def test_a_file_is_white_with_a_title_and_no_variables() -> None:
    text = svg_bytes(draw(), "two strategies").decode()
    root = ET.fromstring(text)
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "two strategies"
    assert "var(" not in text
    assert "fill: #ffffff" in text
    assert png_bytes(draw()).startswith(b"\x89PNG")
