"""Planted pools: one strategy above all others, a real circle of three, twins; and numbers counted again plainly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simkit.errors import SimkitError
from simkit.questions.dominant_strategy.cases import PAYOFFS, contenders, meetings
from simkit.questions.payoffs import Payoffs
from simkit.resamples import weights
from tests.questions.lab import Lab, check_answer, lab

# Known from an independent engine: each beats the next one, and the last the first.
CIRCLE = """
doubting = { use = "bluffer", bluff = 0.0, doubt = 1.0 }
bluffing = { use = "bluffer", bluff = 1.0, doubt = 0.0 }
believing = { use = "bluffer", bluff = 0.0, doubt = 0.0 }
"""
GRID = '[dominant_strategy.grid]\n"strategies.bluffer.bluff" = [0.0, 0.5]\n"strategies.bluffer.doubt" = [0.0, 0.5]\n'


def asked(strategies: str, more: str = "", margin: float = 0.01, rules: str = "") -> str:
    return (
        f'question = "dominant_strategy"\nmargin = {margin}\n[rules]\n{rules}\n[strategies]\n{strategies}\n'
        f"[dominant_strategy]\n{more}\n"
    )


def payoffs_of(made: Lab) -> Payoffs:
    found = meetings(made.prepared.asked)
    arms = {(m.first, m.second): m.arm.name for m in found}
    names = tuple(one.name for one in contenders(made.prepared.asked))
    return Payoffs(names, made.prepared.asked.seats, arms, made.results, PAYOFFS, 0.01)


def test_one_that_beats_all_others_is_the_right_one(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\ngreedy = {}\nplanner = {}"), deals=1_500)
    verdicts = {v.subject: v for v in made.answer.verdicts}
    assert {name: v.verdict for name, v in verdicts.items()} == {
        "random": "too weak", "greedy": "too weak", "planner": "too strong",
    }  # fmt: skip
    assert verdicts["planner"].under == "planner against random"
    assert made.answer.summary.startswith("Yes, there is one right strategy among these 3: planner beats each")
    assert "planner is the best choice (in 100% of the resamples)" in made.answer.summary
    assert "No three strategies beat each other in a circle for certain." in made.answer.notes
    assert [row["strategy"] for row in made.frame("standings")] == ["planner", "greedy", "random"]
    assert made.frame("choices")[0]["mixture"] == 1
    check_answer(made.answer, ["random", "greedy", "planner"])


def test_a_circle_of_three_has_no_right_strategy(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(CIRCLE), deals=600, game="saloon")
    assert [v.verdict for v in made.answer.verdicts] == ["too weak"] * 3
    assert made.answer.summary.startswith("No, there is no single right strategy among these 3")
    mixture = {row["strategy"]: row["mixture"] for row in made.frame("choices")}
    assert all(share > 0.02 for share in mixture.values())
    assert sum(mixture.values()) == pytest.approx(1)
    assert made.answer.notes[0].startswith("A circle, each step certain: doubting beats bluffing (+")
    assert [chart.name for chart in made.answer.charts] == ["worst", "ladder", "win_rates", "mixture"]
    check_answer(made.answer, ["doubting", "bluffing", "believing"])


def test_twins_lose_to_none(tmp_path: Path) -> None:
    twins = 'random = {}\none = { use = "greedy" }\nother = { use = "greedy" }'
    made = lab(tmp_path, asked(twins, margin=0.05), deals=2_000)
    assert [v.verdict for v in made.answer.verdicts] == ["too weak", "fair", "fair"]
    assert "one and other lose to none of the 3 by more than that" in made.answer.summary


def test_too_few_deals_leave_it_open(tmp_path: Path) -> None:
    made = lab(tmp_path, asked('one = { use = "greedy" }\nother = { use = "greedy" }'), deals=100)
    assert made.answer.summary.startswith("No strategy is shown to beat all others")
    assert "more deals would decide" in made.answer.summary


def test_payoffs_are_those_of_the_games_as_played_and_in_resamples(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(CIRCLE, rules="max_turns = 40"), deals=80, game="saloon")
    payoffs = payoffs_of(made)
    drawn = weights(np.arange(80), 5)
    for (i, j), arm in payoffs.arms.items():
        outcomes = made.outcomes(arm)
        seat_of_first = np.arange(2)[None, :]
        finished = outcomes["unfinished"] == 0
        won = ((outcomes["winner"] == seat_of_first) & finished).sum(axis=1)
        games = finished.sum(axis=1)
        for row in (0, 1, 77):
            rate = float((drawn[row] * won).sum() / (drawn[row] * games).sum())
            assert payoffs.resamples[row, i, j] == pytest.approx(rate - 0.5, abs=1e-12)
            assert payoffs.resamples[row, j, i] == -payoffs.resamples[row, i, j]
        assert payoffs.effects[j, i].value == -payoffs.effects[i, j].value
        assert payoffs.matrix[i, j] == pytest.approx(payoffs.effects[i, j].value, abs=1e-12)
    assert any("did not end by the rules" in note for note in made.answer.notes)


def test_the_spread_of_the_resamples_is_that_of_the_intervals(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(CIRCLE), deals=500, game="saloon")
    payoffs = payoffs_of(made)
    inside = {pair: effect for pair, effect in payoffs.effects.items() if abs(effect.value) < 0.48}
    assert len(inside) >= 2
    for (i, j), effect in inside.items():
        assert payoffs.resamples[1:, i, j].std() == pytest.approx(effect.se, rel=0.25)


def test_a_grid_joins_the_pool_and_the_pools_own_point_counts_once(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("honest = {}\nbluffer = {}", GRID), deals=60, game="saloon")
    names = [one.name for one in contenders(made.prepared.asked)]
    assert names == ["honest", "bluffer", "bluffer(0.0, 0.0)", "bluffer(0.0, 0.5)", "bluffer(0.5, 0.0)"]
    assert len(made.prepared.plan.arms) == 10
    by_point = {(row["bluff"], row["doubt"]): row for row in made.frame("grid")}
    assert set(by_point) == {("0.0", "0.0"), ("0.0", "0.5"), ("0.5", "0.0"), ("0.5", "0.5")}
    arm = next(a for a in made.prepared.plan.arms if a.name == "honest v bluffer(0.0, 0.0)")
    assert arm.parameters == ({}, {"bluff": 0.0, "doubt": 0.0})
    assert (made.outcomes(arm.name)["bluffs"] == 0).all()  # its parameters are in force
    assert [v.subject for v in made.answer.verdicts] == ["honest", "bluffer"]
    assert [c.name for c in made.answer.charts][-2:] == ["surface", "best_answers"]
    check_answer(made.answer, ["honest", "bluffer"])


def test_one_strategy_with_a_grid_has_no_ladder(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("bluffer = {}", GRID), deals=40, game="saloon")
    assert len(made.prepared.plan.arms) == 6
    assert "ladder" not in {chart.name for chart in made.answer.charts}


def test_the_best_answer_of_a_grid_is_the_one_that_wins_most(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("honest = {}\nbluffer = {}", GRID), deals=200, game="saloon")
    payoffs = payoffs_of(made)
    places = {name: i for i, name in enumerate(payoffs.names)}
    grid = [name for name in payoffs.names if name != "honest"]
    for row in made.frame("grid"):
        name = (
            "bluffer" if (row["bluff"], row["doubt"]) == ("0.5", "0.5") else f"bluffer({row['bluff']}, {row['doubt']})"
        )
        against = {other: payoffs.matrix[places[other], places[name]] for other in grid}
        assert against[row["best"]] == max(against.values())
        assert row["gain"] == pytest.approx(against[row["best"]], abs=1e-12)


def test_a_line_of_one_parameter_is_drawn_as_a_line(tmp_path: Path) -> None:
    grid = '[dominant_strategy.grid]\n"strategies.bluffer.bluff" = { from = 0.0, to = 1.0, step = 0.5 }\n'
    made = lab(tmp_path, asked("honest = {}\nbluffer = {}", grid), deals=60, game="saloon")
    chart = made.answer.charts[-1]
    assert chart.name == "surface"
    assert chart.draw().axes
    check_answer(made.answer, ["honest", "bluffer"])


def test_at_a_table_of_three_each_sits_alone_among_copies_of_the_other(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\nhonest = {}", rules="players = 3"), deals=150, game="saloon")
    assert [arm.lineup for arm in made.prepared.plan.arms] == [
        ("random", "honest", "honest"),
        ("honest", "random", "random"),
    ]
    payoffs = payoffs_of(made)
    a, b = payoffs.effects[0, 1].value, payoffs.effects[1, 0].value
    assert a > 0 > b  # who is believed by all can lay anything
    assert payoffs.matrix[1, 0] == pytest.approx((b - a) / 2, abs=1e-12)
    assert [v.verdict for v in made.answer.verdicts] == ["too strong", "too weak"]
    assert payoffs.stable() == [0]
    assert "random is a stable choice." in made.answer.summary
    check_answer(made.answer, ["random", "honest"])


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ('[dominant_strategy.grid]\n"strategies.bluffer.bluf" = [0.0, 1.0]', "Did you mean strategies.bluffer.bluff"),
        ('[dominant_strategy.grid]\n"strategies.bluffer.bluff" = [0.0, "a"]', "is not a"),
        (
            '[dominant_strategy.grid]\n"strategies.bluffer.bluff" = [0.0, 1.0]\n'
            '"strategies.sceptic.bluff" = [0.0, 1.0]',
            "one or two parameters of one strategy",
        ),
        (
            '[dominant_strategy.grid]\n"strategies.bluffer.bluff" = { from = 0.0, to = 1.0, step = 0.01 }',
            "103 strategies, each against every other, are too many",
        ),
        ("alpha = 0", "alpha"),
    ],
)  # fmt: skip
def test_faults_are_told(tmp_path: Path, more: str, fault: str) -> None:
    with pytest.raises(SimkitError, match=fault):
        lab(tmp_path, asked("bluffer = {}\nsceptic = {}", more), game="saloon")


def test_one_strategy_alone_has_nobody_to_be_compared_with(tmp_path: Path) -> None:
    with pytest.raises(SimkitError, match="two strategies"):
        lab(tmp_path, asked("bluffer = {}"), game="saloon")
