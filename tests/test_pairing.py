"""Two runs paired on the deals that they share, by playing both again."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from simkit.pairing import pairing, shared_series
from simkit.plan import Arm, Results
from simkit.runner import Work
from simkit.series import Difference, Ratio
from simkit.stats.unpaired import unpaired_difference
from tests.small import small_work

DEALS = 40


@cache
def other_work() -> Work:
    """The small experiment with fewer points at the start."""
    work = small_work()

    def poorer(arm: Arm) -> Arm:
        rules: Any = tuple({**values, "start_points": 50} for values in arm.rules)
        return replace(arm, rules=rules)

    return replace(work, plan=replace(work.plan, arms=tuple(map(poorer, work.plan.arms))))


def results(work: Work) -> Results:
    tallies = work.batch(0, DEALS)
    assert tallies is not None
    return Results(work.plan, tallies)


def test_a_run_paired_with_itself_has_changed_in_nothing_and_that_is_exact() -> None:
    changes = pairing(small_work(), small_work()).changes(DEALS, 1)
    seen = [change for _, _, change in changes.values() if change.count]
    assert len(seen) > 20
    assert {(c.value, c.low, c.high) for c in seen if c.low == c.low} == {(0.0, 0.0, 0.0)}


def test_each_side_is_what_its_run_has_and_the_change_is_their_difference() -> None:
    before, now = results(small_work()), results(other_work())
    changes = pairing(small_work(), other_work()).changes(DEALS, 1)
    moved = 0
    for name, (first, second, change) in changes.items():
        assert first.value == pytest.approx(before.estimate(name).value, nan_ok=True)
        assert second.value == pytest.approx(now.estimate(name).value, nan_ok=True)
        assert change.value == pytest.approx(second.value - first.value, nan_ok=True)
        moved += abs(change.value) > 0
    assert moved > 10


def test_a_paired_ratio_is_known_better_than_one_taken_as_independent() -> None:
    """Games of the same cards last alike, whatever the points at the start: the covariance is positive."""
    before, now = results(small_work()), results(other_work())
    changes = pairing(small_work(), other_work()).changes(DEALS, 1)
    names = [s.name for s in small_work().plan.series if isinstance(s, Ratio) and s.name.startswith("clause/")]
    pairs = [(changes[n][2], unpaired_difference(now.estimate(n), before.estimate(n))) for n in names if n in changes]
    narrower = [paired.se < apart.se for paired, apart in pairs if apart.se > 0]
    assert sum(narrower) > len(narrower) / 2


def test_no_change_depends_on_the_threads() -> None:
    both = pairing(small_work(), other_work())
    assert repr(both.changes(DEALS, 1)) == repr(both.changes(DEALS, 2))


def test_series_of_one_name_that_measure_something_else_are_not_shared() -> None:
    plan = small_work().plan
    gap = next(s for s in plan.series if isinstance(s, Difference))
    ratio = next(s for s in plan.series if isinstance(s, Ratio) and s.measure != gap.first[1])
    others = (replace(ratio, measure=gap.first[1]), replace(gap, name="of another name"))
    assert list(shared_series(plan, replace(plan, series=others, headline=ratio.name))) == []
    assert len(list(shared_series(plan, plan))) > 20
