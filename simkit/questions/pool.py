"""How the strategies of a pool fare against each other: win-rate matrix, length of games, paths of the score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from simkit.answer import Chart, Column, Table
from simkit.measures import UnfinishedShare, Values, WinRate
from simkit.plan import Arm, Distribution, Ratio, Results, Series
from simkit.questions.base import Asked, Lineup, arm_name, half_width, under

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def pool_arms(asked: Asked) -> list[Arm]:
    """Every pair of strategies at the rules as they are."""
    return [asked.base_arm(pair) for pair in combinations(asked.labels, asked.seats)]


def pool_series(asked: Asked) -> list[Series]:
    """Win rates of every pair, unfinished games of every line-up."""
    pairs = list(combinations(asked.labels, asked.seats))
    rates: list[Series] = [Ratio(f"pool/{arm_name(p)}", arm_name(p), WinRate(0)) for p in pairs]
    everyone = (*asked.mirrors(), *pairs)
    return rates + [Ratio(f"unfinished/{arm_name(p)}", arm_name(p), UnfinishedShare()) for p in everyone]


def length_series(asked: Asked) -> list[Series]:
    """The length of every mirror's games."""
    field = asked.game.length
    return [Distribution(f"length/{arm_name(m)}", arm_name(m), Values(field)) for m in asked.mirrors()]


def path_series(asked: Asked, mirror: Lineup) -> list[Series]:
    """The paths of winners and losers in a mirror's games."""
    points = asked.game.path_points
    return [
        Distribution(f"path/{whose}/{i}", arm_name(mirror), Values("path", (i,), whose))
        for whose in ("winner", "loser")
        for i in range(len(points))
    ]


def win_rates(asked: Asked, results: Results) -> dict[tuple[str, str], tuple[float, float]]:
    """(row, column) -> (win rate of the row's strategy, half-width), for every pair of different strategies."""
    rates = {}
    for a, b in combinations(asked.labels, asked.seats):
        estimate = results.estimate(f"pool/{arm_name((a, b))}")
        rates[a, b] = (estimate.value, half_width(estimate))
        rates[b, a] = (1 - estimate.value, half_width(estimate))
    return rates


def strongest(asked: Asked, results: Results) -> str:
    """The strategy with the highest mean win rate against the others."""
    rates = win_rates(asked, results)
    return max(asked.labels, key=lambda a: sum(rates[a, b][0] for b in asked.labels if b != a))


def matrix_table(asked: Asked, results: Results) -> Table:
    """Who beats whom, as a long table."""
    import pandas as pd

    rows = [
        {"strategy": a, "against": b, "win_rate": rate, "win_rate_pm": pm}
        for (a, b), (rate, pm) in win_rates(asked, results).items()
    ]
    return Table(
        "matrix",
        "Who beats whom",
        pd.DataFrame(rows, columns=["strategy", "against", "win_rate", "win_rate_pm"]),
        {
            "strategy": Column("strategy"),
            "against": Column("against"),
            "win_rate": Column("games won", "percent", "win_rate_pm"),
        },
        "Each pair plays every deal twice, once from each seat. Against itself a strategy wins half by symmetry.",
    )


def matrix_chart(asked: Asked, results: Results) -> Chart:
    """The win-rate matrix as a chart."""
    labels, rates = asked.labels, win_rates(asked, results)
    cells = [[rates.get((a, b), (0.5 if a == b else math.nan, math.nan)) for b in labels] for a in labels]
    values, widths = ([[cell[i] for cell in row] for row in cells] for i in (0, 1))

    def draw() -> Figure:
        from simkit.report.charts import matrix

        return matrix(labels, values, widths, "")

    best = strongest(asked, results)
    alt = f"Matrix of win rates, row against column. {best} wins most on average."
    return Chart("win_rates", "How often the row's strategy beats the column's", alt, draw)


def length_chart(asked: Asked, results: Results) -> Chart:
    """How long the games of each mirror last."""
    series = {m[0]: results.histogram(f"length/{arm_name(m)}") for m in asked.mirrors()}
    medians = ", ".join(f"{label} {h.quantile(0.5)}" for label, h in series.items())

    def draw() -> Figure:
        from simkit.report.charts import histogram

        data = {label: (list(h.counts), list(h.counts.values())) for label, h in series.items()}
        return histogram(data, f"{asked.game.length} in a game")

    title = f"How many {asked.game.length} a game lasts, each strategy against itself"
    return Chart("length", title, f"{title}. Medians: {medians}.", draw)


def path_chart(asked: Asked, results: Results, mirror: Lineup) -> Chart | None:
    """TP of winners and losers over the rounds: median and bands."""
    points, unit = asked.game.path_points, asked.game.score_unit
    whole = results.histogram(f"length/{arm_name(mirror)}")
    if not whole.counts:
        return None
    last = next((i + 1 for i, x in enumerate(points) if x >= whole.quantile(0.95)), len(points))
    start = asked.game.start_score(asked.rules)
    bands: dict[str, list[list[float]]] = {}
    for whose in ("winner", "loser"):
        histograms = [results.histogram(f"path/{whose}/{i}") for i in range(last)]
        if not all(h.counts for h in histograms):
            return None
        quantiles = (0.1, 0.25, 0.5, 0.75, 0.9)
        bands[f"the {whose}"] = [[float(start), *(float(h.quantile(q)) for h in histograms)] for q in quantiles]

    def draw() -> Figure:
        from simkit.report.charts import paths

        return paths([0, *points[:last]], bands, f"after this many {asked.game.length}", unit)

    title = f"How the {unit} of winner and loser run, {under(mirror)}"
    middle = {whose: rows[2][len(rows[2]) // 2] for whose, rows in bands.items()}
    words = " and ".join(f"{value:g} for {whose}" for whose, value in middle.items())
    alt = f"{title}. Line: the median; bands: the middle half and four fifths of games. Half-way: {words}."
    return Chart("paths", title, alt, draw)


def unfinished_notes(asked: Asked, results: Results, lineups: Sequence[Lineup]) -> list[str]:
    """A sentence on the games that did not end by their rules."""
    counts: dict[str, tuple[int, int]] = {}
    for lineup in lineups:
        moments: Any = results.tallies[f"unfinished/{arm_name(lineup)}"]
        counts[under(lineup)] = (moments.sums[0], moments.sums[1])
    total = sum(games for _, games in counts.values())
    stuck = {name: n for name, (n, _) in counts.items() if n}
    if not stuck:
        return [f"All {total:,} games of the rules as they are came to an end by the rules."]
    worst = "; ".join(f"{n:,} of {counts[name][1]:,} under {name}" for name, n in stuck.items())
    return [f"Games that did not end by the rules (in no win rate): {worst}."]
