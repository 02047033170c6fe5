"""Charts of cells: everybody against everybody, and one thing against another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from simkit.report import numbers, style

STRONGEST = 0.75  # opacity of the deepest cell: ink stays readable on it, on light and on dark paper
LEAST_SPREAD = 5.0  # points of win rate: smaller differences are never shown in the deepest colour
SMALLEST_TEXT, SECOND_TEXT = 5.0, 7.0  # points; cells too small for them carry colour only
GAP, EDGE, BELOW = 0.08, 0.03, 0.30  # inches
FRAME = 0.04  # of a cell, from its edge to its frame
MOST_LINES = 4  # of a column's name
CELL_WIDTH, CELL_HEIGHT, LOWEST_CELL = 0.95, 0.46, 0.17  # at most, and at least
NAMES_SHARE = 0.32  # of the width, at most

KEY = "per cent of games that the row wins against the column; blue: more than {share}, orange: less"
SHORT_KEY = "row's wins in per cent; blue: over {share}, orange: under"


class _Heads(NamedTuple):
    """The columns' names: their lines, whether they stand upright, and the inches they need."""

    lines: list[list[str]]
    upright: bool
    height: float


@style.chart
def matrix(
    names: Sequence[str],
    values: ArrayLike,
    half_widths: ArrayLike | None = None,
    title: str = "",
    even: float = 0.5,
) -> Figure:
    """Win rates of each row's strategy against each column's, in per cent.

    Args:
        names: of the strategies, n of them.
        values: (n, n) float64, shares of 1; NaN where the pair did not play.
        half_widths: (n, n) float64, 95 % half-widths; None, or NaN where there is none.
        title: a line above; "" where the page has one.
        even: the share that is neither good nor bad: one part in as many as there are seats.
    """
    if not names:
        return style.nothing_to_show()
    shares = 100 * np.asarray(values, dtype=np.float64)
    errors = 100 * _errors(values, half_widths)
    share = "half" if even == 0.5 else f"{numbers.number(100 * even)} %"
    key = (SHORT_KEY if style.is_narrow() else KEY).format(share=share)
    axes, cell = _lay_out(names, names, [title] if title else [], key)
    spread = np.nanmax(np.abs(shares - 100 * even), initial=LEAST_SPREAD)
    _fill(axes, shares - 100 * even, spread, _texts(shares, errors), cell)
    return style.figure_of(axes)


@style.chart
def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    values: ArrayLike,
    half_widths: ArrayLike | None,
    row_words: str,
    column_words: str,
    unit: str,
    texts: Sequence[Sequence[str]] = (),
    hatched: str = "hardly seen",
    framed: ArrayLike | None = None,
    framed_words: str = "",
    deepest: float = math.nan,
) -> Figure:
    """What one thing adds, by two others: blue adds, orange costs.

    Args:
        rows: classes of the first, r of them.
        columns: classes of the second, c of them.
        values: (r, c) float64 in `unit`; NaN where there is none.
        half_widths: (r, c) float64, 95 % half-widths; None, or NaN where there is none.
        row_words: what the rows are, in words.
        column_words: what the columns are, in words.
        unit: of the values, in words.
        texts: (r, c), what the cells say instead of the values.
        hatched: what it means that a cell has no number; "": there is no such cell, and its place stays empty.
        framed: (r, c) bool, cells with a frame; None for none.
        framed_words: what the frame means.
        deepest: the value that has the deepest colour, for maps that are seen together; NaN: the largest here.
    """
    found, errors = np.asarray(values, dtype=np.float64), _errors(values, half_widths)
    if not np.isfinite(found).any():
        return style.nothing_to_show()
    key = f"{unit}; blue: it adds, orange: it costs"
    key += "".join(f"; {look}: {words}" for look, words in (("hatched", hatched), ("framed", framed_words)) if words)
    axes, cell = _lay_out(rows, columns, _titles(row_words, column_words), key)
    spread = (np.nanmax(np.abs(found)) or 1.0) if math.isnan(deepest) else deepest
    told: dict[tuple[int, ...], str] = {(r, c): text for r, row in enumerate(texts) for c, text in enumerate(row)}
    told = told or _texts(found, errors, signed=True)
    _fill(
        axes, found, spread, {place: text for place, text in told.items() if hatched or np.isfinite(found[place])}, cell
    )
    for row, column in () if framed is None else np.argwhere(framed):
        corner, side = (column + FRAME, row + FRAME), 1 - 2 * FRAME
        axes.add_patch(Rectangle(corner, side, side, facecolor="none", edgecolor=style.INK, linewidth=1.2))
    return style.figure_of(axes)


