"""An answer with something of everything, for the tests of the report."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from simkit.answer import Answer, Chart, Column, Estimate, Judgement, Table, Verdict
from simkit.report import charts
from simkit.report.facts import RuleFact, RunFacts, StrategyFact

PLANTED = "<script>alert('planted')</script>"


def verdict(subject: str, estimate: float, word: Judgement, **changes: Any) -> Verdict:
    """A verdict with a half-width of 0.003 and a margin of 0.01."""
    made = Verdict(
        subject=subject,
        estimate=estimate,
        low=estimate - 0.003,
        high=estimate + 0.003,
        margin=0.01,
        verdict=word,
        under="greedy against itself",
        p=0.002,
        more_deals=120_000 if word == "undecided" else None,
        sentence=f"{subject} is {word}.",
    )
    return replace(made, **changes)


def table() -> Table:
    """Two rows, one of them with nothing observed, and a column that only the CSV has."""
    frame = pd.DataFrame(
        {
            "card": ["K", "Q"],
            "rate": [0.5234567890123, math.nan],
            "half": [0.004, math.nan],
            "games": [12_345, 0],
            "hidden": [0.1 + 0.2, 1.0],
        }
    )
    columns = {
        "card": Column("Card"),
        "rate": Column("Win rate when drawn", "percent", "half"),
        "games": Column("Games", "count"),
    }
    return Table("cards", "What each card is worth", frame, columns, "Drawn win rate overrates late cards.")


def long_table(rows: int) -> Table:
    """A table of one column, with `card 0 `, `card 1 ` and so on."""
    return Table("long", "Long", pd.DataFrame({"card": [f"card {i} " for i in range(rows)]}), {"card": Column("Card")})


def answer(text: str = "plain") -> Answer:
    """A whole answer; `text` turns up in every text of it."""
    shown = table()
    frame = shown.frame.assign(card=[f"K {text}", "Q"])
    columns = {**shown.columns, "card": Column(f"Card {text}")}
    chart = Chart("strength", f"Strength {text}", f"Alternative {text}", lambda: forest(text))
    return Answer(
        question=f"Is the King too strong? {text}",
        summary=f"No: +0.42 ± 0.03 points. {text}",
        headline=Estimate(0.0042, 0.0039, 0.0045, 0.00015, 1000, 2000),
        verdicts=(
            verdict(f"K {text}", 0.004, "fair", under=f"greedy {text}", sentence=f"The King is fair. {text}"),
            verdict("Q", 0.011, "undecided"),
        ),
        tables=(replace(shown, title=f"Cards {text}", frame=frame, columns=columns, how_to_read=f"Beware. {text}"),),
        charts=(chart, replace(chart, name="again")),
        notes=(f"A rule never fired. {text}",),
        replays=((f"a typical game {text}", f"simkit replay colina --deal 7 {text}"),),
    )


def forest(text: str) -> Any:
    """A small chart with the text as a name in it."""
    return charts.forest([(text, "", 0.004, 0.001, 0.007)], 0.01)


def facts(text: str = "plain") -> RunFacts:
    """The facts of a finished run; `text` turns up in every text of them."""
    return RunFacts(
        experiment=f"kings {text}",
        game=f"colina {text}",
        question="card_strength",
        status="complete",
        deals=100_000,
        games=1_200_000,
        seed=2026,
        margin=0.01,
        rules=(
            RuleFact("start_points", f"150 {text}", True, "COL-2.1", f"TP at the start. {text}"),
            RuleFact("king_on", "any", False, "COL-4.5", "What a king may be placed on."),
        ),
        strategies=(StrategyFact(f"greedy {text}", f"king_below = 5 {text}", f"Takes what it can. {text}"),),
        versions={"simkit": f"0.1.0 {text}"},
        command=f"simkit run kings.toml {text}",
        seconds=40.0,
        date=f"2026-05-01 {text}",
    )


def files_of(folder: Path) -> list[str]:
    """Names of all files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
