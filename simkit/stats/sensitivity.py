"""Which of several inputs a number depends on, over all their values at once: Sobol's and Morris's methods, by SALib.

Sobol (Saltelli et al. 2010): S1 is the share of the variance that an input makes by itself, ST the share that would
vanish with it, interactions included. Morris (1991; μ* Campolongo et al. 2007): the mean size of what one step of an
input changes, and how much that differs from place to place. A step is half of the input's range, and μ* and σ are in
units of the output a step, not, as SALib has them, for the whole range: what a step changes was seen, the rest was not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from simkit.errors import UsageError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Method = Literal["sobol", "morris"]

SOBOL_FIRST, SOBOL_TOTAL = 0, 1  # rows of the indices
MORRIS_SIZE, MORRIS_SPREAD = 0, 1
RANKED_BY: dict[Method, int] = {"sobol": SOBOL_TOTAL, "morris": MORRIS_SIZE}
CHANGE = 2  # Sobol: the mean at an input's last value less that at its first; Morris: what a step up changes (μ)
MISSING = 'this kind of question needs SALib: pip install "simkit[sensitivity]"'
_MOST_LEVELS = 2_520  # of Morris's grid: the least common multiple of 1 … 10
_Z = 1.959964  # of a 95 % interval


@dataclass(frozen=True, eq=False)
class Design:
    """The points at which a number has to be known, in blocks that belong together.

    Attributes:
        method: whose design it is.
        counts: how many values each input has.
        points: (rows, inputs), each from 0 to 1.
        levels: of the grid (Morris); 0 without one.
        seed: of the design, and of its resamples.
    """

    method: Method
    counts: tuple[int, ...]
    points: Floats
    levels: int
    seed: int

    @cached_property
    def picks(self) -> Integers:
        """Which of its values each input has, (rows, inputs): each value as often as any other."""
        counts = np.array(self.counts)
        picks: Integers = np.minimum((self.points * counts).astype(np.int64), counts - 1)
        return picks

    @property
    def block(self) -> int:
        """Rows that belong together: a sample and its crossings (Sobol), a trajectory (Morris)."""
        return len(self.counts) + (2 if self.method == "sobol" else 1)

    @property
    def step(self) -> float:
        """What a step of Morris's grid is of the whole range, a little more than half."""
        return self.levels / (2 * (self.levels - 1))

    def rows(self, blocks: Integers) -> Integers:
        """The rows of some blocks."""
        return (blocks[:, None] * self.block + np.arange(self.block)).ravel()


@lru_cache(maxsize=8)
def design(method: Method, samples: int, counts: tuple[int, ...], seed: int) -> Design:
    """A design of `samples` blocks.

    Args:
        method: Sobol's sequence, scrambled, crossed as Saltelli does (samples a power of 2); or Morris's trajectories.
        samples: rows of the sequence, or trajectories.
        counts: how many values each input has, 2 or more.
        seed: equal seeds give equal designs.

    Raises:
        UsageError: SALib is not installed.
    """
    if method == "sobol":
        points = _salib("sample.sobol").sample(_problem(counts), samples, calc_second_order=False, seed=seed)
        return Design(method, counts, np.asarray(points, np.float64), 0, seed)
    common = math.lcm(2, *counts)  # with so many levels, or a multiple, each value is picked equally often
    levels = common if common <= _MOST_LEVELS else _MOST_LEVELS
    points = _salib("sample.morris").sample(_problem(counts), samples, num_levels=levels, seed=seed)
    return Design(method, counts, np.asarray(points, np.float64), levels, seed)


