"""The parts that seats have in a hand: what each brings, and what it is worth to choose one that can be declined.

Who chooses a part does so with cards that look good for it, so that what it brings does not say what choosing it is
worth. That is asked causally: the same deals with player 0 free to choose it, and barred from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from simkit.answer import Chart, Column, Estimate, Table, Verdict
from simkit.games.base import Role
from simkit.measures import Count, Measure, PerCount, PerGame, WinRate
from simkit.plan import Arm, Results
from simkit.questions.base import Asked, Lineup, arm_name, half_width, is_mirror, listed, number, under
from simkit.questions.forest import forest_chart
from simkit.questions.stakes import stakes_of
from simkit.questions.words import MOST_NAMED, needed, nothing_ended, points, span
from simkit.report import numbers
from simkit.series import Difference, Ratio, Series

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BARRED = ", compared with being barred from it"
HANDS, WINS, POINTS = "hands_role", "wins_role", "points_role"
What = Literal["wins", "points"]
Judgements = Mapping[str, Sequence[Verdict]]  # the verdicts on each role that can be declined, one a line-up
MEASURES: dict[What, Measure] = {"wins": WinRate(0), "points": PerGame("scores", player=0)}


def chosen_roles(asked: Asked) -> list[Role]:
    """The roles that a player can decline."""
    return [role for role in asked.game.roles if role.bar]


def worth_name(what: What, role: Role, lineup: Lineup) -> str:
    """Name of the series of what choosing a role changes for player 0: games won, or points a game."""
    return f"worth/{what}/{role.name}/{arm_name(lineup)}"


def judged_name(asked: Asked, role: Role, lineup: Lineup) -> str:
    """Name of the one of them that verdicts are on."""
    return worth_name("points" if stakes_of(asked).by_score else "wins", role, lineup)


def _barred_name(role: Role, lineup: Lineup) -> str:
    return f"{arm_name(lineup)} | {role.name} barred for player 0"


def barred_arms(asked: Asked, lineup: Lineup) -> list[Arm]:
    """The line-up with player 0 barred from each role that can be declined."""
    return [asked.barred_arm(lineup, _barred_name(role, lineup), 0, role.bar) for role in chosen_roles(asked)]


def role_series(asked: Asked, lineup: Lineup) -> list[Series]:
    """What each role brings under a line-up, and what choosing one is worth to player 0."""
    arm, series = arm_name(lineup), list[Series]()
    for role in asked.game.roles:
        series.append(Ratio(f"role/points/{role.name}/{arm}", arm, _of_role(lineup, role, POINTS)))
        series.append(Ratio(f"role/wins/{role.name}/{arm}", arm, _of_role(lineup, role, WINS)))
    for role in chosen_roles(asked):
        barred = _barred_name(role, lineup)
        series.append(Ratio(f"barred/{role.name}/{arm}", barred, MEASURES["wins"]))
        series.append(Ratio(f"free/{role.name}/{arm}", arm, MEASURES["wins"]))
        for what, measure in MEASURES.items():
            series.append(Difference(worth_name(what, role, lineup), (arm, measure), (barred, measure)))
    return series


def _of_role(lineup: Lineup, role: Role, field: str) -> Measure:
    """A field for each hand in the role: of all players of a strategy against itself, else of the first."""
    is_share = field == WINS
    if is_mirror(lineup):
        return Count(field, HANDS, (role.index,), (True, True), is_share)
    return PerCount(0, field, HANDS, (role.index,), (role.index,), is_share)


def role_tables(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[Table]:
    """What choosing a role is worth, and what each role brings; nothing in a game without roles."""
    made = [_worth_table(asked, results, found)] if chosen_roles(asked) else []
    return [*made, _role_table(asked, results, found)] if asked.game.roles else made


def _role_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    """What each role brings a hand."""
    import pandas as pd

    rows = []
    for lineup in found:
        for role in asked.game.roles:
            made = _brings(results, "points", role, lineup)
            row: dict[str, Any] = {"under": under(lineup), "role": role.words, "hands": made.count}
            row |= number("wins", _brings(results, "wins", role, lineup)) | number("points", made)
            rows.append(row)
    frame = pd.DataFrame(rows)
    how = "Of a strategy against itself all players count, in other line-ups the player named first."
    if chosen_roles(asked):
        how += f" {_caution(asked)}"
    if frame[["wins", "points"]].isna().any(axis=None):
        how += " A dash: nobody had that part."
    columns = {
        "under": Column("strategies"),
        "role": Column("part in the hand"),
        "hands": Column("hands", "count"),
        "wins": Column("of these won", "percent", "wins_pm"),
        "points": Column(f"{asked.game.score_unit} a hand", "number", "points_pm"),
    }
    return Table("roles", "What each part in a hand brings", frame, columns, how)


def _caution(asked: Asked) -> str:
    """Why points by role do not say what choosing one is worth."""
    roles = chosen_roles(asked)
    names, choices = listed(role.words for role in roles), listed(role.choice for role in roles)
    return (
        f"Who becomes the {names} chose it, with cards that looked good for it: what the part brings does not say what "
        f"{choices} is worth. The comparison with a player who must not do it does."
    )


def _brings(results: Results, what: What, role: Role, lineup: Lineup) -> Estimate:
    return results.estimate(f"role/{what}/{role.name}/{arm_name(lineup)}")


def _worth_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    """What choosing a role is worth to player 0."""
    import pandas as pd

    rows = []
    for role in chosen_roles(asked):
        for lineup in found:
            row: dict[str, Any] = {"choice": role.choice, "under": under(lineup)}
            row |= number("free", results.estimate(f"free/{role.name}/{arm_name(lineup)}"))
            row |= number("barred", results.estimate(f"barred/{role.name}/{arm_name(lineup)}"))
            row |= number("worth", results.estimate(worth_name("wins", role, lineup)))
            rows.append(row | number("points", results.estimate(worth_name("points", role, lineup))))
    frame = pd.DataFrame(rows)
    how = (
        "The same deals with the player named first free to do it, and barred from it: such a player declines wherever "
        "its strategy would have done it. All the others may. ± is for each number by itself, the verdicts' is "
        "corrected for how many they are; ± 0: no game went another way."
    )
    if frame[["free", "barred", "worth"]].isna().any(axis=None):
        how += " A dash: no game came to an end."
    columns = {
        "choice": Column("what"),
        "under": Column("strategies"),
        "free": Column("free, wins", "percent", "free_pm"),
        "barred": Column("barred, wins", "percent", "barred_pm"),
        "worth": Column("adds, points of win rate", "points", "worth_pm"),
        "points": Column(f"adds, {asked.game.score_unit} a game", "number", "points_pm"),
    }
    if len(chosen_roles(asked)) == 1:
        del columns["choice"]  # the title says it
    return Table("worth", f"What {_choices(asked)} is worth", frame, columns, how)


def _choices(asked: Asked) -> str:
    return listed(role.choice for role in chosen_roles(asked))


def role_charts(asked: Asked, results: Results, found: Sequence[Lineup], judged: Judgements) -> list[Chart]:
    """The verdicts on what choosing a role is worth; and what each brings, by strategy."""
    if not asked.game.roles:
        return []
    made = [
        (under(lineup), role.words, e.value, e.low, e.high)
        for role in asked.game.roles
        for lineup in found
        for e in (_brings(results, "points", role, lineup),)
    ]
    unit = f"{asked.game.score_unit} a hand"
    title = f"{unit[0].upper()}{unit[1:]}, by part in the hand and strategy"

    def draw() -> Figure:
        from simkit.report.charts import forest

        return forest(made, None, unit, "nothing gained, nothing lost", 1.0, "nobody had it")

    words = "; ".join(f"{role} {numbers.number(value, high - value, signed=True)} under {who}"
                      for who, role, value, _, high in made)  # fmt: skip
    charts = [Chart("roles", title, f"{title}: {words}.", draw)]
    if verdicts := [v for mine in judged.values() for v in mine]:
        what = f"What {_choices(asked)} adds to {stakes_of(asked).total}"
        charts.insert(0, forest_chart(asked, verdicts, "worth", what, BARRED, stakes_of(asked)))
    return charts


def role_sentences(asked: Asked, results: Results, found: Sequence[Lineup], judged: Judgements) -> list[str]:
    """Where choosing a role pays, and what each role brings; nothing in a game without roles."""
    if not asked.game.roles:
        return []
    parts = [f"{role.words} {_range([_brings(results, 'points', role, line) for line in found])}"
             for role in asked.game.roles]  # fmt: skip
    where = (
        f"under {under(found[0])}" if len(found) == 1 else f"from the lowest to the highest of {len(found)} line-ups"
    )
    brings = f"{asked.game.score_unit[0].upper()}{asked.game.score_unit[1:]} a hand, {where}: {', '.join(parts)}."
    pays = [_pays(asked, results, found, role, judged[role.name]) for role in chosen_roles(asked)]
    return [*chain.from_iterable(pays), brings]


def _range(estimates: Sequence[Estimate]) -> str:
    seen = sorted((e for e in estimates if not math.isnan(e.value)), key=lambda e: e.value)
    if not seen:
        return "never"
    ends = dict.fromkeys(numbers.number(e.value, half_width(e), signed=True) for e in (seen[0], seen[-1]))
    return " to ".join(ends)


def _pays(
    asked: Asked, results: Results, found: Sequence[Lineup], role: Role, verdicts: Sequence[Verdict]
) -> list[str]:
    """Where a choice pays, costs, or makes no difference beyond the margin; nothing when no game ended."""
    if nothing_ended(verdicts):
        return []
    stakes = stakes_of(asked)
    limit = stakes.within(asked.experiment.margin)
    texts = {"too strong": "pays", "too weak": "costs", "fair": f"makes no difference beyond {limit}"}
    parts = []
    for word, text in texts.items():
        some = sorted((v for v in verdicts if v.verdict == word), key=lambda v: -abs(v.estimate))
        if some:
            named = [f"{v.under} ({_added(v)})" for v in some[:MOST_NAMED]]
            named += [f"{len(some) - MOST_NAMED} more"] if len(some) > MOST_NAMED else []
            parts.append(f"{text} under {listed(named)}")
    undecided = [v for v in verdicts if v.verdict == "undecided"]
    if undecided:
        where = undecided[0].under if len(undecided) == 1 else f"{len(undecided)} line-ups"
        parts.append(f"is not decided within {limit} under {where} ({span(undecided)})")
    what = f"In {stakes.unit_in_full}, and compared with never doing it on the same deals, {role.choice}"
    return [
        f"{what} {'; '.join(parts)}.",
        *([needed(undecided)] if undecided else []),
        _in_score(asked, results, found, role),
    ]


def _added(verdict: Verdict) -> str:
    return "no game went another way" if verdict.low == verdict.high == 0 else points(verdict)


def _in_score(asked: Asked, results: Results, found: Sequence[Lineup], role: Role) -> str:
    """What a choice adds to the score, in the line-up where that is least and where it is most."""
    made = {under(line): results.estimate(worth_name("points", role, line)) for line in found}
    order = sorted(made, key=lambda name: made[name].value)
    ends = [(name, numbers.number(made[name].value, half_width(made[name]), signed=True)) for name in order]
    parts = [f"{value} under {name}" for name, value in dict.fromkeys((ends[0], ends[-1]))]
    return f"To the score it adds, in {asked.game.score_unit} a game, {' to '.join(parts)}."
