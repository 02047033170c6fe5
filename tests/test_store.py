"""A run's file: batches merge to the same bits in any order, and a file that cannot be used is never trusted."""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.errors import UsageError
from simkit.measures import PerGame, Values
from simkit.plan import Arm, Plan
from simkit.series import Distribution, Ratio, Tally
from simkit.store import FORMAT, Store, read_fact

IN_MEMORY = Path(":memory:")
PLAN = Plan(
    (Arm("arm", ("a", "b"), ({}, {})),),
    (Ratio("rate", "arm", PerGame("x")), Distribution("lengths", "arm", Values("x"))),
    "rate",
)
BATCHES = [(0, 5), (12, 8), (20, 1), (30, 10)]  # two gaps, and two that touch


def observed(deals: Iterable[int]) -> dict[str, Tally]:
    """The tallies of these deals, had each left numbers that depend on the deal only."""
    numbers = np.array(list(deals), dtype=np.int64)
    ratio, lengths = PLAN.series
    columns = (numbers**3 % 1_000_003, numbers % 7 + 1)
    return {"rate": ratio.tally([columns]), "lengths": lengths.tally([(numbers % 5,)])}


def add(store: Store, batches: Iterable[tuple[int, int]]) -> None:
    for first, deals in batches:
        store.add(first, deals, observed(range(first, first + deals)))


