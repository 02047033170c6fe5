"""Whatever is wrong is answered with one message that says where, without a traceback, and its own exit code."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CallSimkit, WriteExperiment

LARGEST_SEED = 2**64 - 1


def strategy_file(folder: Path, body: str, name: str, before: str = "") -> Path:
    """A strategy that says what it plays."""
    path = folder / f"{name}.py"
    path.write_text(f"{before}\ndef act(view, rules, params, rng):\n    {body}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("run nowhere.toml", "nowhere.toml: no such file"),
        ("match colinna", "colinna: no such game. Games: colina.* Did you mean colina"),
        ("match colina gredy", '"gredy" is no strategy of colina. Did you mean greedy'),
        ("match colina nowhere.py", "nowhere.py: no such strategy file"),
        ("match colina hill_hunter:max=3", "max: no such parameter of hill_hunter. Did you mean max_front"),
        ("match colina hill_hunter:max_front=x", 'max_front: "x" is not'),
        ("match colina greedy greedy greedy", "3 strategies for the 2 seats of colina"),
        ("match colina -s rules.king_onn=true", "rules.king_onn=true: no such rule of colina. Did you mean king_on"),
        ("match colina -s rules.jokers=9", "9 is not a whole number from 0 to 8"),
        ("match colina -s nonsense", "-s nonsense: not KEY=VALUE"),
        ("match colina -s seed=1", "only rules can be set here"),
        ("match colina --deals 0", "--deals: 0 is not a whole number from 1"),
        ("match colina --deals 1" + 30 * "0", "is not a whole number from 1 to 1000000000000"),
        ("match colina --seed -1", "--seed: -1 is not a whole number from 0"),
        (f"match colina --seed {2**64}", f"--seed: {2**64} is not a whole number from 0 to {LARGEST_SEED}"),
        ("match colina --seed x", "'--seed'"),
        ("match colina --jobs 0", "'--jobs'"),
        (f"replay colina --seed {2**64}", "--seed: "),
        ("replay colina --deal -1", "--deal: -1 is not a whole number from 0"),
        ("replay colina -n 0", "^-n: 0 is not a whole number from 1"),
        ("replay colina --rotation 2", "--rotation: 2 is not a whole number from 0 to 1"),
        ("report nowhere", "nowhere: no such run. Runs here: none"),
        ("report nowhere --format pdf", "--format pdf: no such format. Formats: html, md, csv"),
        ("report --format md", "--format md is of one run: name it"),
        (f"replay colina --deal {LARGEST_SEED} -n 2", "--deal: "),
        ("compare nowhere elsewhere", "nowhere: no such run"),
        ("compare nowhere", "compare takes two runs or more"),
        ("list strategy", "strategy: nothing to list. .* Did you mean strategies"),
        ("show hil_hunter", "hil_hunter: no such game, strategy, experiment or run. Did you mean hill_hunter"),
        ("bench chess", "chess: no such game"),
        ("check notes.txt", "notes.txt: neither a strategy"),
        ("check nowhere.toml", "nowhere.toml: no such file"),
        ("frobnicate", "No such command"),
        ("match", "Missing argument"),
    ],
)
def test_bad_words_are_answered_with_what_is_wrong(simkit: CallSimkit, words: str, fault: str) -> None:
    said = simkit(*words.split())
    assert said.code == 2
    assert said.out == ""
    assert re.search(fault.replace("(", r"\("), said.err)
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("deals = 40", "deals ="), "small.toml:3: not TOML"),
        (("deals = 40", "deals = 0"), "small.toml:3: deals: 0 is not a whole number from 1"),
        (("deals = 40", "deals = 1" + 30 * "0"), "small.toml:3: deals: "),
        (('"colina"', '"colinna"'), "small.toml:2: game: .*colinna.* Did you mean colina"),
        (('"card_strength"\ngame', '"strength"\ngame'), "small.toml:1: question: .* Did you mean card_strength"),
        (("seed = 1", "seed = -1"), "small.toml:4: seed: -1 is not a whole number from 0"),
        (("seed = 1", f"seed = {2**64}"), "small.toml:4: seed: "),
        (("max_rounds", "max_round"), "small.toml:7: rules.max_round: no such rule of colina. Did you mean max_rounds"),
        (("max_rounds = 50", "max_rounds = 0"), "small.toml:7: rules.max_rounds: 0 is not a whole number from 1"),
        (("greedy = {}", "gredy = {}"), "small.toml:10: strategies.gredy: .* Did you mean greedy"),
        (('["K"]', '["Z"]'), "small.toml:14: card_strength.cards: "),
        (('greedy = {}\nhunter = { use = "hill_hunter", max_front = 5 }\n', ""), "small.toml:.*: strategies: "),
        (("deals = 40", "deals = 40\ndeal = 40"), "small.toml:4: deal: no such key. Did you mean deals"),
    ],
)
def test_a_bad_experiment_is_answered_with_line_and_key(
    simkit: CallSimkit, experiment: WriteExperiment, change: tuple[str, str], fault: str
) -> None:
    path = experiment(change)
    for command in ("run", "check"):
        said = simkit(command, path)
        assert said.code == 2
        assert re.search(fault, said.err)
        assert "Traceback" not in said.err


def test_all_faults_of_an_experiment_are_told_at_once(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    said = simkit("run", experiment(("max_rounds", "max_round"), ("seed = 1", "seed = -1"), ("greedy", "gredy")))
    assert [line.split(": ")[1] for line in said.err.splitlines()] == ["seed", "rules.max_round", "strategies.gredy"]


def test_a_strategy_of_another_game_is_refused(simkit: CallSimkit, tmp_path: Path) -> None:
    path = strategy_file(tmp_path, "return 1", "stranger", 'GAME = "sixty_six"\n')
    said = simkit("match", "colina", path)
    assert said.code == 2
    assert "for sixty_six, not for colina" in said.err


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("return -1", r"failing\.py: .* made an illegal move"),
        (
            "if view.seat < 2:\n        raise ValueError('no idea')\n    return 1",
            r"failing\.py:4: .* raised ValueError: no idea",
        ),
        ("return view.hnad[0]", r"failing\.py:3: .* does not compile: .* Did you mean hand"),
        ("return (", r"failing\.py:3: not valid Python"),
        ("return 1\nraise SystemExit", r"failing\.py:4: SystemExit on loading"),
        ("return 1\nGAME = 'col' + 'ina'", r"failing\.py:4: GAME must be a game's name in quotes"),
    ],
)
def test_a_strategy_that_fails_has_its_own_exit_code(simkit: CallSimkit, tmp_path: Path, body: str, fault: str) -> None:
    path = strategy_file(tmp_path, body, "failing")
    said = simkit("match", "colina", path, "--deals", 5)
    assert said.code == 3
    assert re.search(fault, said.err)
    assert "Traceback" not in said.err


def test_a_broken_strategy_that_is_named_is_told_for_what_it_is(simkit: CallSimkit, tmp_path: Path) -> None:
    folder = tmp_path / "strategies" / "colina"
    folder.mkdir(parents=True)
    (folder / "broken.py").write_text("def act(view\n", encoding="utf-8")
    said = simkit("match", "colina", "broken")
    assert said.code == 3
    assert "broken.py:1: not valid Python" in said.err


@pytest.mark.parametrize("content", [b"no database at all, only some text", b"SQLite format 3\x00" + 200 * b"\xff"])
def test_a_damaged_store_is_refused_until_fresh(
    simkit: CallSimkit, experiment: WriteExperiment, content: bytes
) -> None:
    path = experiment()
    store = Path("reports/small/run.sqlite")
    store.parent.mkdir(parents=True)
    store.write_bytes(content)
    for command in (("run", path), ("report", "small")):
        said = simkit(*command)
        assert said.code == 2
        assert said.out == ""
        assert "Traceback" not in said.err
    assert "run.sqlite: damaged, or not a run of simkit" in simkit("run", path).err
    assert simkit("run", path, "--fresh").code == 0


def test_a_database_of_somebody_else_is_left_alone(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    path, store = experiment(), Path("reports/small/run.sqlite")
    store.parent.mkdir(parents=True)
    with sqlite3.connect(store) as database:
        database.execute("CREATE TABLE letters (text)")
    database.close()
    before = store.read_bytes()
    said = simkit("run", path)
    assert said.code == 2
    assert "run.sqlite: not a run of simkit" in said.err
    assert store.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_told(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    path = experiment()
    said = simkit("run", path, "--out", path / "below")
    assert said.code == 2
    assert "cannot write here" in said.err
    assert simkit("init", path / "below").code == 2


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("max_front = 5", "max_frond = 5"), "max_frond: no such parameter of hill_hunter. Did you mean max_front"),
        (("max_front = 5", "max_front = 0.5"), "max_front: 0.5 is not a whole number"),
    ],
)
def test_a_wrong_parameter_is_the_experiments_fault(
    simkit: CallSimkit, experiment: WriteExperiment, change: tuple[str, str], fault: str
) -> None:
    for command in ("run", "check"):
        said = simkit(command, experiment(change))
        assert said.code == 2
        assert f"small.toml:11: strategies.hunter.{fault}" in said.err


def _output(words: str, file: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A command with its stdout in a file."""
    program = f"import sys; from simkit import cli; sys.argv = {['simkit', *words.split()]!r}; cli.main()"
    with open(file, "wb") as stdout:
        return subprocess.run(
            [sys.executable, "-c", program],
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=os.environ | environment,
            check=False,
        )


def test_a_terminal_that_knows_few_letters_gets_the_answer_all_the_same(tmp_path: Path) -> None:
    done = _output("show colina", str(tmp_path / "out"), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"COL-4.9" in (tmp_path / "out").read_bytes()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk here")
@pytest.mark.parametrize("words", ["list games", "list games --json", "show colina"])
def test_a_full_disk_is_told_without_a_traceback(words: str) -> None:
    done = _output(words, "/dev/full")
    assert done.returncode == 2
    assert done.stderr.decode() == "cannot go on: writing: No space left on device\n"


def test_numbers_of_a_run_are_told_as_they_were_typed(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    said = simkit("run", str(experiment()), "--deals", "0", "--seed", "-1")
    assert said.code == 2
    assert said.err.splitlines() == [
        "--deals 0: 0 is not a whole number from 1 to 1000000000000",
        f"--seed -1: -1 is not a whole number from 0 to {LARGEST_SEED}",
    ]
