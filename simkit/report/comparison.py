"""Runs side by side on a terminal."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from simkit.report import numbers
from simkit.report.verdicts import SIGNS, effect

if TYPE_CHECKING:
    from rich.console import Console

    from simkit.answer import Verdict
    from simkit.compare import Against, Change, Comparison

MOST_CHANGES = 15
ONE_BY_ONE = (
    "A change is clear when its interval leaves out 0. Each interval holds for one number and one look: of a hundred "
    "numbers that did not change, about five seem to."
)


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Prints what differs between the experiments, every verdict in a column a run, and which numbers changed."""
    names = [str(result.folder) for result in comparison.results]
    for result, name in zip(comparison.results, names, strict=True):
        size = f"{result.facts.deals:,} deals, seed {result.facts.seed}"
        console.print(Text(f"{name}: {result.answer.question} ({size})"))
    for name, against in zip(names[1:], comparison.against, strict=True):
        is_other = f"\n{name} differs from {names[0]}:" if against.differences else f"\n{name} asks the same."
        console.print(Text(is_other))
        for line in against.differences:
            console.print(Text(f"  {line}"))
    screen = Table(box=SIMPLE_HEAD)
    screen.add_column("subject")
    screen.add_column("seen under")
    for name in names:
        screen.add_column(Path(name).name, justify="right", overflow="fold")
    for subject, under, verdicts in comparison.rows():
        screen.add_row(subject, under, *map(_shown, verdicts))
    if screen.row_count:
        console.print(Text("\nVerdicts, in points of win rate:"))
        console.print(screen)
        console.print(Text("Each run's verdicts stand on its own deals and intervals."))
    for name, against in zip(names[1:], comparison.against, strict=True):
        _print_changes(names[0], name, against, console)


def _print_changes(first: str, name: str, against: Against, console: Console) -> None:
    changes = against.changes
    if not changes:
        console.print(Text(f"\n{name} and {first} measure nothing that is the same in both."))
        return
    clear = sum(change.is_clear for change in changes)
    console.print(Text(f"\n{name} less {first}: {len(changes):,} numbers are in both, {clear:,} changed clearly."))
    screen = Table(box=SIMPLE_HEAD, pad_edge=False)
    screen.add_column("number")
    for head in (Path(first).name, Path(name).name, "change", "95 % interval"):
        screen.add_column(Text(head), justify="right")
    shown = [change for i, change in enumerate(changes) if i == 0 or change.is_clear][:MOST_CHANGES]
    for change in shown:
        screen.add_row(Text(change.label, overflow="fold"), *_change_cells(change))
    console.print(screen)
    left = max(clear - sum(change.is_clear for change in shown), 0)
    more = f" {left:,} more changed clearly: --json has all." if left else ""
    console.print(Text(f"Shares in per cent, their changes in points.{more} {against.pairing}"))
    console.print(Text(ONE_BY_ONE))


def _change_cells(change: Change) -> list[Text]:
    half = (change.change.high - change.change.low) / 2
    scale = 1.0 if change.format == "number" else 100.0
    decimals = numbers.decimals_of(scale * half) if math.isfinite(half) and half > 0 else 2

    def written(value: float, signed: bool) -> str:
        return numbers.number(value, signed=signed, decimals=decimals)

    unit = " %" if change.format == "percent" else ""
    values = [written(scale * e.value, change.format == "points") + unit for e in (change.first, change.second)]
    ends = [written(scale * end, True) for end in (change.change.low, change.change.high)]
    return [Text(t, no_wrap=True) for t in (*values, written(scale * change.change.value, True), " to ".join(ends))]


def _shown(verdict: Verdict | None) -> str:
    if verdict is None:
        return "–"
    return f"{effect(verdict)}\n{SIGNS[verdict.verdict]} {verdict.verdict}"
