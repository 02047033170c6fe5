"""Whatever a strategy does, `simkit check` lives on and says what it did, where, and in what situation."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from simkit import jit
from simkit.check import check_files
from simkit.errors import StrategyError, UsageError
from tests.conftest import CallSimkit, WriteExperiment

SECONDS = 2.0
PREFIX = "checked_"  # of names, so that the compiled code can be found and removed
SITUATION = r"  in deal \d+, rotation [01], seat [01], seed 0\n  it saw: round \d+, hand .*\n  legal: .*\n"


@pytest.fixture(autouse=True)
def clean_cache() -> Iterator[None]:
    """Removes what the strategies left in the cache, which the game's own code is read from."""
    yield
    for folder in jit.cache_root().glob(f"*/strategies/{PREFIX}*"):
        shutil.rmtree(folder, ignore_errors=True)


def written(folder: Path, name: str, text: str) -> Path:
    """A strategy of Colina that may end with `return other(view, rules, rng)`, a random move."""
    file = folder / f"{PREFIX}{name}.py"
    head = "from simkit.games.colina import random_move as other\n\n"
    file.write_text(head + dedent(text).strip() + "\n", encoding="utf-8")
    return file


def fault_of(file: Path, seconds: float = SECONDS) -> str:
    with pytest.raises(StrategyError) as found:
        check_files([file], seconds)
    return str(found.value)


def test_a_sound_strategy_is_told_what_it_was_played_under(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "sound", "def act(view, rules, params, rng):\n    return other(view, rules, rng)")
    check_files([file], SECONDS)
    ok = r": ok, ([\d,]+) games of colina under (\d+) variants of the rules, [\d,]+ decisions/s .*\n"
    told = re.fullmatch(re.escape(str(file)) + ok, capsys.readouterr().out)
    assert told
    assert int(told[1].replace(",", "")) >= 2 * 2 * int(told[2])
    assert int(told[2]) > 20


def test_an_endless_loop_is_told_with_the_situation_it_hangs_in(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "endless",
        """
        def act(view, rules, params, rng):
            n = 0
            while view.round == 3:
                n = (n + 1) % 7
            return other(view, rules, rng)
        """,
    )
    fault = fault_of(file)
    assert f"{file}: strategy checked_endless did not finish within 2 s: an endless loop in act?" in fault
    assert "it saw: round 3, " in fault


def test_a_wild_index_is_told_with_its_line_and_the_index(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "wild",
        """
        from typing import NamedTuple

        class Params(NamedTuple):
            far: int = 1000

        def card(view, slot):
            return view.hand[slot]

        def act(view, rules, params, rng):
            if view.round == 2 and card(view, view.seat + params.far) == 3:
                return 0
            return other(view, rules, rng)
        """,
    )
    fault = fault_of(file)
    place = re.escape(f"{file}:9: strategy checked_wild raised IndexError: index ")
    assert re.match(place + r"100[01] is out of bounds, the size is \d+\n" + SITUATION, fault)
    assert fault.endswith("against itself, the default rules")


def test_an_illegal_move_under_some_rules_only_is_found(tmp_path: Path) -> None:
    body = "return -1 if rules.siamese_ranks == 1 else other(view, rules, rng)"
    fault = fault_of(written(tmp_path, "illegal", f"def act(view, rules, params, rng):\n    {body}"))
    assert re.search(r"made an illegal move: .*\n" + SITUATION, fault)
    assert fault.endswith("against itself, siamese_ranks = distinct")


def test_an_exception_is_told_with_its_line(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "raising",
        """
        def act(view, rules, params, rng):
            if rules.jokers == 8:
                raise ValueError("no eight jokers")
            return other(view, rules, rng)
        """,
    )
    fault = fault_of(file)
    assert f"{file}:5: strategy checked_raising raised ValueError: no eight jokers\n" in fault
    assert fault.endswith("against itself, jokers = 8")


def test_a_crash_of_the_process_is_told(tmp_path: Path) -> None:
    crash = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"
    file = written(tmp_path, "crashing", crash + "def act(view, rules, params, rng):\n    return 1")
    assert f"{file}: crashed on loading (SIGSEGV" in fault_of(file)


def test_what_a_strategy_prints_disturbs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noise = 'print("{}")\n'
    body = "def act(view, rules, params, rng):\n    return other(view, rules, rng)"
    check_files([written(tmp_path, "noisy", noise + body)], SECONDS)
    assert capsys.readouterr().out.count("\n") == 1


def test_all_faults_are_told_at_once_and_a_failed_strategy_counts_most(
    tmp_path: Path, simkit: CallSimkit, experiment: WriteExperiment
) -> None:
    broken = written(tmp_path, "broken", "def act(view")
    bad, good = experiment(("seed = 1", "seed = -1"), name="bad"), experiment()
    said = simkit("check", broken, bad, good, tmp_path / "nowhere.py", "notes.txt")
    assert said.code == 3
    assert said.out == f"{good}: ok, card_strength of colina, 7 arms, 14 games a deal\n"
    assert [line.split(": ")[0] for line in said.err.splitlines()] == [
        f"{broken}:3", f"{bad}:4", str(tmp_path / "nowhere.py"), "notes.txt",
    ]  # fmt: skip
    assert simkit("check", bad, good).code == 2


def test_a_strategy_that_says_no_game_is_of_the_game_that_it_imports(tmp_path: Path) -> None:
    file = tmp_path / f"{PREFIX}lost.py"
    act = "def act(view, rules, params, rng):\n    return 0\n"
    file.write_text(f"from simkit.games.colina import play\n{act}", encoding="utf-8")
    assert "made an illegal move: an empty front line" in fault_of(file)
    file.write_text(act, encoding="utf-8")
    with pytest.raises(UsageError, match=r'lost\.py: for which game\? Say so in the file: GAME = "colina"'):
        check_files([file], SECONDS)


def test_a_strategy_of_an_unknown_game_is_told_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "lost.py"
    file.write_text('GAME = "colinna"\ndef act(view, rules, params, rng):\n    return 0\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"lost\.py: colinna: no such game\. Games: .* Did you mean colina\?"):
        check_files([file], SECONDS)


def test_a_cache_that_cannot_be_written_is_not_the_strategys_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, "sound", "def act(view, rules, params, rng):\n    return other(view, rules, rng)")
    monkeypatch.setenv(jit.CACHE_ENV, str(file))
    with pytest.raises(UsageError, match="cannot keep compiled code here"):
        check_files([file], SECONDS)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_limit_is_a_positive_number(seconds: float) -> None:
    with pytest.raises(UsageError, match="--seconds"):
        check_files([], seconds)
