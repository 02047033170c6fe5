"""What each of a pool of strategies wins against each other one: estimates, verdicts, resamples of the deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from simkit.answer import Estimate, Verdict
from simkit.plan import Results
from simkit.questions.stakes import WINS, Stakes
from simkit.resamples import Resamples
from simkit.stats.metagame import antisymmetric
from simkit.stats.verdicts import Wording, judge

Floats = NDArray[np.float64]
Pair = tuple[int, int]
Standing = Literal["beats all", "loses to none", "open", "beaten"]
_LEVEL = 0.95


@dataclass(frozen=True)
class Payoffs:
    """The payoff matrix of a pool.

    Attributes:
        names: of the n strategies.
        seats: at the table; with more than two, a pair (i, j) is one i among copies of j.
        arms: pair -> name of its arm, for the pairs that played.
        results: of the run; the series `pool/<arm>` are what the first player wins.
        resampled: name of the series of resamples, its columns in the order of `arms`.
        margin: of the verdicts.
        stakes: what is played for.
    """

    names: tuple[str, ...]
    seats: int
    arms: dict[Pair, str]
    results: Results
    resampled: str
    margin: float
    stakes: Stakes = WINS

    @cached_property
    def effects(self) -> dict[Pair, Estimate]:
        """(i, j) -> what i wins against j above an even share, for all ordered pairs."""
        found = {
            pair: self.stakes.above_even(self.results, f"pool/{arm}", self.seats) for pair, arm in self.arms.items()
        }
        if self.seats == 2:
            found |= {(j, i): _reversed(effect) for (i, j), effect in found.items()}
        return found

    def effect(self, one: int, other: int) -> Estimate:
        """What one wins against the other above an even share: nothing against itself, for certain."""
        itself = Estimate(0.0, 0.0, 0.0, 0.0, 0, 0)
        return itself if one == other else self.effects[one, other]

    @cached_property
    def verdicts(self) -> dict[Pair, Verdict]:
        """All ordered pairs judged, Holm-corrected for how many were played."""
        found: dict[Pair, Verdict] = {}
        flipped = [(j, i) for i, j in self.arms] if self.seats == 2 else []
        for pairs in (list(self.arms), flipped):
            cases = [(self.names[i], self.effects[i, j], f"{self.names[i]} against {self.names[j]}") for i, j in pairs]
            found |= dict(zip(pairs, judge(cases, self.margin, payoff_wording(self.stakes)), strict=True))
        return found

    @cached_property
    def resamples(self) -> Floats:
        """(1 + resamples, n, n): antisymmetric payoffs, the first as played; a pair of which no game ended counts 0.

        At more than two seats, half of what i wins alone among j above an even share less what j wins alone among i.
        """
        rates = rates_of(self.results.resamples(self.resampled), self.stakes.even_share(self.seats))
        n = len(self.names)
        matrix = np.zeros((len(rates), n, n))
        for column, (i, j) in enumerate(self.arms):
            matrix[:, i, j] = rates[:, column]
            if self.seats == 2:
                matrix[:, j, i] = -rates[:, column]
        found: Floats = antisymmetric(matrix)
        return found

    @property
    def matrix(self) -> Floats:
        """The payoffs as played, (n, n)."""
        matrix: Floats = self.resamples[0]
        return matrix

    def opponents(self, one: int) -> list[int]:
        """All but one."""
        return [other for other in range(len(self.names)) if other != one]

    def worst(self, one: int) -> int:
        """The opponent that decides how a strategy stands: of the worst verdicts the one it fares worst with."""
        rank = {"too weak": 0, "undecided": 1, "fair": 2, "too strong": 3}

        def how_bad(other: int) -> tuple[int, float]:
            verdict = self.verdicts[one, other]
            return rank[verdict.verdict], verdict.estimate

        return min(self.opponents(one), key=how_bad)

    def standing(self, one: int) -> Standing:
        """Whether a strategy beats all others by more than the margin, loses to none, is beaten, or that is open."""
        word = self.verdicts[one, self.worst(one)].verdict
        standings: dict[str, Standing] = {"too strong": "beats all", "fair": "loses to none", "undecided": "open"}
        return standings.get(word, "beaten")

    def stable(self) -> list[int]:
        """The strategies that nobody leaves: alone among players of it, no other one is shown to win above its share.

        At a table of two that is to lose to none; at larger ones another strategy may still do better elsewhere.
        """
        n = range(len(self.names))
        return [j for j in n if all(self.verdicts[i, j].low <= 0 for i in self.opponents(j))]

    def beats(self) -> NDArray[np.bool_]:
        """(n, n): where the row beats the column for certain (its corrected interval is above an even share)."""
        found = np.zeros((len(self.names),) * 2, dtype=np.bool_)
        for pair, verdict in self.verdicts.items():
            found[pair] = verdict.low > 0
        return found


def payoff_wording(stakes: Stakes) -> Wording:
    """How verdicts tell a payoff."""
    what = "score" if stakes.by_score else "win rate"
    return replace(stakes.wording(f"its {what} differs from {stakes.even} by"), of="")


def rates_of(resamples: Resamples, even: float) -> Floats:
    """(1 + resamples, k): what is won above an even share, from k pairs of columns; 0 where no game ended."""
    sums = resamples.sums.astype(np.float64)
    won, games = sums[:, 0::2], sums[:, 1::2]
    rates: Floats = np.divide(won, games, out=np.full_like(won, even), where=games > 0) - even
    return rates


def _reversed(effect: Estimate) -> Estimate:
    return replace(effect, value=-effect.value, low=-effect.high, high=-effect.low)


def interval(values: Sequence[float] | Floats) -> tuple[float, float]:
    """The 95 % interval of a quantity from its resamples (percentiles); NaN where there are none."""
    found = np.asarray(values, dtype=np.float64)
    found = found[np.isfinite(found)]
    if not found.size:
        return float("nan"), float("nan")
    low, high = np.quantile(found, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return float(low), float(high)


def half_interval(values: Floats) -> float:
    """Half the width of that interval."""
    low, high = interval(values)
    return (high - low) / 2
