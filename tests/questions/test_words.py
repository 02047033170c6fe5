"""Words and command lines of the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simkit.answer import Estimate, Verdict
from simkit.questions.words import counted, everywhere, needed, points, replay_command, span, toml_value, within
from simkit.stats.verdicts import MOST_DEALS
from tests.questions.lab import lab, replayed

TEXT = """question = "seat_advantage"
[rules]
jack_factor = 1.5
king_on = [true, false]
[strategies]
greedy = {}
brave = { use = "hill_hunter", max_front = 9 }
usual = { use = "hill_hunter", max_front = 5 }
sheds = { use = "shedder", flip = true }
"""


def verdict(estimate: float, half: float = 0.003, more: int | None = None, under: str = "greedy") -> Verdict:
    return Verdict("K", estimate, estimate - half, estimate + half, 0.01, "undecided", under, 0.5, more, "K.")


def test_where_verdicts_were_seen_is_named_or_counted() -> None:
    assert everywhere([verdict(0.1), verdict(0.2)]) == "greedy"
    assert everywhere([verdict(0.1), verdict(0.2), verdict(0.1, under="random")]) == "all two line-ups"


@pytest.mark.parametrize(
    ("n", "words"), [(0, "no games"), (1, "one game"), (10, "ten games"), (11, "11 games"), (1234, "1,234 games")]
)
def test_small_numbers_are_words(n: int, words: str) -> None:
    assert counted(n, "game") == words


@pytest.mark.parametrize(("margin", "words"), [(0.01, "±1 point"), (0.005, "±0.5 points"), (0.025, "±2.5 points")])
def test_a_margin_in_points(margin: float, words: str) -> None:
    assert within(margin) == words


def test_effects_are_written_in_points_with_the_digits_that_are_known() -> None:
    assert points(verdict(0.0123)) == "+1.2 ± 0.3"
    assert points(Estimate(-0.0123, -0.0163, -0.0083, 0.002, 100, 100)) == "−1.2 ± 0.4"
    assert span([verdict(0.02), verdict(-0.01), verdict(0.3)]) == "−1.0 ± 0.3 to +30.0 ± 0.3"
    assert span([verdict(0.02)]) == "+2.0 ± 0.3"


def test_the_deals_that_undecided_verdicts_need() -> None:
    assert needed([verdict(0, more=1234), verdict(0, more=56789)]) == (
        "About 1,200 to 57,000 more deals would decide them."
    )
    assert "as far as that can be told" in needed([verdict(0, more=1234), verdict(0, more=MOST_DEALS)])
    assert "may never decide" in needed([verdict(0, more=MOST_DEALS)])


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), ([True, False], "[true,false]"), (1.5, "1.5"), ("any", "any"), ((2, 3), "[2,3]")],
)
def test_values_as_the_command_line_takes_them(value: Any, text: str) -> None:
    assert toml_value(value) == text


def test_a_replay_names_the_parameters_and_rules_that_are_not_the_defaults(tmp_path: Path) -> None:
    asked = lab(tmp_path, TEXT).prepared.asked
    names, rules, deal = replayed(replay_command(asked, ("brave", "greedy"), 12))
    assert (names, deal) == (["hill_hunter:max_front=9", "greedy"], 12)
    assert rules == {"jack_factor": "1.5", "king_on": "[true,false]"}
    names, rules, _ = replayed(replay_command(asked, ("usual", "sheds"), 0, {"jack_factor": 2, "jokers": 0}))
    assert names == ["hill_hunter", "shedder:flip=true"]
    assert rules == {"jack_factor": "2", "king_on": "[true,false]", "jokers": "0"}
