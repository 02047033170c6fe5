"""The kind tournament: everybody against everybody; who is stronger, by how much, and how sure the order is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simkit.answer import Answer, Chart, Column, Table, Verdict
from simkit.plan import Results
from simkit.played import UNITS
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Kind, arm_name, listed, number, shifted
from simkit.questions.examples import replays
from simkit.questions.payoff_views import circle_notes, matrix_chart, matrix_table, payoff_ladder
from simkit.questions.payoffs import Payoffs, interval, payoff_wording
from simkit.questions.stakes import WINS
from simkit.questions.tournament.cases import (
    PAYOFFS,
    SHARES,
    Tournament,
    lineups_of,
    plan,
    players_of,
    tournament_of,
)
from simkit.questions.words import needed, nothing_ended, within
from simkit.stats.ratings import bradley_terry, plackett_luce, ranks
from simkit.stats.verdicts import judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
SURE = 0.95  # of the resamples have the same order


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo, the weakest at 0, as played (first row) and in resamples: (1 + resamples, n)."""

    labels: Sequence[str]
    elo: Floats

    @property
    def order(self) -> list[int]:
        """The strategies, the strongest first."""
        return [int(i) for i in np.argsort(-self.elo[0], kind="stable")]

    def range(self, one: int) -> tuple[float, float]:
        """The 95 % interval of a rating above the mean of all: the weakest of a resample is not always the same."""
        centred = self.elo - self.elo.mean(axis=1, keepdims=True)
        low, high = interval(centred[1:, one])
        shift = float(self.elo[0].mean())
        return low + shift, high + shift

    def places(self, one: int) -> tuple[int, int]:
        """The 95 % interval of a strategy's place."""
        low, high = interval(ranks(self.elo)[1:, one].astype(np.float64))
        return round(low), round(high)

    def same_place(self, one: int) -> float:
        """The share of resamples in which it has the place that it has as played."""
        found = ranks(self.elo)
        return float((found[1:, one] == found[0, one]).mean())

    def above(self, one: int, other: int) -> float:
        """The share of resamples in which one is rated above the other."""
        return float((self.elo[1:, one] > self.elo[1:, other]).mean())


def answer(asked: Asked, results: Results) -> Answer:
    """The ranking, how sure it is, and circles."""
    found = lineups_of(asked)
    arms = [arm_name(line) for line in found]
    rated = _ratings(asked, results)
    verdicts = _judged(asked, results)
    covered, dead = coverage.coverage_table(asked, results, arms)
    payoffs = _payoffs(asked, results) if asked.seats == 2 else None
    charts = [_rating_chart(rated)]
    tables = [_ranking(asked, results, rated, verdicts)]
    notes = [_met(asked)]
    if payoffs is not None:
        views = payoff_ladder(asked, payoffs, rated.order)
        charts += [*views.charts(), matrix_chart(payoffs, rated.order)]
        tables += [matrix_table(payoffs), *views.tables()]
        notes += circle_notes(payoffs)
    return Answer(
        question=asked.experiment.title or f"Which strategy plays {asked.game.title} best?",
        summary=_summary(asked, rated, verdicts),
        headline=results.estimate(results.plan.headline),
        verdicts=tuple(verdicts),
        tables=(*tables, covered),
        charts=tuple(charts),
        notes=(*notes, *pool.gap_notes(asked, results, found), *dead),
        replays=replays(asked, results, found[0], arms[0]),
        how_to_judge="Each strategy's win rate over all line-ups is compared with an even share: 'too strong' are "
        "those that win more than that by more than your margin, 'too weak' those that win less.",
    )


def _payoffs(asked: Asked, results: Results) -> Payoffs:
    places = {label: i for i, label in enumerate(asked.labels)}
    arms = {(places[line[0]], places[line[1]]): arm_name(line) for line in lineups_of(asked)}
    return Payoffs(tuple(asked.labels), 2, arms, results, PAYOFFS, asked.experiment.margin)


def _ratings(asked: Asked, results: Results) -> Ratings:
    """Bradley–Terry at a table of two, Plackett–Luce at larger ones."""
    labels, found = asked.labels, lineups_of(asked)
    if asked.seats == 2:
        sums = results.resamples(PAYOFFS).sums / UNITS
        return Ratings(labels, np.array([bradley_terry(_wins(labels, found, row)) for row in sums]))
    sums = results.resamples(SHARES).sums / UNITS
    return Ratings(labels, np.array([plackett_luce(*_tables(labels, found, row)) for row in sums]))


def _wins(labels: Sequence[str], found: Sequence[tuple[str, ...]], sums: Floats) -> Floats:
    """(n, n) games that the row won against the column, from won and played games of each line-up."""
    wins = np.zeros((len(labels),) * 2)
    for (one, other), won, games in zip(found, sums[0::2], sums[1::2], strict=True):
        i, j = labels.index(one), labels.index(other)
        wins[i, j], wins[j, i] = won, games - won
    return wins


