"""The kind shape: what games look like: how long, how open, how tense, how much of it is luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

from simkit.answer import Answer
from simkit.course_measures import CLASSES, LeaderWins, OfWon, OfWonAtMost, ValuesOfWon, WonWithChance
from simkit.experiment import Settings
from simkit.measures import Count, Luck, PerGame
from simkit.plan import Arm, Plan, Results
from simkit.questions import pool
from simkit.questions.base import Asked, Kind, Lineup, Pairs, arm_name, half_width, lineups, no_subjects, under
from simkit.questions.examples import example_series, length_name, replays
from simkit.questions.ladder import Seen, ladder_of, with_ladder
from simkit.questions.ladder_views import LadderViews
from simkit.questions.shape import tables
from simkit.series import Distribution, LuckShare, Ratio, Series
from simkit.trace import Tracing

MOST_LEARNED = 1_000_000


def _games(value: object) -> object:
    if not isinstance(value, int) or isinstance(value, bool) or not 100 <= value <= MOST_LEARNED:
        raise ValueError(f"a whole number of games from 100 to {MOST_LEARNED:,}")
    return value


def _chance(value: float) -> float:
    if not 0.5 < value < 1:
        raise ValueError("a chance between 0.5 and 1 (both excluded)")
    return value


class Shape(Settings):
    """The table [shape].

    Attributes:
        pairs: whose games are looked at.
        decided: the chance of winning from which on a game counts as decided.
        learn: about how many games of other deals the chances are learned from, for each line-up.
        ladder: whether every two strategies meet, to see how far skill goes.
    """

    pairs: Pairs = "mirrors"
    decided: Annotated[float, AfterValidator(_chance)] = 0.9
    learn: Annotated[int, BeforeValidator(_games)] = 10_000
    ladder: bool = True


def shape_of(asked: Asked) -> Shape:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, Shape)
    return table


def _lineups(asked: Asked) -> list[Lineup]:
    return lineups(asked, shape_of(asked).pairs)


def plan(asked: Asked) -> Plan:
    """Each line-up with a look at every position, and every two strategies at a table for the ladder."""
    settings, found = shape_of(asked), _lineups(asked)
    tracing = Tracing(settings.learn, settings.decided)
    arms: dict[str, Arm] = {arm_name(line): replace(asked.base_arm(line), tracing=tracing) for line in found}
    series = [each for line in found for each in _series(asked, arm_name(line))]
    if tables.has_ladder(asked, settings.ladder):
        arms = {arm.name: arm for arm in pool.pool_arms(asked)} | arms
        series += [each for each in pool.pool_series(asked) if each.name.startswith("pool/")]
        meetings = asked.meetings() if asked.seats == 2 else []
        series += [LuckShare(f"luck/{arm_name(pair)}", arm_name(pair), Luck()) for pair in meetings]
    last = arm_name(found[-1])
    made = Plan(tuple(arms.values()), tuple(series), f"{_headline(asked)}/{last}")
    return with_ladder(asked, found, made) if tables.has_ladder(asked, settings.ladder) else made


def _headline(asked: Asked) -> str:
    """What the games are told by first: when they are decided, in games that tell who leads."""
    return "decided" if asked.game.progress else "forced"


def _series(asked: Asked, arm: str) -> list[Series]:
    """What is observed of one line-up's games."""

    def per_decision(field: str, share: bool = False) -> Count:
        return Count(field, "decisions", (), (True, True), share)

    made: list[Series] = [
        *pool.gap_series(arm),
        *example_series(asked, arm),
        Ratio(f"length/{arm}", arm, PerGame(asked.game.length)),
        Ratio(f"decisions/{arm}", arm, Count("decisions", None, (), (True, False), False)),
        Ratio(f"forced/{arm}", arm, per_decision("forced", share=True)),
        Ratio(f"moves/{arm}", arm, per_decision("moves")),
        Ratio(f"bits/{arm}", arm, per_decision("bits")),
    ]
    return made + (_tension(arm) if asked.game.progress else [])


