"""The fair value of a rule: planted ones are found, measured on fresh deals, and never claimed where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit import follow_up, runner
from simkit.answer import Answer
from simkit.errors import UsageError
from simkit.plan import Results
from simkit.prepared import prepare
from simkit.questions import KINDS
from simkit.questions.fair_rule.aims import Aim, aims_of, effect_name, together_name
from simkit.questions.fair_rule.cases import chosen_value, nearest_value, stages_of, worst_of
from simkit.questions.fair_rule.settings import settings_of
from simkit.questions.fair_rule.views import crossings
from simkit.runs import RunResult, run
from simkit.tally import Moments
from tests.questions.lab import Lab, check_answer, lab

TEXT = """
question = "fair_rule"
margin = 0.02
[rules]
[strategies]
committer = {}
counter = {}
[fair_rule]
key = "rules.embark_cost"
values = [10, 20, 30]
"""
UNITS = 840


def planted(made: Lab, rates: dict[str, dict[Any, float]], deals: int = 20_000, seed: int = 1) -> Results:
    """Results in which the win rates of the line-ups (by their first strategy) are known; one game a deal."""
    rng = np.random.default_rng(seed)
    asked, games = made.prepared.asked, np.full(deals, UNITS)
    tallies = dict(made.results.tallies)
    for aim in aims_of(asked):
        luck, columns = rng.random(deals), []  # the same deals at all values
        for value in settings_of(asked).values:
            won = UNITS * (luck < rates[aim.lineup[0]][value])
            columns += [won, games]
            tallies[effect_name(asked, aim, value)] = Moments.of([won, games])
        tallies[together_name(aim)] = Moments.of(columns)
    return Results(made.prepared.plan, tallies)


def followed(made: Lab, results: Results, rates: dict[str, float], deals: int = 20_000) -> Results:
    """The results with fresh deals in which the chosen value has these win rates."""
    asked, rng = made.prepared.asked, np.random.default_rng(9)
    value = nearest_value(asked, results)
    found: dict[str, Any] = {"chosen": settings_of(asked).values.index(value), "tuned": {}}
    follows = KINDS["fair_rule"].follows(asked)
    assert follows is not None
    plan, tallies = follows.plan(asked, found), {}
    for aim in aims_of(asked):
        won = UNITS * (rng.random(deals) < rates[aim.lineup[0]])
        tallies[effect_name(asked, aim, value)] = Moments.of([won, np.full(deals, UNITS)])
    return Results(results.plan, results.tallies, found, Results(plan, tallies))


def answered(made: Lab, results: Results) -> Answer:
    answer = KINDS["fair_rule"].answer(made.prepared.asked, results)
    check_answer(answer, ["committer", "counter"])
    return answer


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return lab(tmp_path_factory.mktemp("fair"), TEXT, deals=40, game="lost_cities")


RATES = {"committer": {10: 0.58, 20: 0.50, 30: 0.42}, "counter": {10: 0.60, 20: 0.505, 30: 0.40}}


def test_the_planted_value_is_found_and_measured_on_fresh_deals(made: Lab) -> None:
    results = followed(made, planted(made, RATES), {"committer": 0.5, "counter": 0.505})
    assert chosen_value(made.prepared.asked, stages_of(made.prepared.asked, results)) == 20
    answer = answered(made, results)
    assert answer.summary.startswith("embark_cost = 20 makes the game fair within your margin of ±2 points: on fresh")
    assert "not fair with some line-up: 10 and 30" in answer.summary
    fresh = [v for v in answer.verdicts if v.subject == "embark_cost = 20, on fresh deals"]
    assert [v.verdict for v in fresh] == ["fair", "fair"]
    grid = {(v.subject, v.under): v.verdict for v in answer.verdicts if "fresh" not in v.subject}
    assert grid["embark_cost = 10", "counter against itself"] == "too strong"
    assert grid["embark_cost = 30", "committer against itself"] == "too weak"


def test_the_value_is_the_one_whose_worst_line_up_is_best(made: Lab) -> None:
    """10 is perfect for one strategy and bad for the other; 30 is a little off for both."""
    rates = {"committer": {10: 0.5, 20: 0.7, 30: 0.53}, "counter": {10: 0.6, 20: 0.7, 30: 0.47}}
    results = planted(made, rates)
    assert nearest_value(made.prepared.asked, results) == 30
    assert worst_of(made.prepared.asked, results, 10) == pytest.approx(0.1, abs=0.02)


def test_where_none_is_fair_none_is_named_fair(made: Lab) -> None:
    rates = {name: {10: 0.60, 20: 0.56, 30: 0.62} for name in ("committer", "counter")}
    results = followed(made, planted(made, rates), {"committer": 0.56, "counter": 0.56})
    summary = answered(made, results).summary
    assert summary.startswith(
        "None of the 3 values makes the game fair within ±2 points. The nearest is embark_cost = 20"
    )


def test_what_only_looked_fair_in_the_grid_is_not_called_fair(made: Lab) -> None:
    results = followed(made, planted(made, RATES), {"committer": 0.55, "counter": 0.55})
    summary = answered(made, results).summary
    assert summary.startswith("No value is shown to make the game fair") or summary.startswith("None of the 3 values")
    assert "on fresh deals 5." in summary


def test_few_fresh_deals_leave_it_open(made: Lab) -> None:
    results = followed(made, planted(made, RATES), {"committer": 0.5, "counter": 0.5}, deals=200)
    summary = answered(made, results).summary
    assert "embark_cost = 20, but whether it is fair within ±2 points is open" in summary
    assert "more deals would decide" in summary


def test_the_curve_crosses_at_the_planted_value(made: Lab) -> None:
    """Logistic in the rule, a half at 17 and at 24."""
    lines = {
        name: {x: float(1 / (1 + np.exp(0.03 * (x - fair)))) for x in (10, 20, 30)}
        for name, fair in (("committer", 17), ("counter", 24))
    }
    results = planted(made, lines)
    found = crossings(made.prepared.asked, results)
    for aim, one in found.items():
        fair = {"committer": 17, "counter": 24}[aim.lineup[0]]
        assert one.bounded and one.low < fair < one.high and one.high - one.low < 3
    notes = answered(made, results).notes
    assert any(
        note.startswith("A curve through all values, counter against itself: fair at embark_cost 2") for note in notes
    )


def test_a_rule_that_changes_nothing_has_an_interval_without_end(made: Lab) -> None:
    rates = {name: {10: 0.5, 20: 0.5, 30: 0.5} for name in ("committer", "counter")}
    rng, asked = np.random.default_rng(2), made.prepared.asked
    results = planted(made, rates)
    for aim in aims_of(asked):
        columns = [c for _ in range(3) for c in (UNITS * rng.integers(0, 2, 2_000), np.full(2_000, UNITS))]
        results = Results(results.plan, {**results.tallies, together_name(aim): Moments.of(columns)})
    found = crossings(asked, results)
    assert len(found) == 2 and not any(one.bounded for one in found.values())
    table = next(t for t in answered(made, results).tables if t.name == "crossing")
    assert list(table.frame["crosses"]) == ["not known"] * 2


def test_a_switch_for_one_seat_is_found_unfair_and_has_no_curve(tmp_path: Path) -> None:
    """Colina: a jack for one seat only helps it by far; the values have no order, equal seats are nearest."""
    text = TEXT.replace("committer = {}\ncounter = {}", "greedy = {}").replace("embark_cost", "jack_on")
    text = text.replace("[10, 20, 30]", "[[true, false], [true, true], [false, true]]")
    made = lab(tmp_path, text, deals=2_000)
    assert crossings(made.prepared.asked, made.results) == {}
    assert nearest_value(made.prepared.asked, made.results) == (True, True)
    assert worst_of(made.prepared.asked, made.results, (True, False)) > 0.2
    answer = made.answer
    check_answer(answer, ["greedy"])
    assert "crossing" not in {table.name for table in answer.tables}


def test_a_target_of_ones_own_is_aimed_at(tmp_path: Path) -> None:
    more = 'target = { lineup = ["counter", "committer"], win_rate = 0.6 }'
    made = lab(tmp_path, TEXT + more, deals=60, game="lost_cities")
    assert aims_of(made.prepared.asked) == [Aim(("counter", "committer"), 0, 0.6)]
    for row in made.frame("values"):
        value = int(row["embark_cost"])
        won = games = 0.0
        for deal in made.outcomes(f"counter v committer | embark_cost = {value}"):
            for rotation, game in enumerate(deal):
                won += {rotation: 1.0, -1: 0.5}.get(int(game["winner"]), 0.0)
                games += 1
        assert row["win_rate"] == pytest.approx(won / games, abs=1e-12)
        assert row["deviation"] == pytest.approx(won / games - 0.6, abs=1e-12)
    assert "the win rate of counter against committer differs from 60 % by" in made.answer.summary


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, RunResult]:
    path = tmp_path_factory.mktemp("run")
    (path / "asked.toml").write_text(f'game = "lost_cities"\ndeals = 120\nseed = 5\n{TEXT}', encoding="utf-8")
    return path, run(path / "asked.toml", out=path / "out", jobs=1)


def test_fresh_deals_are_others_than_the_grids(done: tuple[Path, RunResult]) -> None:
    from simkit.driver import Table
    from simkit.games import get_game
    from tests.tables import shipped

    _, result = done
    verdict = next(v for v in result.verdicts if v.subject.endswith("on fresh deals"))
    cost, player = int(verdict.subject.split(" = ")[1].split(",")[0]), shipped("lost_cities", "committer")
    game = get_game("lost_cities")
    table = Table(game, [player, player], game.resolve({"embark_cost": cost}), 5)
    winner = table.play(follow_up.FRESH_FROM, 120)["winner"]
    won = float((winner == 0).mean() + (winner < 0).mean() / 2)
    assert verdict.under == "committer against itself"
    assert verdict.estimate == pytest.approx(won - 0.5, abs=1e-12)


def test_a_complete_run_answers_from_the_store(done: tuple[Path, RunResult], monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing is to be played")

    monkeypatch.setattr(runner, "play", play)
    path, result = done
    again = run(path / "asked.toml", out=path / "out", jobs=1)
    assert again.to_json()["verdicts"] == result.to_json()["verdicts"]


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("rules.embark_cost", "rules.embark_cos", "Did you mean rules.embark_cost"),
        ("rules.embark_cost", "strategies.counter.x", "not a rule of lost_cities"),
        ("[10, 20, 30]", "[10]", "values"),
        ("[10, 20, 30]", "[10, 10]", "a value is there twice: 10"),
        ("[10, 20, 30]", "[10, -1]", "embark_cost"),
        ("[10, 20, 30]", "[10, 20]\ntarget = 0.6", '"seat", or a line-up'),
        (
            "[10, 20, 30]",
            '[10, 20]\ntarget = { lineup = ["counter", "commiter"], win_rate = 0.6 }',
            "Did you mean commit",
        ),
        ("[10, 20, 30]", '[10, 20]\ntarget = { lineup = ["counter"], win_rate = 0.6 }', "name two different ones"),
        ("[10, 20, 30]", '[10, 20]\ntarget = { lineup = ["counter", "committer"], win_rate = 1.2 }', "between 0 and 1"),
        (
            "[10, 20, 30]",
            '[10, 20]\npairs = "all"\ntarget = { lineup = ["counter", "committer"], win_rate = 0.6 }',
            "leave out `pairs`",
        ),
    ],
)
def test_faults_are_told(tmp_path: Path, right: str, wrong: str, fault: str) -> None:
    path = tmp_path / "asked.toml"
    path.write_text(f'game = "lost_cities"\ndeals = 10\nseed = 5\n{TEXT.replace(right, wrong)}', encoding="utf-8")
    with pytest.raises(UsageError, match=fault):
        prepare(path)