def _tables(labels: Sequence[str], found: Sequence[tuple[str, ...]], sums: Floats) -> tuple[Floats, Floats]:
    """(line-ups, n) seats of each strategy, and games that it won."""
    seats, wins = np.zeros((len(found), len(labels))), np.zeros((len(found), len(labels)))
    won = iter(sums[0::2])
    for row, line in enumerate(found):
        for label, players in players_of(line).items():
            seats[row, labels.index(label)] = len(players)
            wins[row, labels.index(label)] = next(won)
    return seats, wins


def _judged(asked: Asked, results: Results) -> list[Verdict]:
    even = 1 / asked.seats
    cases = [
        (label, shifted(results.estimate(f"share/{label}"), -even), f"{label} against all others")
        for label in asked.labels
    ]
    return judge(cases, asked.experiment.margin, payoff_wording(WINS))


def _summary(asked: Asked, rated: Ratings, verdicts: Sequence[Verdict]) -> str:
    if nothing := nothing_ended(verdicts):
        return nothing
    order, names = rated.order, rated.labels
    first, second = order[0], order[1]
    parts = [f"{names[i]} {rated.elo[0, i]:.0f}" for i in order]
    lead = rated.elo[0, first] - rated.elo[0, second]
    head = (
        f"{names[first]} is the strongest of {len(names)}: {lead:.0f} Elo above {names[second]}, the next one."
        if rated.above(first, second) >= SURE
        else f"{names[first]} comes first of {len(names)}, but {names[second]} may be as strong: in "
        f"{rated.above(second, first):.0%} of the resamples it is rated above."
    )
    unsure = [f"{names[a]} and {names[b]}" for a, b in pairwise(order[1:]) if rated.above(a, b) < SURE]
    tail = f"The order of {listed(unsure)} is not sure." if unsure else "The rest of the order is sure."
    open_ones = [v for v in verdicts if v.verdict == "undecided"]
    more = (
        f" Whether {listed(v.subject for v in open_ones)} {'wins' if len(open_ones) == 1 else 'win'} an even share "
        f"within {within(asked.experiment.margin)} is open. {needed(open_ones)}"
        if open_ones
        else ""
    )
    return f"{head} In Elo: {', '.join(parts)}. {tail if len(order) > 2 else ''}{more}".strip()


def _met(asked: Asked) -> str:
    """Who played whom."""
    found = lineups_of(asked)
    if asked.seats == 2:
        return f"Every two of the {len(asked.labels)} strategies met."
    seats = {label: sum(line.count(label) for line in found) for label in asked.labels}
    least, most = min(seats.values()), max(seats.values())
    how = "Every line-up" if tournament_of(asked).lineups == "all" else f"A balanced sample of {len(found)} line-ups"
    had = f"{least}" if least == most else f"{least} to {most}"
    return f"{how} of {asked.seats} seats played ({len(found)} in all); each strategy had {had} of their seats."


def _ranking(asked: Asked, results: Results, rated: Ratings, verdicts: Sequence[Verdict]) -> Table:
    import pandas as pd

    rows = []
    for place, i in enumerate(rated.order, start=1):
        low, high = rated.range(i)
        first, last = rated.places(i)
        label = rated.labels[i]
        row = {"place": place, "strategy": label, "elo": rated.elo[0, i], "elo_pm": (high - low) / 2}
        row |= {"elo_low": low, "elo_high": high, "same_place": rated.same_place(i)}
        row |= {"places": str(first) if first == last else f"{first}–{last}"}
        row |= number("win_rate", results.estimate(f"share/{label}"))
        rows.append(row | {"verdict": verdicts[i].verdict, "p": verdicts[i].p})
    luce = "Bradley–Terry" if asked.seats == 2 else "Plackett–Luce"
    return Table(
        "ranking",
        "The ranking",
        pd.DataFrame(rows),
        {
            "place": Column("place", "count"),
            "strategy": Column("strategy"),
            "elo": Column("rating (Elo)", "number", "elo_pm"),
            "win_rate": Column("games won", "percent", "win_rate_pm"),
            "places": Column("place (95 %)"),
            "same_place": Column("same place in", "percent"),
        },
        f"Ratings are {luce}'s, the weakest at 0: 400 Elo more are odds of ten to one. One drawn game is added to each "
        "line-up, so that who won all of them has a rating too. Intervals and places are from resamples of the deals; "
        f"an even share of the games is {1 / asked.seats:.1%}. Where strategies beat each other in circles, one number "
        "a strategy cannot say who beats whom.",
    )


def _rating_chart(rated: Ratings) -> Chart:
    rows = [(rated.labels[i], float(rated.elo[0, i]), *rated.range(i)) for i in rated.order]
    ends = "; ".join(f"{label} {elo:.0f}" for label, elo, *_ in rows)

    def draw() -> Figure:
        from simkit.report.charts import bars

        return bars(rows, "Elo points above the weakest", scale=1.0)

    return Chart("ratings", "How strong each strategy is", f"Ratings in Elo: {ends}.", draw)


KIND = Kind(
    "tournament",
    "which strategy is the strongest",
    Tournament,
    plan,
    answer,
    of_wins=True,
    subjects=lambda asked: asked.labels,
)
