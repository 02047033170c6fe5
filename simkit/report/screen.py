"""Rows of cells laid out for a terminal: long texts wrap, numbers stay whole, and what has no room is told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Screen
from rich.text import Text

GAP = 3  # characters between two columns
NARROWEST = 20  # a column of longer texts is made no narrower than this
FEWEST_COLUMNS = 2


@dataclass(frozen=True)
class Head:
    """A heading, and whether the cells below it are texts, which may wrap and stand at the left."""

    label: str
    is_text: bool = True
    is_left: bool = True


class Grid:
    """Cells below their headings, with the width of each column chosen for a console.

    Attributes:
        hidden_columns: how many of the last columns have no room side by side.
    """

    def __init__(self, heads: Sequence[Head], rows: Sequence[Sequence[Text]], console: Console) -> None:
        least = [_least(head, [row[i].plain for row in rows]) for i, head in enumerate(heads)]
        fitting = _fitting(least, console.width)
        self.hidden_columns = len(heads) - fitting
        self._heads, self._console, self._rows = heads[:fitting], console, [row[:fitting] for row in rows]
        room = console.width - GAP * fitting
        cells = [max((len(row[i]) for row in self._rows), default=1) for i in range(fitting)]
        heads_too = [max(cells[i], *map(len, head.label.split("\n"))) for i, head in enumerate(self._heads)]
        self._widths = _widths(_widths(least[:fitting], cells, room), heads_too, room)  # a heading wraps only once

    @property
    def heading_lines(self) -> int:
        """Lines that the headings take."""
        return self._height([Text(head.label) for head in self._heads])

    @property
    def lines(self) -> int:
        """Lines that all rows take."""
        return sum(map(self._height, self._rows))

    def within(self, lines: int) -> int:
        """How many of the first rows find room in so many lines."""
        for count, row in enumerate(self._rows):
            lines -= self._height(row)
            if lines < 0:
                return count
        return len(self._rows)

    def print(self, rows: int) -> None:
        """Prints the headings and the first rows."""
        screen = Screen(box=SIMPLE_HEAD, pad_edge=False, header_style="dim")
        for head, width in zip(self._heads, self._widths, strict=True):
            screen.add_column(Text(head.label), justify="left" if head.is_left else "right", width=width)
        for row in self._rows[:rows]:
            screen.add_row(*row)
        self._console.print(screen)

    def _height(self, cells: Sequence[Text]) -> int:
        pairs = zip(cells, self._widths, strict=True)
        return max((len(cell.wrap(self._console, width)) for cell, width in pairs), default=1)


def _least(head: Head, cells: Sequence[str]) -> int:
    """The narrowest that a column may be: numbers on one line, texts in lines of some words, headings' words whole."""
    parts = head.label.split("\n") if "\n" in head.label else head.label.split()
    cell, word = max(map(len, cells), default=1), max(map(len, parts), default=1)
    return min(max(cell, word), NARROWEST) if head.is_text else max(cell, min(word, NARROWEST))


def _fitting(least: Sequence[int], width: int) -> int:
    """How many columns fit side by side."""
    used = 0
    for i, column in enumerate(least):
        used += column + GAP
        if used > width and i >= FEWEST_COLUMNS:
            return i
    return len(least)


def _widths(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Shares out what room the columns leave, a character at a time, to the one that would wrap most."""
    widths = list(least)
    while widths and sum(widths) < room:
        i = max(range(len(widths)), key=lambda i: most[i] / widths[i])
        if widths[i] >= most[i]:
            break
        widths[i] += 1
    return widths
