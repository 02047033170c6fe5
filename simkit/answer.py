"""What a question leaves: estimates, verdicts, tables and charts, before anybody decides how they are shown.

A question (simkit.questions) makes one Answer; simkit.report turns it into a page, a terminal screen, JSON and files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Judgement = Literal["fair", "too strong", "too weak", "undecided"]


class ConfidenceSequence(Protocol):
    """Intervals of one number that hold at all looks at once (see simkit.stats.always_valid)."""

    def p_value(self, at: float) -> float:
        """The p value of a value of the number, however often one looks: 1 − the level of the interval to there."""
        ...

    def interval(self, level: float) -> tuple[float, float]:
        """The two ends of the interval of a level (0.95)."""
        ...

    def shifted(self, by: float) -> ConfidenceSequence:
        """The sequence of the number with a constant added."""
        ...


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval, from `deals` deals; NaN where nothing was observed.

    `count` is the denominator it rests on (games, plays …), `se` the standard error, both in the number's own terms.
    `sequence` is what the interval is taken from when it holds however often one looks; None when it is for one look.
    """

    value: float
    low: float
    high: float
    se: float
    deals: int
    count: int
    sequence: ConfidenceSequence | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Verdict:
    """An estimate judged against the designer's margin, under named strategies.

    Attributes:
        subject: what is judged, as the experiment names it ("K", "seat 0", "start_points = 50").
        estimate, low, high: the effect with its 95 % interval (Holm-corrected in a list), as a fraction
            of 1 for win rates (0.012 is 1.2 points of win rate).
        margin: the designer's margin in the same unit.
        verdict: "fair" (interval inside the margin), "too strong" / "too weak" (interval outside), or "undecided".
        under: the strategies it was seen under, in words ("greedy against itself").
        p: the Holm-corrected p value of the test that decided it.
        more_deals: about how many more deals an undecided verdict needs; None when decided.
        sentence: the verdict in words, with number, interval, margin and strategies.
    """

    subject: str
    estimate: float
    low: float
    high: float
    margin: float
    verdict: Judgement
    under: str
    p: float
    more_deals: int | None
    sentence: str


# How a table's column is written: a share of 1 as per cent, an effect as points of win rate, a plain number with the
# digits that are known, a whole number, or text.
Format = Literal["percent", "points", "number", "count", "text"]


@dataclass(frozen=True)
class Column:
    """How a column of a table is shown.

    Attributes:
        label: the heading, in words with the unit.
        format: see Format.
        half_width: name of the frame's column that holds the 95 % half-width, shown as ± and used for rounding.
    """

    label: str
    format: Format = "text"
    half_width: str | None = None


@dataclass(frozen=True)
class Table:
    """A frame with full precision (as saved to CSV) and how to show it; columns not listed are only in the CSV."""

    name: str
    title: str
    frame: pd.DataFrame
    columns: Mapping[str, Column]
    how_to_read: str = ""


@dataclass(frozen=True)
class Chart:
    """A chart: `draw` makes the matplotlib Figure when it is needed; `alt` says in words what it shows."""

    name: str
    title: str
    alt: str
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class Answer:
    """Everything a run has to say. The first chart is the headline; `notes` are the other things seen.

    Attributes:
        question: the question in the designer's words.
        summary: the answer in one or two sentences, with numbers.
        headline: the one estimate that the run's precision is judged by.
        unit: of effects, margins and headline: what 0.01 of them is one of.
        replays: (label, command) of games worth looking at.
        how_to_judge: what a reader must know to make sense of the verdicts; empty when they speak for themselves.
        in_short: name of the table that sums many verdicts up, which a terminal shows in their place; "" for none.
    """

    question: str
    summary: str
    headline: Estimate | None
    verdicts: tuple[Verdict, ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...]
    notes: tuple[str, ...] = ()
    replays: tuple[tuple[str, str], ...] = field(default=())
    how_to_judge: str = ""
    unit: str = "points of win rate"
    in_short: str = ""
