"""What all kinds of question share: the question as asked, line-ups of strategies, and words for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Annotated, Any, Literal, Protocol

from pydantic import AfterValidator, ValidationInfo

from simkit.answer import Answer, Estimate
from simkit.errors import nearest
from simkit.experiment import Experiment, Settings
from simkit.experiment.resolve import changed_rules
from simkit.games.base import Game
from simkit.games.options import resolve
from simkit.measures import Columns, Measure
from simkit.plan import Arm, Plan, Results

Lineup = tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """A question put to a game: the experiment, the game, and how many sit at the table."""

    experiment: Experiment
    game: Game
    seats: int

    @property
    def rules(self) -> dict[str, Any]:
        """The rules as resolved."""
        return self.experiment.rules

    def with_rules(self, changed: Mapping[str, Any]) -> Asked:
        """The same question with some rules changed; those that nobody set follow from the others, seats as well."""
        given = {name: self.rules[name] for name in self.experiment.changed_rules}
        values, _ = resolve(self.game.options, given | dict(changed))
        experiment = replace(self.experiment, rules=values, changed_rules=changed_rules(self.game, values))
        return Asked(experiment, self.game, self.game.seats(values))

    @property
    def labels(self) -> list[str]:
        """The pool of strategies, in the order of the file."""
        return list(self.experiment.strategies)

    def mirrors(self) -> list[Lineup]:
        """Each strategy at a table with itself."""
        return [(label,) * self.seats for label in self.labels]

    def meetings(self) -> list[Lineup]:
        """Every two strategies at one table: each pair once; of more than two seats, each one alone against the other.

        A deal is played in all seatings, so that a pair of two seats turned round is the same line-up.
        """
        if self.seats == 2:
            return list(combinations(self.labels, 2))
        return [self.seated(pair) for pair in permutations(self.labels, 2)]

    def seated(self, labels: Lineup, seats: int | None = None) -> Lineup:
        """The labels at all seats of a table: the last one takes those that are left."""
        return seated(labels, seats or self.seats)

    def base_arm(self, lineup: Lineup, rules: Mapping[str, Any] | None = None, suffix: str = "") -> Arm:
        """The arm of a line-up under the rules, the same in all rotations."""
        return Arm(arm_name(lineup) + suffix, lineup, (dict(rules or self.rules),) * self.seats)

    def barred_arm(self, lineup: Lineup, name: str, holder: int, bar: int) -> Arm:
        """The arm of a line-up in which the player `holder` is barred from something, wherever it sits.

        `bar` are the bits of the lab field `barred`.
        """
        lab = []
        for rotation in range(self.seats):
            bits = [0] * self.game.max_seats
            bits[(holder + rotation) % self.seats] = bar
            lab.append({"barred": tuple(bits)})
        return Arm(name, lineup, (self.rules,) * self.seats, tuple(lab))


@dataclass(frozen=True)
class Piece:
    """A part of a search that is kept when it is found.

    Attributes:
        name: in words, of its own in the question.
        deals: how many deals it plays, counted for each line-up, at most; to show how far the search is.
        find: plays them; what it finds must be what JSON holds.
    """

    name: str
    deals: int
    find: Callable[[], dict[str, Any]]


class Searching(Protocol):
    """How a search plays line-ups (simkit.follow_up.Trials)."""

    def pieces(self, wanted: Sequence[Piece]) -> list[dict[str, Any]]:
        """What each piece finds, in order; from the store where it was found before."""
        ...

    def observe(self, arms: Sequence[Arm], measure: Measure, first: int, deals: int) -> list[Columns]:
        """A measure of each arm on some deals that are kept for searches, the same for all."""
        ...


@dataclass(frozen=True)
class FollowUp:
    """What a question plays after its plan.

    Attributes:
        wanted: whether the experiment asks for it.
        search: what the results and more play lead to, as JSON holds it.
        plan: what was found once more, to be played on fresh deals.
        then: what is played after that, on deals that are fresh once more; its search is given the results with what
            was found so far and `fresh`, its own are `fresh.found` and `fresh.fresh`.
    """

    wanted: Callable[[Asked], bool]
    search: Callable[[Asked, Results, Searching], dict[str, Any]]
    plan: Callable[[Asked, Mapping[str, Any]], Plan]
    then: FollowUp | None = None

    def first_wanted(self, asked: Asked) -> FollowUp | None:
        """The first that the experiment asks for: this one, or one after it."""
        if self.wanted(asked):
            return self
        return self.next(asked)

    def next(self, asked: Asked) -> FollowUp | None:
        """The next one that the experiment asks for."""
        return self.then.first_wanted(asked) if self.then is not None else None


@dataclass(frozen=True)
class Kind:
    """A kind of question.

    Attributes:
        name: as experiments write it.
        about: one sentence.
        settings: model of the kind's own table.
        plan: what has to be played and observed.
        answer: what the results say.
        follow_up: what is played after the plan; None when nothing is.
        of_wins: whether its verdicts are on games won, whatever a game is played for.
        subjects: what its verdicts are on, so that a `require` is checked before play; None where only play can tell.
    """

    name: str
    about: str
    settings: type[Settings]
    plan: Callable[[Asked], Plan]
    answer: Callable[[Asked, Results], Answer]
    follow_up: FollowUp | None = None
    of_wins: bool = False
    subjects: Callable[[Asked], Iterable[str]] | None = None

    def warnings(self, asked: Asked) -> list[str]:
        """What a reader must know of the answer beforehand."""
        if not (self.of_wins and asked.game.stakes):
            return []
        return [
            f"{asked.game.title} is played for {asked.game.score_unit}, but the verdicts here are on games won: who "
            "wins more of them may have less at the end."
        ]

    def follows(self, asked: Asked) -> FollowUp | None:
        """What is to be played after the plan of this experiment."""
        return self.follow_up.first_wanted(asked) if self.follow_up is not None else None


def seated(labels: Lineup, seats: int) -> Lineup:
    """The labels at all seats of a table: the last one takes those that are left."""
    return (labels + (labels[-1],) * seats)[:seats]


def no_subjects(asked: Asked) -> tuple[str, ...]:
    """Of a kind that gives no verdicts."""
    return ()


def arm_name(lineup: Lineup) -> str:
    """Name of a line-up's arm without changes."""
    return " v ".join(lineup)


