"""Sets of bits against plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit import bits
from simkit.jit import kernel

words = st.integers(0, 2**64 - 1)


@kernel
def ones(word: Any) -> int:
    return bits.ones(word)  # type: ignore[no-any-return]


@kernel
def lowest(word: Any) -> int:
    return bits.lowest(word)  # type: ignore[no-any-return]


@settings(deadline=None)  # compiled on the first call
@given(words)
def test_the_bits_of_a_word_are_counted(word: int) -> None:
    assert ones(np.uint64(word)) == word.bit_count()


@settings(deadline=None)  # compiled on the first call
@given(words)
def test_the_lowest_bit_is_found_and_an_empty_word_has_none(word: int) -> None:
    assert lowest(np.uint64(word)) == (64 if word == 0 else (word & -word).bit_length() - 1)


@pytest.mark.parametrize("nth_bit", [bits.nth_bit, bits._nth_bit_by_counting])
@settings(deadline=None)  # compiled on the first call
@given(word=words.filter(bool), data=st.data())
def test_the_nth_bit_is_found_with_and_without_the_instruction(
    nth_bit: Callable[[np.uint64, int], int], word: int, data: st.DataObject
) -> None:
    places = [place for place in range(64) if word >> place & 1]
    n = data.draw(st.integers(0, len(places) - 1))
    assert nth_bit(np.uint64(word), n) == places[n]


@pytest.mark.parametrize("spread", [bits.spread, bits._spread_by_counting])
@settings(deadline=None)
@given(places=words, word=words)
def test_places_of_a_word_are_its_bits_from_the_lowest(
    spread: Callable[[np.uint64, np.uint64], int], places: int, word: int
) -> None:
    wanted = sum(1 << bit for n, bit in enumerate(b for b in range(64) if word >> b & 1) if places >> n & 1)
    assert spread(np.uint64(places), np.uint64(word)) == wanted
