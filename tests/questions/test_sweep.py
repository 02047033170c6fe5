"""A sweep measures every value on the same deals, and says when who wins depends on it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from simkit.driver import Table
from simkit.errors import SimkitError
from simkit.prepared import prepare
from simkit.questions.sweep.axes import Sweep
from simkit.questions.sweep.verdicts import runs
from tests.questions.lab import check_answer, lab, replayed
from tests.tables import shipped


def asked(key: str = "start_points", values: str = "[50, 100]", more: str = "", rules: str = "") -> str:
    return (
        f'question = "sweep"\nmargin = 0.02\n[rules]\n{rules}\n[strategies]\nrandom = {{}}\ngreedy = {{}}\n'
        f'[sweep]\nkey = "rules.{key}"\nvalues = {values}\n{more}\n'
    )


def test_measures_are_what_plain_loops_find(tmp_path: Path) -> None:
    more = 'measures = ["first_player", "length", "comebacks", "lead_changes", "chance", "unfinished"]\npairs = "all"'
    made = lab(tmp_path, asked(values="[40, 100]", more=more, rules="max_rounds = 45"), deals=120)
    rows = {(row["under"], row["start_points"]): row for row in made.frame("sweep")}
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
    rows = {row["start_points"]: row for row in made.frame("sweep") if row["under"] == "greedy against itself"}
    assert (rows["100"]["length_change"], rows["100"]["length_change_pm"]) == (0, 0)
    for value in ("150", "50"):
        change = rows[value]["length"] - rows["100"]["length"]
        assert rows[value]["length_change"] == pytest.approx(change, abs=1e-12)
    assert rows["50"]["length"] < rows["100"]["length"] < rows["150"]["length"]


def test_without_the_rule_as_it_is_changes_are_from_the_first_value(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(values="[40, 60]"))
    assert "start_points = 40" in next(t for t in made.answer.tables if t.name == "sweep").how_to_read
    pairs = lab(tmp_path, asked(values="[40, 60]", more='pairs = [["greedy", "random"]]'))
    assert {v.subject for v in pairs.answer.verdicts} == {"start_points = 60"}


def test_a_choice_is_swept_by_its_words(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("siamese_ranks", '["any", "distinct"]', 'pairs = [["greedy", "random"]]'), deals=400)
    assert [row["siamese_ranks"] for row in made.frame("sweep")] == ["any", "distinct"]
    (verdict,) = made.answer.verdicts
    assert verdict.subject == "siamese_ranks = distinct"
    assert verdict.estimate < 0  # greedy lives off siamese: the fewer, the less
    check_answer(made.answer, ["greedy", "random"])


def test_a_switch_that_favours_a_seat_is_found(tmp_path: Path) -> None:
    text = asked("jack_on", "[true, [true, false]]", 'measures = ["first_player"]').replace("random = {}\n", "")
    made = lab(tmp_path, text, deals=4_000)
    verdicts = [(v.subject, v.verdict) for v in made.answer.verdicts]
    assert verdicts == [("jack_on = true", "fair"), ("jack_on = [true,false]", "too strong")]
    even = "Between equals, is the first player's win rate an even share within your margin of ±2 points?"
    assert made.answer.summary.startswith(f"{even} Under greedy against itself yes for jack_on true, no for [true,")


def test_a_rule_that_changes_nothing_is_fair_with_no_variance(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("max_rounds", "[1000, 2000]", 'pairs = [["greedy", "random"]]'))
    assert {(v.verdict, v.estimate, v.low, v.high) for v in made.answer.verdicts} == {("fair", 0, 0, 0)}
    same = "Compared with max_rounds = 1000, does who wins stay the same within ±2 points? Yes, with max_rounds = 2000"
    assert made.answer.summary.startswith(same)
    rows = made.frame("sweep")
    assert all(row["length_change"] == 0 and row["length_change_pm"] == 0 for row in rows)


def test_all_values_are_dealt_the_same_first_hands(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(values="[20, 100, 300]"), deals=40)
    hands = [made.outcomes(f"greedy v greedy | start_points = {v}")["opening"] for v in (20, 100, 300)]
    np.testing.assert_array_equal(hands[0], hands[1])
    np.testing.assert_array_equal(hands[0], hands[2])


def test_luck_is_all_in_a_mirror_without_chance_and_measured_by_swapped_seats_elsewhere(tmp_path: Path) -> None:
    made = lab(tmp_path, asked(more='measures = ["luck", "chance"]\npairs = "all"'), deals=300)
    rows = {(row["under"], row["start_points"]): row for row in made.frame("sweep")}
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
    row = next(row for row in made.frame("sweep") if row["max_rounds"] == "1")
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
        ("start_point", "[50, 100]", "", "rules.start_point: not a rule of colina. Did you mean rules.start_points?"),
        ("start_points", "[0, 100]", "", "rules.start_points: 0 is not a whole number from 1"),
        ("start_points", "[50]", "", "sweep.values"),
        ("start_points", "[50, 100, 50]", "", "a value is there twice: 50, 50"),
        ("jack_factor", "[2, 2.0]", "", "a value is there twice: 2, 2.0"),
        ("jack_factor", "[2, 1.005]", "", "rules.jack_factor: 1.005 is not"),
        ("king_on", "[true, [true, true]]", "", "a value is there twice: true, [true,true]"),
        ("siamese_ranks", '["any", "distnct"]', "", "Did you mean distinct?"),
        (
            "start_points",
            "[50, 100]",
            'measures = ["rounds"]',
            "rounds: no such measure of colina. Measures: first_player,",
        ),
        ("start_points", "[50, 100]", "measures = []", "sweep.measures"),
        ("start_points", "[50, 100]", 'pairs = [["greedy", "rnadom"]]', "rnadom: no such strategy"),
        ("start_points", "[50, 100]", 'pairs = [["greedy"]]', "sweep.pairs"),
    ],
)
def test_faults_of_the_table_name_what_is_wrong(tmp_path: Path, key: str, values: str, more: str, fault: str) -> None:
    with pytest.raises(SimkitError) as raised:
        lab(tmp_path, asked(key, values, more))
    assert fault in str(raised.value)


# --- several keys, ranges, parameters ---------------------------------------------------------------------------------


def several(keys: str, more: str = "", game: str = "") -> str:
    return (
        f'question = "sweep"\nmargin = 0.02\n[rules]\n{game}\n[strategies]\nhill_hunter = {{}}\ngreedy = {{}}\n'
        f"[sweep]\n{more}\n[sweep.keys]\n{keys}\n"
    )


KEYS = '"rules.start_points" = { from = 20, to = 40, step = 10 }\n"strategies.hill_hunter.max_front" = [3, 5]'
PAIR = 'pairs = [["hill_hunter", "greedy"]]'


def test_every_combination_of_the_values_is_played_on_the_same_deals(tmp_path: Path) -> None:
    made = lab(tmp_path, several(KEYS, PAIR), deals=60)
    rows = {(row["start_points"], row["hill_hunter.max_front"]): row for row in made.frame("sweep")}
    assert set(rows) == {(start, front) for start in ("20", "30", "40") for front in ("3", "5")}
    for (start, front), row in rows.items():
        game = made.prepared.asked.game
        hunter = shipped("colina", "hill_hunter").with_parameters({"max_front": int(front)})
        players = [hunter, shipped("colina", "greedy")]
        outcomes = Table(game, players, game.resolve({"start_points": int(start)}), 5).play(0, 60)
        won = sum(int(outcomes[deal, r]["winner"] == r) for deal in range(60) for r in (0, 1))
        assert row["first_player"] == pytest.approx(won / 120, abs=1e-15)
        assert row["length"] == pytest.approx(outcomes["rounds"].mean(), abs=1e-12)
    assert len({row["first_player"] for row in rows.values()}) > 3


def test_differences_are_from_what_each_key_is_now(tmp_path: Path) -> None:
    made = lab(tmp_path, several(KEYS, PAIR, "start_points = 30"), deals=60)
    rows = {(row["start_points"], row["hill_hunter.max_front"]): row for row in made.frame("sweep")}
    how = next(table.how_to_read for table in made.answer.tables if table.name == "sweep")
    assert "hill_hunter.max_front = 5 under the same rules" in how  # 5 is its default
    for (start, _), row in rows.items():
        home = rows[start, "5"]
        assert (home["length_change"], home["length_change_pm"]) == (0, 0)
        assert row["length_change"] == pytest.approx(row["length"] - home["length"], abs=1e-12)
        assert row["first_player_change"] == pytest.approx(row["first_player"] - home["first_player"], abs=1e-12)
    assert len(made.answer.verdicts) == 3  # the reference itself is not judged
    assert "hill_hunter.max_front" in made.answer.summary
    check_answer(made.answer, ["hill_hunter", "greedy"])


def test_a_replay_of_a_sweep_names_its_parameters_and_rules(tmp_path: Path) -> None:
    text = several('"strategies.hill_hunter.max_front" = [3, 4]\n"rules.start_points" = [30, 40]', PAIR)
    made = lab(tmp_path, text, deals=60)
    for _, command in made.answer.replays:
        names, rules, _ = replayed(command)
        assert (names, rules) == (["hill_hunter:max_front=3", "greedy"], {"start_points": "30"})


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("{ from = 10, to = 30, step = 10 }", (10, 20, 30)),
        ("{ from = 10, to = 29, step = 10 }", (10, 20)),
        ("{ from = 1.1, to = 1.4, step = 0.1 }", (1.1, 1.2, 1.3, 1.4)),
    ],
)
def test_a_range_holds_its_ends_and_no_rounding(tmp_path: Path, written: str, values: tuple[float, ...]) -> None:
    key = "rules.jack_factor" if isinstance(values[0], float) else "rules.start_points"
    made = lab(tmp_path, several(f'"{key}" = {written}', 'measures = ["length"]'), deals=2)
    settings = made.prepared.experiment.settings
    assert isinstance(settings, Sweep)
    assert settings.axes == {key: values}


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ('"strategies.hill_hunter.max_frnt" = [3, 5]', "Did you mean strategies.hill_hunter.max_front?"),
        ('"strategies.hunter.max_front" = [3, 5]', "not a parameter of a strategy of the pool"),
        ('"strategies.hill_hunter.max_front" = [3, 5.5]', "max_front: 5.5 is not a whole number"),
        ('"deals" = [3, 5]', "deals: not a key that can be swept"),
        ('"rules.start_points" = { from = 1, to = 3 }', "a range has three numbers"),
        ('"rules.start_points" = { from = 3, to = 1, step = 1 }', "a range goes upwards"),
        ('"rules.start_points" = { from = 1, to = 3, step = 0 }', "a range goes upwards"),
        ('"rules.start_points" = { from = 1, to = 999, step = 1 }', "999 values are too many"),
        (
            '"rules.start_points" = { from = 1, to = 30, step = 1 }\n'
            '"rules.max_rounds" = { from = 1, to = 30, step = 1 }',
            "900 settings are too many",
        ),
        ("", "give a key with its values, or the table [sweep.keys]"),
    ],
)
def test_faults_of_several_keys_name_what_is_wrong(tmp_path: Path, keys: str, fault: str) -> None:
    with pytest.raises(SimkitError) as raised:
        lab(tmp_path, several(keys))
    assert fault in str(raised.value)


def test_the_fair_range_is_named_by_neighbouring_values() -> None:
    assert runs([10, 15, 20, 25, 30], [10, 15, 20, 30]) == "10 to 20 and 30"
    assert runs([10, 15, 20], [15]) == "15"
    assert runs(["any", "distinct"], ["distinct"]) == "distinct"
    assert runs([False, True], [False, True]) == "false and true"


def test_the_settings_survive_being_written_down(tmp_path: Path) -> None:
    made = lab(tmp_path, several(KEYS, PAIR), deals=2).prepared
    path = tmp_path / "again.toml"
    path.write_text(made.experiment.to_toml(), encoding="utf-8")
    assert prepare(path).experiment == made.experiment


@pytest.mark.parametrize("pairs", ["mirrors", "all"])
def test_the_answer_holds_together(tmp_path: Path, pairs: str) -> None:
    more = f'measures = ["first_player", "length", "comebacks", "luck", "chance"]\npairs = {json.dumps(pairs)}'
    made = lab(tmp_path, asked(values="[50, 100, 150]", more=more))
    check_answer(made.answer, ["random", "greedy"])
    rows = {row["clause"]: row["fired"] for row in made.frame("coverage")}
    assert rows["COL-6.1 end"] == 2 * 200 * 3 * (2 if pairs == "mirrors" else 3)
    assert rows["COL-6.2 both at 0"] == 0
