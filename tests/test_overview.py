"""The index of the reports folder says of each run what its folder says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from simkit.overview import entry, write_index
from simkit.report.files import write_report
from tests.report.examples import answer, facts


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The reports folder of a workspace, with a whole run and one that was killed before its first page."""
    monkeypatch.chdir(tmp_path)
    for name in ("whole", "killed"):
        (tmp_path / "reports" / name).mkdir(parents=True)
        (tmp_path / "reports" / name / "run.sqlite").touch()
    whole = tmp_path / "reports" / "whole"
    write_report(whole, answer('"&<'), facts())
    (whole / "experiment.toml").write_text('game = "colina"\n', encoding="utf-8")
    found = {"status": "complete", "deals": 7, "ended": "2026-05-01T10:00:00+0000"}
    (whole / "manifest.json").write_text(json.dumps(found), encoding="utf-8")
    return tmp_path / "reports"


def test_an_entry_is_read_from_page_manifest_and_experiment(reports: Path) -> None:
    found = entry(reports / "whole")
    assert (found.title, found.answer) == ('Is the King too strong? "&<', 'No: +0.42 ± 0.03 points. "&<')
    assert (found.game, found.deals, found.ended[:10], found.status) == ("colina", 7, "2026-05-01", "complete")
    assert found.link == "whole/report.html"


def test_a_killed_run_is_there_by_its_name(reports: Path) -> None:
    found = entry(reports / "killed")
    assert (found.title, found.answer, found.deals, found.status, found.link) == ("killed", "", 0, "interrupted", "")


def test_the_answer_is_the_first_sentence_that_is_no_question(reports: Path) -> None:
    summary = "Is it fair within ±2 points? No, at 3. 2 of 2 agree."
    write_report(reports / "whole", replace(answer(), summary=summary), facts())
    assert entry(reports / "whole").answer == "No, at 3."


def test_the_newest_run_comes_first_and_writing_again_replaces(reports: Path) -> None:
    path = write_index()
    assert path == Path("reports/index.html")
    page = path.read_text(encoding="utf-8")
    assert page.index("whole/report.html") < page.index("killed")
    assert write_index().read_text(encoding="utf-8") == page


def test_without_any_run_there_is_still_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert "No run yet." in write_index().read_text(encoding="utf-8")
