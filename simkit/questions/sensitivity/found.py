"""What the kind sensitivity finds of one measure and line-up: indices, how sure they are, and the measure's range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from simkit.answer import Estimate
from simkit.plan import Results
from simkit.questions.base import Asked, Lineup, arm_name
from simkit.questions.sensitivity.cases import design_name, lineups_of, shown_of, table_of
from simkit.questions.sweep.axes import Setting
from simkit.questions.sweep.measures import Shown
from simkit.stats.sensitivity import (
    CHANGE,
    RANKED_BY,
    SOBOL_FIRST,
    SOBOL_TOTAL,
    Floats,
    Method,
    Sampled,
    noise_share,
    sampled,
)

HARDLY = 0.05  # what matters less than this share of the variation, or of the largest effect (Morris), hardly matters
FINEST = 0.0005  # of the variation: shares are not told more finely
MOST_NOISE = 0.5  # of the variation; with more of it nothing is said
_LOW, _HIGH = 0.025, 0.975

State = Literal["known", "the same", "not seen", "noise"]


@dataclass(frozen=True, eq=False)
class Found:
    """What one measure depends on under one line-up.

    Attributes:
        shown: the measure.
        lineup: who plays.
        base: the measure with the rules as they are.
        method: whose indices.
        settings: those that were played.
        values: (1 + resamples, settings), the measure as played and in resamples of the deals; NaN where not seen.
        rows: the place of each row of the design among the settings.
        indices: (3, keys): S1, ST and the change, or μ*, σ and the change.
    """

    shown: Shown
    lineup: Lineup
    base: Estimate
    method: Method
    settings: Sequence[Setting]
    values: Floats
    rows: Sequence[int]
    indices: Sampled

    @cached_property
    def noise(self) -> float:
        """Which part of the variation is the luck of the deals."""
        return noise_share(self.values[:, self.rows])

    @property
    def state(self) -> State:
        """Whether anything can be said of it."""
        if not np.isfinite(self.values[0]).all():
            return "not seen"
        if np.ptp(self.values[0]) == 0:
            return "the same"
        return "known" if self.noise <= MOST_NOISE else "noise"

    @property
    def rank(self) -> Sampled:
        """What keys are ranked by: ST, or μ*."""
        return self.indices.map(lambda all_: all_[..., RANKED_BY[self.method], :])

    @property
    def order(self) -> list[int]:
        """The keys, those that matter most first."""
        return sorted(range(self.rank.value.size), key=lambda i: (-self.rank.value[i], i))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The keys of which none is shown to matter more, in the order of the file."""
        first = self.order[0]
        behind = self.rank.map(lambda all_: all_[..., [first]] - all_)
        return tuple(
            i
            for i in range(behind.value.size)
            if i == first or not behind.value[i] > np.nan_to_num(behind.half[i], nan=np.inf)
        )

    @property
    def hardly(self) -> tuple[int, ...]:
        """The keys that are shown to matter hardly at all."""
        limit = HARDLY * (1.0 if self.method == "sobol" else float(self.rank.value.max()))
        return tuple(i for i, high in enumerate(self.rank.value + self.rank.half) if high < limit)

    @property
    def interaction(self) -> Sampled:
        """Of each key, ST less S1 (Sobol): what it does only together with others."""
        return self.indices.map(lambda all_: all_[..., SOBOL_TOTAL, :] - all_[..., SOBOL_FIRST, :])

    @cached_property
    def half(self) -> Floats:
        """Half of the 95 % interval of each index, as it is told."""
        half = self.indices.half.copy()
        if self.method == "sobol":
            half[:CHANGE] = _told(half[:CHANGE])
        return half

    @property
    def interaction_half(self) -> Floats:
        """Likewise of `interaction`."""
        return _told(self.interaction.half)

    @property
    def all_interaction(self) -> Sampled:
        """The share of the variation that no key makes by itself (Sobol)."""
        return self.indices.map(lambda all_: 1 - all_[..., SOBOL_FIRST, :].sum(axis=-1))

    def at(self, place: int) -> Estimate:
        """The measure at one setting, with an interval from the resamples."""
        value, others = float(self.values[0, place]), self.values[1:, place]
        known = others[np.isfinite(others)]
        low, high = np.quantile(known, [_LOW, _HIGH]) if known.size else (np.nan, np.nan)
        return Estimate(
            value, float(low), float(high), float(known.std()) if known.size else np.nan, self.base.deals, 0
        )

    @property
    def ends(self) -> tuple[int, int]:
        """The places of the lowest and the highest setting."""
        played = self.values[0]
        lowest, highest = (np.where(np.isfinite(played), played, end) for end in (np.inf, -np.inf))
        return int(np.argmin(lowest)), int(np.argmax(highest))


def _told(half: Floats) -> Floats:
    """Half-widths of shares of the variation as they are told: what is not exact is at least the finest."""
    rounded: Floats = np.where(half > 0, np.maximum(half, FINEST), half)
    return rounded


def findings(asked: Asked, results: Results) -> list[Found]:
    """All measures in the order of the file, each under all line-ups."""
    return [_found(asked, results, shown, lineup) for shown in shown_of(asked) for lineup in lineups_of(asked)]


def _found(asked: Asked, results: Results, shown: Shown, lineup: Lineup) -> Found:
    table = table_of(asked)
    settings = table.settings
    place = {setting: i for i, setting in enumerate(settings)}
    rows = [place[setting] for setting in table.rows]
    sums = results.resamples(design_name(shown, lineup)).sums.astype(np.float64)
    above, below = sums[:, 0::2], sums[:, 1::2]
    values = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
    base = results.estimate(f"{shown.name}/{arm_name(lineup)}")
    made = sampled(table.design, values[:, rows])
    return Found(shown, lineup, base, table.method, settings, values, rows, made)
