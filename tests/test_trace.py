"""What a look at every position counts, against plain loops and games made by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from simkit.games import games, get_game
from simkit.games.base import Game
from simkit.stats.chances import Chances
from simkit.trace import BITS, SAMPLES, Course, trace_dtype
from tests.tables import shipped_names, table_of

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=name) for name, game in games().items()])


def some_names(game: Game) -> list[str]:
    return ["random", *[name for name in shipped_names(game.name) if name != "random"][:1]]


@every_game
def test_traced_games_are_the_very_games(game: Game) -> None:
    outcomes, traces = table_of(game, some_names(game)).play_traced(5, 40)
    assert outcomes.tobytes() == table_of(game, some_names(game)).play(5, 40).tobytes()
    assert traces.shape == outcomes.shape


@every_game
def test_decisions_and_legal_moves_are_those_of_a_plain_loop(game: Game) -> None:
    table, actor = table_of(game, some_names(game)), game.module("kernel").actor
    _, traces = table.play_traced(0, 3)
    for deal in range(3):
        rotation = deal % table.seats
        counts = Counter[str]()
        for record in table.steps(deal, rotation, np.zeros(1, table.engine.outcome)):
            seat = int(actor(record["state"], record["rules"][rotation]))
            if seat < 0:
                break
            record["seat"] = seat
            moves = len(table.legal_moves(100_000))
            counts += Counter({f"decisions {seat}": 1, f"forced {seat}": int(moves == 1), f"moves {seat}": moves})
            counts[f"bits {seat}"] += int(BITS * np.log2(moves) + 0.5)
        for field in ("decisions", "forced", "moves", "bits"):
            found = [counts[f"{field} {seat}"] for seat in range(game.max_seats)]
            assert traces[deal, rotation][field].tolist() == found


def test_leads_are_those_that_colina_counts_itself() -> None:
    outcomes, traces = table_of(get_game("colina"), ["random", "greedy"]).play_traced(0, 300)
    assert (outcomes["lead_changes"] == traces["lead_changes"]).all()
    assert (outcomes["behind_most"] == traces["behind_most"]).all()
    assert outcomes["lead_changes"].max() > 3


@every_game
def test_what_a_lead_is_counted_in_ends_at_the_scores(game: Game) -> None:
    """The last lead is that of whoever has won, wherever the score decides that."""
    outcomes, traces = table_of(game, some_names(game)).play_traced(0, 60)
    won = (outcomes["winner"] >= 0) & (traces["leader"] >= 0) & (outcomes["unfinished"] == 0)
    same = outcomes["winner"][won] == traces["leader"][won]
    assert won.any()
    # A deal of Sixty-Six can be lost by the closer who has more points (SS-6.3).
    assert same.all() if game.name != "sixty_six" else same.mean() > 0.5


def test_of_a_long_game_every_second_or_fourth_position_is_kept() -> None:
    _, traces = table_of(get_game("lost_cities"), ["random"]).play_traced(0, 30)
    total = traces["decisions"].sum(axis=-1)
    assert set(traces["every"].ravel()) == {1, 2} and total.max() < 4 * SAMPLES
    assert (traces["samples"] == -(-total // traces["every"])).all()
    assert (traces["samples"] <= SAMPLES).all()
    for trace in traces.ravel():
        seen = trace["stage"][: trace["samples"]]
        assert (np.diff(seen) >= 0).all() and seen[0] == 72 - 44  # cards in the draw pile at first


# --- games made by hand -----------------------------------------------------------------------------------------------


def course(leads: list[int], winner: int | None, decided: float = 0.9) -> Course:
    """One game of two, seat 0 ahead by so much before each decision; a lead of 9 is worth a chance of 0.95."""
    trace = np.zeros(1, trace_dtype(get_game("colina")))
    trace["decisions"][0] = (len(leads) + 1) // 2, len(leads) // 2
    trace["every"], trace["samples"] = 1, len(leads)
    trace["progress"][0, : len(leads), 0] = leads
    parts = np.zeros((1, 2))
    if winner is not None:
        parts[0, winner] = 1
    line = (np.array([-9.0, 9.0]), np.array([0.05, 0.95]))
    return Course(trace, parts, 2, Chances(np.zeros(0, np.int64), (line[0],) * 2, (line[1],) * 2), decided)


def test_a_game_is_decided_when_the_winner_stays_ahead_for_good() -> None:
    assert course([0, 9, 0, 0, 9, 9, 9, 9, 9, 9], 0).decided.tolist() == [40]
    assert course([0, 9, 0, 0, 9, 9, 9, 9, 9, 9], 1).decided.tolist() == [100]
    assert course([9, 9, 9, 9], 0).decided.tolist() == [0]
    assert course([0, 9, 0], 0).decided.tolist() == [100]
    assert course([0, 9, 0], 0, decided=0.4).decided.tolist() == [0]
    assert course([0, 0, 9], 0).decided.tolist() == [67]  # rounded up


def test_the_lowest_chance_and_the_drama_are_the_winners() -> None:
    made = course([0, -9, -9, 0, 9], 0)
    assert made.lowest.tolist() == [50]
    assert made.behind.tolist() == [400]  # two positions of five
    assert made.drama.tolist() == [900]  # 0.95 less 0.05 in both
    ahead = course([0, 9, 9], 0)
    assert (ahead.drama.tolist(), ahead.behind.tolist(), ahead.lowest.tolist()) == ([0], [0], [500])


def test_who_leads_is_told_at_any_part_of_a_game() -> None:
    made = course([0, 3, -3, 0], 0)
    assert [int(made.leader(part)[0]) for part in (0, 0.25, 0.5, 0.74, 0.75, 1)] == [-1, 0, 1, 1, -1, -1]


def test_a_game_without_a_winner_has_nobody_to_look_back_from() -> None:
    assert not course([0, 9], None).won.any()


def test_what_is_not_known_is_even() -> None:
    made = course([0, 9], 0)
    made.chances = None
    assert (made.chance == 0.5).all()
