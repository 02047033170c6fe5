"""What the kind opening_value plays: one decision made in two ways in positions reached in play."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any, Literal

from simkit.branch import CAME, CLASS, MOST_CLASSES, Branch
from simkit.games.base import Feature, Probe
from simkit.measures import CellValues
from simkit.plan import Arm, Plan
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Lineup, arm_name
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.questions.opening_value.settings import OpeningValue
from simkit.series import CellDifferences, Series

What = Literal["lead", "score", "wins"]
WHATS: tuple[What, ...] = ("lead", "score", "wins")
NOW, NOT = "now", "not"
ALL = "all"


def table_of(asked: Asked) -> OpeningValue:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, OpeningValue)
    return table


def probe_of(asked: Asked) -> Probe:
    """The decision in question, with the classes asked for."""
    table = table_of(asked)
    if isinstance(table.classes, tuple) or table.when:
        return _branched(table)
    probe, lows = next(p for p in asked.game.probes if p.name == table.probe), table.classes
    return replace(probe, features=tuple(replace(f, lows=lows.get(f.name, f.lows)) for f in probe.features))


def _branched(table: OpeningValue) -> Probe:
    """The decision that a strategy's file tells, in the words of those of a game."""
    names = class_names(table)
    feature = Feature("class", CLASS, "position", tuple(range(len(names))), len(names) - 1, names)
    now, other = (f"playing as {label}" for label in table.choices)
    return Probe(table.when, now, 0, 0, 0, (feature,), other, other)


def class_names(table: OpeningValue) -> tuple[str, ...]:
    """What the classes of a decision are called that a strategy's file tells."""
    named = table.classes if isinstance(table.classes, tuple) else ()
    return named or tuple(f"class {n}" for n in range(MOST_CLASSES))


def lineups_of(asked: Asked) -> list[Lineup]:
    """The line-ups asked for; the decision is player 0's, so that a pair turned round is another one."""
    pairs = table_of(asked).pairs
    named = permutations(asked.labels, 2) if pairs == "all" else () if pairs == "mirrors" else pairs
    mirrors = asked.mirrors() if isinstance(pairs, str) else []
    return list(dict.fromkeys([*mirrors, *(asked.seated(tuple(pair)) for pair in named)]))


def worth(asked: Asked) -> What:
    """What the maps tell of a game: the lead, or the win rate where the scores say no more than that."""
    return "wins" if asked.game.only_wins(asked.rules) else "lead"


def groupings(asked: Asked) -> dict[str, tuple[Feature, ...]]:
    """What the values are sorted by at once: by nothing, by two features for each chart, and by all of them."""
    features = probe_of(asked).features
    if len(features) == 1:
        return {ALL: (), "full": features}
    found = {ALL: (), "first": features[:2], "second": features[2:4], "full": features}
    return {name: some for name, some in found.items() if some or name == ALL}


def name_of(lineup: Lineup, grouping: str, what: What) -> str:
    """Name of a series."""
    return f"{what}/{grouping}/{arm_name(lineup)}"


def plan(asked: Asked) -> Plan:
    """Each line-up with the decision made in both ways; and as it is, to see what players do of themselves."""
    arms: list[Arm] = []
    series: list[Series] = []
    found = lineups_of(asked)
    came = CAME if table_of(asked).when else "probe_turn"
    for lineup in found:
        base, now, other = asked.base_arm(lineup), *_both_ways(asked, lineup)
        arms += [base, now, other]
        for grouping, features in groupings(asked).items():
            classes = tuple((feature.field, feature.lows) for feature in features)
            for what in WHATS:
                measure = CellValues(what, 0, classes, asked.seats, came)
                series.append(CellDifferences(name_of(lineup, grouping, what), (now.name, other.name), measure))
        series += [s for arm in (base, now, other) for s in pool.gap_series(arm.name)]
        series += example_series(asked, base.name)
    series += coverage.coverage_series(asked, [arm_name(lineup) for lineup in found])
    return with_ladder(asked, found, Plan(tuple(arms), tuple(series), name_of(found[0], ALL, "wins")))


def _both_ways(asked: Asked, lineup: Lineup) -> tuple[Arm, Arm]:
    """The line-up with the decision made, and with what it is compared with."""
    table = table_of(asked)
    if not table.when:
        return _probed(asked, lineup, NOW), _probed(asked, lineup, NOT)
    base, classes = asked.base_arm(lineup), len(class_names(table))
    first, second = (
        replace(
            base, name=f"{base.name} | {way} {choice} when {table.when}", branch=Branch(table.when, choice, classes)
        )
        for way, choice in zip(("first", "second"), table.choices, strict=True)
    )
    return first, second


def _probed(asked: Asked, lineup: Lineup, mode: str) -> Arm:
    """The line-up with the decision forced on player 0, or kept from it, wherever that player sits."""
    probe, against = probe_of(asked), table_of(asked).against
    code = probe.now if mode == NOW else probe.never if against == "never" else probe.later
    words = mode if mode == NOW else against
    lab: tuple[dict[str, Any], ...] = tuple({"probe": code, "probe_seat": seat} for seat in range(asked.seats))
    return Arm(f"{arm_name(lineup)} | {probe.name} {words}", lineup, (asked.rules,) * asked.seats, lab)
