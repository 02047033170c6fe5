"""Series over the deals of a plan's arms: what is observed once a deal, tallied exactly, and estimated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from simkit.answer import Estimate
from simkit.measures import CellValues, Columns, DealNumbers, DealValues, Measure, Spread, WinRate
from simkit.pair_measures import PairResults
from simkit.resamples import Resamples
from simkit.stats.always_valid import mean_always, share_always, share_difference_always
from simkit.stats.luck import luck
from simkit.stats.ratios import contrast, difference, ratio, share
from simkit.stats.spread import spread, spread_difference
from simkit.tally import Cells, FirstSeen, Histogram, Moments

Tally = Moments | Histogram | FirstSeen | Cells | Resamples


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
class Differences:
    """Differences of two ratios each, tallied together: for what is to hold of all of them at once.

    Attributes:
        name: of the series.
        pairs: the two ratios of each, as (arm, measure); all measures with the same units.
    """

    name: str
    pairs: tuple[tuple[tuple[str, Measure], tuple[str, Measure]], ...]

    @cached_property
    def parts(self) -> tuple[tuple[str, Measure], ...]:
        """What has to be observed: (arm, measure), each once."""
        return tuple(dict.fromkeys(part for pair in self.pairs for part in pair))

    def tally(self, columns: Sequence[Columns]) -> Moments:
        """The tally of one batch: a numerator and a denominator for each part."""
        return Moments.of([column for part in columns for column in part])

    def read(self, data: Mapping[str, Any]) -> Moments:
        """A stored tally."""
        return Moments.from_json(data)

    def estimate(self, tally: Moments, i: int) -> Estimate:
        """Difference i."""
        return self._sum(tally, ((1, i),))

    def less(self, tally: Moments, i: int, j: int) -> Estimate:
        """Difference i less difference j."""
        return self._sum(tally, ((1, i), (-1, j)))

    def _sum(self, tally: Moments, signed: Sequence[tuple[int, int]]) -> Estimate:
        terms = [(sign * way, part) for sign, i in signed for way, part in zip((1, -1), self.pairs[i], strict=True)]
        places = [(sign, self.parts.index(part)) for sign, part in terms]
        return contrast(tally, [(sign, 2 * at, 2 * at + 1) for sign, at in places], _units(self.pairs[0][0][1]))


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
    Ratio | Pooled | Difference | Together | Differences | LuckShare | ChanceShare | PairCounts | Distribution
    | Examples | CellDifferences | Resampled
)  # fmt: skip
