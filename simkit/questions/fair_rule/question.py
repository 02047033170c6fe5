"""The kind fair_rule: which value of a rule makes the game fair.

All values are played on the same deals and judged against the margin. The one whose largest deviation over all aims is
the smallest is played again on fresh deals, since the best of many looks better than it is. For a rule of numbers a
line says at which value the target would be met. On request strategies are re-tuned at each value before it is judged.
"""

from __future__ import annotations

from typing import Any

from simkit.answer import Answer
from simkit.plan import Results
from simkit.questions import coverage
from simkit.questions.base import Asked, Kind
from simkit.questions.examples import replays
from simkit.questions.fair_rule import retuned as fair_retuned
from simkit.questions.fair_rule.aims import (
    NOBODY,
    UNFINISHED,
    Aim,
    aims_of,
    arms_at,
    changes_nothing,
    common_words,
    grid_of,
    noted_name,
    rule_words,
)
from simkit.questions.fair_rule.cases import FOLLOW_UP, Stages, plan, stages_of
from simkit.questions.fair_rule.settings import FairRule, settings_of
from simkit.questions.fair_rule.verdicts import Found, judge_all, sentences, subjects
from simkit.questions.fair_rule.views import (
    charts,
    crossing_sentences,
    crossing_table,
    crossings,
    fresh_table,
    values_table,
)
from simkit.questions.ladder import Ladder, Seen, ladder_of
from simkit.questions.ladder_views import LadderViews
from simkit.questions.sweep.axes import RULES, name_of
from simkit.questions.sweep.verdicts import runs

MANY_DRAWN = 0.1  # of the games: an even share may then come from draws


def answer(asked: Asked, results: Results) -> Answer:
    """The value that is nearest to fair, on fresh deals, and every value of the grid."""
    stages = stages_of(asked, results)
    found, lines = judge_all(asked, stages), crossings(asked, stages.grid)
    arms = [arm.name for arm in grid_of(asked, settings_of(asked).values)[0]]
    covered, dead = coverage.coverage_table(asked, results, arms, "at all values")
    name, (whose, aim) = name_of(settings_of(asked).key), common_words(asked)
    ladder, views = _ladder(asked, results, found)
    drawn, retuned = charts(asked, stages, found), fair_retuned.sentences(asked, stages, found)
    flip = ladder.flip([one.verdict for one in found.fresh or found.of_chosen])
    return Answer(
        question=asked.experiment.title or _question(asked, name),
        summary=" ".join([*flip, *sentences(asked, found, retuned)]),
        headline=results.estimate(results.plan.headline),
        verdicts=tuple(one.verdict for one in (*found.fresh, *found.grid, *found.before)),
        tables=(
            *fresh_table(asked, found),
            *fair_retuned.tables(asked, stages, found),
            values_table(asked, stages.grid, found),
            *crossing_table(asked, lines),
            *views.tables(),
            covered,
        ),
        charts=(*drawn[:1], *views.charts(), *drawn[1:]),
        notes=(
            *crossing_sentences(asked, lines),
            *_idle(asked, stages.grid),
            *_drawn(asked, stages.grid, found.chosen),
            *_unfinished(asked, stages.grid),
            *fair_retuned.notes(asked, stages),
            *dead,
        ),
        replays=_replays(asked, stages, found),
        how_to_judge=f"A value is 'fair' when {whose} is {aim} within the margin, 'too strong' when it is higher by "
        "more than that, 'too weak' when it is lower. Verdicts on fresh deals are corrected for the line-ups, those of "
        "the grid for all values as well.",
    )


def _question(asked: Asked, name: str) -> str:
    """What is asked, where the experiment has no title."""
    first = aims_of(asked)[0]
    thing = asked.game.title if first.card is None else f"the {first.card.words}"
    is_worth = first.card is not None and first.target
    return f"Which {name} makes {thing} {f'worth {first.aim}' if is_worth else 'fair'}?"


def _ladder(asked: Asked, results: Results, found: Found) -> tuple[Ladder, LadderViews]:
    """The verdicts of the grid over the strength of play, the value chosen among those shown."""
    ladder, (whose, aim) = ladder_of(asked, results, [one.lineup for one in aims_of(asked)]), common_words(asked)
    seen, chosen = [Seen.judged(one.verdict) for one in found.grid], found.of_chosen[0].verdict.subject
    return ladder, LadderViews(ladder, seen, f"How far {whose} is from {aim}", first=[chosen])


def _replays(asked: Asked, stages: Stages, found: Found) -> tuple[tuple[str, str], ...]:
    last, key = aims_of(asked)[-1], settings_of(asked).key
    arm = arms_at(asked, last, found.chosen)[0]
    return replays(asked, stages.shipped, arm.lineup, arm.name, {key.removeprefix(RULES): found.chosen})


def _idle(asked: Asked, grid: Results) -> list[str]:
    """Where a card does nothing, which says nothing about the card; a line-up where it never does is not judged."""
    notes, values = [], settings_of(asked).values
    for aim in aims_of(asked):
        idle = [value for value in values if changes_nothing(asked, grid, aim, value)]
        if idle and aim.card is not None:
            where = f"{name_of(settings_of(asked).key)} {runs(values, idle)}, {aim.under}"
            notes.append(f"The {aim.card.words} changed no game with {where}: nothing can be said about it there.")
    return notes


def _drawn(asked: Asked, grid: Results, value: Any) -> list[str]:
    """Games without a winner at the value chosen: where most are drawn, an even share says little."""
    notes = []
    for aim in _each_lineup(asked):
        games, of = grid.moments(noted_name(NOBODY, asked, aim, value)).sums
        if games > MANY_DRAWN * of:
            what = "drawn" if asked.game.without_winner == "draw" else "without a winner"
            where = f"{rule_words(asked, value)}, {aim.under}"
            notes.append(
                f"With {where}, {games / of:.0%} of the games are {what}: being fair may mean no more than that."
            )
    return notes


def _unfinished(asked: Asked, grid: Results) -> list[str]:
    notes = []
    for aim in _each_lineup(asked):
        for value in settings_of(asked).values:
            games, of = grid.moments(noted_name(UNFINISHED, asked, aim, value)).sums
            if games:
                what = f"{rule_words(asked, value)}, {aim.under}"
                notes.append(f"{games:,} of {of:,} games did not end by the rules with {what}.")
    return notes or ["All games came to an end by the rules at every value."]


def _each_lineup(asked: Asked) -> list[Aim]:
    """An aim for each line-up: a card may have several holders in one."""
    return list({aim.lineup: aim for aim in reversed(aims_of(asked))}.values())[::-1]


KIND = Kind(
    "fair_rule",
    "which value of a rule makes the game fair",
    FairRule,
    plan,
    answer,
    FOLLOW_UP,
    of_wins=True,
    subjects=subjects,
)
