"""Runs side by side: what differs, what changed, and what its intervals take for granted."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from simkit.compare import Comparison, compare
from simkit.errors import UsageError
from simkit.runs import run
from tests.conftest import CallSimkit, write_experiment

POORER = ("max_rounds = 50", "max_rounds = 50\nstart_points = 60")
CASES = {"one": (), "two": (POORER, ("deals = 40", "deals = 30")), "three": (("seed = 1", "seed = 2"),)}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of 40 deals, one of 30 of them with another rule, and one of another seed."""
    folder = tmp_path_factory.mktemp("played")
    for name, changes in CASES.items():
        run(write_experiment(folder, *changes, name=name), out=folder / "reports" / name, jobs=1)
    return folder


@pytest.fixture
def runs(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """These runs, in a workspace of the test's own."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return [Path("reports") / name for name in CASES]


@pytest.fixture
def two(runs: list[Path]) -> list[Path]:
    """The first two, which share deals."""
    return runs[:2]


def by_name(comparison: Comparison) -> dict[str, tuple[float, float, float]]:
    return {c.series: (c.first.value, c.second.value, c.change.value) for c in comparison.against[0].changes}


def test_without_replay_each_number_is_its_runs_own_and_the_output_says_that_nothing_is_paired(
    two: list[Path],
) -> None:
    found = compare(two, replay=0)
    (against,) = found.against
    assert against.differences == ("rules.start_points: 100 in the first, 60 here",)
    assert against.pairing.startswith("Not paired, although the runs share deals")
    assert against.changes[0].series == "K/greedy v greedy/0/effect"
    assert against.changes[0].first == found.results[0].answer.headline
    assert all(second - first == change for first, second, change in by_name(found).values() if change == change)


def test_replay_pairs_the_deals_that_both_have_and_no_more(two: list[Path]) -> None:
    (against,) = compare(two, replay=1000, jobs=1).against
    assert against.pairing.startswith("Paired: both runs' games of the first 30 deals")
    assert {c.change.deals for c in against.changes} == {30}
    (second,) = compare([two[0], two[1]], replay=0).against
    own = {c.series: c.second.value for c in second.changes}  # of all 30 deals
    seen = [(c.second.value, own[c.series]) for c in against.changes if c.second.count]
    assert len(seen) > 20
    assert all(value == pytest.approx(expected) for value, expected in seen)


def test_replay_tells_how_far_it_is(two: list[Path]) -> None:
    told: list[tuple[int, int, int]] = []
    compare(
        two, replay=20, jobs=1, progress=lambda done, wanted, games, headline="": told.append((done, wanted, games))
    )
    assert told[0] == (0, 20, 0)
    assert told[-1][:2] == (20, 20)
    assert sum(games for *_, games in told) % 20 == 0 < told[-1][2]


def test_a_run_replayed_against_itself_has_not_changed(two: list[Path]) -> None:
    (against,) = compare([two[0], two[0]], replay=20, jobs=1).against
    assert against.differences == ()
    assert {c.change.value for c in against.changes if c.change.count} == {0.0}
    assert not any(c.is_clear for c in against.changes)


def test_small_runs_are_paired_unasked_and_large_ones_when_asked(
    two: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, unasked = (compare(two, replay=n, jobs=1) for n in (30, None))
    assert unasked.against == asked.against
    monkeypatch.setattr("simkit.compare.AT_ONCE", 30 * 2 - 1)
    assert compare(two).against[0].pairing.startswith("Not paired, although the runs share deals")


@pytest.mark.parametrize("deals", [-1, 1, 10**30])
def test_replay_takes_a_number_of_deals(two: list[Path], deals: int) -> None:
    with pytest.raises(UsageError, match=f"--replay: {deals} is not 0 or a whole number from 2"):
        compare(two, replay=deals)


def test_runs_of_another_seed_share_no_deals(runs: list[Path]) -> None:
    folders = [runs[0], runs[2]]
    assert compare(folders).against[0].pairing.startswith("Not paired: the runs have deals of their own")
    with pytest.raises(UsageError, match="share no deals: another game or another seed"):
        compare(folders, replay=10)


def test_a_run_of_other_code_is_not_replayed(two: list[Path]) -> None:
    with sqlite3.connect(two[1] / "run.sqlite") as store:
        (identity,) = store.execute("SELECT value FROM facts WHERE name = 'identity'").fetchone()
        changed = json.dumps(json.loads(identity) | {"engine": "another"})
        store.execute("UPDATE facts SET value = ? WHERE name = 'identity'", (changed,))
    store.close()
    with pytest.raises(UsageError, match="two: simkit's code or a strategy has changed since this run"):
        compare(two, replay=10)
    assert compare(two).against[0].pairing.startswith("Not paired, although the runs share deals")


def test_the_command_shows_the_change_on_a_screen_and_all_numbers_as_json(two: list[Path], simkit: CallSimkit) -> None:
    said = simkit("compare", "one", "two", "--replay", 20, "--jobs", 1)
    assert said.code == 0
    text = " ".join(said.out.split())
    assert "reports/two less reports/one: " in text
    assert "20 of 20 deals" in said.err
    assert "Paired: both runs' games of the first 20 deals" in text
    found = simkit("compare", "one", "two", "--json").json
    assert [r["deals"] for r in found["runs"]] == [40, 30]
    (against,) = found["against_first"]
    assert against["differences"] == ["rules.start_points: 100 in the first, 60 here"]
    words = "games won by the first player, greedy against itself, less the same with K off for the first player"
    assert against["changes"][0]["label"] == words
    assert set(against["changes"][0]) == {"series", "label", "first", "second", "change", "low", "high"}
