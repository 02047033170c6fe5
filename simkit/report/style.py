"""The look of all charts: colours, type, sizes, and the few helpers that every chart is laid out with.

Figures are made with matplotlib's object-oriented interface under settings of our own, whatever a user's matplotlibrc
says. They are laid out in DejaVu Sans, which comes with matplotlib and is wider than the fonts of today's systems: a
page that shows the text in its own font needs no more room.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from threading import RLock
from typing import ParamSpec

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from matplotlib.ticker import FuncFormatter

from simkit.answer import Judgement
from simkit.report import numbers

# The page gives these its own light and dark values (simkit.report.svg); a file keeps them as they are.
INK, MUTED, GRID, BAND, PAPER = "#1b1e23", "#5c6470", "#d8dce2", "#e6ebf1", "#ffffff"

# Okabe & Ito, "Color Universal Design" (2008), without yellow, which vanishes on white.
BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"
SERIES = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
DASHES = ("solid", (0, (4, 1.5)), (0, (1, 1.5)))

# Colour and marker of a judged estimate; an undecided one is hollow.
JUDGED: dict[Judgement, tuple[str, str]] = {
    "fair": (GREEN, "o"),
    "too strong": (VERMILLION, "^"),
    "too weak": (VERMILLION, "v"),
    "undecided": (MUTED, "o"),
}

WIDE, NARROW = 7.0, 4.0  # inches: the text column of the page, and a telephone
TEXT, SMALL = 9.5, 8.5  # points
LINE = 0.16  # inches from one line of text to the next
FONT = "DejaVu Sans"

SETTINGS = {
    "font.family": FONT,
    "font.size": TEXT,
    "text.color": INK,
    "text.hinting": "none",
    "text.parse_math": False,  # a name with dollar signs is a name
    "axes.labelcolor": MUTED,
    "axes.edgecolor": GRID,
    "axes.facecolor": "none",
    "figure.facecolor": PAPER,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "hatch.color": GRID,
    "hatch.linewidth": 0.8,
    "svg.fonttype": "none",
    "svg.hashsalt": "simkit",
}

_settings_lock = RLock()  # matplotlib's settings are global
_width: ContextVar[float] = ContextVar("chart_width", default=WIDE)
P = ParamSpec("P")


@contextmanager
def house_style() -> Iterator[None]:
    """Draws and saves under our settings; what was set before comes back."""
    with _settings_lock, warnings.catch_warnings(), matplotlib.style.context(["default", SETTINGS]):
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # a browser has the glyph
        yield


def chart(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Decorates a function that draws a Figure, so that it does so in the house style."""

    @wraps(draw)
    def in_house_style(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with house_style():
            return draw(*args, **kwargs)

    return in_house_style


@contextmanager
def drawn_at(width: float) -> Iterator[None]:
    """Charts drawn inside are `width` inches wide (WIDE or NARROW)."""
    token = _width.set(width)
    try:
        yield
    finally:
        _width.reset(token)


def chart_width() -> float:
    """Width in inches of the charts that are drawn now."""
    return _width.get()


def is_narrow() -> bool:
    """Whether charts are drawn for a telephone now: fewer ticks, no second labels."""
    return chart_width() < (WIDE + NARROW) / 2


def series_style(i: int) -> tuple[str, object]:
    """Colour and dash pattern of the i-th of several series; all differ for the first 18."""
    return SERIES[i % len(SERIES)], DASHES[i // len(SERIES) % len(DASHES)]


def panel(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes at a place given in inches, with nothing but faint tick marks."""
    whole_width, whole_height = figure.get_size_inches()
    axes = figure.add_axes((left / whole_width, bottom / whole_height, width / whole_width, height / whole_height))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_axisbelow(True)
    return axes


def figure_of(axes: Axes) -> Figure:
    """The figure that axes made by `panel` are on."""
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    return figure


def ticks_in_words(signed: bool = False) -> FuncFormatter:
    """Writes ticks as simkit.report.numbers does."""
    return FuncFormatter(lambda value, _: numbers.tick(value, signed=signed))


@lru_cache(maxsize=10_000)
def text_width(text: str, size: float = TEXT, weight: str = "normal") -> float:
    """Width of a line of text in inches, at most what a browser will need."""
    font = FontProperties(family=FONT, weight=weight, size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72


def widest(texts: Iterable[str], size: float = TEXT, weight: str = "normal") -> float:
    """Width in inches of the widest text; 0 when there is none."""
    return max((text_width(text, size, weight) for text in texts), default=0.0)


def shorten(text: str, width: float, size: float = TEXT, weight: str = "normal") -> str:
    """The text, with "…" for its middle where it is wider than `width` inches: names often differ at their ends."""
    if text_width(text, size, weight) <= width:
        return text
    for kept in range(len(text) - 1, 1, -1):
        cut = f"{text[: kept - kept // 2]}…{text[-(kept // 2) :]}"
        if text_width(cut, size, weight) <= width:
            return cut
    return "…"


def in_lines(text: str, width: float, most: int = 2) -> list[str]:
    """The text in at most `most` lines of `width` inches: broken at spaces, else within names, else cut with "…"."""
    lines: list[str] = []
    for parts in (re.findall(r"[^ ]* ?", text), re.findall(r"[^ :_-]*[ :_-]?", text)):
        lines = _filled(parts, width)
        if len(lines) <= most and widest(line.rstrip() for line in lines) <= width:
            break
    kept = lines if len(lines) <= most else [*lines[: most - 1], "".join(lines[most - 1 :])]
    return [shorten(line.rstrip(), width) for line in kept]


def _filled(parts: Iterable[str], width: float) -> list[str]:
    """The parts, as many on a line as have room there."""
    lines = [""]
    for part in parts:
        if not lines[-1] or text_width((lines[-1] + part).rstrip()) <= width:
            lines[-1] += part
        else:
            lines.append(part)
    return lines


def nothing_to_show(message: str = "Nothing was observed.") -> Figure:
    """What a chart of no data looks like."""
    figure = Figure(figsize=(chart_width(), 0.6))
    figure.text(0.01, 0.5, message, color=MUTED, va="center")
    return figure
