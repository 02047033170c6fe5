"""What a question needs played and observed: arms, and series over their deals.

All arms play the same deals, so that differences are paired. A series is observed once a deal and tallied exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from simkit.answer import Estimate
from simkit.measures import CellValues, Columns, DealNumbers, DealValues, Measure, Spread, WinRate
from simkit.pair_measures import PairResults
from simkit.resamples import Resamples
from simkit.stats.always_valid import mean_always, share_always, share_difference_always
from simkit.stats.luck import luck
from simkit.stats.ratios import difference, nothing, ratio, share
from simkit.stats.spread import spread, spread_difference
from simkit.tally import Cells, FirstSeen, Histogram, Moments
from simkit.trace import Tracing

Tally = Moments | Histogram | FirstSeen | Cells | Resamples
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
    """

    name: str
    lineup: tuple[str, ...]
    rules: tuple[Mapping[str, Any], ...]
    lab: tuple[Mapping[str, Any], ...] = ()
    parameters: tuple[Mapping[str, Any], ...] = ()
    tracing: Tracing | None = None


@dataclass(frozen=True)
class _OfArm:
    """A series of one measure of one arm."""

    name: str
    arm: str
    measure: Measure

    @property
    def parts(self) -> tuple[tuple[str, Measure], ...]:
        """What has to be observed: (arm, measure)."""
        return ((self.arm, self.measure),)


@dataclass(frozen=True)
class _Exact(_OfArm):
    """One whose estimate needs the sums of the measure's columns and of their products."""

    def tally(self, columns: Sequence[Columns]) -> Moments:
        """The tally of one batch."""
        return Moments.of(columns[0])

    def read(self, data: Mapping[str, Any]) -> Moments:
        """A stored tally."""
        return Moments.from_json(data)


def _units(measure: Measure) -> int:
    """What one game counts in the measure's columns."""
    return int(getattr(measure, "units", 1))


def _is_share(measure: Measure) -> bool:
    """Whether the measure is a part of 1."""
    return bool(getattr(measure, "is_share", False))


@dataclass(frozen=True)
class Ratio(_Exact):
    """A measure of one arm: a ratio of sums, a share, or a spread."""

    def estimate(self, tally: Moments) -> Estimate:
        """The number with its interval."""
        if isinstance(self.measure, Spread):
            return spread(tally)
        make = share if _is_share(self.measure) else ratio
        return make(tally, units=_units(self.measure))

    def always(self, tally: Moments) -> Estimate:
        """The number with an interval that holds however often one looks."""
        if _is_share(self.measure):
            return share_always(tally, units=_units(self.measure))
        return mean_always(self.estimate(tally))


@dataclass(frozen=True)
class Pooled:
    """A ratio over several arms: the sum of their numerators for that of their denominators.

    Attributes:
        of: (arm, measure of two columns).
    """

    name: str
    of: tuple[tuple[str, Measure], ...]

    @property
    def parts(self) -> tuple[tuple[str, Measure], ...]:
        """What has to be observed: (arm, measure)."""
        return self.of

    def tally(self, columns: Sequence[Columns]) -> Moments:
        """The tally of one batch."""
        return Moments.of([np.sum([ratio[i] for ratio in columns], axis=0) for i in (0, 1)])

    def read(self, data: Mapping[str, Any]) -> Moments:
        """A stored tally."""
        return Moments.from_json(data)

    def estimate(self, tally: Moments) -> Estimate:
        """The number with its interval."""
        make = share if _is_share(self.of[0][1]) else ratio
        return make(tally, units=_units(self.of[0][1]))

    def always(self, tally: Moments) -> Estimate:
        """The number with an interval that holds however often one looks."""
        measure = self.of[0][1]
        return share_always(tally, units=_units(measure)) if _is_share(measure) else mean_always(self.estimate(tally))


