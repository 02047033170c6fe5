"""How the strategies of a pool fare against each other: who beats whom, length of games, paths of the score."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from simkit.answer import Chart, Column, Table
from simkit.measures import UnfinishedShare, Values, WinRate, WithoutWinnerShare
from simkit.plan import Arm, Results
from simkit.questions.base import Asked, Lineup, arm_name, half_width, listed, under
from simkit.questions.examples import length_name
from simkit.series import Distribution, Ratio, Series

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WHOSE: tuple[Literal["winner", "loser"], ...] = ("winner", "loser")


def pool_arms(asked: Asked) -> list[Arm]:
    """Every two strategies at one table, at the rules as they are."""
    return [asked.base_arm(lineup) for lineup in asked.meetings()]


def pool_series(asked: Asked) -> list[Series]:
    """Win rates of every pair, unfinished games of every line-up."""
    pairs = asked.meetings()
    rates: list[Series] = [Ratio(f"pool/{arm_name(p)}", arm_name(p), WinRate(0)) for p in pairs]
    return [*rates, *(series for p in (*asked.mirrors(), *pairs) for series in gap_series(arm_name(p)))]


def gap_series(arm: str) -> list[Series]:
    """Games of an arm that did not end by their rules, and those that nobody won."""
    return [
        Ratio(f"unfinished/{arm}", arm, UnfinishedShare()),
        Ratio(f"without_winner/{arm}", arm, WithoutWinnerShare()),
    ]


def path_series(asked: Asked, mirror: Lineup) -> list[Series]:
    """The paths of winners and losers in a mirror's games."""
    points = asked.game.path_points
    return [
        Distribution(f"path/{whose}/{i}/{arm_name(mirror)}", arm_name(mirror), Values("path", (i,), whose))
        for whose in WHOSE
        for i in range(len(points))
    ]


def win_rates(asked: Asked, results: Results) -> dict[tuple[str, str], tuple[float, float]]:
    """(row, column) -> (win rate of the row's strategy, half-width), for every two different strategies.

    At more than two seats the row's strategy sits alone among players of the column's.
    """
    rates = {}
    for lineup in asked.meetings():
        estimate = results.estimate(f"pool/{arm_name(lineup)}")
        a, b = lineup[:2]
        rates[a, b] = (estimate.value, half_width(estimate))
        if asked.seats == 2:
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
        for (a, b), (rate, pm) in sorted(win_rates(asked, results).items(), key=lambda item: -item[1][0])
        if asked.seats > 2 or rate > 0.5 or (rate == 0.5 and asked.labels.index(a) < asked.labels.index(b))
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
        _how_they_met(asked),
    )


def _how_they_met(asked: Asked) -> str:
    if asked.seats == 2:
        return "Each pair of strategies once, the better one first. They play every deal twice, once from each seat."
    rest = f"{asked.seats - 1} of the other strategy"
    return f"One player against {rest}, in all seatings; {1 / asked.seats:.1%} is an even share."


def matrix_chart(asked: Asked, results: Results) -> Chart:
    """The win-rate matrix as a chart."""
    labels, rates = asked.labels, win_rates(asked, results)
    even = 1 / asked.seats
    cells = [[rates.get((a, b), (even if a == b else math.nan, math.nan)) for b in labels] for a in labels]
    values, widths = ([[cell[i] for cell in row] for row in cells] for i in (0, 1))

    def draw() -> Figure:
        from simkit.report.charts import matrix

        return matrix(labels, values, widths, "", even)

    best = strongest(asked, results)
    alt = f"Matrix of win rates, row against column. {best} wins most on average."
    return Chart("win_rates", "How often the row's strategy beats the column's", alt, draw)


def length_chart(asked: Asked, results: Results, lineups: Sequence[Lineup]) -> Chart:
    """How long the games of each line-up last."""
    series = {under(line): results.histogram(length_name(arm_name(line))) for line in lineups}
    medians = ", ".join(f"{label} {h.quantile(0.5)}" for label, h in series.items())

    def draw() -> Figure:
        from simkit.report.charts import histogram

        data = {label: (list(h.counts), list(h.counts.values())) for label, h in series.items()}
        return histogram(data, f"{asked.game.length} in a game")

    title = f"How many {asked.game.length} a game lasts"
    return Chart("length", title, f"{title}. Medians: {medians}.", draw)


