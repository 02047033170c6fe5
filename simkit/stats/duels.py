"""Duels of two players: Elo from pairs of games, and a sequential test between two strengths.

A pair is the two games of one deal, seats swapped, so that most of the deal's luck falls out. It has one of five
results (the pentanomial model): both lost, one lost and one drawn, even, one won and one drawn, both won, with scores
of 0, ¼, ½, ¾ and 1. Draws and the luck that the two games share are in their counts, so that no model of them is
needed (Van den Bergh, "Normalized Elo" and "A practical introduction to the GSPRT", the notes behind Fishtest).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from simkit.answer import Estimate
from simkit.stats.ratios import LEVEL, nothing

RESULTS = 5
SCORES = np.linspace(0, 1, RESULTS)
NORMALISED = 800 / math.log(10)  # normalised Elo a standard deviation of one game's score
SMALLEST_COUNT = 1e-3  # in place of 0 in the likelihood: a result that was not seen yet is not impossible
_HALVINGS = 60
_Z = float(ndtri((1 + LEVEL) / 2))

Decision = Literal["elo0", "elo1", "undecided"]


def elo(score: float) -> float:
    """The Elo difference at which the stronger player is expected to score so much, 0 to 1; infinite at the ends."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """The expected score of the player who has so much more Elo; the inverse of `elo`."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo_estimate(counts: Sequence[int], ends: tuple[float, float]) -> Estimate:
    """The Elo difference with its 95 % interval, Elo(mean ± 1.96 standard errors).

    Where that leaves 0 to 1, and where all pairs ended alike, `ends` stand in, the interval of the mean score by other
    means (Wilson's). When every game was won or lost, the value and one end are infinite.

    Args:
        counts: pairs by result, worst to best.
        ends: of the mean score.
    """
    pairs = sum(counts)
    if pairs == 0:
        return nothing(0)
    mean, sd = _moments(counts)
    half = _Z * sd / math.sqrt(pairs)
    low, high = (mean - half, mean + half) if sd > 0 and half < min(mean, 1 - mean) else ends
    slope = 400 / math.log(10) / (mean * (1 - mean)) if 0 < mean < 1 else math.nan
    return Estimate(elo(mean), elo(low), elo(high), slope * sd / math.sqrt(pairs), pairs, 2 * pairs)


def normalised_elo(counts: Sequence[int], *, known_deviation: bool = False) -> Estimate:
    """The normalised Elo: the mean score less ½ in standard deviations of a game's score, on Elo's scale.

    It tells how many games it takes to see the difference, whatever draws there are. NaN when all pairs ended alike.

    Args:
        counts: pairs by result, worst to best.
        known_deviation: take the standard deviation for known in the interval, as Fishtest does. Between unequal
            players that is too narrow (it covers 70 % instead of 95 % where one wins 81 % of the points).
    """
    pairs = sum(counts)
    mean, sd = _moments(counts) if pairs else (math.nan, math.nan)
    if not sd > 0:
        return nothing(pairs)
    distance, z = (mean - 0.5) / sd, (SCORES - mean) / sd
    # How far one pair moves the distance, which is a ratio of two estimates (delta method).
    influence = z if known_deviation else z - distance * (z * z - 1) / 2
    variance = float(np.asarray(counts) @ influence**2) / pairs
    scale = NORMALISED / math.sqrt(2)
    value, se = scale * distance, scale * math.sqrt(variance / pairs)
    return Estimate(value, value - _Z * se, value + _Z * se, se, pairs, 2 * pairs)


def superiority(estimate: Estimate, even: float = 0.5) -> float:
    """The likelihood of superiority: the chance that the truth is above `even`, as if nothing was known before.

    NaN where nothing was observed. (Normal approximation; 1 less the one-sided p value.)
    """
    if estimate.se == 0 or math.isnan(estimate.se):
        return math.nan
    return float(ndtr((estimate.value - even) / estimate.se))


@dataclass(frozen=True)
class SequentialTest:
    """The generalised sequential probability ratio test of Elo `elo0` against `elo1`, on pairs of games.

    The ratio compares the likeliest distributions of the five results whose means are the scores of elo0 and of elo1.
    At or below the lower bound elo0 is accepted, at or above the upper one elo1. By Wald's bounds a player of elo0 is
    taken for elo1 with a chance of about `alpha` at most, one of elo1 for elo0 with about `beta`.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound of the log-likelihood ratio."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: ArrayLike) -> NDArray[np.float64]:
        """The log-likelihood ratio of elo1 to elo0.

        Args:
            counts: pairs by result, worst to best, of one test or of many, shape (..., 5).

        Returns:
            Shape (...).
        """
        seen = np.maximum(np.asarray(counts, dtype=np.float64), SMALLEST_COUNT)
        logs = [_log_tilt(seen, expected_score(difference)) for difference in (self.elo0, self.elo1)]
        ratio: NDArray[np.float64] = (seen * (logs[0] - logs[1])).sum(axis=-1)
        return ratio

    def decision(self, counts: Sequence[int]) -> Decision:
        """Which of the two is accepted."""
        lower, upper = self.bounds
        ratio = float(self.ratio(counts))
        return "elo0" if ratio <= lower else "elo1" if ratio >= upper else "undecided"


def _moments(counts: Sequence[int]) -> tuple[float, float]:
    """Mean and standard deviation of the score of a pair."""
    share = np.asarray(counts) / sum(counts)
    mean = float(share @ SCORES)
    return mean, math.sqrt(float(share @ (SCORES - mean) ** 2))


def _log_tilt(seen: NDArray[np.float64], score: float) -> NDArray[np.float64]:
    """ln(p̂/p) for the likeliest distribution p of mean `score`.

    It is p = p̂/(1 + x d) with d = result − score and x such that Σ p̂ d/(1 + x d) = 0. The sum falls
    with x between the poles of the best and of the worst result, so that halving finds its zero.
    """
    d = SCORES - score
    low = np.full(seen.shape[:-1], -1 / (1 - score))
    high = np.full(seen.shape[:-1], 1 / score)
    for _ in range(_HALVINGS):
        x = (low + high) / 2
        above = (seen * d / (1 + x[..., None] * d)).sum(axis=-1) > 0
        low, high = np.where(above, x, low), np.where(above, high, x)
    logs: NDArray[np.float64] = np.log1p(((low + high) / 2)[..., None] * d)
    return logs
