"""How a run shows that it goes on: a bar in a terminal, plain lines elsewhere, nothing with --quiet; on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simkit.answer import Estimate
    from simkit.runs import Prepared, Progress

SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def progress_bar(prepared: Prepared, quiet: bool) -> Iterator[Progress | None]:
    """The progress function of a run, for as long as it lasts."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _bar() as progress:
            yield progress
    else:
        yield _lines()


def headline_words(estimate: Estimate | None) -> str:
    """The headline estimate in points, as it tightens."""
    if estimate is None or estimate.value != estimate.value:
        return ""
    half = 100 * (estimate.high - estimate.low) / 2
    return f"{100 * estimate.value:+.2f} ± {half:.2f} points"


def _lines() -> Progress:
    began = last = time.monotonic()
    played = 0

    def tell(done: int, wanted: int, games: int, headline: Estimate | None = None) -> None:
        nonlocal last, played
        played += games
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN_LINES or done >= wanted:
            last = now
            speed = played / max(now - began, 1e-9)
            words = headline_words(headline)
            line = f"{done:,} of {wanted:,} deals, {played:,} games, {speed:,.0f} games/s{', ' if words else ''}{words}"
            print(line, file=sys.stderr, flush=True)

    return tell


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} deals"),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[headline]}"),
    )
    began, played = time.monotonic(), 0
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1, speed="", headline="")

        def tell(done: int, wanted: int, games: int, headline: Estimate | None = None) -> None:
            nonlocal played
            played += games
            speed = f"{played / max(time.monotonic() - began, 1e-9):,.0f} games/s"
            bar.update(task, completed=done, total=wanted, speed=speed, headline=headline_words(headline))

        yield tell
