"""Every measure is what a plain loop over the games counts, wherever its player sits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simkit.games.base import Game
from simkit.measures import (
    CellValues,
    Count,
    DealValues,
    Luck,
    PerCount,
    PerGame,
    ScoreAboveMean,
    ScoreLead,
    SeatScoreAboveMean,
    SeatWinRate,
    UnfinishedShare,
    Values,
    WinnerBehind,
    WinRate,
    WinRateWith,
    WithoutWinnerShare,
)
from simkit.played import UNITS, Games
from tests.tables import table_of

DEALS, FIRST = 150, 7
KING = 2
Counted = Callable[[Any, int], tuple[int, int]]


@pytest.fixture(scope="module")
def outcomes() -> np.ndarray:
    """Games of random against hill_hunter, some of them unfinished."""
    from simkit.games import get_game

    played = table_of(get_game("colina"), ("random", "hill_hunter"), {"max_rounds": 32}).play(FIRST, DEALS)
    assert 0 < played["unfinished"].sum() < 2 * DEALS
    return played


def by_loops(outcomes: np.ndarray, count: Counted, player: int = 0) -> list[tuple[int, int]]:
    """For each deal the sums of count(game, the player's seat) over its games."""
    pairs = []
    for deal in outcomes:
        counts = [count(game, (player + rotation) % 2) for rotation, game in enumerate(deal)]
        pairs.append((sum(int(a) for a, _ in counts), sum(int(b) for _, b in counts)))
    return pairs


def done(game: Any) -> bool:
    return not game["unfinished"]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("make", "count"),
    [
        (WinRate, lambda g, s: (UNITS * (done(g) and g["winner"] == s), UNITS * done(g))),
        (
            lambda p: WinRateWith(p, "opening", (KING,)),
            lambda g, s: (
                UNITS * (done(g) and g["opening"][s][KING] > 0 and g["winner"] == s),
                UNITS * (done(g) and g["opening"][s][KING] > 0),
            ),
        ),
        (ScoreLead, lambda g, s: (done(g) * (int(g["points"][s]) - int(g["points"][1 - s])), done(g))),
        (ScoreAboveMean, lambda g, s: (done(g) * (int(g["points"][s]) - int(g["points"][1 - s])), 2 * done(g))),
        (lambda p: PerGame("backed", (KING,), p), lambda g, s: (g["backed"][s][KING], 1)),
        (lambda p: PerGame("rounds"), lambda g, s: (g["rounds"], 1)),
        (lambda p: PerGame("clauses", (3,)), lambda g, s: (g["clauses"][3], 1)),
        (
            lambda p: PerCount(p, "moved", "backed", (KING,), (KING,)),
            lambda g, s: (g["moved"][s][KING], g["backed"][s][KING]),
        ),
        (
            lambda p: PerCount(p, "behind", "backed", (KING, 1), (KING,)),
            lambda g, s: (g["behind"][s][KING][1], g["backed"][s][KING]),
        ),
        (lambda p: UnfinishedShare(), lambda g, s: (not done(g), 1)),
        (
            lambda p: WinnerBehind("behind_most", 25),
            lambda g, s: (done(g) and g["behind_most"][g["winner"]] >= 25, done(g)),
        ),
        (lambda p: SeatWinRate(p), None),
    ],
)
def test_a_measure_is_what_a_loop_over_the_games_counts(
    outcomes: np.ndarray, player: int, make: Callable[[int], Any], count: Counted | None
) -> None:
    if count is None:  # a seat's, wherever the players are
        wanted = by_loops(outcomes, lambda g, s: (UNITS * (done(g) and g["winner"] == player), UNITS * done(g)))
    else:
        wanted = by_loops(outcomes, count, player)
    columns = make(player)(Games(outcomes, 2))
    assert [tuple(map(int, pair)) for pair in zip(*columns, strict=True)] == wanted
    assert sum(a for a, _ in wanted) != 0
    assert all(column.dtype == np.int64 and column.shape == (DEALS,) for column in columns)


def test_win_rates_of_both_players_and_of_both_seats_add_up_to_the_finished_games(outcomes: np.ndarray) -> None:
    games = Games(outcomes, 2)
    for kind in (WinRate, SeatWinRate):
        (won_0, finished), (won_1, _) = kind(0)(games), kind(1)(games)
        np.testing.assert_array_equal(won_0 + won_1, finished)
        assert finished.sum() == UNITS * (2 * DEALS - outcomes["unfinished"].sum())


