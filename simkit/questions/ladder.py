"""The ladder of strategies: what was seen under each of them, over how strong it is, and the verdicts that flip.

A rung is a strategy that something was seen under: one that meets itself, or the one that changes from line-up to
line-up while the others stay. Its strength is the share of the games that it wins against the other rungs, each in
turn, under the rules as they are (at a table of more than two alone among copies of the other). A rating in Elo would
say more of odds and less to a reader, and it is infinite for a strategy that wins every game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from simkit.answer import Estimate, Judgement, Verdict
from simkit.measures import WinRates
from simkit.plan import BriefArm, Plan, Results
from simkit.questions.base import Asked, Lineup, arm_name, is_mirror, listed, under
from simkit.questions.stakes import WINS, Stakes
from simkit.questions.words import MOST_NAMED, points, span
from simkit.series import Pooled

Words = Callable[[str], str]


# --- what is played ---------------------------------------------------------------------------------------------------


def rungs_of(lineups: Iterable[Lineup]) -> dict[str, str]:
    """Line-up in words -> the strategy that it stands for; empty when the line-ups are no ladder of two rungs."""
    found = list(dict.fromkeys(lineups))
    mirrors = {under(line): line[0] for line in found if is_mirror(line)}
    if len(mirrors) > 1:
        return mirrors
    pairs = {under(line): (line[0], line[1]) for line in found if len(set(line[1:])) == 1}
    if len(pairs) < len({under(line) for line in found}):
        return {}
    for mine, others in ((0, 1), (1, 0)):
        if len({pair[others] for pair in pairs.values()}) == 1 < len({pair[mine] for pair in pairs.values()}):
            return {name: pair[mine] for name, pair in pairs.items()}
    return {}


def _meetings(asked: Asked, labels: Iterable[str]) -> list[Lineup]:
    """Every two of some strategies at a table."""
    known = set(labels)
    return [line for line in asked.meetings() if set(line) <= known]


def with_ladder(asked: Asked, lineups: Iterable[Lineup], plan: Plan) -> Plan:
    """The plan with what shows how strong each rung is: every two of them at a table.

    Where the plan has no such meetings they are played briefly: how strong a strategy is, is no part of the answer.
    """
    labels = list(dict.fromkeys(rungs_of(lineups).values()))
    arms = {arm.name: arm for arm in plan.arms}
    meetings = [asked.base_arm(line) for line in _meetings(asked, labels)]
    are_played = any(arm.name in arms for arm in meetings)  # a strength is taken from meetings on the same deals
    for arm in meetings:
        arms.setdefault(arm.name, arm if are_played else BriefArm(**vars(arm)))
    series = (Pooled(strength_name(label), tuple(_games_of(asked, label, labels))) for label in labels)
    return replace(plan, arms=tuple(arms.values()), series=(*plan.series, *series))


def strength_name(label: str) -> str:
    """Name of the series."""
    return f"strength/{label}"


def _games_of(asked: Asked, label: str, labels: Sequence[str]) -> Iterable[tuple[str, WinRates]]:
    """The games in which a strategy meets others, and which player it is."""
    for line in _meetings(asked, labels):
        if label == line[0]:
            yield arm_name(line), WinRates((0,))
        elif label in line and asked.seats == 2:
            yield arm_name(line), WinRates((1,))


# --- what is seen -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """An effect under one line-up; `word` is the verdict on it, None where nothing is judged."""

    subject: str
    under: str
    value: float
    low: float
    high: float
    word: Judgement | None = None

    @classmethod
    def of(cls, subject: str, where: str, effect: Estimate) -> Seen:
        """An estimate that is not judged."""
        return cls(subject, where, effect.value, effect.low, effect.high)

    @classmethod
    def judged(cls, verdict: Verdict, subject: str = "") -> Seen:
        """A verdict, its subject in other words if they are given."""
        name = subject or verdict.subject
        return cls(name, verdict.under, verdict.estimate, verdict.low, verdict.high, verdict.verdict)


@dataclass(frozen=True)
class Ladder:
    """The rungs.

    Attributes:
        rungs: line-up in words -> strategy, the weakest first; fewer than two: there is no ladder.
        strengths: of each strategy.
        margin: of the verdicts.
        even: the share of games that is neither strong nor weak.
        stakes: what the effects are effects on.
    """

    rungs: Mapping[str, str]
    strengths: Mapping[str, Estimate]
    margin: float
    even: float = 0.5
    stakes: Stakes = WINS

    @property
    def exists(self) -> bool:
        """Whether there are two rungs at least."""
        return len(self.rungs) > 1

    def flip(
        self, verdicts: Sequence[Verdict], words: Words = str, signs: Mapping[str, str] | None = None
    ) -> list[str]:
        """The sentence that says which verdicts flip along the ladder, to be said first; nothing when none does.

        A verdict flips when it is decided one way under one strategy and another way under another. `words` name a
        subject; `signs` say what the verdicts of a margin of 0 mean ("too strong": "pays").
        """
        groups = {name: list(mine) for name, mine in self._by_subject(verdicts).items() if flips(mine)}
        if not groups:
            return []
        order = sorted(groups, key=lambda name: -spread(groups[name]))
        told = [
            f"{words(name)} {'' if signs else 'is '}{self._groups_words(groups[name], signs or {})}"
            for name in order[:MOST_NAMED]
        ]
        many = len({v.subject for v in verdicts})
        how = self._how(groups.values())
        limit = f"in {self.stakes.unit_in_full}"
        limit += "" if signs else f"; your margin is {self.stakes.within(self.margin)}"
        if len(order) == 1:
            return [f"It flips {how}: {told[0]} ({limit})."]
        most = ", most of all" if len(order) > MOST_NAMED else ""
        return [f"{len(order)} of {many} verdicts flip {how}{most}: {'; '.join(told)} ({limit})."]

    def head(self, verdicts: Sequence[Verdict]) -> str:
        """How a sentence on the verdicts of one subject begins: that they flip, or nothing."""
        mine = self.in_order(verdicts)
        return f"It flips {self._how([mine])}" if flips(mine) else ""

    def _how(self, groups: Iterable[Sequence[Verdict]]) -> str:
        return "with strength of play" if all(map(self._in_step, groups)) else "with who plays"

    def in_order(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """The verdicts of the rungs, the weakest rung first."""
        places = list(self.rungs)
        return sorted((v for v in verdicts if v.under in self.rungs), key=lambda v: places.index(v.under))

    def _by_subject(self, verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
        """The decided verdicts of each subject, the weakest rung first."""
        groups: dict[str, list[Verdict]] = {}
        for v in self.in_order(verdicts):
            if v.verdict != "undecided":
                groups.setdefault(v.subject, []).append(v)
        return groups

    def _in_step(self, verdicts: Sequence[Verdict]) -> bool:
        """Whether the words change with strength: each but once, and between strategies of which one is stronger."""
        decided = [v for v in verdicts if v.verdict != "undecided"]
        runs = [list(run) for _, run in groupby(decided, key=lambda v: v.verdict)]
        edges = ((a[-1], b[0]) for a, b in pairwise(runs))
        pairs = [(self.strengths[self.rungs[a.under]], self.strengths[self.rungs[b.under]]) for a, b in edges]
        return len(runs) == len({v.verdict for v in decided}) and all(a.high < b.low for a, b in pairs)

    def _groups_words(self, verdicts: Sequence[Verdict], signs: Mapping[str, str]) -> str:
        """`too weak under random (−1.4 ± 0.1), fair under greedy (…) and too strong under planner (…)`."""
        groups: dict[str, list[Verdict]] = {}
        for v in verdicts:
            groups.setdefault(v.verdict, []).append(v)
        return listed(f"{signs.get(word, word)} under {self._seen(mine)}" for word, mine in groups.items())

    def _name(self, verdict: Verdict) -> str:
        """Who plays: the strategy that meets itself, or else all."""
        label = self.rungs[verdict.under]
        return label if verdict.under == under((label, label)) else verdict.under

    def _seen(self, verdicts: Sequence[Verdict]) -> str:
        names = list(map(self._name, verdicts))
        if len(verdicts) <= MOST_NAMED:
            return listed(f"{name} ({points(v)})" for name, v in zip(names, verdicts, strict=True))
        return f"{listed(names)} ({span(verdicts)})"


def ladder_of(asked: Asked, results: Results, lineups: Iterable[Lineup], stakes: Stakes = WINS) -> Ladder:
    """The ladder of the line-ups that were played; without games that ended, a strategy is no rung."""
    rungs = rungs_of(lineups)
    strengths = {label: results.estimate(strength_name(label)) for label in dict.fromkeys(rungs.values())}
    known = [name for name, label in rungs.items() if not math.isnan(strengths[label].value)]
    ordered = sorted(known, key=lambda name: strengths[rungs[name]].value)
    return Ladder({name: rungs[name] for name in ordered}, strengths, asked.experiment.margin, 1 / asked.seats, stakes)


def flips(seen: Iterable[Seen | Verdict]) -> bool:
    """Whether decided verdicts differ."""
    words = {one.verdict if isinstance(one, Verdict) else one.word for one in seen}
    return len(words - {None, "undecided"}) > 1


def spread(seen: Iterable[Seen | Verdict]) -> float:
    """How far apart the effects are."""
    values = [one.estimate if isinstance(one, Verdict) else one.value for one in seen]
    return max(values) - min(values)
