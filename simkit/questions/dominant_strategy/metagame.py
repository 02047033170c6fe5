"""The meta-game of a pool solved, as played and in resamples of the deals: mixture, support, circles, alpha-rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simkit.questions.dominant_strategy.cases import table_of
from simkit.questions.payoffs import Payoffs, half_interval, interval
from simkit.stats.metagame import alpha_rank, cyclic_share, nash, ratings

if TYPE_CHECKING:
    from simkit.questions.base import Asked

Floats = NDArray[np.float64]
LEAST_SHARE = 1e-6  # of a mixture: less is rounding of the linear program


@dataclass(frozen=True)
class Metagame:
    """What follows from a payoff matrix of n strategies; `_pm` are 95 % half-widths from resamples of the deals.

    Attributes:
        mixture: the Nash mixture, (n,); mixture_pm: its half-widths.
        chosen: the share of resamples in whose mixture a strategy is, (n,).
        same_support: the share of resamples whose mixture is of the very strategies of `mixture`.
        against: what each wins against `mixture`, (n,), and against_pm.
        ratings: what each wins on average over the pool, (n,), and ratings_pm.
        cyclic_share: see simkit.stats.metagame, and its range.
        alpha_ranks: see there, (n,), and alpha_ranks_pm.
    """

    mixture: Floats
    mixture_pm: Floats
    chosen: Floats
    same_support: float
    against: Floats
    against_pm: Floats
    ratings: Floats
    ratings_pm: Floats
    cyclic_share: float
    cyclic_range: tuple[float, float]
    alpha_ranks: Floats
    alpha_ranks_pm: Floats

    @property
    def support(self) -> list[int]:
        """The strategies of the mixture, the largest share first."""
        inside = [i for i, share in enumerate(self.mixture) if share > LEAST_SHARE]
        return sorted(inside, key=lambda i: -self.mixture[i])


def solve(asked: Asked, payoffs: Payoffs) -> Metagame:
    """Solves the matrix as played and all its resamples."""
    table = table_of(asked)
    every = payoffs.resamples
    mixtures = np.array([nash(matrix) for matrix in every])
    ranks = np.array([alpha_rank(matrix, table.population, table.alpha) for matrix in every])
    inside = mixtures > LEAST_SHARE
    rated = np.array([ratings(matrix) for matrix in every])
    against = every @ mixtures[0]
    shares = [cyclic_share(matrix) for matrix in every]
    return Metagame(
        mixture=mixtures[0],
        mixture_pm=_half_widths(mixtures),
        chosen=inside[1:].mean(axis=0),
        same_support=float((inside[1:] == inside[0]).all(axis=1).mean()),
        against=against[0],
        against_pm=_half_widths(against),
        ratings=rated[0],
        ratings_pm=_half_widths(rated),
        cyclic_share=shares[0],
        cyclic_range=interval(shares[1:]),
        alpha_ranks=ranks[0],
        alpha_ranks_pm=_half_widths(ranks),
    )


def _half_widths(values: Floats) -> Floats:
    """Half-widths of each column from the resamples, which stand behind the first row."""
    return np.array([half_interval(column) for column in values[1:].T])