def is_mirror(lineup: Lineup) -> bool:
    """Whether a strategy plays against itself."""
    return len(set(lineup)) == 1


def under(lineup: Lineup, holder: int = 0) -> str:
    """A line-up in words, seen by the player `holder`: `greedy against itself`, `greedy against random`."""
    if is_mirror(lineup):
        return f"{lineup[0]} against itself"
    others = " and ".join(dict.fromkeys(label for p, label in enumerate(lineup) if p != holder))
    return f"{lineup[holder]} against {others}"


def half_width(estimate: Estimate) -> float:
    """Half the width of an interval; for a one-sided one (a share near 0 or 1) the longer side."""
    return max(estimate.high - estimate.value, estimate.value - estimate.low)


def shifted(estimate: Estimate, by: float) -> Estimate:
    """The estimate with a constant added."""
    value, low, high = (number + by for number in (estimate.value, estimate.low, estimate.high))
    return replace(
        estimate, value=value, low=low, high=high, sequence=estimate.sequence and estimate.sequence.shifted(by)
    )


def number(name: str, estimate: Estimate) -> dict[str, float]:
    """An estimate as columns of a table: `name`, `name_pm` (half-width), `name_low`, `name_high`."""
    return {
        name: estimate.value,
        f"{name}_pm": half_width(estimate),
        f"{name}_low": estimate.low,
        f"{name}_high": estimate.high,
    }


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    items = list(words)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _known_labels(value: Any, info: ValidationInfo) -> Any:
    context = info.context or {}
    known: Sequence[str] | None = context.get("strategies")
    if known is None or not isinstance(value, (list, tuple)):
        return value
    if not value:
        raise ValueError("at least one pair of strategies must be named")
    game, rules = context.get("game"), context.get("rules", {})
    seats = game.seats(rules) if game is not None and len(rules) == len(game.options) else None
    for pair in value:
        if not 2 <= len(pair) <= (seats or len(pair)):
            raise ValueError(f"{list(pair)}: from 2 to {seats} strategies sit at a table")
        for label in pair:
            if label not in known:
                raise ValueError(f"{label}: no such strategy in [strategies].{nearest(label, known)}")
    return value


Pairs = Annotated[
    Literal["mirrors", "all"] | tuple[tuple[str, ...], ...],
    AfterValidator(_known_labels),
]


def lineups(asked: Asked, pairs: Literal["mirrors", "all"] | tuple[tuple[str, ...], ...]) -> list[Lineup]:
    """The line-ups that a `pairs` key asks for; a list names them one by one, mirrors (["a", "a"]) included.

    Fewer strategies than seats: the last one takes those that are left. Every deal is played in all seatings, so that
    a line-up whose seats are moved on is the same.
    """
    if pairs == "mirrors":
        return asked.mirrors()
    if pairs == "all":
        return asked.mirrors() + asked.meetings()
    found: dict[Lineup, Lineup] = {}
    for pair in pairs:
        line = asked.seated(tuple(pair))
        found.setdefault(min(line[i:] + line[:i] for i in range(len(line))), line)
    return list(found.values())
