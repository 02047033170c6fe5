"""Which rules a strategy is tried under."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.games import SHIPPED
from simkit.games.options import AnyOption, Choice, Decimal, Integer, Integers, Switch
from simkit.trial import extremes, variants


@pytest.mark.parametrize(
    ("option", "values"),
    [
        (Integer("n", 6, 1, 6, "", ""), [1]),
        (Integer("n", 100, 1, 2**31 - 1, "", ""), [1, 1000]),
        (Integer("n", 0, 0, 10**6, "", ""), [100]),
        (Integer("n", 2, 2, 12, "", "", step=2), [12]),
        (Integer("n", 4, 2, 1001, "", "", step=2), [2, 100]),
        (Decimal("x", 2, 1, 10, 100, "", ""), [1, 10]),
        (Choice("c", "b", ("a", "b", "c"), "", ""), ["a", "c"]),
        (Switch("s", True, "", ""), [False]),
        (Switch("s", True, "", "", per_seat=True), [False, [True, False], [False, True]]),
        (Integers("v", (1, 2), 0, 10**6, "", ""), [[0, 0], [100, 100]]),
    ],
)
def test_an_option_is_tried_at_its_ends(option: AnyOption, values: list[Any]) -> None:
    assert extremes(option) == values
    for value in values:
        option.encode(value)


def test_the_variants_of_a_game_are_the_default_rules_and_others_that_differ_from_them() -> None:
    for game in SHIPPED:
        (first, usual), *others = variants(game)
        assert first == "the default rules"
        assert usual == game.resolve({})
        assert others
        assert all(game.rules_record(values) != game.rules_record(usual) for _, values in others)
