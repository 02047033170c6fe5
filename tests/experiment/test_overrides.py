from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.errors import UsageError
from simkit.experiment import parse_overrides, strategy_spec


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("deals=10_000", {"deals": 10_000}),
        ("rules.king_on=false", {"rules": {"king_on": False}}),
        ("rules.jack_on=[true, false]", {"rules": {"jack_on": [True, False]}}),
        ("rules.double_mirror=void_round", {"rules": {"double_mirror": "void_round"}}),
        ('card_strength.cards=["K"]', {"card_strength": {"cards": ["K"]}}),
        ("strategies.mine.use=../bots/mine.py", {"strategies": {"mine": {"use": "../bots/mine.py"}}}),
        (" margin = 0.5 ", {"margin": 0.5}),
        ("title=Is a=b?", {"title": "Is a=b?"}),
        ('title="Is a=b?"', {"title": "Is a=b?"}),
        ('require."K.fair"=true', {"require": {"K.fair": True}}),
        ("require.K.fair=true", {"require": {"K.fair": True}}),
    ],
)
def test_an_override_is_a_toml_key_with_a_value_or_a_bare_word(text: str, table: dict[str, Any]) -> None:
    assert parse_overrides([text]) == table


def test_later_overrides_win() -> None:
    assert parse_overrides(["a.b=1", "a.c=2", "a.b=3"]) == {"a": {"b": 3, "c": 2}}
    assert parse_overrides(["a=1", "a.c=2"]) == {"a": {"c": 2}}
    assert parse_overrides(["a.c=2", "a=1"]) == {"a": 1}
    assert parse_overrides([]) == {}


NOT_A_VALUE = 'not a TOML value: lists and texts are written like ["K", "Q"] and "two words"'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("deals", "not KEY=VALUE, as in rules.start_points=50"),
        ("", "not KEY=VALUE, as in rules.start_points=50"),
        ("=5", "not KEY=VALUE, as in rules.start_points=50"),
        ("ru les.x=5", "not KEY=VALUE, as in rules.start_points=50"),
        ("deals=", "no value after ="),
        ("cards=[K]", NOT_A_VALUE),
        ("title='open", NOT_A_VALUE),
        ("a=1\nb=2", NOT_A_VALUE),
        ("title=\udcff", "not UTF-8"),
        (f"seed=0x{'f' * 9000}", "the number is far too large"),
    ],
)
def test_what_is_no_override_is_told(text: str, fault: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_overrides([text, "fine=1", "worse"])
    found = str(raised.value)
    assert found.startswith("-s ")
    assert f": {fault}\n" in found
    assert found.endswith("-s worse: not KEY=VALUE, as in rules.start_points=50")


@pytest.mark.parametrize(
    ("text", "use", "parameters"),
    [
        ("greedy", "greedy", {}),
        ("greedy:", "greedy", {}),
        ("greedy:king_below=5,other=2.5, bold = true", "greedy", {"king_below": 5, "other": 2.5, "bold": True}),
        ("bots/mine.py", "bots/mine.py", {}),
        ("bots/mine.py:depth=-3", "bots/mine.py", {"depth": -3}),
        ("C:\\bots\\mine.py", "C:\\bots\\mine.py", {}),
        ("C:\\bots\\mine.py:depth=1e3", "C:\\bots\\mine.py", {"depth": 1000.0}),
        ("a.pyx/b:c.py:depth=1", "a.pyx/b:c.py", {"depth": 1}),
    ],
)
def test_a_strategy_is_a_name_or_a_path_with_parameters(text: str, use: str, parameters: dict[str, Any]) -> None:
    assert strategy_spec(text) == (use, parameters)
    assert [type(v) for v in strategy_spec(text)[1].values()] == [type(v) for v in parameters.values()]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ['strategy "": not a name or a path, as in greedy or greedy:king_below=5']),
        (":a=1", ['strategy ":a=1": not a name or a path, as in greedy or greedy:king_below=5']),
        ("g:a=x,b", ['g:a=x,b: a: "x" is not true, false or a number', 'g:a=x,b: "b" is not name=value']),
        ("g:a=1,a=2", ["g:a=1,a=2: a: given twice"]),
        ("g:a=[1]", ['g:a=[1]: a: "[1]" is not true, false or a number']),
        ("g:a=", ['g:a=: a: "" is not true, false or a number']),
        ("g:2=1", ['g:2=1: "2=1" is not name=value']),
    ],
)
def test_what_is_no_strategy_is_told(text: str, faults: list[str]) -> None:
    with pytest.raises(UsageError) as raised:
        strategy_spec(text)
    assert str(raised.value).splitlines() == faults


@given(st.text() | st.text(alphabet="ab.=:,\"'[]{}1\n "))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (strategy_spec, lambda t: parse_overrides([t])):
        try:
            read(text)
        except UsageError as error:
            assert str(error)
