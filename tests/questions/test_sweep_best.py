"""Under each rule the best way of playing is named only where it is shown, and compared under the same rule."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from simkit.answer import Answer
from simkit.games import get_game
from simkit.games.base import Counted
from simkit.questions.sweep.best_words import only_best
from simkit.questions.sweep.measures import known_measures
from simkit.strategy import shipped_folder
from tests.questions.lab import Lab, check_answer, lab

# Plays well only in the style that fits the rule: 0 or 3 where a believed bluff draws up to 2, 1 where it draws more.
# Honest play, which believes everything, loses to random moves, which nearly always bluff.
PLANTED = '''"""Planted: any move where its style fits the rule, honest play elsewhere."""

from typing import NamedTuple

from honest import act as play_badly

from simkit.games.saloon import random_move


class Params(NamedTuple):
    style: int = 0
    idle: int = 0


def act(view, rules, params, rng):
    if params.style % 3 == (1 if rules.believed_bluff_draw >= 3 else 0):
        return random_move(view, rules, rng)
    return play_badly(view, rules, params, rng)
'''


def planted(folder: Path, keys: str, pairs: str = '[["planted", "random"]]', more: str = "") -> str:
    """An experiment with the planted strategy."""
    file = folder / "planted.py"
    file.write_text(PLANTED, encoding="utf-8")
    (folder / "honest.py").write_text((shipped_folder("strategies") / "saloon" / "honest.py").read_text("utf-8"))
    return (
        f'question = "sweep"\nmargin = 0.02\n[rules]\nmax_turns = 300\n[strategies]\nplanted = {{ use = "{file}" }}\n'
        f"random = {{}}\n{more}\n[sweep]\npairs = {pairs}\n[sweep.keys]\n{keys}\n"
    )


FLIP = '"strategies.planted.style" = [0, 1]\n"rules.believed_bluff_draw" = { from = 1, to = 4, step = 1 }'


@pytest.fixture(scope="module")
def flipped(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    folder = tmp_path_factory.mktemp("planted")
    return lab(folder, planted(folder, FLIP), deals=150, game="saloon")


def wins(made: Lab, style: int, draw: int, lineup: str = "planted v random") -> tuple[int, int]:
    """Games won by player 0, and games finished, counted one by one."""
    won = games = 0
    for deal in made.outcomes(f"{lineup} | planted.style = {style}, believed_bluff_draw = {draw}"):
        for rotation, game in enumerate(deal):
            games += int(game["unfinished"] == 0)
            won += int(game["unfinished"] == 0 and game["winner"] == rotation)
    return won, games


def test_a_best_value_that_flips_with_a_rule_is_found_with_its_turn(flipped: Lab) -> None:
    summary = flipped.answer.summary
    where = (
        r"Against random the best planted.style is 0 at believed_bluff_draw 1 to 2 \(\+[\d.]+ ± [\d.]+ points or more "
        r"over 1\) and 1 at 3 to 4 \(\+[\d.]+ ± [\d.]+ points or more over 0\); it turns between 2 and 3\."
    )
    assert re.match(where, summary)
    assert [row["best"] for row in flipped.frame("best")] == ["0", "0", "1", "1"]
    assert flipped.answer.in_short == "best"
    check_answer(flipped.answer, ["planted"])


def test_the_advantage_is_the_difference_of_plain_counts(flipped: Lab) -> None:
    for row in flipped.frame("best"):
        draw, best = int(row["believed_bluff_draw"]), int(row["best"])
        (won, games), (others, of) = wins(flipped, best, draw), wins(flipped, 1 - best, draw)
        assert row["effect"] == pytest.approx(won / games - others / of, abs=1e-15)
        assert row["over"] == str(1 - best)


def test_each_setting_is_compared_with_the_reference_under_the_same_rule(flipped: Lab) -> None:
    assert [v.subject for v in flipped.answer.verdicts] == [
        f"planted.style = 1, believed_bluff_draw = {draw}" for draw in (1, 2, 3, 4)
    ]
    for draw, verdict in enumerate(flipped.answer.verdicts, start=1):
        (won, games), (at_home, of) = wins(flipped, 1, draw), wins(flipped, 0, draw)
        assert verdict.estimate == pytest.approx(won / games - at_home / of, abs=1e-15)
        assert verdict.verdict == ("too weak" if draw < 3 else "too strong")
    assert "planted.style = 0 under the same rules" in flipped.answer.how_to_judge
    changes = {(row["planted.style"], row["believed_bluff_draw"]): row for row in flipped.frame("sweep")}
    assert all(changes["0", str(draw)]["first_player_change"] == 0 for draw in (1, 2, 3, 4))


def test_the_map_frames_the_best_and_says_so_in_words(flipped: Lab) -> None:
    chart = flipped.answer.charts[0]
    assert chart.title == "How often planted wins against random, in per cent"
    assert "0 at believed_bluff_draw = 2; 1 at believed_bluff_draw = 3" in chart.alt
    frames = [patch for patch in chart.draw().axes[0].patches if patch.get_linewidth() == 1.6]
    assert [patch.get_xy() for patch in frames] == [
        pytest.approx((column + 0.04, row + 0.04)) for column, row in enumerate((0, 0, 1, 1))
    ]


def answer_of(folder: Path, keys: str, pairs: str = '[["planted", "random"]]', more: str = "") -> Answer:
    return lab(folder, planted(folder, keys, pairs, more), deals=150, game="saloon").answer


def test_of_two_equal_values_none_is_said_to_be_best(tmp_path: Path) -> None:
    answer = answer_of(tmp_path, '"strategies.planted.idle" = [0, 1]\n"rules.believed_bluff_draw" = [1, 3]')
    assert answer.summary == (
        "Against random no planted.idle is more than 2 points better than another at every believed_bluff_draw tried."
    )
    table = next(table for table in answer.tables if table.name == "best")
    assert list(table.frame["best"]) == ["no difference that matters"] * 2
    check_answer(answer, ["planted"])


def test_two_equal_values_above_a_third_are_named_together(tmp_path: Path) -> None:
    keys = '"strategies.planted.style" = [0, 1, 3]\n"rules.believed_bluff_draw" = [1, 2]'
    answer = answer_of(tmp_path, keys)
    best = "Against random the best planted.style is 0 or 3 at every believed_bluff_draw tried"
    assert answer.summary == f"{best} (within 2 points of each other)."


def test_the_best_is_told_of_the_strategy_that_is_swept_wherever_it_is_named(tmp_path: Path) -> None:
    answer = answer_of(tmp_path, FLIP, '[["random", "planted"]]')
    assert answer.summary.startswith("Against random the best planted.style is 0 at believed_bluff_draw 1 to 2 (+")
    assert all(v.verdict == ("too strong" if i < 2 else "too weak") for i, v in enumerate(answer.verdicts))


def test_parameters_alone_have_one_best_and_the_reference_they_had(tmp_path: Path) -> None:
    answer = answer_of(tmp_path, '"strategies.planted.style" = [0, 1, 2]')
    assert answer.summary.startswith("Against random the best planted.style is 1 (+")  # a believed bluff draws 3
    assert "Compared with planted.style = 0, does who wins stay the same within ±2 points?" in answer.summary
    assert "best" not in {table.name for table in answer.tables}
    assert answer.in_short == ""


def test_line_ups_with_the_same_answer_are_told_together_and_mirrors_as_before(tmp_path: Path) -> None:
    pairs = '[["planted", "random"], ["planted", "other"], ["planted", "planted"]]'
    answer = answer_of(tmp_path, FLIP, pairs, 'other = { use = "random" }')
    assert answer.summary.startswith("Against random and other the best planted.style is 0 at believed_bluff_draw 1")
    assert "Between equals, is the first player's win rate an even share" in answer.summary
    assert {v.under for v in answer.verdicts} >= {"planted against itself"}
    check_answer(answer, ["planted"])


def test_games_that_never_end_leave_nothing_to_compare(tmp_path: Path) -> None:
    text = planted(tmp_path, FLIP).replace("max_turns = 300", "max_turns = 1")
    answer = lab(tmp_path, text, deals=20, game="saloon").answer
    assert answer.summary == "No game came to an end by these rules: there is no win rate, and nothing to judge."
    check_answer(answer, ["planted"])


def test_one_way_counts_as_the_only_best_if_it_may_be_so_everywhere() -> None:
    assert only_best([("best", (1,)), ("best", (1, 2)), ("open", (0, 1, 2))]) == (1,)
    assert only_best([("best", (1,)), ("best", (0, 2))]) == ()
    assert only_best([("best", (0, 1)), ("open", (0, 1, 2))]) == ()


def test_a_measure_that_a_game_counts_says_what_it_means() -> None:
    meaning = "A payment is honest when all its cards have the client's suit."
    counted = Counted("honest", "honest payments", "honest", of="payments", kind="share", meaning=meaning)
    assert known_measures(replace(get_game("saloon"), measures=(counted,)))["honest"].meaning == meaning
