"""Columns get the width that they need, and what is left goes to the texts that would wrap most."""

from __future__ import annotations

import io

from rich.console import Console
from rich.text import Text

from simkit.report.screen import Grid, Head

NUMBER = Head("points", False, False)


def grid(heads: list[Head], rows: list[list[str]], width: int = 40) -> Grid:
    return Grid(heads, [[Text(cell) for cell in row] for row in rows], Console(file=io.StringIO(), width=width))


def printed(made: Grid, rows: int) -> list[str]:
    made.print(rows)
    console = made._console
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_texts_that_fit_take_a_line_each() -> None:
    made = grid([Head("who"), NUMBER], [["greedy", "+0.4 ± 0.3"], ["random", "−1 ± 2"]])
    assert (made.lines, made.heading_lines, made.hidden_columns) == (2, 1, 0)
    assert printed(made, 2)[3] == " greedy   +0.4 ± 0.3"


def test_lines_are_counted_as_they_are_printed() -> None:
    made = grid([Head("who"), NUMBER], [["a b " * 15, "+0.4 ± 0.3"], ["random", "−1 ± 2"]])
    assert made.lines > 2
    assert made.lines + made.heading_lines == sum(bool(line) for line in printed(made, 2)) - 1  # without the rule


def test_rows_fit_as_long_as_all_their_lines_do() -> None:
    made = grid([Head("who"), NUMBER], [["random", "1"], ["a b " * 15, "2"], ["random", "3"]])
    tall = made.lines - 2
    assert [made.within(lines) for lines in (0, 1, tall, 1 + tall, 2 + tall)] == [0, 1, 1, 2, 3]


def test_columns_without_room_are_counted_and_two_always_stay() -> None:
    heads = [Head("a"), Head("b"), Head("c")]
    assert grid(heads, [["x" * 15] * 3], width=40).hidden_columns == 1
    assert grid(heads, [["x" * 15] * 3], width=20).hidden_columns == 1
