"""What the kind fair_rule plays: every line-up at every value of a rule, and the value that was chosen once more."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo, field_validator, model_validator

from simkit.experiment import Settings, Share
from simkit.measures import SeatWinRate, UnfinishedShare, WinRate, WithoutWinnerShare
from simkit.plan import Arm, Plan, Results
from simkit.questions import coverage
from simkit.questions.base import Asked, FollowUp, Lineup, Pairs, Searching, arm_name, is_mirror, lineups, shifted
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.questions.sweep_axes import RULES, Values, check_settings, rule_values, words_of
from simkit.questions.sweep_cases import arm_of
from simkit.series import Ratio, Series, Together

SEAT = "seat"


class LineupTarget(Settings):
    """What a line-up is to come to: games won by the strategy that is named first."""

    lineup: Pairs
    win_rate: Share

    @field_validator("lineup", mode="before")
    @classmethod
    def _one(cls, labels: Any) -> Any:
        if not isinstance(labels, (list, tuple)) or not all(isinstance(label, str) for label in labels):
            raise ValueError('the strategies at the table, such as ["greedy", "random"]')
        if len(set(labels)) < 2:
            raise ValueError("a strategy against itself always wins an even share; name two different ones")
        return [labels]  # checked as a list of pairs that has one


def _target(given: Any) -> Any:
    if given == SEAT:
        return None
    if isinstance(given, dict):
        return given
    raise ValueError('"seat", or a line-up with its win rate: { lineup = ["greedy", "random"], win_rate = 0.6 }')


class FairRule(Settings):
    """The table [fair_rule]: the `key` of a rule, the `values` to choose from, and what counts as fair.

    `target` is "seat" (None in here): the first player's win rate is an even share; or a line-up with its win rate.
    """

    key: str
    values: Values
    target: Annotated[LineupTarget | None, BeforeValidator(_target)] = None
    pairs: Pairs = "mirrors"

    @field_validator("key")
    @classmethod
    def _is_a_rule(cls, key: str, info: ValidationInfo) -> str:
        rule_values(key, (), info.context or {})
        return key

    @field_validator("values")
    @classmethod
    def _fit_the_rule(cls, values: tuple[Any, ...], info: ValidationInfo) -> tuple[Any, ...]:
        key, context = info.data.get("key"), info.context or {}
        if key is None:
            return values
        found = rule_values(key, values, context)
        check_settings([((key, value),) for value in found], context)
        return found

    @model_validator(mode="after")
    def _go_together(self) -> FairRule:
        if self.target is not None and "pairs" in self.model_fields_set:
            raise ValueError("a target names its line-up itself: leave out `pairs`")
        return self


def settings_of(asked: Asked) -> FairRule:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, FairRule)
    return table


def found_lineups(asked: Asked) -> list[Lineup]:
    """The line-ups that have to be fair at the value chosen."""
    settings = settings_of(asked)
    return lineups(asked, settings.pairs if settings.target is None else settings.target.lineup)


def arm_at(asked: Asked, lineup: Lineup, value: Any) -> Arm:
    """A line-up at a value of the rule."""
    return arm_of(asked, lineup, ((settings_of(asked).key, value),))


def rule_words(asked: Asked, value: Any) -> str:
    """`embark_cost = 15`."""
    return words_of(((settings_of(asked).key, value),))


def target_of(asked: Asked, arm: Arm) -> float:
    """The win rate that is aimed at."""
    target = settings_of(asked).target
    return 1 / len(arm.lineup) if target is None else target.win_rate


def share_name(arm: Arm) -> str:
    """Name of the series with the win rate that is judged."""
    return f"share/{arm.name}"


def together_name(lineup: Lineup) -> str:
    """Name of the series with that win rate at all values."""
    return f"together/{arm_name(lineup)}"


def plan(asked: Asked) -> Plan:
    """Every line-up at every value, all on the same deals."""
    measure = _measure(asked)
    arms: list[Arm] = []
    series: list[Series] = []
    for lineup in found_lineups(asked):
        mine = [arm_at(asked, lineup, value) for value in settings_of(asked).values]
        series.append(Together(together_name(lineup), tuple((arm.name, measure) for arm in mine)))
        arms += mine
    for arm in arms:
        series += [Ratio(share_name(arm), arm.name, measure), Ratio(f"unfinished/{arm.name}", arm.name, _UNFINISHED)]
        series.append(Ratio(f"without_winner/{arm.name}", arm.name, _NOBODY))
    for value in settings_of(asked).values:
        series += example_series(asked, arm_at(asked, found_lineups(asked)[-1], value).name)
    series += coverage.coverage_series(asked, [arm.name for arm in arms])
    return with_ladder(asked, found_lineups(asked), Plan(tuple(arms), tuple(series), share_name(arms[0])))


_UNFINISHED, _NOBODY = UnfinishedShare(), WithoutWinnerShare()


def _measure(asked: Asked) -> SeatWinRate | WinRate:
    return SeatWinRate(0) if settings_of(asked).target is None else WinRate(0)


def worst_of(asked: Asked, results: Results, value: Any) -> float:
    """The largest deviation from the target over all line-ups; infinite where a line-up has no win rate."""
    found = []
    for lineup in found_lineups(asked):
        arm = arm_at(asked, lineup, value)
        found.append(abs(shifted(results.estimate(share_name(arm)), -target_of(asked, arm)).value))
    return math.inf if any(map(math.isnan, found)) else max(found)


def nearest_value(asked: Asked, results: Results) -> Any:
    """The value whose largest deviation is the smallest; of equal ones the rule as it is, else the first."""
    settings = settings_of(asked)
    now = asked.rules[settings.key.removeprefix(RULES)]
    now = tuple(now) if isinstance(now, list) else now
    return min(settings.values, key=lambda value: (worst_of(asked, results, value), value != now))


def _choose(asked: Asked, results: Results, _trials: Searching) -> dict[str, Any]:
    """The place of the value chosen; nothing more is played for it than the plan."""
    return {"chosen": settings_of(asked).values.index(nearest_value(asked, results))}


def _fresh_plan(asked: Asked, found: Mapping[str, Any]) -> Plan:
    """Every line-up at the value chosen."""
    value = settings_of(asked).values[found["chosen"]]
    arms = [arm_at(asked, lineup, value) for lineup in found_lineups(asked)]
    series = [Ratio(share_name(arm), arm.name, _measure(asked)) for arm in arms]
    return Plan(tuple(arms), tuple(series), series[0].name)


def chosen_value(asked: Asked, results: Results) -> Any:
    """The value that was measured on fresh deals, or that would be."""
    if results.found is not None:
        return settings_of(asked).values[results.found["chosen"]]
    return nearest_value(asked, results)


def aim_words(asked: Asked) -> tuple[str, str]:
    """What is aimed at: whose win rate, and what it is to be."""
    target = settings_of(asked).target
    if target is None:
        return "the first player's win rate", "an even share"
    (lineup,) = found_lineups(asked)
    others = " and ".join(dict.fromkeys(label for label in lineup[1:] if label != lineup[0]))
    return f"the win rate of {lineup[0]} against {others}", f"{100 * target.win_rate:g} %"


def between_equals(asked: Asked) -> bool:
    """Whether all line-ups are of one strategy each."""
    return all(map(is_mirror, found_lineups(asked)))


FOLLOW_UP = FollowUp(lambda asked: True, _choose, _fresh_plan)
