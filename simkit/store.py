"""One run is one SQLite file: what was asked, and the tallies of the deals that are done.

Each finished batch is committed at once, merged with its neighbours into one row a gap-free range of deals: a run that
is killed loses only the batches in flight, and the file does not grow with the number of deals.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from simkit.errors import UsageError
from simkit.plan import Distribution, Plan, Tally
from simkit.tally import Histogram, Moments

FORMAT = 1
APPLICATION = 0x51_4B_17  # marks the file as ours


class Store:
    """The tallies of a run on disk. Raises UsageError when the file cannot be used, and says why."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        self._is_histogram = {s.name: isinstance(s, Distribution) for s in plan.series}
        self._ranges: dict[int, tuple[int, dict[str, Tally]]] = {}  # first deal -> (deals, tallies)
        with self._faults():
            self._open()
            self._load()

    def _open(self) -> None:
        self._db = sqlite3.connect(self.path, isolation_level=None)
        mark = self._db.execute("PRAGMA application_id").fetchone()[0]
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and mark != APPLICATION:
            raise UsageError(f"{self.path}: not a run of simkit. Remove it, or choose another folder with --out.")
        if not tables:
            self._db.executescript(
                f"""PRAGMA application_id = {APPLICATION}; BEGIN;
                CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
                CREATE TABLE ranges (first INTEGER PRIMARY KEY, deals INTEGER NOT NULL, tallies BLOB NOT NULL);
                INSERT INTO facts VALUES ('format', '{FORMAT}'); COMMIT;"""
            )
        if self.fact("format") != str(FORMAT):
            raise UsageError(f"{self.path}: made by another version of simkit. Use --fresh to start anew.")

    def _load(self) -> None:
        for first, deals, body in self._db.execute("SELECT first, deals, tallies FROM ranges ORDER BY first"):
            data = json.loads(zlib.decompress(body))
            if set(data) == set(self._is_histogram):
                self._ranges[first] = (deals, {name: self._tally(name, value) for name, value in data.items()})

    def _tally(self, name: str, data: Mapping[str, Any]) -> Tally:
        return Histogram.from_json(data) if self._is_histogram[name] else Moments.from_json(data)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as wrong:
            if any(word in str(wrong) for word in ("full", "readonly", "unable to open", "I/O", "locked")):
                kept = "What was stored before is kept."
                raise UsageError(f"{self.path}: cannot write the run: {wrong}. {kept}") from None
            raise UsageError(
                f"{self.path}: damaged, or not a run of simkit ({wrong}). Use --fresh to start anew."
            ) from None
        except (zlib.error, ValueError, KeyError, TypeError) as wrong:
            raise UsageError(f"{self.path}: damaged ({wrong}). Use --fresh to start anew.") from None

    def fact(self, name: str) -> str | None:
        """A stored fact about the run, None when there is none of that name."""
        row = self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_fact(self, name: str, value: str) -> None:
        """Stores a fact about the run."""
        with self._faults():
            self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def missing(self, deals: int, most: int) -> Iterator[tuple[int, int]]:
        """The deals 0 … deals − 1 that are not done, as (first, number) of at most `most`, in ascending order."""
        start = 0
        for first, done in [*((f, d) for f, (d, _) in sorted(self._ranges.items())), (deals, 0)]:
            while start < min(first, deals):
                n = min(most, first - start, deals - start)
                yield start, n
                start += n
            start = max(start, first + done)

    def add(self, first: int, deals: int, tallies: Mapping[str, Tally]) -> None:
        """Commits a finished batch, merged with the ranges that touch it."""
        merged, gone = dict(tallies), []
        start, end = first, first + deals
        for other, (n, stored) in self._ranges.items():
            if other + n == first or other == end:
                merged = {name: tally + stored[name] for name, tally in merged.items()}  # type: ignore[operator]
                start, end = min(start, other), max(end, other + n)
                gone.append(other)
        body = zlib.compress(json.dumps({name: tally.to_json() for name, tally in merged.items()}).encode(), 1)
        with self._faults():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany("DELETE FROM ranges WHERE first = ?", [(f,) for f in gone])
                self._db.execute("INSERT INTO ranges VALUES (?, ?, ?)", (start, end - start, body))
                self._db.execute("COMMIT")
            except sqlite3.Error:
                self._db.execute("ROLLBACK")
                raise
        for f in gone:
            del self._ranges[f]
        self._ranges[start] = (end - start, merged)

    @property
    def deals(self) -> int:
        """Number of deals that are done."""
        return sum(deals for deals, _ in self._ranges.values())

    def totals(self) -> dict[str, Tally]:
        """The tallies over all deals that are done. Raises UsageError when there are none."""
        return {series.name: self.total(series.name) for series in self.plan.series}

    def total(self, name: str) -> Tally:
        """The tally of one series over all deals that are done. Raises UsageError when there are none."""
        if not self._ranges:
            raise UsageError(f"{self.path}: no deal is finished yet.")
        first, *others = (tallies[name] for _, tallies in self._ranges.values())
        for tally in others:
            first = first + tally  # type: ignore[operator]
        return first

    def close(self) -> None:
        """Closes the file."""
        self._db.close()


def read_fact(path: Path, name: str) -> str | None:
    """A fact of a run on disk without opening it for writing; None when there is no such run or fact.

    Raises:
        UsageError: the file is no run, or damaged.
    """
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as db:
            if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
                if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                    return None
                raise UsageError(f"{path}: not a run of simkit. Remove it, or choose another folder with --out.")
            row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
            return None if row is None else str(row[0])
    except sqlite3.DatabaseError as wrong:
        raise UsageError(f"{path}: damaged, or not a run of simkit ({wrong}). Use --fresh to start anew.") from None
