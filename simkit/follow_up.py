"""What is played after a question's plan: a search, and what it has found once more, on deals that neither has seen.

What a search finds looks better than it is, on the deals that it was found on. So it looks at deals of its own, and
what it finds is measured on fresh ones. Something may follow that in turn, with fresh deals of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from simkit import runner
from simkit.measures import Columns, Measure
from simkit.plan import MOST_DEALS_A_BATCH, Arm, Results
from simkit.questions import Asked, FollowUp
from simkit.questions.base import Piece
from simkit.runner import Work
from simkit.store import Store

FRESH_FROM, SEARCHED_FROM = 2**58, 2**59  # numbers of deals that no plan's own run comes to
FRESH_APART = 2**56  # from the fresh deals of one stage to those of the next
STORE = "fresh.sqlite"
FOUND = "found"  # the fact of the run that holds what was found, and after how many deals
PIECE = "piece"  # likewise of a part of a search, with its name behind
FRESH_WORDS = "on fresh deals"

Tell = Callable[[int, int, int, str], None]  # deals done, deals wanted, games just played, what for


def _silent(done: int, wanted: int, games: int, words: str) -> None:
    """Tells nobody."""


class Trials:
    """Line-ups played on the deals of searches: the same deals for all that are compared.

    Args:
        work: of the run.
        jobs: threads.
        store: of the run, which keeps the pieces of a search; None keeps nothing.
        tell: told how far the search is.
    """

    def __init__(self, work: Work, jobs: int, store: Store | None = None, tell: Tell = _silent) -> None:
        self.work, self.jobs, self.store, self.tell = work, jobs, store, tell
        self._done, self._wanted, self._words = 0, 0, ""

    def pieces(self, wanted: Sequence[Piece]) -> list[dict[str, Any]]:
        """What each piece finds, in order; from the store where it was found before, after as many deals."""
        ends = np.cumsum([piece.deals for piece in wanted]).tolist()
        self._done, self._wanted, found = 0, ends[-1] if ends else 0, []
        for piece, end in zip(wanted, ends, strict=True):
            self._words = piece.name
            found.append(self._piece(piece))
            self._done = end  # it may have ended early, or been there
        return found

    def _piece(self, piece: Piece) -> dict[str, Any]:
        if self.store is None:
            return piece.find()
        name = f"{PIECE} {piece.name}"
        stored = _stored(self.store, name)
        if stored is None:
            stored = piece.find()
            _keep(self.store, name, stored)
        return stored

    def observe(self, arms: Sequence[Arm], measure: Measure, first: int, deals: int) -> list[Columns]:
        """A measure of each arm on some deals, `first` counted from the first one that is kept for searches."""

        def look(arm: Arm, start: int, n: int) -> Columns:
            return measure(self.work.play(arm, SEARCHED_FROM + start, n))

        starts = range(first, first + deals, MOST_DEALS_A_BATCH)
        chunks = [(start, min(MOST_DEALS_A_BATCH, first + deals - start)) for start in starts]
        pool = joblib.Parallel(n_jobs=self.jobs, backend="threading")
        parts = pool(joblib.delayed(look)(arm, start, n) for arm in arms for start, n in chunks)
        self._done = min(self._done + deals * len(arms), self._wanted)
        self.tell(self._done, self._wanted, deals * sum(len(arm.lineup) for arm in arms), self._words)
        by_arm = [parts[i : i + len(chunks)] for i in range(0, len(parts), len(chunks))]
        return [tuple(np.concatenate(column) for column in zip(*mine, strict=True)) for mine in by_arm]


def _stored(store: Store, name: str) -> dict[str, Any] | None:
    """What was found, if it was after all the deals that there are now."""
    data = json.loads(store.fact(name) or "null")
    return data["found"] if data is not None and data["deals"] == store.deals else None


def _keep(store: Store, name: str, found: dict[str, Any]) -> None:
    store.set_fact(name, json.dumps({"deals": store.deals, "found": found}))


@dataclass(frozen=True)
class _Stage:
    """What follows a plan first, or what follows that: where its findings and its fresh deals are kept."""

    number: int
    follow_up: FollowUp

    @property
    def fact(self) -> str:
        return FOUND if self.number == 1 else f"{FOUND} {self.number}"

    @property
    def first_deal(self) -> int:
        return FRESH_FROM + (self.number - 1) * FRESH_APART

    def file(self, store: Store) -> Path:
        """The store of the fresh deals, beside that of the run."""
        return store.path.with_name(STORE if self.number == 1 else f"{Path(STORE).stem}_{self.number}.sqlite")


def _stages(follow_up: FollowUp, asked: Asked) -> Iterator[_Stage]:
    following: FollowUp | None = follow_up
    for number in count(1):
        if following is None:
            return
        yield _Stage(number, following)
        following = following.next(asked)


def carry_on(
    follow_up: FollowUp,
    asked: Asked,
    results: Results,
    work: Work,
    store: Store,
    jobs: int,
    tell: Tell = _silent,
) -> Results:
    """Searches, unless that was done, and plays what was found on as many fresh deals as the run has; and what follows.

    Returns:
        The results of the run with what was found, and those of the fresh deals.
    """
    for stage in _stages(follow_up, asked):
        found = _stored(store, stage.fact)
        if found is None:
            found = stage.follow_up.search(asked, results, Trials(work, jobs, store, tell))
            stage.file(store).unlink(missing_ok=True)
            _keep(store, stage.fact, found)
        plan = stage.follow_up.plan(asked, found)
        with Store(stage.file(store), plan) as fresh:
            again = replace(work, plan=plan, keep=None, offset=stage.first_deal)
            runner.play(again, fresh, store.deals, jobs, lambda done, n: tell(done, store.deals, n, FRESH_WORDS))
            results = _joined(results, stage.number, found, Results(plan, fresh.totals()))
    return results


def stored_results(follow_up: FollowUp, asked: Asked, results: Results, store: Store) -> tuple[Results, bool]:
    """The results with what is stored of searches and of their fresh deals, and whether that is all."""
    for stage in _stages(follow_up, asked):
        found, file = _stored(store, stage.fact), stage.file(store)
        if found is None or not file.exists():
            return results, False
        plan = stage.follow_up.plan(asked, found)
        with Store(file, plan) as fresh:
            if fresh.deals < store.deals:
                return results, False
            results = _joined(results, stage.number, found, Results(plan, fresh.totals()))
    return results, True


def _joined(results: Results, number: int, found: dict[str, Any], fresh: Results) -> Results:
    """The results with those of a stage, which stand in those of the one before it."""
    if number == 1:
        return replace(results, found=found, fresh=fresh)
    assert results.fresh is not None
    return replace(results, fresh=_joined(results.fresh, number - 1, found, fresh))
