"""Which of several is best, all measured on the same deals: those that may be, so that the best is among them.

Multiple comparisons with the best (Hsu 1984), each in turn as the control of Edwards & Hsu (1983), by Bonferroni in
place of Dunnett's quantiles, as the covariances are any: one is left out when another's paired interval over it lies
above 0, at 1 − error rate/(n − 1). The true best is left out with a chance of at most the error rate. The intervals
have two sides, so that the one that is shown is the one that decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from simkit.answer import Estimate
from simkit.stats.ratios import student_quantile
from simkit.stats.verdicts import MINIMUM_DEALS


@dataclass(frozen=True)
class Best:
    """What is known of the best of n.

    Attributes:
        leader: the one with the highest estimate.
        among: those that may be best, ascending; the leader is one of them.
        leads: the leader's advantage over each other that was seen, with its simultaneous interval.
        widest: the highest advantage that the intervals leave possible between any two of those that may be best.
        level: of those intervals.
    """

    leader: int
    among: tuple[int, ...]
    leads: Mapping[int, Estimate]
    widest: float
    level: float


def best_of(
    values: Sequence[float], advantage: Callable[[int, int], Estimate], error_rate: float = 0.05
) -> Best | None:
    """The best of several numbers, or those of them that may be; None where there is no number at all.

    Fewer than MINIMUM_DEALS deals, or so few observations, leave nothing out.

    Args:
        values: the estimates; NaN for what was not seen, which is never among the best.
        advantage: the difference of number i less number j, paired on the deals.
        error_rate: the chance that the true best is left out; divide it by the lists that are judged together.
    """
    seen = [i for i, value in enumerate(values) if not math.isnan(value)]
    if not seen:
        return None
    leader = max(seen, key=lambda i: values[i])
    level = 1 - error_rate / max(1, len(seen) - 1)
    beaten, leads, reach = set[int](), dict[int, Estimate](), dict[tuple[int, int], float]()
    for i, j in combinations(seen, 2):
        ahead, behind = (i, j) if values[i] >= values[j] and j != leader else (j, i)
        over = at_level(advantage(ahead, behind), level)
        reach[i, j] = max(over.high, -over.low)
        if over.low > 0:
            beaten.add(behind)
        if ahead == leader:
            leads[behind] = over
    among = tuple(i for i in seen if i not in beaten)
    widest = max((reach[pair] for pair in combinations(among, 2)), default=0.0)
    return Best(leader, among, leads, widest, level)


def at_level(estimate: Estimate, level: float) -> Estimate:
    """The estimate with Student's interval of another level; without end where too little was seen."""
    observations = min(estimate.deals, estimate.count)
    enough = observations >= MINIMUM_DEALS and not math.isnan(estimate.se)
    half = student_quantile(observations, level) * estimate.se if enough else math.inf
    return replace(estimate, low=estimate.value - half, high=estimate.value + half)
