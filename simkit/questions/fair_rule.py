"""The kind fair_rule: which value of a rule makes the game fair.

All values are played on the same deals and judged against the margin. The one whose largest deviation over all line-ups
is the smallest is played again on fresh deals, since the best of many looks better than it is. For a rule of numbers a
curve says at which value the win rate would cross the target.
"""

from __future__ import annotations

from typing import Any

from simkit.answer import Answer
from simkit.plan import Results
from simkit.questions import coverage
from simkit.questions.base import Asked, Kind, under
from simkit.questions.examples import replays
from simkit.questions.fair_cases import (
    FOLLOW_UP,
    FairRule,
    aim_words,
    arm_at,
    found_lineups,
    plan,
    rule_words,
    settings_of,
)
from simkit.questions.fair_verdicts import judge_all, sentences
from simkit.questions.fair_views import (
    charts,
    crossing_sentences,
    crossing_table,
    crossings,
    fresh_table,
    values_table,
)
from simkit.questions.ladder import Seen, ladder_of
from simkit.questions.ladder_views import LadderViews
from simkit.questions.sweep_axes import RULES, name_of

MANY_DRAWN = 0.1  # of the games: an even share may then come from draws


def answer(asked: Asked, results: Results) -> Answer:
    """The value that is nearest to fair, on fresh deals, and every value of the grid."""
    found, lines, last = judge_all(asked, results), crossings(asked, results), found_lineups(asked)[-1]
    arms = [arm_at(asked, line, value).name for line in found_lineups(asked) for value in settings_of(asked).values]
    covered, dead = coverage.coverage_table(asked, results, arms, "at all values")
    name, chosen = name_of(settings_of(asked).key), found.chosen
    whose, aim = aim_words(asked)
    ladder, chosen_words = ladder_of(asked, results, found_lineups(asked)), rule_words(asked, chosen)
    of_chosen = [one.verdict for one in found.fresh or found.of_chosen]
    on_grid = [Seen.judged(one.verdict) for one in found.grid]
    views = LadderViews(ladder, on_grid, f"How far {whose} is from {aim}", first=[chosen_words])
    drawn = charts(asked, results, found)
    return Answer(
        question=asked.experiment.title or f"Which {name} makes {asked.game.title} fair?",
        summary=" ".join([*ladder.flip(of_chosen), *sentences(asked, found)]),
        headline=results.estimate(results.plan.headline),
        verdicts=tuple(one.verdict for one in (*found.fresh, *found.grid)),
        tables=(
            *fresh_table(asked, found),
            values_table(asked, results, found),
            *crossing_table(asked, lines),
            *views.tables(),
            covered,
        ),
        charts=(*drawn[:1], *views.charts(), *drawn[1:]),
        notes=(*crossing_sentences(asked, lines), *_drawn(asked, results, chosen), *_unfinished(asked, results), *dead),
        replays=replays(
            asked, results, last, arm_at(asked, last, chosen).name, {settings_of(asked).key.removeprefix(RULES): chosen}
        ),
        how_to_judge=f"A value is 'fair' when {whose} is {aim} within the margin, 'too strong' when it is higher by "
        "more than that, 'too weak' when it is lower. Verdicts on fresh deals are corrected for the line-ups, those of "
        "the grid for all values as well.",
    )


def _drawn(asked: Asked, results: Results, value: Any) -> list[str]:
    """Games without a winner at the value chosen: where most are drawn, an even share says little."""
    notes = []
    for lineup in found_lineups(asked):
        games, of = results.moments(f"without_winner/{arm_at(asked, lineup, value).name}").sums
        if games > MANY_DRAWN * of:
            what = "drawn" if asked.game.without_winner == "draw" else "without a winner"
            where = f"{rule_words(asked, value)}, {under(lineup)}"
            notes.append(
                f"With {where}, {games / of:.0%} of the games are {what}: being fair may mean no more than that."
            )
    return notes


def _unfinished(asked: Asked, results: Results) -> list[str]:
    notes = []
    for lineup in found_lineups(asked):
        for value in settings_of(asked).values:
            games, of = results.moments(f"unfinished/{arm_at(asked, lineup, value).name}").sums
            if games:
                what = f"{rule_words(asked, value)}, {under(lineup)}"
                notes.append(f"{games:,} of {of:,} games did not end by the rules with {what}.")
    return notes or ["All games came to an end by the rules at every value."]


KIND = Kind("fair_rule", "which value of a rule makes the game fair", FairRule, plan, answer, FOLLOW_UP, of_wins=True)
