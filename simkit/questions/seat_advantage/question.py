"""The kind seat_advantage: what a seat adds to the win rate, at tables of one size or several, and what roles bring.

A seat adds its win rate less an even share. Roles are the parts that seats have in a hand, in games that have them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simkit.answer import Answer, Chart, Column, Estimate, Table, Verdict
from simkit.plan import Results
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Kind, Lineup, listed, number, under
from simkit.questions.examples import replays
from simkit.questions.forest import forest_chart
from simkit.questions.ladder import Seen, ladder_of
from simkit.questions.ladder_views import LadderViews
from simkit.questions.seat_advantage import roles as seat_roles
from simkit.questions.seat_advantage import sizes as seat_sizes
from simkit.questions.seat_advantage.cases import Case, SeatAdvantage, cases, many_sizes, plan
from simkit.questions.seat_advantage.verdicts import Judged, added, how_to_judge, judge_all, seat_sentences, subjects
from simkit.questions.stakes import stakes_of


def answer(asked: Asked, results: Results) -> Answer:
    """A verdict on each seat of each line-up (of two seats on the first's), and on each role that can be declined."""
    found, judged = cases(asked), judge_all(asked, results)
    where = "at tables of all sizes" if many_sizes(asked) else "at the rules as they are"
    covered, dead = coverage.coverage_table(asked, results, [case.arm for case in found], where)
    last, lineups = found[-1], [case.lineup for case in found]
    stakes = stakes_of(asked)
    ladder, verdicts = ladder_of(asked, results, lineups, stakes), [one.verdict for one in judged]
    title = f"What {_what(asked)} adds to {stakes.total}"
    views = LadderViews(ladder, [*map(Seen.judged, verdicts)], title, stakes.unit_in_full)
    charts = _charts(asked, results, found, judged)
    return Answer(
        question=asked.experiment.title or "Does the seat matter?",
        summary=" ".join([*ladder.flip(verdicts, _named(asked)), *_sentences(asked, results, found, judged)]),
        headline=_headline(asked, results, found[0]),
        verdicts=tuple(verdicts),
        tables=(*_tables(asked, results, found), *views.tables(), covered),
        charts=(*charts[:1], *views.charts(), *charts[1:]),
        notes=(*pool.gap_notes(asked, results, lineups, _table_words if many_sizes(asked) else under), *dead),
        replays=replays(last.asked, results, last.lineup, last.arm),
        how_to_judge=how_to_judge(asked),
        unit=stakes.unit_in_full,
    )


def _named(asked: Asked) -> Callable[[str], str]:
    """What a verdict is on, in a sentence: of a role that it is chosen."""
    choices = {role.words: role.choice for role in seat_roles.chosen_roles(asked)}
    return lambda subject: choices.get(subject, subject)


def _what(asked: Asked) -> str:
    """What the verdicts are on, in words."""
    return listed([*(role.choice for role in seat_roles.chosen_roles(asked)), "sitting in a seat"])


def _table_words(lineup: Lineup) -> str:
    return f"{under(lineup)} with {len(lineup)} players"


def _headline(asked: Asked, results: Results, first: Case) -> Estimate:
    """What the precision is judged by: of a seat what it adds."""
    if seat_roles.chosen_roles(asked):
        return results.estimate(results.plan.headline)
    return added(results, stakes_of(asked), first, 0)


def _sentences(asked: Asked, results: Results, found: Sequence[Case], judged: Sequence[Judged]) -> list[str]:
    """What the roles are worth, where there are any; whether the seat matters; of several tables how long games are."""
    told = seat_roles.role_sentences(asked, results, [case.lineup for case in found], _on_roles(asked, judged))
    told += seat_sentences(asked, [one for one in judged if one.role is None])
    return [*told, seat_sizes.length_sentence(asked, results, found)] if many_sizes(asked) else told


def _on_roles(asked: Asked, judged: Sequence[Judged]) -> dict[str, list[Verdict]]:
    """The verdicts on choosing each role, by its name."""
    roles = seat_roles.chosen_roles(asked)
    return {role.name: [one.verdict for one in judged if one.role == role] for role in roles}


def _tables(asked: Asked, results: Results, found: Sequence[Case]) -> list[Table]:
    tables = seat_roles.role_tables(asked, results, [case.lineup for case in found])
    if many_sizes(asked):
        return [*tables, *(make(asked, results, found) for make in (seat_sizes.size_table, seat_sizes.length_table))]
    return [*tables, _seat_table(asked, results, found)]


def _seat_table(asked: Asked, results: Results, found: Sequence[Case]) -> Table:
    """The win rates of seats at tables of one size."""
    import pandas as pd

    rows, stakes = [], stakes_of(asked)
    for case in found:
        for seat in case.seats:
            estimate = results.estimate(f"seat/{seat}/{case.arm}")
            row = {"under": case.under, "seat": str(seat), **number("win_rate", estimate)}
            row |= number("lead", results.estimate(f"lead/{seat}/{case.arm}"))
            if stakes.by_score:
                row |= number("score", added(results, stakes, case, seat))
            rows.append(row | {"games": estimate.count})
    columns = {
        "under": Column("strategies"),
        "seat": Column("seat"),
        "win_rate": Column("games won", "percent", "win_rate_pm"),
        "games": Column("of games", "count"),
    }
    if stakes.by_score:
        columns["score"] = Column(
            f"score ({asked.game.score_unit} a game, less the table's mean)", "number", "score_pm"
        )
    elif not asked.game.only_wins(asked.rules):
        columns["lead"] = Column(f"score above the others' ({asked.game.score_unit})", "number", "lead_pm")
    how = (
        "Every deal is played in all seatings, so that a seat's win rate does not mix with who sits there. Intervals "
        "count deals, not games: a strategy without chance plays the same game twice when it meets itself."
    )
    frame = pd.DataFrame(rows)
    if frame[list(columns)].isna().any(axis=None):
        how += " A dash: no game came to an end."
    return Table("seats", "Win rate of each seat", frame, columns, how)


def _charts(asked: Asked, results: Results, found: Sequence[Case], judged: Sequence[Judged]) -> list[Chart]:
    """Roles first, where there are any; then seats, and how long games are."""
    lineups = [case.lineup for case in found]
    charts = seat_roles.role_charts(asked, results, lineups, _on_roles(asked, judged))
    if many_sizes(asked):
        charts += seat_sizes.maps(asked, results, found, judged)
        return [*charts, seat_sizes.length_chart(asked, results, found)]
    seats = [one.verdict for one in judged if one.role is None]
    return [*charts, _forest(asked, seats), pool.length_chart(asked, results, lineups)]


def _forest(asked: Asked, verdicts: Sequence[Verdict]) -> Chart:
    whose = "seat 0" if len({v.subject for v in verdicts}) == 1 else "a seat"
    stakes = stakes_of(asked)
    title = f"What sitting in {whose} adds to {stakes.total}"
    return forest_chart(asked, verdicts, "seats", title, f" above {stakes.even}, by seat and strategy", stakes)


KIND = Kind("seat_advantage", "does the place at the table matter", SeatAdvantage, plan, answer, subjects=subjects)
