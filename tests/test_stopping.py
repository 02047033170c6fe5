"""When a run that is told how well to know its headline goes on, and by how much."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from simkit.answer import Estimate
from simkit.errors import UsageError
from simkit.measures import WinRate
from simkit.plan import Arm, Plan, Results
from simkit.prepared import prepare
from simkit.series import Ratio
from simkit.stopping import LARGEST_GROWTH, PILOT_DEALS, SMALLEST_GROWTH, HalfWidth

COIN = Plan((Arm("coin", ("a", "b"), ({}, {})),), (Ratio("heads", "coin", WinRate(0)),), "heads")
RULE = HalfWidth(0.01)


class Known(Results):
    """Results with a headline of one's choice."""

    def __init__(self, half: float, count: int = 2_000) -> None:
        super().__init__(COIN, {})
        self.known = Estimate(0.5, 0.5 - half, 0.5 + half, half / 1.96, 1_000, count)

    def estimate(self, name: str) -> Estimate:
        return self.known


def test_the_first_look_is_after_a_batch_and_a_thousand_deals_at_least() -> None:
    assert RULE.first(COIN) == COIN.deals_a_batch == 2_000
    arms = tuple(replace(COIN.arms[0], name=str(i)) for i in range(60))
    assert RULE.first(replace(COIN, arms=(*arms, COIN.arms[0]))) == PILOT_DEALS


@pytest.mark.parametrize("half", [0.0099, 0.002, 0.0])
def test_a_width_that_is_reached_is_enough(half: float) -> None:
    assert RULE.then(Known(half), 5_000) == 5_000


@pytest.mark.parametrize(("half", "growth"), [(0.0101, SMALLEST_GROWTH), (0.015, 2.25), (0.3, LARGEST_GROWTH)])
def test_deals_grow_as_the_square_of_the_width_within_limits(half: float, growth: float) -> None:
    assert RULE.then(Known(half), 5_000) == pytest.approx(growth * 5_000, abs=2)


def test_what_was_seen_once_has_no_width_yet_and_is_played_on_for() -> None:
    assert RULE.then(Known(math.nan, count=1), 5_000) == LARGEST_GROWTH * 5_000 + 1


def test_what_was_never_seen_ends_the_run() -> None:
    with pytest.raises(
        UsageError, match=r"until: in 5,000 deals nothing was seen that the headline \(heads\) could be"
    ):
        RULE.then(Known(math.nan, count=0), 5_000)


def test_a_width_may_be_of_any_size_unless_the_headline_is_a_share(tmp_path: Path) -> None:
    path = tmp_path / "wide.toml"
    text = 'question = "{}"\ngame = "colina"\nuntil = {{ half_width = 2 }}\n[strategies]\nrandom = {{}}\n{}'
    sweep = '[sweep]\nkey = "rules.jokers"\nvalues = [0, 2]\nmeasures = ["length"]\n'
    path.write_text(text.format("sweep", sweep), encoding="utf-8")
    assert prepare(path).stopping == HalfWidth(2.0)
    path.write_text(text.format("seat_advantage", ""), encoding="utf-8")
    with pytest.raises(
        UsageError, match=r"until.half_width: 2 is not a number between 0 and 1 .*: the headline is a share"
    ):
        prepare(path)
