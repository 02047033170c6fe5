"""What is played after a question's plan: a search, and what it has found once more, on deals that neither has seen.

What a search finds looks better than it is, on the deals that it was found on. So it looks at deals of its own, and
what it finds is measured on fresh ones.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import joblib

from simkit import runner
from simkit.measures import Columns, Measure
from simkit.plan import Arm, Results
from simkit.questions import Asked, FollowUp
from simkit.runner import Work
from simkit.store import Store

FRESH_FROM, SEARCHED_FROM = 2**58, 2**59  # numbers of deals that no plan's own run comes to
STORE = "fresh.sqlite"
FOUND = "found"  # the fact of the run that holds what was found, and after how many deals


class Trials:
    """Line-ups played on the deals of searches: the same deals for all that are compared.

    Args:
        work: of the run.
        jobs: threads.
    """

    def __init__(self, work: Work, jobs: int) -> None:
        self.work, self.jobs = work, jobs

    def observe(self, arms: Sequence[Arm], measure: Measure, first: int, deals: int) -> list[Columns]:
        """A measure of each arm on some deals, `first` counted from the first one that is kept for searches."""

        def look(arm: Arm) -> Columns:
            return measure(self.work.play(arm, SEARCHED_FROM + first, deals))

        pool = joblib.Parallel(n_jobs=self.jobs, backend="threading")
        found: list[Columns] = pool(joblib.delayed(look)(arm) for arm in arms)
        return found


def stored_findings(store: Store) -> dict[str, Any] | None:
    """What a search has found, if it was after all the deals that there are now."""
    data = json.loads(store.fact(FOUND) or "null")
    return data["found"] if data is not None and data["deals"] == store.deals else None


def carry_on(follow_up: FollowUp, asked: Asked, results: Results, work: Work, store: Store, jobs: int) -> Results:
    """Searches, unless that was done, and plays what was found on as many fresh deals as the run has.

    Returns:
        The results of the run with what was found, and those of the fresh deals.
    """
    found = stored_findings(store)
    if found is None:
        found = follow_up.search(asked, results, Trials(work, jobs))
        fresh_file(store.path).unlink(missing_ok=True)
        store.set_fact(FOUND, json.dumps({"deals": store.deals, "found": found}))
    plan = follow_up.plan(asked, found)
    with Store(fresh_file(store.path), plan) as fresh:
        runner.play(replace(work, plan=plan, keep=None, offset=FRESH_FROM), fresh, store.deals, jobs)
        return replace(results, found=found, fresh=Results(plan, fresh.totals()))


def stored_results(follow_up: FollowUp, asked: Asked, results: Results, store: Store) -> Results:
    """The results with what is stored of the search and of its fresh deals; as they are if that is not complete."""
    found = stored_findings(store)
    if found is None or not fresh_file(store.path).exists():
        return results
    plan = follow_up.plan(asked, found)
    with Store(fresh_file(store.path), plan) as fresh:
        done = fresh.deals >= store.deals
        return replace(results, found=found, fresh=Results(plan, fresh.totals())) if done else results


def fresh_file(run: Path) -> Path:
    """The store of the fresh deals beside that of the run."""
    return run.with_name(STORE)
