"""The kind sweep: one rule over several values, all on the same deals: what changes, and by how much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from simkit.answer import Answer, Chart, Column, Estimate, Table, Verdict
from simkit.errors import nearest
from simkit.experiment import Settings
from simkit.games.options import OptionFault
from simkit.measures import Luck, Measure, PerGame, SeatWinRate, UnfinishedShare, WinnerBehind, WinRate
from simkit.plan import Arm, ChanceShare, Difference, LuckShare, Plan, Ratio, Results, Series
from simkit.questions import coverage
from simkit.questions.base import Asked, Kind, Lineup, Pairs, half_width, lineups, listed, number, under
from simkit.questions.examples import example_series, replays
from simkit.questions.words import counted, needed, points, span, toml_value, within
from simkit.stats.verdicts import Wording, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMEBACK_SHARE = 0.25
COUNTS = ("length", "lead_changes")  # plain numbers; the other measures are shares of 1
OF_A_MATCH = ("chance", "luck")  # shares that say something where two different strategies meet
MeasureName = Literal["first_player", "length", "comebacks", "lead_changes", "chance", "luck", "unfinished"]
WORDS: dict[str, str] = {
    "first_player": "games won by the first player",
    "length": "{length} a game",
    "comebacks": "comebacks",
    "lead_changes": "lead changes a game",
    "chance": "games decided by luck",
    "luck": "luck of the deal",
    "unfinished": "games that did not end",
}
MEANING: dict[str, str] = {
    "first_player": "The first player is the one named first; against itself, whoever sits in seat 0.",
    "comebacks": "A comeback: the winner was once behind by a quarter of the starting {unit} or more.",
    "chance": "Decided by luck: 0 % when the better strategy wins every game, 100 % when each wins half, as between "
    "equals.",
    "luck": "Luck of the deal: how far the winner changes with the seats when a deal is played again with the seats "
    "swapped. Cards drawn later depend on what is played before, so that it is about the first hands above all, and "
    "below 0 % when a deal suits one strategy from both seats. A strategy without chance has 100 % against itself.",
}
MOST_CHANGES = 2  # so many measures are shown with their changes; with more, these are only in the CSV file


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
    measures: Annotated[tuple[MeasureName, ...], Field(min_length=1)] = ("first_player", "length", "comebacks")
    pairs: Pairs = "mirrors"

    @field_validator("values")
    @classmethod
    def _fit_the_rule(cls, values: tuple[Any, ...], info: ValidationInfo) -> tuple[Any, ...]:
        context, key = info.context or {}, info.data.get("key", "")
        game, rules = context.get("game"), context.get("rules", {})
        option = next((o for o in game.options if f"rules.{o.name}" == key), None) if game is not None else None
        if game is None or option is None:
            return values
        try:
            codes = [option.encode(value) for value in values]
        except OptionFault as fault:
            raise ValueError(f"{key}: {fault}") from None
        twice = [toml_value(v) for v, code in zip(values, codes, strict=True) if codes.count(code) > 1]
        if twice:
            raise ValueError(f"{key}: a value is there twice: {', '.join(twice)}")
        if len(rules) == len(game.options):  # none of them has a fault of its own
            for value in values:
                for name, wrong in game.check_rules({**rules, option.name: value}):
                    raise ValueError(f"{key} = {toml_value(value)}: {name}: {wrong}")
        return tuple(option.normal(value) for value in values)

    @field_validator("measures")
    @classmethod
    def _each_once(cls, measures: tuple[MeasureName, ...], info: ValidationInfo) -> tuple[MeasureName, ...]:
        game, rules = (info.context or {}).get("game"), (info.context or {}).get("rules", {})
        if "luck" in measures and game is not None and len(rules) == len(game.options) and game.seats(rules) != 2:
            raise ValueError("luck: measured by swapping seats, so only in a game of two")
        return tuple(dict.fromkeys(measures))


def _settings(asked: Asked) -> Sweep:
    settings = asked.experiment.settings
    assert isinstance(settings, Sweep)
    return settings


def _option(asked: Asked) -> str:
    return _settings(asked).key.removeprefix("rules.")


def _lineups(asked: Asked) -> list[Lineup]:
    return lineups(asked, _settings(asked).pairs)


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
        "first_player": SeatWinRate(0) if _is_mirror(lineup) else WinRate(0),
        "length": PerGame(asked.game.length),
        "comebacks": WinnerBehind("behind_most", least),
        "lead_changes": PerGame("lead_changes"),
        "chance": WinRate(0),
        "luck": Luck(),
        "unfinished": UnfinishedShare(),
    }
    return made[name]


def _is_mirror(lineup: Lineup) -> bool:
    return len(set(lineup)) == 1


def plan(asked: Asked) -> Plan:
    """Every line-up under every value, on the same deals."""
    settings, reference = _settings(asked), _reference(asked)
    arms: list[Arm] = []
    series: list[Series] = []
    for lineup in _lineups(asked):
        home = _arm(asked, lineup, reference)
        for value in settings.values:
            arm = _arm(asked, lineup, value)
            arms.append(arm)
            for name in dict.fromkeys((*settings.measures, "unfinished")):
                measure = _measure(asked, name, value, lineup)
                if isinstance(measure, Luck):
                    series.append(LuckShare(f"{name}/{arm.name}", arm.name, measure))
                    continue
                if name == "chance" and isinstance(measure, WinRate):
                    series.append(ChanceShare(f"{name}/{arm.name}", arm.name, measure))
                    continue
                series.append(Ratio(f"{name}/{arm.name}", arm.name, measure))
                at_home = (home.name, _measure(asked, name, reference, lineup))
                series.append(Difference(f"{name}/change/{arm.name}", (arm.name, measure), at_home))
        series += example_series(asked, home.name)
    series += coverage.coverage_series(asked, [arm.name for arm in arms])
    return Plan(tuple(arms), tuple(series), f"{settings.measures[0]}/{arms[0].name}", asked.seats)


def answer(asked: Asked, results: Results) -> Answer:
    """What each value does, its change from the rule as it is, and whether that changes who wins."""
    settings, found, option = _settings(asked), _lineups(asked), _option(asked)
    arms = [_arm(asked, lineup, value).name for lineup in found for value in settings.values]
    covered, dead = coverage.coverage_table(asked, results, arms, f"at all values of {option}")
    verdicts, reference = _verdicts(asked, results, found), _reference(asked)
    shown, home = found[-1], _arm(asked, found[-1], reference).name
    return Answer(
        question=asked.experiment.title or f"What does {option} do?",
        summary=_summary(asked, results, found, verdicts),
        headline=results.estimate(results.plan.headline),
        verdicts=tuple(verdicts),
        tables=(_table(asked, results, found), covered),
        charts=tuple(_chart(asked, results, found, name) for name in _charted(settings)),
        notes=(*_unfinished(asked, results, found), *dead),
        replays=replays(asked, results, shown, home, {option: reference}),
    )


def _verdicts(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[Verdict]:
    """Does a value change who wins, against the rule as it is? Judged where the first player's win rate is measured."""
    if "first_player" not in _settings(asked).measures:
        return []
    judged = [
        (
            f"{_option(asked)} = {toml_value(value)}",
            results.estimate(f"first_player/change/{_arm(asked, lineup, value).name}"),
            under(lineup),
        )
        for lineup in found
        for value in _settings(asked).values
        if value != _reference(asked)
    ]
    return judge(judged, asked.experiment.margin, Wording(effect=f"it changes {_whose(found)} win rate by"))


