"""Who beats whom: a pool's payoffs as a table and as a chart, and the circles in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from simkit.answer import Chart, Column, Table
from simkit.questions.base import Asked, half_width, listed, number
from simkit.questions.ladder import Ladder, Seen, strength_name
from simkit.questions.ladder_views import LadderViews
from simkit.questions.payoffs import Payoffs
from simkit.questions.words import points
from simkit.stats.metagame import cycles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STRONGEST = 3  # strategies whose games are shown over the ladder


def matrix_table(payoffs: Payoffs) -> Table:
    """Every pair that played."""
    import pandas as pd

    rows = []
    for pair in payoffs.arms:
        i, j = pair if payoffs.seats > 2 or payoffs.effects[pair].value >= 0 else pair[::-1]
        verdict = payoffs.verdicts[i, j]
        row = {"strategy": payoffs.names[i], "against": payoffs.names[j], **number("effect", payoffs.effects[i, j])}
        rows.append(row | {"verdict": verdict.verdict, "p": verdict.p, "games": payoffs.effects[i, j].count})
    frame = pd.DataFrame(rows).sort_values("effect", ascending=False, ignore_index=True)
    return Table(
        "matrix",
        "Who beats whom",
        frame,
        {
            "strategy": Column("strategy"),
            "against": Column("against"),
            "effect": Column(f"wins ({payoffs.stakes.unit} above {payoffs.stakes.even})", "points", "effect_pm"),
            "games": Column("games", "count"),
        },
        "Each pair once, the better one first." if payoffs.seats == 2 else "One player among copies of the other.",
    )


def matrix_chart(payoffs: Payoffs, shown: Sequence[int]) -> Chart:
    """What some of the pool win from each other."""
    if payoffs.stakes.by_score:
        return _score_chart(payoffs, shown)
    even, effects = 1 / payoffs.seats, payoffs.effects
    values = [[even if i == j else even + effects[i, j].value for j in shown] for i in shown]
    widths = [[math.nan if i == j else half_width(effects[i, j]) for j in shown] for i in shown]
    names = [payoffs.names[i] for i in shown]

    def draw() -> Figure:
        from simkit.report.charts import matrix

        return matrix(names, values, widths, "", even)

    best = payoffs.names[max(shown, key=lambda i: payoffs.matrix[i].sum())]
    alt = f"Matrix of win rates of {', '.join(names)}, row against column. {best} wins most on average over the pool."
    return Chart("win_rates", "How often the row's strategy beats the column's", alt, draw)


def _score_chart(payoffs: Payoffs, shown: Sequence[int]) -> Chart:
    """Scores among some of the pool, as a map."""
    names, unit = [payoffs.names[i] for i in shown], payoffs.stakes.unit
    values = [[100 * payoffs.effect(i, j).value for j in shown] for i in shown]
    widths = [[math.nan if i == j else 100 * half_width(payoffs.effects[i, j]) for j in shown] for i in shown]

    def draw() -> Figure:
        from simkit.report.charts import heat

        return heat(names, names, values, widths, "strategy", "against", f"{unit} above {payoffs.stakes.even}")

    best = payoffs.names[max(shown, key=lambda i: payoffs.matrix[i].sum())]
    title = "What the row's strategy wins from the column's"
    return Chart("payoffs", title, f"{title}, in {unit}. {best} wins most on average over the pool.", draw)


def payoff_ladder(asked: Asked, payoffs: Payoffs, order: Sequence[int]) -> LadderViews:
    """What the strongest of the pool win against each of its strategies, over how strong these are.

    A line that falls is a strategy that wins most against the weak; one that ends below an even share beats only them.

    Args:
        asked: the question; its plan has the strengths (simkit.questions.ladder.with_ladder).
        payoffs: who wins what; the strategies of the experiment come first.
        order: of the strategies, the strongest first.
    """
    labels = asked.labels
    met = labels if len(labels) > 1 else []  # one alone is no ladder, whatever its grid
    strengths = {label: payoffs.results.estimate(strength_name(label)) for label in met}
    known = [label for label in met if not math.isnan(strengths[label].value)]
    rungs = {label: label for label in sorted(known, key=lambda label: strengths[label].value)}
    seen = []
    for i in [i for i in order if i < len(labels)][:STRONGEST]:
        for j in payoffs.opponents(i):
            verdict = payoffs.verdicts[i, j]
            effect = Seen(labels[i], payoffs.names[j], verdict.estimate, verdict.low, verdict.high, verdict.verdict)
            seen.append(effect)
    ladder = Ladder(rungs, strengths, payoffs.margin, 1 / payoffs.seats, payoffs.stakes)
    unit = f"{payoffs.stakes.unit_in_full} above {payoffs.stakes.even}"
    return LadderViews(ladder, seen, "What the strongest win against each strategy", unit)


def circle_notes(payoffs: Payoffs) -> list[str]:
    """The clearest circle of three, and how many there are."""
    found = cycles(payoffs.beats())
    if not found:
        return ["No three strategies beat each other in a circle for certain."]
    a = payoffs.matrix
    i, j, k = max(found, key=lambda c: min(a[c[0], c[1]], a[c[1], c[2]], a[c[2], c[0]]))
    steps = [
        f"{payoffs.names[x]} beats {payoffs.names[y]} ({points(payoffs.effects[x, y])} {payoffs.stakes.unit})"
        for x, y in ((i, j), (j, k), (k, i))
    ]
    many = f" There are {len(found):,} such circles of three." if len(found) > 1 else ""
    return [f"A circle, each step certain: {listed(steps)}.{many}"]
