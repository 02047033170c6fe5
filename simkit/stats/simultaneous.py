"""Many numbers measured on the same deals, put in order: intervals and ranks that hold for all of them at once.

The intervals reach c standard errors to each side, c being the quantile of the largest of the numbers' errors (max-t;
Hothorn, Bretz & Westfall, "Simultaneous inference in general parametric models", Biometrical Journal 50, 2008). That is
narrower than Bonferroni's wherever the numbers go together, and their covariances are known: all are tallied a deal.

Ranks come from the differences of all pairs, by the same method: a number is above another where the simultaneous
interval of their difference lies above 0. It ranks behind all that are above it and before all that are below, whatever
is true of the others. All ranks together are right with the given level (Klein, Wright & Wieczorek, "A joint confidence
region for an overall ranking of populations", 2020, in the form of Mogstad, Romano, Shaikh & Wilhelm, "Inference for
ranks", Review of Economic Studies 91, 2024).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from simkit.answer import Estimate
from simkit.stats.verdicts import MINIMUM_DEALS

DRAWS = 100_000  # of the errors together, to find the quantile of the largest: it is known to about 0.01
_SEED = 2020

Floats = NDArray[np.float64]
Less = Callable[[int, int], Estimate]


@dataclass(frozen=True)
class Ranking:
    """What is known of n numbers and their order, all at once.

    Attributes:
        intervals: (low, high) of each; without end where too little was seen, NaN where nothing was.
        ranks: (first, last) rank that each may have, 1 for the highest; None where nothing was seen.
        told_apart: pairs whose order is sure.
        pairs: all pairs that were seen.
    """

    intervals: tuple[tuple[float, float], ...]
    ranks: tuple[tuple[int, int] | None, ...]
    told_apart: int
    pairs: int

    @property
    def first(self) -> tuple[int, ...]:
        """Those that may be the highest."""
        return tuple(i for i, rank in enumerate(self.ranks) if rank is not None and rank[0] == 1)


def ranked(estimates: Sequence[Estimate], less: Less, error_rate: float = 0.05) -> Ranking:
    """Intervals and ranks of several numbers.

    Numbers of fewer than MINIMUM_DEALS deals or observations have no interval, and any rank. Estimates with a
    confidence sequence get the intervals of Bonferroni's level from it, which hold however often one looks.

    Args:
        estimates: the numbers; NaN for what was not seen.
        less: number i less number j, on the same deals.
        error_rate: the chance that any interval is wrong, and that any rank is; divide it by the lists judged together.
    """
    seen = [i for i, estimate in enumerate(estimates) if not math.isnan(estimate.value)]
    pairs = list(combinations(seen, 2))
    over = {pair: less(*pair) for pair in pairs}
    errors = _Errors(estimates, over, error_rate)
    intervals = tuple(errors.interval(estimate, len(seen), errors.of_one) for estimate in estimates)
    above = dict.fromkeys(seen, 0)
    below = dict.fromkeys(seen, 0)
    for (i, j), difference in over.items():
        low, high = errors.interval(difference, len(pairs), errors.of_pairs)
        for one, other, is_above in ((i, j, low > 0), (j, i, high < 0)):
            below[one] += is_above
            above[other] += is_above
    ranks = tuple((1 + above[i], len(seen) - below[i]) if i in above else None for i in range(len(estimates)))
    return Ranking(intervals, ranks, sum(above.values()), len(pairs))


class _Errors:
    """The errors of some numbers and of their differences, drawn together many times.

    Args:
        estimates: the numbers.
        over: the difference of each pair that was seen.
        error_rate: see `ranked`.
    """

    def __init__(self, estimates: Sequence[Estimate], over: dict[tuple[int, int], Estimate], error_rate: float) -> None:
        self.error_rate = error_rate
        self.known = [i for i, estimate in enumerate(estimates) if is_known(estimate)]
        self.estimates, self.over = estimates, over
        self.of_one = self.of_pairs = math.nan
        if self.known:
            self._draw()

    def _draw(self) -> None:
        draws, place = self._together(), {i: at for at, i in enumerate(self.known)}
        largest = np.zeros(len(draws))
        for i, at in place.items():
            _raise(largest, draws[:, at], self.estimates[i].se)
        self.of_one = float(np.quantile(largest, 1 - self.error_rate))
        largest = np.zeros(len(draws))
        for (i, j), difference in self.over.items():
            if i in place and j in place and is_known(difference):
                _raise(largest, draws[:, place[i]] - draws[:, place[j]], difference.se)
        self.of_pairs = float(np.quantile(largest, 1 - self.error_rate))

    def _together(self) -> Floats:
        """Errors of the known numbers with their covariances, (draws, known): Student's, for few observations."""
        errors = np.array([self.estimates[i].se for i in self.known])
        covariance = np.diag(errors**2)
        for (a, i), (b, j) in combinations(enumerate(self.known), 2):
            of_pair = self.over[i, j].se
            if not math.isnan(of_pair):
                covariance[a, b] = covariance[b, a] = (errors[a] ** 2 + errors[b] ** 2 - of_pair**2) / 2
        values, vectors = np.linalg.eigh(covariance)
        rng = np.random.default_rng(_SEED)
        normal = rng.standard_normal((DRAWS, len(errors))) * np.sqrt(np.clip(values, 0, None))
        freedom = min(_observations(self.estimates[i]) for i in self.known) - 1
        draws: Floats = (normal @ vectors.T) / np.sqrt(rng.chisquare(freedom, DRAWS) / freedom)[:, None]
        return draws

    def interval(self, estimate: Estimate, many: int, reach: float) -> tuple[float, float]:
        """The interval of one of `many` estimates, `reach` standard errors to each side."""
        if estimate.sequence is not None:
            return estimate.sequence.interval(1 - self.error_rate / max(1, many))
        if math.isnan(estimate.value):
            return math.nan, math.nan
        half = reach * estimate.se if is_known(estimate) else math.inf
        return estimate.value - half, estimate.value + half


def is_known(estimate: Estimate) -> bool:
    """Whether enough was seen of a number for an interval."""
    return _observations(estimate) >= MINIMUM_DEALS and not math.isnan(estimate.value + estimate.se)


def _observations(estimate: Estimate) -> int:
    return min(estimate.deals, estimate.count)


def _raise(largest: Floats, errors: Floats, se: float) -> None:
    """Raises the largest error so far, in standard errors; a number without error (a bar without effect) has 0."""
    if se > 0:
        np.maximum(largest, np.abs(errors) / se, out=largest)