RESULTS = np.array(
    # winner, unfinished, of two games a deal: a win and a draw, two unfinished ones (one of them with a winner), a loss
    [[(0, 0, (4, 2)), (-1, 0, (3, 3))], [(-1, 1, (0, 0)), (1, 1, (1, 2))], [(1, 0, (5, 9)), (0, 0, (2, 1))]],
    [("winner", "i4"), ("unfinished", "i4"), ("scores", "i4", (2,))],
)


def test_a_draw_is_half_a_win_and_a_gap_in_the_rules_is_in_no_win_rate() -> None:
    draws, gaps = Games(RESULTS, 2), Games(RESULTS, 2, gaps=True)
    # Player 0 sits at seat 0, then at seat 1.
    for measure, games, wanted in (
        (WinRate(0), draws, [[1.5, 0, 0], [2, 0, 2]]),
        (WinRate(0), gaps, [[1, 0, 0], [1, 0, 2]]),
        (SeatWinRate(0), draws, [[1.5, 0, 1], [2, 0, 2]]),
        (SeatWinRate(1), gaps, [[0, 0, 1], [1, 0, 2]]),
    ):
        assert [(column / UNITS).tolist() for column in measure(games)] == wanted
    assert [c.tolist() for c in WithoutWinnerShare()(draws)] == [[1, 0, 0], [2, 2, 2]]
    assert [c.tolist() for c in UnfinishedShare()(draws)] == [[0, 2, 0], [2, 2, 2]]


def test_a_draw_of_many_is_shared_by_those_with_the_highest_score() -> None:
    outcomes = np.zeros((1, 4), [("winner", "i4"), ("unfinished", "i4"), ("scores", "i4", (4,))])
    outcomes["winner"] = [[-1, -1, -1, 2]]
    outcomes["scores"] = [[(5, 5, 0, 0), (1, 3, 3, 3), (2, 2, 2, 2), (0, 0, 9, 9)]]
    games = Games(outcomes, 4)
    wanted = [[1 / 2, 1 / 2, 0, 0], [0, 1 / 3, 1 / 3, 1 / 3], [1 / 4] * 4, [0, 0, 1, 0]]
    np.testing.assert_allclose(games.parts[0] / UNITS, wanted, atol=1e-15)
    # Player 0 sits at seat 0, 1, 2 and 3 in turn.
    assert (games.parts_of(0) / UNITS).tolist() == [[1 / 2, 1 / 3, 1 / 4, 0]]


def test_what_a_game_counts_is_summed_over_its_seats(outcomes: np.ndarray) -> None:
    games = Games(outcomes, 2)
    kings = Count("backed", None, (KING,), (True, True), is_share=False)
    blocked = Count("blocked", "backed", (KING,), (True, True), is_share=True)
    ties = Count("ties", "rounds", (), (False, False), is_share=True)
    for measure, count in (
        (kings, lambda g: (sum(g["backed"][s][KING] for s in (0, 1)), 2)),
        (blocked, lambda g: tuple(sum(g[f][s][KING] for s in (0, 1)) for f in ("blocked", "backed"))),
        (ties, lambda g: (g["ties"], g["rounds"])),
    ):
        wanted = by_loops(outcomes, lambda g, _, count=count: count(g))  # type: ignore[misc]
        assert [tuple(map(int, pair)) for pair in zip(*measure(games), strict=True)] == wanted


PROBED = np.array(
    # winner, unfinished, scores, probe_turn, probe_sum
    [
        [(0, 0, (30, 10), 3, 12), (-1, 0, (5, 5), 9, 4)],
        [(1, 1, (7, 8), 1, 30), (1, 0, (2, 9), 0, 0)],
    ],
    [("winner", "i4"), ("unfinished", "i4"), ("scores", "i4", (2,)), ("probe_turn", "i4"), ("probe_sum", "i4")],
)


