"""Questions at tables of more than two: one player against copies of another, and rules that say how many play."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.errors import SimkitError
from tests.questions.lab import check_answer, lab

POOL = "[strategies]\nrandom = {}\nhonest = {}\n"
SEATS = f'question = "seat_advantage"\n[rules]\nplayers = 3\n{POOL}[seat_advantage]\npairs = '
SWEEP = f'question = "sweep"\n{POOL}[sweep]\nkey = "rules.players"\nvalues = [2, 3, 5]\nmeasures = ["first_player"]\n'


def test_each_seat_is_judged_against_an_equal_share(tmp_path: Path) -> None:
    made = lab(tmp_path, f'{SEATS}"mirrors"\n', deals=80, game="saloon")
    assert [v.subject for v in made.answer.verdicts] == ["seat 0", "seat 1", "seat 2"] * 2
    outcomes = made.outcomes("random v random v random")
    assert outcomes.shape == (80, 3)
    finished = outcomes["unfinished"] == 0
    for seat in range(3):
        verdict = made.answer.verdicts[seat]
        won = float(((outcomes["winner"] == seat) & finished).sum() / finished.sum())
        assert verdict.estimate == pytest.approx(won - 1 / 3, abs=1e-12)
    assert sum(v.estimate for v in made.answer.verdicts[:3]) == pytest.approx(0, abs=1e-12)
    check_answer(made.answer, ["random", "honest"])


def test_of_all_pairs_each_strategy_sits_once_alone_among_the_other(tmp_path: Path) -> None:
    made = lab(tmp_path, f'{SEATS}"all"\n', deals=10, game="saloon")
    lineups = [arm.lineup for arm in made.prepared.plan.arms]
    assert lineups[2:] == [("random", "honest", "honest"), ("honest", "random", "random")]


def test_a_pair_that_is_named_fills_the_table_with_its_last(tmp_path: Path) -> None:
    made = lab(tmp_path, f'{SEATS}[["honest", "random"], ["random", "random", "honest"]]\n', deals=10, game="saloon")
    assert [arm.lineup for arm in made.prepared.plan.arms] == [("honest", "random", "random")]  # seats moved on
    with pytest.raises(SimkitError, match="from 2 to 3 strategies sit at a table"):
        lab(tmp_path, f'{SEATS}[["random", "random", "random", "honest"]]\n', game="saloon")


def test_a_swept_rule_may_say_how_many_play_and_other_rules_follow(tmp_path: Path) -> None:
    made = lab(tmp_path, SWEEP, deals=60, game="saloon")
    rows = {row["players"]: row for row in made.frame("sweep") if row["under"] == "random against itself"}
    for players, packs in ((2, 1), (3, 1), (5, 2)):
        arm = next(a for a in made.prepared.plan.arms if a.name == f"random v random | players = {players}")
        assert len(arm.lineup) == players
        assert arm.rules[0]["packs"] == packs
        outcomes = made.outcomes(arm.name)
        assert outcomes.shape == (60, players)
        finished = outcomes["unfinished"] == 0
        won = float(((outcomes["winner"] == 0) & finished).sum() / finished.sum())
        assert rows[str(players)]["first_player"] == pytest.approx(won, abs=1e-12)
        verdict = next(
            v for v in made.answer.verdicts if (v.subject, v.under) == (f"players = {players}", rows["2"]["under"])
        )
        assert verdict.estimate == pytest.approx(won - 1 / players, abs=1e-12)
    assert made.prepared.plan.games_a_deal == 2 * (2 + 3 + 5) + 2  # a meeting says which strategy is stronger
    check_answer(made.answer, ["random", "honest"])
