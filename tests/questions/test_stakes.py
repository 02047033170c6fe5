from __future__ import annotations

from pathlib import Path

import pytest

from simkit.errors import SimkitError
from simkit.questions.stakes import WINS, Stakes, stakes_of
from tests.questions.lab import lab

SCORE = Stakes(True, "chips in 100 games", "chip in 100 games", "", "the score", "the mean of the table")
TEXT = """
question = "seat_advantage"
[strategies]
random = {}
[seat_advantage]
"""


def test_a_margin_is_told_in_what_is_played_for() -> None:
    assert (WINS.within(0.01), WINS.within(0.025)) == ("±1 point", "±2.5 points")
    assert (SCORE.within(0.01), SCORE.within(0.02)) == ("±1 chip in 100 games", "±2 chips in 100 games")
    assert (WINS.unit_in_full, SCORE.unit_in_full) == ("points of win rate", "chips in 100 games")


def test_equals_share_the_games_and_have_no_score_above_the_mean() -> None:
    assert (WINS.even_share(4), SCORE.even_share(4)) == (0.25, 0.0)


def test_a_game_that_is_not_played_for_its_score_is_judged_by_wins_unless_asked(tmp_path: Path) -> None:
    usual = lab(tmp_path, TEXT, 200, game="hakka")
    assert stakes_of(usual.prepared.asked) == WINS
    asked = lab(tmp_path, f'{TEXT}judged_by = "score"', 200, game="hakka")
    stakes = stakes_of(asked.prepared.asked)
    assert (stakes.by_score, stakes.unit, stakes.one) == (True, "points in 100 games", "point in 100 games")
    seats = [v.estimate for v in asked.answer.verdicts if v.subject.startswith("seat")]
    scores = asked.outcomes("random v random v random v random")["scores"][:, :, :4]
    above = (scores - scores.mean(axis=2, keepdims=True)).mean(axis=(0, 1))
    assert seats == pytest.approx(above)
    (role,) = (v.estimate for v in asked.answer.verdicts if not v.subject.startswith("seat"))
    (row,) = asked.frame("worth")
    assert role == row["points"] != row["worth"]


def test_what_it_may_be_judged_by_is_checked(tmp_path: Path) -> None:
    with pytest.raises(SimkitError, match="judged_by"):
        lab(tmp_path, f'{TEXT}judged_by = "scores"', 10)
