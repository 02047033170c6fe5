"""Strategies that look for their best parameters at each value of a rule, before the value is judged.

At each value a strategy is tuned against those whom it meets in the line-ups that are judged, itself included, all of
whom play as they are: one round of best answers, not an equilibrium. What it has found counts where it gains for
certain (95 %) on deals of the search that had no say in finding it; elsewhere the strategy plays on as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from simkit.answer import Estimate
from simkit.measures import WinRate
from simkit.plan import Arm, Plan, Results
from simkit.played import UNITS
from simkit.questions import tuning
from simkit.questions.base import Asked, Lineup, Piece, Searching, is_mirror, shifted
from simkit.questions.fair_rule.aims import Tuned, aims_of, grid_of, lineup_at, rule_words
from simkit.questions.fair_rule.settings import Retune, settings_of
from simkit.questions.sweep.cases import arm_of
from simkit.series import Series, Together
from simkit.stats.ratios import contrast
from simkit.tally import Moments

PROOF_DEALS = 40  # so many times the deals of a try say whether what was found gains anything


@dataclass(frozen=True)
class Tuning:
    """What one strategy has found at one value.

    Attributes:
        value: of the rule.
        label: of the strategy.
        parameters: the best that it has found.
        adopted: whether that gained for certain, so that the strategy plays by it.
        tries: how many sets of parameters were played.
    """

    value: Any
    label: str
    parameters: Mapping[str, Any]
    adopted: bool
    tries: int


def retune_of(asked: Asked) -> Retune:
    """The experiment's own table."""
    retune = settings_of(asked).retune
    assert retune is not None
    return retune


def tuned_labels(asked: Asked) -> list[str]:
    """The strategies that are tuned: of those that play, the ones named, or all that have numbers."""
    named, playing = retune_of(asked).strategies, {label for aim in aims_of(asked) for label in aim.lineup}
    pool = asked.experiment.strategies
    return [
        label
        for label in asked.labels
        if label in playing and tuning.numbers_of(pool[label].parameters) and (not named or label in named)
    ]


def tries_deals(asked: Asked, deals: int) -> int:
    """On how many deals each set of parameters is tried in a run of `deals`."""
    return min(retune_of(asked).deals, deals)


def tables_of(asked: Asked, label: str, value: Any) -> list[Lineup]:
    """Where a strategy sits at a value, itself at seat 0; all seats are played, so that turning a table is the same."""
    found = []
    for lineup in dict.fromkeys(lineup_at(asked, aim.lineup, value) for aim in aims_of(asked)):
        if label in lineup:
            place = lineup.index(label)
            found.append(lineup[place:] + lineup[:place])
    return list(dict.fromkeys(found))


def _alone(asked: Asked, lineup: Lineup, value: Any, parameters: Mapping[str, Any], name: str = "tuned") -> Arm:
    """A table at which only the strategy at seat 0 plays by other parameters."""
    arm = arm_of(asked, lineup, ((settings_of(asked).key, value),))
    changed = (dict(parameters), *({} for _ in lineup[1:]))
    return replace(arm, name=f"{lineup[0]} {name} at {arm.name}", parameters=changed)


def _as_it_is(asked: Asked, lineup: Lineup, value: Any) -> Arm:
    return arm_of(asked, lineup, ((settings_of(asked).key, value),))


@dataclass(frozen=True)
class _Gain:
    """What a strategy gains by other parameters, on average over its tables, all others as they are.

    Against itself as it is it would have an even share, so that table is not played.
    """

    arms: tuple[Arm, ...]
    terms: tuple[tuple[Fraction, int, int], ...]
    even: float

    @classmethod
    def of(cls, asked: Asked, label: str, value: Any, parameters: Mapping[str, Any]) -> _Gain:
        arms, weights, even = list[Arm](), list[Fraction](), 0.0
        tables = tables_of(asked, label, value)
        for lineup in tables:
            arms.append(_alone(asked, lineup, value, parameters))
            weights.append(Fraction(1, len(tables)))
            if is_mirror(lineup):
                even += 1 / len(lineup) / len(tables)
            else:
                arms.append(_as_it_is(asked, lineup, value))
                weights.append(-weights[-1])
        return cls(tuple(arms), tuple((weight, 2 * i, 2 * i + 1) for i, weight in enumerate(weights)), even)

    def estimate(self, moments: Moments) -> Estimate:
        """The gain, from a numerator and a denominator for each arm."""
        return shifted(contrast(moments, self.terms, UNITS), -self.even)


