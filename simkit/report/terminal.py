"""The answer on one screen of a terminal: the question, a table, the answer, and where the report is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Screen
from rich.text import Text

from simkit.answer import Answer, Judgement, Table, Verdict
from simkit.report import numbers
from simkit.report.facts import RunFacts
from simkit.report.verdicts import SIGNS, effect, most_extreme_first

UNIT_WIDTH = 10  # characters of a line of the unit in a heading
LINES = 24
FEWEST_ROWS, MOST_ROWS = 3, 12
FURNITURE = 9  # lines that are always there: blank ones, the table's frame and headings, the path, and the prompt
WORD = 12  # characters of a heading's longest word that a column makes room for

COLOURS: dict[Judgement, str] = {"fair": "green", "too strong": "red", "too weak": "red", "undecided": "yellow"}


def print_answer(answer: Answer, facts: RunFacts, report_path: Path | str | None, console: Console) -> None:
    """Prints the answer so that it fits on 24 lines: of many rows the most telling ones, the rest is in the report."""
    above = [Text(answer.question, style="bold")]
    if facts.status == "interrupted":
        above.append(Text(f"Interrupted: this rests on {numbers.count(facts.deals)} deals.", style="yellow"))
    summary = Text(answer.summary)
    used = sum(len(text.wrap(console, console.width)) for text in [*above, summary])
    rows = min(max(LINES - FURNITURE - used, FEWEST_ROWS), MOST_ROWS)
    console.print(*above, sep="\n")
    if answer.verdicts:
        _print_verdicts(answer.verdicts, answer.unit, rows, console)
    elif answer.tables:
        _print_table(answer.tables[0], rows, console)
    console.print(summary)
    if report_path is not None:
        console.print(Text(f"\nReport: {report_path}"), soft_wrap=True)


def _print_verdicts(verdicts: Sequence[Verdict], unit: str, rows: int, console: Console) -> None:
    shown = verdicts if len(verdicts) <= rows else most_extreme_first(verdicts)[: rows - 1]
    screen = _screen()
    screen.add_column("")
    screen.add_column(fill(unit, UNIT_WIDTH), justify="right", no_wrap=True)
    screen.add_column("verdict", no_wrap=True)
    screen.add_column("seen under")
    for verdict in shown:
        value = effect(verdict)
        word = Text(f"{SIGNS[verdict.verdict]} {verdict.verdict}", style=COLOURS[verdict.verdict])
        screen.add_row(_cut(verdict.subject), value, word, _cut(verdict.under))
    console.print(screen)
    _print_hidden(console, rows=len(verdicts) - len(shown))


def _print_table(table: Table, rows: int, console: Console) -> None:
    records = table.frame.to_dict("records")
    shown = records if len(records) <= rows - 1 else records[: rows - 2]  # headings may need a third line
    cells = [
        [
            numbers.cell(row[key], column.format, row[column.half_width] if column.half_width else None)
            for key, column in table.columns.items()
        ]
        for row in shown
    ]
    columns = list(table.columns.values())
    fitting = _fitting([column.label for column in columns], cells, console.width)
    screen = _screen()
    for column in columns[:fitting]:
        screen.add_column(Text(column.label), justify="left" if column.format == "text" else "right")
    for row in cells:
        screen.add_row(*map(_cut, row[:fitting]))
    console.print(screen)
    _print_hidden(console, rows=len(records) - len(shown), columns=len(columns) - fitting)


def _screen() -> Screen:
    return Screen(box=SIMPLE_HEAD, pad_edge=False, header_style="dim")


def _cut(text: str) -> Text:
    """Text that stays on its line and is cut where the screen ends."""
    return Text(text, no_wrap=True, overflow="ellipsis")


def _fitting(labels: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> int:
    """How many columns fit side by side, at least two."""
    used = 0
    for i, label in enumerate(labels):
        word = min(max(map(len, label.split()), default=0), WORD)
        used += 3 + max([word, *(len(row[i]) for row in cells)])
        if used > width and i >= 2:
            return i
    return len(labels)


def _print_hidden(console: Console, rows: int, columns: int = 0) -> None:
    counts = ((rows, "row"), (columns, "column"))
    hidden = [f"{count} more {name}{'s' if count > 1 else ''}" for count, name in counts if count]
    if hidden:
        console.print(Text(f"… and {', '.join(hidden)} in the report\n", style="dim"))
