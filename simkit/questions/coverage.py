"""Rule coverage: how often each clause fired, which never did (dead rules)."""

from __future__ import annotations

from collections.abc import Sequence

from simkit.answer import Column, Table
from simkit.measures import PerGame
from simkit.plan import Results
from simkit.questions.base import Asked
from simkit.series import Ratio, Series

CLAUSES = "clause/"  # how the names of its series begin


def coverage_series(asked: Asked, arms: Sequence[str]) -> list[Series]:
    """The count of every clause in every one of the arms named."""
    return [
        Ratio(f"{CLAUSES}{i}/{arm}", arm, PerGame("clauses", (i,)))
        for arm in arms
        for i in range(len(asked.game.clauses))
    ]


def coverage_table(
    asked: Asked, results: Results, arms: Sequence[str], where: str = "at the rules as they are"
) -> tuple[Table, list[str]]:
    """The table of clauses and the note on dead rules."""
    import pandas as pd

    rows, dead = [], []
    for i, (name, about) in enumerate(asked.game.clauses):
        moments = [results.moments(f"{CLAUSES}{i}/{arm}") for arm in arms]
        fired, games = sum(m.sums[0] for m in moments), sum(m.sums[1] for m in moments)
        each = {f"per_game_{arm}": m.sums[0] / m.sums[1] for arm, m in zip(arms, moments, strict=True)}
        rows.append({"clause": name, "about": about, "fired": fired, "per_game": fired / games, **each})
        if fired == 0:
            dead.append(f"{name}, {about}")
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
        f"Counted over {games:,} games, {where}; the CSV file has each line-up. A rule that never fires is dead: it "
        "cannot fire, or nobody here plays so that it does.",
    )
    if not dead:
        return table, ["Every counted rule fired at least once."]
    return table, [f"Never fired in {games:,} games: {'; '.join(dead)}."]
