"""The chart of everybody against everybody."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from simkit.report import numbers, style

STRONGEST = 0.75  # opacity of the deepest cell: ink stays readable on it, on light and on dark paper
LEAST_SPREAD = 0.05  # of win rate: differences smaller than this are never shown in the deepest colour
SMALLEST_TEXT = 5.0  # points; cells too small for it carry colour only
GAP = 0.08
NAMES_SHARE = 0.32


@style.chart
def matrix(
    names: Sequence[str], values: ArrayLike, half_widths: ArrayLike | None = None, title: str = ""
) -> Figure:
    """Win rates of each row's strategy against each column's, in per cent.

    Args:
        names: of the strategies, n of them.
        values: (n, n) float64, shares of 1; NaN where the pair did not play.
        half_widths: (n, n) float64, 95 % half-widths; None, or NaN where there is none.
        title: a line above; "" where the page has one.
    """
    if not names:
        return style.nothing_to_show()
    shares = 100 * np.asarray(values, dtype=np.float64)
    errors = np.full_like(shares, np.nan) if half_widths is None else 100 * np.asarray(half_widths, dtype=np.float64)
    axes, cell = _lay_out(names, title)
    spread = max(100 * LEAST_SPREAD, np.nanmax(np.abs(shares - 50), initial=0.0))
    for (row, column), share in np.ndenumerate(shares):
        _draw_cell(axes, row, column, (share - 50) / spread)
        if math.isfinite(share):
            _write_cell(axes, row, column, numbers.number(share, _shown(errors, row, column), decimals=1), cell)
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    return figure


def _shown(errors: NDArray[np.float64], row: int, column: int) -> float | None:
    return float(errors[row, column]) if math.isfinite(errors[row, column]) else None


def _lay_out(names: Sequence[str], title: str) -> tuple[Axes, float]:
    """Axes of n × n units with names at the left and above, and the width of a cell in inches."""
    width = style.chart_width()
    room = min(style.widest(list(names)), NAMES_SHARE * width)
    cell = min((width - room - GAP) / len(names), 0.95)
    height = min(cell, 0.46)
    shown = [style.shorten(name, room) for name in names]
    upright = style.widest(shown) > cell - 0.06
    above = (style.widest(shown) if upright else 0.16) + GAP + (0.3 if title else 0.0) + 0.22
    below = 0.28
    figure = Figure(figsize=(width, above + height * len(names) + below))
    axes = style.panel(figure, room + GAP, below, cell * len(names), height * len(names))
    axes.set(xlim=(0, len(names)), ylim=(len(names), 0), xticks=[], yticks=[])
    for i, name in enumerate(shown):
        axes.annotate(
            name,
            (i + 0.5, 0),
            xytext=(0, 72 * GAP / 2),
            textcoords="offset points",
            rotation=90 if upright else 0,
            ha="center",
            va="bottom",
        )
        axes.annotate(
            name, (0, i + 0.5), xytext=(-72 * (room + GAP), 0), textcoords="offset points", va="center_baseline"
        )
    _explain(axes, above - 0.14, title)
    return axes, cell


def _explain(axes: Axes, above: float, title: str) -> None:
    """The title, and how to read the chart, `above` inches over it and below it."""
    left = -72 * float(axes.get_position().x0) * style.chart_width()
    place = {"xytext": (left, 72 * above - 4), "textcoords": "offset points", "va": "center_baseline"}
    if title:
        axes.annotate(title, (0, 0), weight="bold", **place)
    key = "per cent of games that the row wins against the column; blue: more than half, orange: less"
    if style.is_narrow():
        key = "row's wins in per cent; blue: over half, orange: under"
    axes.annotate(
        key,
        (0, axes.get_ylim()[0]),
        xytext=(left, -14),
        textcoords="offset points",
        va="center_baseline",
        size=style.SMALL,
        color=style.MUTED,
    )


def _draw_cell(axes: Axes, row: int, column: int, depth: float) -> None:
    """A cell of colour depth −1 … 1 (NaN: hatched, not played)."""
    if math.isfinite(depth):
        colour = style.BLUE if depth > 0 else style.VERMILLION
        look = {"facecolor": colour, "alpha": STRONGEST * abs(depth), "linewidth": 0}
        axes.add_patch(Rectangle((column, row), 1, 1, **look))
    else:
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=style.GRID, hatch="////", linewidth=0))
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=style.PAPER, linewidth=1.5))


def _write_cell(axes: Axes, row: int, column: int, text: str, cell: float) -> None:
    """The number, with its half-width below where the cell has room for both."""
    value, _, half_width = text.partition(" ± ")
    room = cell - 0.06
    size = style.TEXT * min(1, room / style.text_width(value))
    if size < SMALLEST_TEXT:
        return
    second = f"± {half_width}"
    if half_width and style.text_width(second, 7) <= room:
        axes.text(column + 0.5, row + 0.36, value, ha="center", va="center", size=size)
        axes.text(column + 0.5, row + 0.74, second, ha="center", va="center", size=7)
    else:
        axes.text(column + 0.5, row + 0.5, value, ha="center", va="center", size=size)
