"""The chart of a distribution: one small panel a group, on one axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from simkit.report import numbers, style

PANEL, LONE_PANEL = 0.8, 2.2  # inches
TITLE, BELOW, LEFT = 0.30, 0.46, 0.46
FEW_BARS, MOST_BARS = 6, 70
LEAST_SHARE = 0.001  # that is told as a number
TAIL = 0.002  # share of the games beyond the right end of the axis, at most

Integers = NDArray[np.int64]


@style.chart
def histogram(series: Mapping[str, tuple[ArrayLike, ArrayLike]], x_label: str, what: str = "games") -> Figure:
    """Distributions of a whole number, in per cent of games, with their medians.

    Args:
        series: group -> (values, counts): distinct integers and how often each was seen.
        x_label: what the axis counts, in words with the unit.
        what: what was counted ("games", "rounds").
    """
    groups = {label: _sorted(*pair) for label, pair in series.items()}
    groups = {label: pair for label, pair in groups.items() if pair[1].sum()}
    if not groups:
        return style.nothing_to_show()
    low = min(int(values[0]) for values, _ in groups.values())
    high = max(_quantile(values, counts, 1 - TAIL) for values, counts in groups.values())
    step = max(1, -(-(high - low + 1) // MOST_BARS))
    panels = _lay_out(len(groups), x_label)
    highest = 0.0
    for axes, (label, (values, counts)) in zip(panels, groups.items(), strict=True):
        heights = _binned(values, counts, low, high, step)
        highest = max(highest, float(heights.max()))
        edges = low - 0.5 + step * np.arange(len(heights) + 1)
        axes.stairs(heights, edges, fill=True, color=style.BLUE, alpha=0.75, linewidth=0)
        middle = _quantile(values, counts, 0.5)
        axes.axvline(middle, color=style.INK, linewidth=1, linestyle=(0, (3, 2)))
        beyond = float(counts[values > edges[-1]].sum() / counts.sum())
        tail = "" if style.is_narrow() else _tail_note(beyond, int(values[-1]))
        _title(axes, label, f"median {numbers.count(middle)}{tail}")
    for axes in panels:
        axes.set(xlim=_x_limits(low, high, step), ylim=(0, 1.08 * highest))
    _mark_y(panels, what, step)
    return style.figure_of(panels[0])


def _sorted(values: ArrayLike, counts: ArrayLike) -> tuple[Integers, Integers]:
    """The pairs that were seen, by value."""
    at, seen = np.asarray(values, dtype=np.int64), np.asarray(counts, dtype=np.int64)
    order = np.argsort(at)
    keep = order[seen[order] > 0]
    return at[keep], seen[keep]


def _quantile(values: Integers, counts: Integers, q: float) -> int:
    """The smallest value that at least a share q of the counts does not exceed."""
    total = np.cumsum(counts)
    return int(values[np.searchsorted(total, q * total[-1])])


def _binned(values: Integers, counts: Integers, low: int, high: int, step: int) -> NDArray[np.float64]:
    """Per cent of all counts in bins of `step` whole numbers from `low`; what lies beyond the last is left out."""
    bins = (high - low) // step + 1
    place = (values - low) // step
    inside = place < bins
    shares: NDArray[np.float64] = np.bincount(place[inside], weights=counts[inside], minlength=bins) / counts.sum()
    return 100 * shares


def _x_limits(low: int, high: int, step: int) -> tuple[float, float]:
    """The edges of the outer bars, with room around them when there are few."""
    bins = (high - low) // step + 1
    room = 0.4 * step if bins < FEW_BARS else 0.0  # less than to the next tick, where there is nothing
    return low - 0.5 - room, low - 0.5 + step * bins + room


def _tail_note(beyond: float, longest: int) -> str:
    if not beyond:
        return ""
    share = numbers.percent(beyond) if beyond >= LEAST_SHARE else f"under {numbers.percent(LEAST_SHARE)}"
    return f"; {share} beyond, up to {numbers.count(longest)}"


def _lay_out(panels: int, x_label: str) -> list[Axes]:
    width, each = style.chart_width(), PANEL if panels > 1 else LONE_PANEL
    figure = Figure(figsize=(width, panels * (TITLE + each) + BELOW + 0.2))
    made = []
    for i in range(panels):
        bottom = BELOW + (panels - 1 - i) * (TITLE + each)
        axes = style.panel(figure, LEFT, bottom, width - LEFT - 0.12, each)
        axes.grid(axis="y", color=style.GRID, linewidth=0.6)
        axes.xaxis.set_major_locator(MaxNLocator(5 if style.is_narrow() else 10, integer=True, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(style.ticks_in_words())
        axes.tick_params(labelbottom=i == panels - 1)
        made.append(axes)
    made[-1].set_xlabel(x_label, labelpad=5)
    return made


def _title(axes: Axes, label: str, note: str) -> None:
    """The group's name in bold and its remark behind it."""
    width = style.chart_width()
    room = max(0.5 * width, width - LEFT - 0.24 - style.text_width(note, style.SMALL))
    name = style.shorten(label, room, weight="bold")
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "bottom"}
    axes.annotate(name, (0, 1), xytext=(0, 3), weight="bold", **place)
    start = style.text_width(name, weight="bold") + 0.12
    remark = style.shorten(note, width - LEFT - start, style.SMALL)
    axes.annotate(remark, (0, 1), xytext=(72 * start, 3), size=style.SMALL, color=style.MUTED, **place)


def _mark_y(panels: list[Axes], what: str, step: int) -> None:
    """Ticks of the y axis, and what it counts, once at the top."""
    for axes in panels:
        axes.yaxis.set_major_locator(MaxNLocator(3 if len(panels) > 1 else 5))
        axes.yaxis.set_major_formatter(style.ticks_in_words())
    width = "" if step == 1 else f", bars {step} wide"
    panels[0].annotate(
        f"per cent of {what}{width}",
        (0, 1),
        xycoords="axes fraction",
        xytext=(-72 * LEFT + 2, 72 * TITLE - 2),
        textcoords="offset points",
        va="bottom",
        color=style.INK,
    )
