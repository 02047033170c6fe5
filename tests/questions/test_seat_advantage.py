"""Planted truths about seats: Colina has no better one, unless the rules are rigged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.questions.lab import check_answer, lab


def asked(strategies: str, rules: str = "", margin: float = 0.05, more: str = "") -> str:
    return (
        f'question = "seat_advantage"\nmargin = {margin}\n[rules]\n{rules}\n[strategies]\n{strategies}\n'
        f"[seat_advantage]\n{more}\n"
    )


def test_the_seats_of_colina_are_fair(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\ngreedy = {}"), deals=5_000)
    assert [v.verdict for v in made.answer.verdicts] == ["fair", "fair"]
    assert made.answer.summary.startswith("The seat does not matter: under all two line-ups")
    check_answer(made.answer, ["random", "greedy"])


def test_a_rigged_seat_is_found(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("hill_hunter = {}\ngreedy = {}", "king_on = [true, false]"), deals=1_500)
    verdicts = {v.under: v.verdict for v in made.answer.verdicts}
    assert verdicts == {"hill_hunter against itself": "too strong", "greedy against itself": "fair"}
    assert made.answer.summary.startswith("Yes, the seat matters beyond your margin of ±5 points")
    assert "seat 0 under hill_hunter against itself (+" in made.answer.summary


def test_the_same_rig_the_other_way_round_is_a_handicap(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("hill_hunter = {}", "king_on = [false, true]"), deals=500)
    assert [v.verdict for v in made.answer.verdicts] == ["too weak"]


def test_too_few_deals_leave_it_open_and_say_how_many_are_needed(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("greedy = {}", margin=0.01), deals=200)
    (verdict,) = made.answer.verdicts
    assert verdict.verdict == "undecided"
    assert made.answer.summary.startswith("No seat is shown to matter, but the verdict is not decided")
    assert "more deals would decide" in made.answer.summary


def test_the_win_rate_of_a_seat_does_not_depend_on_who_sits_there(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\ngreedy = {}", more='pairs = [["greedy", "random"]]'), deals=300)
    outcomes = made.outcomes("greedy v random")
    for seat, row in enumerate(made.frame("seats")):
        won = sum(int(game["winner"] == seat) for deal in outcomes for game in deal)
        assert row["win_rate"] == pytest.approx(won / 600, abs=1e-15)
        assert row["games"] == 600
    assert abs(made.frame("seats")[0]["win_rate"] - 0.5) < 0.1  # although greedy wins three games of four


def test_a_deal_of_two_equal_players_without_chance_counts_as_one_observation(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("greedy = {}"), deals=400)
    outcomes = made.outcomes("greedy v greedy")
    assert (outcomes[:, 0]["winner"] == outcomes[:, 1]["winner"]).all()
    assert made.answer.headline is not None
    assert made.answer.headline.se == pytest.approx((0.25 / 400) ** 0.5, rel=0.02)
