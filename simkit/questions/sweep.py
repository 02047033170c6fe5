"""The kind sweep: one rule over several values, all on the same deals: what changes, and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from simkit.answer import Answer, Chart, Column, Estimate, Table, Verdict
from simkit.errors import nearest
from simkit.experiment import Settings
from simkit.games.options import OptionFault
from simkit.measures import Luck, Measure, PerGame, SeatWinRate, UnfinishedShare, WinnerBehind, WinRate
from simkit.plan import Arm, Difference, LuckShare, Plan, Ratio, Results, Series
from simkit.questions import coverage
from simkit.questions.base import Asked, Kind, Lineup, Pairs, arm_name, half_width, lineups, listed, number, under
from simkit.questions.words import replay_command, toml_value
from simkit.stats.verdicts import Wording, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMEBACK_SHARE = 0.25
MeasureName = Literal["first_player", "length", "comebacks", "lead_changes", "luck", "unfinished"]
WORDS: dict[str, str] = {
    "first_player": "games won by the first named strategy",
    "seat": "games won by seat 0",
    "length": "{length} a game",
    "comebacks": "games won after being behind by a quarter of the start",
    "lead_changes": "lead changes a game",
    "luck": "decided by the luck of the deal",
    "unfinished": "games that did not end",
}


def _rule_key(key: str, info: ValidationInfo) -> str:
    game = (info.context or {}).get("game")
    name = key.removeprefix("rules.")
    if not key.startswith("rules.") or (game is not None and name not in {o.name for o in game.options}):
        known = [f"rules.{o.name}" for o in game.options] if game is not None else ["rules.…"]
        raise ValueError(f"{key}: not a rule that can be swept.{nearest(key, known)}")
    return key


class Sweep(Settings):
    """The table [sweep]."""

    key: Annotated[str, AfterValidator(_rule_key)]
    values: Annotated[tuple[Any, ...], Field(min_length=2)]
    measures: Annotated[tuple[MeasureName, ...], Field(min_length=1)] = ("first_player", "length", "comebacks", "luck")
    pairs: Pairs = "mirrors"

    @field_validator("values")
    @classmethod
    def _fit_the_rule(cls, values: tuple[Any, ...], info: ValidationInfo) -> tuple[Any, ...]:
        game, key = (info.context or {}).get("game"), info.data.get("key", "")
        option = next((o for o in game.options if f"rules.{o.name}" == key), None) if game is not None else None
        for value in values:
            if option is None:
                break
            try:
                option.encode(value)
            except OptionFault as fault:
                raise ValueError(f"{key}: {fault}") from None
        if len({toml_value(v) for v in values}) < len(values):
            raise ValueError("a value is there twice")
        return values


def _settings(asked: Asked) -> Sweep:
    settings = asked.experiment.settings
    assert isinstance(settings, Sweep)
    return settings


def _option(asked: Asked) -> str:
    return _settings(asked).key.removeprefix("rules.")


def _arm(asked: Asked, lineup: Lineup, value: Any) -> Arm:
    option = _option(asked)
    return asked.base_arm(lineup, {**asked.rules, option: value}, f" | {option} = {toml_value(value)}")


def _reference(asked: Asked) -> Any:
    """The value that differences are taken from: the rule as it is when swept, else the first value."""
    values, now = _settings(asked).values, asked.rules[_option(asked)]
    return now if now in values else values[0]


def _measure(asked: Asked, name: str, value: Any, lineup: Lineup) -> Measure:
    rules = {**asked.rules, _option(asked): value}
    least = math.ceil(COMEBACK_SHARE * asked.game.start_score(rules))
    made: dict[str, Measure] = {
        "first_player": SeatWinRate(0) if len(set(lineup)) == 1 else WinRate(0),
        "length": PerGame(asked.game.length),
        "comebacks": WinnerBehind("behind_most", least),
        "lead_changes": PerGame("lead_changes"),
        "luck": Luck(),
        "unfinished": UnfinishedShare(),
    }
    return made[name]


def plan(asked: Asked) -> Plan:
    """Every line-up under every value, on the same deals."""
    settings, reference = _settings(asked), _reference(asked)
    arms: dict[str, Arm] = {}
    series: list[Series] = []
    for lineup in lineups(asked, settings.pairs):
        home = _arm(asked, lineup, reference)
        for value in settings.values:
            arm = _arm(asked, lineup, value)
            arms[arm.name] = arm
            for name in settings.measures:
                measure = _measure(asked, name, value, lineup)
                kind = LuckShare if name == "luck" else Ratio
                series.append(kind(f"{name}/{arm.name}", arm.name, measure))
                if name != "luck":
                    at_home = (home.name, _measure(asked, name, reference, lineup))
                    series.append(Difference(f"{name}/change/{arm.name}", (arm.name, measure), at_home))
            if "unfinished" not in settings.measures:
                series.append(Ratio(f"unfinished/{arm.name}", arm.name, UnfinishedShare()))
    for lineup in lineups(asked, settings.pairs):
        arms.setdefault(arm_name(lineup), asked.base_arm(lineup))
    series += coverage.coverage_series(asked, lineups(asked, settings.pairs))
    first = next(iter(arms))
    return Plan(tuple(arms.values()), tuple(series), f"{settings.measures[0]}/{first}", asked.seats)


def _words(asked: Asked, name: str, lineup: Lineup) -> str:
    key = "seat" if name == "first_player" and len(set(lineup)) == 1 else name
    return WORDS[key].format(length=asked.game.length)


def answer(asked: Asked, results: Results) -> Answer:
    """What each value does, its change from the rule as it is, and in which range the first seat's edge is fair."""
    settings = _settings(asked)
    found = lineups(asked, settings.pairs)
    covered, dead = coverage.coverage_table(asked, results, found)
    verdicts = _verdicts(asked, results, found)
    return Answer(
        question=asked.experiment.title or f"What does {_option(asked)} do?",
        summary=_summary(asked, results, found, verdicts),
        headline=None if settings.measures[0] == "luck" else results.estimate(results.plan.headline),
        verdicts=tuple(verdicts),
        tables=(_table(asked, results, found), covered),
        charts=tuple(_chart(asked, results, found, name) for name in settings.measures),
        notes=(*_unfinished(asked, results, found), *dead),
        replays=(("the first deal of the run", replay_command(asked, found[0], 0)),),
    )


