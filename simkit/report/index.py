"""The page over many runs: one entry a run, in the style of a report, without a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simkit.report.facts import Status
from simkit.report.page import environment


@dataclass(frozen=True)
class Entry:
    """A run as the index shows it.

    Attributes:
        name: of its folder.
        title: the question, in the designer's words.
        answer: its answer in one sentence; empty when its page does not say.
        game: name of the game.
        deals: how many were played.
        ended: when, in ISO 8601; empty when it was killed.
        status: whether all deals were played.
        link: its page, from the folder of the index; empty when it has none.
    """

    name: str
    title: str
    answer: str
    game: str
    deals: int
    ended: str
    status: Status
    link: str


def render_index(entries: Sequence[Entry]) -> str:
    """The index as HTML, in the order given; every text is escaped."""
    return environment().get_template("index.html.j2").render(entries=entries)
