"""What the kind dominant_strategy plays: every two of a pool and of a grid of parameters, on the same deals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_validator, model_validator

from simkit.experiment import Settings
from simkit.plan import Arm, Plan
from simkit.questions import coverage, pool
from simkit.questions.base import Asked
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.questions.stakes import JudgedBy, stakes_of
from simkit.questions.sweep.axes import STRATEGIES, Values, swept_parameter
from simkit.questions.tuning import check_ranges, check_tunable
from simkit.questions.words import toml_value
from simkit.series import Ratio, Resampled, Series

MOST_CONTENDERS = 60
PAYOFFS = "payoffs"


class Search(Settings):
    """The table [dominant_strategy.search]: a best answer to the balanced mixture is looked for.

    Attributes:
        strategy: the strategy of the pool whose parameters are changed.
        ranges: parameter -> its lowest and highest value; all of its numbers, by default from 0 to twice what they are.
        tries: how many sets of parameters are played.
        deals: on how many deals each.
    """

    strategy: str
    ranges: dict[str, tuple[float, float]] = Field(default_factory=dict)
    tries: Annotated[int, Field(ge=10, le=100_000)] = 600
    deals: Annotated[int, Field(ge=10, le=1_000_000)] = 400

    @field_validator("strategy")
    @classmethod
    def _of_the_pool(cls, label: str, info: ValidationInfo) -> str:
        check_tunable(label, (info.context or {}).get("parameters", {label: {"": 0.0}}))
        return label

    @field_validator("ranges")
    @classmethod
    def _of_its_parameters(
        cls, ranges: dict[str, tuple[float, float]], info: ValidationInfo
    ) -> dict[str, tuple[float, float]]:
        check_ranges(ranges, (info.context or {}).get("parameters", {}).get(info.data.get("strategy")))
        return ranges


class DominantStrategy(Settings):
    """The table [dominant_strategy].

    Attributes:
        grid: parameters of one strategy of the pool with their values; each combination joins the pool.
        search: a search for a best answer to the balanced mixture; None for none.
        population, alpha: of alpha-rank (see simkit.stats.metagame).
        judged_by: whether payoffs are games won or the score; None: what the game is played for.
    """

    grid: dict[str, Values] = Field(default_factory=dict)
    search: Search | None = None
    population: Annotated[int, Field(ge=2, le=10_000)] = 50
    alpha: Annotated[float, Field(gt=0, le=1_000)] = 1.0
    judged_by: JudgedBy | None = None

    @field_validator("grid")
    @classmethod
    def _of_one_strategy(cls, grid: dict[str, tuple[Any, ...]], info: ValidationInfo) -> dict[str, tuple[Any, ...]]:
        context = info.context or {}
        if "parameters" not in context:
            return grid
        found = {key: swept_parameter(key, values, context) for key, values in grid.items()}
        if len({_label_of(key) for key in grid}) > 1 or len(grid) > 2:
            raise ValueError("one or two parameters of one strategy: its values make a line or a map")
        count = math.prod(map(len, grid.values())) + len(context["parameters"])
        if grid and count > MOST_CONTENDERS:
            raise ValueError(f"{count} strategies, each against every other, are too many; {MOST_CONTENDERS} at most")
        return found

    @model_validator(mode="after")
    def _has_two(self, info: ValidationInfo) -> DominantStrategy:
        labels = (info.context or {}).get("strategies", ())
        if len(labels) == 1 and not self.grid:
            raise ValueError("at least two strategies must meet: name another one in [strategies], or a grid")
        return self


def _label_of(key: str) -> str:
    return key.removeprefix(STRATEGIES).rpartition(".")[0]


@dataclass(frozen=True)
class Contender:
    """One of those who play each other.

    Attributes:
        name: the label of the pool, or of a strategy of the grid its label with the values: `bluffer(0, 0.25)`.
        label: of the pool.
        parameters: those that differ from the pool's.
    """

    name: str
    label: str
    parameters: Mapping[str, Any]


def table_of(asked: Asked) -> DominantStrategy:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, DominantStrategy)
    return table


def grid_label(asked: Asked) -> str | None:
    """The strategy whose parameters make the grid."""
    return next((_label_of(key) for key in table_of(asked).grid), None)


def grid_names(asked: Asked) -> list[str]:
    """The names of the parameters of the grid."""
    return [key.rpartition(".")[2] for key in table_of(asked).grid]


def grid_contenders(asked: Asked) -> list[Contender]:
    """The strategies of the grid, the last parameter going round fastest; the pool's own one stands for itself."""
    label = grid_label(asked)
    if label is None:
        return []
    usual = asked.experiment.strategies[label].parameters
    found = []
    for values in product(*table_of(asked).grid.values()):
        parameters = dict(zip(grid_names(asked), values, strict=True))
        is_usual = all(usual[name] == value for name, value in parameters.items())
        name = f"{label}({', '.join(map(toml_value, values))})"
        found.append(Contender(label, label, {}) if is_usual else Contender(name, label, parameters))
    return found


def contenders(asked: Asked) -> list[Contender]:
    """All who play: the pool, in the order of the file, then the rest of the grid."""
    named = [Contender(label, label, {}) for label in asked.labels]
    return named + [one for one in grid_contenders(asked) if one not in named]


@dataclass(frozen=True)
class Meeting:
    """Two who meet: places in the list of contenders, and the arm; of more than two seats `first` sits alone."""

    first: int
    second: int
    arm: Arm


def meetings(asked: Asked) -> list[Meeting]:
    """Every two contenders: once at a table of two, else each once alone among copies of the other."""
    every = contenders(asked)
    pairs = combinations if asked.seats == 2 else permutations
    return [Meeting(i, j, arm_of(asked, every[i], every[j])) for i, j in pairs(range(len(every)), 2)]


def named_meetings(asked: Asked) -> list[Meeting]:
    """Those among the strategies of the experiment; all where it has only one, which meets none but its grid."""
    found = meetings(asked)
    return [m for m in found if max(m.first, m.second) < len(asked.labels)] or found


def arm_of(asked: Asked, one: Contender, other: Contender) -> Arm:
    """One contender with copies of another."""
    seated = [one] + [other] * (asked.seats - 1)
    return Arm(
        " v ".join(c.name for c in seated),
        tuple(c.label for c in seated),
        (asked.rules,) * asked.seats,
        parameters=tuple(c.parameters for c in seated),
    )


def plan(asked: Asked) -> Plan:
    """All meetings: what is won, its resamples, and games that did not end."""
    found, measure = meetings(asked), stakes_of(asked).player(0)
    series: list[Series] = []
    for meeting in found:
        series += [Ratio(f"pool/{meeting.arm.name}", meeting.arm.name, measure), *pool.gap_series(meeting.arm.name)]
    series.append(Resampled(PAYOFFS, tuple((m.arm.name, measure) for m in found), asked.experiment.seed))
    series += coverage.coverage_series(asked, [m.arm.name for m in named_meetings(asked)])
    series += example_series(asked, found[0].arm.name)
    made = Plan(tuple(m.arm for m in found), tuple(series), f"pool/{found[0].arm.name}")
    return with_ladder(asked, asked.mirrors(), made)
