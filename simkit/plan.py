"""What a question needs played and observed: arms, and series over their deals.

All arms play the same deals, so that differences are paired. A series is observed once a deal and tallied exactly.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from simkit.answer import Estimate
from simkit.branch import Branch
from simkit.measures import Measure
from simkit.resamples import Resamples
from simkit.series import (
    CellDifferences,
    Differences,
    Distribution,
    Examples,
    PairCounts,
    Resampled,
    Series,
    Tally,
    Together,
)
from simkit.stats.always_valid import mean_always
from simkit.stats.ratios import nothing
from simkit.tally import Cells, FirstSeen, Histogram, Moments
from simkit.trace import Tracing

GAMES_A_BATCH = 40_000
TRACED_GAMES_A_BATCH = 10_000
MOST_DEALS_A_BATCH = 2_000


@dataclass(frozen=True)
class Arm:
    """One line-up under one set of rules.

    Attributes:
        name: unique in the plan.
        lineup: labels of the strategies, one a player.
        rules: all rule values by rotation: a balance switch that is on for one player moves with the player.
        lab: by rotation, values of fields of RULES that are no options (what a seat is barred from, a probe).
        parameters: by player, the parameters of its strategy that differ from the pool's.
        tracing: how its games are looked at while they are played, for the measures of simkit.course_measures; None:
            they are not.
        branch: which decision of player 0 is made by another strategy; None: none is.
    """

    name: str
    lineup: tuple[str, ...]
    rules: tuple[Mapping[str, Any], ...]
    lab: tuple[Mapping[str, Any], ...] = ()
    parameters: tuple[Mapping[str, Any], ...] = ()
    tracing: Tracing | None = None
    branch: Branch | None = None

    def deals_among(self, first: int, deals: int) -> int:
        """How many of some deals from number `first` on it plays: the first so many of them."""
        return deals


@dataclass(frozen=True)
class BriefArm(Arm):
    """An arm that is played on the first `most` deals of a run only: for what need not be known as well as the answer.

    No series looks at it together with an arm that is played longer.
    """

    most: int = 2_000

    def deals_among(self, first: int, deals: int) -> int:
        """How many of some deals from number `first` on it plays: the first so many of them."""
        return max(0, min(deals, self.most - first))


class Stopping(Protocol):
    """When a run has enough deals: looked at after some deals, all of those before it done, and no others."""

    @property
    def words(self) -> str:
        """What ends the run, after "as many deals as it takes"."""
        ...

    def first(self, plan: Plan) -> int:
        """After how many deals to look first."""
        ...

    def then(self, results: Results, deals: int) -> int:
        """After how many deals in all to look next; `deals`, the number there is now, when that is enough.

        Raises:
            UsageError: no number of deals can be named.
        """
        ...


@dataclass(frozen=True)
class Plan:
    """What will be run, known before it runs.

    Attributes:
        arms: what is played.
        series: what is observed of them.
        headline: the series that the precision is judged by.
        stopping: ends the run before the deals asked for; None: nothing does.
        always_valid: whether intervals are to hold however often one looks.
        measures: of each arm, by its name.
    """

    arms: tuple[Arm, ...]
    series: tuple[Series, ...]
    headline: str
    stopping: Stopping | None = None
    always_valid: bool = False
    measures: Mapping[str, tuple[Measure, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Sorts the measures by arm, each once; no series hides another of its name or mixes arms of other lengths."""
        for names in ([arm.name for arm in self.arms], [series.name for series in self.series]):
            if len(set(names)) < len(names):
                twice = sorted({name for name in names if names.count(name) > 1})
                raise ValueError(f"names that stand twice in a plan: {', '.join(twice)}")
        wanted: dict[str, dict[Measure, None]] = {arm.name: {} for arm in self.arms}
        played = {arm.name: arm.deals_among(0, sys.maxsize) for arm in self.arms}
        for series in self.series:
            if len({played[arm] for arm, _ in series.parts}) > 1:
                raise ValueError(f"{series.name}: its arms do not all play the same deals")
            for arm, measure in series.parts:
                wanted[arm][measure] = None
        object.__setattr__(self, "measures", {arm: tuple(measures) for arm, measures in wanted.items()})

    @property
    def games_a_deal(self) -> int:
        """Games that one of the first deals stands for, over all arms and rotations."""
        return sum(len(arm.lineup) for arm in self.arms)

    def games(self, deals: int, first: int = 0) -> int:
        """Games that are played of some deals from number `first` on."""
        return sum(len(arm.lineup) * arm.deals_among(first, deals) for arm in self.arms)

    @property
    def deals_a_batch(self) -> int:
        """Deals in one batch: few enough to stop within a second, enough to be fast; no result depends on it."""
        games = TRACED_GAMES_A_BATCH if self.is_traced else GAMES_A_BATCH
        return max(1, min(MOST_DEALS_A_BATCH, games // self.games_a_deal))

    @property
    def is_traced(self) -> bool:
        """Whether any games are looked at while they are played."""
        return any(arm.tracing for arm in self.arms)

    @property
    def deciders(self) -> tuple[str, ...]:
        """Labels of the strategies whose function `when` is asked, each once."""
        return tuple(dict.fromkeys(arm.branch.when for arm in self.arms if arm.branch))


@dataclass(frozen=True)
class Results:
    """The tallies of all series, and the estimates they make.

    Attributes:
        plan: what was played.
        tallies: by name of the series.
        found: what a search found that followed the plan; None when there was none.
        fresh: what was played after it, on deals that neither the plan nor the search has seen.
    """

    plan: Plan
    tallies: Mapping[str, Tally]
    found: Mapping[str, Any] | None = None
    fresh: Results | None = None

    @cached_property
    def _series(self) -> dict[str, Series]:
        return {series.name: series for series in self.plan.series}

    def estimate(self, name: str) -> Estimate:
        """The estimate of a ratio, a difference or a share of luck; of cells the first one's."""
        series, tally = self._series[name], self.tallies[name]
        if isinstance(tally, Cells):
            return self.cells(name).get(0, nothing(tally.n))
        assert isinstance(tally, Moments)
        assert not isinstance(series, (PairCounts, Distribution, Examples, Resampled, Together, Differences))
        return series.always(tally) if self.plan.always_valid else series.estimate(tally)

    def cells(self, name: str) -> dict[int, Estimate]:
        """The differences by cell, for the cells that were seen."""
        series, tally = self._series[name], self.tallies[name]
        assert isinstance(series, CellDifferences)
        assert isinstance(tally, Cells)
        make = series.always if self.plan.always_valid else series.estimate
        return {cell: make(moments) for cell, moments in tally.cells.items()}

    def together(self, name: str) -> tuple[Together, Moments]:
        """A series of several arms and its tally, for the share of each and the differences between them."""
        series = self._series[name]
        assert isinstance(series, Together)
        return series, self.moments(name)

    def differences(self, name: str) -> tuple[list[Estimate], Callable[[int, int], Estimate]]:
        """The differences of a series of them, and what makes the difference between two of these."""
        series, tally = self._series[name], self.moments(name)
        assert isinstance(series, Differences)
        made = mean_always if self.plan.always_valid else _as_it_is
        found = [made(series.estimate(tally, i)) for i in range(len(series.pairs))]
        return found, lambda i, j: made(series.less(tally, i, j))

    def moments(self, name: str) -> Moments:
        """The exact sums behind an estimate."""
        tally = self.tallies[name]
        assert isinstance(tally, Moments)
        return tally

    def histogram(self, name: str) -> Histogram:
        """The histogram of a distribution."""
        tally = self.tallies[name]
        assert isinstance(tally, Histogram)
        return tally

    def examples(self, name: str) -> FirstSeen:
        """The first deal for each value of an example series."""
        tally = self.tallies[name]
        assert isinstance(tally, FirstSeen)
        return tally

    def resamples(self, name: str) -> Resamples:
        """The sums of a resampled series."""
        tally = self.tallies[name]
        assert isinstance(tally, Resamples)
        return tally


def _as_it_is(estimate: Estimate) -> Estimate:
    return estimate
