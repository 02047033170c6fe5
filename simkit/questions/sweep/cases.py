"""What the kind sweep plays: an arm a setting and line-up, all on the same deals, and the series observed of them."""

from __future__ import annotations

from typing import Any

from simkit.measures import Luck, WinRate
from simkit.plan import Arm, Plan
from simkit.questions import coverage
from simkit.questions.base import Asked, Lineup, arm_name
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.questions.sweep.axes import (
    Setting,
    home_of,
    lineups_of,
    own_keys,
    owner_of,
    parameters_in,
    reference_of,
    rules_in,
    settings_of,
    sweep_of,
    words_of,
)
from simkit.questions.sweep.measures import JUDGED_BY, Shown, known_measures
from simkit.series import ChanceShare, Difference, LuckShare, Ratio, Series, Together

ALWAYS = "unfinished"  # is observed whether it is asked for or not


def arm_of(asked: Asked, lineup: Lineup, setting: Setting) -> Arm:
    """A line-up at one of the settings."""
    rules = rules_at(asked, setting)
    name = f"{arm_name(lineup)} | {words_of(setting)}"
    seated = asked.seated(lineup, asked.game.seats(rules))  # a rule may say how many play
    changed = parameters_in(setting)
    return Arm(name, seated, (rules,) * len(seated), parameters=tuple(changed.get(label, {}) for label in seated))


def rules_at(asked: Asked, setting: Setting) -> dict[str, Any]:
    """All rules at a setting; those that nobody set follow from the others."""
    return asked.with_rules(rules_in(setting)).rules


def shown_of(asked: Asked) -> list[Shown]:
    """The measures asked for."""
    known = known_measures(asked.game)
    return [known[name] for name in sweep_of(asked).measures]


def contests_of(asked: Asked, lineup: Lineup) -> dict[Setting, list[Setting]]:
    """By condition (all keys but those of the owner's own): the settings of which one is best for the owner."""
    own, found = own_keys(asked, lineup), dict[Setting, list[Setting]]()
    if JUDGED_BY not in sweep_of(asked).measures or not own:
        return found
    for setting in settings_of(asked):
        found.setdefault(tuple(part for part in setting if part[0] not in own), []).append(setting)
    return found


def contest_name(lineup: Lineup, condition: Setting) -> str:
    """Name of the series with the owner's win rate at all settings of one condition."""
    return f"contest/{arm_name(lineup)} | {words_of(condition)}"


def contest_series(asked: Asked, lineup: Lineup) -> list[Series]:
    """The owner's win rate at all settings of each condition."""
    owner, made = owner_of(asked, lineup), list[Series]()
    for condition, settings in contests_of(asked, lineup).items():
        arms = [arm_of(asked, lineup, setting) for setting in settings]
        # Where fewer play than are named it may not sit at all; then all ways are the same.
        players = [arm.lineup.index(owner) if owner in arm.lineup else 0 for arm in arms]
        parts = tuple((arm.name, WinRate(player)) for arm, player in zip(arms, players, strict=True))
        made.append(Together(contest_name(lineup, condition), parts))
    return made


def plan(asked: Asked) -> Plan:
    """Every line-up at every setting."""
    reference, known = reference_of(asked), known_measures(asked.game)
    measures = [known[name] for name in dict.fromkeys((*sweep_of(asked).measures, ALWAYS))]
    arms: list[Arm] = []
    series: list[Series] = []
    for lineup in lineups_of(asked):
        for setting in settings_of(asked):
            arm, home = arm_of(asked, lineup, setting), arm_of(asked, lineup, home_of(asked, lineup, setting))
            arms.append(arm)
            for shown in measures:
                series += _series(shown, lineup, arm, home)
        series += example_series(asked, arm_of(asked, lineup, reference).name)
        series += contest_series(asked, lineup)
    series += coverage.coverage_series(asked, [arm.name for arm in arms])
    made = Plan(tuple(arms), tuple(series), f"{sweep_of(asked).measures[0]}/{arms[0].name}")
    return with_ladder(asked, lineups_of(asked), made)


def _series(shown: Shown, lineup: Lineup, arm: Arm, home: Arm) -> list[Series]:
    """A measure of one arm, and its change from the arm that it is compared with."""
    name, measure = f"{shown.name}/{arm.name}", shown.make(lineup, arm.rules[0])
    if isinstance(measure, Luck):
        return [LuckShare(name, arm.name, measure)]
    if shown.of_a_match and isinstance(measure, WinRate):
        return [ChanceShare(name, arm.name, measure)]
    at_home = (home.name, shown.make(lineup, home.rules[0]))
    change = Difference(f"{shown.name}/change/{arm.name}", (arm.name, measure), at_home)
    return [Ratio(name, arm.name, measure), change]
