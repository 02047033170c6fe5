"""Charts of one row a thing: effects with their intervals against a margin, and shares."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.answer import Judgement
from simkit.report import numbers, style
from simkit.report.verdicts import judge_interval

ROW, HEADER, BAR_ROW, TWIN_ROW = 0.245, 0.33, 0.34, 0.5  # inches
ABOVE, BELOW = 0.46, 0.46
GAP, EDGE, SPACE = 0.12, 0.03, 0.04
HEADER_BOX = {"facecolor": style.PAPER, "edgecolor": "none", "pad": 1}  # a long header hides the lines it crosses
NAMES_SHARE = 0.40  # of the width, at most
TWINS = (style.SKY, style.ORANGE)
CUT = 3.0  # intervals that reach this many times further than everything else are cut, with an arrow


class _Row(NamedTuple):
    label: str
    group: str
    estimate: float
    low: float
    high: float

    @property
    def observed(self) -> bool:
        return math.isfinite(self.estimate)

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    @property
    def reach(self) -> float:
        """The furthest that the row needs the axis to go, either way."""
        return max(abs(end) for end in (self.estimate, self.low, self.high) if math.isfinite(end))

    def judged(self, margin: float | None) -> Judgement | None:
        return judge_interval(self.low, self.high, margin) if margin is not None and self.observed else None


class _Line(NamedTuple):
    """A line of the chart: a row, or a group's header (no row); y in inches below the top of the axes."""

    y: float
    names: list[str]
    row: _Row | None


def _room_for_names(rows: Sequence[_Row]) -> float:
    return min(style.widest(row.label for row in rows), NAMES_SHARE * style.chart_width())


def _arrange(rows: Sequence[_Row], room: float) -> tuple[list[_Line], float]:
    """The lines from top to bottom, groups in the order of their first row, rows from high to low; and their height."""
    groups = list(dict.fromkeys(row.group for row in rows))
    lines, y = [], 0.0
    for group in groups:
        if len(groups) > 1:
            name = style.shorten(group, style.chart_width() - GAP, weight="bold")
            lines.append(_Line(y + 0.62 * HEADER, [name], None))
            y += HEADER
        own = [row for row in rows if row.group == group]
        for row in sorted(own, key=lambda row: -row.estimate if row.observed else math.inf):
            names = style.in_lines(row.label, room)
            height = ROW + style.LINE * (len(names) - 1)
            lines.append(_Line(y + height / 2, names, row))
            y += height
    return lines, y


class _Layout(NamedTuple):
    """Names at the left, axes in the middle with y in inches downwards, text at the right; lengths in inches."""

    axes: Axes
    left: float
    width: float

    def write(self, y: float, x: float, text: str, **look: Any) -> None:
        """Text at x inches right of the axes' left edge."""
        where: dict[str, Any] = {"xycoords": self.axes.get_yaxis_transform(), "textcoords": "offset points"}
        self.axes.annotate(text, (0, y), xytext=(72 * x, 0), va="center_baseline", **where, **look)

    def write_above(self, value: float, line: int, text: str) -> None:
        """Small text over a value of the x axis, moved sideways as far as it must to stay on the chart."""
        low, high = self.axes.get_xlim()
        place = self.left + self.width * (value - low) / (high - low)
        half = style.text_width(text, style.SMALL) / 2 + 0.02
        x = min(max(place, half), style.chart_width() - half) - self.left
        self.write(-0.09 - 0.16 * line, x, text, ha="center", color=style.MUTED, size=style.SMALL)

    def write_value(self, y: float, text: str, widths: tuple[float, float]) -> None:
        """A number right of the axes, in one column before the ± and one from it on."""
        value, sign, half_width = text.partition(" ± ")
        x = self.width + GAP + widths[0]
        self.write(y, x, value, ha="right")
        self.write(y, x + SPACE, sign.strip() + " " + half_width)


def _lay_out(lines: Sequence[_Line], height: float, room: float, right: float, above: float) -> _Layout:
    left = EDGE + room + GAP
    width = style.chart_width() - left - right
    figure = Figure(figsize=(style.chart_width(), above + height + BELOW))
    axes = style.panel(figure, left, BELOW, width, height)
    axes.set_ylim(height, 0)
    axes.set_yticks([])
    axes.grid(axis="x", color=style.GRID, linewidth=0.6)
    axes.xaxis.set_major_locator(MaxNLocator(4 if style.is_narrow() else 7, steps=[1, 2, 5, 10]))
    layout = _Layout(axes, left, width)
    for line in lines:
        first = line.y - style.LINE * (len(line.names) - 1) / 2
        for i, name in enumerate(line.names):
            look = {} if line.row else {"weight": "bold", "bbox": HEADER_BOX}
            layout.write(first + i * style.LINE, EDGE - left, name, **look)
    return layout


