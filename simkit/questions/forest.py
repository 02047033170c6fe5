"""The verdicts of an answer in one picture: each effect with its interval, and the margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simkit.answer import Chart, Verdict
from simkit.questions.base import Asked
from simkit.questions.stakes import WINS, Stakes
from simkit.questions.words import points

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def forest_chart(
    asked: Asked, verdicts: Sequence[Verdict], name: str, title: str, what: str, stakes: Stakes = WINS
) -> Chart:
    """The chart `name`; `what` says for the text alternative what the effects are."""
    unit = stakes.unit_in_full
    rows = [(v.under, v.subject, v.estimate, v.low, v.high) for v in verdicts]
    ends = "; ".join(f"{v.subject} {points(v)} under {v.under}" for v in verdicts)

    def draw() -> Figure:
        from simkit.report.charts import forest

        return forest(rows, asked.experiment.margin, unit)

    return Chart(name, title, f"{unit[0].upper()}{unit[1:]}{what}: {ends}.", draw)
