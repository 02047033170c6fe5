"""How a run shows that it goes on: a bar in a terminal, plain lines elsewhere, nothing with --quiet; on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simkit.runs import Progress

SECONDS_BETWEEN_LINES = 5.0
COMPILING = "compiling the game and its strategies"
STARTING = f"{COMPILING} (only after a change; later starts take a second)"


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress | None]:
    """The progress function of a run, for as long as it lasts."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _bar() as progress:
            yield progress
    else:
        yield _lines()


class _Speed:
    """Games a second since playing began; what was played in the first call took a time that nobody knows."""

    def __init__(self) -> None:
        self.played = 0
        self._began: float | None = None
        self._before = 0

    def add(self, games: int) -> str:
        """Counts games and says how fast they come."""
        self.played += games
        now = time.monotonic()
        if self._began is None:
            self._began, self._before = now, self.played
            return ""
        return f"{(self.played - self._before) / max(now - self._began, 1e-9):,.0f} games/s"


def _lines() -> Progress:
    last, speed = time.monotonic(), _Speed()

    def tell(done: int, wanted: int, games: int, headline: str = "") -> None:
        nonlocal last
        if games == 0:
            print(STARTING, file=sys.stderr, flush=True)
            return
        words = (f"{done:,} of {wanted:,} deals", f"{speed.played + games:,} games", speed.add(games))
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN_LINES or done >= wanted:
            last = now
            print(", ".join(filter(None, (*words, headline))), file=sys.stderr, flush=True)

    return tell


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[headline]}"),
    )
    speed = _Speed()
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, headline="")

        def tell(done: int, wanted: int, games: int, headline: str = "") -> None:
            if games == 0:
                bar.update(task, description=COMPILING)
                return
            words = " ".join(filter(None, (f"{done:,} of {wanted:,} deals", speed.add(games))))
            bar.update(task, completed=done, total=wanted, description=words, headline=headline)

        yield tell