def indices(made: Design, values: Floats, blocks: Integers | None = None) -> Floats:
    """S1, ST and the change from an input's first value to its last, or μ*, σ and μ of a step; (3, inputs).

    All are 0 where the number is the same everywhere, and NaN where it is not known everywhere; a change is NaN where
    a value does not occur.

    Args:
        made: the design.
        values: the number at each row, (rows,).
        blocks: those that count, as often as they are named; all of them once by default.
    """
    rows = made.rows(np.arange(len(values) // made.block) if blocks is None else blocks)
    y, picks = values[rows], made.picks[rows]
    if not np.isfinite(y).all():
        return np.full((3, len(made.counts)), np.nan)
    if np.ptp(y) == 0:
        return np.zeros((3, len(made.counts)))
    if made.method == "sobol":
        return np.array([*_first_and_total(made, y), _changes(made, picks, y)])
    common = {"num_levels": made.levels, "num_resamples": 2, "seed": 1}  # `sampled` does the resampling
    of = _salib("analyze.morris").analyze(_problem(made.counts), made.points[rows], y, **common)
    return made.step * np.array([np.asarray(of[name]) for name in ("mu_star", "sigma", "mu")])


def _first_and_total(made: Design, y: Floats) -> list[list[float]]:
    """S1 and ST by SALib's estimators, to the bit as its `analyze` has them, which first resamples on its own."""
    of = _salib("analyze.sobol")
    sample, *crossed, other = ((y - y.mean()) / y.std()).reshape(-1, made.block).T
    return [[float(estimate(sample, each, other)) for each in crossed] for estimate in (of.first_order, of.total_order)]


def _changes(made: Design, picks: Integers, y: Floats) -> list[float]:
    """The mean at each input's last value less that at its first."""
    ends = [[y[picks[:, i] == pick] for pick in (0, count - 1)] for i, count in enumerate(made.counts)]
    return [last.mean() - first.mean() if first.size and last.size else math.nan for first, last in ends]


@dataclass(frozen=True, eq=False)
class Sampled:
    """Numbers, and what they are with other points of the design and with other deals.

    Attributes:
        value: of any shape.
        by_design: (resamples, *shape), other points of the design, the same deals.
        by_deals: likewise, the same design, other deals.
    """

    value: Floats
    by_design: Floats
    by_deals: Floats

    def map(self, what: Callable[[Floats], Floats]) -> Sampled:
        """What is made of these numbers; `what` works on their last axes."""
        return Sampled(*(np.asarray(what(part)) for part in (self.value, self.by_design, self.by_deals)))

    @property
    def design_half(self) -> Floats:
        """Half of the 95 % interval for the uncertainty of the design alone."""
        return _half(self.by_design)

    @property
    def deals_half(self) -> Floats:
        """Likewise of the deals."""
        return _half(self.by_deals)

    @property
    def half(self) -> Floats:
        """Likewise of both, which are independent of each other."""
        both: Floats = np.hypot(self.design_half, self.deals_half)
        return both


def _half(resamples: Floats) -> Floats:
    """1.96 standard deviations over the first axis; NaN where fewer than two are known."""
    known = np.isfinite(resamples)
    n = known.sum(axis=0)
    centred = np.where(known, resamples, 0.0)
    mean = centred.sum(axis=0) / np.maximum(n, 1)
    squares = (np.where(known, resamples - mean, 0.0) ** 2).sum(axis=0)
    half: Floats = _Z * np.sqrt(np.where(n > 1, squares / np.maximum(n - 1, 1), np.nan))
    return half


def sampled(made: Design, values: Floats) -> Sampled:
    """The indices with what resampling makes of them: whole blocks of the design, and the deals.

    Args:
        made: the design.
        values: (1 + resamples, rows), the number at each row, as played and then in resamples of the deals.
    """
    blocks = len(made.points) // made.block
    rng = np.random.default_rng([made.seed, blocks])
    draws = rng.integers(blocks, size=(len(values) - 1, blocks))
    by_design = [indices(made, values[0], draw) for draw in draws]
    by_deals = [indices(made, played) for played in values[1:]]
    return Sampled(indices(made, values[0]), np.array(by_design), np.array(by_deals))


def noise_share(values: Floats) -> float:
    """Which part of a number's variance over the design is the luck of the deals; NaN where it is not known.

    What moves all rows together cannot be taken for an input's effect, and does not count.

    Args:
        values: as in `sampled`.
    """
    known = values[np.isfinite(values).all(axis=1)]
    if len(known) < 3 or not np.isfinite(values[0]).all() or np.ptp(values[0]) == 0:
        return math.nan
    moved = known[1:] - known[1:].mean(axis=1, keepdims=True)
    return float(moved.var(axis=0, ddof=1).mean() / values[0].var())


def _problem(counts: Sequence[int]) -> dict[str, Any]:
    """The inputs as SALib describes them."""
    names = [str(i) for i in range(len(counts))]
    return {"num_vars": len(counts), "names": names, "bounds": [[0.0, 1.0]] * len(counts)}


def _salib(module: str) -> Any:
    """A module of SALib. Raises UsageError when SALib is not installed."""
    from importlib import import_module

    try:
        return import_module(f"SALib.{module}")
    except ImportError:
        raise UsageError(MISSING) from None
