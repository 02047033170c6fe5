"""Charts of lines over an axis: sweeps of an option, and paths through a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator
from numpy.typing import ArrayLike, NDArray

from simkit.report import style
from simkit.report.charts.ends import ABOVE, LEFT, EndLine, end_label, label_ends, label_height, write_above

HEIGHT, BELOW = 2.7, 0.46  # inches: of the axes, and below them
MOST_NAMED_TICKS, MOST_NARROW_TICKS = 9, 4
MOST_TICK_LINES = 4  # of a value's name under the axis
MOST_BANDS = 4  # series whose intervals are still told apart as bands

Floats = NDArray[np.float64]


@style.chart
def lines(
    series: Mapping[str, tuple[Sequence[Any], ArrayLike, ArrayLike, ArrayLike]],
    x_label: str,
    y_label: str,
    band: tuple[float, float] | None = None,
    band_label: str = "shaded: your margin",
    scale: float = 100.0,
    remark: str = "",
) -> Figure:
    """A sweep: an estimate with its 95 % interval over the values of an option, a line a series.

    Args:
        series: label -> (x, estimate, low, high), each of one length; NaN leaves a gap. x holds numbers, or names that
            are set apart evenly in the order of the first series.
        x_label: what the x axis counts, in words with the unit.
        y_label: what the y axis counts, in words with the unit.
        band: a range of y that counts as fair.
        band_label: what the band is.
        scale: y and the band are multiplied by this before they are shown: 100 for shares of 1.
        remark: a line under what the y axis counts, in small type; it goes before what the band is.
    """
    if not any(len(x) for x, *_ in series.values()):
        return style.nothing_to_show()
    names = _names_of(series)
    axes = _lay_out(list(series), x_label, names)
    ends = []
    for i, (label, (x, *values)) in enumerate(series.items()):
        at = np.array([names.index(name) for name in x] if names else x, dtype=np.float64)
        y, low, high = (scale * np.asarray(value, dtype=np.float64) for value in values)
        colour, dash = style.series_style(i)
        _draw_intervals(axes, at, low, high, colour, len(series))
        marker = "o" if len(at) <= MOST_NAMED_TICKS else ""
        axes.plot(at, y, color=colour, linestyle=dash, linewidth=1.8, marker=marker, markersize=3.5)
        ends.append(EndLine(label, at, y))
    if band is not None:
        axes.axhspan(scale * band[0], scale * band[1], color=style.BAND, linewidth=0, zorder=0)
    write_above(axes, y_label, "; ".join(text for text in (remark, band_label if band is not None else "") if text))
    _mark_x(axes, bool(names), np.concatenate([line.x for line in ends]))
    label_ends(axes, ends)
    return style.figure_of(axes)


@style.chart
def paths(x: Sequence[float], bands: Mapping[str, ArrayLike], x_label: str, y_label: str) -> Figure:
    """How a quantity spreads along the game: median, middle half and middle 80 % of several groups.

    Args:
        x: the steps (rounds, turns).
        bands: group -> (5, len(x)) float64: the 10, 25, 50, 75 and 90 % quantiles at each step; NaN where the group has
            no games left.
        x_label: what the x axis counts, in words with the unit.
        y_label: what the y axis counts, in words with the unit.
    """
    if not len(x) or not bands:
        return style.nothing_to_show()
    at = np.asarray(x, dtype=np.float64)
    axes = _lay_out(list(bands), x_label)
    ends = []
    for i, (label, band) in enumerate(bands.items()):
        q10, q25, middle, q75, q90 = np.asarray(band, dtype=np.float64)
        colour, dash = style.series_style(i)
        axes.fill_between(at, q10, q90, color=colour, alpha=0.13, linewidth=0)
        axes.fill_between(at, q25, q75, color=colour, alpha=0.22, linewidth=0)
        axes.plot(at, middle, color=colour, linestyle=dash, linewidth=2, marker="o" if len(at) == 1 else "")
        ends.append(EndLine(label, at, middle))
    write_above(axes, y_label, "line: median; dark: middle half of games; light: middle 80 %")
    _mark_x(axes, False, at)
    label_ends(axes, ends)
    return style.figure_of(axes)


def _names_of(series: Mapping[str, tuple[Sequence[Any], ArrayLike, ArrayLike, ArrayLike]]) -> list[Any]:
    """The x values when any is not a number, in the order seen; [] for a numeric axis."""
    seen = list(dict.fromkeys(value for x, *_ in series.values() for value in x))
    return seen if any(isinstance(value, str | bool) for value in seen) else []


def _draw_intervals(axes: Axes, x: Floats, low: Floats, high: Floats, colour: str, series: int) -> None:
    """A band while the series can be told apart, with a line at each point while the points can."""
    if series > MOST_BANDS:
        return
    axes.fill_between(x, low, high, color=colour, alpha=0.14, linewidth=0)
    if len(x) <= MOST_NAMED_TICKS:
        axes.vlines(x, low, high, color=colour, linewidth=1, alpha=0.6)


def _lay_out(labels: Sequence[str], x_label: str, ticks: Sequence[Any] = ()) -> Axes:
    """Axes with room for the lines' names at the right, and for named ticks in as many lines as they need."""
    width = style.chart_width()
    names = [end_label(label) for label in labels]
    right = style.widest(line for name in names for line in name) + 0.3
    height = max(HEIGHT, label_height(names) * len(labels))
    marks = [style.in_lines(str(tick), (width - LEFT - right) / len(ticks), MOST_TICK_LINES) for tick in ticks]
    below = BELOW + style.LINE * (max(map(len, marks), default=1) - 1)
    figure = Figure(figsize=(width, ABOVE + height + below))
    axes = style.panel(figure, LEFT, below, width - LEFT - right, height)
    if marks:
        axes.set_xticks(range(len(marks)), ["\n".join(mark) for mark in marks])
    axes.grid(axis="y", color=style.GRID, linewidth=0.6)
    _write_below(axes, x_label)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(style.ticks_in_words())
    return axes


def _write_below(axes: Axes, x_label: str) -> None:
    """What the x axis counts, under its middle, moved sideways as far as it must to stay on the chart."""
    text = style.shorten(x_label, style.chart_width())
    half, width = style.text_width(text) / 2, float(axes.get_position().width) * style.chart_width()
    middle = min(max(LEFT + width / 2, half), style.chart_width() - half)
    axes.set_xlabel(text, labelpad=5, x=(middle - LEFT) / width)


def _mark_x(axes: Axes, has_names: bool, x: Floats) -> None:
    """Where the x axis ends, and ticks where it has no names."""
    values = np.unique(x)
    if not has_names:
        few = len(values) <= (MOST_NARROW_TICKS if style.is_narrow() else MOST_NAMED_TICKS)
        whole = bool(np.all(values == np.round(values)))
        room = MaxNLocator(4 if style.is_narrow() else 8, integer=whole, steps=[1, 2, 5, 10])
        axes.xaxis.set_major_locator(FixedLocator(list(values)) if few else room)
        axes.xaxis.set_major_formatter(style.ticks_in_words())
    low, high = values[0], values[-1]
    pad = 0.02 * (high - low) or 0.5
    axes.set_xlim(low - pad, high + pad)
