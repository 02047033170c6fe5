"""Charts of lines over an axis: sweeps of an option, and paths through a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from simkit.report import style

HEIGHT, LEFT, ABOVE, BELOW = 2.7, 0.46, 0.52, 0.46  # inches: of the axes, and around them
LABEL_GAP = 0.02  # inches between labels at the lines' ends
LABELS_SHARE = 0.34
MOST_NAMED_TICKS, MOST_NARROW_TICKS = 9, 4
MOST_TICK_LINES = 4  # of a value's name under the axis
MOST_BANDS = 4  # series whose intervals are still told apart as bands

Floats = NDArray[np.float64]


class _Line(NamedTuple):
    label: str
    x: Floats
    y: Floats


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
        ends.append(_Line(label, at, y))
    if band is not None:
        axes.axhspan(scale * band[0], scale * band[1], color=style.BAND, linewidth=0, zorder=0)
    _write_above(axes, y_label, "; ".join(text for text in (remark, band_label if band is not None else "") if text))
    _mark_x(axes, bool(names), np.concatenate([line.x for line in ends]))
    _label_ends(axes, ends)
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
        ends.append(_Line(label, at, middle))
    _write_above(axes, y_label, "line: median; dark: middle half of games; light: middle 80 %")
    _mark_x(axes, False, at)
    _label_ends(axes, ends)
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
    names = [_end_label(label) for label in labels]
    right = style.widest(line for name in names for line in name) + 0.3
    height = max(HEIGHT, _label_height(names) * len(labels))
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


def _write_above(axes: Axes, y_label: str, remark: str) -> None:
    """What the y axis counts, upright and over it, and a remark below that in small type."""
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate(y_label, (0, 1), xytext=(2 - 72 * LEFT, 25 if remark else 12), color=style.INK, **place)
    axes.annotate(remark, (0, 1), xytext=(2 - 72 * LEFT, 12), color=style.MUTED, size=style.SMALL, **place)


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


def _label_ends(axes: Axes, ends: Sequence[_Line]) -> None:
    """Each line's name at its last point, moved apart where they would touch, with a thin line to where it belongs."""
    seen = [line for line in ends if np.isfinite(line.y).any()]
    if not seen:
        return
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    last = [np.flatnonzero(np.isfinite(line.y))[-1] for line in seen]
    names = [_end_label(line.label) for line in seen]
    gap = _label_height(names) * (high - low) / _height(axes)
    wanted = np.array([line.y[k] for line, k in zip(seen, last, strict=True)])
    places = spread_out(wanted, gap, low + gap / 2, high - gap / 2)
    left, right = axes.get_xlim()
    edge = right + 0.03 * (right - left)
    for line, k, place, name in zip(seen, last, places, names, strict=True):
        colour, _ = style.series_style([other.label for other in ends].index(line.label))
        axes.plot([line.x[k], edge], [line.y[k], place], color=colour, linewidth=0.7, alpha=0.7, clip_on=False)
        axes.plot(edge, place, "o", color=colour, markersize=4, clip_on=False)
        for i, text in enumerate(name):
            shift = (6, 72 * style.LINE * ((len(name) - 1) / 2 - i))
            where: dict[str, Any] = {"xytext": shift, "textcoords": "offset points", "va": "center_baseline"}
            axes.annotate(text, (edge, place), annotation_clip=False, **where)


def _end_label(label: str) -> list[str]:
    return style.in_lines(label, LABELS_SHARE * style.chart_width())


def _label_height(names: Sequence[list[str]]) -> float:
    """Inches that each label at the lines' ends gets, all the same."""
    return LABEL_GAP + style.LINE * max(len(name) for name in names)


def spread_out(wanted: Floats, gap: float, low: float, high: float) -> Floats:
    """Places for labels: at least `gap` apart, within low … high where they fit, and least squares from `wanted`."""
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(len(wanted))
    room = max(high - steps[-1], low)
    free = np.clip(isotonic_regression(wanted[order] - steps).x, low, room)
    places = np.empty_like(wanted)
    places[order] = free + steps
    return places


def _height(axes: Axes) -> float:
    """Height of the axes in inches."""
    return float(axes.get_position().height) * float(style.figure_of(axes).get_size_inches()[1])
