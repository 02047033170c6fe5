from __future__ import annotations

import tomllib
from itertools import count
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from simkit.experiment.lines import Key, key_lines, split_key

EVERY_SYNTAX = '''\
# a comment with = and [brackets]
a = 1 # b = 2
"quoted key" = "# no comment, [no table]"
'literal.key' = 'C:\\path'
x.y."z.w" = 2
x.v = 3
text = """
k = 1
[t]
\\""" still inside
ends in quotes"""""
literal = \'\'\'
'' j = 1
\'\'\'
empty = ""
list = [ 1, # ] not the end
  [2, 3],
  { p = 4, q.r = "}" },
]
after = { "in" = [1, { deep = true }], date = 1979-05-27 07:32:00 }

[ table . "sub table" ]
k = 1
[table]
k = inf

[[pool]]
n = 1
[pool.child]
m = 1
[[pool.item]]
[[pool.item]]
o = 1
[[pool]]
n = 2
[pool.child]
m = 2'''

LINES: dict[Key, int] = {
    ("a",): 2,
    ("quoted key",): 3,
    ("literal.key",): 4,
    ("x",): 5,
    ("x", "y"): 5,
    ("x", "y", "z.w"): 5,
    ("x", "v"): 6,
    ("text",): 7,
    ("literal",): 12,
    ("empty",): 15,
    ("list",): 16,
    ("list", 0): 16,
    ("list", 1): 17,
    ("list", 1, 0): 17,
    ("list", 1, 1): 17,
    ("list", 2): 18,
    ("list", 2, "p"): 18,
    ("list", 2, "q"): 18,
    ("list", 2, "q", "r"): 18,
    ("after",): 20,
    ("after", "in"): 20,
    ("after", "in", 0): 20,
    ("after", "in", 1): 20,
    ("after", "in", 1, "deep"): 20,
    ("after", "date"): 20,
    ("table",): 24,
    ("table", "sub table"): 22,
    ("table", "sub table", "k"): 23,
    ("table", "k"): 25,
    ("pool",): 27,
    ("pool", 0): 27,
    ("pool", 0, "n"): 28,
    ("pool", 0, "child"): 29,
    ("pool", 0, "child", "m"): 30,
    ("pool", 0, "item"): 31,
    ("pool", 0, "item", 0): 31,
    ("pool", 0, "item", 1): 32,
    ("pool", 0, "item", 1, "o"): 33,
    ("pool", 1): 34,
    ("pool", 1, "n"): 35,
    ("pool", 1, "child"): 36,
    ("pool", 1, "child", "m"): 37,
}


def keys(value: Any, key: Key = ()) -> set[Key]:
    """All keys in what tomllib read."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = [keys(v, (*key, k)) for k, v in items]
    return set().union({key} if key else set(), *inner)


def test_every_syntax_of_toml_has_its_line() -> None:
    assert key_lines(EVERY_SYNTAX) == LINES
    assert set(LINES) == keys(tomllib.loads(EVERY_SYNTAX))


def test_windows_line_ends_count_once() -> None:
    assert key_lines(EVERY_SYNTAX.replace("\n", "\r\n")) == LINES


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment", "  \t"])
def test_a_text_without_keys_has_no_lines(text: str) -> None:
    assert key_lines(text) == {}


NAMES = st.text(max_size=4) | st.sampled_from(["a", "b.c", '"', "'", "#", "é", "\n", "\\"])
TREES = st.recursive(
    st.just("leaf"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(NAMES, TREES, max_size=4), st.integers(0, 3))
def test_every_number_is_on_the_line_found_for_its_key(tree: dict[str, Any], blank_lines: int) -> None:
    numbers = count(1_000_001)
    places: dict[Key, int] = {}

    def numbered(value: Any, key: Key) -> Any:
        if isinstance(value, dict):
            return {k: numbered(v, (*key, k)) for k, v in value.items()}
        if isinstance(value, list):
            return [numbered(v, (*key, i)) for i, v in enumerate(value)]
        places[key] = next(numbers)
        return places[key]

    text = tomli_w.dumps(numbered(tree, ())).replace("\n", "\n" * blank_lines + "\n# 'comment\n")
    found = key_lines(text)
    assert set(found) == keys(tomllib.loads(text))
    rows = text.split("\n")
    assert all(str(number) in rows[found[key] - 1] for key, number in places.items())


@given(st.text(alphabet="ab.=[]{}\"'#,\\ \n1é"))
def test_the_keys_found_are_those_that_tomllib_reads(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except ValueError:
        return
    assert set(key_lines(text)) == keys(data)


def test_a_key_is_split_off_a_text() -> None:
    assert split_key('require."K.fair"=true') == (["require", "K.fair"], "=true")
    assert split_key("a . b = 1") == (["a", "b"], "= 1")


@pytest.mark.parametrize("text", ["", "=1", "a.=1", '"open', "é=1"])
def test_a_text_that_begins_with_no_key_is_not_split(text: str) -> None:
    assert split_key(text) is None