@style.chart
def forest(
    rows: Sequence[tuple[str, str, float, float, float]],
    margin: float | None = None,
    unit: str = "points of win rate",
    zero_label: str = "no difference",
    scale: float = 100.0,
    not_seen: str = "not seen",
) -> Figure:
    """Effects with their 95 % intervals, the designer's margin as a shaded band.

    Args:
        rows: (label, group, estimate, low, high); several groups get a header each, in the order given, and rows are
            sorted within their group. A NaN estimate is a row without observations.
        margin: what counts as fair, in the rows' unit; None: nothing is judged.
        unit: what the axis counts, in words.
        zero_label: what an effect of zero means.
        scale: the rows' numbers are multiplied by this before they are shown: 100 for shares of 1, 1 for plain numbers.
        not_seen: what is written in place of an effect without observations.
    """
    if not rows:
        return style.nothing_to_show()
    scaled = [_Row(label, group, *(scale * value for value in effect)) for label, group, *effect in rows]
    limit = None if margin is None else scale * margin
    room = _room_for_names(scaled)
    lines, height = _arrange(scaled, room)
    values = {line.y: _effect(line.row) for line in lines if line.row and line.row.observed}
    widths = _widths(values.values(), [] if len(values) == len(rows) else [not_seen])
    words = {line.y: line.row.judged(limit) or "" for line in lines if line.row and not style.is_narrow()}
    word_width = style.widest(words.values(), style.SMALL)
    layout = _lay_out(lines, height, room, GAP + sum(widths) + (word_width and GAP + word_width) + EDGE, ABOVE)
    _draw_ground(layout, scaled, limit, zero_label, unit)
    for line in lines:
        if line.row and line.row.observed:
            _draw_effect(layout.axes, line.y, line.row, limit)
            layout.write_value(line.y, values[line.y], widths)
        elif line.row:
            layout.write(line.y, layout.width + GAP, not_seen, color=style.MUTED, size=style.SMALL)
    for y, word in words.items():
        colour = style.INK if word.startswith("too") else style.MUTED
        layout.write(y, layout.width + 2 * GAP + sum(widths), word, color=colour, size=style.SMALL)
    return style.figure_of(layout.axes)


def _widths(values: Iterable[str], others: Sequence[str] = ()) -> tuple[float, float]:
    """Inches that the numbers need before their ±, and from it on; together enough for the other texts."""
    halves = [value.partition(" ± ") for value in values]
    after = style.widest(f"± {half[2]}" for half in halves if half[1])
    before = style.widest(half[0] for half in halves)
    return before, max(after and after + SPACE, style.widest(others) - before)


def _effect(row: _Row) -> str:
    return numbers.number(row.estimate, row.half_width, signed=True)


def _draw_ground(layout: _Layout, rows: Sequence[_Row], margin: float | None, zero_label: str, unit: str) -> None:
    """What the effects are seen against: the axis, zero, and the margin."""
    axes = layout.axes
    axes.set_xlim(_limits(rows, margin))
    axes.xaxis.set_major_formatter(style.ticks_in_words(signed=True))
    axes.set_xlabel(unit, labelpad=5)
    axes.axvline(0, color=style.INK, linewidth=0.9, zorder=1)
    layout.write_above(0, 0, zero_label)
    if margin is not None:
        axes.axvspan(-margin, margin, color=style.BAND, linewidth=0, zorder=0)
        layout.write_above(0, 1, f"shaded: your margin of ±{numbers.tick(margin)}")


def _limits(rows: Sequence[_Row], margin: float | None) -> tuple[float, float]:
    """Ends of the x axis: all estimates, the margin, and all intervals that are not far wider than the rest."""
    seen = [row for row in rows if row.observed]
    if not seen:
        return (-2 * (margin or 1), 2 * (margin or 1))
    typical = max([margin or 0, median(row.reach for row in seen), *(abs(row.estimate) for row in seen)])
    ends = [end for row in seen for end in (row.low, row.estimate, row.high) if math.isfinite(end)]
    kept = [end for end in ends if abs(end) <= CUT * typical] + [-(margin or 0), margin or 0]
    if any(end < -CUT * typical for end in ends):
        kept.append(-typical)
    if any(end > CUT * typical for end in ends):
        kept.append(typical)
    pad = 0.06 * (max(kept) - min(kept)) or 1.0
    return min(kept) - pad, max(kept) + pad


