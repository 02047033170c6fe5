"""Every type of rule option: what it takes, how it travels and prints, and what it says of a wrong value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.errors import UsageError
from simkit.games import get_game
from simkit.games.base import Game
from simkit.games.options import (
    AnyOption,
    Choice,
    Decimal,
    Integer,
    Integers,
    OptionFault,
    Switch,
    resolve,
    rules_dtype,
)

WHOLE = Integer("size", 6, 1, 6, "X-1", "a size")
EVEN = Integer("seats", 2, 2, 8, "X-2", "seats", step=2)
LIST = Integers("bonus", (1, 2, 3), -5, 5, "X-3", "a bonus a rank")
FACTOR = Decimal("factor", 2, 1, 10, 100, "X-4", "a factor")
WORD = Choice("lead", "anytime", ("anytime", "no_value_cards"), "X-5", "when to lead")
ONE = Switch("on", True, "X-6", "is it on")
PAIR = Switch("seat_on", True, "X-7", "is it on, by seat", per_seat=True)
ALL: tuple[AnyOption, ...] = (WHOLE, EVEN, LIST, FACTOR, WORD, ONE, PAIR)


@pytest.mark.parametrize(
    ("option", "value", "encoded", "printed"),
    [
        (WHOLE, 1, 1, 1),
        (WHOLE, 6, 6, 6),
        (EVEN, 2, 2, 2),
        (EVEN, 8, 8, 8),
        (LIST, [-5, 0, 5], [-5, 0, 5], [-5, 0, 5]),
        (LIST, (1, 2, 3), [1, 2, 3], (1, 2, 3)),
        (FACTOR, 1, 100, 1),
        (FACTOR, 10, 1000, 10),
        (FACTOR, 2.0, 200, 2),
        (FACTOR, 1.16, 116, 1.16),
        (FACTOR, 9.99, 999, 9.99),
        (WORD, "anytime", 0, "anytime"),
        (WORD, "no_value_cards", 1, "no_value_cards"),
        (ONE, True, 1, True),
        (ONE, False, 0, False),
        (PAIR, True, [1, 1], True),
        (PAIR, False, [0, 0], False),
        (PAIR, [True, False], [1, 0], [True, False]),
        (PAIR, (False, True), [0, 1], (False, True)),
    ],
)
def test_a_value_travels_as_whole_numbers_and_prints_in_its_normal_form(
    option: AnyOption, value: Any, encoded: Any, printed: Any
) -> None:
    assert option.encode(value) == encoded
    normal = option.normal(value)
    assert (normal, type(normal)) == (printed, type(printed))
    assert option.encode(normal) == encoded


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        *((WHOLE, value, "a whole number from 1 to 6") for value in (0, 7, -1, 2.0, "3", True, None, [3], 10**30)),
        *((EVEN, value, "an even number from 2 to 8") for value in (0, 3, 10, 4.0)),
        *(
            (LIST, value, "a list of 3 whole numbers from -5 to 5")
            for value in ([1, 2], [1, 2, 3, 4], [1, 2, 6], [1, 2, True], [1, 2, 3.0], 3, "123", None)
        ),
        *(
            (FACTOR, value, "a number from 1 to 10 in steps of 0.01")
            for value in (0.99, 10.01, 1.005, 0, -2, True, "2", None, float("nan"), float("inf"), 1e300, 2 + 1e-9)
        ),
        *((WORD, value, '"anytime" or "no_value_cards"') for value in ("never", "", "Anytime", 0, None, ["anytime"])),
        *((ONE, value, "true or false") for value in (0, 1, "true", None, [True, False])),
        *(
            (PAIR, value, "true or false, or a pair of them")
            for value in (1, "true", None, [], [True], [True, False, True], [1, 0], [True, None])
        ),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_allowed(option: AnyOption, value: Any, allowed: str) -> None:
    for read in (option.encode, option.normal):
        with pytest.raises(OptionFault) as fault:
            read(value)
        assert str(fault.value).startswith(f"{value!r} is not {allowed}")
    assert option.allowed == allowed


def test_a_misspelt_word_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(OptionFault, match=r"Did you mean no_value_cards\?$"):
        WORD.encode("no_value_card")


@given(st.integers(100, 1000))
def test_every_decimal_of_two_places_is_kept_exactly(hundredths: int) -> None:
    assert FACTOR.encode(hundredths / 100) == hundredths
    assert FACTOR.normal(hundredths / 100) == hundredths / 100


@pytest.mark.parametrize("option", ALL, ids=lambda option: option.name)
def test_an_option_takes_its_own_default_into_a_field_of_its_shape(option: AnyOption) -> None:
    record = np.zeros(1, rules_dtype(ALL, ("barred", "i8", (2,))))
    record[option.name] = option.encode(option.default)
    assert record[option.name][0].shape == option.shape
    assert record[option.name].dtype.base == np.int64
    assert option.encode(option.normal(option.default)) == option.encode(option.default)
    assert record["barred"].shape == (1, 2)


def test_resolving_fills_in_defaults_and_finds_every_fault() -> None:
    values, faults = resolve(ALL, {"size": 3, "on": False})
    assert values == {option.name: option.default for option in ALL} | {"size": 3, "on": False}
    assert list(values) == [option.name for option in ALL]
    assert not faults
    _, faults = resolve(ALL, {"size": 9, "factr": 2, "lead": "any", "bonus": [1, 2, 3]})
    assert dict(faults).keys() == {"factr", "size", "lead"}
    assert dict(faults)["factr"] == "no such rule. Did you mean factor?"


# --- the options of Colina, as its rule document lists them (COL-1 to COL-6 and its balance switches) -----------------

COLINA: dict[str, tuple[str, Any, list[Any], list[Any]]] = {  # clause, default, values at the bounds, values beyond
    "start_points": ("COL-1.2", 100, [1, 1_000_000], [0]),
    "hand_size": ("COL-1.3", 6, [1, 6], [0, 7]),
    "jokers": ("COL-1.3", 4, [0, 8], [-1, 9]),
    "support_front": ("COL-2.6", "anytime", ["anytime", "no_value_cards"], ["never"]),
    "siamese_ranks": ("COL-3.1", "any", ["any", "distinct"], ["same"]),
    "jack_factor": ("COL-4.2", 2, [1, 1.01, 9.99, 10], [0.99, 10.01, 1.005]),
    "double_mirror": ("COL-4.5", "cancel", ["cancel", "void_round"], ["none"]),
    "max_rounds": ("COL-6.3", 1000, [1, 1_000_000], [0]),
    "jack_on": ("COL-4.2", True, [True, False, [True, False]], [1]),
    "queen_on": ("COL-4.1", True, [True, False, [False, True]], [[True]]),
    "king_on": ("COL-4.3", True, [True, False, [True, True]], ["yes"]),
    "ace_on": ("COL-4.5", True, [True, False, [False, False]], [[1, 0]]),
}


def test_colina_has_exactly_the_options_of_its_rule_document(colina: Game) -> None:
    assert {option.name: (option.clause, option.default) for option in colina.options} == {
        name: (clause, default) for name, (clause, default, _, _) in COLINA.items()
    }


@pytest.mark.parametrize("name", COLINA)
def test_the_options_of_colina_have_the_bounds_of_its_rule_document(name: str, colina: Game) -> None:
    _, _, within, beyond = COLINA[name]
    for value in within:
        assert colina.resolve({name: value})[name] == value
    for value in beyond:
        with pytest.raises(UsageError, match=rf"^rules\.{name}: "):
            colina.resolve({name: value})


def test_every_fault_in_the_rules_is_told_at_once(colina: Game) -> None:
    with pytest.raises(UsageError) as fault:
        colina.resolve({"joker": 2, "hand_size": 7, "king_on": 1})
    lines = str(fault.value).splitlines()
    assert len(lines) == 3
    assert lines[0] == "rules.joker: no such rule. Did you mean jokers?"
    assert fault.value.exit_code == 2


def test_an_unknown_game_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(UsageError, match=r"colinna: no such game\. Games: .*colina.* Did you mean colina\?$"):
        get_game("colinna")


def test_a_default_may_follow_from_other_options_and_a_given_value_does_not() -> None:
    options = (
        Integer("players", 2, 2, 8, "X-1", "players"),
        Integer("packs", 1, 1, 2, "X-2", "packs", derive=lambda values: 1 if values["players"] <= 4 else 2),
    )
    for some, packs in (({}, 1), ({"players": 5}, 2), ({"players": 5, "packs": 1}, 1), ({"packs": 2}, 2)):
        assert resolve(options, some)[0]["packs"] == packs
    assert options[1].usual({"players": 8}) == 2
    assert resolve(options, {"players": 9})[1] == [("players", "9 is not a whole number from 2 to 8")]
