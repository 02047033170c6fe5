"""What a notebook calls: public names, matches and replays by the names of the command line."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import simkit
from simkit.api import LARGEST_SEED, check_numbers, line_up
from simkit.errors import StrategyError, UsageError
from simkit.games.base import Game
from simkit.matches import MatchResult, play_match
from tests.small import TEXT

SHORT = {"max_rounds": 30}


@pytest.fixture(autouse=True)
def _workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- public names -----------------------------------------------------------------------------------------------------


def test_every_public_name_is_there_and_others_are_not() -> None:
    assert all(getattr(simkit, name) is not None for name in simkit.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'runn'"):
        _ = simkit.runn


def test_importing_simkit_is_cheap() -> None:
    code = "import sys, simkit; print(*{'numpy', 'numba', 'pandas', 'matplotlib', 'scipy'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == ""


def test_run_match_and_replay_stay_functions_however_often_they_are_called() -> None:
    path = Path("small.toml")
    path.write_text(TEXT, encoding="utf-8")
    for _ in range(2):  # a submodule of the same name would take the function's place after the first call
        assert simkit.run(path, deals=2).facts.deals == 2
        assert simkit.match("colina", deals=2, rules=SHORT).deals == 2
        assert next(simkit.replay("colina"))["type"] == "game"
    assert all(inspect.isfunction(f) for f in (simkit.run, simkit.match, simkit.replay))


# --- match ------------------------------------------------------------------------------------------------------------


def test_a_match_fills_the_seats_with_the_last_strategy() -> None:
    result = simkit.match("colina", "hill_hunter:max_front=3", deals=5, rules=SHORT)
    assert isinstance(result, MatchResult)
    assert result.strategies == ["hill_hunter:max_front=3"] * 2
    assert simkit.match("colina", deals=5, rules=SHORT).strategies == ["random"] * 2


def test_a_match_is_the_same_whatever_the_threads() -> None:
    one, two = (simkit.match("colina", "greedy", "random", deals=3_000, rules=SHORT, jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_rules_and_seeds_of_a_match_count() -> None:
    usual = simkit.match("colina", "greedy", "random", deals=20, rules=SHORT)
    assert usual.rules["max_rounds"] == 30
    assert usual.games == 40
    assert simkit.match("colina", "greedy", "random", deals=20, rules=SHORT, rotate=False).games == 20
    for other in ({"seed": LARGEST_SEED}, {"rules": {**SHORT, "start_points": 40}}):
        changed = simkit.match("colina", "greedy", "random", **({"deals": 20, "rules": SHORT} | other))
        assert changed.outcome != usual.outcome


def test_a_strategy_may_be_a_path(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("def act(view, rules, params, rng):\n    return -1\n", encoding="utf-8")
    with pytest.raises(StrategyError, match=r"first\.py: strategy first\.py made an illegal move"):
        simkit.match("colina", "first.py", deals=1)


@pytest.mark.parametrize(
    ("words", "options", "fault"),
    [
        (["colinna"], {}, "colinna: no such game.* Did you mean colina"),
        (["colina", "gredy"], {}, "Did you mean greedy"),
        (["colina", "greedy", "greedy", "random"], {}, "3 strategies for the 2 seats of colina"),
        (["colina"], {"deals": 0}, "deals: 0 is not a whole number from 1"),
        (["colina"], {"deals": 10.5}, "deals: 10.5 is not a whole number"),
        (["colina"], {"seed": -1}, "seed: -1 is not a whole number from 0"),
        (["colina"], {"seed": LARGEST_SEED + 1}, f"seed: {LARGEST_SEED + 1} is not a whole number"),
        (["colina"], {"jobs": 0}, "jobs: 0 is not a whole number from 1"),
        (["colina"], {"rules": {"king_onn": True}}, "rules.king_onn: .*Did you mean king_on"),
        (["colina"], {"rules": {"jokers": 99}}, "rules.jokers: 99"),
    ],
)
def test_what_is_wrong_with_a_match_is_told(words: list[str], options: dict[str, object], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        simkit.match(*words, **options)


def test_all_numbers_out_of_bounds_are_told_at_once() -> None:
    with pytest.raises(UsageError) as fault:
        check_numbers(deals=(0, 1, 5), seed=(3, 0, 9), jobs=(7, 1, 6))
    assert [line.split(":")[0] for line in str(fault.value).splitlines()] == ["--deals", "--jobs"]
    check_numbers(deals=(1, 1, 5), jobs=(6, 1, 6))


def test_a_line_up_repeats_one_compiled_player(colina: Game) -> None:
    players = line_up(colina, ["greedy"], 2)
    assert players[0] is players[1]
    assert [player.label for player in line_up(colina, [], 2, default="greedy")] == ["greedy", "greedy"]


# --- replay -----------------------------------------------------------------------------------------------------------


def test_a_replay_is_a_generator_of_events_from_the_first_to_the_end() -> None:
    told = simkit.replay("colina", "greedy", "random", rules=SHORT, seed=5, deal=7, rotation=1)
    assert inspect.isgenerator(told)
    events = list(told)
    assert (events[0]["type"], events[-1]["type"]) == ("game", "end")
    assert events[0]["strategies"] == ["random", "greedy"]  # seat by seat: the players have moved round
    assert (events[0]["seed"], events[0]["index"], events[0]["rotation"]) == (5, 7, 1)
    assert events == list(simkit.replay("colina", "greedy", "random", rules=SHORT, seed=5, deal=7, rotation=1))


def test_a_replay_is_the_game_that_the_match_played(colina: Game) -> None:
    players, rules = line_up(colina, ["greedy", "random"], 2), colina.resolve({})
    for deal in range(4):
        result = play_match(colina, players, rules, deals=1, seed=5, first=deal, rotate=False)
        *_, end = simkit.replay("colina", "greedy", "random", seed=5, deal=deal)
        assert end["winner"] == result.outcome["winner"]["mean"]
        assert end["points"] == [result.outcome[f"points_{seat}"]["mean"] for seat in (0, 1)]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"seed": LARGEST_SEED + 1}, "seed: "),
        ({"deal": -1}, "deal: -1 is not a whole number from 0"),
        ({"rotation": 2}, "rotation: 2 is not a whole number from 0 to 1"),
        ({"rules": {"kings": 1}}, "rules.kings: "),
    ],
)
def test_what_is_wrong_with_a_replay_is_told(options: dict[str, object], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        next(simkit.replay("colina", **options))
