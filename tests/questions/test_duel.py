"""Planted truths about duels: one who wins all, equals who draw all, copies that differ in name only."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.answer import Answer, Estimate
from simkit.errors import UsageError
from simkit.plan import Results
from simkit.played import UNITS
from simkit.prepared import prepare
from simkit.questions import KINDS
from simkit.questions.duel.cases import lineups_of, pairs_name, rate_name
from simkit.questions.duel.question import counts_of, elo_of, elo_words
from simkit.stats.duels import SequentialTest
from simkit.tally import Moments
from tests.questions.lab import Lab, check_answer, lab

TWO = "planner = {}\ngreedy = {}"
SEQUENTIAL = "sequential = { elo0 = 0, elo1 = 20 }"


def asked(strategies: str = TWO, more: str = "", margin: float = 0.02, rules: str = "") -> str:
    return f'question = "duel"\nmargin = {margin}\n[rules]\n{rules}\n[strategies]\n{strategies}\n[duel]\n{more}\n'


def told(made: Lab, counts: tuple[int, ...], missing: int = 0) -> Answer:
    """The answer of a duel if its pairs of games had ended so; `missing` deals had a game that does not count."""
    line = lineups_of(made.prepared.asked)[0]
    results = np.repeat(np.arange(5), counts)
    total = 2 * np.ones(len(results) + missing, dtype=np.int64)
    total[len(results) :] = 1  # the other game of the deal counts, and is won
    parts = np.concatenate([results * UNITS // 2, np.full(missing, UNITS)])
    columns = [np.concatenate([results == i, np.zeros(missing, dtype=bool)]).astype(np.int64) for i in range(5)]
    changed = {rate_name(line): Moments.of([parts, UNITS * total]), pairs_name(line): Moments.of(columns)}
    found = Results(made.prepared.plan, {**made.results.tallies, **changed})
    return KINDS["duel"].answer(made.prepared.asked, found)


def frame(answer: Answer, table: str) -> dict[str, Any]:
    return next(t.frame for t in answer.tables if t.name == table).to_dict("records")[0]


# --- who is stronger --------------------------------------------------------------------------------------------------


def test_the_stronger_one_is_named_and_the_counts_are_those_of_a_loop(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(), deals=300)
    counts = [0] * 5
    for first, second in made.outcomes("planner v greedy"):
        # the player sits at seat 0 in the first game, at seat 1 in the second
        counts[2 * (int(first["winner"] == 0) + int(second["winner"] == 1))] += 1
    assert sum(counts) == 300
    row = frame(made.answer, "pairs")
    assert [row[key] for key in ("both_lost", "lost_and_drawn", "even", "won_and_drawn", "both_won")] == counts
    assert row["no_pair"] == 0
    (verdict,) = made.answer.verdicts
    assert (verdict.subject, verdict.verdict, verdict.under) == ("planner", "too strong", "planner against greedy")
    assert made.answer.summary.startswith("planner is stronger than greedy, beyond your margin of ±2 points: it wins 9")
    assert frame(made.answer, "duels")["superiority"] > 0.999
    check_answer(made.answer, ["planner", "greedy"])


def test_turned_round_it_is_the_weaker_one(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("greedy = {}\nplanner = {}"), deals=300)
    assert made.answer.summary.startswith("greedy is weaker than planner, beyond")
    other = lab(tmp_path, asked(), deals=300)
    one, two = frame(made.answer, "duels"), frame(other.answer, "duels")
    assert one["elo"] == pytest.approx(-two["elo"])
    assert one["win_rate"] == pytest.approx(1 - two["win_rate"])


def test_a_strategy_and_its_copy_never_differ(tmp_path: Path) -> None:
    made = lab(tmp_path, asked('one = { use = "greedy" }\ntwo = { use = "greedy" }'), deals=200)
    assert counts_of(made.results, ("one", "two")) == (0, 0, 200, 0, 0)
    row = frame(made.answer, "duels")
    assert (row["win_rate"], row["elo"], row["superiority"]) == (0.5, 0, 0.5)
    assert math.isnan(frame(made.answer, "pairs")["normalised_elo"])
    check_answer(made.answer, ["one", "two"])


def test_several_duels_are_judged_together(tmp_path: Path) -> None:
    pool = "random = {}\ngreedy = {}\nshedder = {}\nhill_hunter = {}"
    made = lab(tmp_path, asked(pool), deals=60)
    assert len(made.answer.verdicts) == 6
    assert all("Holm-corrected" in v.sentence for v in made.answer.verdicts)
    assert "3 more duels are in the tables." in made.answer.summary
    assert made.answer.question == "Which strategy is stronger?"
    check_answer(made.answer, ["random", "greedy", "shedder", "hill_hunter"])
    named = lab(tmp_path, asked(pool, 'pairs = [["random", "greedy"]]'), deals=2)
    assert [arm.lineup for arm in named.prepared.plan.arms] == [("random", "greedy")]


def test_at_more_than_two_seats_it_is_one_against_copies_and_there_is_no_elo(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("honest = {}\nrandom = {}", rules="players = 3"), deals=60, game="saloon")
    assert [arm.lineup for arm in made.prepared.plan.arms] == [
        ("honest", "random", "random"),
        ("random", *["honest"] * 2),
    ]
    honest, random = made.frame("duels")
    assert "elo" not in honest
    assert [t.name for t in made.answer.tables] == ["duels", "coverage"]
    for verdict, row in zip(made.answer.verdicts, (honest, random), strict=True):
        assert verdict.estimate == pytest.approx(row["win_rate"] - 1 / 3)
    assert "an even share being 33.3%" in made.answer.summary
    check_answer(made.answer, ["honest", "random"])


# --- 0 %, 100 %, draws, games that do not count -----------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", "always_valid = true\n", SEQUENTIAL])
@pytest.mark.parametrize(
    "counts", [(400, 0, 0, 0, 0), (0, 0, 400, 0, 0), (0, 400, 0, 0, 0), (0, 0, 0, 0, 400), (0, 0, 0, 0, 1), (0,) * 5]
)
def test_nothing_is_infinite_or_unknown_when_all_pairs_end_alike(
    tmp_path: Path, key: str, counts: tuple[int, ...]
) -> None:
    top, inner = ("", key) if key == SEQUENTIAL else (key, "")
    answer = told(lab(tmp_path, top + asked(more=inner), deals=4), counts, missing=1)
    check_answer(answer, ["planner", "greedy"])
    texts = [answer.summary, *answer.notes, *(v.sentence for v in answer.verdicts), *(c.alt for c in answer.charts)]
    assert not any(word in f" {text} " for text in texts for word in ("inf", "∞", " nan", "– Elo"))
    for table in answer.tables:
        numbers = table.frame.select_dtypes("number").to_numpy(dtype=float)
        assert not np.isinf(numbers).any(), table.name


def test_who_wins_or_loses_every_game_has_an_elo_at_least_or_at_most(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(), deals=4)
    won, lost = told(made, (0, 0, 0, 0, 1_000)), told(made, (1_000, 0, 0, 0, 0))
    assert "it wins 100.0 ± 0.4 % of games (every game won; at least +966 Elo)." in won.summary
    assert "it wins 0.0 ± 0.4 % of games (every game lost; at most −966 Elo)." in lost.summary
    assert won.verdicts[0].verdict == "too strong"
    assert frame(won, "duels")["elo_low"] == pytest.approx(966.2, abs=0.1)  # 400 log₁₀(1,000/3.8415)
    assert math.isnan(frame(won, "duels")["elo"])


def test_all_draws_are_equal_strength(tmp_path: Path) -> None:
    answer = told(lab(tmp_path, asked(), deals=4), (0, 0, 1_000, 0, 0))
    assert answer.summary.startswith(
        "planner and greedy are equally strong within your margin of ±2 points: planner wins 50"
    )


def test_a_deal_with_a_game_that_does_not_count_is_no_pair(tmp_path: Path) -> None:
    answer = told(lab(tmp_path, asked(), deals=4), (10, 0, 20, 0, 10), missing=5)
    row = frame(answer, "pairs")
    assert (row["no_pair"], row["even"]) == (5, 20)
    assert any(
        note.startswith("Deals that make no pair") and "5 under planner against greedy" in note for note in answer.notes
    )
    assert frame(answer, "duels")["elo"] == 0
    assert frame(answer, "duels")["win_rate"] == pytest.approx(45 / 85)  # as everywhere: the other game is in it


def test_unfinished_games_make_no_pair_in_play(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\nhill_hunter = {}", rules="max_rounds = 32"), deals=200)
    outcomes = made.outcomes("random v hill_hunter")
    broken = int((outcomes["unfinished"] > 0).any(axis=1).sum())
    assert 0 < broken < 200
    assert frame(made.answer, "pairs")["no_pair"] == broken
    assert sum(counts_of(made.results, ("random", "hill_hunter"))) == 200 - broken


def test_when_no_game_ends_there_is_nothing_to_judge(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(rules="max_rounds = 1"), deals=20)
    assert made.answer.summary.startswith("No game came to an end by these rules")
    check_answer(made.answer, ["planner", "greedy"])


def test_the_words_of_an_elo() -> None:
    assert elo_words(Estimate(35.21, 33.8, 36.6, 0.7, 100, 200)) == "+35.2 ± 1.4 Elo"
    assert elo_words(Estimate(-math.inf, -math.inf, -700.4, 0, 100, 200)) == "every game lost; at most −700 Elo"


# --- the sequential test ----------------------------------------------------------------------------------------------


def test_the_sequential_test_tells_its_bounds_and_both_errors(tmp_path: Path) -> None:
    more = "sequential = { elo0 = 0, elo1 = 20, alpha = 0.05, beta = 0.1 }"
    made = lab(tmp_path, asked(more=more), deals=4)
    answer = told(made, (200, 0, 500, 0, 300))
    evidence = float(SequentialTest(0, 20, 0.05, 0.1).ratio((200, 0, 500, 0, 300)))
    assert answer.summary.startswith(
        "planner is stronger than greedy: after 1,000 deals the sequential test decided for +20 Elo of planner rather "
        f"than 0, as its evidence of +{evidence:.2f} passed the upper bound of +2.89. Such a test takes a difference "
        "of 0 Elo for +20 with a chance of about 5 % at most, and one of +20 for 0 with about 10 %."
    )
    row = frame(answer, "test")
    assert (row["lower"], row["upper"]) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    assert (row["evidence"], row["decision"], row["pairs"]) == (pytest.approx(evidence), "20 Elo", 1_000)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((300, 0, 500, 0, 200), "After 1,000 deals the sequential test decided for 0 Elo of planner rather than +20"),
        (
            (25, 0, 50, 0, 27),
            "The sequential test of 0 against +20 Elo is not decided after 102 deals: its evidence of",
        ),
    ],
)
def test_the_other_two_ends_of_the_test(tmp_path: Path, counts: tuple[int, ...], words: str) -> None:
    answer = told(lab(tmp_path, asked(more=SEQUENTIAL), deals=4), counts)
    assert answer.summary.startswith(words)
    assert any(note.startswith("The test and the verdict answer different questions") for note in answer.notes)


def test_intervals_of_a_run_that_a_test_may_end_are_always_valid(tmp_path: Path) -> None:
    usual, tested = (told(lab(tmp_path, asked(more=more), deals=4), (200, 0, 500, 0, 300)) for more in ("", SEQUENTIAL))
    one, two = frame(usual, "duels"), frame(tested, "duels")
    assert two["elo_pm"] > 1.4 * one["elo_pm"]
    assert two["win_rate_pm"] > 1.4 * one["win_rate_pm"]
    assert frame(tested, "pairs")["normalised_elo_pm"] > 1.4 * frame(usual, "pairs")["normalised_elo_pm"]
    assert "always-valid" in tested.verdicts[0].sentence


def test_an_always_valid_elo_is_that_of_the_always_valid_win_rate(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(), deals=300)
    always = Results(replace(made.prepared.plan, always_valid=True), made.results.tallies)
    line = ("planner", "greedy")
    rate, found = always.estimate(rate_name(line)), elo_of(always, line)
    assert found.low == pytest.approx(400 * math.log10(rate.low / (1 - rate.low)))
    assert found.low < elo_of(made.results, line).low


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategies", "more", "message"),
    [
        ("greedy = {}", "", "a duel needs two strategies in [strategies]; there is only greedy"),
        (TWO, 'pairs = "mirrors"', "a duel is between two different strategies"),
        (TWO, 'pairs = [["greedy", "greedy"]]', "a duel is between two different strategies"),
        (TWO, "sequential = { elo0 = 5, elo1 = 5 }", "elo0 must be below elo1"),
        (TWO, "sequential = { elo1 = 5000 }", "both from -1000 to 1000"),
        (TWO, "sequential = { alpha = 0.5, beta = 0.5 }", "alpha and beta must be less than 1 together"),
        (TWO, "sequential = { alpha = 0 }", "0 is not a number between 0 and 1"),
        (TWO + "\nrandom = {}", SEQUENTIAL, "a test ends one duel: name two strategies, or one pair in pairs"),
    ],
)
def test_faults_are_told(tmp_path: Path, strategies: str, more: str, message: str) -> None:
    with pytest.raises(UsageError) as fault:
        lab(tmp_path, asked(strategies, more))
    assert message in str(fault.value)


def test_a_test_takes_deals_and_not_until(tmp_path: Path) -> None:
    path = tmp_path / "until.toml"
    path.write_text('until = { half_width = 0.01 }\ngame = "colina"\n' + asked(more=SEQUENTIAL), encoding="utf-8")
    with pytest.raises(UsageError, match="give deals, the most it may take, instead of until"):
        prepare(path)


def test_a_test_needs_a_table_of_two(tmp_path: Path) -> None:
    text = asked("honest = {}\nrandom = {}", SEQUENTIAL, rules="players = 3")
    with pytest.raises(UsageError, match="Elo is of two players, and 3 sit at this table"):
        lab(tmp_path, text, game="saloon")
