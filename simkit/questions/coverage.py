"""Rule coverage: how often each clause fired, which never did (dead rules)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simkit.answer import Column, Table
from simkit.measures import PerGame
from simkit.plan import Ratio, Results, Series
from simkit.questions.base import Asked, Lineup, arm_name, listed


def coverage_series(asked: Asked, lineups: Sequence[Lineup]) -> list[Series]:
    """The count of every clause in every line-up."""
    return [
        Ratio(f"clause/{i}/{arm_name(lineup)}", arm_name(lineup), PerGame("clauses", (i,)))
        for lineup in lineups
        for i in range(len(asked.game.clauses))
    ]


def coverage_table(asked: Asked, results: Results, lineups: Sequence[Lineup]) -> tuple[Table, list[str]]:
    """The table of clauses and the notes on dead rules."""
    import pandas as pd

    rows, dead = [], []
    for i, (name, about) in enumerate(asked.game.clauses):
        moments: list[Any] = [results.tallies[f"clause/{i}/{arm_name(lineup)}"] for lineup in lineups]
        fired, games = sum(m.sums[0] for m in moments), sum(m.sums[1] for m in moments)
        each = {f"per_game_{arm_name(n)}": m.sums[0] / m.sums[1] for n, m in zip(lineups, moments, strict=True)}
        rows.append({"clause": name, "about": about, "fired": fired, "per_game": fired / games, **each})
        if fired == 0:
            dead.append(f"{name} ({about})")
    table = Table(
        "coverage",
        "Which rules fired",
        pd.DataFrame(rows),
        {
            "clause": Column("clause"),
            "about": Column("what happened"),
            "fired": Column("times", "count"),
            "per_game": Column("a game", "number"),
        },
        "Counted over all line-ups named in this report, at the rules as they are. A rule that never fires is dead: "
        "players read it for nothing, or these strategies do not use it.",
    )
    notes = [f"Rules that never fired: {listed(dead)}."] if dead else ["Every counted rule fired at least once."]
    return table, notes