def _tension(arm: str) -> list[Series]:
    """What is observed of who led."""
    return [
        Ratio(f"lead_changes/{arm}", arm, PerGame("lead_changes")),
        Ratio(f"decided/{arm}", arm, OfWon("decided")),
        Distribution(f"when/{arm}", arm, ValuesOfWon("decided")),
        *(Ratio(f"from_{p}/{arm}", arm, OfWonAtMost("lowest", 10 * p)) for p in tables.COMEBACKS),
        Ratio(f"behind/{arm}", arm, OfWon("behind")),
        Ratio(f"drama/{arm}", arm, OfWon("drama")),
        Distribution(f"deficit/{arm}", arm, ValuesOfWon("winner_behind")),
        *(Ratio(f"leader_{part}/{arm}", arm, LeaderWins(part)) for part in tables.PARTS),
        *(Ratio(f"chance_{place}/{arm}", arm, WonWithChance(place)) for place in range(CLASSES)),
    ]


def answer(asked: Asked, results: Results) -> Answer:
    """Tables of the games' length, tension and luck, and of the ladder."""
    settings, found = shape_of(asked), _lineups(asked)
    has_ladder = tables.has_ladder(asked, settings.ladder)
    made = [tables.decisions_table(asked, results, found)]
    charts = [pool.length_chart(asked, results, found)]
    if asked.game.progress:
        made.append(tables.tension_table(asked, results, found, settings.decided))
        charts = [
            tables.decided_chart(asked, results, found, settings.decided),
            tables.leader_chart(asked, results, found),
            *charts,
        ]
    if has_ladder:
        made.append(tables.ladder_table(asked, results))
        charts.append(pool.matrix_chart(asked, results))
        views = _over_strength(asked, results, found)
        made += views.tables()
        charts[1:1] = views.charts()
    if asked.game.progress:
        made.append(tables.chances_table(results, found[-1]))
    ladder = [tables.ladder_note(asked, results)] if has_ladder else []
    return Answer(
        question=asked.experiment.title or f"What does a game of {asked.game.title} look like?",
        summary=_summary(asked, results, found),
        headline=results.estimate(results.plan.headline),
        verdicts=(),
        tables=tuple(made),
        charts=tuple(charts),
        notes=(*tables.chance_notes(asked, results, found, settings.learn), *ladder, *_gaps(asked, results, found)),
        replays=replays(asked, results, found[-1], arm_name(found[-1])),
    )


def _over_strength(asked: Asked, results: Results, found: Sequence[Lineup]) -> LadderViews:
    """The headline of each strategy's games over its strength."""
    what, unit = ("decided", "per cent of its decisions after which a game is decided")
    if not asked.game.progress:
        what, unit = "forced", "per cent of the decisions that are forced"
    seen = [Seen.of(what, under(line), results.estimate(f"{_headline(asked)}/{arm_name(line)}")) for line in found]
    title = "When a game is decided" if asked.game.progress else "How many decisions are forced"
    return LadderViews(ladder_of(asked, results, found), seen, title, unit, "percent")


def _gaps(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[str]:
    return pool.gap_notes(asked, results, found)


def _summary(asked: Asked, results: Results, found: Sequence[Lineup]) -> str:
    """The last line-up's games in three sentences, and how far the others differ."""
    from simkit.report import numbers

    line, arm = found[-1], arm_name(found[-1])
    lengths = results.histogram(length_name(arm))
    low, middle, high = (lengths.quantile(q) for q in (0.25, 0.5, 0.75))
    forced, decisions = results.estimate(f"forced/{arm}"), results.estimate(f"decisions/{arm}")
    text = (
        f"Under {under(line)} a game lasts {numbers.count(middle)} {asked.game.length} (half of the games {low} to "
        f"{high}), in which a player decides {numbers.number(decisions.value, half_width(decisions))} times; "
        f"{numbers.percent(forced.value, half_width(forced))} of the decisions are forced."
    )
    return text + (tables.tension_words(results, found) if asked.game.progress else "")


KIND = Kind(
    "shape",
    "what do games look like: length, choice, tension, luck",
    Shape,
    plan,
    answer,
    subjects=no_subjects,
)
