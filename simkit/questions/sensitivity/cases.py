"""What the kind sensitivity plays: the settings of a design over several rules and parameters, on the same deals."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from simkit.errors import UsageError
from simkit.experiment import Settings
from simkit.experiment.model import Seed
from simkit.measures import PerGame, UnfinishedShare
from simkit.plan import Plan
from simkit.questions.base import Asked, Lineup, Pairs, arm_name, lineups
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.questions.sweep.axes import Setting, Values, check_settings, checked_measures, fitting_axes
from simkit.questions.sweep.cases import arm_of
from simkit.questions.sweep.measures import Shown, known_measures
from simkit.series import Pooled, Ratio, Resampled, Series
from simkit.stats.sensitivity import Design, Method, design

MOST_SETTINGS = 1_000


def _plain_ratios(names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    """The measures, if each is a ratio of two sums, which can be taken anew in resamples of the deals."""
    game = (info.context or {}).get("game")
    names = checked_measures(names, info)
    if game is None:
        return names
    spreads = {own.name for own in game.measures if own.kind == "spread"}
    known = [name for name, shown in known_measures(game).items() if not shown.of_a_match and name not in spreads]
    if refused := [name for name in names if name not in known]:
        raise ValueError(
            f"{', '.join(refused)}: not a count or a share, so that resamples of the deals cannot tell how sure the "
            f"answer is. Measures: {', '.join(known)}."
        )
    return names


class Sensitivity(Settings):
    """The table [sensitivity]: the `keys`, each with a list or a range, what is measured, and the design."""

    keys: dict[str, Values] = Field(description="the table [sensitivity.keys] with a list or a range for each")
    measures: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_plain_ratios)] = (
        "first_player",
        "length",
    )
    pairs: Pairs = "mirrors"
    method: Method = "sobol"
    samples: Annotated[int, Field(ge=8, le=16_384)] = 64
    design_seed: Seed = 0

    @field_validator("keys")
    @classmethod
    def _fit(cls, keys: dict[str, tuple[object, ...]], info: ValidationInfo) -> dict[str, tuple[object, ...]]:
        if len(keys) < 2:
            raise ValueError("at least two keys are compared; of one alone, ask a sweep")
        return fitting_axes(keys, info)

    @model_validator(mode="after")
    def _go_together(self, info: ValidationInfo) -> Sensitivity:
        if self.method == "sobol" and self.samples & (self.samples - 1):
            raise ValueError(f"samples = {self.samples}: Sobol's method takes a power of 2 (64, 128, 256 …)")
        try:
            found = self.settings
        except UsageError as missing:
            raise ValueError(str(missing)) from None
        if len(found) > MOST_SETTINGS:
            raise ValueError(
                f"{len(found):,} settings are too many; {MOST_SETTINGS:,} at most: fewer samples or values"
            )
        check_settings(found, info.context or {})
        return self

    @property
    def design(self) -> Design:
        """The design: the same for the same table."""
        return design(self.method, self.samples, tuple(map(len, self.keys.values())), self.design_seed)

    @property
    def rows(self) -> list[Setting]:
        """The setting of each row of the design."""
        axes = list(self.keys.items())
        return [
            tuple((key, values[pick]) for (key, values), pick in zip(axes, picks, strict=True))
            for picks in self.design.picks.tolist()
        ]

    @property
    def settings(self) -> list[Setting]:
        """The settings, each once, in the order of the design."""
        return list(dict.fromkeys(self.rows))


def table_of(asked: Asked) -> Sensitivity:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, Sensitivity)
    return table


def lineups_of(asked: Asked) -> list[Lineup]:
    """The line-ups asked for."""
    return lineups(asked, table_of(asked).pairs)


def shown_of(asked: Asked) -> list[Shown]:
    """The measures asked for."""
    known = known_measures(asked.game)
    return [known[name] for name in table_of(asked).measures]


def design_name(shown: Shown, lineup: Lineup) -> str:
    """Name of the series with a measure at all settings, in resamples of the deals."""
    return f"design/{shown.name}/{arm_name(lineup)}"


def stuck_name(lineup: Lineup) -> str:
    """Name of the series with the games that did not end, over all settings."""
    return f"stuck/{arm_name(lineup)}"


def plan(asked: Asked) -> Plan:
    """Every line-up at every setting of the design, and with the rules as they are."""
    settings, measures = table_of(asked).settings, shown_of(asked)
    arms, series = [], list[Series]()
    for lineup in lineups_of(asked):
        base, mine = asked.base_arm(lineup), [arm_of(asked, lineup, setting) for setting in settings]
        arms += [base, *mine]
        for shown in measures:
            parts = tuple((arm.name, shown.make(lineup, arm.rules[0])) for arm in mine)
            series.append(Resampled(design_name(shown, lineup), parts, asked.experiment.seed))
            series.append(Ratio(f"{shown.name}/{base.name}", base.name, shown.make(lineup, base.rules[0])))
        series += _pooled(asked, lineup, [arm.name for arm in (base, *mine)])
        series += example_series(asked, base.name)
    made = Plan(tuple(arms), tuple(series), f"{measures[0].name}/{arms[0].name}")
    return with_ladder(asked, lineups_of(asked), made)


def _pooled(asked: Asked, lineup: Lineup, arms: list[str]) -> list[Series]:
    """Over all settings: games that did not end, and how often each clause fired."""
    name, clauses = arm_name(lineup), range(len(asked.game.clauses))
    unfinished = Pooled(stuck_name(lineup), tuple((arm, UnfinishedShare()) for arm in arms))
    fired = [Pooled(f"clause/{i}/{name}", tuple((arm, PerGame("clauses", (i,))) for arm in arms)) for i in clauses]
    return [unfinished, *fired]
