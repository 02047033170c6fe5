"""A sweep measures every value on the same deals, and says when who wins depends on it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from simkit.errors import SimkitError
from tests.questions.lab import check_answer, lab, replayed


def asked(key: str = "start_points", values: str = "[50, 100]", more: str = "", rules: str = "") -> str:
    return (
        f'question = "sweep"\nmargin = 0.02\n[rules]\n{rules}\n[strategies]\nrandom = {{}}\ngreedy = {{}}\n'
        f'[sweep]\nkey = "rules.{key}"\nvalues = {values}\n{more}\n'
    )


def test_measures_are_what_plain_loops_find(tmp_path: Path) -> None:
    more = 'measures = ["first_player", "length", "comebacks", "lead_changes", "chance", "unfinished"]\npairs = "all"'
    made = lab(tmp_path, asked(values="[40, 100]", more=more, rules="max_rounds = 45"), deals=120)
    rows = {(row["under"], row["value"]): row for row in made.frame("sweep")}
    assert len(rows) == 6
    for value in (40, 100):
        row = rows["random against greedy", str(value)]
        won = finished = rounds = comebacks = changes = 0
        for deal in made.outcomes(f"random v greedy | start_points = {value}"):
            for rotation, game in enumerate(deal):
                rounds, changes = rounds + int(game["rounds"]), changes + int(game["lead_changes"])
                if game["unfinished"]:
                    continue
                finished += 1
                won += int(game["winner"] == rotation)  # random is player 0, at seat 0 + rotation
                comebacks += int(game["behind_most"][game["winner"]] >= value / 4)
        assert row["first_player"] == pytest.approx(won / finished, abs=1e-15)
        assert row["chance"] == pytest.approx(2 * won / finished, abs=1e-15)  # random is the weaker one
        assert row["comebacks"] == pytest.approx(comebacks / finished, abs=1e-15)
        assert (row["length"], row["lead_changes"]) == pytest.approx((rounds / 240, changes / 240), abs=1e-12)
        assert row["unfinished"] == pytest.approx(1 - finished / 240, abs=1e-12)
    assert 0 < rows["random against itself", "100"]["unfinished"] < 1


def test_changes_are_from_the_rule_as_it_is(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(values="[150, 100, 50]", more='measures = ["length"]'))
    rows = {row["value"]: row for row in made.frame("sweep") if row["under"] == "greedy against itself"}
    assert (rows["100"]["length_change"], rows["100"]["length_change_pm"]) == (0, 0)
    for value in ("150", "50"):
        change = rows[value]["length"] - rows["100"]["length"]
        assert rows[value]["length_change"] == pytest.approx(change, abs=1e-12)
    assert rows["50"]["length"] < rows["100"]["length"] < rows["150"]["length"]


def test_without_the_rule_as_it_is_changes_are_from_the_first_value(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(values="[40, 60]"))
    assert "start_points = 40" in next(t for t in made.answer.tables if t.name == "sweep").how_to_read
    assert {v.subject for v in made.answer.verdicts} == {"start_points = 60"}


def test_a_choice_is_swept_by_its_words(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("siamese_ranks", '["any", "distinct"]', 'pairs = [["greedy", "random"]]'), deals=400)
    assert [row["value"] for row in made.frame("sweep")] == ["any", "distinct"]
    (verdict,) = made.answer.verdicts
    assert verdict.subject == "siamese_ranks = distinct"
    assert verdict.estimate < 0  # greedy lives off siamese: the fewer, the less
    check_answer(made.answer, ["greedy", "random"])


def test_a_switch_that_favours_a_seat_is_found(tmp_path: Path) -> None:
    text = asked("jack_on", "[true, [true, false]]", 'measures = ["first_player"]').replace("random = {}\n", "")
    made = lab(tmp_path, text, deals=1_000)
    assert [(v.subject, v.verdict) for v in made.answer.verdicts] == [("jack_on = [true,false]", "too strong")]
    assert made.answer.summary.startswith("By more than your margin of ±2 points the win rate changes with jack_on")


def test_a_rule_that_changes_nothing_is_fair_with_no_variance(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("max_rounds", "[1000, 2000]"))
    assert {(v.verdict, v.estimate, v.low, v.high) for v in made.answer.verdicts} == {("fair", 0, 0, 0)}
    assert made.answer.summary.startswith("Who wins does not depend on it")
    rows = made.frame("sweep")
    assert all(row["length_change"] == 0 and row["length_change_pm"] == 0 for row in rows)


def test_all_values_are_dealt_the_same_first_hands(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(values="[20, 100, 300]"), deals=40)
    hands = [made.outcomes(f"greedy v greedy | start_points = {v}")["opening"] for v in (20, 100, 300)]
    np.testing.assert_array_equal(hands[0], hands[1])
    np.testing.assert_array_equal(hands[0], hands[2])


def test_luck_is_all_in_a_mirror_without_chance_and_measured_by_swapped_seats_elsewhere(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(more='measures = ["luck", "chance"]\npairs = "all"'), deals=300)
    rows = {(row["under"], row["value"]): row for row in made.frame("sweep")}
    assert rows["greedy against itself", "100"]["luck"] == 1
    assert rows["greedy against itself", "100"]["chance"] == 1
    results = []
    for deal in made.outcomes("random v greedy | start_points = 100"):
        results.append([1 if game["winner"] == rotation else -1 for rotation, game in enumerate(deal)])
    covariance = np.cov(np.array(results).T, bias=True)
    share = -covariance[0, 1] / ((covariance[0, 0] + covariance[1, 1]) / 2)
    assert rows["random against greedy", "100"]["luck"] == pytest.approx(share, abs=1e-12)


def test_unfinished_games_are_told_by_value(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("max_rounds", "[1, 1000]"))
    notes = [note for note in made.answer.notes if "did not end" in note]
    assert len(notes) == 2  # no game ends in one round
    assert all("max_rounds = 1," in note and "400 of 400" in note for note in notes)
    row = next(row for row in made.frame("sweep") if row["value"] == "1")
    assert math.isnan(row["first_player"])
    assert "nan" not in made.answer.summary


def test_games_to_look_at_come_with_the_swept_rule(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(values="[40, 60]"))
    for _, command in made.answer.replays:
        names, rules, _ = replayed(command)
        assert (names, rules) == (["greedy", "greedy"], {"start_points": "40"})


@pytest.mark.parametrize(
    ("key", "values", "more", "fault"),
    [
        ("start_point", "[50, 100]", "", "rules.start_point: not a rule that can be swept. Did you mean"),
        ("start_points", "[0, 100]", "", "rules.start_points: 0 is not a whole number from 1"),
        ("start_points", "[50]", "", "sweep.values"),
        ("start_points", "[50, 100, 50]", "", "a value is there twice: 50, 50"),
        ("jack_factor", "[2, 2.0]", "", "a value is there twice: 2, 2.0"),
        ("jack_factor", "[2, 1.005]", "", "rules.jack_factor: 1.005 is not"),
        ("king_on", "[true, [true, true]]", "", "a value is there twice: true, [true,true]"),
        ("siamese_ranks", '["any", "distnct"]', "", "Did you mean distinct?"),
        ("start_points", "[50, 100]", 'measures = ["rounds"]', '"rounds" is not "first_player", "length"'),
        ("start_points", "[50, 100]", "measures = []", "sweep.measures"),
        ("start_points", "[50, 100]", 'pairs = [["greedy", "rnadom"]]', "rnadom: no such strategy"),
        ("start_points", "[50, 100]", 'pairs = [["greedy"]]', "sweep.pairs"),
    ],
)
def test_faults_of_the_table_name_what_is_wrong(tmp_path: Path, key: str, values: str, more: str, fault: str) -> None:
    with pytest.raises(SimkitError) as raised:
        lab(tmp_path, asked(key, values, more))
    assert fault in str(raised.value)


@pytest.mark.parametrize("pairs", ["mirrors", "all"])
def test_the_answer_holds_together(tmp_path: Path, pairs: str) -> None:
    more = f'measures = ["first_player", "length", "comebacks", "luck", "chance"]\npairs = {json.dumps(pairs)}'
    made = lab(tmp_path, asked(values="[50, 100, 150]", more=more))
    check_answer(made.answer, ["random", "greedy"])
    rows = {row["clause"]: row["fired"] for row in made.frame("coverage")}
    assert rows["COL-6.1 end"] == 2 * 200 * 3 * (2 if pairs == "mirrors" else 3)
    assert rows["COL-6.2 both at 0"] == 0
