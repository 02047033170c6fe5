"""The answer fits on one screen."""

from __future__ import annotations

import io
from dataclasses import replace

import pandas as pd
import pytest
from rich.console import Console

from simkit.answer import Answer, Column
from simkit.report.facts import RunFacts
from simkit.report.terminal import print_answer
from tests.report.examples import answer, facts, verdict

PATH = "reports/kings/report.html"


def screen(shown: Answer, run: RunFacts | None = None, path: str = PATH, width: int = 80, **options: object) -> str:
    """What is printed; by default into a pipe 80 characters wide."""
    console = Console(file=io.StringIO(), width=width, **options)  # type: ignore[arg-type]
    print_answer(shown, run or facts(), path, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def verdicts(n: int) -> Answer:
    made = [verdict(f"card {i}", i / 1000, "fair" if i < 8 else "too strong") for i in range(n)]
    return replace(answer(), verdicts=tuple(made))


def test_question_table_answer_and_path_are_told_in_this_order() -> None:
    shown = screen(answer())
    order = ["Is the King too strong?", "+0.4 ± 0.3", "✓ fair", "greedy against itself", "No: +0.42", f"Report: {PATH}"]
    places = [shown.index(text) for text in order]
    assert places == sorted(places)


@pytest.mark.parametrize("n", [1, 5, 12, 40])
def test_it_fits_on_one_screen(n: int) -> None:
    long = replace(verdicts(n), summary="The King is not too strong under any of six ways of playing. " * 3)
    lines = screen(long, replace(facts(), status="interrupted")).splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80


def test_twelve_verdicts_are_all_shown() -> None:
    shown = screen(verdicts(12))
    assert all(f"card {i} " in shown for i in range(12))
    assert "more" not in shown


def test_of_many_verdicts_the_most_extreme_are_shown_and_the_rest_counted() -> None:
    shown = screen(verdicts(40))
    assert "card 39 " in shown
    assert "card 0 " not in shown
    assert "… and 29 more rows in the report" in shown


def test_without_verdicts_the_first_table_is_shown() -> None:
    shown = screen(replace(answer(), verdicts=()))
    assert "Win rate when drawn" in shown
    assert "52.3 ± 0.4 %" in shown
    assert "–" in shown


def test_columns_that_do_not_fit_are_counted() -> None:
    (table,) = answer().tables
    frame = pd.DataFrame({f"column{i}": ["x" * 15] * 20 for i in range(9)})
    wide = replace(table, frame=frame, columns={name: Column(name) for name in frame})
    shown = screen(replace(answer(), verdicts=(), tables=(wide,)))
    assert "more columns in the report" in shown
    assert "x" * 15 in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert len(shown.splitlines()) <= 23


@pytest.mark.parametrize("width", [80, 120])
def test_long_names_wrap_and_nothing_is_cut(width: int) -> None:
    subject, under = (
        "player.bluff = 0.75, believed_bluff_draw = 4, hand_size = 7",
        "retaliator against reckless, believing",
    )
    made = [verdict(subject, i / 100, "undecided", under=under) for i in range(20)]
    shown = screen(replace(answer(), verdicts=tuple(made)), width=width)
    words = " ".join(shown.split())
    assert all(word in words for word in [*subject.split(), *under.split()])
    assert "…" not in shown.replace("… and", "")
    assert len(shown.splitlines()) <= 23
    assert max(map(len, shown.splitlines())) <= width


def test_a_long_name_in_a_table_wraps_and_numbers_stay_whole() -> None:
    (table,) = answer().tables
    values = "[1, 2, 4, 8, 16, 32, 128]"
    row = {"under": "tracker against itself", "values": values, "a": 0.5, "b": 0.5, "half": 0.01}
    number = Column("points that change hands when 10 tricks or more win", "percent", "half")
    columns = {"under": Column("strategies"), "values": Column("values"), "a": number, "b": number}
    shown = screen(replace(answer(), verdicts=(), tables=(replace(table, frame=pd.DataFrame([row]), columns=columns),)))
    assert all(word in shown for word in values.split())
    assert shown.count("50.0 ± 1.0 %") == 2
    assert max(map(len, shown.splitlines())) <= 80


def test_a_table_that_sums_the_verdicts_up_stands_in_their_place() -> None:
    made = replace(verdicts(40), in_short="cards")
    assert "Win rate when drawn" in screen(made)
    assert "card 39" not in screen(made)


def test_without_tables_the_answer_stands_alone() -> None:
    shown = screen(replace(answer(), verdicts=(), tables=()))
    assert shown.split() == f"Is the King too strong? plain No: +0.42 ± 0.03 points. plain Report: {PATH}".split()


def test_an_interrupted_run_says_so() -> None:
    assert "Interrupted" in screen(answer(), replace(facts(), status="interrupted"))
    assert "Interrupted" not in screen(answer())


def test_a_pipe_gets_plain_text() -> None:
    assert "\x1b" not in screen(answer())


def test_a_terminal_gets_colours_unless_told_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[32m" in screen(answer(), force_terminal=True, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[32m" not in screen(answer(), force_terminal=True, color_system="standard")


def test_markup_in_a_name_is_a_name() -> None:
    shown = screen(replace(answer("[red]x[/red]"), verdicts=(verdict("[bold]K", 0.0, "fair"),)))
    assert "[red]x[/red]" in shown
    assert "[bold]K" in shown


def test_a_long_path_stays_on_one_line() -> None:
    path = "/".join(["a-rather-long-folder"] * 8)
    assert f"Report: {path}" in screen(answer(), path=path)
