"""Which rule matters most: a rule that cannot matter has exactly nothing, and every design point is a plain count."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.errors import UsageError
from simkit.prepared import prepare
from simkit.questions.sensitivity.cases import table_of
from simkit.questions.sensitivity.found import findings
from tests.questions.lab import Lab, check_answer, lab

# Who starts the next round decides nothing where there is only one (LC-4.6); what an expedition costs decides a lot.
KEYS = '"rules.embark_cost" = [0, 20, 40]\n"rules.next_starter" = ["alternate", "higher_score"]'
DEALS = 60


def asked(more: str = "", keys: str = KEYS, strategies: str = "committer = {}", rules: str = "") -> str:
    return (
        f'question = "sensitivity"\n[rules]\n{rules}\n[strategies]\n{strategies}\n'
        f"[sensitivity]\n{more}\n[sensitivity.keys]\n{keys}\n"
    )


def made(folder: Path, text: str, deals: int = DEALS) -> Lab:
    return lab(folder, text, deals, game="lost_cities")


@pytest.fixture(scope="module")
def sobol(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    folder = tmp_path_factory.mktemp("sobol")
    return made(folder, asked('measures = ["score", "first_player", "length"]'))


@pytest.fixture(scope="module")
def morris(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    folder = tmp_path_factory.mktemp("morris")
    return made(folder, asked('method = "morris"\nsamples = 16\nmeasures = ["score", "first_player"]'))


def row_of(made: Lab, table: str, key: str) -> dict[str, Any]:
    return next(row for row in made.frame(table) if row["key"] == key)


def test_a_rule_that_cannot_matter_has_exactly_nothing(sobol: Lab, morris: Lab) -> None:
    idle = row_of(sobol, "sensitivity_score", "next_starter")
    assert (idle["total"], idle["total_pm"]) == (0, 0)
    assert row_of(sobol, "sensitivity_first_player", "next_starter")["total"] == 0
    idle = row_of(morris, "sensitivity_score", "next_starter")
    assert (idle["size"], idle["size_pm"], idle["spread"]) == (0, 0, 0)


def test_the_rule_that_matters_explains_all_and_is_named(sobol: Lab) -> None:
    cost = row_of(sobol, "sensitivity_score", "embark_cost")
    assert cost["total"] == pytest.approx(1, abs=0.1)
    assert cost["total_pm"] > 0
    sentence = sobol.answer.summary.split("For games")[0]
    assert sentence.startswith("For points, embark_cost matters most (")
    assert "; next_starter hardly matters." in sentence
    assert "To hardly matter is to make less than 5 % of the variation." in sobol.answer.summary
    assert sobol.answer.charts[0].alt.startswith("What matters for points: embark_cost in all ")


def test_morris_says_what_a_step_changes(morris: Lab) -> None:
    assert "For points, embark_cost matters most (a step of it is worth " in morris.answer.summary
    assert "; next_starter hardly matters." in morris.answer.summary
    means = {cost: mean_score(morris, cost) for cost in (0, 20, 40)}
    design = table_of(morris.prepared.asked).design
    walks = design.picks[:, 0].reshape(16, 3)  # three points each: one step of every key
    steps = [means[20 * max(walk)] - means[20 * min(walk)] for walk in walks]
    cost = row_of(morris, "sensitivity_score", "embark_cost")
    assert cost["size"] == pytest.approx(np.mean(np.abs(steps)), abs=1e-9)
    assert cost["spread"] == pytest.approx(np.std(steps, ddof=1), abs=1e-9)


def mean_score(made: Lab, cost: int) -> float:
    """The mean of all scores at a cost, counted one by one."""
    outcomes = made.outcomes(f"committer v committer | embark_cost = {cost}, next_starter = alternate")
    scores = [int(score) for deal in outcomes for game in deal for score in game["scores"]]
    return sum(scores) / len(scores)


def test_design_points_are_plain_counts_and_equal_settings_are_played_once(sobol: Lab) -> None:
    arms = [arm.name for arm in sobol.prepared.plan.arms]
    assert len(arms) == len(set(arms)) == 1 + 3 * 2  # with the rules as they are
    assert len(table_of(sobol.prepared.asked).rows) == 64 * 4
    found = next(one for one in findings(sobol.prepared.asked, sobol.results) if one.shown.name == "score")
    for i, setting in enumerate(found.settings):
        assert found.values[0, i] == pytest.approx(mean_score(sobol, dict(setting)["rules.embark_cost"]), abs=1e-12)


def test_the_range_is_that_of_the_settings(sobol: Lab) -> None:
    low, high = sobol.frame("ranges")[:2]
    means = sorted(mean_score(sobol, cost) for cost in (0, 20, 40))
    assert (low["value"], high["value"]) == (pytest.approx(means[0]), pytest.approx(means[-1]))
    assert (low["end"], high["end"], high["embark_cost"]) == ("lowest", "highest", "0")
    assert low["base"] == pytest.approx(mean_score(sobol, 20))
    assert 0 < low["luck_of_the_deals"] < 0.1


def test_the_total_is_the_share_of_the_variance_over_the_settings_played(tmp_path: Path) -> None:
    keys = '"rules.embark_cost" = [0, 40]\n"rules.bonus" = [0, 40]\n"rules.bonus_cards" = [2, 7]'
    both = made(tmp_path, asked('samples = 1024\nmeasures = ["score"]', keys))
    found = findings(both.prepared.asked, both.results)[0]
    cube = np.empty((2, 2, 2))
    for setting, value in zip(found.settings, found.values[0], strict=True):
        cost, bonus, cards = (value for _, value in setting)
        cube[cost // 40, bonus // 40, cards // 7] = value
    for axis in range(3):  # by the definition of ST: the variance that is left when all others are known
        left = cube.var(axis=axis).mean()
        assert found.rank.value[axis] == pytest.approx(left / cube.var(), abs=0.06)
        others = tuple(a for a in range(3) if a != axis)
        assert found.indices.value[0, axis] == pytest.approx(cube.mean(axis=others).var() / cube.var(), abs=0.08)
    assert found.all_interaction.value == pytest.approx(1 - found.indices.value[0].sum())
    assert "is interaction between rules)" in both.answer.summary


def test_several_line_ups_are_told_together_where_they_agree(tmp_path: Path) -> None:
    text = asked('measures = ["score", "started"]', strategies="committer = {}\ncounter = {}")
    answer = made(tmp_path, text).answer
    assert "For points under both line-ups, embark_cost matters most (" in answer.summary
    assert {row["under"] for row in answer.tables[0].frame.to_dict("records")} == {
        "committer",
        "counter",
    }
    assert [chart.name for chart in answer.charts][4:] == ["ladder"]
    check_answer(answer, ["committer", "counter"])


def test_a_strategys_parameter_is_a_key_like_a_rule(tmp_path: Path) -> None:
    keys = '"strategies.cautious.margin" = [0.0, 30.0]\n"rules.bonus" = [0, 20]'
    text = asked('measures = ["started"]', keys, strategies="cautious = {}")
    row = row_of(made(tmp_path, text), "sensitivity_started", "cautious.margin")
    assert row["total"] > 0.9
    assert row["change"] < 0


def test_few_deals_and_measures_that_stay_the_same_are_told_as_such(tmp_path: Path) -> None:
    text = asked('measures = ["unfinished", "first_player"]', '"rules.bonus_cards" = [7, 8]\n"rules.bonus" = [19, 20]')
    answer = made(tmp_path, text, deals=4).answer
    assert "For games that did not end, nothing matters: no setting changes anything." in answer.summary
    check_answer(answer, ["committer"])


def test_what_was_not_seen_at_every_setting_is_a_dash(tmp_path: Path) -> None:
    keys = '"rules.max_turns" = [1, 1000]\n"rules.bonus" = [0, 20]'
    answer = made(tmp_path, asked('measures = ["first_player"]', keys), deals=10).answer
    assert "nothing can be said: at some settings there were none to count." in answer.summary
    assert not answer.charts
    assert "dash" in answer.tables[0].how_to_read
    check_answer(answer, ["committer"])


def test_answers_of_both_methods_hold_what_holds_for_all(sobol: Lab, morris: Lab) -> None:
    for one in (sobol, morris):
        check_answer(one.answer, ["committer"])
        assert not one.answer.verdicts
        assert "same deals" in one.answer.tables[0].how_to_read
        for chart in one.answer.charts:
            chart.draw()


@pytest.mark.parametrize(
    ("more", "keys", "fault"),
    [
        ("", '"rules.bonus" = [0, 20]', "sensitivity.keys: at least two keys are compared; of one alone, ask a sweep"),
        ("", '"rules.bonsu" = [0, 20]\n"rules.wagers" = [1, 2]', "Did you mean rules.bonus?"),
        ("", '"rules.bonus" = [0]\n"rules.wagers" = [1, 2]', "should have at least 2 items"),
        ("samples = 100", KEYS, "samples = 100: Sobol's method takes a power of 2 (64, 128, 256 …)"),
        ('method = "sobel"', KEYS, 'sensitivity.method: "sobel" is not "sobol" or "morris". Did you mean sobol?'),
        ('measures = ["luck", "score", "score_spread"]', KEYS, "luck, score_spread: not a count or a share, so that"),
        ('measures = ["chance"]', KEYS, "chance: not a count or a share, so that"),
        ('measures = ["scroe"]', KEYS, "scroe: no such measure of lost_cities."),
        ("", '"rules.hand_size" = [8, 12]\n"rules.colors" = [2, 5]', "two hands of 12 leave no draw pile"),
        (
            "samples = 16384",
            '"rules.embark_cost" = { from = 0, to = 60, step = 1 }\n"rules.bonus" = { from = 0, to = 60, step = 1 }',
            "3,721 settings are too many; 1,000 at most",
        ),
    ],
)
def test_faults_of_the_table_are_told(tmp_path: Path, more: str, keys: str, fault: str) -> None:
    with pytest.raises(UsageError) as wrong:
        made(tmp_path, asked(more, keys, rules="wagers = 0" if "colors" in keys else ""))
    assert fault in str(wrong.value)


def test_without_salib_the_experiment_says_so_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "SALib.sample.morris", None)
    with pytest.raises(UsageError, match=r'asked.toml:\d+: sensitivity: .*pip install "simkit\[sensitivity\]"'):
        made(tmp_path, asked('method = "morris"\nsamples = 9'))


def test_the_resolved_experiment_reads_back_as_an_equal_one(sobol: Lab, tmp_path: Path) -> None:
    experiment = sobol.prepared.experiment
    path = tmp_path / "again.toml"
    path.write_text(experiment.to_toml(), encoding="utf-8")
    assert prepare(path).experiment == experiment
