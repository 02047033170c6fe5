"""The report as a page of Markdown: what the HTML page says, for a wiki, an issue or a mail."""

from __future__ import annotations

import re
from collections.abc import Iterable

from simkit.answer import Answer, Table
from simkit.report import numbers
from simkit.report.facts import RunFacts
from simkit.report.folding import FIRST_ROWS, MOST_ROWS, MOST_VERDICTS
from simkit.report.verdicts import SIGNS, effect

SPECIAL = re.compile(r"([\\`*_\[\]<>|#~$&]|^[-+](?=\s)|(?<=^\d)[.)](?=\s))")


def render_markdown(answer: Answer, facts: RunFacts, charts: dict[str, str]) -> str:
    """The report as Markdown with pipe tables (GitHub's); every text of the answer and the facts is escaped.

    Args:
        answer: what is told.
        facts: what it stands on.
        charts: by name of a chart, the path of its picture from where the page will lie.
    """
    parts = [f"# {_plain(answer.question)}"]
    if facts.status == "interrupted":
        parts.append(f"**This run was interrupted.** It rests on {numbers.count(facts.deals)} deals.")
    parts.append(f"**{_plain(answer.summary)}**")
    parts += [f"![{_plain(chart.alt)}]({charts[chart.name]})" for chart in answer.charts[:1]]
    parts += _verdicts(answer)
    for chart in answer.charts[1:]:
        parts += [f"## {_plain(chart.title)}", f"![{_plain(chart.alt)}]({charts[chart.name]})"]
    for table in answer.tables:
        parts += [f"## {_plain(table.title)}", _shown(table)]
        parts += [_plain(table.how_to_read)] if table.how_to_read else []
    if answer.notes:
        parts += ["## What else we saw", _items(map(_plain, answer.notes))]
    return "\n\n".join([*parts, *_stands_on(answer, facts)]) + "\n"


def _plain(text: str) -> str:
    """Text in which nothing is taken for a mark of Markdown, in one line."""
    return SPECIAL.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    """Thin spaces, which hold numbers together, stay."""
    return re.sub(r"[ \t\r\n\f\v]+", " ", text).strip()


def _items(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _verdicts(answer: Answer) -> list[str]:
    if not answer.verdicts:
        return []
    lines = [
        [v.subject, v.under, f"{SIGNS[v.verdict]} {v.verdict}", f"{effect(v)}", v.sentence] for v in answer.verdicts
    ]
    heads = ["Subject", "Seen under", "Verdict", "Points of win rate", "In words"]
    told = [_plain(answer.how_to_judge)] if answer.how_to_judge else []
    grid = _grid(heads, lines, {3})
    return ["## Verdicts", *told, _folded(f"All {len(lines)}", grid) if len(lines) > MOST_VERDICTS else grid]


def _shown(table: Table) -> str:
    """The table; of a long one the first rows, and all of them folded away."""
    columns = table.columns.values()
    rows = [
        [
            numbers.cell(row[key], column.format, row[column.half_width] if column.half_width else None)
            for key, column in table.columns.items()
        ]
        for row in table.frame.to_dict("records")
    ]
    if not rows:
        return "Nothing was observed."
    heads, right = [c.label for c in columns], {i for i, c in enumerate(columns) if c.format != "text"}
    whole = _grid(heads, rows, right)
    if len(rows) <= MOST_ROWS:
        return whole
    return f"{_grid(heads, rows[:FIRST_ROWS], right)}\n\n{_folded(f'All {len(rows)} rows', whole)}"


def _folded(name: str, text: str) -> str:
    """Text that GitHub shows when its name is clicked."""
    return f"<details><summary>{name}</summary>\n\n{text}\n\n</details>"


def _grid(heads: list[str], rows: list[list[str]], right: set[int]) -> str:
    """A pipe table, with the columns of these numbers set to the right."""
    rule = ["---:" if i in right else "---" for i in range(len(heads))]
    lines = [[*map(_plain, heads)], rule, *([*map(_plain, row)] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _stands_on(answer: Answer, facts: RunFacts) -> list[str]:
    parts = ["## What this stands on", "Simulated players are not people. These numbers say what happens when the "
             "strategies below play, not what players at a table will find or feel."]  # fmt: skip
    parts += [_items(_strategy(s.label, s.parameters, s.about) for s in facts.strategies)] if facts.strategies else []
    changed = [f"{rule.option} = {rule.value}" for rule in facts.rules if rule.changed]
    parts.append(f"Rules changed for this experiment: {_plain(', '.join(changed)) or 'none'}.")
    parts += [_plain(warning) for warning in facts.warnings]
    played = (
        f"{numbers.count(facts.deals)} deals, {numbers.count(facts.games)} games of {facts.game}, seed {facts.seed}"
    )
    parts.append(_plain(f"{played}{f', on {facts.date}' if facts.date else ''}."))
    if facts.versions:
        parts.append(_plain(", ".join(f"{name} {version}" for name, version in facts.versions.items())) + ".")
    if facts.command:
        parts += ["This line plays the same games again, bit for bit:", _code(facts.command)]
    for label, command in answer.replays:
        parts += [f"{_plain(label)}:", _code(command)]
    return parts


def _strategy(label: str, parameters: str, about: str) -> str:
    known = f" ({_plain(parameters)})" if parameters else ""
    return f"**{_plain(label)}**{known}{f': {_plain(about)}' if about else ''}"


def _code(line: str) -> str:
    return f"    {_one_line(line)}"
