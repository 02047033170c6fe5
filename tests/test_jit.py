"""The cache of compiled code is never stale and survives damage; rules and parameters never compile anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numba.core.event
import pytest
from numba import types

from simkit import _loop, columns, jit
from simkit.driver import Table, engine, loop_of, sources
from simkit.errors import UsageError
from simkit.games import SHIPPED, get_game
from simkit.games.base import Game
from simkit.player import compile_player
from tests.tables import shipped, shipped_file, shipped_names, table_of

ROOT = Path(__file__).parents[1]
every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in SHIPPED])

# Prints what 50 deals of greedy against hill_hunter come to, to the bit. Arguments: where the strategies are, and a
# folder for their machine code if it is not to lie with that of the game.
PROGRAM = """
import copy
import hashlib
import sys
from pathlib import Path

from simkit import strategy
from simkit.player import compile_player
from simkit.driver import Table, engine
from simkit.games import get_game

game = get_game("colina")
own = copy.copy(engine(game))
if len(sys.argv) > 2:
    own.folder = Path(sys.argv[2])
files = [strategy.read(Path(sys.argv[1]) / f"{name}.py") for name in ("greedy", "hill_hunter")]
players = [compile_player(own, file, file.name, {}) for file in files]
outcomes = Table(game, players, game.resolve({}), 1).play(0, 50)
print(hashlib.sha256(outcomes.tobytes()).hexdigest())
"""


def run_in(lab: Path, cache: Path, *arguments: Path) -> str:
    """The program's result in a process of its own, with the package of `lab`; nothing may reach standard error."""
    env = {**os.environ, "PYTHONPATH": str(lab), jit.CACHE_ENV: str(cache)}
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments or [lab / "strategies" / "colina"])]
    done = subprocess.run(command, capture_output=True, text=True, cwd=lab, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


class Lab(NamedTuple):
    """A copy of the package and its strategies, to be edited and put right again, after a first run of the program."""

    root: Path
    cache: Path
    compiled: Path  # the folder in it
    result: str


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    root, cache = tmp_path_factory.mktemp("lab"), tmp_path_factory.mktemp("cache")
    for part in ("simkit", "strategies"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    result = run_in(root, cache)
    (compiled,) = cache.glob("colina-*")
    return Lab(root, cache, compiled, result)


def edit(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), encoding="utf-8")


def compiled_files(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.nb[ic]"))


# --- never stale ------------------------------------------------------------------------------------------------------


def test_the_digest_changes_with_any_source_and_with_how_they_are_split() -> None:
    variants = [[], [b""], [b"ab"], [b"a", b"b"], [b"b", b"a"], [b"ab", b""], [b"ac"]]
    assert len({jit.digest(variant) for variant in variants}) == len(variants)
    assert jit.digest([b"a"]) == jit.digest(iter([b"a"]))
    assert len(jit.digest([])) == 16


@pytest.mark.parametrize(
    ("module", "name", "other"),
    [("numba", "__version__", "0.0"), ("sys", "version", "2.7"), ("numba.config", "BOUNDSCHECK", 1)],
)
def test_the_digest_changes_with_the_compiler(
    module: str, name: str, other: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = jit.digest([b"a"])
    monkeypatch.setattr(f"{module}.{name}", other)
    assert jit.digest([b"a"]) != before


def test_the_digest_changes_with_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit.digest([b"a"])
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: "8086")
    assert jit.digest([b"a"]) != before


@every_game
def test_every_source_that_the_loop_can_reach_is_in_its_digest(game: Game) -> None:
    assert engine(game)  # it imports the game's records
    waiting = [loop_of(game).play, loop_of(game).legal_moves]
    reached: set[FunctionType] = set()
    while waiting:
        python = waiting.pop().py_func
        if python not in reached:
            reached.add(python)
            known = python.__globals__
            waiting += [known[name] for name in python.__code__.co_names if hasattr(known.get(name), "py_func")]
    files = {python.__code__.co_filename for python in reached}
    files |= {str(module.__file__) for name, module in sys.modules.items() if name.startswith(game.package)}
    assert {Path(file).name for file in files} >= {"_loop.py", "rng.py", "kernel.py", "moves.py", "state.py"}
    assert all(Path(file).read_bytes() in sources(game) for file in files)


@every_game
def test_the_machine_code_lies_in_the_folder_of_its_digest(game: Game) -> None:
    table_of(game).play(0, 1)
    folder = engine(game).folder
    assert folder == jit.cache_root() / f"{game.name}-{jit.digest(sources(game))}"
    assert any(".play-" in file.name for file in compiled_files(folder))


def test_an_edit_of_a_callee_is_noticed(lab: Lab) -> None:
    """Numba's own cache would go on with the old result, since the outer function's file is the same (numba #1833)."""
    fight = lab.root / "simkit" / "games" / "colina" / "fight.py"
    hill = "    if (unblocked_0 == HILL) != (unblocked_1 == HILL):\n"
    edit(fight, hill, "    if False:\n")
    assert run_in(lab.root, lab.cache) != lab.result
    edit(fight, "    if False:\n", hill)
    assert run_in(lab.root, lab.cache) == lab.result
    assert len(list(lab.cache.glob("colina-*"))) == 2


def test_an_edit_of_a_strategy_s_neighbour_is_noticed(tmp_path: Path) -> None:
    strategies = tmp_path / "strategies"
    shutil.copytree(ROOT / "strategies" / "colina", strategies, ignore=shutil.ignore_patterns("__pycache__"))

    def run() -> str:
        return run_in(ROOT, jit.cache_root(), strategies, tmp_path / "cache")

    as_shipped = run()
    edit(strategies / "greedy.py", "front = best_value_front(view, rules)", "front = picking.pick(view, rules)")
    edit(strategies / "greedy.py", "from simkit.games.colina import", "import picking\nfrom simkit.games.colina import")
    (strategies / "picking.py").write_text(
        "from simkit.games.colina import best_value_front as best\n\n"
        "def pick(view, rules):\n    return best(view, rules)\n"
    )
    assert run() == as_shipped
    edit(strategies / "picking.py", "import best_value_front", "import longest_front")
    assert run() != as_shipped
    edit(strategies / "picking.py", "import longest_front", "import best_value_front")
    assert run() == as_shipped


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Callable[[], Any]:
    """Compiles, or loads, a small function by way of an entry point cached in tmp_path / "cache"."""
    file = tmp_path / "small.py"
    file.write_text("def double(x):\n    return 2 * x\n")

    def load() -> Any:
        module = ModuleType("tests_small")
        module.__file__ = str(file)
        sys.modules[module.__name__] = module
        exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
        return jit.entry_point(module.__dict__["double"], types.int64(types.int64), tmp_path / "cache")

    (tmp_path / "cache").mkdir()
    return load


def test_an_entry_point_comes_from_the_cache_the_second_time(small: Callable[[], Any]) -> None:
    first, second = small(), small()
    assert (sum(first.stats.cache_misses.values()), sum(first.stats.cache_hits.values())) == (1, 0)
    assert (sum(second.stats.cache_misses.values()), sum(second.stats.cache_hits.values())) == (0, 1)
    assert first(21) == second(21) == 42


def test_an_entry_point_takes_no_other_signature(small: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        small()("x")


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_cache_file_cut_off_anywhere_is_made_again(suffix: str, small: Callable[[], Any], tmp_path: Path) -> None:
    small()
    file = next(file for file in compiled_files(tmp_path / "cache") if file.suffix == suffix)
    whole = file.read_bytes()
    for length in sorted({0, 1, 2, 10, len(whole) // 3, len(whole) // 2, len(whole) - 10, len(whole) - 1}):
        file.write_bytes(whole[:length])
        assert small()(21) == 42, length
        assert len(file.read_bytes()) > len(whole) // 2  # written anew
        assert sum(small().stats.cache_hits.values()) == 1


@pytest.mark.parametrize("rubbish", [b"\0" * 5000, b"rubbish", b"(lp0\nI1\na.", b"cnowhere\nNothing\n."])
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_cache_file_of_rubbish_is_made_again(
    suffix: str, rubbish: bytes, small: Callable[[], Any], tmp_path: Path
) -> None:
    small()
    file = next(file for file in compiled_files(tmp_path / "cache") if file.suffix == suffix)
    file.write_bytes(rubbish)
    assert small()(21) == 42
    assert sum(small().stats.cache_hits.values()) == 1


def test_a_cache_file_that_is_gone_is_made_again(small: Callable[[], Any], tmp_path: Path) -> None:
    small()
    for file in compiled_files(tmp_path / "cache"):
        file.unlink()
        assert small()(21) == 42
        assert len(compiled_files(tmp_path / "cache")) == 2


def test_a_fault_of_the_code_leaves_the_cache_alone(small: Callable[[], Any], tmp_path: Path) -> None:
    """Whatever numba raises on compiling, KeyError for a missing field included, is no damage."""
    small()
    kept = {file: file.stat().st_mtime_ns for file in compiled_files(tmp_path / "cache")}
    colina = engine(get_game("colina"))
    file = tmp_path / "wrong.py"
    file.write_text("def act(view, rules, params, rng):\n    return view.nosuch\n")
    module = ModuleType("tests_wrong")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module
    exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
    with pytest.raises(KeyError, match="nosuch"):
        jit.entry_point(module.__dict__["act"], colina.strategy, tmp_path / "cache")
    assert {file: file.stat().st_mtime_ns for file in compiled_files(tmp_path / "cache")} == kept


def test_a_start_after_a_crash_heals_the_real_cache(lab: Lab) -> None:
    """All files cut off at once, of the game's loop and of the strategies: indices at half, code at nothing."""
    files = compiled_files(lab.compiled)
    assert len(files) == 2 * 3  # index and code of play, greedy and hill_hunter
    for file in files:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2 if file.suffix == ".nbi" else 0])
    assert run_in(lab.root, lab.cache) == lab.result
    assert compiled_files(lab.compiled) == files
    assert all(file.stat().st_size > 0 for file in files)


# --- what never recompiles --------------------------------------------------------------------------------------------


def test_changing_rules_parameters_or_strategies_compiles_nothing(colina: Game) -> None:
    names = shipped_names("colina")
    for name in names:
        shipped("colina", name)
    table_of(colina).play(0, 1)
    before = compiled_files(engine(colina).folder)
    with numba.core.event.install_recorder("numba:compile") as compiled:
        for name in names:
            file = shipped_file("colina", name)
            for key, parameter in file.parameters.items():
                player = compile_player(engine(colina), file, name, {key: parameter.type(1)})
                assert player.act is shipped("colina", name).act
                for rules in ({}, {"jokers": 0, "jack_factor": 1.5}, {"king_on": [True, False], "hand_size": 3}):
                    values = colina.resolve(rules)
                    Table(colina, [player, shipped("colina", "random")], values, 1).play(0, 5)
                    lab = [{"barred": (1, 2)}, {"barred": (2, 1)}]
                    Table(colina, [shipped("colina", "greedy"), player], [values, values], 2, lab).play(0, 5)
    assert len(compiled.buffer) == 0
    assert len(engine(colina).play.signatures) == 1
    assert compiled_files(engine(colina).folder) == before


def test_threads_that_compile_at_once_keep_their_folders_apart(tmp_path: Path) -> None:
    """Where numba keeps machine code is a global setting."""
    before, folders = jit.config.CACHE_DIR, [tmp_path / str(i) for i in range(4)]
    signature = types.int64(types.int32[:, :, ::1], types.int64[:, ::1])
    with ThreadPoolExecutor(len(folders)) as threads:
        made = list(threads.map(lambda folder: jit.entry_point(columns.accumulate, signature, folder), folders))
    assert [Path(compiled.stats.cache_path).parent for compiled in made] == folders
    assert all(list(folder.rglob("*.nbi")) for folder in folders)
    assert before == jit.config.CACHE_DIR


# --- the folder -------------------------------------------------------------------------------------------------------


def test_folders_that_nobody_used_for_a_month_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(jit.CACHE_ENV, str(tmp_path / "cache"))
    old, used = jit.cache_folder("colina", [b"old"]), jit.cache_folder("colina", [b"used"])
    long_ago = time.time() - (jit.KEEP_DAYS + 1) * 86_400
    for folder in (old, used):
        os.utime(folder, (long_ago, long_ago))
    assert jit.cache_folder("colina", [b"used"]) == used  # in use again
    new = jit.cache_folder("colina", [b"new"])
    assert sorted((tmp_path / "cache").iterdir()) == sorted([used, new])


def test_what_else_lies_in_the_folder_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """$SIMKIT_CACHE may name a folder that is not simkit's alone."""
    monkeypatch.setenv(jit.CACHE_ENV, str(tmp_path))
    theirs = tmp_path / "my-thesis"
    theirs.mkdir()
    os.utime(theirs, (0, 0))
    jit.cache_folder("colina", [b"new"])
    assert theirs.is_dir()


def test_a_cache_that_cannot_be_written_is_a_fault_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(jit.CACHE_ENV, str(tmp_path / "file"))
    with pytest.raises(UsageError, match=r"cannot keep compiled code here: Not a directory. \$SIMKIT_CACHE names"):
        jit.cache_folder("colina", [b"new"])


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [("win32", "LOCALAPPDATA", "simkit"), ("linux", "XDG_CACHE_HOME", "simkit"), ("linux", jit.CACHE_ENV, "")],
)
def test_the_cache_lies_where_the_platform_keeps_such_things(
    platform: str, variable: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(jit.CACHE_ENV, raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path))
    assert jit.cache_root() == tmp_path / expected


def test_on_a_mac_the_cache_lies_in_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(jit.CACHE_ENV, raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert jit.cache_root() == Path.home() / "Library" / "Caches" / "simkit"


def test_two_copies_of_one_module_have_functions_of_their_own() -> None:
    """Or two games would share one entry of the cache (they share file and line)."""
    one = jit.module_with("tests_loop_one", _loop, {"actor": 1})
    two = jit.module_with("tests_loop_two", _loop, {"actor": 2})
    assert (one.actor, two.actor) == (1, 2)
    assert one.step is not two.step
    assert (one.step.py_func.__module__, two.step.py_func.__module__) == ("tests_loop_one", "tests_loop_two")
