"""Intervals that hold however often one looks: confidence sequences.

A 95 % interval is right 19 times out of 20 for one look, planned beforehand. Who looks after every batch, and stops
when the interval shows what was hoped for, is wrong far more often. A confidence sequence holds at all looks at once:
the chance that it ever fails to cover the truth is 5 %. It is about 1.6 to 2 times as wide.

Each is the set of values whose test martingale has not come above 1/α (Ville 1939; Howard, Ramdas, McAuliffe & Sekhon,
Annals of Statistics 49, 2021); 1/martingale is a p value that may be looked at any time. Two are used:

- Shares (win rates) and differences of them: exact at any number of deals, whatever the games of a deal have to do with
  each other. See `BoundedSequence`.
- All other numbers (scores, spreads, luck): the normal mixture with the variance estimated over deals, `MeanSequence`.
  That is an approximation, by the same central limit theorem that usual intervals rest on (Waudby-Smith, Arbour, Sinha,
  Kennedy & Ramdas, Annals of Statistics 52, 2024): not for the first hundred deals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import bisect
from scipy.special import betaln, logsumexp, xlog1py, xlogy

from simkit.answer import ConfidenceSequence, Estimate
from simkit.stats.ratios import LEVEL, difference, share
from simkit.tally import Moments

ALPHA = 1 - LEVEL
# The number of deals at which means are narrowest, fixed before any is played: at a tenth of it and at a hundred times
# as many they are a quarter wider than they could be.
TARGET_DEALS = 10_000
_PER_OCTAVE, _OCTAVES = 4, 19  # of bets λ, from ½ down to what 10^12 deals can make use of
_SIZES = 0.5 * 2.0 ** (-np.arange(_PER_OCTAVE * _OCTAVES) / _PER_OCTAVE)
_BETS = np.concatenate([_SIZES, -_SIZES])
_COSTS = -np.log1p(-abs(_BETS)) - abs(_BETS)  # ψ(|λ|) = −ln(1 − |λ|) − |λ|


def mixing_variance(target: float) -> float:
    """ρ² of the normal mixture whose 95 % interval is narrowest at `target` observations (Waudby-Smith et al. 2024)."""
    return (-2 * math.log(ALPHA) + math.log(1 - 2 * math.log(ALPHA))) / target


def mean_half_width(sd: float, n: float, target: float = TARGET_DEALS, alpha: float = ALPHA) -> float:
    """Half the width of the normal mixture's interval of a mean: σ √[2 (nρ² + 1)/(n²ρ²) · ln(√(nρ² + 1)/α)].

    Args:
        sd: standard deviation of one observation.
        n: observations so far.
        target: the number of them at which the 95 % interval is narrowest, whatever alpha.
        alpha: the chance that it ever fails to cover.
    """
    r = n * mixing_variance(target)
    return sd * math.sqrt(2 * (r + 1) / (n * r) * math.log(math.sqrt(r + 1) / alpha))


def proportion(successes: float, trials: float, alpha: float = ALPHA) -> tuple[float, float]:
    """The interval of a proportion: all p at which the density of Beta(1 + successes, 1 + failures) is α or more."""
    if trials == 0:
        return 0.0, 1.0
    return _where(lambda p: float(_beta_evidence(p, successes, trials)), successes / trials, alpha)


@dataclass(frozen=True)
class MeanSequence:
    """Of a number that is a mean over deals, or behaves like one in the long run (a ratio, a spread).

    Attributes:
        value, se: the estimate with its standard error.
        deals: how many it rests on.
    """

    value: float
    se: float
    deals: int

    def p_value(self, at: float) -> float:
        """1 − the level of the interval that ends there."""
        if self.se == 0:
            return float(at == self.value)
        if math.isnan(self.se):
            return 1.0
        r = self.deals * mixing_variance(TARGET_DEALS)
        z = (at - self.value) / self.se
        return min(1.0, math.exp(0.5 * math.log1p(r) - z * z * r / (2 * (r + 1))))

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The two ends."""
        half = mean_half_width(self.se * math.sqrt(self.deals), self.deals, alpha=1 - level) if self.deals else math.nan
        return self.value - half, self.value + half

    def shifted(self, by: float) -> MeanSequence:
        """Of the number with a constant added."""
        return replace(self, value=self.value + by)


