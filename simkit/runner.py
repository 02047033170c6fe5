"""Plays a plan: batches of deals through joblib, tallied exactly, stored as they finish, resumed where they stopped."""

from __future__ import annotations

import math
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib

from simkit import interrupt
from simkit.driver import Table
from simkit.errors import InterruptedRun, UsageError
from simkit.games.base import Game
from simkit.keep import drop_unfinished, keep_games
from simkit.measures import Columns, Games, Measure
from simkit.plan import Arm, Plan, Results, Tally
from simkit.player import Player
from simkit.stats.intervals import needed_deals
from simkit.store import Store

PILOT_DEALS = 1_000
LARGEST_GROWTH, SMALLEST_GROWTH = 4.0, 1.5
PLANNED = "planned deals"  # the fact that says up to which deal the step at hand goes


@dataclass(frozen=True)
class Work:
    """All that a batch needs, the same in every thread; `keep` is the folder for rows of single games, if any."""

    game: Game
    plan: Plan
    players: Mapping[str, Player]
    seed: int
    keep: Path | None = None

    def table(self, arm: Arm) -> Table:
        """A table for one arm, of the calling thread's own."""
        changed = arm.parameters or ({},) * len(arm.lineup)
        lineup = [self.players[label].with_parameters(p) for label, p in zip(arm.lineup, changed, strict=True)]
        return Table(self.game, lineup, arm.rules, self.seed, arm.lab)

    def batch(self, first: int, deals: int, stop: threading.Event | None = None) -> dict[str, Tally] | None:
        """Plays all arms on some deals and tallies every series; None when stopped before the end."""
        observed: dict[tuple[str, Measure], Columns] = {}
        for arm in self.plan.arms:
            if stop is not None and stop.is_set():
                return None
            outcomes = self.table(arm).play(first, deals)
            games = Games(outcomes, len(arm.lineup), first, gaps=self.game.without_winner == "gap")
            observed |= {(arm.name, measure): measure(games) for measure in self.plan.measures[arm.name]}
            if self.keep is not None:
                keep_games(self.keep, self.game, arm, outcomes, first)
        return {s.name: s.tally([observed[part] for part in s.parts]) for s in self.plan.series}


def play(
    work: Work,
    store: Store,
    deals: int,
    jobs: int,
    progress: Callable[[int, int], None] = lambda done, games: None,
    batch: int | None = None,
    cluster: str | None = None,
) -> None:
    """Plays the deals of 0 … deals − 1 that the store lacks. Nothing about the results depends on jobs or batch.

    Args:
        work: what to play.
        store: keeps every batch as it finishes.
        deals: up to which deal.
        jobs: threads.
        progress: told after every batch: deals done in all, games just played.
        batch: deals a batch, by default the plan's choice.
        cluster: address of a Dask scheduler whose workers play instead of threads.

    Raises:
        InterruptedRun: Ctrl-C; the batches that were finished are kept.
        StrategyError: a strategy failed.
    """
    if work.keep is not None:
        drop_unfinished(work.keep, store.has)
    stop = threading.Event()
    chunks = store.missing(deals, batch or work.plan.deals_a_batch)
    shared = None if cluster else stop  # a cluster's workers cannot see our flag: they end their batch

    def tasks() -> Iterator[Any]:
        for first, n in chunks:
            if stop.is_set():
                return
            yield joblib.delayed(_task)(work, first, n, shared)

    with _ctrl_c(stop), _backend(cluster):
        pool = joblib.Parallel(n_jobs=-1 if cluster else jobs, return_as="generator_unordered", pre_dispatch=2 * jobs)
        results = pool(tasks())
        try:
            for first, n, tallies in results:
                if tallies is not None:
                    store.add(first, n, tallies)
                    progress(store.deals, n * work.plan.games_a_deal)
        except BaseException:
            stop.set()
            with suppress(Exception):  # the batches in flight end; joblib warns of a generator that is left half-way
                deque(results, maxlen=0)
            raise
    if store.deals < deals:
        raise InterruptedRun("interrupted")


def _task(work: Work, first: int, deals: int, stop: threading.Event | None) -> tuple[int, int, dict[str, Tally] | None]:
    return first, deals, work.batch(first, deals, stop)


@contextmanager
def _backend(cluster: str | None) -> Iterator[None]:
    """The threads of joblib, or its Dask backend on a cluster."""
    if cluster is None:
        with joblib.parallel_config("threading"):
            yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise UsageError('--backend dask needs distributed: pip install "simkit[dask]"') from None
    try:
        client = Client(cluster, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as wrong:
        raise UsageError(f"--scheduler {cluster}: no Dask scheduler answers there ({wrong}).") from None
    with client, joblib.parallel_config("dask", client=client):
        yield


@contextmanager
def _ctrl_c(stop: threading.Event) -> Iterator[None]:
    """Ctrl-C (and a polite kill) lets the batches in flight end their arm and keeps what is finished."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(number: int, frame: Any) -> None:
        stop.set()

    if interrupt.asked.is_set():  # while the strategies were compiled
        stop.set()
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def stages(plan: Plan, store: Store, half_width: float, most: int) -> Iterator[int]:
    """How many deals to have next, until the headline is known to ± half_width.

    A pilot of at least PILOT_DEALS, then steps that grow geometrically: looking after every deal would stop too early
    too often (coverage 50 % for a nominal 95 %). Each step depends on the tallies of a whole prefix of deals only, and
    is stored before it is played: the same experiment stops at the same deal on any machine, interrupted or not.

    Raises:
        UsageError: the headline has no value, so that no number of deals can be planned.
    """
    deals = min(most, max(store.number(PLANNED), store.end, PILOT_DEALS, plan.deals_a_batch))
    while True:
        if store.fact(PLANNED) != str(deals):
            store.set_fact(PLANNED, str(deals))
        yield deals
        estimate = Results(plan, store.totals()).estimate(plan.headline)
        if deals >= most or (estimate.high - estimate.low) / 2 <= half_width:
            return
        if math.isnan(estimate.se):
            raise UsageError(f"until: the headline has no value after {deals:,} deals. Set deals, or another question.")
        wanted = needed_deals(estimate.se, estimate.deals, half_width)
        growth = min(max(wanted / deals, SMALLEST_GROWTH), LARGEST_GROWTH)
        deals = min(most, int(deals * growth) + 1)
