"""What the kind sweep plays: its settings, an arm a value, and the series observed of them."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from simkit.errors import nearest
from simkit.experiment import Settings
from simkit.games.options import OptionFault
from simkit.measures import Luck, Measure, PerGame, SeatWinRate, UnfinishedShare, WinnerBehind, WinRate
from simkit.plan import Arm, ChanceShare, Difference, LuckShare, Plan, Ratio, Series
from simkit.questions import coverage
from simkit.questions.base import Asked, Lineup, Pairs, is_mirror, lineups
from simkit.questions.examples import example_series
from simkit.questions.words import toml_value

COMEBACK_SHARE = 0.25
COUNTS = ("length", "lead_changes")  # plain numbers; the other measures are shares of 1
OF_A_MATCH = ("chance", "luck")  # shares that say something where two different strategies meet
MeasureName = Literal["first_player", "length", "comebacks", "lead_changes", "chance", "luck", "unfinished"]


def _rule_key(key: str, info: ValidationInfo) -> str:
    game = (info.context or {}).get("game")
    name = key.removeprefix("rules.")
    if not key.startswith("rules.") or (game is not None and name not in {o.name for o in game.options}):
        known = [f"rules.{o.name}" for o in game.options] if game is not None else ["rules.…"]
        raise ValueError(f"{key}: not a rule that can be swept.{nearest(key, known)}")
    return key


class Sweep(Settings):
    """The table [sweep]."""

    key: Annotated[str, AfterValidator(_rule_key)]
    values: Annotated[tuple[Any, ...], Field(min_length=2)]
    measures: Annotated[tuple[MeasureName, ...], Field(min_length=1)] = ("first_player", "length", "comebacks")
    pairs: Pairs = "mirrors"

    @field_validator("values")
    @classmethod
    def _fit_the_rule(cls, values: tuple[Any, ...], info: ValidationInfo) -> tuple[Any, ...]:
        context, key = info.context or {}, info.data.get("key", "")
        game, rules = context.get("game"), context.get("rules", {})
        option = next((o for o in game.options if f"rules.{o.name}" == key), None) if game is not None else None
        if game is None or option is None:
            return values
        try:
            codes = [option.encode(value) for value in values]
        except OptionFault as fault:
            raise ValueError(f"{key}: {fault}") from None
        twice = [toml_value(v) for v, code in zip(values, codes, strict=True) if codes.count(code) > 1]
        if twice:
            raise ValueError(f"{key}: a value is there twice: {', '.join(twice)}")
        if len(rules) == len(game.options):  # none of them has a fault of its own
            for value in values:
                for name, wrong in game.check_rules({**rules, option.name: value}):
                    raise ValueError(f"{key} = {toml_value(value)}: {name}: {wrong}")
        return tuple(option.normal(value) for value in values)

    @field_validator("measures")
    @classmethod
    def _each_once(cls, measures: tuple[MeasureName, ...], info: ValidationInfo) -> tuple[MeasureName, ...]:
        game, rules = (info.context or {}).get("game"), (info.context or {}).get("rules", {})
        if "luck" in measures and game is not None and len(rules) == len(game.options) and game.seats(rules) != 2:
            raise ValueError("luck: measured by swapping seats, so only in a game of two")
        return tuple(dict.fromkeys(measures))


def settings_of(asked: Asked) -> Sweep:
    """The experiment's own table."""
    settings = asked.experiment.settings
    assert isinstance(settings, Sweep)
    return settings


def option_of(asked: Asked) -> str:
    """The name of the rule that is swept."""
    return settings_of(asked).key.removeprefix("rules.")


def lineups_of(asked: Asked) -> list[Lineup]:
    """The line-ups asked for."""
    return lineups(asked, settings_of(asked).pairs)


def arm_of(asked: Asked, lineup: Lineup, value: Any) -> Arm:
    """A line-up with the rule at one of its values."""
    option = option_of(asked)
    return asked.base_arm(lineup, {**asked.rules, option: value}, f" | {option} = {toml_value(value)}")


def reference_of(asked: Asked) -> Any:
    """The value that differences are taken from: the rule as it is when swept, else the first value."""
    values, now = settings_of(asked).values, asked.rules[option_of(asked)]
    return now if now in values else values[0]


def _measure(asked: Asked, name: str, value: Any, lineup: Lineup) -> Measure:
    rules = {**asked.rules, option_of(asked): value}
    least = math.ceil(COMEBACK_SHARE * asked.game.start_score(rules))
    made: dict[str, Measure] = {
        "first_player": SeatWinRate(0) if is_mirror(lineup) else WinRate(0),
        "length": PerGame(asked.game.length),
        "comebacks": WinnerBehind("behind_most", least),
        "lead_changes": PerGame("lead_changes"),
        "chance": WinRate(0),
        "luck": Luck(),
        "unfinished": UnfinishedShare(),
    }
    return made[name]


def plan(asked: Asked) -> Plan:
    """Every line-up under every value, on the same deals."""
    settings, reference = settings_of(asked), reference_of(asked)
    arms: list[Arm] = []
    series: list[Series] = []
    for lineup in lineups_of(asked):
        home = arm_of(asked, lineup, reference)
        for value in settings.values:
            arm = arm_of(asked, lineup, value)
            arms.append(arm)
            for name in dict.fromkeys((*settings.measures, "unfinished")):
                measure = _measure(asked, name, value, lineup)
                if isinstance(measure, Luck):
                    series.append(LuckShare(f"{name}/{arm.name}", arm.name, measure))
                    continue
                if name == "chance" and isinstance(measure, WinRate):
                    series.append(ChanceShare(f"{name}/{arm.name}", arm.name, measure))
                    continue
                series.append(Ratio(f"{name}/{arm.name}", arm.name, measure))
                at_home = (home.name, _measure(asked, name, reference, lineup))
                series.append(Difference(f"{name}/change/{arm.name}", (arm.name, measure), at_home))
        series += example_series(asked, home.name)
    series += coverage.coverage_series(asked, [arm.name for arm in arms])
    return Plan(tuple(arms), tuple(series), f"{settings.measures[0]}/{arms[0].name}", asked.seats)
