"""Changes on a screen: to the digit that is known, clear ones only, and what was left out is said."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from simkit.answer import Estimate, Format
from simkit.compare import Against, Change, Comparison
from simkit.report.comparison import MOST_CHANGES, print_comparison
from simkit.runs import RunResult
from tests.report.examples import answer, facts


def estimate(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half, half / 2, 100, 100)


def change(series: str, by: float, half: float, form: Format = "percent") -> Change:
    return Change(series, series, form, estimate(0.5, 0.01), estimate(0.5 + by, 0.01), estimate(by, half))


def screen(*changes: Change) -> str:
    results = tuple(RunResult(answer(), facts(), Path("reports") / name) for name in ("one", "two"))
    said = io.StringIO()
    console = Console(width=200, file=said)
    print_comparison(Comparison(results, (Against(("seed: 1, 2",), changes, "Taken as independent."),)), console)
    return " ".join(said.getvalue().split())


def test_a_change_of_a_share_is_in_points_and_one_of_a_number_is_not() -> None:
    text = screen(change("a, b", 0.0712, 0.0151), change("c", 0.25, 0.11, "number"))
    assert "a, b 50.0 % 57.1 % +7.1 +5.6 to +8.6" in text
    assert "c 0.50 0.75 +0.25 +0.14 to +0.36" in text
    assert "reports/two less reports/one: 2 numbers are in both, 2 changed clearly." in text
    assert text.index("seed: 1, 2") < text.index("Verdicts") < text.index("Taken as independent.")


def test_the_headline_is_shown_whatever_it_did_and_of_the_others_the_clear_ones() -> None:
    many = [change(f"n{i}", 0.02, 0.01) for i in range(MOST_CHANGES + 4)]
    text = screen(change("headline", 0.0, 0.01), change("unclear", 0.005, 0.01), *many)
    assert "headline" in text
    assert "unclear" not in text
    assert f"n{MOST_CHANGES - 2} " in text
    assert f"n{MOST_CHANGES - 1} " not in text
    assert "5 more changed clearly: --json has all." in text


def test_runs_with_nothing_in_common_say_so() -> None:
    assert "reports/two and reports/one measure nothing that is the same in both." in screen()