def _whose(found: Sequence[Lineup]) -> str:
    """Whose win rate is meant: a mirror has no first strategy, only a first seat."""
    mirrors = [_is_mirror(lineup) for lineup in found]
    if all(mirrors):
        return "seat 0's"
    return "the first player's (in a mirror, seat 0's)" if any(mirrors) else "the first player's"


def _summary(asked: Asked, results: Results, found: Sequence[Lineup], verdicts: Sequence[Verdict]) -> str:
    """Whether it changes who wins, if that was asked; then what becomes of each measure from end to end."""
    settings = _settings(asked)
    first, last = settings.values[0], settings.values[-1]
    parts = [
        f"{_words(asked, name)} {_from_to(asked, results, found, name)}"
        for name in _charted(settings)
        if name != "first_player"
    ]
    sentences = [_who_wins(asked, verdicts)] if verdicts else []
    if parts:
        ends = f"From {_option(asked)} = {toml_value(first)} to {toml_value(last)}"
        many = " (the lowest and highest line-up)" if len(found) > 1 else ""
        sentences.append(f"{ends}{many}: {'; '.join(parts)}.")
    return " ".join(sentences)


def _who_wins(asked: Asked, verdicts: Sequence[Verdict]) -> str:
    limit = within(asked.experiment.margin)
    changed = [v for v in verdicts if v.verdict.startswith("too")]
    undecided = [v for v in verdicts if v.verdict == "undecided"]
    if changed:
        most = sorted(changed, key=lambda v: -abs(v.estimate))[:3]
        seen = listed(f"{v.subject} under {v.under} ({points(v)} points of win rate)" for v in most)
        more = f"; so in {len(changed)} of {len(verdicts)} verdicts" if len(changed) > len(most) else ""
        return f"It changes who wins by more than your margin of {limit}: {seen}{more}."
    if undecided:
        return (
            f"Whether it changes who wins is not decided within {limit} in {len(undecided)} of {len(verdicts)} "
            f"verdicts, the changes go from {span(verdicts)} points of win rate. {needed(undecided)}"
        )
    where = counted(len(dict.fromkeys(v.under for v in verdicts)), "line-up")
    seen = f"all {where}" if where != "one line-up" else verdicts[0].under
    return (
        f"Who wins does not depend on it: under {seen} win rates change by {span(verdicts)} points, inside your margin "
        f"of {limit}."
    )