@dataclass(frozen=True)
class BoundedSequence:
    """Of a share Σa/Σb, 0 ≤ a ≤ b ≤ B in every deal: exact at any number of deals, near 0 and 1 too.

    Let y = a/B, w = b/B and x = y − p w, whose mean is 0 when the share is p. Two test martingales are averaged:

    - The Beta mixture of likelihood ratios (q/p)^y ((1 − q)/(1 − p))^(w − y) over uniform q. That is convex in (y, w),
      so that its mean over the triangle 0 ≤ y ≤ w ≤ 1 is at most that of the corners (0, 0), (0, 1) and (1, 1), which
      is 1. It is narrow near 0 and 1, and when the games of a deal all end alike.
    - The mixture of exp(λ Σx − ψ(|λ|) Σx²) over a fixed grid of λ, even on a log scale, up to ±½: each is at most the
      capital ∏(1 + λx) of a gambler's fair bets (Fan, Grama & Liu 2015; Waudby-Smith & Ramdas 2024). It is narrow when
      the games of a deal offset each other, as paired deals are meant to do.

    Neither depends on the order of the deals: exact sums are all they need.

    Attributes:
        sums: Σy, Σw.
        products: Σy², Σyw, Σw².
        scale, shift: the number is scale · share + shift.
    """

    sums: tuple[float, float]
    products: tuple[float, float, float]
    scale: float = 1.0
    shift: float = 0.0

    @classmethod
    def of_share(cls, moments: Moments, a: int = 0, b: int = 1) -> BoundedSequence:
        """From the exact sums; B is the largest denominator that a deal had (all its games, but for rare things)."""
        assert moments.high is not None
        most = moments.high[b]
        yy, yw, ww = (moments.product(i, j) / most**2 for i, j in ((a, a), (a, b), (b, b)))
        return cls((moments.sums[a] / most, moments.sums[b] / most), (yy, yw, ww))

    @classmethod
    def of_difference(cls, estimate: Estimate, most: float = 1.0) -> BoundedSequence:
        """Of a difference of two shares, each at most `most` in a deal: of the share (difference + most)/(2 most).

        Exact with most = 1 when all deals have the same denominators. When they differ, the deals' residuals stand for
        the deals, as in the estimate's standard error, and `most` is the largest denominator in units of the mean one.
        """
        deals, scale = estimate.deals, 2 * most
        y = deals * (estimate.value + most) / scale
        yy = y * y / deals + (deals * estimate.se / scale) ** 2
        return cls((y, deals), (yy, y, deals), scale, -most)

    def p_value(self, at: float) -> float:
        """1 − the level of the interval that ends there."""
        p = (at - self.shift) / self.scale
        return min(1.0, math.exp(-max(0.0, self._evidence(p)))) if 0 <= p <= 1 else 0.0

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The two ends."""
        low, high = _where(self._evidence, self.sums[0] / self.sums[1], 1 - level)
        return self.scale * low + self.shift, self.scale * high + self.shift

    def shifted(self, by: float) -> BoundedSequence:
        """Of the number with a constant added."""
        return replace(self, shift=self.shift + by)

    def _evidence(self, p: float) -> float:
        return float(bounded_evidence(p, *self.sums, *self.products))


def bounded_evidence(
    p: float, y: ArrayLike, w: ArrayLike, yy: ArrayLike, yw: ArrayLike, ww: ArrayLike
) -> NDArray[np.float64]:
    """The logarithm of the martingale of `BoundedSequence` against the share p, for arrays of sums of any one shape."""
    y, w, yy, yw, ww = (np.asarray(total, dtype=np.float64) for total in (y, w, yy, yw, ww))
    square = np.maximum(yy - 2 * p * yw + p * p * ww, 0.0)
    bets = logsumexp(_BETS * (y - p * w)[..., None] - _COSTS * square[..., None], axis=-1) - math.log(len(_BETS))
    both: NDArray[np.float64] = np.logaddexp(bets, _beta_evidence(p, y, w)) - math.log(2)
    return both


def share_always(moments: Moments, a: int = 0, b: int = 1, units: int = 1) -> Estimate:
    """The share Σa/Σb with its confidence sequence; `units` as in simkit.stats.ratios.ratio."""
    plain = share(moments, a, b, units)
    return plain if plain.count == 0 else always(plain, BoundedSequence.of_share(moments, a, b))


def share_difference_always(
    moments: Moments, a1: int = 0, b1: int = 1, a2: int = 2, b2: int = 3, units: int = 1
) -> Estimate:
    """A difference of two shares with its confidence sequence; arguments as in simkit.stats.ratios.difference."""
    plain = difference(moments, a1, b1, a2, b2, units)
    if math.isnan(plain.se) or moments.high is None:
        return plain
    most = max(moments.high[b] * moments.n / moments.sums[b] for b in (b1, b2))
    return always(plain, BoundedSequence.of_difference(plain, most))


def mean_always(estimate: Estimate) -> Estimate:
    """Any other estimate with its confidence sequence."""
    return always(estimate, MeanSequence(estimate.value, estimate.se, estimate.deals))


def always(estimate: Estimate, sequence: ConfidenceSequence) -> Estimate:
    """The estimate with the interval of this sequence."""
    low, high = sequence.interval(LEVEL)
    return replace(estimate, low=low, high=high, sequence=sequence)


def _beta_evidence(p: float, successes: ArrayLike, trials: ArrayLike) -> NDArray[np.float64]:
    """The logarithm of the Beta mixture's martingale against p: less that of the density at p, see `proportion`."""
    won = np.asarray(successes, dtype=np.float64)
    lost = np.asarray(trials, dtype=np.float64) - won
    evidence: NDArray[np.float64] = betaln(1 + won, 1 + lost) - xlogy(won, p) - xlog1py(lost, -p)
    return evidence


def _where(evidence: Callable[[float], float], value: float, alpha: float) -> tuple[float, float]:
    """The shares around `value` that are not ruled out: the evidence against them is below ln(1/α)."""

    def excess(p: float) -> float:
        return min(evidence(p) + math.log(alpha), 1.0)  # against an impossible share it is infinite

    low, high = (
        end if excess(end) <= 0 else float(bisect(excess, value, end, xtol=1e-14, rtol=1e-13)) for end in (0.0, 1.0)
    )
    return low, high
