"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import json
import math
import os
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from simkit.errors import UsageError
from simkit.report.files import answer_json, save_chart, write_markdown, write_report, write_tables, write_whole
from tests.report.examples import answer, facts, files_of, forest

NAMES = ["charts/again.png", "charts/again.svg", "charts/strength.png", "charts/strength.svg", "report.html"]


def test_a_report_is_a_page_with_its_tables_and_charts_beside_it(tmp_path: Path) -> None:
    page = write_report(tmp_path / "new" / "run", answer(), facts())
    assert page == tmp_path / "new" / "run" / "report.html"
    assert files_of(page.parent) == [*NAMES, "tables/cards.csv"]
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_a_table_on_disk_has_all_columns_and_all_digits(tmp_path: Path) -> None:
    write_report(tmp_path, answer(), facts())
    read = pd.read_csv(tmp_path / "tables" / "cards.csv")
    assert list(read.columns) == ["card", "rate", "half", "games", "hidden"]
    assert read["hidden"][0] == 0.1 + 0.2
    assert read["rate"][0] == 0.5234567890123
    assert math.isnan(read["rate"][1])


def test_writing_again_replaces_the_report_and_gives_the_same_bytes(tmp_path: Path) -> None:
    first = write_report(tmp_path, answer(), facts()).read_bytes()
    assert write_report(tmp_path, answer(), facts()).read_bytes() == first
    assert len(files_of(tmp_path)) == len(NAMES) + 1


def test_a_name_cannot_leave_its_folder(tmp_path: Path) -> None:
    (table,) = answer().tables
    write_report(tmp_path / "run", replace(answer(), tables=(replace(table, name="../../etc/K♠ x"),)), facts())
    assert files_of(tmp_path / "run" / "tables") == ["_.._etc_K_x.csv"]
    assert files_of(tmp_path) == [f"run/{name}" for name in [*NAMES, "tables/_.._etc_K_x.csv"]]


def test_a_chart_is_saved_as_svg_and_png(tmp_path: Path) -> None:
    save_chart(forest("K"), tmp_path, "strength", "what it shows")
    assert files_of(tmp_path) == ["strength.png", "strength.svg"]
    assert "what it shows" in (tmp_path / "strength.svg").read_text()


def test_markdown_lies_beside_the_page_and_shows_the_pictures_that_are_there(tmp_path: Path) -> None:
    write_report(tmp_path, answer(), facts())
    path = write_markdown(tmp_path, answer(), facts())
    assert path == tmp_path / "report.md"
    pictures = [line.split("(")[-1].rstrip(")") for line in path.read_text().splitlines() if line.startswith("![")]
    assert pictures == ["charts/strength.svg", "charts/again.svg"]
    assert all((tmp_path / picture).is_file() for picture in pictures)


def test_a_page_of_markdown_that_is_there_is_kept_true(tmp_path: Path) -> None:
    write_markdown(tmp_path, answer("old"), facts())
    write_report(tmp_path, answer("new"), facts())
    assert "old" not in (tmp_path / "report.md").read_text()


def test_tables_can_be_written_alone(tmp_path: Path) -> None:
    assert write_tables(tmp_path, answer()) == [tmp_path / "tables" / "cards.csv"]
    assert files_of(tmp_path) == ["tables/cards.csv"]


def test_a_full_disk_leaves_no_half_written_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UsageError, match=r"cards\.csv: cannot be written: No space left on device\.$"):
        write_report(tmp_path, answer(), facts())
    assert files_of(tmp_path) == []


def test_a_failed_replacement_keeps_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(tmp_path / "report.html", b"old")

    def refuse(source: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(UsageError, match="Permission denied"):
        write_whole(tmp_path / "report.html", b"new")
    assert files_of(tmp_path) == ["report.html"]
    assert (tmp_path / "report.html").read_bytes() == b"old"


def test_a_file_in_the_way_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("a file")
    with pytest.raises(UsageError) as fault:
        write_report(tmp_path / "reports" / "run", answer(), facts())
    assert str(tmp_path / "reports" / "run") in str(fault.value)
    assert "\n" not in str(fault.value)
    assert fault.value.exit_code == 2
    assert files_of(tmp_path) == ["reports"]


def test_a_folder_in_the_way_of_the_page_leaves_no_page(tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    with pytest.raises(UsageError, match=r"report\.html: cannot be written"):
        write_report(tmp_path, answer(), facts())
    assert "report.html" not in files_of(tmp_path)


def test_json_has_the_keys_that_scripts_rely_on() -> None:
    made = answer_json(answer(), facts(), Path("reports/kings/report.html"))
    promised = ["experiment", "game", "question", "status", "deals", "games", "seed", "tables", "verdicts", "report"]
    assert set(promised) <= set(made)
    verdict_keys = ["subject", "estimate", "low", "high", "margin", "verdict", "under"]
    assert all(set(verdict_keys) <= set(verdict) for verdict in made["verdicts"])
    assert made["report"] == "reports/kings/report.html"
    assert made["question"] == "card_strength"
    assert made["verdicts"][1]["verdict"] == "undecided"


def test_json_is_strict_json_with_null_for_what_was_not_observed() -> None:
    text = json.dumps(answer_json(answer(), facts(), None), allow_nan=False)
    rows = json.loads(text)["tables"]["cards"]
    assert rows[0] == {"card": "K plain", "rate": 0.5234567890123, "half": 0.004, "games": 12345, "hidden": 0.1 + 0.2}
    assert rows[1]["rate"] is None


def test_json_keeps_the_types_of_a_frame() -> None:
    (table,) = answer().tables
    frame = pd.DataFrame({"flag": [True], "when": [pd.NaT], "missing": [pd.NA], "number": pd.array([3], dtype="Int64")})
    made = answer_json(replace(answer(), tables=(replace(table, frame=frame),)), facts(), None)
    assert made["tables"]["cards"] == [{"flag": True, "when": None, "missing": None, "number": 3}]
