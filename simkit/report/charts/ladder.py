"""The chart of an effect over the strength of play: the strategies from the weakest to the strongest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from simkit.report import numbers, style
from simkit.report.charts.ends import ABOVE, LEFT, EndLine, end_label, label_ends, label_height, spread_out, write_above
from simkit.report.verdicts import judge_interval

HEIGHT, RIGHT, EDGE = 2.7, 0.12, 0.03  # inches
STEP, WIDEST = 0.06, 0.4  # inches from one subject to the next at the same strategy, and from the first to the last
APART, INSET = 0.16, 0.28  # inches between strategies at least, and from the first and the last to the axes' ends
LEADER, AXIS = 0.16, 0.24  # inches below the axes: of the lines to the names, and for what the axis counts
NAME_GAP, MOST_ROWS, WIDEST_NAME = 0.12, 3, 1.5
MARKERS = ("o", "s", "D", "P", "X", "h")  # none that says a verdict
BEHIND = {"facecolor": style.PAPER, "edgecolor": "none", "pad": 1}  # a name hides the lines to the names below it

Floats = NDArray[np.float64]


class _Names(NamedTuple):
    """The strategies' names under the axis: two lines each, in as many rows as they need."""

    lines: list[tuple[str, str]]
    widths: Floats
    rows: int

    @property
    def height(self) -> float:
        return LEADER + self.rows * (2 * style.LINE + 0.04)


@style.chart
def ladder(
    rungs: Sequence[tuple[str, float]],
    subjects: Mapping[str, Sequence[tuple[float, float, float]]],
    x_label: str,
    y_label: str,
    margin: float | None = None,
    scale: float = 100.0,
    remark: str = "",
) -> Figure:
    """Effects with their intervals over the strength of the strategies that they were seen under, a line a subject.

    An effect that is undecided within the margin is hollow. Strategies of about the same strength are moved apart as
    far as their marks need.

    Args:
        rungs: (strategy, strength as a share of 1), the weakest first.
        subjects: name -> (estimate, low, high) for each rung; NaN where there is none. A single one is not named.
        x_label: what strength is, in words with the unit.
        y_label: what the effects are, in words with the unit.
        margin: what counts as fair around 0, in the effects' unit; None: nothing is judged.
        scale: the effects are multiplied by this before they are shown: 100 for shares of 1.
        remark: a line under what the y axis counts, in small type; it goes before what the band is.
    """
    effects = {name: scale * np.asarray(seen, dtype=np.float64) for name, seen in subjects.items()}
    if not rungs or not any(np.isfinite(seen[:, 0]).any() for seen in effects.values()):
        return style.nothing_to_show()
    names = _names_of(rungs)
    limit = None if margin is None else scale * margin
    notes = _notes(effects, limit, remark)
    axes = _lay_out(list(effects), names, x_label, ABOVE + style.LINE * max(0, len(notes) - 1))
    places = _places([strength for _, strength in rungs], len(effects), axes.get_xlim()[1])
    axes.vlines(places, 0, 1, transform=axes.get_xaxis_transform(), color=style.GRID, linewidth=0.6, zorder=0)
    ends = [_draw(axes, i, name, places, seen, limit, len(effects)) for i, (name, seen) in enumerate(effects.items())]
    if limit is not None:
        axes.axhspan(-limit, limit, color=style.BAND, linewidth=0, zorder=0)
    low, high = axes.get_ylim()
    if low < 0 < high:
        axes.axhline(0, color=style.INK, linewidth=0.9, zorder=1)
    write_above(axes, y_label, "\n".join(notes))
    _write_names(axes, names, places)
    if len(effects) > 1:
        label_ends(axes, ends)
    return style.figure_of(axes)


def _notes(effects: Mapping[str, Floats], limit: float | None, remark: str) -> list[str]:
    """What the reader must know of the marks, in as many lines as it takes."""
    words = [remark] if remark else []
    if limit is not None:
        words.append(f"shaded: your margin of ±{numbers.tick(limit)}")
        if any((_open(seen, limit) & np.isfinite(seen[:, 0])).any() for seen in effects.values()):
            words.append("hollow: undecided")
    return style.in_lines("; ".join(words), style.chart_width() - 2 * EDGE) if words else []


def _names_of(rungs: Sequence[tuple[str, float]]) -> _Names:
    """Each name with its strength, and how many rows it takes until no two names of a row touch."""
    room = style.chart_width() - 2 * EDGE
    lines = [(style.shorten(name, WIDEST_NAME), f"{100 * share:.0f} %") for name, share in rungs]
    widths = np.array([max(style.text_width(name), style.text_width(share, style.SMALL)) for name, share in lines])
    rows = 1
    while rows < MOST_ROWS and max(sum(widths[k::rows] + NAME_GAP) for k in range(rows)) - NAME_GAP > room:
        rows += 1
    return _Names(lines, widths, rows)


