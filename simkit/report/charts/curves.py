"""Charts of lines over an axis: sweeps of an option, and paths through a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from simkit.report import style

HEIGHT = 2.7  # inches of the axes
ABOVE, BELOW = 0.36, 0.46
LABEL_GAP = 0.17  # inches between labels at the lines' ends
LABELS_SHARE = 0.34
MOST_NAMED_TICKS = 9

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
) -> Figure:
    """A sweep: an estimate with its 95 % interval over the values of an option, a line a series.

    Args:
        series: label -> (x, estimate, low, high), each of one length; NaN leaves a gap. x holds numbers, or names that
            are set apart evenly in the order of the first series.
        x_label, y_label: what the axes count, in words with the unit.
        band: a range of y that counts as fair.
        band_label: what the band is.
        scale: y and the band are multiplied by this before they are shown: 100 for shares of 1.
    """
    if not any(len(x) for x, *_ in series.values()):
        return style.nothing_to_show()
    names = _names_of(series)
    axes = _lay_out(list(series), x_label, y_label)
    ends = []
    for i, (label, (x, *values)) in enumerate(series.items()):
        at = np.array([names.index(name) for name in x] if names else x, dtype=np.float64)
        y, low, high = (scale * np.asarray(value, dtype=np.float64) for value in values)
        colour, dash = style.series_style(i)
        axes.fill_between(at, low, high, color=colour, alpha=0.14, linewidth=0)
        marker = "o" if len(at) <= MOST_NAMED_TICKS else ""
        axes.plot(at, y, color=colour, linestyle=dash, linewidth=1.8, marker=marker, markersize=3.5)
        ends.append(_Line(label, at, y))
    if band is not None:
        axes.axhspan(scale * band[0], scale * band[1], color=style.BAND, linewidth=0, zorder=0)
        _remark(axes, band_label)
    _mark_x(axes, names, np.concatenate([line.x for line in ends]))
    _label_ends(axes, ends)
    return _figure_of(axes)


@style.chart
def paths(x: Sequence[float], bands: Mapping[str, ArrayLike], x_label: str, y_label: str) -> Figure:
    """How a quantity spreads along the game: median, middle half and middle 80 % of several groups.

    Args:
        x: the steps (rounds, turns).
        bands: group -> (5, len(x)) float64: the 10, 25, 50, 75 and 90 % quantiles at each step; NaN after a group's end.
        x_label, y_label: what the axes count, in words with the unit.
    """
    if not len(x) or not bands:
        return style.nothing_to_show()
    at = np.asarray(x, dtype=np.float64)
    axes = _lay_out(list(bands), x_label, y_label)
    ends = []
    for i, (label, band) in enumerate(bands.items()):
        q10, q25, middle, q75, q90 = np.asarray(band, dtype=np.float64)
        colour, dash = style.series_style(i)
        axes.fill_between(at, q10, q90, color=colour, alpha=0.13, linewidth=0)
        axes.fill_between(at, q25, q75, color=colour, alpha=0.22, linewidth=0)
        axes.plot(at, middle, color=colour, linestyle=dash, linewidth=2, marker="o" if len(at) == 1 else "")
        ends.append(_Line(label, at, middle))
    _remark(axes, "line: median; dark: middle half of games; light: middle 80 %")
    _mark_x(axes, [], at)
    _label_ends(axes, ends)
    return _figure_of(axes)


def _names_of(series: Mapping[str, tuple[Sequence[Any], ArrayLike, ArrayLike, ArrayLike]]) -> list[Any]:
    """The x values when any is not a number, in the order seen; [] for a numeric axis."""
    seen = list(dict.fromkeys(value for x, *_ in series.values() for value in x))
    return seen if any(isinstance(value, str | bool) for value in seen) else []


def _lay_out(labels: Sequence[str], x_label: str, y_label: str) -> Axes:
    width = style.chart_width()
    left = 0.46
    right = min(style.widest(list(labels)), LABELS_SHARE * width) + 0.3
    height = max(HEIGHT, LABEL_GAP * len(labels))
    figure = Figure(figsize=(width, ABOVE + height + BELOW + 0.16))
    axes = style.panel(figure, left, BELOW, width - left - right, height)
    axes.grid(axis="y", color=style.GRID, linewidth=0.6)
    axes.set_xlabel(x_label, labelpad=5)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(style.ticks_in_words())
    axes.annotate(
        y_label,
        (0, 1),
        xycoords="axes fraction",
        xytext=(-72 * left + 2, 72 * (ABOVE - 0.02)),
        textcoords="offset points",
        color=style.INK,
    )
    return axes


def _remark(axes: Axes, text: str) -> None:
    """A small line between the y label and the axes."""
    axes.annotate(
        text,
        (0, 1),
        xycoords="axes fraction",
        xytext=(-72 * 0.46 + 2, 11),
        textcoords="offset points",
        color=style.MUTED,
        size=style.SMALL,
    )


def _mark_x(axes: Axes, names: Sequence[Any], x: Floats) -> None:
    values = np.unique(x)
    if names:
        axes.set_xticks(range(len(names)), [str(name) for name in names])
    elif len(values) <= MOST_NAMED_TICKS and not style.is_narrow():
        axes.set_xticks(values)
        axes.xaxis.set_major_formatter(style.ticks_in_words())
    else:
        whole = bool(np.all(values == np.round(values)))
        axes.xaxis.set_major_locator(MaxNLocator(4 if style.is_narrow() else 8, integer=whole, steps=[1, 2, 5, 10]))
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
    gap = LABEL_GAP * (high - low) / _height(axes)
    wanted = np.array([line.y[k] for line, k in zip(seen, last, strict=True)])
    places = spread_out(wanted, gap, low + gap / 2, high - gap / 2)
    left, right = axes.get_xlim()
    edge = right + 0.03 * (right - left)
    room = LABELS_SHARE * style.chart_width()
    for line, k, place in zip(seen, last, places, strict=True):
        colour, _ = style.series_style([other.label for other in ends].index(line.label))
        axes.plot([line.x[k], edge], [line.y[k], place], color=colour, linewidth=0.7, alpha=0.7, clip_on=False)
        axes.plot(edge, place, "o", color=colour, markersize=4, clip_on=False)
        axes.annotate(
            style.shorten(line.label, room),
            (edge, place),
            xytext=(6, 0),
            textcoords="offset points",
            va="center_baseline",
            annotation_clip=False,
        )


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
    return float(axes.get_position().height) * float(_figure_of(axes).get_size_inches()[1])


def _figure_of(axes: Axes) -> Figure:
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    return figure
