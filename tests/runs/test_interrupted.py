"""Runs that are killed, interrupted, or stopped when enough is known: they go on to the same bits."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from simkit.errors import InterruptedRun, UsageError
from simkit.prepared import prepare
from simkit.runs import carry_out, run
from tests.runs.lab import CHEAP, UNTIL, Write, manifest, said, tables

# --- killed and interrupted processes ---------------------------------------------------------------------------------

PROGRAM = "import sys, simkit; simkit.run(sys.argv[1], out='killed', deals=int(sys.argv[2]), batch=5, jobs=2)"


def deals_in(file: Path) -> int:
    """The deals of a run that another process plays."""
    if not file.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT total(deals) FROM ranges").fetchone()[0])
    except sqlite3.OperationalError:  # being made, or written to
        return 0


def wait_for_deals(process: subprocess.Popen[Any], file: Path, more_than: int) -> int:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if (deals := deals_in(file)) > more_than:
            return deals
        assert process.poll() is None, "it ended before it was stopped"
        time.sleep(0.01)
    raise AssertionError("nothing was stored in a minute")


@pytest.mark.usefixtures("quick")
def test_a_killed_process_loses_only_its_batches_in_flight(write: Write, tmp_path: Path) -> None:
    path, file, deals, stored_deals = write(), tmp_path / "killed" / "run.sqlite", 3000, 0
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", PROGRAM, str(path), str(deals)], cwd=tmp_path) as process:
            seen = wait_for_deals(process, file, stored_deals)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        assert manifest(tmp_path / "killed")["status"] == "interrupted"
        stored_deals = carry_out(prepare(path), out="killed", only_stored=True).facts.deals  # reads what was kept
        assert seen <= stored_deals < deals
    result = run(path, out="killed", deals=deals)
    assert said(result) == said(run(path, out="straight", deals=deals))
    assert tables(tmp_path / "killed") == tables(tmp_path / "straight")


COMMAND = [sys.executable, "-c", "from simkit.cli import main; main()"]


def simkit(*words: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_ctrl_c_ends_a_run_at_once_and_the_line_it_prints_goes_on(write: Write, tmp_path: Path) -> None:
    path = write(*CHEAP, ("max_rounds = 60", "max_rounds = 1000"))  # three batches' worth of seconds
    words = ["run", str(path), "--deals", "400_000", "--out", "a folder"]
    with simkit(*words, cwd=tmp_path) as process:
        seen = wait_for_deals(process, tmp_path / "a folder" / "run.sqlite", 0)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert time.monotonic() - began < 5  # well below 1 s on a machine that has nothing else to do
    assert process.returncode == 130
    about = manifest(tmp_path / "a folder")
    assert about["status"] == "interrupted"
    assert seen <= about["deals"] < 400_000
    line = errors.splitlines()[-1]
    assert shlex.split(line) == ["simkit", *words]
    shorter = [word.replace("400_000", str(about["deals"] + 100)) for word in shlex.split(line)[1:]]
    with simkit(*shorter, "--json", cwd=tmp_path) as process:
        out, _ = process.communicate(timeout=60)
    assert json.loads(out)["deals"] == about["deals"] + 100


def test_ctrl_c_while_it_compiles_is_no_fault_of_a_strategy(write: Write, tmp_path: Path) -> None:
    environment = os.environ | {"SIMKIT_CACHE": str(tmp_path / "cache")}
    with simkit("run", str(write()), cwd=tmp_path, env=environment) as process:
        assert process.stderr is not None
        assert "compiling" in process.stderr.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == f"  simkit run {tmp_path / 'small.toml'}"
    assert "Traceback" not in errors
    assert manifest(tmp_path / "reports" / "small")["status"] == "interrupted"


# --- until it is known well enough ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("quick")
def test_a_run_until_a_precision_stops_at_the_same_deal_however_it_is_played(
    write: Write, nothing_is_played: Callable[[], None]
) -> None:
    path = write(*CHEAP, UNTIL)
    straight = run(path, out="straight")
    assert 2_000 < straight.facts.deals < 100_000
    headline = straight.answer.headline
    assert (headline.high - headline.low) / 2 <= 0.005
    assert straight.facts.status == "complete"
    other = run(path, out="other", jobs=1, batch=501)
    assert said(other) == said(straight)

    def interrupt(done: int, wanted: int, games: int, headline: str = "") -> None:
        if done > 2_500:  # in the second step
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(InterruptedRun):
        run(path, out="cut", batch=501, progress=interrupt)
    assert carry_out(prepare(path), out="cut", only_stored=True).facts.status == "interrupted"
    assert said(run(path, out="cut")) == said(straight)
    nothing_is_played()
    assert said(run(path, out="straight")) == said(straight)


@pytest.mark.usefixtures("quick")
def test_the_most_deals_of_a_run_are_kept_to(write: Write) -> None:
    few = ("deals = 100", "until = { half_width = 0.005, max_deals = 300 }")
    assert run(write(*CHEAP, few)).facts.deals == 300
    fewer = ("deals = 100", "until = { half_width = 0.005, max_deals = 299 }")
    with pytest.raises(UsageError, match="holds 300 deals, more than the 299 asked for"):
        run(write(*CHEAP, fewer))
    more = ("deals = 100", "until = { half_width = 0.005, max_deals = 2_500 }")
    assert run(write(*CHEAP, more)).facts.deals == 2_500


@pytest.mark.usefixtures("quick")
def test_a_precision_that_cannot_be_reached_is_told(write: Write) -> None:
    path = write(*CHEAP, UNTIL, ("max_rounds = 60", "max_rounds = 1"))  # no game comes to its end
    with pytest.raises(UsageError, match=r"until: in 2,000 deals nothing was seen"):
        run(path)


@pytest.mark.usefixtures("quick")
def test_deals_and_until_may_follow_each_other(write: Write) -> None:
    path = write(*CHEAP)
    run(path, deals=2_100)
    assert run(path, overrides=["until.half_width=0.4"]).facts.deals == 2_100
    assert run(path, deals=2_200).facts.deals == 2_200