def _errors(values: ArrayLike, half_widths: ArrayLike | None) -> NDArray[np.float64]:
    """Half-widths of the shape of the values, NaN where there are none."""
    missing = np.full(np.shape(values), np.nan)
    return missing if half_widths is None else np.asarray(half_widths, dtype=np.float64)


@style.chart
def grid(
    rows: Sequence[str],
    columns: Sequence[str],
    values: ArrayLike,
    half_widths: ArrayLike,
    row_words: str,
    column_words: str,
    best: Sequence[Sequence[int]] = (),
    even: ArrayLike = 0.5,
) -> Figure:
    """Win rates of one player, in per cent, by what it does (rows) and under what rules (columns); the best are framed.

    Args:
        rows: values of the first, r of them.
        columns: values of the second, c of them.
        values: (r, c) float64, shares of 1; NaN where there is none.
        half_widths: (r, c) float64, 95 % half-widths; NaN where there is none.
        row_words: what the rows are, in words.
        column_words: what the columns are, in words; "" when there is one column without a name.
        best: for each column the rows that may be best; a full frame for one alone, a dotted one for each of several.
        even: the share that is neither good nor bad, one for all or one a column.
    """
    shares, errors = (100 * np.asarray(table, dtype=np.float64) for table in (values, half_widths))
    if not np.isfinite(shares).any():
        return style.nothing_to_show()
    several = any(len(places) > 1 for places in best)
    remark = f"; framed: best of its column{'; dotted: one of these' if several else ''}" if any(best) else ""
    axes, cell = _lay_out(rows, columns, _titles(row_words, column_words), f"per cent of games won{remark}")
    depths = shares - 100 * np.asarray(even, dtype=np.float64)
    _fill(axes, depths, np.nanmax(np.abs(depths), initial=LEAST_SPREAD), _texts(shares, errors), cell)
    for column, places in enumerate(best):
        for row in places:
            _frame(axes, row, column, "solid" if len(places) == 1 else (0, (1, 1.2)))
    return style.figure_of(axes)


def _titles(row_words: str, column_words: str) -> list[str]:
    """What rows and columns are, in one line where that has room."""
    titles = [f"rows: {row_words}", f"columns: {column_words}"] if column_words else [f"rows: {row_words}"]
    one = "; ".join(titles)
    return [one] if style.text_width(one, weight="bold") <= style.chart_width() - EDGE else titles


def _frame(axes: Axes, row: int, column: int, dash: Any) -> None:
    inset = 0.04
    look: dict[str, Any] = {"facecolor": "none", "edgecolor": style.INK, "linewidth": 1.6, "zorder": 3}
    place, size = (column + inset, row + inset), 1 - 2 * inset
    axes.add_patch(Rectangle(place, size, size, linestyle=dash, **look))


def _fill(
    axes: Axes, depths: NDArray[np.float64], spread: float, texts: dict[tuple[int, ...], str], cell: float
) -> None:
    """Colours and writes every cell; the deepest colours stand for ± spread."""
    for (row, column), text in texts.items():
        _draw_cell(axes, row, column, float(depths[row, column]) / spread)
        _write_cell(axes, row, column, text, cell)


def _texts(
    shares: NDArray[np.float64], errors: NDArray[np.float64], signed: bool = False
) -> dict[tuple[int, ...], str]:
    """What each cell says, with one number of decimals for all, that of a typical half-width."""
    known = errors[np.isfinite(errors) & (errors > 0)]
    decimals = numbers.decimals_of(float(np.median(known))) if known.size else 1
    texts = {}
    for place, share in np.ndenumerate(shares):
        text = numbers.number(float(share), decimals=decimals, signed=signed)
        if math.isfinite(share) and math.isfinite(errors[place]):
            text += f" ± {numbers.number(float(errors[place]), decimals=decimals)}"
        texts[place] = text
    return texts


