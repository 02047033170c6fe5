"""What the kind opening_value plays: one decision forced and forbidden in positions reached in play."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from simkit.errors import nearest
from simkit.experiment import Settings
from simkit.games.base import Feature, Probe
from simkit.measures import CellValues
from simkit.plan import Arm, Plan
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Lineup, Pairs, arm_name
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.series import CellDifferences, Series

What = Literal["lead", "score", "wins"]
WHATS: tuple[What, ...] = ("lead", "score", "wins")
NOW, NOT = "now", "not"
ALL = "all"


class OpeningValue(Settings):
    """The table [opening_value]: which decision, against what, and the classes it is sorted into."""

    probe: str = ""
    against: Literal["never", "later"] = "never"
    pairs: Pairs = "mirrors"
    classes: dict[str, tuple[int, ...]] = Field(default_factory=dict)

    @field_validator("probe")
    @classmethod
    def _known_probe(cls, name: str, info: ValidationInfo) -> str:
        game = (info.context or {}).get("game")
        if game is None:
            return name
        known = [probe.name for probe in game.probes]
        if not known:
            raise ValueError(f"{name}: {game.name} has no decision that can be probed")
        if name not in known:
            hint = nearest(name, known)
            raise ValueError(f"{name}: no decision that {game.name} can probe. Decisions: {', '.join(known)}.{hint}")
        return name

    @field_validator("classes")
    @classmethod
    def _lowest_values(cls, classes: dict[str, tuple[int, ...]], info: ValidationInfo) -> dict[str, tuple[int, ...]]:
        game = (info.context or {}).get("game")
        probes = [p for p in game.probes if p.name == info.data.get("probe")] if game is not None else []
        known = [feature.name for probe in probes for feature in probe.features]
        for name, lows in classes.items():
            if probes and name not in known:
                raise ValueError(
                    f"{name}: not known of that decision. Known: {', '.join(known)}.{nearest(name, known)}"
                )
            if not lows or list(lows) != sorted(set(lows)):
                raise ValueError(f"{name}: the lowest values of its classes, one at least, in ascending order")
        return classes

    @model_validator(mode="after")
    def _has_a_probe(self, info: ValidationInfo) -> OpeningValue:
        game = (info.context or {}).get("game")
        if game is not None and not self.probe:
            known = ", ".join(probe.name for probe in game.probes)
            raise ValueError(
                f"probe: missing: which decision of {game.name}: {known or 'it has none that can be probed'}"
            )
        return self


def table_of(asked: Asked) -> OpeningValue:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, OpeningValue)
    return table


def probe_of(asked: Asked) -> Probe:
    """The decision in question, with the classes asked for."""
    table = table_of(asked)
    probe = next(p for p in asked.game.probes if p.name == table.probe)
    return replace(probe, features=tuple(replace(f, lows=table.classes.get(f.name, f.lows)) for f in probe.features))


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
    found = {ALL: (), "first": features[:2], "second": features[2:4], "full": features}
    return {name: some for name, some in found.items() if some or name == ALL}


def name_of(lineup: Lineup, grouping: str, what: What) -> str:
    """Name of a series."""
    return f"{what}/{grouping}/{arm_name(lineup)}"


def plan(asked: Asked) -> Plan:
    """Each line-up with the decision forced and forbidden; and as it is, to see what players do of themselves."""
    arms: list[Arm] = []
    series: list[Series] = []
    found = lineups_of(asked)
    for lineup in found:
        base, now, other = asked.base_arm(lineup), _probed(asked, lineup, NOW), _probed(asked, lineup, NOT)
        arms += [base, now, other]
        for grouping, features in groupings(asked).items():
            classes = tuple((feature.field, feature.lows) for feature in features)
            for what in WHATS:
                measure = CellValues(what, 0, classes, asked.seats)
                series.append(CellDifferences(name_of(lineup, grouping, what), (now.name, other.name), measure))
        series += [s for arm in (base, now, other) for s in pool.gap_series(arm.name)]
        series += example_series(asked, base.name)
    series += coverage.coverage_series(asked, [arm_name(lineup) for lineup in found])
    return with_ladder(asked, found, Plan(tuple(arms), tuple(series), name_of(found[0], ALL, "wins")))


def _probed(asked: Asked, lineup: Lineup, mode: str) -> Arm:
    """The line-up with the decision forced on player 0, or kept from it, wherever that player sits."""
    probe, against = probe_of(asked), table_of(asked).against
    code = probe.now if mode == NOW else probe.never if against == "never" else probe.later
    words = mode if mode == NOW else against
    lab: tuple[dict[str, Any], ...] = tuple({"probe": code, "probe_seat": seat} for seat in range(asked.seats))
    return Arm(f"{arm_name(lineup)} | {probe.name} {words}", lineup, (asked.rules,) * asked.seats, lab)