def _verdicts(asked: Asked, results: Results, found: list[Lineup]) -> list[Verdict]:
    """Does a value change who wins, against the rule as it is? Judged by the first measure of win rates, if any."""
    if "first_player" not in _settings(asked).measures:
        return []
    reference = _reference(asked)
    judged = [
        (
            f"{_option(asked)} = {toml_value(value)}",
            results.estimate(f"first_player/change/{_arm(asked, lineup, value).name}"),
            under(lineup),
        )
        for lineup in found
        for value in _settings(asked).values
        if value != reference
    ]
    whose = "the first named strategy's" if any(len(set(line)) > 1 for line in found) else "seat 0's"
    return judge(judged, asked.experiment.margin, Wording(effect=f"it changes {whose} win rate by"))


def _summary(asked: Asked, results: Results, found: list[Lineup], verdicts: list[Verdict]) -> str:
    settings, sentences = _settings(asked), []
    first, last = settings.values[0], settings.values[-1]
    for name in settings.measures:
        ends = []
        for lineup in found:
            low, high = (results.estimate(f"{name}/{_arm(asked, lineup, v).name}") for v in (first, last))
            ends.append(f"{_shown(name, low)} to {_shown(name, high)} ({under(lineup)})")
        sentences.append(f"{_words(asked, name, found[0])}: {listed(ends)}")
    head = f"From {_option(asked)} = {toml_value(first)} to {toml_value(last)}: " + "; ".join(sentences) + "."
    if verdicts and all(v.verdict == "fair" for v in verdicts):
        margin = asked.experiment.margin * 100
        head += f" Who wins does not depend on it within ±{margin:g} points, at any of {len(settings.values)} values."
    return head


def _shown(name: str, estimate: Estimate) -> str:
    from simkit.report import numbers

    pm = half_width(estimate)
    is_count = name in ("length", "lead_changes")
    return numbers.number(estimate.value, pm) if is_count else numbers.percent(estimate.value, pm)


def _table(asked: Asked, results: Results, found: list[Lineup]) -> Table:
    import pandas as pd

    settings, rows = _settings(asked), []
    for lineup in found:
        for value in settings.values:
            arm = _arm(asked, lineup, value).name
            row: dict[str, Any] = {"under": under(lineup), "value": toml_value(value)}
            for name in settings.measures:
                row |= number(name, results.estimate(f"{name}/{arm}"))
                if name != "luck":
                    row |= number(f"{name}_change", results.estimate(f"{name}/change/{arm}"))
            rows.append(row)
    columns = {"under": Column("strategies"), "value": Column(_option(asked))}
    for name in settings.measures:
        is_count = name in ("length", "lead_changes")
        columns[name] = Column(_words(asked, name, found[0]), "number" if is_count else "percent", f"{name}_pm")
        if name != "luck":
            change = f"{name}_change"
            columns[change] = Column("change", "number" if is_count else "points", f"{change}_pm")
    return Table(
        "sweep",
        f"What {_option(asked)} changes",
        pd.DataFrame(rows),
        columns,
        f"Change: from {_option(asked)} = {toml_value(_reference(asked))} on the same deals. Changes of shares are in "
        "points. Luck of the deal: the part of the result that follows the cards when the seats are swapped.",
    )


def _chart(asked: Asked, results: Results, found: list[Lineup], name: str) -> Chart:
    settings = _settings(asked)
    values = list(settings.values)
    numeric = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
    x = values if numeric else [toml_value(v) for v in values]
    series = {}
    for lineup in found:
        made = [results.estimate(f"{name}/{_arm(asked, lineup, v).name}") for v in values]
        series[under(lineup)] = (x, [e.value for e in made], [e.low for e in made], [e.high for e in made])
    is_count = name in ("length", "lead_changes")
    words = _words(asked, name, found[0])

    def draw() -> Figure:
        from simkit.report.charts import lines

        label = words if is_count else f"{words}, per cent"
        return lines(series, _option(asked), label, scale=1.0 if is_count else 100.0)

    ends = "; ".join(f"{label}: {_ends(data, is_count)}" for label, data in series.items())
    return Chart(name, f"{words[0].upper()}{words[1:]}", f"{words} over {_option(asked)}. {ends}.", draw)


def _ends(data: tuple[Any, ...], is_count: bool) -> str:
    first, last = data[1][0], data[1][-1]
    return f"{first:.1f} to {last:.1f}" if is_count else f"{first:.1%} to {last:.1%}"


def _unfinished(asked: Asked, results: Results, found: list[Lineup]) -> list[str]:
    notes = []
    for lineup in found:
        for value in _settings(asked).values:
            moments: Any = results.tallies[f"unfinished/{_arm(asked, lineup, value).name}"]
            if moments.sums[0]:
                what = f"{_option(asked)} = {toml_value(value)}, {under(lineup)}"
                notes.append(f"{moments.sums[0]:,} of {moments.sums[1]:,} games did not end by the rules with {what}.")
    return notes or ["All games came to an end by the rules at every value."]


KIND = Kind("sweep", "what does a rule change, over several values", Sweep, plan, answer)