def search(asked: Asked, results: Results, trials: Searching) -> dict[str, Any]:
    """What every strategy finds at every value."""
    deals = tries_deals(asked, results.moments(results.plan.headline).n)
    places = [(i, label) for i in range(len(settings_of(asked).values)) for label in tuned_labels(asked)]
    pieces = [_piece(asked, place, label, deals, trials) for place, label in places]
    found = trials.pieces(pieces)
    return {"tunings": [{"place": i, "label": n, **one} for (i, n), one in zip(places, found, strict=True)]}


def _piece(asked: Asked, place: int, label: str, deals: int, trials: Searching) -> Piece:
    value = settings_of(asked).values[place]
    tables = len(tables_of(asked, label, value))
    played = retune_of(asked).tries + (tuning.FINALISTS + 1) * tuning.FINAL_DEALS + 2 * PROOF_DEALS
    name = f"tuning {label} at {rule_words(asked, value)}"
    return Piece(name, played * tables * deals, partial(_tune, asked, label, value, deals, trials))


def _tune(asked: Asked, label: str, value: Any, deals: int, trials: Searching) -> dict[str, Any]:
    """The best parameters of a strategy at a value, and whether they gain for certain."""
    tables = tables_of(asked, label, value)
    weights = [1 / len(tables)] * len(tables)

    def gains(first: int, n: int, sets: Sequence[Mapping[str, Any]]) -> list[float]:
        rows = [[_alone(asked, table, value, one) for table in tables] for one in sets]
        return tuning.gains(trials, rows, weights, first, n)

    use, retune = asked.experiment.strategies[label], retune_of(asked)
    space = tuning.Space.of(use.parameters, retune.ranges.get(label, {}))
    evolved = tuning.evolve(space, retune.tries, asked.experiment.seed, partial(gains, 0, deals))
    final = gains(deals, tuning.FINAL_DEALS * deals, evolved.best)
    best = evolved.best[int(np.argmax(final))]
    proof = _Gain.of(asked, label, value, best)
    from_deal = (1 + tuning.FINAL_DEALS) * deals
    observed = trials.observe(proof.arms, WinRate(0), from_deal, PROOF_DEALS * deals)
    gain = proof.estimate(Moments.of([column for pair in observed for column in pair]))
    return {"parameters": best, "adopted": bool(gain.low > 0), "tries": evolved.tries}


def tunings_of(asked: Asked, found: Mapping[str, Any]) -> tuple[Tuning, ...]:
    """What was found, by value and strategy."""
    values = settings_of(asked).values
    return tuple(
        Tuning(values[one["place"]], one["label"], one["parameters"], one["adopted"], one["tries"])
        for one in found["tunings"]
    )


def adopted(tunings: Iterable[Tuning]) -> dict[Any, dict[str, Mapping[str, Any]]]:
    """How the strategies play at each value: the parameters that gained something there, by label."""
    found: dict[Any, dict[str, Mapping[str, Any]]] = {}
    for one in tunings:
        if one.adopted:
            found.setdefault(one.value, {})[one.label] = one.parameters
    return found


def gain_name(asked: Asked, one: Tuning) -> str:
    """Name of the series that a gain is estimated from."""
    return f"gain/{one.label} | {rule_words(asked, one.value)}"


def plan(asked: Asked, found: Mapping[str, Any]) -> Plan:
    """Every aim at every value, by strategies as they have tuned themselves, and what each gains by it alone."""
    tunings = tunings_of(asked, found)
    tuned: Mapping[Any, Tuned] = adopted(tunings)
    grid, series = grid_of(asked, settings_of(asked).values, tuned)
    arms = {arm.name: arm for arm in grid}
    headline = series[0].name
    for one in tunings:
        gain = _Gain.of(asked, one.label, one.value, one.parameters)
        arms |= {arm.name: arm for arm in gain.arms}
        measured: Series = Together(gain_name(asked, one), tuple((arm.name, WinRate(0)) for arm in gain.arms))
        series.append(measured)
    return Plan(tuple(arms.values()), tuple(series), headline)


def gain_of(asked: Asked, tuned: Results, one: Tuning) -> Estimate:
    """What a strategy gains by what it has found, on fresh deals."""
    gain = _Gain.of(asked, one.label, one.value, one.parameters)
    return gain.estimate(tuned.moments(gain_name(asked, one)))
