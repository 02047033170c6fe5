"""A run from its file to its report: same bits whatever happens on the way, and never another experiment's numbers."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simkit import driver, runs, strategy
from simkit.catalog import Catalog
from simkit.errors import InterruptedRun, RequirementError, UsageError
from simkit.prepared import prepare, stored
from simkit.run_folder import plan_hash
from simkit.runs import RunResult, carry_out, check_requirements, run
from tests.runs.lab import CHEAP, Change, Write, manifest, said, tables
from tests.small import TEXT

# --- one answer -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("quick")
def test_the_files_are_the_same_bytes_whatever_the_threads_and_batches(write: Write, tmp_path: Path) -> None:
    path = write()
    one = run(path, out=tmp_path / "one", jobs=1)
    assert len(tables(tmp_path / "one")) > 3
    for jobs, batch in ((1, 7), (2, 64), (2, 7)):
        other = run(path, out=tmp_path / f"{jobs}-{batch}", jobs=jobs, batch=batch)
        assert tables(other.folder) == tables(one.folder)
        assert said(other) == said(one)


@pytest.mark.usefixtures("quick")
def test_a_run_that_was_interrupted_twice_and_raised_later_is_a_straight_run(write: Write, tmp_path: Path) -> None:
    path = write()

    def interrupt_at(least: int) -> Callable[..., None]:
        def tell(done: int, wanted: int, games: int, headline: str = "") -> None:
            if done >= least:
                signal.raise_signal(signal.SIGINT)

        return tell

    straight = run(path, out=tmp_path / "straight")
    for least in (10, 40):
        with pytest.raises(InterruptedRun):
            # one thread: two may have played everything before the first batch is told
            run(path, out="cut", deals=80, batch=5, jobs=1, progress=interrupt_at(least))
        about = manifest(tmp_path / "cut")
        assert about["status"] == "interrupted"
        assert least <= about["deals"] < 80
    assert run(path, out="cut", deals=80, batch=9, jobs=2).facts.deals == 80
    result = run(path, out="cut", jobs=1)
    assert tables(tmp_path / "cut") == tables(tmp_path / "straight")
    assert said(result) == said(straight)
    assert manifest(tmp_path / "cut")["status"] == "complete"


def test_a_run_leaves_all_that_was_promised(write: Write) -> None:
    result = run(write(), seed=12, deals=20)
    assert result.folder == Path("reports/small")
    for name in ("report.html", "experiment.toml", "manifest.json", "run.sqlite", "tables/strength.csv"):
        assert (result.folder / name).is_file()
    assert {p.suffix for p in (result.folder / "charts").iterdir()} == {".svg", ".png"}
    about = manifest(result.folder)
    assert (about["experiment"], about["status"], about["deals"], about["seed"]) == ("small", "complete", 20, 12)
    assert about["games"] == result.facts.games == 20 * prepare("small.toml").plan.games_a_deal
    assert {"simkit", "numba", "numpy", "python"} <= set(about["versions"])
    assert set(about["sources"]) == {"random", "greedy", "simkit"}
    frame = pd.read_csv(result.folder / "tables/strength.csv")
    pd.testing.assert_frame_equal(frame, result.tables["strength"], check_dtype=False, rtol=1e-15)


def test_the_command_in_the_report_is_the_run_again(write: Write, tmp_path: Path) -> None:
    path = write()
    result = run(path, overrides=["rules.jokers=0", "deals=30", "seed=3"], deals=25, out="first")
    words = shlex.split(result.facts.command)
    assert words == ["simkit", "run", str(path), "-s", "rules.jokers=0", "--deals", "25", "--seed", "3"]
    assert manifest(tmp_path / "first")["command"] == result.facts.command


@pytest.mark.usefixtures("quick")
def test_progress_is_told_the_headline_as_it_tightens(write: Write) -> None:
    told, path = [], write(*CHEAP)
    result = run(path, batch=30, jobs=1, progress=lambda *words: told.append(words))
    assert [words[:3] for words in told[1:]] == [(30, 100, 60), (60, 100, 60), (90, 100, 60), (100, 100, 20)]
    assert told[0][2] == 0  # before anything was played
    share, half_width = re.fullmatch(r"([\d.]+) ± ([\d.]+) %", told[-1][3]).groups()
    headline = result.answer.headline
    assert float(share) / 100 - 0.5 == pytest.approx(headline.value, abs=1e-3)
    always = run(path, out="always", overrides=["always_valid=true"]).answer.headline  # as it is looked at all the time
    assert float(half_width) / 100 == pytest.approx((always.high - always.low) / 2, abs=1e-3)
    assert always.high - always.low > 1.5 * (headline.high - headline.low)


# --- the same run again -----------------------------------------------------------------------------------------------


def test_a_complete_run_answers_from_the_store(write: Write, nothing_is_played: Callable[[], None]) -> None:
    path = write()
    first = run(path)
    first.report.unlink()
    nothing_is_played()
    again = run(path)
    assert said(again) == said(first)
    assert again.report.is_file()


@pytest.mark.usefixtures("quick")
def test_a_stored_run_is_reported_as_far_as_it_went(write: Write, nothing_is_played: Callable[[], None]) -> None:
    path = write()
    folder = run(path, deals=30).folder
    about = (folder / "manifest.json").read_bytes()
    nothing_is_played()
    result = carry_out(prepare(path), only_stored=True)
    assert (result.facts.status, result.facts.deals) == ("interrupted", 30)
    assert carry_out(stored(folder), out=folder, only_stored=True).facts.status == "complete"
    assert (folder / "manifest.json").read_bytes() == about  # what says how the deals came about


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (("seed = 1", "seed = 2"), "seed: 1 in the run, 2 now"),
        (("max_rounds = 60", "max_rounds = 61"), "rules.max_rounds: 60 in the run, 61 now"),
        (("seed = 1", "seed = 1\nmargin = 0.02"), "margin: 0.01 in the run, 0.02 now"),
        (("seed = 1", "seed = 1\nkeep_games = true"), "keep_games: "),
        (('["K"]', '["K", "A"]'), "card_strength.cards: "),
        (("greedy = {}", 'greedy = { use = "random" }'), "strategies.greedy.use: "),
        (("greedy = {}", "greedy = {}\nshedder = {}"), "strategies.shedder: not in the run"),
        (("random = {}\ngreedy = {}", "greedy = {}\nrandom = {}"), "strategies: random, greedy in the run"),
    ],
)
def test_a_changed_experiment_is_refused_with_what_differs(write: Write, change: Change, difference: str) -> None:
    run(write(), deals=2)
    before = tables(Path("reports/small"))
    with pytest.raises(UsageError, match=r"small: holds a run of another experiment") as refused:
        run(write(change), deals=2)
    assert f"  {difference}" in str(refused.value)
    assert "--fresh" in str(refused.value)
    assert tables(Path("reports/small")) == before


@pytest.mark.usefixtures("quick")
def test_texts_of_an_experiment_may_change(write: Write, nothing_is_played: Callable[[], None]) -> None:
    run(write(), deals=2)
    nothing_is_played()
    changed = write(("seed = 1", 'seed = 1\ntitle = "Is the King <too> strong?"'))
    assert run(changed, deals=2).answer.question == "Is the King <too> strong?"


@pytest.mark.usefixtures("quick")
def test_an_edited_strategy_is_another_experiment(write: Write, tmp_path: Path) -> None:
    mine = tmp_path / "strategies" / "colina" / "mine.py"
    mine.parent.mkdir(parents=True)
    shutil.copy(strategy.shipped_folder("strategies") / "colina" / "random.py", mine)
    path = write(("random = {}\n", ""), ("greedy = {}", "mine = {}"))
    run(path, deals=2)
    mine.write_text(mine.read_text(encoding="utf-8") + "\n# an afterthought\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"strategies\.mine: its source is not the one in the run"):
        run(path, deals=2)
    run(path, deals=2, fresh=True)


@pytest.mark.usefixtures("quick")
def test_a_change_of_simkits_own_code_is_noticed(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(*CHEAP)
    run(path, deals=2)
    sources = driver.sources
    with monkeypatch.context() as patched:
        patched.setattr(driver, "sources", lambda game: (*sources(game), b"one more rule"))
        with pytest.raises(UsageError, match="simkit's own code for this game is not that of the run"):
            run(path, deals=2)
    monkeypatch.setattr(runs, "plan_hash", lambda plan: "of other series")
    with pytest.raises(UsageError, match="what simkit plays and observes for this question is not that of the run"):
        run(path, deals=2)


def test_shipped_experiments_are_the_same_in_every_process(write: Write) -> None:
    names = sorted(Catalog().experiments)
    code = """
