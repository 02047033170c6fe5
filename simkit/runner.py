"""Plays a plan: batches of deals through joblib, tallied exactly, stored as they finish, resumed where they stopped."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import joblib

from simkit import interrupt
from simkit.course_measures import TracedGames
from simkit.driver import Table
from simkit.errors import InterruptedRun, UsageError
from simkit.games.base import Game
from simkit.keep import drop_unfinished, keep_games
from simkit.measures import Columns, Measure
from simkit.plan import Arm, Plan, Results, Stopping
from simkit.played import BranchedGames, Games
from simkit.player import Player
from simkit.series import Tally
from simkit.stats.chances import Chances
from simkit.store import Store
from simkit.trace import LEARNED_FROM

PLANNED = "planned deals"  # the fact that says up to which deal the step at hand goes


@dataclass(frozen=True)
class Work:
    """All that a batch needs, the same in every thread.

    `keep` is the folder for rows of single games, if any; `offset` is added to the numbers of the deals.
    `whens` are the functions `when` of strategies, by label.
    """

    game: Game
    plan: Plan
    players: Mapping[str, Player]
    seed: int
    keep: Path | None = None
    offset: int = 0
    whens: Mapping[str, Player] = field(default_factory=dict)

    def table(self, arm: Arm) -> Table:
        """A table for one arm, of the calling thread's own."""
        changed = arm.parameters or ({},) * len(arm.lineup)
        lineup = [self.players[label].with_parameters(p) for label, p in zip(arm.lineup, changed, strict=True)]
        return Table(self.game, lineup, arm.rules, self.seed, arm.lab)

    def play(self, arm: Arm, first: int, deals: int, chances: Chances | None = None) -> Games:
        """The games of one arm, looked at on the way if it is traced, with its branch if it has one."""
        table, seats, gaps = self.table(arm), len(arm.lineup), self.game.without_winner == "gap"
        if branch := arm.branch:
            when, choice = self.whens[branch.when], self.players[branch.choice]
            outcomes, branches = table.play_branched(first, deals, when, choice, branch.classes)
            return BranchedGames(outcomes, branches, seats, first, gaps=gaps)
        if arm.tracing is None:
            return Games(table.play(first, deals), seats, first, gaps=gaps)
        outcomes, traces = table.play_traced(first, deals, arm.tracing.cards)
        return TracedGames(outcomes, traces, seats, arm.tracing, chances, first, gaps=gaps)

    @cached_property
    def chances(self) -> dict[str, Chances]:
        """What positions are worth in each arm that is traced, learned from deals that no run plays.

        An arm has none when its game does not tell who is ahead, or when no game ended.
        """
        found = {}
        for arm in self.plan.arms if self.game.progress else ():
            if arm.tracing is not None and arm.tracing.learn:
                games = self.play(arm, LEARNED_FROM, -(-arm.tracing.learn // len(arm.lineup)))
                assert isinstance(games, TracedGames)
                if games.counted().any():
                    found[arm.name] = games.course.learned()
        return found

    def batch(self, first: int, deals: int, stop: threading.Event | None = None) -> dict[str, Tally] | None:
        """Plays all arms on some deals and tallies every series; None when stopped before the end."""
        observed: dict[tuple[str, Measure], Columns] = {}
        for arm in self.plan.arms:
            if stop is not None and stop.is_set():
                return None
            mine = arm.deals_among(first, deals)
            games = self.play(arm, self.offset + first, mine, self.chances.get(arm.name))
            observed |= {(arm.name, measure): measure(games) for measure in self.plan.measures[arm.name]}
            if self.keep is not None and mine:
                keep_games(self.keep, self.game, arm, games.outcomes, first)
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
    _ = work.chances  # before the threads start, and before it goes to other machines
    stop = threading.Event()
    share = -(-(deals - store.deals) // jobs)  # of a short step, each thread gets some
    chunks = store.missing(deals, batch or max(1, min(work.plan.deals_a_batch, share)))
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
                    progress(store.deals, work.plan.games(n, first))
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


def stages(plan: Plan, store: Store, stopping: Stopping, most: int) -> Iterator[int]:
    """How many deals to have next, until the stopping rule has enough, and at most `most`.

    Each step depends on the tallies of a whole prefix of deals only, and is stored before it is played: the same
    experiment stops at the same deal on any machine, interrupted or not.

    Raises:
        UsageError: the rule cannot name a number of deals.
    """
    deals = min(most, max(store.number(PLANNED), store.end, stopping.first(plan)))
    while True:
        if store.fact(PLANNED) != str(deals):
            store.set_fact(PLANNED, str(deals))
        yield deals
        wanted = min(most, stopping.then(Results(plan, store.totals()), deals)) if deals < most else deals
        if wanted <= deals:
            return
        deals = wanted
