"""Fair values by a card's strength and by several line-ups: planted ones are found, and the arms are what they say."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.answer import Answer
from simkit.errors import UsageError
from simkit.plan import Results
from simkit.prepared import prepare
from simkit.questions import KINDS
from simkit.questions.fair_rule.aims import aims_of, arms_at, effect_name, together_name
from simkit.questions.fair_rule.cases import Stages, nearest_value
from simkit.questions.fair_rule.settings import settings_of
from simkit.questions.fair_rule.verdicts import judge_all, values_that_are
from simkit.questions.fair_rule.views import crossings
from simkit.tally import Moments
from tests.questions.lab import Lab, check_answer, lab

UNITS = 840
KING = """
question = "fair_rule"
margin = 0.02
[rules]
max_rounds = 200
[strategies]
hill_hunter = {}
greedy = {}
[fair_rule]
key = "rules.hand_size"
values = [2, 4, 6]
target = { card = "K", worth = 0.05 }
pairs = [["hill_hunter", "hill_hunter"], ["greedy", "greedy"]]
"""
MATRIX = """
question = "fair_rule"
margin = 0.02
[rules]
[strategies]
committer = {}
counter = {}
random = {}
[fair_rule]
key = "rules.embark_cost"
values = [10, 20, 30]
target = [
    { lineup = ["counter", "committer"], win_rate = 0.6 },
    { lineup = ["committer", "random"], win_rate = 0.9 },
]
"""
Rates = dict[str, dict[Any, float]]  # what is judged, by the line-up's first strategy and the value


def planted(made: Lab, rates: Rates, deals: int = 20_000, seed: int = 1) -> Results:
    """Results in which what is judged is known; one game a deal, and a card's off-arm wins half of them."""
    rng, asked = np.random.default_rng(seed), made.prepared.asked
    games, tallies = np.full(deals, UNITS), dict(made.results.tallies)
    for aim in aims_of(asked):
        luck, columns = rng.random(deals), []  # the same deals at all values, with the card and without
        for value in settings_of(asked).values:
            base = 0.5 if aim.card is not None else 0.0
            mine = [UNITS * (luck < base + rates[aim.lineup[0]][value]), games]
            mine += [UNITS * (luck < base), games] if aim.card is not None else []
            columns += mine
            tallies[effect_name(asked, aim, value)] = Moments.of(mine)
        tallies[together_name(aim)] = Moments.of(columns)
    return Results(made.prepared.plan, tallies)


def answered(made: Lab, results: Results) -> Answer:
    answer = KINDS["fair_rule"].answer(made.prepared.asked, results)
    check_answer(answer, made.prepared.asked.labels)
    return answer