@dataclass(frozen=True)
class Difference:
    """A measure of one arm less a measure of another, paired on the deals."""

    name: str
    first: tuple[str, Measure]
    second: tuple[str, Measure]

    @property
    def parts(self) -> tuple[tuple[str, Measure], ...]:
        """What has to be observed: (arm, measure)."""
        return (self.first, self.second)

    def tally(self, columns: Sequence[Columns]) -> Moments:
        """The tally of one batch."""
        return Moments.of([*columns[0], *columns[1]])

    def read(self, data: Mapping[str, Any]) -> Moments:
        """A stored tally."""
        return Moments.from_json(data)

    def estimate(self, tally: Moments) -> Estimate:
        """The number with its interval."""
        measure = self.first[1]
        return spread_difference(tally) if isinstance(measure, Spread) else difference(tally, units=_units(measure))

    def always(self, tally: Moments) -> Estimate:
        """The number with an interval that holds however often one looks."""
        if all(_is_share(measure) for _, measure in self.parts):
            return share_difference_always(tally, units=_units(self.first[1]))
        return mean_always(self.estimate(tally))


@dataclass(frozen=True)
class Together:
    """One share of several arms, each less any other, paired on the deals.

    Attributes:
        name: of the series.
        parts: (arm, measure) for each, all measures with the same units.
    """

    name: str
    parts: tuple[tuple[str, Measure], ...]

    def tally(self, columns: Sequence[Columns]) -> Moments:
        """The tally of one batch: a numerator and a denominator for each arm."""
        return Moments.of([column for part in columns for column in part])

    def read(self, data: Mapping[str, Any]) -> Moments:
        """A stored tally."""
        return Moments.from_json(data)

    def share(self, tally: Moments, i: int) -> Estimate:
        """The share of arm i."""
        return share(tally, 2 * i, 2 * i + 1, _units(self.parts[i][1]))

    def difference(self, tally: Moments, i: int, j: int) -> Estimate:
        """The share of arm i less that of arm j."""
        return difference(tally, 2 * i, 2 * i + 1, 2 * j, 2 * j + 1, _units(self.parts[i][1]))


@dataclass(frozen=True)
class LuckShare(_Exact):
    """The share of the result that the cards decide, from the two games of each deal."""

    def estimate(self, tally: Moments) -> Estimate:
        """The number with its interval."""
        return luck(tally)

    def always(self, tally: Moments) -> Estimate:
        """The number with an interval that holds however often one looks."""
        return mean_always(self.estimate(tally))


@dataclass(frozen=True)
class ChanceShare(_Exact):
    """The share of games that chance decides, 1 − |2p − 1| for a win rate of p.

    As if that share were tosses of a coin, and the better player won all the others: 0 when one player wins every game,
    1 between equals.
    """

    measure: WinRate

    def estimate(self, tally: Moments) -> Estimate:
        """The number with its interval."""
        return _chance(share(tally, units=_units(self.measure)))

    def always(self, tally: Moments) -> Estimate:
        """The number with an interval that holds however often one looks."""
        return _chance(share_always(tally, units=_units(self.measure)))


def _chance(won: Estimate) -> Estimate:
    value, *ends = (1 - abs(2 * p - 1) for p in (won.value, won.low, won.high))
    high = 1.0 if won.low <= 0.5 <= won.high else max(ends)
    return replace(won, value=value, low=min(ends), high=high, se=2 * won.se, sequence=None)


@dataclass(frozen=True)
class PairCounts(_Exact):
    """How often each result of the two games of a deal came: five counts (see simkit.stats.duels)."""

    measure: PairResults


@dataclass(frozen=True)
class Distribution(_OfArm):
    """The distribution of a value over all games of an arm."""

    def tally(self, columns: Sequence[Columns]) -> Histogram:
        """The tally of one batch."""
        return Histogram.of(columns[0][0])

    def read(self, data: Mapping[str, Any]) -> Histogram:
        """A stored tally."""
        return Histogram.from_json(data)


@dataclass(frozen=True)
class Examples(_OfArm):
    """The first deal for each value that a game of an arm had, to be looked at."""

    measure: DealValues

    def tally(self, columns: Sequence[Columns]) -> FirstSeen:
        """The tally of one batch."""
        return FirstSeen.of(*columns[0])

    def read(self, data: Mapping[str, Any]) -> FirstSeen:
        """A stored tally."""
        return FirstSeen.from_json(data)


