"""Two runs on the deals that they share, played again side by side, so that every change between them is paired.

A run's store holds exact sums over its own series. What two runs make of the same deal is not in either of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from simkit.answer import Estimate
from simkit.measures import Measure, Spread
from simkit.plan import Arm, Plan
from simkit.series import Difference, Ratio, Series, Together
from simkit.stats.ratios import contrast
from simkit.tally import Moments

if TYPE_CHECKING:
    from simkit.player import Player
    from simkit.runner import Work
    from simkit.runs import Progress

SIDES = ("this run: ", "first run: ")  # before the names of arms and players of each
SIGNS = {2: (1, -1), 4: (1, -1, -1, 1)}  # a ratio of this run less the first one's; likewise a difference


def shared_series(first: Plan, second: Plan) -> Iterator[tuple[Ratio | Difference, Ratio | Difference]]:
    """The series with an estimate that both plans have: of one name and kind, measuring the same."""
    others = {series.name: series for series in first.series}
    for series in second.series:
        other = others.get(series.name)
        if not isinstance(other, Ratio | Difference) or not isinstance(series, Ratio | Difference):
            continue
        if type(other) is type(series) and _measures(other) == _measures(series):
            yield other, series


def _measures(series: Series) -> list[Measure]:
    return [measure for _, measure in series.parts]


@dataclass(frozen=True)
class Pairing:
    """What is played to pair two runs.

    Attributes:
        work: both runs' arms, and for each series that can be paired one of both runs' parts.
    """

    work: Work

    def changes(
        self, deals: int, jobs: int, progress: Progress | None = None
    ) -> dict[str, tuple[Estimate, Estimate, Estimate]]:
        """By series: the first run's number, the second's, and the second less the first, on deals 0 … deals − 1."""
        import joblib

        size = self.work.plan.deals_a_batch
        _ = self.work.chances  # before the threads start
        tasks = (joblib.delayed(self._batch)(i, min(size, deals - i)) for i in range(0, deals, size))
        totals: dict[str, Moments] = {}
        done = 0
        for played, batch in joblib.Parallel(n_jobs=jobs, backend="threading", return_as="generator_unordered")(tasks):
            totals = {name: totals[name] + tally if name in totals else tally for name, tally in batch.items()}
            done += played
            if progress is not None:
                progress(done, deals, played * self.work.plan.games_a_deal)
        return {series.name: _read(series, totals[series.name]) for series in self.work.plan.series}

    def _batch(self, first: int, deals: int) -> tuple[int, Any]:
        return deals, self.work.batch(first, deals)


def pairing(first: Work, second: Work) -> Pairing:
    """Makes one table plan of two runs of the same game and seed."""
    series = tuple(_together(*pair) for pair in shared_series(first.plan, second.plan) if _is_ratio(pair[0]))
    used = {arm for s in series for arm, _ in s.parts}
    arms: list[Arm] = []
    players: dict[str, Player] = {}
    for work, side in ((second, SIDES[0]), (first, SIDES[1])):
        arms += [_of_side(arm, side) for arm in work.plan.arms if side + arm.name in used]
        players |= {side + label: player for label, player in work.players.items()}
    plan = Plan(tuple(arms), series, series[0].name if series else "")
    return Pairing(replace(second, plan=plan, players=players, keep=None))


def _is_ratio(series: Series) -> bool:
    return not any(isinstance(measure, Spread) for measure in _measures(series))


def _of_side(arm: Arm, side: str) -> Arm:
    return replace(arm, name=side + arm.name, lineup=tuple(side + label for label in arm.lineup))


def _together(first: Series, second: Series) -> Together:
    sides: Sequence[tuple[str, Series]] = ((SIDES[0], second), (SIDES[1], first))
    return Together(first.name, tuple((side + arm, measure) for side, series in sides for arm, measure in series.parts))


def _read(series: Series, moments: Moments) -> tuple[Estimate, Estimate, Estimate]:
    terms = [(sign, 2 * i, 2 * i + 1) for i, sign in enumerate(SIGNS[len(series.parts)])]
    units = int(getattr(series.parts[0][1], "units", 1))
    half = len(terms) // 2
    first = [(-sign, a, b) for sign, a, b in terms[half:]]
    return contrast(moments, first, units), contrast(moments, terms[:half], units), contrast(moments, terms, units)