@pytest.fixture(scope="module")
def king(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return lab(tmp_path_factory.mktemp("king"), KING, deals=40)


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return lab(tmp_path_factory.mktemp("matrix"), MATRIX, deals=30, game="lost_cities")


# --- a card's strength ------------------------------------------------------------------------------------------------


def test_the_value_at_which_a_card_is_worth_what_it_should_be_is_found(king: Lab) -> None:
    rates = {"hill_hunter": {2: 0.01, 4: 0.05, 6: 0.09}, "greedy": {2: 0.02, 4: 0.055, 6: 0.10}}
    answer = answered(king, planted(king, rates))
    assert answer.summary.startswith(
        "hand_size = 4 makes the king fair within your margin of ±2 points: on the deals it was chosen on (fresh ones "
        "have not been played) what the king's effect adds differs from 5 points by +"
    )
    verdicts = {(v.subject, v.under): v.verdict for v in answer.verdicts}
    assert verdicts["hand_size = 2", "hill_hunter against itself"] == "too weak"
    assert verdicts["hand_size = 6", "greedy against itself"] == "too strong"
    assert "hill_hunter against itself is above at 6" in answer.summary


def test_a_straight_line_crosses_where_the_card_is_worth_that(king: Lab) -> None:
    rates = {
        name: {x: 0.05 + 0.02 * (x - fair) for x in (2, 4, 6)} for name, fair in (("hill_hunter", 3), ("greedy", 5))
    }
    results = planted(king, rates)
    for aim, one in crossings(king.prepared.asked, results).items():
        fair = {"hill_hunter": 3, "greedy": 5}[aim.lineup[0]]
        assert one.bounded and one.low < fair < one.high and one.high - one.low < 1
        assert one.slope == pytest.approx(0.02, abs=0.004)
    answer = answered(king, results)
    (told,) = (note for note in answer.notes if note.startswith("A line through all values, greedy against itself:"))
    assert re.search(r"fair at hand_size (4\.[89]|5)", told)
    frame = next(t.frame for t in answer.tables if t.name == "crossing")
    assert list(frame["slope"]) == pytest.approx([2.0, 2.0], abs=0.4)  # points for each card more


def test_what_a_card_adds_is_counted_with_its_effect_and_without_at_each_value(king: Lab) -> None:
    asked = king.prepared.asked
    hunter = aims_of(asked)[0]
    for row in king.frame("values"):
        if row["under"] != hunter.under:
            continue
        value = int(row["hand_size"])
        with_it, without = arms_at(asked, hunter, value)
        assert {rules["hand_size"] for arm in (with_it, without) for rules in arm.rules} == {value}
        assert [rules["king_on"] for rules in without.rules] == [[False, True], [True, False]]
        wins = []
        for arm in (with_it, without):
            outcomes = king.outcomes(arm.name)
            finished = outcomes["unfinished"] == 0
            wins.append(((outcomes["winner"] == np.arange(2)) & finished).sum() / finished.sum())
        assert row["win_rate"] == pytest.approx(wins[0] - wins[1], abs=1e-12)
        assert row["deviation"] == pytest.approx(wins[0] - wins[1] - 0.05, abs=1e-12)


def test_a_card_that_is_never_used_is_said_to_change_nothing(king: Lab) -> None:
    """`greedy` plays no kings."""
    told = [note for note in king.answer.notes if "changed no game" in note]
    assert told == [
        "The king changed no game with hand_size 2 to 6, greedy against itself: nothing can be said about it there."
    ]


def test_a_card_without_a_switch_is_measured_by_barring_a_player_from_it(tmp_path: Path) -> None:
    text = KING.replace("hill_hunter", "committer").replace("greedy", "counter").replace("max_rounds = 200", "")
    text = text.replace("hand_size", "embark_cost").replace("[2, 4, 6]", "[10, 30]").replace(", worth = 0.05", "")
    made = lab(tmp_path, text.replace('"K"', '"$"'), deals=30, game="lost_cities")
    asked = made.prepared.asked
    with_it, without = arms_at(asked, aims_of(asked)[0], 30)
    assert with_it.lab == () and [lab["barred"] for lab in without.lab] == [(1, 0), (0, 1)]
    assert made.answer.summary.count("what being free to use the investment card adds differs from nothing by") == 1
    check_answer(made.answer, ["committer", "counter"])


def test_each_player_of_a_line_up_is_a_holder(tmp_path: Path) -> None:
    text = KING.replace('[["hill_hunter", "hill_hunter"], ["greedy", "greedy"]]', '[["hill_hunter", "greedy"]]')
    made = lab(tmp_path, text, deals=30)
    assert [aim.under for aim in aims_of(made.prepared.asked)] == [
        "hill_hunter against greedy", "greedy against hill_hunter",
    ]  # fmt: skip
    assert len(made.prepared.plan.arms) == 3 * 3  # the line-up as it is serves both
    check_answer(made.answer, ["hill_hunter", "greedy"])


# --- several line-ups -------------------------------------------------------------------------------------------------


def test_the_value_must_meet_all_the_win_rates_and_who_misses_where_is_told(matrix: Lab) -> None:
    rates = {"counter": {10: 0.60, 20: 0.605, 30: 0.70}, "committer": {10: 0.80, 20: 0.90, 30: 0.90}}
    results = planted(matrix, rates)
    assert nearest_value(matrix.prepared.asked, results) == 20
    answer = answered(matrix, results)
    assert answer.summary.startswith("embark_cost = 20 makes the game fair within your margin of ±2 points")
    assert answer.summary.endswith(
        "Who misses by more than the margin, and where: counter against committer is above at 30; committer against "
        "random is below at 10."
    )
    frame = next(t.frame for t in answer.tables if t.name == "values")
    assert list(frame["aimed_at"]) == ["60 %"] * 3 + ["90 %"] * 3
    assert next(c for c in answer.charts if c.name == "values").alt.startswith(
        "The win rate of the strategy named first"
    )


def test_where_no_value_meets_all_none_is_named_fair(matrix: Lab) -> None:
    rates = {"counter": {10: 0.60, 20: 0.66, 30: 0.70}, "committer": {10: 0.80, 20: 0.85, 30: 0.90}}
    assert answered(matrix, planted(matrix, rates)).summary.startswith("None of the 3 values makes the game fair")


def called_fair(made: Lab, rates: Rates, seed: int) -> list[Any]:
    results = planted(made, rates, deals=4_000, seed=seed)
    values = settings_of(made.prepared.asked).values
    return values_that_are(judge_all(made.prepared.asked, Stages(results)).grid, values, "fair")


SEEDS = 200


def test_a_card_that_is_worth_what_it_should_be_everywhere_is_fair_at_every_value(king: Lab) -> None:
    on_aim = {name: dict.fromkeys((2, 4, 6), 0.05) for name in ("hill_hunter", "greedy")}
    assert sum(called_fair(king, on_aim, seed) == [2, 4, 6] for seed in range(SEEDS)) > 0.95 * SEEDS


def test_a_value_just_as_far_off_as_the_margin_is_called_fair_at_most_5_times_in_100(king: Lab, matrix: Lab) -> None:
    """The worst case of Holm's promise: every effect lies on the margin itself."""
    slack = 4 * math.sqrt(0.05 * 0.95 / SEEDS)
    at_margin = {name: dict.fromkeys((2, 4, 6), 0.07) for name in ("hill_hunter", "greedy")}
    wrong = sum(bool(called_fair(king, at_margin, seed)) for seed in range(SEEDS))
    assert wrong / SEEDS < 0.05 + slack
    off = {"counter": dict.fromkeys((10, 20, 30), 0.62), "committer": dict.fromkeys((10, 20, 30), 0.92)}
    wrong = sum(bool(called_fair(matrix, off, seed)) for seed in range(SEEDS))
    assert wrong / SEEDS < 0.05 + slack


# --- faults -----------------------------------------------------------------------------------------------------------


def asked_of(tmp_path: Path, text: str, game: str) -> None:
    path = tmp_path / "asked.toml"
    path.write_text(f'game = "{game}"\ndeals = 10\nseed = 5\n{text}', encoding="utf-8")
    prepare(path)


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ('card = "K"', 'card = "Kin"', "Kin: no such card"),
        ('card = "K"', 'card = "jok"', "Did you mean joker"),
        ("worth = 0.05", "worth = 2", "less than 1"),
        ("worth = 0.05", "wort = 0.05", "Did you mean worth"),
        (
            '"rules.hand_size"\nvalues = [2, 4, 6]',
            '"rules.king_on"\nvalues = [true, false]',
            "switches the king itself",
        ),
    ],
)
def test_faults_of_a_card_are_told(tmp_path: Path, right: str, wrong: str, fault: str) -> None:
    assert right in KING
    with pytest.raises(UsageError, match=fault):
        asked_of(tmp_path, KING.replace(right, wrong), "colina")


