"""Everybody against everybody: ratings from plain counts, a sure order, an unsure one, circles, tables of many."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from simkit.errors import SimkitError
from simkit.questions.tournament.cases import lineups_of
from simkit.stats.ratings import bradley_terry, plackett_luce
from tests.questions.lab import Lab, check_answer, lab
from tests.questions.test_dominant_strategy import CIRCLE

POOL = "random = {}\nhonest = {}\nsceptic = {}"


def asked(strategies: str, more: str = "", rules: str = "", margin: float = 0.01) -> str:
    return (
        f'question = "tournament"\nmargin = {margin}\n[rules]\n{rules}\n[strategies]\n{strategies}\n'
        f"[tournament]\n{more}\n"
    )


def won_by_player(made: Lab, arm: str) -> np.ndarray:
    """Games won by each player of an arm, from its outcomes."""
    outcomes = made.outcomes(arm)
    seats = outcomes.shape[1]
    finished = outcomes["unfinished"] == 0
    places = [(np.arange(seats) + player) % seats for player in range(seats)]
    return np.array([float(((outcomes["winner"] == place) & finished).sum()) for place in places])


def test_ratings_are_those_of_the_games_counted_plainly(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\ngreedy = {}\nplanner = {}"), deals=200)
    labels, wins = ["random", "greedy", "planner"], np.zeros((3, 3))
    for arm in made.prepared.plan.arms:
        i, j = (labels.index(label) for label in arm.lineup)
        wins[i, j], wins[j, i] = won_by_player(made, arm.name)
    expected = bradley_terry(wins)
    for row in made.frame("ranking"):
        assert row["elo"] == pytest.approx(expected[labels.index(row["strategy"])], abs=1e-6)
        mine = labels.index(row["strategy"])
        assert row["win_rate"] == pytest.approx(wins[mine].sum() / (wins[mine].sum() + wins[:, mine].sum()), abs=1e-12)
    assert [row["strategy"] for row in made.frame("ranking")] == ["planner", "greedy", "random"]
    assert [row["places"] for row in made.frame("ranking")] == ["1", "2", "3"]
    assert made.answer.summary.startswith("planner is the strongest of 3: ")
    assert "The rest of the order is sure." in made.answer.summary
    check_answer(made.answer, labels)


def test_twins_share_a_place(tmp_path: Path) -> None:
    made = lab(tmp_path, asked('one = { use = "greedy" }\nother = { use = "greedy" }\nrandom = {}'), deals=300)
    rows = {row["strategy"]: row for row in made.frame("ranking")}
    assert rows["one"]["places"] == rows["other"]["places"] == "1–2"
    assert rows["random"]["places"] == "3"
    assert "may be as strong" in made.answer.summary
    assert abs(rows["one"]["elo"] - rows["other"]["elo"]) < 2 * rows["one"]["elo_pm"]


def test_circles_are_counted(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(CIRCLE), deals=400, game="saloon")
    assert any(note.startswith("A circle, each step certain") for note in made.answer.notes)


def test_at_a_table_of_three_every_line_up_plays(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(POOL, rules="players = 3\nmax_turns = 60"), deals=60, game="saloon")
    assert len(made.prepared.plan.arms) == 10 - 3
    labels = ["random", "honest", "sceptic"]
    seats, wins = np.zeros((7, 3)), np.zeros((7, 3))
    for row, arm in enumerate(made.prepared.plan.arms):
        for label, won in zip(arm.lineup, won_by_player(made, arm.name), strict=True):
            seats[row, labels.index(label)] += 1
            wins[row, labels.index(label)] += won
    # What a strategy of several copies wins counts a game for each of them, as in the shares.
    expected = plackett_luce(seats, wins)
    found = {row["strategy"]: row["elo"] for row in made.frame("ranking")}
    assert [found[label] for label in labels] == pytest.approx(expected, abs=1e-6)
    assert any("Every line-up of 3 seats played (7 in all)" in note for note in made.answer.notes)
    check_answer(made.answer, labels)


def test_a_sample_is_balanced_and_the_same_for_a_seed(tmp_path: Path) -> None:
    more = "believer = {}\nreader = {}\nbluffer = {}"
    text = asked(f"{POOL}\n{more}", more="lineups = 24", rules="players = 4")
    made = lab(tmp_path, text, deals=2, game="saloon")
    found = lineups_of(made.prepared.asked)
    assert len(found) == len({tuple(sorted(line)) for line in found}) == 24
    had = Counter(label for line in found for label in line)
    assert max(had.values()) - min(had.values()) <= 2
    assert found == lineups_of(lab(tmp_path, text, deals=2, game="saloon").prepared.asked)
    assert any("A balanced sample of 24 line-ups" in note for note in made.answer.notes)


@pytest.mark.parametrize(
    ("rules", "more", "fault"),
    [
        ("", "lineups = 5", "at a table of two every pair plays"),
        ("players = 8", "", "at most"),
        ("", "lineups = 1", "lineups"),
    ],
)
def test_faults_are_told(tmp_path: Path, rules: str, more: str, fault: str) -> None:
    pool = f"{POOL}\nbeliever = {{}}\nreader = {{}}\nbluffer = {{}}"
    with pytest.raises(SimkitError, match=fault):
        lab(tmp_path, asked(pool, more=more, rules=rules), game="saloon")