def _lay_out(rows: Sequence[str], columns: Sequence[str], titles: Sequence[str], key: str) -> tuple[Axes, float]:
    """Axes of a unit a cell with names at the left and above, and the width of a cell in inches."""
    room = min(style.widest(rows), NAMES_SHARE * style.chart_width())
    left = EDGE + room + GAP
    cell = min((style.chart_width() - left) / len(columns), CELL_WIDTH)
    height = max(min(cell, CELL_HEIGHT), LOWEST_CELL)
    heads = _heads(columns, cell - GAP, min(style.widest(columns), NAMES_SHARE * style.chart_width()))
    above = heads.height + 2 * GAP + (style.LINE * (1 + len(titles)) if titles else 0)
    keys = style.in_lines(key, style.chart_width() - EDGE, MOST_LINES)
    below = BELOW + style.LINE * (len(keys) - 1)
    figure = Figure(figsize=(style.chart_width(), above + height * len(rows) + below))
    axes = style.panel(figure, left, below, cell * len(columns), height * len(rows))
    axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0), xticks=[], yticks=[])
    for i, name in enumerate(rows):
        _annotate(axes, style.shorten(name, room), (0, i + 0.5), (EDGE - left, 0))
    _write_heads(axes, heads, min(style.TEXT, 0.8 * 72 * cell))
    for i, title in enumerate(titles):
        text = style.shorten(title, style.chart_width() - EDGE, weight="bold")
        _annotate(axes, text, (0, 0), (EDGE - left, above - style.LINE * (i + 1)), weight="bold")
    for i, line in enumerate(keys):
        shift = (EDGE - left, -0.2 - style.LINE * i)
        _annotate(axes, line, (0, len(rows)), shift, size=style.SMALL, color=style.MUTED)
    return axes, cell


def _annotate(axes: Axes, text: str, at: tuple[float, float], shift: tuple[float, float], **look: Any) -> None:
    """Text `shift` inches from a place."""
    look = {"va": "center_baseline", **look}
    offset = (72 * shift[0], 72 * shift[1])
    axes.annotate(text, at, xytext=offset, textcoords="offset points", **look)


def _heads(names: Sequence[str], width: float, room: float) -> _Heads:
    """Names over their columns, in lines where that is enough, else upright."""
    lines = [style.in_lines(name, width, MOST_LINES) for name in names]
    if not any("…" in line for head in lines for line in head):
        return _Heads(lines, False, style.LINE * max(len(head) for head in lines))
    shown = [style.shorten(name, room) for name in names]
    return _Heads([[name] for name in shown], True, style.widest(shown))


def _write_heads(axes: Axes, heads: _Heads, upright_size: float) -> None:
    for i, lines in enumerate(heads.lines):
        if heads.upright:
            _annotate(axes, lines[0], (i + 0.5, 0), (0, GAP), rotation=90, ha="center", va="bottom", size=upright_size)
            continue
        for k, line in enumerate(reversed(lines)):
            _annotate(axes, line, (i + 0.5, 0), (0, GAP + style.LINE * (k + 0.3)), ha="center")


def _draw_cell(axes: Axes, row: int, column: int, depth: float) -> None:
    """A cell of colour depth −1 … 1; NaN, not played, is hatched."""
    if math.isfinite(depth):
        look: dict[str, Any] = {
            "facecolor": style.BLUE if depth > 0 else style.VERMILLION,
            "alpha": STRONGEST * abs(depth),
        }
    else:
        look = {"facecolor": "none", "edgecolor": style.GRID, "hatch": "////"}
    axes.add_patch(Rectangle((column, row), 1, 1, linewidth=0, **look))
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=style.PAPER, linewidth=1.5))


def _write_cell(axes: Axes, row: int, column: int, text: str, cell: float) -> None:
    """The number, with its half-width below where the cell has room for both."""
    value, _, half_width = text.partition(" ± ")
    if value == numbers.MISSING:
        return
    room = cell - 0.06
    size = style.TEXT * min(1, room / style.text_width(value))
    second = f"± {half_width}"
    both = bool(half_width) and style.text_width(second, SECOND_TEXT) <= room
    if size >= SMALLEST_TEXT:
        axes.text(column + 0.5, row + (0.36 if both else 0.5), value, ha="center", va="center", size=size)
    if both:
        axes.text(column + 0.5, row + 0.74, second, ha="center", va="center", size=SECOND_TEXT)