@dataclass(frozen=True)
class CellDifferences:
    """What a player makes of a game in one arm less what it makes of it in another, by cell, paired on the games.

    Both arms play the same games up to the turn of the probe, so that each game is in the same cell in both.
    """

    name: str
    arms: tuple[str, str]
    measure: CellValues

    @property
    def parts(self) -> tuple[tuple[str, Measure], ...]:
        """What has to be observed: (arm, measure)."""
        return tuple((arm, self.measure) for arm in self.arms)

    def tally(self, columns: Sequence[Columns]) -> Cells:
        """The tally of one batch; a game that does not count in one arm does not count in the other.

        Raises:
            ValueError: the arms were not the same up to the probe.
        """
        (cells, a1, b1), (others, a2, b2) = columns
        if not np.array_equal(cells, others):
            raise ValueError(f"{self.name}: the arms differ before the probe")
        both = (b1 > 0) & (b2 > 0)
        return Cells.of(np.where(both, cells, -1), [a1, b1, a2, b2])

    def read(self, data: Mapping[str, Any]) -> Cells:
        """A stored tally."""
        return Cells.from_json(data)

    def estimate(self, moments: Moments) -> Estimate:
        """The difference in one cell with its interval."""
        return difference(moments, units=_units(self.measure))

    def always(self, moments: Moments) -> Estimate:
        """The difference in one cell with an interval that holds however often one looks."""
        if _is_share(self.measure):
            return share_difference_always(moments, units=_units(self.measure))
        return mean_always(self.estimate(moments))


@dataclass(frozen=True)
class Resampled:
    """Measures of many arms in resamples of the deals, the same for all: the bootstrap of whatever is made of them.

    Attributes:
        of: (arm, measure of two columns).
        seed: of the run.
    """

    name: str
    of: tuple[tuple[str, Measure], ...]
    seed: int

    @property
    def parts(self) -> tuple[tuple[str, Measure], ...]:
        """What has to be observed: (arm, measure)."""
        return ((self.of[0][0], DealNumbers()), *self.of)

    def tally(self, columns: Sequence[Columns]) -> Resamples:
        """The tally of one batch."""
        (deals,), *ratios = columns
        return Resamples.of([column for ratio in ratios for column in ratio], deals, self.seed)

    def read(self, data: Mapping[str, Any]) -> Resamples:
        """A stored tally."""
        return Resamples.from_json(data)


Series = (
    Ratio | Pooled | Difference | Together | LuckShare | ChanceShare | PairCounts | Distribution | Examples
    | CellDifferences | Resampled
)  # fmt: skip


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
        """Sorts the measures by arm, each once; a series must not hide another one of its name."""
        for names in ([arm.name for arm in self.arms], [series.name for series in self.series]):
            if len(set(names)) < len(names):
                twice = sorted({name for name in names if names.count(name) > 1})
                raise ValueError(f"names that stand twice in a plan: {', '.join(twice)}")
        wanted: dict[str, dict[Measure, None]] = {arm.name: {} for arm in self.arms}
        for series in self.series:
            for arm, measure in series.parts:
                wanted[arm][measure] = None
        object.__setattr__(self, "measures", {arm: tuple(measures) for arm, measures in wanted.items()})

    @property
    def games_a_deal(self) -> int:
        """Games that one deal stands for, over all arms and rotations."""
        return sum(len(arm.lineup) for arm in self.arms)

    @property
    def deals_a_batch(self) -> int:
        """Deals in one batch: few enough to stop within a second, enough to be fast; no result depends on it."""
        games = TRACED_GAMES_A_BATCH if self.is_traced else GAMES_A_BATCH
        return max(1, min(MOST_DEALS_A_BATCH, games // self.games_a_deal))

    @property
    def is_traced(self) -> bool:
        """Whether any games are looked at while they are played."""
        return any(arm.tracing for arm in self.arms)


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
        assert not isinstance(series, (PairCounts, Distribution, Examples, Resampled, Together))
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