def test_a_card_that_nothing_takes_away_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simkit import catalog
    from simkit.games import get_game

    game = get_game("colina")
    bare = replace(game, subjects=tuple(replace(s, bar=0) if s.name == "joker" else s for s in game.subjects))
    monkeypatch.setattr(catalog.Catalog, "games", {"colina": bare})
    with pytest.raises(UsageError, match="joker: nothing switches its effect off, and no player can be barred"):
        asked_of(tmp_path, KING.replace('"K"', '"joker"'), "colina")


def test_a_card_that_is_only_looked_for_is_refused_likewise(tmp_path: Path) -> None:
    text = KING.replace("hill_hunter", "honest").replace("greedy", "bluffer").replace("max_rounds = 200", "")
    with pytest.raises(UsageError, match="bill: nothing switches its effect off, and no player can be barred"):
        asked_of(tmp_path, text.replace('"K"', '"bill"'), "saloon")


def test_a_game_without_cards_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from simkit import catalog
    from simkit.games import get_game

    monkeypatch.setattr(catalog.Catalog, "games", {"colina": replace(get_game("colina"), subjects=())})
    with pytest.raises(UsageError, match="colina has no card whose strength can be asked for"):
        asked_of(tmp_path, KING, "colina")


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ('["committer", "random"]', '["committer", "counter"]', "this line-up has a win rate already"),
        ('["committer", "random"]', '["committer", "rando"]', "Did you mean random"),
        ('["committer", "random"]', '["committer", "committer"]', "name two different ones"),
        ("win_rate = 0.9", "win_rate = 1.9", "between 0 and 1"),
        ("]\n", ']\npairs = "all"\n', "leave out `pairs`"),
    ],
)
def test_faults_of_line_ups_are_told(tmp_path: Path, right: str, wrong: str, fault: str) -> None:
    assert right in MATRIX
    text = MATRIX.replace("[10, 20, 30]\n", "[10, 20, 30] \n")
    with pytest.raises(UsageError, match=fault):
        asked_of(tmp_path, text[::-1].replace(right[::-1], wrong[::-1], 1)[::-1], "lost_cities")


def test_a_line_up_that_never_uses_the_card_has_no_say(tmp_path: Path) -> None:
    """Greedy plays no king at all: what it is worth there is no reason against a value."""
    made = lab(tmp_path, KING, 300)
    answer = KINDS["fair_rule"].answer(made.prepared.asked, made.results)
    assert {verdict.under for verdict in answer.verdicts} == {"hill_hunter against itself"}
    assert "greedy" not in answer.summary
    assert any(note.startswith("The king changed no game") and "greedy against itself" in note for note in answer.notes)


def test_where_nobody_uses_the_card_that_is_said_and_all_are_judged(tmp_path: Path) -> None:
    made = lab(tmp_path, KING.replace('["hill_hunter", "hill_hunter"], ', ""), 300)
    answer = KINDS["fair_rule"].answer(made.prepared.asked, made.results)
    assert {verdict.under for verdict in answer.verdicts} == {"greedy against itself"}
    assert any(note.startswith("The king changed no game") for note in answer.notes)