def _lay_out(subjects: Sequence[str], names: _Names, x_label: str, above: float) -> Axes:
    """Axes in inches along x, with room for the subjects' names at the right and the strategies' below."""
    width, heads = style.chart_width(), [end_label(name) for name in subjects]
    right = style.widest(line for head in heads for line in head) + 0.3 if len(subjects) > 1 else RIGHT
    height, below = max(HEIGHT, label_height(heads) * len(heads)), names.height + AXIS
    figure = Figure(figsize=(width, above + height + below))
    axes = style.panel(figure, LEFT, below, width - LEFT - right, height)
    axes.set_xlim(0, width - LEFT - right)
    axes.set_xticks([])
    axes.grid(axis="y", color=style.GRID, linewidth=0.6)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(style.ticks_in_words())
    text = style.shorten(x_label, width - 2 * EDGE)
    figure.text(0.5, 0.06 / (above + height + below), text, ha="center", va="bottom", color=style.MUTED)
    return axes


def _step(subjects: int) -> float:
    """Inches from one subject to the next."""
    return min(STEP, WIDEST / max(1, subjects - 1))


def _places(strengths: Sequence[float], subjects: int, width: float) -> Floats:
    """Where the strategies stand, in inches: by strength, and so far apart that their marks do not touch."""
    values = np.asarray(strengths, dtype=np.float64)
    span = float(values.max() - values.min())
    shares = (values - values.min()) / span if span > 0 else np.full(len(values), 0.5)
    wanted = INSET + shares * (width - 2 * INSET)
    room = (width - 2 * INSET) / max(1, len(values) - 1)
    return spread_out(wanted, min(room, APART + _step(subjects) * (subjects - 1)), INSET, width - INSET)


def _draw(axes: Axes, i: int, name: str, places: Floats, seen: Floats, limit: float | None, subjects: int) -> EndLine:
    """One subject: its marks with their intervals, a thin line through them."""
    at = places + _step(subjects) * (i - (subjects - 1) / 2)
    colour, dash = style.series_style(i)
    value, low, high = seen.T
    known = np.isfinite(value)
    axes.plot(at[known], value[known], color=colour, linestyle=dash, linewidth=1, alpha=0.6)
    axes.vlines(at, low, high, color=colour, linewidth=1.6)
    look: dict[str, Any] = {"color": colour, "markersize": 6, "markeredgewidth": 1.4, "linestyle": "none"}
    is_open = _open(seen, limit)
    for chosen, fill in ((known & is_open, style.PAPER), (known & ~is_open, colour)):
        axes.plot(at[chosen], value[chosen], MARKERS[i % len(MARKERS)], markerfacecolor=fill, **look)
    return EndLine(name, at, value)


def _open(seen: Floats, limit: float | None) -> NDArray[np.bool_]:
    """Which effects are undecided."""
    if limit is None:
        return np.zeros(len(seen), dtype=np.bool_)
    return np.array([judge_interval(low, high, limit) == "undecided" for _, low, high in seen])


def _write_names(axes: Axes, names: _Names, places: Floats) -> None:
    """The strategies under the axis, moved sideways where they would touch, each with a thin line to its place."""
    inch = 1 / (float(axes.get_position().height) * float(style.figure_of(axes).get_size_inches()[1]))
    across = axes.get_xaxis_transform()
    first, last = EDGE - LEFT, style.chart_width() - EDGE - LEFT
    for row in range(names.rows):
        mine = list(range(row, len(places), names.rows))
        if not mine:
            continue
        half = names.widths[mine] / 2
        found = spread_out(places[mine], half[:-1] + half[1:] + NAME_GAP, first + half[0], last - half[-1])
        top = LEADER + row * (2 * style.LINE + 0.04)
        for i, x in zip(mine, found, strict=True):
            path = [places[i], places[i], x], [0, -0.04 * inch, -(top - 0.02) * inch]
            axes.plot(*path, transform=across, color=style.MUTED, linewidth=0.6, clip_on=False, zorder=1)
            for line, (text, size) in enumerate(zip(names.lines[i], (style.TEXT, style.SMALL), strict=True)):
                where: dict[str, Any] = {"xycoords": across, "textcoords": "offset points", "ha": "center", "va": "top"}
                shift = (0, -72 * (top + line * style.LINE))
                look: dict[str, Any] = {"color": style.INK if line == 0 else style.MUTED, "bbox": BEHIND, "zorder": 3}
                axes.annotate(text, (x, 0), xytext=shift, size=size, annotation_clip=False, **where, **look)
