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
from urllib.parse import quote

from simkit.errors import UsageError
from simkit.plan import Plan
from simkit.series import Tally

FORMAT = 1
APPLICATION = 0x51_4B_17  # marks the file as ours


class Store:
    """The tallies of a run on disk. Raises UsageError when the file cannot be used, and says why."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        self._series = {series.name: series for series in plan.series}
        self._ranges: dict[int, tuple[int, dict[str, Tally]]] = {}  # first deal -> (deals, tallies)
        with self._faults():
            self._db = sqlite3.connect(self.path, isolation_level=None)
        try:
            with self._faults():
                self._open()
                self._version = self._data_version()
                self._load()
        except UsageError:
            self.close()
            raise

    def _open(self) -> None:
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
            if [first, deals] != data["range"]:
                raise ValueError(f"the tallies of deal {first} stand in a wrong place")
            if set(data["tallies"]) != set(self._series):
                raise UsageError(f"{self.path}: made by another version of simkit. Use --fresh to start anew.")
            tallies = {name: self._series[name].read(tally) for name, tally in data["tallies"].items()}
            self._ranges[first] = (deals, tallies)

    def _data_version(self) -> int:
        """A number that changes when another connection writes to the file."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

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
        with self._faults():
            row = self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def number(self, name: str) -> int:
        """A stored fact that is a whole number, 0 when there is none of that name."""
        with self._faults():
            return int(self.fact(name) or 0)

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
        """Commits a finished batch, merged with the ranges that touch it.

        Raises:
            UsageError: the disk refuses, or another process has written to the run since it was opened.
        """
        merged, gone = dict(tallies), []
        start, end = first, first + deals
        for other, (n, stored) in self._ranges.items():
            if other + n == first or other == end:
                merged = {name: tally + stored[name] for name, tally in merged.items()}  # type: ignore[operator]
                start, end = min(start, other), max(end, other + n)
                gone.append(other)
        data = {"range": [start, end - start], "tallies": {name: tally.to_json() for name, tally in merged.items()}}
        body = zlib.compress(json.dumps(data).encode(), 1)
        with self._faults():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                if self._data_version() != self._version:  # its deals would be counted twice
                    raise UsageError(f"{self.path}: another process plays this run. Wait for it, or use --out FOLDER.")
                self._db.executemany("DELETE FROM ranges WHERE first = ?", [(f,) for f in gone])
                self._db.execute("INSERT INTO ranges VALUES (?, ?, ?)", (start, end - start, body))
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # SQLite itself rolls back when the disk is full
                    self._db.execute("ROLLBACK")
                raise
        for f in gone:
            del self._ranges[f]
        self._ranges[start] = (end - start, merged)

    @property
    def deals(self) -> int:
        """Number of deals that are done."""
        return sum(deals for deals, _ in self._ranges.values())

    @property
    def end(self) -> int:
        """The number after the last deal that is done."""
        return max((first + deals for first, (deals, _) in self._ranges.items()), default=0)

    def has(self, deal: int) -> bool:
        """Whether this deal is done."""
        return any(first <= deal < first + deals for first, (deals, _) in self._ranges.items())

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

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._db.close()


def read_fact(path: Path, name: str) -> str | None:
    """A fact of a run on disk, whatever its plan; None when there is no such run or fact.

    Raises:
        UsageError: the file is no run, or damaged.
    """
    if not path.exists():
        return None
    try:
        # A killed run may leave a journal that has to be rolled back first, so mode=ro would not do.
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True)) as db:
            if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
                if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                    return None
                raise UsageError(f"{path}: not a run of simkit. Remove it, or choose another folder with --out.")
            row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
            return None if row is None else str(row[0])
    except sqlite3.DatabaseError as wrong:
        raise UsageError(f"{path}: damaged, or not a run of simkit ({wrong}). Use --fresh to start anew.") from None
