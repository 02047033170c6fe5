"""Ratings: the published method's right answers, and planted strengths found again."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.stats.ratings import ELO, bradley_terry, plackett_luce, ranks

# Maximum likelihood for 60-40, 60-40 and 70-30 (A over B, B over C, A over C).
WINS = np.array([[0.0, 60, 70], [40, 0, 60], [30, 40, 0]])
ANSWER = [144.899, 72.449, 0]


def test_bradley_terry_has_the_right_answer() -> None:
    assert bradley_terry(WINS, drawn=0) == pytest.approx(ANSWER, abs=1e-3)


def test_plackett_luce_at_tables_of_two_is_bradley_terry() -> None:
    pairs = [(0, 1), (0, 2), (1, 2)]
    seats, wins = np.zeros((3, 3)), np.zeros((3, 3))
    for row, (i, j) in enumerate(pairs):
        seats[row, [i, j]] = 1
        wins[row, i], wins[row, j] = WINS[i, j], WINS[j, i]
    assert plackett_luce(seats, wins, drawn=0) == pytest.approx(ANSWER, abs=1e-3)
    assert plackett_luce(seats, wins) == pytest.approx(bradley_terry(WINS), abs=1e-3)


def test_planted_strengths_at_tables_of_four_are_found() -> None:
    strengths = np.array([4.0, 2.0, 1.0])
    seats = np.array([[1, 1, 2], [2, 1, 1], [0, 2, 2], [3, 0, 1.0]])
    wins = 100_000 * seats * strengths / (seats @ strengths)[:, None]
    assert plackett_luce(seats, wins) == pytest.approx(ELO * np.log(strengths), abs=0.01)


def test_who_wins_every_game_has_a_finite_rating() -> None:
    wins = np.array([[0.0, 500, 500], [0, 0, 300], [0, 200, 0]])
    first, second, last = bradley_terry(wins)
    assert 800 < first < 3_000
    assert second == pytest.approx(ELO * np.log(1.5), abs=1)
    assert last == 0


def test_pairs_that_did_not_meet_count_for_nothing() -> None:
    chain = np.array([[0.0, 75, 0], [25, 0, 75], [0, 25, 0]])
    assert bradley_terry(chain, drawn=0) == pytest.approx([2 * ELO * np.log(3), ELO * np.log(3), 0], abs=1e-6)


def test_ranks_are_places_from_1() -> None:
    assert ranks(np.array([10.0, 30.0, 20.0])).tolist() == [3, 1, 2]
    assert ranks(np.array([[1.0, 1.0], [0.0, 5.0]])).tolist() == [[1, 2], [2, 1]]
