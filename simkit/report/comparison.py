"""Runs side by side on a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from simkit.report.verdicts import SIGNS, effect

if TYPE_CHECKING:
    from rich.console import Console

    from simkit.answer import Verdict
    from simkit.compare import Comparison


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Prints what differs between the experiments, then every verdict in a column a run."""
    names = [str(result.folder) for result in comparison.results]
    for result, name in zip(comparison.results, names, strict=True):
        size = f"{result.facts.deals:,} deals, seed {result.facts.seed}"
        console.print(Text(f"{name}: {result.answer.question} ({size})"))
    for name, differences in zip(names[1:], comparison.differences, strict=True):
        console.print(Text(f"\n{name} differs from {names[0]}:" if differences else f"\n{name} asks the same."))
        for line in differences:
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
    console.print(Text("Each run stands on its own deals and intervals; a change between runs is not tested here."))


def _shown(verdict: Verdict | None) -> str:
    if verdict is None:
        return "–"
    return f"{effect(verdict)}\n{SIGNS[verdict.verdict]} {verdict.verdict}"
