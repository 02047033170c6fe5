"""Playing a plan: the same bits whatever the threads, the batches and the interruptions; nothing finished is lost."""

from __future__ import annotations

import gc
import signal
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from simkit.errors import InterruptedRun, StrategyError, UsageError
from simkit.measures import WinRate
from simkit.plan import Arm, Plan
from simkit.played import UNITS
from simkit.runner import play, stages
from simkit.series import Ratio, Tally
from simkit.stopping import PILOT_DEALS, HalfWidth
from simkit.store import Store
from tests.conftest import MakePlayer
from tests.small import small_work

DEALS = 150


@contextmanager
def fresh_store() -> Iterator[Store]:
    with closing(Store(Path(":memory:"), small_work().plan)) as store:
        yield store


def played(deals: int, jobs: int, batch: int | None) -> dict[str, Tally]:
    with fresh_store() as store:
        play(small_work(), store, deals, jobs, batch=batch)
        assert store.deals == store.end == deals
        return store.totals()


@pytest.fixture(scope="module")
def undisturbed() -> dict[str, Tally]:
    """The totals of one thread and one batch."""
    return played(DEALS, 1, DEALS)


class After:
    """A progress function that does something after some batches."""

    def __init__(self, batches: int, act: Callable[[], object]) -> None:
        self.left, self.act = batches, act
        self.told: list[tuple[int, int]] = []

    def __call__(self, done: int, games: int) -> None:
        self.told.append((done, games))
        self.left -= 1
        if self.left == 0:
            self.act()


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


# --- the same bits ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("jobs", "batch"), [(1, 7), (1, None), (2, 7), (2, 64), (3, 1)])
def test_neither_threads_nor_batches_change_a_bit(undisturbed: dict[str, Tally], jobs: int, batch: int | None) -> None:
    assert played(DEALS, jobs, batch) == undisturbed


def test_deals_added_later_make_a_straight_run(undisturbed: dict[str, Tally]) -> None:
    with fresh_store() as store:
        for deals, jobs, batch in ((31, 2, 7), (32, 1, 5), (DEALS, 2, 16)):
            play(small_work(), store, deals, jobs, batch=batch)
            assert store.end == deals
        assert store.totals() == undisturbed


def test_a_batch_is_a_function_of_its_deals() -> None:
    work = small_work()
    assert work.batch(40, 6) == work.batch(40, 6)
    assert work.batch(40, 6) != work.batch(46, 6)
    assert replace(work, seed=2).batch(40, 6) != work.batch(40, 6)


def test_progress_is_told_after_every_batch() -> None:
    tell = After(0, ctrl_c)
    with fresh_store() as store:
        play(small_work(), store, 50, 1, tell, batch=20)
        play(small_work(), store, 60, 1, tell, batch=20)
        play(small_work(), store, 60, 1, tell, batch=20)  # nothing is missing
    a_deal = small_work().plan.games_a_deal
    assert tell.told == [(20, 20 * a_deal), (40, 20 * a_deal), (50, 10 * a_deal), (60, 10 * a_deal)]


# --- interruptions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_goes_on_to_the_same_bits(
    undisturbed: dict[str, Tally], jobs: int, number: signal.Signals
) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with fresh_store() as store:
        for batches in (1, 3):
            done = store.deals
            with pytest.raises(InterruptedRun):
                play(small_work(), store, DEALS, jobs, After(batches, lambda: signal.raise_signal(number)), batch=7)
            assert done < store.deals < DEALS
            assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
        play(small_work(), store, DEALS, 2, batch=11)
        assert store.totals() == undisturbed


def test_a_stopped_batch_leaves_nothing() -> None:
    stop = threading.Event()
    assert small_work().batch(0, 2, stop) is not None
    stop.set()
    assert small_work().batch(0, 2, stop) is None


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_progress_function_loses_no_batch(undisturbed: dict[str, Tally], jobs: int) -> None:
    def fail() -> None:
        raise RuntimeError("no more ink")

    with fresh_store() as store:
        with pytest.raises(RuntimeError, match="no more ink"):
            play(small_work(), store, DEALS, jobs, After(3, fail), batch=7)
        assert store.deals == 21
        play(small_work(), store, DEALS, jobs, batch=7)
        assert store.totals() == undisturbed


def test_a_run_outside_the_main_thread_leaves_the_signals_alone(undisturbed: dict[str, Tally]) -> None:
    handlers, found = [], []

    def run() -> None:
        with fresh_store() as store:
            play(small_work(), store, DEALS, 2, After(1, lambda: handlers.append(signal.getsignal(signal.SIGINT))))
            found.append(store.totals())

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert handlers == [before]
    assert found == [undisturbed]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_strategy_that_fails_ends_the_run_and_says_where(make_player: MakePlayer, jobs: int) -> None:
    bad = make_player(
        """
        def act(view, rules, params, rng):
            if view.cards > 0:
                raise ValueError("out of ideas")
            return 0
        """
    )
    work = small_work()
    failing = replace(work, players={**work.players, "greedy": bad})
    with fresh_store() as store:
        play(work, store, 14, jobs, batch=7)
        with pytest.raises(StrategyError, match=r"mine\.py:4: strategy mine raised ValueError: out of ideas"):
            play(failing, store, DEALS, jobs, batch=7)
        assert store.deals == 14


# --- until it is known well enough ------------------------------------------------------------------------------------