def _from_to(asked: Asked, results: Results, found: Sequence[Lineup], name: str) -> str:
    """A measure at the first and at the last value; of several line-ups the lowest and the highest."""
    values, telling = _settings(asked).values, _telling(found, name)
    ends = [
        [results.estimate(f"{name}/{_arm(asked, lineup, value).name}") for lineup in telling]
        for value in (values[0], values[-1])
    ]
    steps = [last.value - first.value for first, last in zip(*ends, strict=True)]
    if any(math.isnan(step) for step in steps):
        return "not seen at both ends"
    verb = "rise" if min(steps) > 0 else "fall" if max(steps) < 0 else "go"
    return f"{verb} from {_range(name, ends[0])} to {_range(name, ends[1])}"


def _range(name: str, estimates: Sequence[Estimate]) -> str:
    """One estimate with its interval; of several the lowest and the highest, without."""
    if len(estimates) == 1:
        return _shown(name, estimates[0])
    scale, unit = (1, "") if name in COUNTS else (100, " %")
    values = [f"{scale * e.value:.1f}".replace("-", "−") for e in sorted(estimates, key=lambda e: e.value)]
    return f"{values[0]}–{values[-1]}{unit}" if not values[0].startswith("−") else f"{values[0]} to {values[-1]}{unit}"


def _telling(found: Sequence[Lineup], name: str) -> list[Lineup]:
    """The line-ups that say something: of luck those of different strategies, where skill could decide as well."""
    telling = [lineup for lineup in found if name not in OF_A_MATCH or not _is_mirror(lineup)]
    return telling or list(found)


def _charted(settings: Sweep) -> list[MeasureName]:
    """The measures that are shown at once: the luck of the deal, which needs words, only where it is all there is."""
    return [name for name in settings.measures if name != "luck" or "chance" not in settings.measures]


