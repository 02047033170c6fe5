"""The search for a best answer: parameters of a strategy that win against the pool's balanced mixture.

The search itself is simkit.questions.tuning; what it finds is measured on fresh deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from simkit.answer import Estimate
from simkit.plan import Arm, Plan, Results
from simkit.questions import tuning
from simkit.questions.base import Asked, FollowUp, Piece, Searching
from simkit.questions.dominant_strategy.cases import (
    PAYOFFS,
    Contender,
    Search,
    arm_of,
    contenders,
    meetings,
    table_of,
)
from simkit.questions.dominant_strategy.metagame import solve
from simkit.questions.payoffs import Payoffs, half_interval, interval, rates_of
from simkit.questions.stakes import stakes_of
from simkit.series import Ratio, Resampled, Series


def search_of(asked: Asked) -> Search:
    """The experiment's own search."""
    search = table_of(asked).search
    assert search is not None
    return search


def payoffs_of(asked: Asked, results: Results) -> Payoffs:
    """The payoffs of the pool."""
    arms = {(m.first, m.second): m.arm.name for m in meetings(asked)}
    names = tuple(one.name for one in contenders(asked))
    return Payoffs(names, asked.seats, arms, results, PAYOFFS, asked.experiment.margin, stakes_of(asked))


def _search(asked: Asked, results: Results, trials: Searching) -> dict[str, Any]:
    """The parameters that won most, what they won in the search, and the mixture that they played against."""
    game, search = solve(asked, payoffs_of(asked, results)), search_of(asked)
    mixture = {i: float(game.mixture[i]) for i in game.support}
    space = tuning.Space.of(asked.experiment.strategies[search.strategy].parameters, search.ranges)

    def gains(sets: Sequence[Mapping[str, Any]], first: int, deals: int) -> list[float]:
        """What each set of parameters wins against the mixture above an even share."""
        rows = [[_against(asked, parameters, i) for i in mixture] for parameters in sets]
        return tuning.gains(trials, rows, list(mixture.values()), first, deals, stakes_of(asked))

    def evolved() -> dict[str, Any]:
        seed = asked.experiment.seed
        return asdict(tuning.evolve(space, search.tries, seed, lambda sets: gains(sets, 0, search.deals)))

    tried = len(mixture) * search.deals * search.tries
    (found,) = trials.pieces([Piece(f"searching a better {search.strategy}", tried, evolved)])

    def compared() -> dict[str, Any]:
        return {"gains": gains(found["best"], search.deals, tuning.FINAL_DEALS * search.deals)}

    finals = len(mixture) * search.deals * tuning.FINAL_DEALS * len(found["best"])
    (final,) = trials.pieces([Piece("comparing the best few", finals, compared)])
    winner = found["best"][int(np.argmax(final["gains"]))]
    mix = {str(i): share for i, share in mixture.items()}
    return {"parameters": winner, "in_search": found["in_search"], "tries": found["tries"], "mixture": mix}


def _against(asked: Asked, parameters: Mapping[str, Any], opponent: int) -> Arm:
    """The strategy that is searched, with these parameters, against a contender."""
    return arm_of(asked, Contender(BEST_ANSWER, search_of(asked).strategy, parameters), contenders(asked)[opponent])


BEST_ANSWER = "best answer"


def _fresh_plan(asked: Asked, found: Mapping[str, Any]) -> Plan:
    """What was found against each strategy of the mixture."""
    arms = [_against(asked, found["parameters"], int(i)) for i in found["mixture"]]
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
