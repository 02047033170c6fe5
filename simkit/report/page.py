"""The report as a page: one HTML file that needs nothing else, and no script to be read."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from simkit.answer import Answer, Chart, Column, Table, Verdict
from simkit.report import numbers, style
from simkit.report.facts import RunFacts
from simkit.report.folding import FIRST_ROWS, MOST_ROWS, MOST_VERDICTS
from simkit.report.svg import svg_of
from simkit.report.verdicts import SIGNS
from simkit.stats.verdicts import MOST_DEALS

MOST_SENTENCES = 8  # verdicts that are all told in full
NO_BREAK_SPACE = "\u00a0"
WORD_JOINER = "\u2060"


@dataclass(frozen=True)
class _Figure:
    title: str
    wide: Markup
    narrow: Markup


@dataclass(frozen=True)
class _Head:
    label: str
    is_number: bool


@dataclass(frozen=True)
class _Cell:
    """A cell as it is read, and the number that it is sorted by ("" when missing or text)."""

    text: str
    value: str


@dataclass(frozen=True)
class _Table:
    """A table; of a long one `first` are the rows that are shown before all are asked for."""

    title: str
    columns: list[_Head]
    rows: list[list[_Cell]]
    how_to_read: str
    first: list[list[_Cell]]


def render(answer: Answer, facts: RunFacts) -> str:
    """The whole report as HTML; every text of the answer and the facts is escaped."""
    templates = environment()
    script = templates.loader.get_source(templates, "sort.js")[0] if templates.loader else ""
    return templates.get_template("report.html.j2").render(
        answer=answer,
        facts=facts,
        charts=[_figure(i, chart) for i, chart in enumerate(answer.charts)],
        tables=[_table(table) for table in answer.tables],
        verdicts=[(verdict, _in_short(verdict, answer)) for verdict in answer.verdicts],
        folded=len(answer.verdicts) > MOST_VERDICTS,
        signs=SIGNS,
        margin=_margin(facts, answer.unit),
        changed_rules=_changed_rules(facts),
        more_time=lambda verdict: _more_time(verdict, facts),
        script=Markup(script),
        script_hash=_hash(script),
    )


def environment() -> Environment:
    """Where templates of pages come from, with the filters that they use; every text in them is escaped."""
    made = Environment(
        loader=PackageLoader("simkit.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"count": numbers.count, "duration": numbers.duration, "unbroken": unbroken}
    return made


def unbroken(text: str) -> str:
    """The text with its numbers held together: thin spaces for commas, no line break around ±, before % or in 3–5."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", numbers.THIN_SPACE, text)
    text = re.sub(r"(?<=\d)–(?=\d)", f"–{WORD_JOINER}", text)
    return text.replace(" ± ", f"{NO_BREAK_SPACE}±{NO_BREAK_SPACE}").replace(" %", f"{NO_BREAK_SPACE}%")


def _hash(script: str) -> str:
    """What the page's own policy lets run: this script, and none that a text might smuggle in."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _figure(i: int, chart: Chart) -> _Figure:
    """The chart drawn twice, for a column and for a telephone; the page shows the one that fits."""
    drawn = {}
    for name, width in (("wide", style.WIDE), ("narrow", style.NARROW)):
        with style.drawn_at(width):
            drawn[name] = Markup(svg_of(chart.draw(), f"chart{i}-{name}", chart.alt))
    return _Figure(chart.title, **drawn)


def _table(table: Table) -> _Table:
    heads = [_Head(column.label, column.format != "text") for column in table.columns.values()]
    rows = [[_cell(row, *item) for item in table.columns.items()] for row in table.frame.to_dict("records")]
    return _Table(table.title, heads, rows, table.how_to_read, rows[:FIRST_ROWS] if len(rows) > MOST_ROWS else [])


def _cell(row: dict[Any, Any], key: str, column: Column) -> _Cell:
    value = row[key]
    text = numbers.cell(value, column.format, row[column.half_width] if column.half_width else None)
    is_number = column.format != "text" and text != numbers.MISSING
    return _Cell(text, repr(float(value)) if is_number and not isinstance(value, str) else "")


def _in_short(verdict: Verdict, answer: Answer) -> str:
    """The effect, for a verdict of a long list, which then stands without its sentence; otherwise ""."""
    if len(answer.verdicts) <= MOST_SENTENCES:
        return ""
    if verdict.low == verdict.high == 0:
        return "no difference in any deal"
    in_short = numbers.points(verdict.estimate, (verdict.high - verdict.low) / 2)
    effect = f"{in_short} {answer.unit.removesuffix(' of win rate')}"
    if verdict.more_deals is None:
        return effect
    if verdict.more_deals >= MOST_DEALS:
        return f"{effect}, at the margin itself"
    return f"{effect}, needs about {numbers.count(float(f'{verdict.more_deals:.1e}'))} more deals"


def _margin(facts: RunFacts, unit: str) -> str:
    if facts.margin is None:
        return ""
    text = numbers.tick(100 * facts.margin)
    first, _, rest = unit.partition(" ")
    return f"{text} {first.removesuffix('s') if text == '1' else first} {rest}"


def _changed_rules(facts: RunFacts) -> str:
    changed = sum(rule.changed for rule in facts.rules)
    if not changed:
        return "As the game has them; nothing was changed."
    return f"{changed} of {len(facts.rules)} were changed for this experiment, in bold."


def _more_time(verdict: Verdict, facts: RunFacts) -> str:
    """How long the deals that an undecided verdict needs would take on the machine of this run; "" when unknown."""
    if not verdict.more_deals or verdict.more_deals >= MOST_DEALS or not facts.deals or not facts.seconds:
        return ""
    seconds = facts.seconds / facts.deals * verdict.more_deals
    return f"They would take about {numbers.duration(seconds)} on the same machine."
