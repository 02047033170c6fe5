"""The answer on one screen of a terminal: the question, a table, the answer, and where the report is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from rich.console import Console
from rich.text import Text

from simkit.answer import Answer, Judgement, Table, Verdict
from simkit.report import numbers
from simkit.report.facts import RunFacts
from simkit.report.screen import Grid, Head
from simkit.report.verdicts import SIGNS, effect, most_extreme_first

UNIT_WIDTH = 10  # characters of a line of the unit in a heading
LINES = 24
FEWEST_LINES, MOST_LINES = 4, 12  # of a table's rows
FURNITURE = 7  # lines that are always there: blank ones, the table's frame, the path, and the prompt

COLOURS: dict[Judgement, str] = {"fair": "green", "too strong": "red", "too weak": "red", "undecided": "yellow"}


def print_answer(answer: Answer, facts: RunFacts, report_path: Path | str | None, console: Console) -> None:
    """Prints the answer so that it fits on 24 lines: of many rows the most telling ones, the rest is in the report."""
    above = [Text(answer.question, style="bold")]
    if facts.status == "interrupted":
        above.append(Text(f"Interrupted: this rests on {numbers.count(facts.deals)} deals.", style="yellow"))
    summary = Text(answer.summary)
    lines = LINES - FURNITURE - sum(len(text.wrap(console, console.width)) for text in [*above, summary])
    console.print(*above, sep="\n")
    if table := _table_of(answer):
        _print_table(table, lines, console)
    elif answer.verdicts:
        _print_verdicts(answer.verdicts, answer.unit, lines, console)
    console.print(summary)
    if report_path is not None:
        console.print(Text(f"\nReport: {report_path}"), soft_wrap=True)


def _table_of(answer: Answer) -> Table | None:
    """The table to show: the one that sums the verdicts up, or the first where there are none."""
    if answer.in_short:
        return next(table for table in answer.tables if table.name == answer.in_short)
    return answer.tables[0] if answer.tables and not answer.verdicts else None


def _print_verdicts(verdicts: Sequence[Verdict], unit: str, lines: int, console: Console) -> None:
    grid = _verdict_grid(verdicts, unit, console)
    if grid.lines > _room(grid, lines):
        grid = _verdict_grid(most_extreme_first(verdicts), unit, console)
    _print_grid(grid, len(verdicts), lines, console)


def _verdict_grid(verdicts: Sequence[Verdict], unit: str, console: Console) -> Grid:
    heads = [Head(""), Head(fill(unit, UNIT_WIDTH), False, False), Head("verdict", False), Head("seen under")]
    rows = []
    for verdict in verdicts:
        word = Text(f"{SIGNS[verdict.verdict]} {verdict.verdict}", style=COLOURS[verdict.verdict])
        rows.append([Text(verdict.subject), Text(effect(verdict)), word, Text(verdict.under)])
    return Grid(heads, rows, console)


def _print_table(table: Table, lines: int, console: Console) -> None:
    heads = [Head(column.label, column.format == "text", column.format == "text") for column in table.columns.values()]
    rows = [
        [
            Text(numbers.cell(row[key], column.format, row[column.half_width] if column.half_width else None))
            for key, column in table.columns.items()
        ]
        for row in table.frame.to_dict("records")
    ]
    _print_grid(Grid(heads, rows, console), len(rows), lines, console)


def _room(grid: Grid, lines: int) -> int:
    """Lines for rows, of those that a table may have with its headings."""
    return min(max(lines - grid.heading_lines, FEWEST_LINES), MOST_LINES)


def _print_grid(grid: Grid, rows: int, lines: int, console: Console) -> None:
    """Prints the rows that there is room for, at least one, and counts what is not shown."""
    room = _room(grid, lines)
    shown = rows if grid.lines <= room else max(grid.within(room - 1), 1)
    grid.print(shown)
    _print_hidden(console, rows=rows - shown, columns=grid.hidden_columns)


def _print_hidden(console: Console, rows: int, columns: int) -> None:
    counts = ((rows, "row"), (columns, "column"))
    hidden = [f"{count} more {name}{'s' if count > 1 else ''}" for count, name in counts if count]
    if hidden:
        console.print(Text(f"… and {', '.join(hidden)} in the report\n", style="dim"))
