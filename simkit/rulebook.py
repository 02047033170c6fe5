"""A game's rule document, clause by clause: docs/rules/<game>.md, or `rules.md` in the package of a plug-in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from simkit.games import games
from simkit.strategy import shipped_folder

_SECTION = re.compile(r"## ([A-Z]+-\d+) +(.+)")
_CLAUSE = re.compile(r"\*\*([A-Z]+-[\d.]+)\*\* +(.+)")


@dataclass
class Clause:
    """A clause: its number and its text (Markdown)."""

    number: str
    text: str


@dataclass
class Section:
    """A numbered section of the document with its clauses."""

    number: str
    title: str
    clauses: list[Clause] = field(default_factory=list)


def read_rules(game: str) -> list[Section]:
    """The numbered sections of a game's rule document; none when the game comes without one."""
    known = games()
    places = [shipped_folder("rules") / f"{game}.md", *([known[game].folder / "rules.md"] if game in known else [])]
    path = next((place for place in places if place.is_file()), None)
    return parse(path.read_text(encoding="utf-8")) if path else []


def parse(text: str) -> list[Section]:
    """The numbered sections of a rule document; other sections are left out.

    A section starts with `## COL-1 Title`, a clause with `**COL-1.1**`; what follows up to the next belongs to it.
    """
    sections: list[Section] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("#"):
            heading = _SECTION.match(line)
            inside = heading is not None
            if heading:
                sections.append(Section(heading[1], heading[2].strip()))
        elif inside and (clause := _CLAUSE.match(line)):
            sections[-1].clauses.append(Clause(clause[1], clause[2]))
        elif inside and sections[-1].clauses:
            sections[-1].clauses[-1].text += "\n" + line
    for section in sections:
        for each in section.clauses:
            each.text = each.text.strip()
    return sections