def path_chart(asked: Asked, results: Results, mirror: Lineup) -> Chart | None:
    """The scores of winners and losers as a game goes on: median and bands; None when nobody won."""
    points, unit = asked.game.path_points, asked.game.score_unit
    whole = results.histogram(length_name(arm_name(mirror)))
    if not points or not whole.counts:
        return None
    last = next((i + 1 for i, x in enumerate(points) if x >= whole.quantile(0.95)), len(points))
    start = asked.game.start_score(asked.rules)
    bands: dict[str, list[list[float]]] = {}
    for whose in WHOSE:
        histograms = [results.histogram(f"path/{whose}/{i}/{arm_name(mirror)}") for i in range(last)]
        if not all(h.counts for h in histograms):
            return None
        quantiles = (0.1, 0.25, 0.5, 0.75, 0.9)
        bands[f"the {whose}"] = [[float(start), *(float(h.quantile(q)) for h in histograms)] for q in quantiles]

    def draw() -> Figure:
        from simkit.report.charts import paths

        return paths([0, *points[:last]], bands, f"{asked.game.length} played", f"{unit} left")

    title = f"{unit} of the winner and the loser as a game goes on, {under(mirror)}"
    middle = {whose: rows[2][len(rows[2]) // 2] for whose, rows in bands.items()}
    words = " and ".join(f"{value:g} for {whose}" for whose, value in middle.items())
    alt = f"{title}. Line: the median; bands: the middle half and four fifths of games. "
    alt += f"After {([0, *points[:last]])[(last + 1) // 2]} {asked.game.length} the median is {words}."
    return Chart("paths", title, alt, draw)


def pool_notes(asked: Asked, results: Results) -> list[str]:
    """Which strategies win against which: the strongest, and the ones that beat a stronger one."""
    if len(asked.labels) < 2:
        return []
    rates, best = win_rates(asked, results), strongest(asked, results)
    order = sorted(asked.labels, key=lambda a: -sum(rates[a, b][0] for b in asked.labels if b != a))
    notes = [f"Strongest first, by games won against all the others: {', '.join(order)}."]
    upsets = [
        f"{a} beats {b} ({rates[a, b][0]:.1%} of games)"
        for b, a in combinations(order, 2)
        if rates[a, b][0] - rates[a, b][1] > 1 / asked.seats
    ]
    if upsets:
        notes.append(f"Weaker strategies that beat a stronger one: {listed(upsets)}.")
    elif len(order) > 2:
        notes.append(f"No strategy loses to a weaker one; {best} beats or equals all others.")
    return notes


def gap_notes(
    asked: Asked, results: Results, lineups: Sequence[Lineup], words: Callable[[Lineup], str] = under
) -> list[str]:
    """What was found of games that did not end by their rules, and of those that nobody won; `words` of a line-up."""
    total = sum(results.moments(f"unfinished/{arm_name(lineup)}").sums[1] for lineup in lineups)
    stuck = _counts(results, "unfinished", lineups, words)
    notes = [f"All {total:,} games with the rules as they are came to an end by the rules."]
    if stuck:
        notes = [f"Games that did not end by the rules (in no win rate): {stuck}."]
    if nobody := _counts(results, "without_winner", lineups, words):
        is_draw, gaps = asked.game.without_winner == "draw", asked.game.gap_words
        what = "Draws (each shared by those who tied)" if is_draw else f"{gaps[0].upper()}{gaps[1:]} (in no win rate)"
        notes.append(f"{what}: {nobody}.")
    return notes


def _counts(results: Results, series: str, lineups: Sequence[Lineup], words: Callable[[Lineup], str]) -> str:
    """`12 of 4,000 under greedy against itself; …` for the line-ups in which it happened."""
    moments = {words(lineup): results.moments(f"{series}/{arm_name(lineup)}") for lineup in lineups}
    return "; ".join(f"{m.sums[0]:,} of {m.sums[1]:,} under {name}" for name, m in moments.items() if m.sums[0])
