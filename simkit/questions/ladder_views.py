"""The ladder of strategies as a chart and a table: effects over the strength of play."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simkit.answer import Chart, Column, Format, Table
from simkit.questions.base import number
from simkit.questions.ladder import Ladder, Seen, flips, spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LINES = 5  # subjects in a chart
STRENGTH = "strength: per cent of games won against the others"
NOT_SEEN = Seen("", "", math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class LadderViews:
    """What was seen over the strength of play; nothing is shown without a ladder.

    Attributes:
        ladder: the rungs.
        seen: effects by subject and line-up; those under other line-ups are left out.
        title: what the effects are.
        unit: what they are counted in.
        form: how they are written: points of win rate, per cent, or plain numbers.
        first: subjects that are shown however many there are.
    """

    ladder: Ladder
    seen: Sequence[Seen]
    title: str
    unit: str = "points of win rate"
    form: Format = "points"
    first: Sequence[str] = ()

    @cached_property
    def _places(self) -> dict[tuple[str, str], Seen]:
        return {(one.subject, one.under): one for one in self.seen}

    @cached_property
    def shown(self) -> list[str]:
        """The subjects shown; of too many those of `first`, then those that flip, then those that differ most."""
        groups: dict[str, list[Seen]] = {}
        for one in self.seen:
            if self.ladder.exists and one.under in self.ladder.rungs and math.isfinite(one.value):
                groups.setdefault(one.subject, []).append(one)
        if len({one.under for mine in groups.values() for one in mine}) < 2:
            return []  # a single rung says nothing of the strength of play

        def urgency(name: str) -> tuple[bool, bool, float]:
            return name not in self.first, not flips(groups[name]), -spread(groups[name])

        kept = sorted(groups, key=urgency)[:MOST_LINES]
        return [name for name in groups if name in kept]

    def _line(self, name: str) -> list[Seen]:
        """A subject on each rung."""
        return [self._places.get((name, rung), NOT_SEEN) for rung in self.ladder.rungs]

    @property
    def _scale(self) -> float:
        return 1.0 if self.form == "number" else 100.0

    def charts(self, name: str = "ladder") -> list[Chart]:
        """The effects over the strength of play."""
        if not self.shown:
            return []
        lines = {one: [(s.value, s.low, s.high) for s in self._line(one)] for one in self.shown}
        rungs = [(label, self.ladder.strengths[label].value) for label in self.ladder.rungs.values()]
        margin = self.ladder.margin if any(one.word for one in self.seen) else None

        strength = STRENGTH if self.ladder.even == 0.5 else f"{STRENGTH} (even: {100 * self.ladder.even:.3g})"

        def draw() -> Figure:
            from simkit.report.charts import ladder

            return ladder(rungs, lines, strength, self.unit, margin, self._scale, self._remark())

        text = f"{self.title}, by strength of play"
        return [Chart(name, text, f"{text}. {self._told(rungs)}", draw)]

    def _remark(self) -> str:
        """That not everything is shown."""
        every = len({one.subject for one in self.seen if one.under in self.ladder.rungs})
        return f"{len(self.shown)} of {every}: those that differ most" if len(self.shown) < every else ""

    def _told(self, rungs: Sequence[tuple[str, float]]) -> str:
        """The chart in words."""
        names = "; ".join(f"{label} {share:.0%}" for label, share in rungs)
        lines = "; ".join(f"{name}: {', '.join(map(self._number, self._line(name)))}" for name in self.shown)
        return f"Strategies from the weakest to the strongest, by games won against the others: {names}. {lines}."

    def _number(self, one: Seen) -> str:
        sign = "+" if self.form == "points" else ""
        return "not seen" if math.isnan(one.value) else f"{self._scale * one.value:{sign}.1f}"

    def tables(self) -> list[Table]:
        """How strong each strategy is, and what the chart shows of it."""
        import pandas as pd

        if not self.shown:
            return []
        rows = []
        for rung, label in self.ladder.rungs.items():
            row: dict[str, Any] = {"strategy": label, **number("strength", self.ladder.strengths[label])}
            row["games"] = self.ladder.strengths[label].count
            for i, name in enumerate(self.shown):
                row |= _cells(i, self._places.get((name, rung), NOT_SEEN))
            rows.append(row)
        frame, columns = pd.DataFrame(rows), self._columns()
        how = (
            "The weakest strategy comes first. How strong one is: the share that it wins of its games against the "
            f"others of this table, under the rules as they are; {100 * self.ladder.even:.3g} % is an even share. Then "
            f"{self.title[0].lower()}{self.title[1:]}, in {self.unit}."
        )
        if frame[list(columns)].isna().any(axis=None):
            how += " A dash: nothing was seen there."
        return [Table("rungs", "Strategies from the weakest to the strongest", frame, columns, how)]

    def _columns(self) -> dict[str, Column]:
        columns = {
            "strategy": Column("strategy"),
            "strength": Column("wins against the others", "percent", "strength_pm"),
            "games": Column("of games", "count"),
        }
        for i, name in enumerate(self.shown):
            is_judged = any(one.word for one in self.seen if one.subject == name)
            effect = Column(name, self.form, f"effect_{i}_pm")
            columns |= {f"said_{i}": Column(name)} if is_judged else {f"effect_{i}": effect}
        return columns


def _cells(i: int, one: Seen) -> dict[str, Any]:
    """The i-th effect of a row, as numbers and, when judged, in words."""
    from simkit.report import numbers

    half = (one.high - one.low) / 2
    cells = {f"effect_{i}": one.value, f"effect_{i}_pm": half, f"effect_{i}_low": one.low, f"effect_{i}_high": one.high}
    said = f"{one.word}, {numbers.points(one.value, half)}" if one.word else None
    return {**cells, f"verdict_{i}": one.word, f"said_{i}": said}
