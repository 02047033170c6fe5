from __future__ import annotations

import datetime
import subprocess
import sys
from typing import Any

import pytest

from simkit.errors import UsageError
from simkit.experiment.faults import Faults, dotted, printable, shown, suggest


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (1.5, "1.5"),
        ('say "K"', r'"say \"K\""'),
        ("a\nb\x7f\u2028é", r'"a\nb\x7f\u2028é"'),
        ([1, ("a", False)], '[1, ["a", false]]'),
        ({"a": {}, "b c": [1]}, '{ a = {}, "b c" = [1] }'),
        (datetime.date(1979, 5, 27), "1979-05-27"),
        ("x" * 100, '"' + "x" * 58 + "…"),
    ],
)
def test_values_are_shown_as_toml_writes_them(value: Any, text: str) -> None:
    assert shown(value) == text


def test_keys_are_shown_as_toml_writes_them() -> None:
    assert dotted(["card_strength", "pairs", 0, 1]) == "card_strength.pairs[0][1]"
    assert dotted(["require", "K.fair"]) == 'require."K.fair"'
    assert dotted([]) == ""


def test_what_would_break_a_line_or_a_terminal_is_escaped() -> None:
    assert printable("a\x1b[2J\nb é") == r"a\x1b[2J\nb é"


def test_the_nearest_name_is_suggested_or_else_all_of_them() -> None:
    assert suggest("jokes", ["king", "jokers"]) == ". Did you mean jokers?"
    assert suggest("zzz", ["king", "jokers"]) == ". Allowed: king, jokers"
    assert suggest("zzz", []) == ""
    assert suggest("zzz", map(str, range(20))).endswith(" 13, 14, …")


def test_a_fault_stands_at_the_nearest_line_known() -> None:
    faults = Faults("x.toml", {("a",): 7, ("a", "b"): 3, ("q",): 5})
    faults.add(("a", "c", 0), "one")
    faults.add(("a", "b", 2), "two")
    faults.add(("z",), "three", near=("q",))
    faults.add(("z",), "four\nand more")
    faults.add(("z",), "four")
    with pytest.raises(UsageError) as raised:
        faults.check()
    assert str(raised.value).splitlines() == [
        "x.toml:1: z: four",
        "x.toml:1: z: and more",
        "x.toml:3: a.b[2]: two",
        "x.toml:5: z: three",
        "x.toml:7: a.c[0]: one",
    ]


def test_without_faults_nothing_is_raised() -> None:
    assert Faults("x.toml").check() is None


def test_reading_experiments_is_light() -> None:
    code = "import simkit.experiment, sys; print(sorted({'numpy', 'numba', 'pandas', 'tomlkit'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