def rows(path: Path) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT first, deals FROM ranges ORDER BY first").fetchall()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """A run with some deals done."""
    with closing(Store(path, PLAN)) as opened:
        add(opened, BATCHES)
        yield opened


@st.composite
def shuffled_batches(draw: st.DrawFn) -> list[tuple[int, int]]:
    """All deals 0 … n − 1 in batches of any sizes, in any order."""
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=12))
    starts = itertools.accumulate(sizes, initial=0)
    return draw(st.permutations(list(zip(starts, sizes, strict=False))))


# --- what is done -----------------------------------------------------------------------------------------------------


@given(shuffled_batches())
def test_batches_in_any_order_make_one_range_with_the_tallies_of_all_deals(batches: list[tuple[int, int]]) -> None:
    deals = sum(size for _, size in batches)
    with closing(Store(IN_MEMORY, PLAN)) as store:
        add(store, batches)
        assert store.totals() == observed(range(deals))
        assert (store.deals, store.end) == (deals, deals)
        assert store._db.execute("SELECT first, deals FROM ranges").fetchall() == [(0, deals)]


@given(shuffled_batches(), st.integers(0, 12), st.integers(0, 60), st.integers(1, 20))
def test_missing_deals_are_exactly_those_not_done(
    batches: list[tuple[int, int]], some: int, wanted: int, most: int
) -> None:
    with closing(Store(IN_MEMORY, PLAN)) as store:
        add(store, batches[:some])
        done = {deal for first, n in batches[:some] for deal in range(first, first + n)}
        missing = list(store.missing(wanted, most))
        assert all(1 <= n <= most for _, n in missing)
        assert [d for first, n in missing for d in range(first, first + n)] == sorted(set(range(wanted)) - done)
        assert {deal for deal in range(store.end + 1) if store.has(deal)} == done


def test_missing_deals_are_counted_from_when_they_were_asked_for(store: Store) -> None:
    missing = store.missing(40, 5)
    found = []
    for first, n in missing:  # the runner stores batches while it asks for more
        found.append((first, n))
        add(store, [(first, n)])
    assert found == [(5, 5), (10, 2), (21, 5), (26, 4)]
    assert store.totals() == observed(range(40))


def test_a_batch_is_on_disk_as_soon_as_it_is_added(path: Path, store: Store) -> None:
    assert rows(path) == [(0, 5), (12, 9), (30, 10)]
    with closing(Store(path, PLAN)) as other:
        assert other.totals() == store.totals() == observed([*range(5), *range(12, 21), *range(30, 40)])


def test_the_file_does_not_grow_with_the_deals(path: Path) -> None:
    with closing(Store(path, PLAN)) as store:
        add(store, [(0, 10)])
        before = path.stat().st_size
        add(store, ((first, 10) for first in range(10, 500, 10)))
    assert path.stat().st_size == before


def test_facts_are_kept_and_may_be_replaced(path: Path, store: Store) -> None:
    assert store.fact("identity") is None
    store.set_fact("identity", "one")
    store.set_fact("identity", "ä 'quoted' other")
    assert store.fact("identity") == read_fact(path, "identity") == "ä 'quoted' other"
    assert read_fact(path, "nothing of the kind") is None


def test_without_deals_there_are_no_totals(path: Path) -> None:
    with closing(Store(path, PLAN)) as store, pytest.raises(UsageError, match="no deal is finished yet"):
        store.totals()


# --- files that cannot be used ----------------------------------------------------------------------------------------


def check_refused_or_right(path: Path) -> bool:
    """Whether a damaged run is refused; what it still gives away must be right."""
    try:
        store = Store(path, PLAN)
    except UsageError as fault:
        return "run.sqlite: " in str(fault)
    with closing(store):
        done = [deal for deal in range(store.end) if store.has(deal)]
        assert not done or store.totals() == observed(done)
        return False


def test_random_bytes_anywhere_in_the_file_never_lead_to_wrong_numbers(path: Path, store: Store) -> None:
    store.close()
    whole, noise = path.read_bytes(), random.Random(1)
    refused = []
    for start in range(0, len(whole), 61):
        path.write_bytes(whole[:start] + noise.randbytes(16) + whole[start + 16 :])
        refused.append(check_refused_or_right(path))
    assert any(refused)


def test_a_byte_changed_in_the_tallies_is_noticed(path: Path, store: Store) -> None:
    store.close()
    whole = path.read_bytes()
    with closing(sqlite3.connect(path)) as database:
        (body,) = database.execute("SELECT tallies FROM ranges WHERE first = 12").fetchone()
    start = whole.index(body)
    for place in range(start, start + len(body), 5):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert check_refused_or_right(path)


@pytest.mark.parametrize("change", ["first = first + 1", "deals = deals + 1"])
def test_a_range_that_does_not_fit_its_tallies_is_damaged(path: Path, store: Store, change: str) -> None:
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE ranges SET {change} WHERE first = 12")
    with pytest.raises(UsageError, match="damaged"):
        Store(path, PLAN)


def test_a_file_that_was_cut_off_is_refused_or_right(path: Path, store: Store) -> None:
    store.close()
    whole = path.read_bytes()
    refused = []
    for length in range(1, len(whole), 511):
        path.write_bytes(whole[:length])
        refused.append(check_refused_or_right(path))
    assert sum(refused) > len(refused) / 2


def test_an_empty_file_is_a_run_that_has_not_begun(path: Path) -> None:
    path.touch()
    assert read_fact(path, "identity") is None
    with closing(Store(path, PLAN)) as store:
        assert store.deals == 0


def test_a_file_of_something_else_is_not_touched(path: Path) -> None:
    text = b"notes of the last game night\n" * 50
    path.write_bytes(text)
    for use in (lambda: Store(path, PLAN), lambda: read_fact(path, "identity")):
        with pytest.raises(UsageError, match="not a run of simkit"):
            use()
    assert path.read_bytes() == text


def test_a_foreign_database_is_not_touched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE addresses (name TEXT)")
    before = path.read_bytes()
    for use in (lambda: Store(path, PLAN), lambda: read_fact(path, "identity")):
        with pytest.raises(UsageError, match="not a run of simkit"):
            use()
    assert path.read_bytes() == before


def test_another_format_is_refused(path: Path, store: Store) -> None:
    store.set_fact("format", str(FORMAT + 1))
    store.close()
    with pytest.raises(UsageError, match=r"made by another version of simkit\. Use --fresh"):
        Store(path, PLAN)


def test_a_run_of_other_series_is_refused(path: Path, store: Store) -> None:
    store.close()
    other = Plan(PLAN.arms, PLAN.series[:1], "rate")
    with pytest.raises(UsageError, match="another version of simkit"):
        Store(path, other)


def test_a_run_whose_file_is_a_folder_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(UsageError, match="unable to open"):
        Store(path, PLAN)


def test_what_is_no_json_in_the_tallies_is_damaged(path: Path, store: Store) -> None:
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE ranges SET tallies = ? WHERE first = 0", (zlib.compress(b"[1, 2"),))
    with pytest.raises(UsageError, match="damaged"):
        Store(path, PLAN)


def test_a_number_that_is_none_is_damage(store: Store) -> None:
    assert store.number("planned") == 0
    store.set_fact("planned", "12")
    assert store.number("planned") == 12
    store.set_fact("planned", "twelve")
    with pytest.raises(UsageError, match="damaged"):
        store.number("planned")


def test_a_file_that_is_not_there_has_no_facts(path: Path) -> None:
    assert read_fact(path, "identity") is None
    assert not path.exists()


# --- writing that fails -----------------------------------------------------------------------------------------------


def test_a_full_disk_is_told_and_what_was_stored_before_is_kept(path: Path, store: Store) -> None:
    store.add(40, 2000, observed(range(40, 2040)))
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")  # SQLite then fails as if the disk were full
    kept = store.totals()
    wide = observed(range(5000, 6000)) | {"lengths": PLAN.series[1].tally([(np.arange(100_000) ** 2,)])}
    with pytest.raises(UsageError, match=r"cannot write the run: database or disk is full\. What was stored before is"):
        store.add(5000, 1000, wide)
    assert store.totals() == kept
    with closing(Store(path, PLAN)) as other:
        assert other.totals() == kept
    store.add(5, 7, observed(range(5, 12)))  # and when there is space again, it goes on
    assert store.totals() == observed([*range(21), *range(30, 2040)])


def test_a_file_that_cannot_be_written_is_told(store: Store) -> None:
    store._db.execute("PRAGMA query_only = ON")
    with pytest.raises(UsageError, match="cannot write the run: attempt to write a readonly database"):
        add(store, [(50, 1)])


def test_a_file_that_another_program_locks_is_told(path: Path, store: Store) -> None:
    store._db.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UsageError, match="cannot write the run: database is locked"):
            add(store, [(50, 1)])


def test_two_processes_at_one_run_never_count_a_deal_twice(path: Path) -> None:
    with closing(Store(path, PLAN)) as first, closing(Store(path, PLAN)) as second:
        add(first, [(0, 10)])
        with pytest.raises(UsageError, match="another process plays this run"):
            add(second, [(0, 10)])
        with pytest.raises(UsageError, match="another process plays this run"):
            add(second, [(5, 10)])
        add(first, [(10, 10)])
    with closing(Store(path, PLAN)) as store:
        assert store.totals() == observed(range(20))


def test_a_journal_that_a_killed_process_left_is_rolled_back(path: Path, store: Store, tmp_path: Path) -> None:
    store.set_fact("identity", "whole")
    store._db.execute("PRAGMA cache_size = 2")  # pages go to the disk before the end of the transaction
    store._db.execute("BEGIN")
    store._db.execute("UPDATE facts SET value = ? WHERE name = 'identity'", (json.dumps("half" * 50_000),))
    store._db.execute("DELETE FROM ranges")
    killed = tmp_path / "killed" / "run.sqlite"
    killed.parent.mkdir()
    for name in ("run.sqlite", "run.sqlite-journal"):
        (killed.parent / name).write_bytes((tmp_path / name).read_bytes())
    store._db.execute("ROLLBACK")
    assert killed.read_bytes() != path.read_bytes()
    assert read_fact(killed, "identity") == "whole"
    with closing(Store(killed, PLAN)) as other:
        assert other.totals() == store.totals()
