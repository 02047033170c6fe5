"""What charts of lines have in common: names at the lines' ends, words above, places for labels that must not touch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from simkit.report import style

LEFT, ABOVE = 0.46, 0.52  # inches, around the axes
LABEL_GAP = 0.02  # inches between labels at the lines' ends
LABELS_SHARE = 0.34

Floats = NDArray[np.float64]


class EndLine(NamedTuple):
    """A line that is to be named at its end."""

    label: str
    x: Floats
    y: Floats


def write_above(axes: Axes, y_label: str, remark: str) -> None:
    """What the y axis counts, upright and over it, and a remark below that in small type, a line or several."""
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate(
        y_label,
        (0, 1),
        xytext=(2 - 72 * LEFT, 25 + 72 * style.LINE * remark.count("\n") if remark else 12),
        color=style.INK,
        **place,
    )
    axes.annotate(remark, (0, 1), xytext=(2 - 72 * LEFT, 12), color=style.MUTED, size=style.SMALL, **place)


def label_ends(axes: Axes, ends: Sequence[EndLine]) -> None:
    """Each line's name at its last point, moved apart where they would touch, with a thin line to where it belongs."""
    seen = [line for line in ends if np.isfinite(line.y).any()]
    if not seen:
        return
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    last = [np.flatnonzero(np.isfinite(line.y))[-1] for line in seen]
    names = [end_label(line.label) for line in seen]
    gap = label_height(names) * (high - low) / _height(axes)
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


def end_label(label: str) -> list[str]:
    """A name in as many lines as it needs at a line's end."""
    return style.in_lines(label, LABELS_SHARE * style.chart_width())


def label_height(names: Sequence[list[str]]) -> float:
    """Inches that each label at the lines' ends gets, all the same."""
    return LABEL_GAP + style.LINE * max(len(name) for name in names)


def spread_out(wanted: Floats, gap: float | Floats, low: float, high: float) -> Floats:
    """Places for labels: apart, within low … high where they fit, and least squares from `wanted`.

    `gap` is the least distance between neighbours: one for all, or one for each two in ascending order of `wanted`.
    """
    order = np.argsort(wanted, kind="stable")
    steps = np.concatenate([[0.0], np.cumsum(np.broadcast_to(gap, len(wanted) - 1))])
    room = max(high - steps[-1], low)
    free = np.clip(isotonic_regression(wanted[order] - steps).x, low, room)
    places = np.empty_like(wanted)
    places[order] = free + steps
    return places


def _height(axes: Axes) -> float:
    """Height of the axes in inches."""
    return float(axes.get_position().height) * float(style.figure_of(axes).get_size_inches()[1])
