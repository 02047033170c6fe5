"""What the kind sweep plays: an arm a setting and line-up, all on the same deals, and the series observed of them."""

from __future__ import annotations

from typing import Any

from simkit.games.options import resolve
from simkit.measures import Luck, WinRate
from simkit.plan import Arm, ChanceShare, Difference, LuckShare, Plan, Ratio, Series
from simkit.questions import coverage
from simkit.questions.base import Asked, Lineup, arm_name
from simkit.questions.examples import example_series
from simkit.questions.sweep_axes import (
    Setting,
    lineups_of,
    parameters_in,
    reference_of,
    rules_in,
    settings_of,
    sweep_of,
    words_of,
)
from simkit.questions.sweep_measures import Shown, known_measures

ALWAYS = "unfinished"  # is observed whether it is asked for or not


def arm_of(asked: Asked, lineup: Lineup, setting: Setting) -> Arm:
    """A line-up at one of the settings."""
    rules = rules_at(asked, setting)
    name = f"{arm_name(lineup)} | {words_of(setting)}"
    seated = asked.seated(lineup, asked.game.seats(rules))  # a rule may say how many play
    return Arm(name, seated, (rules,) * len(seated), parameters=parameters_in(setting))


def rules_at(asked: Asked, setting: Setting) -> dict[str, Any]:
    """All rules at a setting; those that nobody set follow from the others."""
    given = {name: asked.rules[name] for name in asked.experiment.changed_rules}
    values, _ = resolve(asked.game.options, given | rules_in(setting))
    return values


def shown_of(asked: Asked) -> list[Shown]:
    """The measures asked for."""
    known = known_measures(asked.game)
    return [known[name] for name in sweep_of(asked).measures]


def plan(asked: Asked) -> Plan:
    """Every line-up at every setting."""
    reference, known = reference_of(asked), known_measures(asked.game)
    measures = [known[name] for name in dict.fromkeys((*sweep_of(asked).measures, ALWAYS))]
    arms: list[Arm] = []
    series: list[Series] = []
    for lineup in lineups_of(asked):
        home = arm_of(asked, lineup, reference)
        for setting in settings_of(asked):
            arm = arm_of(asked, lineup, setting)
            arms.append(arm)
            for shown in measures:
                series += _series(shown, lineup, arm, home)
        series += example_series(asked, home.name)
    series += coverage.coverage_series(asked, [arm.name for arm in arms])
    return Plan(tuple(arms), tuple(series), f"{sweep_of(asked).measures[0]}/{arms[0].name}")


def _series(shown: Shown, lineup: Lineup, arm: Arm, home: Arm) -> list[Series]:
    """A measure of one arm, and its change from the arm at the reference."""
    name, measure = f"{shown.name}/{arm.name}", shown.make(lineup, arm.rules[0])
    if isinstance(measure, Luck):
        return [LuckShare(name, arm.name, measure)]
    if shown.of_a_match and isinstance(measure, WinRate):
        return [ChanceShare(name, arm.name, measure)]
    at_home = (home.name, shown.make(lineup, home.rules[0]))
    change = Difference(f"{shown.name}/change/{arm.name}", (arm.name, measure), at_home)
    return [Ratio(name, arm.name, measure), change]
