"""What is said of the pool is what its games show."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.questions import pool
from tests.questions.lab import lab

TEXT = """question = "card_strength"
[strategies]
random = {}
planner = {}
greedy = {}
[card_strength]
cards = ["K"]
pairs = [["greedy", "greedy"]]
"""


def test_the_strongest_wins_most_and_each_pair_is_listed_once_the_better_one_first(tmp_path: Path) -> None:
    made = lab(tmp_path, TEXT)
    assert pool.strongest(made.prepared.asked, made.results) == "planner"
    rows = made.frame("matrix")
    assert {(row["strategy"], row["against"]) for row in rows[:2]} == {("planner", "random"), ("planner", "greedy")}
    assert [(row["strategy"], row["against"]) for row in rows[2:]] == [("greedy", "random")]
    outcomes = made.outcomes("random v greedy")
    won = sum(int(game["winner"] == 1 - rotation) for deal in outcomes for rotation, game in enumerate(deal))
    assert rows[-1]["win_rate"] == pytest.approx(won / (2 * made.deals), abs=1e-15)


def test_paths_are_those_of_the_strongest_strategys_own_games(tmp_path: Path) -> None:
    made = lab(tmp_path, TEXT)
    chart = next(chart for chart in made.answer.charts if chart.name == "paths")
    assert "planner against itself" in chart.title
    games = made.outcomes("planner v planner")
    for whose in ("winner", "loser"):
        seen = []
        for game in games.ravel():
            seat = int(game["winner"]) if whose == "winner" else 1 - int(game["winner"])
            seen.append(int(game["path"][seat][1]))
        found = made.results.histogram(f"path/{whose}/1/planner v planner")
        assert sorted(seen) == [value for value, count in found.items() for _ in range(count)]


def test_notes_order_the_pool_and_name_upsets(tmp_path: Path) -> None:
    made = lab(tmp_path, TEXT)
    notes = pool.pool_notes(made.prepared.asked, made.results)
    assert notes[0] == "Strongest first, by games won against all the others: planner, greedy, random."
    assert notes[1] == "No strategy loses to a weaker one; planner beats or equals all others."
