"""A match's win rates rest on finished games, with deals as the unit; its result is the same for the same match."""

from __future__ import annotations

import json

import numpy as np
import pytest

from simkit.games.base import Game
from simkit.matches import play_match
from simkit.stats.ratios import share
from simkit.tally import Moments
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
