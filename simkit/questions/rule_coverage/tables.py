"""The tables, the chart and the sentences of the kind rule_coverage."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simkit.answer import Chart, Column, Estimate, Table
from simkit.plan import Results
from simkit.questions import pool
from simkit.questions.base import Asked, Lineup, arm_name, is_mirror, listed, under
from simkit.questions.words import counted, toml_value
from simkit.stats.intervals import never_seen

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Variant = Mapping[str, Any]  # the rules that it changes

SELDOM = 0.2  # of the games: from here down an amount is told as "1 game in …"


def variant_words(variant: Variant) -> str:
    """A variant in words: `last_trick = wins`."""
    return ", ".join(f"{name} = {toml_value(value)}" for name, value in variant.items())


def arm_of(line: Lineup, variant: Variant) -> str:
    """The name of a line-up's arm under a variant."""
    return arm_name(line) + (f" | {variant_words(variant)}" if variant else "")


@dataclass(frozen=True)
class Seen:
    """What was seen of every clause in the line-ups of an experiment."""

    asked: Asked
    results: Results
    found: tuple[Lineup, ...]

    @property
    def clauses(self) -> tuple[tuple[str, str], ...]:
        """(name, what happened) of every clause that is counted."""
        return self.asked.game.clauses

    def share(self, i: int, line: Lineup, variant: Variant | None = None) -> Estimate:
        """The part of a line-up's games in which a clause fired."""
        return self.results.estimate(f"fired/{i}/{arm_of(line, variant or {})}")

    def sums(self, i: int, line: Lineup, variant: Variant | None = None) -> tuple[int, int, int]:
        """Games in which a clause fired, games, and how often it fired."""
        games, of, times = self.results.moments(f"fired/{i}/{arm_of(line, variant or {})}").sums
        return games, of, times

    def fired(self, i: int, variant: Variant | None = None, lines: Sequence[Lineup] | None = None) -> bool:
        """Whether a clause fired at all, in some line-ups or in all of them."""
        return any(self.sums(i, line, variant)[2] for line in (self.found if lines is None else lines))

    def most(self, i: int) -> tuple[Estimate, Lineup]:
        """The line-up in whose games a clause fired most often, and the part of them."""
        line = max(self.found, key=lambda line: self.share(i, line).value)
        return self.share(i, line), line

    @cached_property
    def never(self) -> list[int]:
        """The clauses that never fired under the rules as they are."""
        return [i for i in range(len(self.clauses)) if not self.fired(i)]

    @cached_property
    def strong(self) -> frozenset[str]:
        """The better half of the strategies, by games won against all the others; all where there is just one."""
        labels = self.asked.labels
        if len(labels) < 2:
            return frozenset(labels)
        rates = pool.win_rates(self.asked, self.results)
        wins = {a: sum(rates[a, b][0] for b in labels if b != a) for a in labels}
        order = sorted(labels, key=lambda a: -wins[a] if math.isfinite(wins[a]) else math.inf)
        return frozenset(order[: (len(order) + 1) // 2])

    @cached_property
    def only_weak(self) -> list[int]:
        """The clauses that fired, but in no line-up that is made of strategies of the better half."""
        strong = [line for line in self.found if set(line) <= self.strong]
        seen = [i for i in range(len(self.clauses)) if i not in self.never]
        return [i for i in seen if strong and not self.fired(i, None, strong)]

    @property
    def focus(self) -> Lineup:
        """The line-up that the chart shows: a strong strategy against itself, or else the last one."""
        mirrors = [line for line in self.found if is_mirror(line) and line[0] in self.strong]
        return mirrors[-1] if mirrors else self.found[-1]

    @property
    def deals(self) -> int:
        """Deals that each line-up played."""
        return self.share(0, self.found[0]).deals

    def names(self, clauses: Sequence[int]) -> str:
        """The names of some clauses, and what they say."""
        return "; ".join(f"{self.clauses[i][0]} ({self.clauses[i][1]})" for i in clauses)


def often(share: Estimate) -> str:
    """How often something happens, in words, with its interval: `1 game in 230 (180 to 300)`."""
    from simkit.report import numbers

    if not share.count:
        return "–"
    if share.value == 0:
        return f"never: in less than 1 game in {_about(1 / never_seen(share.deals))}"
    if share.value == 1:
        return "in every game"
    if share.value > SELDOM or not share.low > 0:
        return f"in {numbers.percent(share.value, (share.high - share.low) / 2)} of the games"
    return f"1 game in {_about(1 / share.value)} ({_about(1 / share.high)} to {_about(1 / share.low)})"


def _about(amount: float) -> str:
    from simkit.report import numbers

    return numbers.count(float(f"{amount:.1e}")) if amount >= 10 else numbers.number(amount, decimals=1)


def coverage_table(seen: Seen) -> Table:
    """Every clause: how often it fired over all line-ups, and where most."""
    import pandas as pd

    rows = []
    for i, (name, about) in enumerate(seen.clauses):
        games, of, times = (sum(column) for column in zip(*(seen.sums(i, line) for line in seen.found), strict=True))
        share, line = seen.most(i)
        rows.append(
            {
                "clause": name,
                "about": about,
                "open_point": "open point" if name in seen.asked.game.open_points else "",
                "per_game": times / of,
                "games": games / of,
                "often": often(share),
                "under": under(line) if share.value else "all line-ups",
                **{f"most_{end}": getattr(share, end) for end in ("value", "low", "high")},
                "times": times,
                "of": of,
            }
        )
    return Table(
        "coverage",
        "Which rules fired",
        pd.DataFrame(rows),
        {
            "clause": Column("clause"),
            "often": Column("at most (95 % interval)"),
            "under": Column("under"),
            "per_game": Column("times a game", "number"),
            "open_point": Column("as written"),
            "about": Column("what happened"),
        },
        f"Times a game: over all {counted(len(seen.found), 'line-up')} with the rules as they are, {of:,} games. At "
        "most: the part of its games in which a clause fires in the line-up where that is greatest. The interval of "
        "what never fired is the rule of three (Hanley & Lippman-Hand 1983), with deals as trials. Open point: it "
        "fires where the rules as written do not say what happens.",
    )


def strategies_table(seen: Seen) -> Table:
    """How often each clause fires a game, a column for each strategy against itself."""
    import pandas as pd

    mirrors = [line for line in seen.found if is_mirror(line)] or list(seen.found)
    rows = []
    for i, (name, _) in enumerate(seen.clauses):
        row: dict[str, Any] = {"clause": name}
        for place, line in enumerate(mirrors):
            _, of, times = seen.sums(i, line)
            row[f"times_{place}"] = times / of
        rows.append(row)
    heads = {f"times_{place}": Column(line[0] if is_mirror(line) else under(line), "number")
             for place, line in enumerate(mirrors)}  # fmt: skip
    return Table(
        "by_strategy",
        "Times a game, by strategy",
        pd.DataFrame(rows),
        {"clause": Column("clause"), **heads},
        "Each strategy against itself, with the rules as they are.",
    )


def variants_table(seen: Seen, variants: Sequence[Variant]) -> Table:
    """What each variant of the rules wakes, and what it makes dead."""
    import pandas as pd

    rows = []
    for variant in variants:
        woken = [seen.clauses[i][0] for i in seen.never if seen.fired(i, variant)]
        dead = [name for i, (name, _) in enumerate(seen.clauses) if i not in seen.never and not seen.fired(i, variant)]
        words = variant_words(variant)
        rows.append({"variant": words, "woken": "; ".join(woken) or "none", "dead": "; ".join(dead) or "none"})
    return Table(
        "variants",
        "Under other rules",
        pd.DataFrame(rows),
        {
            "variant": Column("with"),
            "woken": Column("fires, as it never does now"),
            "dead": Column("never fires, as it does now"),
        },
        f"Each variant changes the rules named and is played by all {counted(len(seen.found), 'line-up')}.",
    )


def bars_chart(seen: Seen) -> Chart:
    """The part of its games in which each clause fires in one line-up."""
    line, rows = seen.focus, []
    for i, (name, _) in enumerate(seen.clauses):
        share = seen.share(i, line)
        rows.append((name, share.value, share.low, share.high))
    rows.sort(key=lambda row: -row[1] if math.isfinite(row[1]) else 0)

    def draw() -> Figure:
        from simkit.report.charts import bars

        return bars(rows, "per cent of the games in which it fires")

    title = f"In how many games each rule fires, {under(line)}"
    words = "; ".join(f"{name} {100 * share:.1f} %" for name, share, *_ in rows)
    return Chart("fired", title, f"{title}: {words}.", draw)


def summary(seen: Seen, variants: Sequence[Variant]) -> str:
    """Which rules are dead under all strategies, and which come into play under weak ones only."""
    total, never, lines = len(seen.clauses), seen.never, counted(len(seen.found), "line-up")
    if never:
        bound = f"in less than 1 game in {_about(1 / never_seen(seen.deals))}"
        words = f"{len(never)} of the {total} rules that are counted never fired under any of {lines} ({bound}): "
        words += f"{seen.names(never)}."
    else:
        words = f"All {total} rules that are counted fired, each under some of {lines}."
    woken = [i for i in never if any(seen.fired(i, variant) for variant in variants)]
    if variants and never:
        words += f" {len(woken)} of them fire under other rules." if woken else " None of them fires under other rules."
    if seen.only_weak:
        strong = listed(label for label in seen.asked.labels if label in seen.strong)
        words += f" Only where a weak strategy plays, not among {strong}: {seen.names(seen.only_weak)}."
    return words


def open_point_notes(seen: Seen) -> list[str]:
    """Which open points of the rules the games reached, which they did not, and which nothing counts."""
    from simkit.rulebook import read_rules

    marked = [i for i, (name, _) in enumerate(seen.clauses) if name in seen.asked.game.open_points]
    reached = [i for i in marked if i not in seen.never]
    notes = []
    if reached:
        told = "; ".join(f"{seen.clauses[i][0]}, {often(seen.most(i)[0])}" for i in reached)
        notes.append(f"Open points of the rules that games reach, at most: {told}.")
    if missed := [seen.clauses[i][0] for i in marked if i in seen.never]:
        notes.append(f"Open points that no game reached: {'; '.join(missed)}.")
    known = {seen.clauses[i][0].split()[0] for i in marked}
    texts = [clause for section in read_rules(seen.asked.game.name) for clause in section.clauses]
    if left := [c.number for c in texts if "**Open point" in c.text and c.number not in known]:
        notes.append(f"Open points that nothing counts: {', '.join(left)}.")
    return notes