def test_games_with_a_probe_are_sorted_into_cells() -> None:
    classes = (("probe_sum", (0, 10, 20)), ("probe_turn", (1, 6)))
    games = Games(PROBED, 2)
    found = {what: CellValues(what, 0, classes)(games) for what in ("score", "lead", "wins")}  # type: ignore[arg-type]
    for cells, *_ in found.values():
        assert cells.tolist() == [[2, 1], [4, -1]]  # 12 at turn 3; 4 at turn 9; 30 at turn 1; no probe
    # Player 0 sits at seat 0, then at seat 1; the unfinished game does not count.
    assert [c.tolist() for c in found["score"][1:]] == [[[30, 5], [0, 9]], [[1, 1], [0, 1]]]
    assert [c.tolist() for c in found["lead"][1:]] == [[[20, 0], [0, 7]], [[1, 1], [0, 1]]]
    assert [(c / UNITS).tolist() for c in found["wins"][1:]] == [[[1, 0.5], [0, 1]], [[1, 1], [0, 1]]]


def test_luck_counts_wins_and_losses_of_player_0_and_nothing_for_unfinished_games(outcomes: np.ndarray) -> None:
    scores = []
    for deal in outcomes:
        scores.append([0 if not done(g) else 1 if g["winner"] == rotation else -1 for rotation, g in enumerate(deal)])
    s1, s2 = np.array(scores).T
    assert {-1, 0, 1} == set(s1.tolist())
    for column, wanted in zip(Luck()(Games(outcomes, 2)), (s1, s2, s1 * s1, s1 * s2, s2 * s2), strict=True):
        np.testing.assert_array_equal(column, wanted)


def test_values_of_winners_and_losers_leave_out_games_without_a_winner(outcomes: np.ndarray) -> None:
    for whose in ("winner", "loser"):
        wanted = [
            int(game["path"][game["winner"] if whose == "winner" else 1 - game["winner"]][4])
            for game in outcomes.ravel()
            if done(game)
        ]
        (found,) = Values("path", (4,), whose)(Games(outcomes, 2))
        assert sorted(found.tolist()) == sorted(wanted)
    (lengths,) = Values("rounds")(Games(outcomes, 2))
    assert lengths.tolist() == [int(game["rounds"]) for game in outcomes.ravel()]


def test_deal_values_are_those_of_each_deals_first_game_with_the_deals_number(outcomes: np.ndarray) -> None:
    rounds, deals = DealValues("rounds")(Games(outcomes, 2, FIRST))
    assert deals.tolist() == list(range(FIRST, FIRST + DEALS))
    assert rounds.tolist() == [int(deal[0]["rounds"]) for deal in outcomes]
    behind, _ = DealValues("behind_most", "winner")(Games(outcomes, 2, FIRST))
    assert behind.tolist() == [int(g["behind_most"][g["winner"]]) if done(g) else 0 for g in outcomes[:, 0]]


def test_a_lead_among_three_is_over_the_mean_of_the_others() -> None:
    scores = np.array([[[10, 4, 1], [0, 6, 9], [3, 3, 3]]], dtype=np.int32)
    outcomes = np.zeros((1, 3), [("winner", "i4"), ("unfinished", "i4"), ("scores", "i4", (3,))])
    outcomes["scores"] = scores
    # Player 1 sits at seats 1, 2, 0: 4 − (10 + 1)/2, 9 − (0 + 6)/2, 3 − 3.
    lead, games = ScoreLead(1)(Games(outcomes, 3))
    assert (lead[0] / games[0]) == pytest.approx(((4 - 5.5) + (9 - 3) + 0) / 3)
    above, games = ScoreAboveMean(1)(Games(outcomes, 3))
    assert (above[0] / games[0]) == pytest.approx(((4 - 5) + (9 - 5) + 0) / 3)


def test_scores_above_the_mean_add_up_to_nothing_over_the_seats() -> None:
    outcomes = np.zeros((1, 3), [("winner", "i4"), ("unfinished", "i4"), ("scores", "i4", (3,))])
    outcomes["scores"] = [[1, 4, 10], [6, 0, 9], [3, 3, 3]]
    outcomes["unfinished"][0, 1] = 1
    sums = [SeatScoreAboveMean(seat)(Games(outcomes, 3)) for seat in range(3)]
    # Seat 0: 1 − 15/3 in the first game, nothing in the last; the second did not end.
    assert [above[0] / games[0] for above, games in sums] == pytest.approx([-4 / 2, -1 / 2, 5 / 2])


def test_equal_measures_are_one(colina: Game) -> None:
    assert len({WinRate(0), WinRate(0), WinRate(1), PerGame("rounds"), PerGame("rounds")}) == 3
