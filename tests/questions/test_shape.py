"""The shape of games whose shape is known, and against plain counts."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from simkit.course_measures import TracedGames
from simkit.errors import SimkitError
from simkit.stats.luck import luck, luck_columns
from simkit.tally import Moments
from tests.examples.plugged import KUHN, plugged_in
from tests.questions.lab import Lab, check_answer, lab

TWO = "[strategies]\nrandom = {}\ngreedy = {}\n"


def asked(strategies: str = TWO, rules: str = "", more: str = "") -> str:
    return f'question = "shape"\n[rules]\n{rules}\n{strategies}[shape]\nlearn = 2000\n{more}\n'


def games(made: Lab, name: str) -> TracedGames:
    """An arm's games, looked at."""
    arm = next(arm for arm in made.prepared.plan.arms if arm.name == name)
    played = made.work.play(arm, 0, made.deals, made.work.chances[name])
    assert isinstance(played, TracedGames)
    return played


def test_its_numbers_are_those_of_plain_counts(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(), deals=300)
    row = next(r for r in made.frame("decisions") if r["under"] == "greedy against itself")
    tension = next(r for r in made.frame("tension") if r["under"] == "greedy against itself")
    played = games(made, "greedy v greedy")
    traces, outcomes = played.traces, played.outcomes
    assert row["length"] == pytest.approx(outcomes["rounds"].mean())
    assert row["length_90"] == np.quantile(outcomes["rounds"], 0.9, method="inverted_cdf")
    assert row["decisions"] == pytest.approx(traces["decisions"].sum() / (2 * traces.size))
    assert row["forced"] == pytest.approx(traces["forced"].sum() / traces["decisions"].sum())
    assert row["moves"] == pytest.approx(traces["moves"].sum() / traces["decisions"].sum())
    assert 1 < row["typical"] < row["moves"]
    assert tension["lead_changes"] == pytest.approx(outcomes["lead_changes"].mean())
    course = played.course
    assert tension["decided"] == pytest.approx(course.decided.mean() / 100)
    assert tension["from_10"] == pytest.approx((course.lowest <= 100).mean())
    behind = [outcomes[i, r]["behind_most"][outcomes[i, r]["winner"]] for i in range(300) for r in range(2)]
    assert tension["deficit_90"] == np.quantile(behind, 0.9, method="inverted_cdf")
    check_answer(made.answer, ["random", "greedy"])
    assert made.answer.summary.startswith("Under greedy against itself a game lasts ")


def test_chances_come_from_other_deals_and_are_right_on_these(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("[strategies]\nrandom = {}\n", more="ladder = false"), deals=1_500)
    rows = [row for row in made.frame("chances") if row["positions"]]
    assert len(rows) > 6
    for row in rows:
        assert row["won"] == pytest.approx(row["said"], abs=0.05)
    assert sum(row["positions"] for row in rows) == 2 * games(made, "random v random").traces["samples"].sum()


def test_a_game_that_one_round_decides_has_no_leads(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(rules="start_points = 1"), deals=200)
    for row in made.frame("tension"):
        assert (row["lead_changes"], row["decided"], row["from_25"], row["drama"]) == (0, 1, 0, 0)
        assert row["deficit_90"] == 0
    assert all(math.isnan(made.results.estimate(f"leader_{p}/greedy v greedy").value) for p in (10, 50, 90))


def test_first_fit_always_plays_44_half_turns_of_lost_cities(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("[strategies]\nfirst_fit = {}\n"), deals=100, game="lost_cities")
    (row,) = made.frame("decisions")
    assert (row["length"], row["length_pm"], row["range"], row["decisions"]) == (44, 0, "44–44", 22)
    assert row["forced"] == 0  # a card can always be discarded, or laid


def test_the_ladder_has_the_weakest_at_its_foot_and_tells_the_luck_of_each_rung(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("[strategies]\nplanner = {}\nrandom = {}\ngreedy = {}\n"), deals=300)
    rungs = made.frame("ladder")
    assert [row["strategy"] for row in rungs] == ["random", "greedy", "planner"]
    outcomes = made.outcomes("random v greedy")
    won = (outcomes["winner"][:, 0] == 1).sum() + (outcomes["winner"][:, 1] == 0).sum()
    assert rungs[1]["below"] == rungs[1]["lowest"] == pytest.approx(won / 600)
    results = [np.where(outcomes["winner"][:, r] == r, 1, -1) for r in range(2)]
    assert rungs[1]["luck"] == pytest.approx(luck(Moments.of(luck_columns(*results))).value)
    assert any(note.startswith("planner, the highest rung, wins 9") for note in made.answer.notes)


def test_a_table_of_four_is_looked_at_too(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("[strategies]\nrandom = {}\ncaller = {}\n"), deals=60, game="hakka")
    check_answer(made.answer, ["random", "caller"])
    played = games(made, "caller v caller v caller v caller")
    assert played.course.chance.sum(axis=2) == pytest.approx(np.ones(played.course.seen.shape))
    assert "luck" not in made.frame("ladder")[0]


def test_games_that_never_end_leave_nothing_to_say_of_winners(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(rules="start_points = 1000\nmax_rounds = 2"), deals=10)
    assert "Nobody has won any of these games." in made.answer.summary
    check_answer(made.answer, ["random", "greedy"])


def test_a_game_that_does_not_tell_who_is_ahead_has_lengths_and_choices_all_the_same(tmp_path: Path) -> None:
    with plugged_in(KUHN, tmp_path / "site"):
        made = lab(tmp_path, asked("[strategies]\nequilibrium = {}\ncaller = {}\n"), deals=90, game="kuhn_poker")
        check_answer(made.answer, ["equilibrium", "caller"])
    assert {table.name for table in made.answer.tables} == {"decisions", "ladder", "rungs"}
    assert any("does not tell who is ahead" in note for note in made.answer.notes)
    for row in made.frame("decisions"):
        assert (row["forced"], row["moves"], row["typical"]) == (0, 2, 2)  # bet or pass, always


@pytest.mark.parametrize(
    ("more", "fault"),
    [("decided = 0.4", "between 0.5 and 1"), ("learn = 5", "from 100 to"), ("drama = true", "drama")],
)
def test_faults_of_its_table_are_told(tmp_path: Path, more: str, fault: str) -> None:
    with pytest.raises(SimkitError, match=fault):
        lab(tmp_path, asked(more=more).replace("learn = 2000\n", "" if "learn" in more else "learn = 2000\n"))
