"""Every command of the contract: what it prints, its keys, its exit code."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simkit import bench
from tests.conftest import CallSimkit, WriteExperiment

COMMANDS = ("run", "match", "replay", "report", "compare", "list", "show", "check", "bench", "init")
LARGEST_SEED = 2**64 - 1
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


# --- help and versions ------------------------------------------------------------------------------------------------


def test_help_names_every_command(simkit: CallSimkit) -> None:
    said = simkit("--help")
    assert said.code == 0
    assert all(re.search(rf"^  {command} ", said.out, re.M) for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(simkit: CallSimkit, command: str) -> None:
    said = simkit(command, "--help")
    assert said.code == 0
    assert f"simkit {command}" in said.out


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from simkit.cli import main\n"
        "sys.argv = ['simkit', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(*{'numpy', 'numba', 'pandas', 'matplotlib', 'scipy'} & set(sys.modules), file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage: simkit" in ended.stdout
    assert ended.stderr.strip() == ""


def test_version_names_what_results_rest_on(simkit: CallSimkit) -> None:
    said = simkit("--version")
    assert said.code == 0
    assert all(re.search(rf"{name} \d+\.\d+", said.out) for name in ("simkit", "numba", "numpy"))


# --- match ------------------------------------------------------------------------------------------------------------


def test_match_as_json_has_the_keys_of_the_contract(simkit: CallSimkit) -> None:
    found = simkit("match", "colina", "greedy", "random", "--deals", 30, "--seed", 7, "--json").json
    keys = {"game", "strategies", "rules", "seed", "deals", "games", "seats", "outcome", "unfinished"}
    assert keys <= set(found)
    assert (found["game"], found["strategies"], found["seed"]) == ("colina", ["greedy", "random"], 7)
    assert (found["deals"], found["games"], found["unfinished"]) == (30, 60, 0)
    assert found["rules"]["start_points"] == 100
    for place, seat in enumerate(found["seats"]):
        assert {"seat", "strategy", "wins", "draws", "games", "score_mean", "score_sd"} <= set(seat)
        assert (seat["seat"], seat["games"]) == (place, 60)
        assert seat["low"] <= seat["win_rate"] <= seat["high"]
    assert {"rounds", "points_0", "points_1"} <= set(found["outcome"])
    assert all(set(column) == {"mean", "se", "min", "max"} for column in found["outcome"].values())


def test_match_gives_the_same_bits_whatever_the_jobs(simkit: CallSimkit) -> None:
    words = ("match", "colina", "greedy", "random", "--deals", 3000, "--json")
    assert simkit(*words, "--jobs", 1).out == simkit(*words, "--jobs", 2).out


def test_match_sets_rules_and_parameters_and_can_leave_the_seats(simkit: CallSimkit) -> None:
    words = ("match", "colina", "hill_hunter:max_front=3", "-s", "rules.start_points=10", "-s", "rules.king_on=false")
    found = simkit(*words, "--deals", 20, "--no-rotate", "--json").json
    assert (found["deals"], found["games"]) == (20, 20)
    assert (found["rules"]["start_points"], found["rules"]["king_on"]) == (10, False)
    assert found["strategies"] == ["hill_hunter:max_front=3"] * 2


def test_match_on_a_screen_is_plain_text_in_a_pipe(simkit: CallSimkit) -> None:
    said = simkit("match", "colina", "greedy", "random", "--deals", 30)
    assert said.code == 0
    assert "Colina: greedy against random" in said.out
    assert not CONTROL.search(said.out)


@pytest.mark.parametrize("seed", [0, LARGEST_SEED])
def test_match_takes_the_smallest_and_the_largest_seed(simkit: CallSimkit, seed: int) -> None:
    assert simkit("match", "colina", "--deals", 2, "--seed", seed, "--json").json["seed"] == seed


# --- replay -----------------------------------------------------------------------------------------------------------


def test_replay_tells_several_deals_in_words(simkit: CallSimkit) -> None:
    said = simkit("replay", "colina", "greedy", "random", "--deal", 5, "-n", 2, "--seed", 3)
    assert said.code == 0
    assert re.findall(r"deal (\d+), seed 3", said.out) == ["5", "6"]


def test_replay_as_json_is_a_line_an_event(simkit: CallSimkit) -> None:
    said = simkit("replay", "colina", "greedy", "-s", "rules.start_points=10", "--json")
    events = [json.loads(line) for line in said.out.splitlines()]
    assert (events[0]["type"], events[-1]["type"]) == ("game", "end")
    assert events[0]["rules"]["start_points"] == 10


# --- run, report ------------------------------------------------------------------------------------------------------


def test_run_as_json_has_the_keys_of_the_contract(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    said = simkit("run", experiment(), "--quiet", "--json")
    assert said.err == ""
    found = said.json
    keys = {"experiment", "game", "question", "status", "deals", "games", "seed", "tables", "verdicts", "report"}
    assert keys <= set(found)
    assert (found["experiment"], found["question"], found["status"]) == ("small", "card_strength", "complete")
    for verdict in found["verdicts"]:
        assert {"subject", "estimate", "low", "high", "margin", "verdict", "under"} <= set(verdict)
        assert verdict["verdict"] in {"fair", "too strong", "too weak", "undecided"}
    assert Path(found["report"]) == Path("reports/small/report.html")
    for name in ("report.html", "experiment.toml", "manifest.json", "run.sqlite"):
        assert (Path("reports/small") / name).is_file()


def test_run_answers_at_once_the_second_time_and_report_writes_the_page_anew(
    simkit: CallSimkit, experiment: WriteExperiment
) -> None:
    path = experiment()
    first = simkit("run", path, "--json").json
    assert simkit("run", path, "--json").json == first
    page = Path("reports/small/report.html")
    page.unlink()
    said = simkit("report", "small")
    assert (said.code, said.out) == (0, "reports/small/report.html\n")
    assert page.is_file()


def test_report_writes_markdown_and_tables_and_prints_their_paths(
    simkit: CallSimkit, experiment: WriteExperiment
) -> None:
    simkit("run", experiment(), "--quiet")
    said = simkit("report", "small", "--format", "md")
    assert (said.code, said.out) == (0, "reports/small/report.md\n")
    assert Path("reports/small/report.md").read_text(encoding="utf-8").startswith("# ")
    tables = simkit("report", "small", "--format", "csv").out.splitlines()
    assert tables
    assert all(Path(path).is_file() and path.startswith("reports/small/tables/") for path in tables)


def test_every_run_in_reports_is_in_the_index_and_report_alone_writes_it_anew(
    simkit: CallSimkit, experiment: WriteExperiment, tmp_path: Path
) -> None:
    simkit("run", experiment(), "--quiet", "--out", tmp_path / "elsewhere")
    index = Path("reports/index.html")
    assert not index.exists()
    simkit("run", experiment(), "--quiet")
    assert 'href="small/report.html"' in index.read_text(encoding="utf-8")
    index.unlink()
    said = simkit("report")
    assert (said.code, said.out) == (0, "reports/index.html\n")
    assert 'href="small/report.html"' in index.read_text(encoding="utf-8")


@pytest.mark.usefixtures("quick")
def test_run_ends_with_the_answer_and_the_path_of_the_report(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    said = simkit("run", experiment(), "--jobs", 1)
    assert said.code == 0
    assert said.out.rstrip().endswith("Report: reports/small/report.html")
    assert "40 of 40 deals" in said.err
    assert not CONTROL.search(said.out + said.err)


@pytest.mark.usefixtures("quick")
def test_options_of_run_stand_for_keys_of_the_file(
    simkit: CallSimkit, experiment: WriteExperiment, tmp_path: Path
) -> None:
    words = ("run", experiment(), "--deals", 20, "--seed", 9, "-s", "rules.jokers=0", "--out", tmp_path / "elsewhere")
    found = simkit(*words, "--json").json
    assert (found["deals"], found["seed"]) == (20, 9)
    resolved = (tmp_path / "elsewhere" / "experiment.toml").read_text(encoding="utf-8")
    assert "jokers = 0" in resolved


def test_dry_run_plays_and_writes_nothing(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    said = simkit("run", experiment(), "--dry-run")
    assert said.code == 0
    assert "40 deals" in said.out
    assert not Path("reports").exists()


def test_dry_run_as_json_is_one_object(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    said = simkit("run", experiment(), "--dry-run", "--json")
    assert said.code == 0
    assert {k: said.json[k] for k in ("experiment", "game", "deals", "seed")} == {
        "experiment": "small", "game": "colina", "deals": 40, "seed": 1,
    }  # fmt: skip
    assert said.json["games"] == 40 * 2 * len(said.json["arms"])
    assert not (experiment().parent / "reports").exists()


@pytest.mark.usefixtures("quick")
def test_a_changed_experiment_is_refused_with_what_differs_until_fresh(
    simkit: CallSimkit, experiment: WriteExperiment
) -> None:
    simkit("run", experiment(), "--quiet")
    path = experiment(("max_rounds = 50", "max_rounds = 60"))
    said = simkit("run", path, "--quiet")
    assert said.code == 2
    assert "rules.max_rounds: 50 in the run, 60 now" in said.err
    assert "--fresh" in said.err
    assert simkit("run", path, "--quiet", "--fresh").code == 0


@pytest.mark.usefixtures("quick")
def test_a_requirement_that_does_not_hold_has_its_own_exit_code(
    simkit: CallSimkit, experiment: WriteExperiment
) -> None:
    path = experiment(("[card_strength]", '[require]\n"K.too_weak" = true\n\n[card_strength]'))
    said = simkit("run", path, "--quiet")
    assert said.code == 4
    assert "require K.too_weak = true does not hold" in said.err
    assert "Report: " in said.out


@pytest.mark.parametrize(
    ("key", "fault"),
    [
        ("King.fair", 'require."King.fair": no verdict is given on King. Verdicts on: K.'),
        ("K.fiar", 'require."K.fiar": fiar: no such verdict. Verdicts: fair, too_strong, too_weak, undecided.'),
    ],
)
def test_a_requirement_that_no_verdict_can_answer_is_found_before_play(
    simkit: CallSimkit, experiment: WriteExperiment, key: str, fault: str
) -> None:
    path = experiment(("[card_strength]", f'[require]\n"{key}" = true\n\n[card_strength]'))
    for command in ("run", "check"):
        said = simkit(command, path)
        assert said.code == 2
        assert f"{fault}" in said.err
    assert not (path.parent / "reports").exists()


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path, experiment: WriteExperiment) -> None:
    path, kept = experiment(("deals = 40", "deals = 100_000_000")), tmp_path / "kept"
    program = "from simkit.cli import main; main()"
    command = [sys.executable, "-c", program, "run", str(path), "--out", str(kept), "--fresh", "--quiet"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        while not (kept / "run.sqlite").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith(f"Go on with:\n  simkit run {path} --out {kept} --quiet\n")


@pytest.mark.usefixtures("quick")
def test_compare_puts_runs_side_by_side(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    simkit("run", experiment(name="one"), "--quiet")
    simkit("run", experiment(("seed = 1", "seed = 2"), name="two"), "--quiet")
    said = simkit("compare", "one", "reports/two")
    assert said.code == 0
    assert "one" in said.out
    assert "two" in said.out
    assert "seed: 1 in the first, 2 here" in said.out
    assert not CONTROL.search(said.out)


# --- list, show, bench, init ------------------------------------------------------------------------------------------


def test_strategies_are_listed_as_json_with_exactly_these_keys(simkit: CallSimkit) -> None:
    rows = simkit("list", "strategies", "--json").json
    assert all(list(row) == ["name", "game", "about", "parameters", "path"] for row in rows)
    (hunter,) = [row for row in rows if row["name"] == "hill_hunter"]
    assert (hunter["game"], hunter["parameters"]) == ("colina", {"max_front": 5})
    assert Path(hunter["path"]).is_file()


@pytest.mark.usefixtures("quick")
def test_lists_are_plain_text_in_a_pipe(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    simkit("run", experiment(), "--quiet")
    for what in ("games", "strategies", "experiments", "runs"):
        said = simkit("list", what)
        assert (said.code, said.err) == (0, "")
        assert said.out.startswith("name ")
        assert not CONTROL.search(said.out)


def test_a_broken_strategy_file_is_told_beside_the_list(simkit: CallSimkit, tmp_path: Path) -> None:
    folder = tmp_path / "strategies" / "colina"
    folder.mkdir(parents=True)
    (folder / "broken.py").write_text("def act(view\n", encoding="utf-8")
    said = simkit("list", "strategies", "--json")
    assert "broken" not in {row["name"] for row in said.json}
    assert "broken.py:1: not valid Python" in said.err


def test_show_finds_whatever_has_the_name(simkit: CallSimkit) -> None:
    assert "COL-4.5" in simkit("show", "colina").out
    assert "max_front = 5" in simkit("show", "hill_hunter").out


def test_bench_as_json_is_a_line_a_measurement(simkit: CallSimkit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.01)
    monkeypatch.setattr(bench, "REPEATS", 1)
    said = simkit("bench", "colina", "--json")
    rows = [json.loads(line) for line in said.out.splitlines()]
    assert all(set(row) == {"game", "strategies", "threads", "games_per_s", "decisions_per_s"} for row in rows)
    assert {row["strategies"] for row in rows} == {"random", "greedy"}
    assert "decisions/s" in simkit("bench", "colina").out


def test_init_makes_a_workspace_and_says_how_to_go_on(simkit: CallSimkit, tmp_path: Path) -> None:
    said = simkit("init", "mine")
    assert said.code == 0
    assert "cd mine && simkit run experiments/colina_kings.toml" in said.out
    assert (tmp_path / "mine" / "strategies" / "colina" / "greedy.py").is_file()


def test_check_says_that_an_experiment_is_sound(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    said = simkit("check", experiment())
    assert said.code == 0
    assert "small.toml: ok, card_strength of colina" in said.out


def test_rules_that_may_not_be_meant_are_warned_of(simkit: CallSimkit, experiment: WriteExperiment) -> None:
    words = "no expedition can hold 13 cards, 12 at most: there is no bonus."
    said = simkit("match", "lost_cities", "random", "--deals", 10, "-s", "rules.bonus_cards=13")
    assert (said.code, said.err) == (0, f"warning: rules.bonus_cards: {words}\n")
    assert simkit("replay", "lost_cities", "-s", "rules.bonus_cards=13").err.endswith(f"{words}\n")
    assert simkit("match", "lost_cities", "random", "--deals", 10, "-s", "rules.bonus_cards=12").err == ""
