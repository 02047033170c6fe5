"""Speeds are measured for each game's own strategies, on one thread and on all cores."""

from __future__ import annotations

import joblib
import pytest

from simkit import bench
from simkit.catalog import Catalog
from simkit.errors import UsageError
from simkit.games import SHIPPED


def test_every_strategy_is_measured_on_one_thread_and_on_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.01)
    monkeypatch.setattr(bench, "REPEATS", 2)
    rows = list(bench.measure(["colina"]))
    threads = dict.fromkeys((1, joblib.cpu_count()))
    assert [(row["strategies"], row["threads"]) for row in rows] == [
        (strategy, n) for strategy in ("random", "greedy") for n in threads
    ]
    assert all(row["decisions_per_s"] > row["games_per_s"] > 0 for row in rows)


def test_every_game_names_random_play_first_and_strategies_that_exist() -> None:
    for game in SHIPPED:
        assert game.bench[0] == "random"
        assert set(game.bench) <= set(Catalog().strategies(game.name))


def test_an_unknown_game_is_refused_before_anything_is_measured() -> None:
    with pytest.raises(UsageError, match="chess: no such game"):
        next(bench.measure(["colina", "chess"]))
