"""Verdicts are told apart by word, sign and order."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from simkit.report.verdicts import SIGNS, effect, judge_interval, most_extreme_first
from tests.report.examples import verdict


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (-0.5, 0.5, "fair"),
        (-1.0, 1.0, "fair"),
        (1.1, 2.0, "too strong"),
        (-2.0, -1.1, "too weak"),
        (0.5, 1.5, "undecided"),
        (-3.0, 3.0, "undecided"),
        (1.0, 1.5, "undecided"),
        (math.nan, math.nan, "undecided"),
    ],
)
def test_an_interval_is_judged_as_a_whole(low: float, high: float, word: str) -> None:
    assert judge_interval(low, high, 1.0) == word


def test_every_verdict_has_a_sign_of_its_own() -> None:
    assert len(set(SIGNS.values())) == len(SIGNS) == 4


def test_what_lies_outside_the_margin_comes_first_and_what_was_not_seen_last() -> None:
    given = [
        verdict("unseen", math.nan, "undecided"),
        verdict("large", 0.05, "undecided"),
        verdict("strong", 0.02, "too strong"),
        verdict("small", 0.001, "fair"),
        verdict("weak", -0.03, "too weak"),
    ]
    assert [v.subject for v in most_extreme_first(given)] == ["weak", "strong", "large", "small", "unseen"]


def test_an_effect_that_no_game_shows_is_none_and_not_a_number() -> None:
    seen = verdict("K", 0.0, "fair")
    assert effect(seen) == "0.0 ± 0.3"
    assert effect(replace(seen, low=0.0, high=0.0)) == "none"
