"""The results of pairs of games, on outcomes made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.pair_measures import PairResults
from simkit.played import Games

OUTCOME = np.dtype([("winner", np.int8), ("unfinished", np.int8), ("scores", np.int32, (2,))])
# A game as player 0 sees it in the deal's first game (seat 0) and second one (seat 1): (winner, unfinished)
SEATS = {"won": ((0, 0), (1, 0)), "lost": ((1, 0), (0, 0)), "drawn": ((-1, 0), (-1, 0)), "stuck": ((-1, 1), (-1, 1))}


def outcomes(*deals: tuple[str, str]) -> np.ndarray:
    made = np.zeros((len(deals), 2), dtype=OUTCOME)
    for deal, games in zip(made, deals, strict=True):
        for rotation, game in enumerate(games):
            deal[rotation]["winner"], deal[rotation]["unfinished"] = SEATS[game][rotation]
    return made


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ("lost", "lost", 0),
        ("lost", "drawn", 1),
        ("drawn", "lost", 1),
        ("won", "lost", 2),
        ("lost", "won", 2),
        ("drawn", "drawn", 2),
        ("won", "drawn", 3),
        ("drawn", "won", 3),
        ("won", "won", 4),
    ],
)
def test_a_pair_is_counted_by_its_points_and_by_the_others_the_other_way_round(
    first: str, second: str, result: int
) -> None:
    games = Games(outcomes((first, second)), 2)
    for player, wanted in ((0, result), (1, 4 - result)):
        columns = PairResults(player)(games)
        assert [int(column[0]) for column in columns] == [int(i == wanted) for i in range(5)]


@pytest.mark.parametrize("pair", [("stuck", "won"), ("lost", "stuck"), ("stuck", "stuck")])
def test_a_deal_with_an_unfinished_game_is_no_pair(pair: tuple[str, str]) -> None:
    assert [column.sum() for column in PairResults(0)(Games(outcomes(pair), 2))] == [0] * 5


def test_a_gap_in_the_rules_makes_no_pair_either() -> None:
    played = outcomes(("drawn", "won"), ("lost", "drawn"), ("won", "won"))
    assert [column.tolist() for column in PairResults(0)(Games(played, 2, gaps=True))] == [*[[0, 0, 0]] * 4, [0, 0, 1]]


def test_columns_are_of_integers() -> None:
    assert {column.dtype for column in PairResults(0)(Games(outcomes(("won", "won")), 2))} == {np.dtype(np.int64)}
