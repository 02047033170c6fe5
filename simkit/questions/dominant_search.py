"""The search for a best answer: parameters of a strategy that win against the pool's balanced mixture.

By the evolution strategy CMA-ES (Hansen 2016, "The CMA evolution strategy: a tutorial"; the library cmaes) on deals of
its own, the same for all tries. The best few are compared on other deals, and the winner is measured on fresh ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.answer import Estimate
from simkit.plan import Plan, Results
from simkit.questions.base import Asked, FollowUp, Searching
from simkit.questions.dominant_cases import (
    PAYOFFS,
    Contender,
    Search,
    arm_of,
    contenders,
    meetings,
    table_of,
)
from simkit.questions.metagame import solve
from simkit.questions.payoffs import Payoffs, half_interval, interval, rates_of
from simkit.questions.stakes import stakes_of
from simkit.series import Ratio, Resampled, Series

Floats = NDArray[np.float64]
FINALISTS, FINAL_DEALS = 5, 4  # the best few are compared on so many times the deals of a try
SPREAD = 0.3  # of the first tries, as a part of each range
MOST_OF_SEED = 2**31 - 1


@dataclass(frozen=True)
class _Space:
    """The parameters that are searched, each on its range."""

    names: Sequence[str]
    lows: Floats
    highs: Floats
    start: Floats
    whole: Sequence[bool]

    def parameters(self, point: Floats) -> dict[str, Any]:
        """The parameters of a point of the unit cube."""
        values = self.lows + np.clip(point, 0, 1) * (self.highs - self.lows)
        made = zip(self.names, values.tolist(), self.whole, strict=True)
        return {name: round(value) if whole else float(f"{value:.4g}") for name, value, whole in made}


def search_of(asked: Asked) -> Search:
    """The experiment's own search."""
    search = table_of(asked).search
    assert search is not None
    return search


def _space(asked: Asked) -> _Space:
    search = search_of(asked)
    now = asked.experiment.strategies[search.strategy].parameters
    numbers = {name: value for name, value in now.items() if not isinstance(value, bool)}
    ranges = search.ranges or {name: (0.0, 2.0 * value or 1.0) for name, value in numbers.items() if value >= 0}
    lows, highs = (np.array([ends[i] for ends in ranges.values()]) for i in (0, 1))
    start = np.array([float(now[name]) for name in ranges])
    whole = [isinstance(now[name], int) for name in ranges]
    return _Space(list(ranges), lows, highs, np.clip((start - lows) / (highs - lows), 0, 1), whole)


def payoffs_of(asked: Asked, results: Results) -> Payoffs:
    """The payoffs of the pool."""
    arms = {(m.first, m.second): m.arm.name for m in meetings(asked)}
    names = tuple(one.name for one in contenders(asked))
    return Payoffs(names, asked.seats, arms, results, PAYOFFS, asked.experiment.margin, stakes_of(asked))


def _search(asked: Asked, results: Results, trials: Searching) -> dict[str, Any]:
    """The parameters that won most, what they won in the search, and the mixture that they played against."""
    from cmaes import CMA

    game, search, space = solve(asked, payoffs_of(asked, results)), search_of(asked), _space(asked)
    mixture = {i: float(game.mixture[i]) for i in game.support}
    unit = np.tile([0.0, 1.0], (len(space.names), 1))
    seed = asked.experiment.seed % MOST_OF_SEED
    cma = CMA(mean=space.start, sigma=SPREAD, bounds=unit, seed=seed)
    tried: list[tuple[float, dict[str, Any]]] = []
    while len(tried) < search.tries:
        points = [cma.ask() for _ in range(cma.population_size)]
        sets = [space.parameters(point) for point in points]
        gains = _gains(asked, mixture, sets, trials, 0, search.deals)
        tried += zip(gains, sets, strict=True)
        cma.tell([(point, -gain) for point, gain in zip(points, gains, strict=True)])
        if cma.should_stop():
            break
    best = sorted(tried, key=lambda one: -one[0])[:FINALISTS]
    finals = [*(parameters for _, parameters in best), space.parameters(cma.mean)]
    gains = _gains(asked, mixture, finals, trials, search.deals, FINAL_DEALS * search.deals)
    winner = int(np.argmax(gains))
    mix = {str(i): share for i, share in mixture.items()}
    return {"parameters": finals[winner], "in_search": best[0][0], "tries": len(tried), "mixture": mix}


def _gains(
    asked: Asked,
    mixture: Mapping[int, float],
    sets: Sequence[Mapping[str, Any]],
    trials: Searching,
    first: int,
    deals: int,
) -> list[float]:
    """What each set of parameters wins against the mixture above an even share; a line-up without an end counts 0."""
    every = contenders(asked)
    arms = [
        arm_of(asked, Contender(BEST_ANSWER, search_of(asked).strategy, parameters), every[i])
        for parameters in sets
        for i in mixture
    ]
    stakes = stakes_of(asked)
    observed, even = trials.observe(arms, stakes.player(0), first, deals), stakes.even_share(asked.seats)
    rates = [won.sum() / games.sum() - even if games.any() else 0.0 for won, games in observed]
    table = np.array(rates).reshape(len(sets), len(mixture))
    return [float(gain) for gain in table @ np.array(list(mixture.values()))]


BEST_ANSWER = "best answer"


def _fresh_plan(asked: Asked, found: Mapping[str, Any]) -> Plan:
    """What was found against each strategy of the mixture."""
    every = contenders(asked)
    one = Contender(BEST_ANSWER, search_of(asked).strategy, found["parameters"])
    arms = [arm_of(asked, one, every[int(i)]) for i in found["mixture"]]
    measure = stakes_of(asked).player(0)
    series: list[Series] = [Ratio(f"pool/{arm.name}", arm.name, measure) for arm in arms]
    series.append(Resampled(PAYOFFS, tuple((arm.name, measure) for arm in arms), asked.experiment.seed))
    return Plan(tuple(arms), tuple(series), series[0].name)


@dataclass(frozen=True)
class BestAnswer:
    """What a search has found.

    Attributes:
        strategy, parameters: which strategy, with which parameters.
        gain: what it wins against the mixture above an even share, on fresh deals.
        in_search: what the best try won in the search itself, which is too much.
        tries, deals: how many sets of parameters were played, on how many deals each.
    """

    strategy: str
    parameters: Mapping[str, Any]
    gain: Estimate
    in_search: float
    tries: int
    deals: int


def best_answer_of(asked: Asked, results: Results) -> BestAnswer | None:
    """What the search has found, measured on fresh deals; None when there was none, or it is not done."""
    if results.found is None or results.fresh is None:
        return None
    shares = np.array(list(results.found["mixture"].values()))
    gains = rates_of(results.fresh.resamples(PAYOFFS), stakes_of(asked).even_share(asked.seats)) @ shares
    low, high = interval(gains[1:])
    series = results.fresh.plan.series[:-1]
    counts = [results.fresh.estimate(one.name) for one in series]
    deals, count = min(e.deals for e in counts), sum(e.count for e in counts)
    gain = Estimate(float(gains[0]), low, high, half_interval(gains[1:]) / 1.96, deals, count)
    search = search_of(asked)
    return BestAnswer(
        search.strategy,
        results.found["parameters"],
        gain,
        results.found["in_search"],
        results.found["tries"],
        search.deals,
    )


FOLLOW_UP = FollowUp(lambda asked: table_of(asked).search is not None, _search, _fresh_plan)