def _draw_effect(axes: Axes, y: float, row: _Row, margin: float | None) -> None:
    verdict = row.judged(margin)
    colour, marker = style.JUDGED[verdict] if verdict else (style.BLUE, "o")
    left, right = axes.get_xlim()
    axes.plot([max(row.low, left), min(row.high, right)], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt")
    for edge, cut, arrow in ((left, row.low < left, "<"), (right, row.high > right, ">")):
        if cut:
            axes.plot(edge, y, arrow, color=colour, markersize=5, clip_on=False)
    fill = style.PAPER if verdict == "undecided" else colour
    axes.plot(row.estimate, y, marker, color=colour, markerfacecolor=fill, markersize=6, markeredgewidth=1.4)


@style.chart
def bars(rows: Sequence[tuple[str, float, float, float]], unit: str = "per cent", scale: float = 100.0) -> Figure:
    """Shares as horizontal bars with their 95 % intervals, in the order given.

    Args:
        rows: (label, share, low, high).
        unit: what the axis counts, in words ("per cent of the King's plays").
        scale: the rows' numbers are multiplied by this before they are shown.
    """
    if not rows:
        return style.nothing_to_show()
    scaled = [_Row(label, "", *(scale * value for value in share)) for label, *share in rows]
    room = _room_for_names(scaled)
    lines = [_Line(BAR_ROW * (i + 0.5), style.in_lines(row.label, room), row) for i, row in enumerate(scaled)]
    values = [_share(row) for row in scaled]
    widths = _widths(values)
    layout = _lay_out(lines, BAR_ROW * len(rows), room, GAP + sum(widths) + EDGE, 0.06)
    layout.axes.set_xlim(0, 1.04 * max([row.reach for row in scaled if row.observed], default=0) or 1)
    layout.axes.xaxis.set_major_formatter(style.ticks_in_words())
    layout.axes.set_xlabel(unit, labelpad=5)
    for line, row, value in zip(lines, scaled, values, strict=True):
        if row.observed:
            layout.axes.barh(line.y, row.estimate, height=0.6 * BAR_ROW, color=style.SKY)
            layout.axes.plot([row.low, row.high], [line.y, line.y], color=style.INK, linewidth=1.2)
        layout.write_value(line.y, value, widths)
    return style.figure_of(layout.axes)


def _share(row: _Row) -> str:
    return numbers.number(row.estimate, row.half_width, decimals=1)


@style.chart
def twin_bars(
    rows: Sequence[tuple[str, tuple[float, float, float], tuple[float, float, float]]],
    words: tuple[str, str],
    unit: str = "per cent",
    scale: float = 100.0,
) -> Figure:
    """Two numbers of each thing as horizontal bars, one under the other, with their 95 % intervals, in the order given.

    Args:
        rows: (label, the one number, the other), each number with the ends of its interval: value, low, high. The axis
            begins at 0; what lies below it is only written.
        words: what the two numbers are.
        unit: what the axis counts, in words.
        scale: the rows' numbers are multiplied by this before they are shown.
    """
    if not rows:
        return style.nothing_to_show()
    pairs = [[_Row(label, "", *(scale * value for value in one)) for one in twins] for label, *twins in rows]
    room = _room_for_names([pair[0] for pair in pairs])
    lines = [_Line(TWIN_ROW * (i + 0.5), style.in_lines(pair[0].label, room), pair[0]) for i, pair in enumerate(pairs)]
    values = [[_share(row) for row in pair] for pair in pairs]
    widths = _widths([text for pair in values for text in pair])
    layout = _lay_out(lines, TWIN_ROW * len(rows), room, GAP + sum(widths) + EDGE, 0.32)
    seen = [row.reach for pair in pairs for row in pair if row.observed]
    layout.axes.set_xlim(0, 1.04 * max(seen, default=0) or 1)
    layout.axes.xaxis.set_major_formatter(style.ticks_in_words())
    layout.axes.set_xlabel(unit, labelpad=5)
    for line, pair, texts in zip(lines, pairs, values, strict=True):
        for place, row, text, colour in zip((-0.2, 0.2), pair, texts, TWINS, strict=True):
            _draw_bar(layout, line.y + place * TWIN_ROW, row, text, widths, colour)
    _write_key(layout, words)
    return style.figure_of(layout.axes)


def _draw_bar(layout: _Layout, y: float, row: _Row, text: str, widths: tuple[float, float], colour: str) -> None:
    """A bar with its interval and its number."""
    layout.write_value(y, text, widths)
    if row.observed:
        layout.axes.barh(y, max(0, row.estimate), height=0.32 * TWIN_ROW, color=colour)
        if math.isfinite(row.half_width):
            layout.axes.plot([max(0, row.low), max(0, row.high)], [y, y], color=style.INK, linewidth=1.2)


def _write_key(layout: _Layout, words: Sequence[str]) -> None:
    """Above the axes, what the colours mean; further left where it would not fit."""
    wide = sum(0.16 + style.text_width(word, style.SMALL) for word in words) + 2 * GAP * (len(words) - 1)
    x = max(EDGE - layout.left, min(0.0, style.chart_width() - layout.left - EDGE - wide))
    for word, colour in zip(words, TWINS, strict=True):
        layout.write(-0.16, x, "\u25a0", color=colour)
        layout.write(-0.16, x + 0.16, word, color=style.MUTED, size=style.SMALL)
        x += 0.16 + style.text_width(word, style.SMALL) + 2 * GAP
