"""What the kind duel plays: two strategies at one table, and the sequential test that may end it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationInfo, field_validator, model_validator

from simkit.experiment import Settings, Share
from simkit.measures import ScoreLead, WinRate
from simkit.pair_measures import PairResults
from simkit.plan import Plan, Results
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Lineup, Pairs, arm_name, is_mirror, lineups
from simkit.questions.examples import example_series
from simkit.series import PairCounts, Ratio, Series
from simkit.stats.duels import SequentialTest

FIRST_LOOK, GROWTH = 1_000, 20  # deals; then steps of as many, or of a twentieth of the deals when that is more


class Sequential(Settings):
    """Elo `elo0` against `elo1`, and how often either may be taken for the other."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: Share = 0.05
    beta: Share = 0.05

    @model_validator(mode="after")
    def _in_order(self) -> Sequential:
        if not -1_000 <= self.elo0 < self.elo1 <= 1_000:
            raise ValueError("elo0 must be below elo1, and both from -1000 to 1000")
        if self.alpha + self.beta >= 1:
            raise ValueError("alpha and beta must be less than 1 together")
        return self


class Duel(Settings):
    """The table [duel]: who plays whom, and whether a sequential test ends the run."""

    pairs: Pairs = "all"
    sequential: Sequential | None = None

    @field_validator("pairs")
    @classmethod
    def _two_strategies(cls, pairs: Any) -> Any:
        if pairs == "mirrors" or (pairs != "all" and any(is_mirror(tuple(pair)) for pair in pairs)):
            raise ValueError('a duel is between two different strategies: "all", or a list of pairs')
        return pairs

    @model_validator(mode="after")
    def _can_be_played(self, info: ValidationInfo) -> Duel:
        context = info.context or {}
        game, rules, labels = context.get("game"), context.get("rules", {}), context.get("strategies")
        if game is None or not labels:
            return self
        if len(labels) < 2:
            raise ValueError(f"a duel needs two strategies in [strategies]; there is only {labels[0]}")
        seats = game.seats(rules) if len(rules) == len(game.options) else 2
        if fault := self._fault_of_test(seats, len(labels), bool(context.get("until"))):
            raise ValueError(f"sequential: {fault}")
        return self

    def _fault_of_test(self, seats: int, labels: int, has_until: bool) -> str:
        """What keeps the sequential test from being made; empty when nothing does, or when none is asked for."""
        if self.sequential is None:
            return ""
        if seats > 2:
            return f"Elo is of two players, and {seats} sit at this table: leave it out"
        if len(self.pairs) > 1 if self.pairs != "all" else labels > 2:
            return "a test ends one duel: name two strategies, or one pair in pairs"
        return "the test itself ends the run: give deals, the most it may take, instead of until" if has_until else ""


@dataclass(frozen=True)
class UntilDecided:
    """Until a sequential test of the pairs of games of one line-up is decided.

    Attributes:
        series: name of the counts of its pairs.
        test: the test.
    """

    series: str
    test: SequentialTest

    @property
    def words(self) -> str:
        """What ends the run."""
        return f"to decide between {self.test.elo0:g} and {self.test.elo1:g} Elo"

    def first(self, plan: Plan) -> int:
        """The first look."""
        return FIRST_LOOK

    def then(self, results: Results, deals: int) -> int:
        """The next look of a fixed row of them, so that they do not depend on where a run was cut."""
        if self.test.decision(results.moments(self.series).sums) != "undecided":
            return deals
        look = FIRST_LOOK
        while look <= deals:
            look += max(FIRST_LOOK, look // GROWTH)
        return look


def duel_of(asked: Asked) -> Duel:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, Duel)
    return table


def lineups_of(asked: Asked) -> list[Lineup]:
    """Who plays whom; the result is the first one's."""
    return [lineup for lineup in lineups(asked, duel_of(asked).pairs) if not is_mirror(lineup)]


def test_of(asked: Asked) -> SequentialTest | None:
    """The sequential test asked for."""
    given = duel_of(asked).sequential
    return None if given is None else SequentialTest(given.elo0, given.elo1, given.alpha, given.beta)


def rate_name(lineup: Lineup) -> str:
    """Name of the win rate of a line-up's first player."""
    return f"rate/{arm_name(lineup)}"


def pairs_name(lineup: Lineup) -> str:
    """Name of the counts of a line-up's pairs of games."""
    return f"pairs/{arm_name(lineup)}"


def plan(asked: Asked) -> Plan:
    """Every line-up as it is."""
    found, series, test = lineups_of(asked), list[Series](), test_of(asked)
    for line in found:
        arm = arm_name(line)
        series.append(Ratio(rate_name(line), arm, WinRate(0)))
        series.append(Ratio(f"lead/{arm}", arm, ScoreLead(0)))
        if asked.seats == 2:
            series.append(PairCounts(pairs_name(line), arm, PairResults(0)))
        series += [*pool.gap_series(arm), *example_series(asked, arm)]
    series += coverage.coverage_series(asked, [arm_name(line) for line in found])
    return Plan(
        tuple(asked.base_arm(line) for line in found),
        tuple(series),
        rate_name(found[0]),
        stopping=UntilDecided(pairs_name(found[0]), test) if test else None,
        always_valid=test is not None,
    )
