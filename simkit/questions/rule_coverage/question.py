"""The kind rule_coverage: which rules fire, how often, which never do, and which open points games reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ValidationInfo

from simkit.answer import Answer
from simkit.course_measures import GamesWith
from simkit.experiment import Settings
from simkit.games.options import Choice, Switch, resolve
from simkit.plan import Arm, Plan, Results
from simkit.questions import pool
from simkit.questions.base import Asked, Kind, Lineup, Pairs, arm_name, lineups, no_subjects, under
from simkit.questions.examples import example_series, replays
from simkit.questions.ladder import Seen, ladder_of, with_ladder
from simkit.questions.ladder_views import LadderViews
from simkit.questions.rule_coverage import tables
from simkit.questions.rule_coverage.tables import Variant
from simkit.series import Ratio, Series

MOST_VARIANTS = 60


def _known_rules(given: Any, info: ValidationInfo) -> Any:
    """Each variant's rules in their normal form, when they go together with those of the experiment."""
    context = info.context or {}
    game, rules = context.get("game"), context.get("rules", {})
    if isinstance(given, str) or game is None or len(rules) < len(game.options):
        return given
    if len(given) > MOST_VARIANTS:
        raise ValueError(f"{len(given)} variants are too many; {MOST_VARIANTS} at most")
    now = _given(game.options, rules)
    for variant in given:
        values, faults = resolve(game.options, now | variant)
        for name, wrong in faults or game.check_rules(values):
            raise ValueError(f"{tables.variant_words(variant)}: {name}: {wrong}")
    return given


class RuleCoverage(Settings):
    """The table [rule_coverage].

    Attributes:
        pairs: whose games are counted.
        variants: other rules to count the games of all line-ups under: a list of tables, or "each" for every other
            value of every option that is a choice or a switch, one at a time.
    """

    pairs: Pairs = "all"
    variants: Annotated[Literal["none", "each"] | tuple[dict[str, Any], ...], AfterValidator(_known_rules)] = "none"


def _given(options: Sequence[Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """The rules that are not as they usually are."""
    return {o.name: rules[o.name] for o in options if rules[o.name] != o.usual(rules)}


def _settings(asked: Asked) -> RuleCoverage:
    table = asked.experiment.settings
    assert isinstance(table, RuleCoverage)
    return table


def _each(asked: Asked) -> Iterator[Variant]:
    """Every other value of every choice and switch, one at a time."""
    for option in asked.game.options:
        if isinstance(option, Choice):
            others: Sequence[Any] = [value for value in option.choices if value != asked.rules[option.name]]
        elif isinstance(option, Switch):
            others = [value for value in (True, False) if value != asked.rules[option.name]]
        else:
            others = ()
        yield from ({option.name: value} for value in others)


def _variants(asked: Asked) -> list[Variant]:
    """The rules that change in each variant; the first one is the rules as they are."""
    wanted = _settings(asked).variants
    more = list(_each(asked)) if wanted == "each" else [] if wanted == "none" else list(wanted)
    return [{}, *more]


def _lineups(asked: Asked) -> list[Lineup]:
    return lineups(asked, _settings(asked).pairs)


def _arm(asked: Asked, line: Lineup, variant: Variant) -> Arm:
    """A line-up under a variant of the rules, which may say that more sit at the table."""
    rules, _ = resolve(asked.game.options, _given(asked.game.options, asked.rules) | dict(variant))
    seats = asked.game.seats(rules)
    return Arm(tables.arm_of(line, variant), asked.seated(line, seats), (rules,) * seats)


def plan(asked: Asked) -> Plan:
    """Each line-up under each variant, and every two strategies at a table, to know which are weak."""
    found, series = _lineups(asked), list[Series]()
    arms = {arm.name: arm for arm in (pool.pool_arms(asked) if len(asked.labels) > 1 else [])}
    for variant in _variants(asked):
        for line in found:
            arm = _arm(asked, line, variant)
            arms[arm.name] = arm
            clauses = range(len(asked.game.clauses))
            series += [Ratio(f"fired/{i}/{arm.name}", arm.name, GamesWith("clauses", (i,))) for i in clauses]
    for line in found:
        series += [*pool.gap_series(arm_name(line)), *example_series(asked, arm_name(line))]
    if len(asked.labels) > 1:
        series += [each for each in pool.pool_series(asked) if each.name.startswith("pool/")]
    return with_ladder(asked, found, Plan(tuple(arms.values()), tuple(series), f"fired/0/{arm_name(found[0])}"))


def answer(asked: Asked, results: Results) -> Answer:
    """Tables of the rules that fired; what never did is the answer."""
    found, variants = _lineups(asked), _variants(asked)
    seen = tables.Seen(asked, results, tuple(found))
    made = [tables.coverage_table(seen), tables.strategies_table(seen)]
    if len(variants) > 1:
        made.append(tables.variants_table(seen, variants[1:]))
    fired = [
        Seen.of(name, under(line), seen.share(i, line)) for i, (name, _) in enumerate(seen.clauses) for line in found
    ]
    ladder = ladder_of(asked, results, found)
    views = LadderViews(ladder, fired, "In how many games rules fire", "per cent of games", "percent")
    return Answer(
        question=asked.experiment.title or f"Which rules of {asked.game.title} come into play?",
        summary=tables.summary(seen, variants[1:]),
        headline=results.estimate(results.plan.headline),
        verdicts=(),
        tables=(*made, *views.tables()),
        charts=(tables.bars_chart(seen), *views.charts()),
        notes=(*tables.open_point_notes(seen), *pool.gap_notes(asked, results, found)),
        replays=replays(asked, results, found[-1], arm_name(found[-1])),
    )


KIND = Kind(
    "rule_coverage",
    "which rules come into play, how often, and which never do",
    RuleCoverage,
    plan,
    answer,
    subjects=no_subjects,
)
