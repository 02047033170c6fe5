"""What the kind fair_rule plays: every aim at every value of a rule, and the value that was chosen once more."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simkit.plan import Plan, Results
from simkit.questions import coverage
from simkit.questions.base import Asked, FollowUp, Searching
from simkit.questions.examples import example_series
from simkit.questions.fair_rule import tuned as fair_tuning
from simkit.questions.fair_rule.aims import aims_of, arms_at, deviation, effect_name, grid_of, judged_aims
from simkit.questions.fair_rule.settings import settings_of
from simkit.questions.fair_rule.tuned import Tuning
from simkit.questions.ladder import with_ladder
from simkit.questions.sweep.axes import RULES


def plan(asked: Asked) -> Plan:
    """Every aim at every value, all on the same deals."""
    values = settings_of(asked).values
    arms, series = grid_of(asked, values)
    for value in values:
        series += example_series(asked, arms_at(asked, aims_of(asked)[-1], value)[0].name)
    series += coverage.coverage_series(asked, [arm.name for arm in arms])
    made = Plan(tuple(arms), tuple(series), effect_name(asked, aims_of(asked)[0], values[0]))
    return with_ladder(asked, [aim.lineup for aim in aims_of(asked)], made)


@dataclass(frozen=True)
class Stages:
    """What has been played so far.

    Attributes:
        shipped: all values, by strategies as they are.
        tunings: what re-tuning has found; None when it was not asked for, or is not done.
        tuned: all values, by re-tuned strategies, and what these gain; None likewise.
        chosen: the value chosen, by its place; None when none has been measured on fresh deals.
        fresh: the value chosen on deals that had no say in the choice; None likewise.
    """

    shipped: Results
    tunings: tuple[Tuning, ...] | None = None
    tuned: Results | None = None
    chosen: int | None = None
    fresh: Results | None = None

    @property
    def grid(self) -> Results:
        """The results that a value is chosen by."""
        return self.tuned or self.shipped


def stages_of(asked: Asked, results: Results) -> Stages:
    """The results, stage by stage."""
    if settings_of(asked).retune is None:
        return _chosen_from(Stages(results), results)
    if results.found is None or results.fresh is None:
        return Stages(results)
    tunings = fair_tuning.tunings_of(asked, results.found)
    return _chosen_from(Stages(results, tunings, results.fresh), results.fresh)


def _chosen_from(stages: Stages, results: Results) -> Stages:
    if results.found is None or results.fresh is None:
        return stages
    return Stages(stages.shipped, stages.tunings, stages.tuned, results.found["chosen"], results.fresh)


def worst_of(asked: Asked, results: Results, value: Any) -> float:
    """The largest deviation over all aims; infinite where one could not be observed."""
    found = [abs(deviation(asked, results, aim, value).value) for aim in judged_aims(asked, results)]
    return math.inf if any(map(math.isnan, found)) else max(found)


def nearest_value(asked: Asked, results: Results) -> Any:
    """The value whose largest deviation is the smallest; of equal ones the rule as it is, else the first."""
    settings = settings_of(asked)
    now = asked.rules[settings.key.removeprefix(RULES)]
    now = tuple(now) if isinstance(now, list) else now
    return min(settings.values, key=lambda value: (worst_of(asked, results, value), value != now))


def chosen_value(asked: Asked, stages: Stages) -> Any:
    """The value that was measured on fresh deals, or that would be."""
    if stages.chosen is not None:
        return settings_of(asked).values[stages.chosen]
    return nearest_value(asked, stages.grid)


def _choose(asked: Asked, results: Results, _trials: Searching) -> dict[str, Any]:
    """The place of the value chosen, and how strategies play there; nothing more is played than the grid."""
    stages, values = stages_of(asked, results), settings_of(asked).values
    value = nearest_value(asked, stages.grid)
    adopted = fair_tuning.adopted(stages.tunings or ())
    return {"chosen": values.index(value), "tuned": adopted.get(value, {})}


def _fresh_plan(asked: Asked, found: Mapping[str, Any]) -> Plan:
    """Every aim at the value chosen."""
    value = settings_of(asked).values[found["chosen"]]
    arms, series = grid_of(asked, [value], {value: found["tuned"]})
    return Plan(tuple(arms), tuple(series), series[0].name)


CHOICE = FollowUp(lambda asked: True, _choose, _fresh_plan)
FOLLOW_UP = FollowUp(lambda asked: settings_of(asked).retune is not None, fair_tuning.search, fair_tuning.plan, CHOICE)
