"""The search for a strategy's best parameters, against whoever it is to play.

By the evolution strategy CMA-ES (Hansen 2016, "The CMA evolution strategy: a tutorial"; the library cmaes) on deals of
its own, the same for all tries. The best few are compared on other deals, since the best of many tries owes some of it
to luck; for the same reason whoever asks measures the winner on deals that had no say in the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.errors import nearest
from simkit.plan import Arm
from simkit.questions.base import Searching
from simkit.questions.stakes import WINS, Stakes

Floats = NDArray[np.float64]
Ranges = Mapping[str, tuple[float, float]]
Parameters = dict[str, Any]

FINALISTS, FINAL_DEALS = 5, 4  # the best few are compared on so many times the deals of a try
SPREAD = 0.3  # of the first tries, as a part of each range
MOST_OF_SEED = 2**31 - 1


def check_tunable(label: str, pool: Mapping[str, Mapping[str, Any]]) -> None:
    """Raises ValueError for a label that is not in the pool, or a strategy without numbers to look for."""
    if label not in pool:
        raise ValueError(f"{label}: no such strategy in [strategies].{nearest(label, list(pool))}")
    if not numbers_of(pool[label]):
        raise ValueError(f"{label}: has no parameters that are numbers, so that there is nothing to search")


def numbers_of(parameters: Mapping[str, Any]) -> Parameters:
    """The parameters that can be tuned: those that are numbers."""
    return {name: value for name, value in parameters.items() if not isinstance(value, bool)}


def check_ranges(ranges: Ranges, known: Mapping[str, Any] | None) -> None:
    """Raises ValueError for a range that has no inside, or of what is no number among the `known` parameters."""
    for name, (low, high) in ranges.items():
        if known is not None and name not in numbers_of(known):
            raise ValueError(f"{name}: not a number that the strategy can be given.{nearest(name, list(known))}")
        if not low < high:
            raise ValueError(f"{name}: the lowest value, then a higher one")


@dataclass(frozen=True)
class Space:
    """The parameters that are searched, each on its range.

    Attributes:
        names: of the parameters.
        lows, highs: ends of their ranges.
        start: where the search begins, in the unit cube.
        whole: which of them are whole numbers.
    """

    names: Sequence[str]
    lows: Floats
    highs: Floats
    start: Floats
    whole: Sequence[bool]

    @classmethod
    def of(cls, now: Mapping[str, Any], ranges: Ranges) -> Space:
        """The space of these `ranges`; without any, that of all numbers, from 0 to twice what they are `now`."""
        found = ranges or {name: _usual_range(value) for name, value in numbers_of(now).items()}
        lows, highs = (np.array([ends[i] for ends in found.values()], dtype=np.float64) for i in (0, 1))
        start = np.array([float(now[name]) for name in found])
        whole = [isinstance(now[name], int) for name in found]
        return cls(list(found), lows, highs, np.clip((start - lows) / (highs - lows), 0, 1), whole)

    def parameters(self, point: Floats) -> Parameters:
        """The parameters of a point of the unit cube."""
        values = self.lows + np.clip(point, 0, 1) * (self.highs - self.lows)
        made = zip(self.names, values.tolist(), self.whole, strict=True)
        return {name: round(value) if whole else float(f"{value:.4g}") for name, value, whole in made}


def _usual_range(value: float) -> tuple[float, float]:
    """From 0 to twice what it is; to 1 for a 0."""
    other_end = 2.0 * value or 1.0
    return min(0.0, other_end), max(0.0, other_end)


@dataclass(frozen=True)
class Evolved:
    """What a search has come to.

    Attributes:
        best: the sets of parameters that won most, the best first, and where the search was heading at its end.
        in_search: what the best try won, which is too much.
        tries: how many sets were played.
    """

    best: Sequence[Parameters]
    in_search: float
    tries: int


def evolve(space: Space, tries: int, seed: int, gains: Callable[[Sequence[Parameters]], Sequence[float]]) -> Evolved:
    """Looks for the parameters that gain most.

    Args:
        space: of the parameters.
        tries: how many sets are played, or a few more: whole generations are.
        seed: of the search.
        gains: what each of some sets gains.
    """
    from cmaes import CMA

    unit = np.tile([0.0, 1.0], (len(space.names), 1))
    cma = CMA(mean=space.start, sigma=SPREAD, bounds=unit, seed=seed % MOST_OF_SEED)
    tried: list[tuple[float, Parameters]] = []
    while len(tried) < tries:
        points = [cma.ask() for _ in range(cma.population_size)]
        sets = [space.parameters(point) for point in points]
        won = gains(sets)
        tried += zip(won, sets, strict=True)
        cma.tell([(point, -gain) for point, gain in zip(points, won, strict=True)])
        if cma.should_stop():
            break
    best = sorted(tried, key=lambda one: -one[0])[:FINALISTS]
    return Evolved([*(parameters for _, parameters in best), space.parameters(cma.mean)], best[0][0], len(tried))


def gains(
    trials: Searching,
    rows: Sequence[Sequence[Arm]],
    weights: Sequence[float],
    first: int,
    deals: int,
    stakes: Stakes = WINS,
) -> list[float]:
    """What player 0 wins above an even share in each row of arms, by the arms' weights; without an end of a game 0."""
    arms = [arm for row in rows for arm in row]
    observed = trials.observe(arms, stakes.player(0), first, deals)
    won = [
        wins.sum() / games.sum() - stakes.even_share(len(arm.lineup)) if games.any() else 0.0
        for arm, (wins, games) in zip(arms, observed, strict=True)
    ]
    return [float(gain) for gain in np.array(won).reshape(len(rows), -1) @ np.array(weights)]
