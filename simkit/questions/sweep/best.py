"""Which value of a strategy's parameter is best, under each rule that is swept with it, and where that turns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from simkit.answer import Column, Estimate, Table
from simkit.plan import Results
from simkit.questions.base import Asked, Lineup, listed, number, under
from simkit.questions.sweep.axes import (
    Setting,
    lineups_of,
    name_of,
    names_of,
    own_keys,
    owner_of,
    reference_of,
    value_words,
    words_of,
)
from simkit.questions.sweep.cases import arm_of, contest_name, contests_of
from simkit.questions.sweep.verdicts import runs
from simkit.stats.best import Best, best_of
from simkit.stats.intervals import needed_deals
from simkit.stats.ratios import nothing

MOST_WAYS = 3  # that may be best and are still named one by one
ERROR_RATE = 0.05
IN_SHORT = {"even": "no difference that matters", "open": "none shown to be better", "unseen": "not seen"}
HOW_BEST = (
    "A value is best only where its advantage over every other one is more than chance explains; all rows together "
    "hold with 95 %. Values that cannot be told apart are named together. The advantage is over the value that the "
    "strategy has now, or over the next best where that is best itself."
)

Answer = tuple[str, tuple[int, ...]]  # what is said of a contest, see Contest.answer


@dataclass(frozen=True)
class Contest:
    """The owner's win rate at all settings of one condition, and which of them is best.

    Attributes:
        lineup: who meets; the owner is the strategy whose parameters are swept.
        condition: everything else that is swept.
        ways: the owner's own part of each setting.
        won: the owner's win rate at each.
        seats: how many sit at the table.
        best: what is known of the best; None where too little was seen.
        margin: what the designer calls a difference.
        over: the way that the effect is measured from: the reference, or the next best where that is best itself.
    """

    lineup: Lineup
    condition: Setting
    ways: tuple[Setting, ...]
    won: tuple[Estimate, ...]
    seats: int
    best: Best | None
    margin: float
    over: int | None

    @property
    def effect(self) -> Estimate | None:
        """The leader's advantage, with its simultaneous interval, where there is a best."""
        return self.best.leads[self.over] if self.best is not None and self.over is not None else None

    @property
    def is_close(self) -> bool:
        """Whether those that may be best differ by no more than the margin."""
        return self.best is not None and self.best.widest <= self.margin

    @property
    def answer(self) -> Answer:
        """What is to be said: "best" of some ways, "even" or "open" of all, or "unseen"; and the ways."""
        if self.best is None:
            return "unseen", ()
        among = self.best.among
        if len(among) <= len(self.best.leads):
            return "best", among
        return "even" if self.is_close else "open", among

    def words(self, ways: Sequence[int]) -> str:
        """Some of the ways: `1.0`, `0.25 or 1.0`, of more `one of 0.25 to 1.0`, of many only how many."""
        chosen = [self.ways[i] for i in ways]
        if len(self.ways[0]) > 1:
            words = [f"({words_of(way)})" for way in chosen]
        else:
            words = [value_words(way[0][1]) for way in chosen]
        if len(words) <= MOST_WAYS or len(self.ways[0]) > 1:
            return any_of(words) if len(words) <= MOST_WAYS else f"one of {len(words)}"
        return f"one of {runs([way[0][1] for way in self.ways], [way[0][1] for way in chosen])}"

    @property
    def said(self) -> str:
        """The answer in the fewest words: `1.0`, `0.25 or 1.0`, `none shown to be better`."""
        word, among = self.answer
        return self.words(among) if word == "best" else IN_SHORT[word]

    @property
    def over_words(self) -> str:
        """What the effect is measured from."""
        return "" if self.over is None else self.words([self.over])

    @property
    def more_deals(self) -> float:
        """About how many more deals tell the leader from the next, where more than one may be best; otherwise NaN."""
        if self.best is None or len(self.best.among) < 2 or self.is_close:
            return math.nan
        nearest = min((self.best.leads[i] for i in self.best.among if i != self.best.leader), key=lambda e: e.value)
        if nearest.value <= 0 or math.isnan(nearest.se):
            return math.inf
        return needed_deals(nearest.se, nearest.deals, nearest.value, self.best.level) - nearest.deals


