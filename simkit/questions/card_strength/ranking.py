"""All cards asked for in one order: what each is worth, with intervals and ranks that hold for all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from simkit.answer import Chart, Column, Estimate, Table
from simkit.plan import Results
from simkit.questions.base import Lineup, is_mirror, listed, under
from simkit.questions.card_strength.cases import RANKED, Case, holders, ranked_cases, ranking_name
from simkit.questions.words import counted, points
from simkit.stats.simultaneous import Ranking, ranked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ERROR_RATE = 0.05
MOST_FIRST = 4  # cards that share the first place and are still named
MOST_ROWS = 60  # of the chart, which then shows the strongest play alone
FIRST_HAND, EFFECT = RANKED
FIRST_HAND_HOW = (
    "Dealt or not: of the player's games with the card in the first hand, the part won, less that of the games "
    "without it, over all seatings of all deals. Chance deals, so that nothing else differs; but who has this card "
    "lacks another one, so that it is the worth of being dealt this card in place of another. Games that count in no "
    "win rate, and players who are dealt no hand, are in neither. Points are those of win rate."
)
RANKS_HOW = (
    "± and places hold for all rows of the column at once with 95 %: the true order is among those that the places "
    "allow (max-t intervals, Hothorn, Bretz and Westfall 2008; ranks from all pairs, Mogstad and others 2024)."
)


@dataclass(frozen=True)
class Order:
    """The cards of one holder by one measure.

    Attributes:
        cases: the cards, the most worth first; those that were never seen come last.
        worth: of each, its interval the simultaneous one.
        ranks: of each the first and the last that it may have; None where it was not seen.
        told_apart, pairs: pairs of cards whose order is sure, of all.
    """

    lineup: Lineup
    holder: int
    cases: tuple[Case, ...]
    worth: tuple[Estimate, ...]
    ranks: tuple[tuple[int, int] | None, ...]
    told_apart: int
    pairs: int

    @property
    def first(self) -> list[tuple[Case, Estimate]]:
        """The cards that may be worth most."""
        rows = zip(self.cases, self.worth, self.ranks, strict=True)
        return [(case, worth) for case, worth, rank in rows if rank is not None and rank[0] == 1]


def orders(results: Results, found: Sequence[Case], measure: str) -> list[Order]:
    """The order of the cards by a measure for every holder; all of them together hold with 95 %."""
    groups = {key: ranked_cases(measure, mine) for key, mine in holders(found).items()}
    several = {key: mine for key, mine in groups.items() if len(mine) > 1}
    return [_order(results, measure, key, mine, ERROR_RATE / len(several)) for key, mine in several.items()]


def _order(results: Results, measure: str, key: tuple[Lineup, int], mine: Sequence[Case], rate: float) -> Order:
    estimates, less = results.differences(ranking_name(measure, *key))
    known = ranked(estimates, less, rate)
    places = sorted(range(len(mine)), key=lambda i: (known.ranks[i] is None, -estimates[i].value))
    return Order(
        *key,
        tuple(mine[i] for i in places),
        tuple(_with_interval(estimates[i], known, i) for i in places),
        tuple(known.ranks[i] for i in places),
        known.told_apart,
        known.pairs,
    )


def _with_interval(estimate: Estimate, known: Ranking, i: int) -> Estimate:
    low, high = known.intervals[i]
    return replace(estimate, low=low, high=high)


def rank_words(rank: tuple[int, int] | None) -> str:
    """`1`, `2–4`, `–` where nothing was seen."""
    if rank is None:
        return "–"
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}–{rank[1]}"


def ranking_table(found: Sequence[Case], by: dict[str, list[Order]], adds: str) -> list[Table]:
    """All cards in order, by being dealt and by what they cause; none for a single card."""
    import pandas as pd

    main = next((measure for measure in main_first(found) if by[measure]), None)
    if main is None:
        return []
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for measure in sorted(RANKED, key=lambda one: one != main):
        for order in by[measure]:
            for case, worth, rank in zip(order.cases, order.worth, order.ranks, strict=True):
                row = rows.setdefault((case.under, case.subject.name), _empty(case))
                row |= _cells(measure, worth, rank)
    columns = {"under": Column("player against opponent"), "card": Column("card")}
    words = {FIRST_HAND: "dealt or not (points)", EFFECT: f"{adds} (points)"}
    for measure in sorted(RANKED, key=lambda one: one != main):
        if by[measure]:
            columns[measure] = Column(words[measure], "points", f"{measure}_pm")
            columns[f"{measure}_rank"] = Column("place", "text")
    how = f"{FIRST_HAND_HOW} {RANKS_HOW} A dash stands where a number does not exist or too little was seen."
    return [Table("ranking", "All cards, the most worth first", pd.DataFrame(list(rows.values())), columns, how)]


def _empty(case: Case) -> dict[str, Any]:
    nothing = {f"{m}{end}": float("nan") for m in RANKED for end in ("", "_pm", "_low", "_high")}
    return {"under": case.under, "card": case.subject.words} | nothing | {f"{m}_rank": "–" for m in RANKED}


def _cells(measure: str, worth: Estimate, rank: tuple[int, int] | None) -> dict[str, Any]:
    ends = {"": worth.value, "_pm": (worth.high - worth.low) / 2, "_low": worth.low, "_high": worth.high}
    return {f"{measure}{end}": value for end, value in ends.items()} | {f"{measure}_rank": rank_words(rank)}


def main_first(found: Sequence[Case]) -> list[str]:
    """The measures of RANKED, first the one that every card asked for has: what it causes, or else its being dealt."""
    return [EFFECT, FIRST_HAND] if all(case.subject.is_causal for case in found) else [FIRST_HAND, EFFECT]


def ranking_chart(orders: Sequence[Order], focus: Lineup, what: str) -> Chart:
    """The cards of every holder in order, with their simultaneous intervals and ranks."""
    rows = sum(len(order.cases) for order in orders)
    shown = orders if rows <= MOST_ROWS else [order for order in orders if order.lineup == focus] or orders[:1]
    drawn = [
        (f"{case.subject.words} · place {rank_words(rank)}", under(order.lineup, order.holder), *_ends(worth))
        for order in shown
        for case, worth, rank in zip(order.cases, order.worth, order.ranks, strict=True)
    ]
    words = "; ".join(f"{label} {value * 100:+.1f} under {group}" for label, group, value, _, _ in drawn)

    def draw() -> Figure:
        from simkit.report.charts import forest

        return forest(drawn)

    return Chart("ranking", f"All cards in order, by {what}", f"Points of win rate, and ranks: {words}.", draw)


def _ends(worth: Estimate) -> tuple[float, float, float]:
    return worth.value, worth.low, worth.high


def strongest_cards(orders: Sequence[Order], what: str) -> list[str]:
    """Which card is worth most to whom, and how much of the order is sure; none for a single card."""
    if not orders:
        return []
    alone = all(is_mirror(order.lineup) for order in orders)
    same: dict[str, list[Order]] = {}
    for order in orders:
        same.setdefault(_first_words(order), []).append(order)
    itself = ", each strategy against itself" if alone else ""
    parts = [f"{words} under {listed(_seen(order, alone) for order in mine)}" for words, mine in same.items()]
    if len(parts) == 1:
        return [f"By what {what} adds to the win rate, in points{itself}, the strongest is {parts[0]}.", _sure(orders)]
    how = f"by what {what} adds to the win rate, in points{itself}"
    return [f"Which card is strongest depends on who plays ({how}): {'; '.join(parts)}.", _sure(orders)]


def _sure(orders: Sequence[Order]) -> str:
    """How much of each order is sure."""
    alone = all(is_mirror(order.lineup) for order in orders)
    who = [order.lineup[0] if alone else under(order.lineup, order.holder) for order in orders]
    sure = listed(f"{order.told_apart} under {name}" for order, name in zip(orders, who, strict=True))
    return f"Of {max(order.pairs for order in orders)} pairs of cards, the order is sure of {sure}."


def _first_words(order: Order) -> str:
    """`the king`, `the king or the ace`, of many `one of nine cards`."""
    names = [f"the {case.subject.words}" for case, _ in order.first]
    if not order.told_apart:
        return "no card for sure"
    if len(names) > MOST_FIRST:
        return f"one of {counted(len(names), 'card')}"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _seen(order: Order, alone: bool) -> str:
    """Who it was, with the worth of each card that shares the first place, if there are few."""
    who = order.lineup[0] if alone else under(order.lineup, order.holder)
    worth = [points(worth) for _, worth in order.first]
    return f"{who} ({' or '.join(worth)})" if order.told_apart and len(worth) <= MOST_FIRST else who