COIN = Plan((Arm("coin", ("a", "b"), ({}, {})),), (Ratio("heads", "coin", WinRate(0)),), "heads")
MOST = 10**12


def toss(store: Store, deals: int, batch: int = 10**9, tosses: int = 1) -> None:
    """Stores what is missing of a coin that is tossed `tosses` times a deal."""
    for first, n in store.missing(deals, batch):
        store.add(first, n, tossed(first, n, tosses))


def tossed(first: int, n: int, tosses: int = 1) -> dict[str, Tally]:
    """The tally of some deals: a multiplicative hash decides each."""
    numbers = np.arange(first, first + n)
    heads = (numbers * 2_654_435_761 % 2**32 < 2**31).astype(np.int64)
    return {"heads": COIN.series[0].tally([(UNITS * tosses * heads, np.full(n, UNITS * tosses))])}


def steps(store: Store, half_width: float, most: int = MOST, batch: int = 10**9) -> list[int]:
    found = []
    for deals in stages(COIN, store, HalfWidth(half_width), most):
        found.append(deals)
        toss(store, deals, batch)
    return found


def new_store(path: Path | str = ":memory:") -> Store:
    return Store(Path(path), COIN)


def half_width(store: Store) -> float:
    estimate = COIN.series[0].estimate(store.total("heads"))
    return (estimate.high - estimate.low) / 2


def test_deals_grow_geometrically_until_the_headline_is_known() -> None:
    with closing(new_store()) as store:
        found = steps(store, 0.002)
        assert found[0] == COIN.deals_a_batch >= PILOT_DEALS
        assert all(1.49 < after / before < 4.01 for before, after in pairwise(found))
        assert half_width(store) <= 0.002
        # ± 0.002 of a fair coin takes 0.25 (1.96 / 0.002)^2 = 240,100 tosses
        assert 200_000 < found[-1] == store.deals < 480_000


def test_what_is_known_already_takes_only_the_pilot() -> None:
    with closing(new_store()) as store:
        assert steps(store, 0.4) == [COIN.deals_a_batch]


def test_the_most_deals_are_never_exceeded() -> None:
    for most in (5, COIN.deals_a_batch, 7001):
        with closing(new_store()) as store:
            assert steps(store, 1e-6, most)[-1] == store.deals == most


def test_an_interrupted_run_takes_the_same_steps(tmp_path: Path) -> None:
    with closing(new_store()) as store:
        straight = steps(store, 0.004)
    assert len(straight) > 2
    for cut in (500, 1_999, 2_000, 5_000, straight[1], straight[1] + 777):
        path = tmp_path / f"{cut}.sqlite"
        with closing(new_store(path)) as store:
            for deals in stages(COIN, store, HalfWidth(0.004), MOST):
                toss(store, min(deals, cut))
                if deals > cut:
                    store.add(deals - 1, 1, tossed(deals - 1, 1))  # a batch came in before those ahead of it
                    break
        with closing(new_store(path)) as store:
            rest = steps(store, 0.004, batch=4_999)
            assert rest == straight[-len(rest) :]
            assert store.deals == straight[-1]


def test_a_run_that_is_precise_enough_takes_no_more_steps_until_more_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with closing(new_store(path)) as store:
        last = steps(store, 0.01)[-1]
    with closing(new_store(path)) as store:
        assert steps(store, 0.01) == [last]
        more = steps(store, 0.003)
        assert more[0] == last < more[-1]
        assert half_width(store) <= 0.003


def test_a_headline_without_a_value_is_told() -> None:
    with closing(new_store()) as store:
        planned = stages(COIN, store, HalfWidth(0.01), MOST)
        toss(store, next(planned), tosses=0)
        with pytest.raises(UsageError, match=r"in 2,000 deals nothing was seen that the headline \(heads\)"):
            next(planned)


# --- memory -----------------------------------------------------------------------------------------------------------


def test_memory_does_not_grow_with_the_deals() -> None:
    def peak(deals: int) -> int:
        with fresh_store() as store:
            tracemalloc.start()
            play(small_work(), store, deals, 2, batch=50)
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        return most

    peak(100)  # what is allocated once
    a_deal = small_work().plan.games_a_deal * small_work().game.module("state").OUTCOME.itemsize
    assert peak(1_000) - peak(100) < 0.3 * 900 * a_deal


# --- Dask -------------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")  # sockets that the cluster leaves to the garbage collector
def test_a_cluster_plays_the_same_bits(undisturbed: dict[str, Tally]) -> None:
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 1, "threads_per_worker": 2, "processes": True, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, fresh_store() as store:
        play(small_work(), store, DEALS, 2, batch=40, cluster=cluster.scheduler_address)
        assert store.totals() == undisturbed
    gc.collect()


def test_a_scheduler_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    def refuse(address: str, timeout: float) -> None:
        raise OSError(f"Timed out trying to connect to {address} after {timeout} s")

    monkeypatch.setattr(distributed, "Client", refuse)
    with fresh_store() as store, pytest.raises(UsageError, match="--scheduler tcp://x:1: no Dask scheduler answers"):
        play(small_work(), store, DEALS, 2, cluster="tcp://x:1")


def test_without_distributed_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with fresh_store() as store, pytest.raises(UsageError, match=r'needs distributed: pip install "simkit\[dask\]"'):
        play(small_work(), store, DEALS, 2, cluster="tcp://x:1")