import sys
from simkit.prepared import prepare
from simkit.run_folder import plan_hash
print(*(plan_hash(prepare(name).plan) for name in sys.argv[1:]))
"""
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", code, *names]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert ended.stdout.split() == [plan_hash(prepare(name).plan) for name in names]


@pytest.mark.usefixtures("quick")
def test_fewer_deals_than_there_are_is_refused(write: Write) -> None:
    path = write(*CHEAP)
    run(path, deals=20)
    with pytest.raises(UsageError, match="holds 20 deals, more than the 19 asked for"):
        run(path, deals=19)
    assert run(path, deals=19, fresh=True).facts.deals == 19


@pytest.mark.usefixtures("quick")
def test_fresh_removes_what_a_run_left_and_nothing_else(write: Write, tmp_path: Path) -> None:
    path, folder = write(), tmp_path / "mine"
    (folder / "games").mkdir(parents=True)
    for name in ("games/monopoly.txt", "notes.txt"):
        (folder / name).write_text("not simkit's", encoding="utf-8")
    run(path, deals=2, out=folder, fresh=True)  # no run was there
    assert (folder / "games/monopoly.txt").is_file()
    (folder / "tables" / "old.csv").touch()
    assert run(path, deals=1, out=folder, fresh=True, seed=5).facts.seed == 5
    assert (folder / "notes.txt").is_file()
    assert "old.csv" not in tables(folder)


# --- a folder that cannot be used -------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_made_is_told(write: Write, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot write here: .*Choose another folder with --out"):
        run(write(), out=tmp_path / "file" / "run")


def test_a_read_only_folder_is_told(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *args: Any, **options: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(UsageError, match=r"small: cannot write here: Read-only file system\. Choose another"):
        run(write())


def test_a_disk_that_fills_up_leaves_no_half_report(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path, write_bytes = write(), Path.write_bytes

    def fill_up(file: Path, content: bytes) -> int:
        if "report.html" in file.name:
            write_bytes(file, content[:1000])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write_bytes(file, content)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", fill_up)
        with pytest.raises(UsageError, match=r"report\.html: cannot be written: No space left on device") as fault:
            run(path, deals=10)
    assert "\n" not in str(fault.value)
    folder = Path("reports/small")
    assert not [file for file in folder.iterdir() if "report.html" in file.name]
    assert manifest(folder)["status"] == "interrupted"
    assert run(path, deals=10).report.read_text(encoding="utf-8").rstrip().endswith("</html>")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("value", ['{"seed": 1', "[1, 2]", "7"])
def test_a_damaged_identity_is_told(write: Write, value: str) -> None:
    path = write(*CHEAP)
    file = run(path, deals=2).folder / "run.sqlite"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE facts SET value = ? WHERE name = 'identity'", (value,))
    with pytest.raises(UsageError, match=r"run\.sqlite: damaged .*Use --fresh"):
        run(path, deals=2)


@pytest.mark.parametrize("numbers", [{"jobs": 0}, {"jobs": -1}, {"jobs": 10_001}, {"batch": 0}, {"batch": -7}])
def test_threads_and_batches_have_bounds(write: Write, numbers: dict[str, int]) -> None:
    name, value = next(iter(numbers.items()))
    with pytest.raises(UsageError, match=f"{name}: {value} is not a whole number from 1"):
        run(write(), **numbers)


# --- requirements -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """A run with a verdict on the king under each strategy: undecided, and fair (greedy never plays it)."""
    folder = tmp_path_factory.mktemp("judged")
    path = folder / "small.toml"
    path.write_text(TEXT.replace("deals = 100", "deals = 400"), encoding="utf-8")
    return run(path, out=folder / "run")


def test_requirements_that_hold_are_quiet(judged: RunResult) -> None:
    assert {v.verdict for v in judged.verdicts} == {"undecided", "fair"}
    check_requirements(judged, {})
    check_requirements(judged, {"K.too_strong": False, "K.too_weak": False})


def test_every_requirement_that_does_not_hold_is_told(judged: RunResult) -> None:
    with pytest.raises(RequirementError) as fault:
        check_requirements(judged, {"K.fair": True, "K.too_weak": True, "K.too_strong": False})
    lines = str(fault.value).splitlines()
    assert [line.split(" does not")[0] for line in lines] == [
        "require K.fair = true",
        "require K.too_weak = true",
        "require K.too_weak = true",
    ]
    assert fault.value.exit_code == 4
    assert "undecided within ±1 point under random against itself" in lines[0]


def test_a_requirement_of_something_unknown_names_what_there_is(judged: RunResult) -> None:
    with pytest.raises(RequirementError, match=r"require A\.fair: no verdict on A\. Verdicts on: K\."):
        check_requirements(judged, {"A.fair": True})


# --- what comes back --------------------------------------------------------------------------------------------------


def test_a_result_hands_out_frames_figures_and_verdicts(judged: RunResult) -> None:
    from matplotlib import pyplot as plt
    from matplotlib.figure import Figure

    assert all(isinstance(frame, pd.DataFrame) and len(frame) for frame in judged.tables.values())
    assert set(judged.tables) == {table.name for table in judged.answer.tables}
    figures = judged.figures
    assert "strength" in figures
    assert all(isinstance(figure, Figure) for figure in figures.values())
    assert not plt.get_fignums()  # nothing is left open
    assert judged.summary == judged.answer.summary
    assert judged.report.is_file()


def test_a_result_in_a_notebook_is_escaped(write: Write, tmp_path: Path) -> None:
    label = ("greedy = {}", '"<b>greedy</b>" = { use = "greedy" }')
    title = ("seed = 1", 'seed = 1\ntitle = "<script>alert(1)</script>"')
    page = run(write(title, label), deals=2, out=tmp_path / "a <i> & b")._repr_html_()
    assert "&lt;script&gt;" in page
    assert "&lt;i&gt; &amp; b" in page
    assert not any(tag in page for tag in ("<script", "<b>greedy", "<i>"))


# --- rows of single games ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("quick")
def test_kept_games_are_those_of_the_tables(write: Write) -> None:
    path = write(*CHEAP)
    with pytest.raises(InterruptedRun):
        run(path, keep_games=True, batch=7, progress=lambda *told: told[2] and signal.raise_signal(signal.SIGINT))
    result = run(path, keep_games=True, batch=30)
    games = pd.read_parquet(result.folder / "games")
    assert len(games) == result.facts.games == 200
    assert games[["arm", "deal", "rotation"]].value_counts().eq(1).all()
    finished = games[games["unfinished"] == 0]
    headline = result.answer.headline
    assert headline.value == pytest.approx((finished["winner"] == 0).mean() - 0.5, abs=1e-15)


# --- experiments by name ----------------------------------------------------------------------------------------------


def test_an_experiment_goes_by_its_name(write: Write, tmp_path: Path) -> None:
    own = tmp_path / "experiments" / "mine.toml"
    own.parent.mkdir()
    write().rename(own)
    assert prepare("mine").experiment.name == "mine"
    assert prepare("mine").base == own.parent
    assert prepare("colina_kings").experiment.game == "colina"
    with pytest.raises(UsageError, match="nowhere: no such file"):
        prepare("nowhere")
