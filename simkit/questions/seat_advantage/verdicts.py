"""What seats and roles are judged by, and the sentences on seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simkit.answer import Estimate, Verdict
from simkit.games.base import Role
from simkit.plan import Results
from simkit.questions.base import Asked, listed
from simkit.questions.seat_advantage.cases import Case, by_lineup, cases, many_sizes
from simkit.questions.seat_advantage.roles import chosen_roles, judged_name
from simkit.questions.stakes import Stakes, stakes_of
from simkit.questions.words import MOST_NAMED, everywhere, needed, nothing_ended, points, span
from simkit.stats.verdicts import judge

HOW_TO_JUDGE = (
    "A seat is 'fair' when {total} there is {even} within the margin. {names} stands for {choices}: 'too strong' "
    "when that adds more than the margin to {total}, 'too weak' when it costs more, 'fair' when neither."
)
BY_SCORE = (
    "Judged is the score, not who wins how often: a seat is 'fair' when what it wins, less the mean of the table, is "
    "nothing within the margin."
)


@dataclass(frozen=True)
class Judged:
    """The verdict on a seat, or on choosing a role, of a line-up at one table."""

    case: Case
    verdict: Verdict
    seat: int = -1
    role: Role | None = None


def judge_all(asked: Asked, results: Results) -> list[Judged]:
    """Each seat's win rate against an even share (of two seats the first's), and what choosing a role adds to it."""
    places: list[tuple[Case, int, Role | None]] = []
    judged, wordings, stakes = [], [], stakes_of(asked)
    for role in chosen_roles(asked):
        for case in cases(asked):
            places.append((case, -1, role))
            judged.append((role.words, results.estimate(judged_name(asked, role, case.lineup)), case.under))
            wordings.append(stakes.wording(f"{role.choice} adds"))
    for case in cases(asked):
        for seat in judged_seats(case):
            places.append((case, seat, None))
            effect = added(results, stakes, case, seat)
            judged.append((_seat_words(asked, case, seat), effect, case.under))
            wordings.append(stakes.wording("sitting there adds"))
    verdicts = judge(judged, asked.experiment.margin, wordings)
    return [Judged(case, verdict, seat, role) for (case, seat, role), verdict in zip(places, verdicts, strict=True)]


def added(results: Results, stakes: Stakes, case: Case, seat: int) -> Estimate:
    """What sitting at a seat adds, above what equals have."""
    return stakes.above_even(results, stakes.seat_series(seat, case.arm).name, len(case.seats))


def subjects(asked: Asked) -> list[str]:
    """What `judge_all` judges, by its words."""
    seats = [_seat_words(asked, case, seat) for case in cases(asked) for seat in judged_seats(case)]
    return [*(role.words for role in chosen_roles(asked)), *seats]


def judged_seats(case: Case) -> Sequence[int]:
    """All seats; of two the first, as the other's win rate is the rest."""
    return case.seats if len(case.seats) > 2 else case.seats[:1]


def _seat_words(asked: Asked, case: Case, seat: int) -> str:
    return f"seat {seat} of {len(case.seats)}" if many_sizes(asked) else f"seat {seat}"


def how_to_judge(asked: Asked) -> str:
    """What a reader must know of the verdicts, where not all are on seats."""
    roles, stakes = chosen_roles(asked), stakes_of(asked)
    if not roles:
        return BY_SCORE if stakes.by_score else ""
    names, choices = listed(role.words for role in roles), listed(role.choice for role in roles)
    named = names[0].upper() + names[1:]
    return HOW_TO_JUDGE.format(names=named, choices=choices, total=stakes.total, even=stakes.even)


def seat_sentences(asked: Asked, judged: Sequence[Judged]) -> list[str]:
    """Whether the seat matters, where, and how far an undecided verdict is from being decided."""
    from simkit.report import numbers

    verdicts = [one.verdict for one in judged]
    if nothing := nothing_ended(verdicts):
        return [nothing]
    stakes = stakes_of(asked)
    limit = stakes.within(asked.experiment.margin)
    biased = [v for v in verdicts if v.verdict.startswith("too")]
    undecided = [v for v in verdicts if v.verdict == "undecided"]
    if biased:
        return _where_most(judged, limit, stakes) if many_sizes(asked) else [_where(verdicts, biased, limit, stakes)]
    if not undecided:
        low, high = (numbers.points(end) for end in (min(v.low for v in verdicts), max(v.high for v in verdicts)))
        return [
            f"The seat does not matter: under {everywhere(verdicts)} what sitting in it adds to {stakes.total} lies "
            f"between {low} and {high} {stakes.unit} (corrected 95 % intervals), inside your margin of {limit}."
        ]
    open_ones = f"{len(undecided)} of {len(verdicts)} verdicts are" if len(verdicts) > 1 else "the verdict is"
    estimates = f"the estimate{'s go from' if len(verdicts) > 1 else ' is'} {span(verdicts)}"
    return [
        f"No seat is shown to matter, but {open_ones} not decided within {limit}{stakes.of}: "
        f"{estimates} {stakes.unit}. {needed(undecided)}"
    ]


def _where(verdicts: Sequence[Verdict], biased: Sequence[Verdict], limit: str, stakes: Stakes) -> str:
    """At one table: the first few seats that matter."""
    worst = max(biased, key=lambda v: abs(v.estimate))
    rest = len(verdicts) - len(biased)
    only = f" In {rest} of {len(verdicts)} verdicts no advantage beyond that is shown." if rest else ""
    seen = listed(f"{v.subject} under {v.under} ({points(v)} {stakes.unit})" for v in biased[:MOST_NAMED])
    more = f" and {len(biased) - MOST_NAMED} more, up to {points(worst)}" if len(biased) > MOST_NAMED else ""
    return f"Yes, the seat matters beyond your margin of {limit}{stakes.of}: {seen}{more}.{only}"


def _where_most(judged: Sequence[Judged], limit: str, stakes: Stakes) -> list[str]:
    """At tables of several sizes: the seat that matters most, then under each line-up how many do."""
    worst = max((one.verdict for one in judged if one.verdict.verdict.startswith("too")), key=_size)
    head = (
        f"Yes, the seat matters beyond your margin of {limit}{stakes.of}, most for {worst.subject} under "
        f"{worst.under} ({points(worst)} {stakes.unit})."
    )
    groups = by_lineup([one.case for one in judged])
    parts = [_of_lineup(name, [one.verdict for one in judged if one.case.under == name]) for name in groups]
    return [head, f"Seats beyond the margin: {'; '.join(parts)}."]


def _size(verdict: Verdict) -> float:
    return abs(verdict.estimate)


def _of_lineup(name: str, verdicts: Sequence[Verdict]) -> str:
    """`5 of 34 under random against itself (most seat 0 of 8, +1.8 ± 0.3; 3 not decided)`."""
    biased = [v for v in verdicts if v.verdict.startswith("too")]
    undecided = sum(v.verdict == "undecided" for v in verdicts)
    worst = max(biased, key=_size, default=None)
    remarks = [f"most {worst.subject}, {points(worst)}"] if worst else []
    remarks += [f"{undecided} not decided"] if undecided else []
    more = f" ({'; '.join(remarks)})" if remarks else ""
    return f"{len(biased) or 'none'} of {len(verdicts)} under {name}{more}"