def _words(asked: Asked, name: str) -> str:
    return WORDS[name].format(length=asked.game.length)


def _shown(name: str, estimate: Estimate) -> str:
    from simkit.report import numbers

    pm = half_width(estimate)
    return numbers.number(estimate.value, pm) if name in COUNTS else numbers.percent(estimate.value, pm)


def _table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    import pandas as pd

    settings, rows = _settings(asked), []
    for lineup in found:
        for value in settings.values:
            arm = _arm(asked, lineup, value).name
            row: dict[str, Any] = {"under": under(lineup), "value": toml_value(value)}
            for name in settings.measures:
                row |= number(name, results.estimate(f"{name}/{arm}"))
                if name not in OF_A_MATCH:
                    row |= number(f"{name}_change", results.estimate(f"{name}/change/{arm}"))
            rows.append(row)
    return Table(
        "sweep",
        f"What {_option(asked)} changes",
        pd.DataFrame(rows),
        _columns(asked),
        _how_to_read(asked),
    )


def _columns(asked: Asked) -> dict[str, Column]:
    columns = {"under": Column("strategies"), "value": Column(_option(asked))}
    for name in _settings(asked).measures:
        is_count = name in COUNTS
        columns[name] = Column(_words(asked, name), "number" if is_count else "percent", f"{name}_pm")
        if name not in OF_A_MATCH and len(_settings(asked).measures) <= MOST_CHANGES:
            change = f"{name}_change"
            words = "change" if is_count else "change (points)"
            columns[change] = Column(words, "number" if is_count else "points", f"{change}_pm")
    return columns


def _how_to_read(asked: Asked) -> str:
    measures = _settings(asked).measures
    reference = f"{_option(asked)} = {toml_value(_reference(asked))}"
    text = [f"Changes are from {reference}, on the same deals."]
    if len(measures) > MOST_CHANGES:
        text = [f"All values are played on the same deals; the CSV file has the changes from {reference}."]
    return " ".join(text + [MEANING[m].format(unit=asked.game.score_unit) for m in measures if m in MEANING])


def _chart(asked: Asked, results: Results, found: Sequence[Lineup], name: str) -> Chart:
    settings, option = _settings(asked), _option(asked)
    values = list(settings.values)
    numeric = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
    x = values if numeric else [toml_value(v) for v in values]
    series = {}
    for lineup in _telling(found, name):
        made = [results.estimate(f"{name}/{_arm(asked, lineup, v).name}") for v in values]
        series[under(lineup)] = (x, [e.value for e in made], [e.low for e in made], [e.high for e in made])
    is_count, words = name in COUNTS, _words(asked, name)
    about = next(o.about for o in asked.game.options if o.name == option)

    def draw() -> Figure:
        from simkit.report.charts import lines

        label = words if is_count else f"{words}, per cent of games"
        return lines(series, f"{option}: {about}", label, scale=1.0 if is_count else 100.0)

    ends = "; ".join(f"{label}: {_ends(data, is_count)}" for label, data in series.items())
    return Chart(name, f"{words[0].upper()}{words[1:]}", f"{words} over {option}. {ends}.", draw)


def _ends(data: tuple[Any, ...], is_count: bool) -> str:
    first, last = data[1][0], data[1][-1]
    return f"{first:.1f} to {last:.1f}" if is_count else f"{first:.1%} to {last:.1%}"


def _unfinished(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[str]:
    notes = []
    for lineup in found:
        for value in _settings(asked).values:
            games, of = results.moments(f"unfinished/{_arm(asked, lineup, value).name}").sums
            if games:
                what = f"{_option(asked)} = {toml_value(value)}, {under(lineup)}"
                notes.append(f"{games:,} of {of:,} games did not end by the rules with {what}.")
    return notes or ["All games came to an end by the rules at every value."]


KIND = Kind("sweep", "what does a rule change, over several values", Sweep, plan, answer)