def contests(asked: Asked, results: Results) -> list[Contest]:
    """The best of every line-up under every condition; all of them together hold with 95 %."""
    asked_for = [(line, *item) for line in lineups_of(asked) for item in contests_of(asked, line).items()]
    return [_contest(asked, results, *one, ERROR_RATE / len(asked_for)) for one in asked_for]


def _contest(
    asked: Asked, results: Results, lineup: Lineup, condition: Setting, settings: Sequence[Setting], rate: float
) -> Contest:
    series, tally = results.together(contest_name(lineup, condition))
    own = own_keys(asked, lineup)
    ways = tuple(tuple(part for part in setting if part[0] in own) for setting in settings)
    won, seats = tuple(series.share(tally, i) for i in range(len(ways))), len(arm_of(asked, lineup, settings[0]).lineup)
    best = best_of([e.value for e in won], lambda i, j: series.difference(tally, i, j), rate)
    if best is None or not best.leads:  # one alone was seen
        return Contest(lineup, condition, ways, won, seats, None, asked.experiment.margin, None)
    home = ways.index(tuple(part for part in reference_of(asked) if part[0] in own))
    return Contest(lineup, condition, ways, won, seats, best, asked.experiment.margin, _over(best, home))


def _over(best: Best, home: int) -> int | None:
    """What the best is compared with: home, or the next best if home itself is best; nothing where home may be best."""
    if best.among == (home,):
        return min(best.leads, key=lambda i: best.leads[i].value)
    return home if home not in best.among and home in best.leads else None


def best_table(asked: Asked, found: Sequence[Contest]) -> Table | None:
    """What is best under each condition; None where nothing else is swept."""
    import pandas as pd

    conditions = [one for one in found if one.condition]
    if not conditions:
        return None
    owns = list(dict.fromkeys(names_of(own_keys(asked, one.lineup)) for one in conditions))
    names = owns[0] if len(owns) == 1 else "way of playing"
    keys = list(dict.fromkeys(name_of(key) for one in conditions for key, _ in one.condition))
    is_one, rows = len({owner_of(asked, one.lineup) for one in conditions}) == 1, []
    for one in conditions:
        row: dict[str, Any] = {"under": others_of(asked, one.lineup) if is_one else who_of(asked, one.lineup)}
        row |= dict.fromkeys(keys, "")
        row |= {name_of(key): value_words(value) for key, value in one.condition}
        row["best"] = one.said
        row |= number("effect", one.effect if one.effect is not None else nothing(0))
        rows.append(row | {"over": one.over_words})
    frame = pd.DataFrame(rows)
    how = HOW_BEST + (" A dash stands where there is none." if frame["effect"].isna().any() else "")
    columns = {"under": Column("against" if is_one else "strategies")} | {name: Column(name) for name in keys}
    columns |= {"best": Column(f"best {names}"), "effect": Column("advantage (points)", "points", "effect_pm")}
    return Table("best", f"The best {names}, by {listed(keys)}", frame, columns | {"over": Column("over")}, how)


def by_most_answers(found: Sequence[Contest]) -> dict[Lineup, list[Contest]]:
    """The contests by line-up; those in which no way is best everywhere come first, then those with most answers."""

    def order(item: tuple[Lineup, list[Contest]]) -> tuple[bool, int]:
        answers = {one.answer for one in item[1]}
        best = [set(among) for word, among in answers if word == "best"]
        return not best or bool(set.intersection(*best)), -len(answers)

    return dict(sorted(((line, list(mine)) for line, mine in groupby(found, key=lambda one: one.lineup)), key=order))


def who_of(asked: Asked, lineup: Lineup) -> str:
    """A line-up in words, seen by the strategy whose parameters are swept."""
    return under(lineup, lineup.index(str(owner_of(asked, lineup))))


def others_of(asked: Asked, lineup: Lineup) -> str:
    """Whom the strategy whose parameters are swept meets."""
    return who_of(asked, lineup).removeprefix(f"{owner_of(asked, lineup)} against ")


def any_of(words: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    items = list(words)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"
