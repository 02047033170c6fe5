"""A match's win rates rest on finished games, with deals as the unit; its result is the same for the same match."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from simkit.errors import StrategyError
from simkit.games import get_game
from simkit.games.base import Game
from simkit.matches import ColumnSums, play_match
from simkit.stats.ratios import share
from simkit.tally import Moments
from tests.conftest import MakePlayer
from tests.tables import shipped, table_of


@pytest.mark.parametrize("names", [("greedy", "random"), ("greedy", "greedy")])
def test_win_rates_are_those_of_finished_games(colina: Game, names: tuple[str, str]) -> None:
    rules = colina.resolve({"max_rounds": 25})  # about half of the games come to their end
    players = [shipped("colina", name) for name in names]
    result = play_match(colina, players, rules, deals=300, seed=5)
    assert 0 < result.unfinished < result.games
    outcomes = table_of(colina, names, {"max_rounds": 25}, seed=5).play(0, 300)
    finished = outcomes["unfinished"] == 0
    mirror = names[0] == names[1]
    for player, seat in enumerate(result.seats):
        places = np.array([player, player] if mirror else [player, 1 - player])
        won = (outcomes["winner"] == places) & finished
        wanted = share(Moments.of([won.sum(axis=1), finished.sum(axis=1)]))
        assert (seat["win_rate"], seat["low"], seat["high"]) == (wanted.value, wanted.low, wanted.high)


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        # Draws, and unfinished games with a winner.
        ("lost_cities", {"max_turns": 34, "hand_size": 2, "colors": 2, "wagers": 0}),
        ("sixty_six", {"closing": False}),  # a tenth of the deals has no winner
        ("sixty_six", {"closing": False, "last_trick": "wins"}),  # none
    ],
)
def test_wins_draws_and_gaps_add_up_to_the_finished_games(game: str, rules: dict[str, Any]) -> None:
    played = get_game(game)
    players = [shipped(game, "random")] * 2
    result = play_match(played, players, played.resolve(rules), deals=1_000, seed=5)
    outcomes = table_of(played, ["random"], rules, seed=5).play(0, 1_000)
    finished = outcomes["unfinished"] == 0
    nobody = int((finished & (outcomes["winner"] < 0)).sum())
    assert result.without_winner == nobody
    assert (nobody > 0) == (rules.get("last_trick") != "wins")
    if game == "lost_cities":
        assert (outcomes["winner"][~finished] >= 0).any()
    for place, seat in enumerate(result.seats):
        wins = int((finished & (outcomes["winner"] == place)).sum())
        assert (seat["wins"], seat["draws"]) == (wins, nobody)
        counted = int(finished.sum()) - (nobody if game == "sixty_six" else 0)
        halves = 2 * wins + (nobody if game == "lost_cities" else 0)
        assert seat["win_rate"] == halves / (2 * counted)
    assert sum(seat["wins"] for seat in result.seats) + nobody + result.unfinished == result.games


@pytest.mark.parametrize("names", [["caller", "random", "random", "random"], ["caller"] * 4])
def test_roles_are_counted_for_each_player_wherever_it_sits(names: list[str]) -> None:
    hakka = get_game("hakka")
    result = play_match(hakka, [shipped("hakka", name) for name in names], hakka.resolve({}), deals=40, seed=5)
    outcomes = table_of(hakka, names, seed=5).play(0, 40)
    mirror = len(set(names)) == 1
    for player, seat in enumerate(result.seats):
        for role in hakka.roles:
            places = [player if mirror else (player + rotation) % 4 for rotation in range(4)]
            hands, points = (
                sum(int(outcomes[field][:, r, place, role.index].sum()) for r, place in enumerate(places))
                for field in ("hands_role", "points_role")
            )
            assert seat["roles"][role.name] == {"hands": hands, "score_a_hand": points / hands}


def test_without_finished_games_the_win_rate_is_none_and_the_result_still_json(colina: Game) -> None:
    players = [shipped("colina", "greedy")] * 2
    result = play_match(colina, players, colina.resolve({"max_rounds": 1}), deals=1, seed=0, rotate=False)
    text = json.dumps(result.to_json(), allow_nan=False)
    assert json.loads(text)["seats"][0]["win_rate"] is None
    assert json.loads(text)["seats"][0]["score_sd"] is None


def test_neither_threads_nor_batches_nor_time_change_a_result(colina: Game) -> None:
    players = [shipped("colina", "greedy"), shipped("colina", "random")]
    rules = colina.resolve({})
    one, other = (
        play_match(colina, players, rules, deals=100, seed=1, jobs=jobs, batch=batch)
        for jobs, batch in ((1, 100), (2, 7))
    )
    assert one == other
    assert one.to_json() == other.to_json()
    assert one.seconds > 0
    assert "seconds" not in one.to_json()


@pytest.mark.parametrize("rotate", [True, False])
def test_all_numbers_are_those_of_the_games(colina: Game, rotate: bool) -> None:
    players = [shipped("colina", "greedy"), shipped("colina", "random")]
    rules, deals, rotations = {"max_rounds": 40}, 60, 1 + rotate
    result = play_match(
        colina, players, colina.resolve(rules), deals=deals, seed=3, rotate=rotate, first=11, batch=13, jobs=2
    )
    outcomes = table_of(colina, ("greedy", "random"), rules, seed=3).play(11, deals, rotations)
    assert (result.deals, result.games) == (deals, deals * rotations)
    assert result.unfinished == outcomes["unfinished"].sum()
    for name, field, index, _ in colina.outcome_columns(2):
        games = outcomes[field][(..., *index)].astype(float)
        told = result.outcome[name]
        assert (told["min"], told["max"]) == (games.min(), games.max()), name
        assert told["mean"] == pytest.approx(games.mean(), rel=1e-13), name
        assert told["se"] == pytest.approx(games.mean(axis=1).std(ddof=1) / np.sqrt(deals), rel=1e-12), name
    for player, seat in enumerate(result.seats):
        places = np.array([player, 1 - player])[:rotations]
        scores = np.take_along_axis(outcomes["scores"], places[None, :, None], axis=2)[:, :, 0]
        assert seat["wins"] == (outcomes["winner"] == places).sum()
        assert seat["score_mean"] == pytest.approx(scores.mean(), rel=1e-13)
        assert seat["score_sd"] == pytest.approx(scores.std(ddof=1), rel=1e-12)
    seats = result.seats
    assert sum(seat["wins"] for seat in seats) + seats[0]["draws"] + result.unfinished == result.games


def test_a_deal_is_the_same_wherever_a_match_begins(colina: Game) -> None:
    players = [shipped("colina", "greedy"), shipped("colina", "random")]
    halves = [play_match(colina, players, colina.resolve({}), deals=20, seed=1, first=f) for f in (0, 20)]
    whole = play_match(colina, players, colina.resolve({}), deals=40, seed=1)
    assert [a["wins"] + b["wins"] for a, b in zip(halves[0].seats, halves[1].seats, strict=True)] == [
        seat["wins"] for seat in whole.seats
    ]
    assert halves[0].decisions + halves[1].decisions == whole.decisions


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_strategy_that_fails_ends_the_match(colina: Game, make_player: MakePlayer, jobs: int) -> None:
    bad = make_player("def act(view, rules, params, rng):\n    return -1\n")
    players = [bad, shipped("colina", "random")]
    with pytest.raises(StrategyError, match="strategy mine made an illegal move"):
        play_match(colina, players, colina.resolve({}), deals=50, seed=1, jobs=jobs, batch=5)


def test_memory_does_not_grow_with_the_deals(colina: Game) -> None:
    players, rules = [shipped("colina", "greedy")] * 2, colina.resolve({"max_rounds": 5})

    def peak(deals: int) -> int:
        tracemalloc.start()
        play_match(colina, players, rules, deals=deals, seed=1, jobs=2, batch=200)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1_000)  # what is allocated once
    assert peak(20_000) < 1.5 * peak(2_000)


INT32 = st.integers(-(2**31), 2**31 - 1)


@given(st.lists(arrays(np.int32, st.tuples(st.integers(1, 4), st.just(2), st.just(3)), elements=INT32), min_size=1))
def test_sums_of_columns_are_exact_and_merge_in_any_split(batches: list[np.ndarray]) -> None:
    found = ColumnSums()
    for batch in batches:
        found = found + ColumnSums.of(batch)
    whole = np.concatenate(batches)
    assert found == ColumnSums.of(whole)
    by_hand = [[sum(map(int, deal)) for deal in whole[:, :, column]] for column in range(3)]
    assert found.deals == len(whole)
    assert found.sums == [sum(values) for values in by_hand]
    assert found.squares == [sum(value * value for value in values) for values in by_hand]
    assert found.low == whole.min(axis=(0, 1)).tolist()
    assert found.high == whole.max(axis=(0, 1)).tolist()
    assert all(type(value) is int for value in (*found.sums, *found.squares))


def test_a_result_shows_itself_in_a_notebook(colina: Game) -> None:
    players = [shipped("colina", "greedy"), shipped("colina", "random")]
    result = play_match(colina, players, colina.resolve({}), deals=5, seed=1)
    page = result._repr_html_()
    assert "greedy" in page
    assert "rounds" in page
    assert result.frame.loc["rounds", "mean"] == result.outcome["rounds"]["mean"]
