"""The generator has its published answers, draws without bias, and its streams are independent of each other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from simkit.jit import kernel
from simkit.rng import BLOCKS, STREAM, WORDS, below, next_word, open_stream, refill, uniform

WORD = 2**32


@kernel
def fill_words(stream: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = next_word(stream)


@kernel
def fill_below(stream: Any, n: int, out: Any) -> None:
    for i in range(len(out)):
        out[i] = below(stream, n)


@kernel
def fill_uniform(stream: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = uniform(stream)


def stream_at(seed: int = 0, number: int = 0, deal: int = 0, block: int = 0) -> np.void:
    """A stream that goes on with the given block."""
    record: np.void = np.zeros(1, STREAM)[0]
    open_stream(record, np.uint64(seed), np.uint64(number), np.uint64(deal))
    record["block"] = block
    return record


def words(stream: np.void, count: int) -> list[int]:
    out = np.zeros(count, np.uint64)
    fill_words(stream, out)
    return [int(word) for word in out]


def draws(stream: np.void, n: int, count: int) -> np.ndarray:
    out = np.zeros(count, np.int64)
    fill_below(stream, n, out)
    return out


def philox(counter: Sequence[int], key: Sequence[int]) -> list[int]:
    """Philox4x32-10 as its paper writes it (Salmon et al., SC11), one block in plain Python."""
    x, (k0, k1) = list(counter), key
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * x[0], WORD)
        high1, low1 = divmod(0xCD9E8D57 * x[2], WORD)
        x = [high1 ^ x[1] ^ k0, low1, high0 ^ x[3] ^ k1, low0]
        k0, k1 = (k0 + 0x9E3779B9) % WORD, (k1 + 0xBB67AE85) % WORD
    return x


KNOWN = [  # counter, key, words: the generator's published test vectors (Random123, kat_vectors, philox 4x32 10)
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_a_block_has_its_published_words(counter: str, key: str, expected: str) -> None:
    block, number, deal_low, deal_high = (int(word, 16) for word in counter.split())
    low, high = (int(word, 16) for word in key.split())
    stream = stream_at(low | high << 32, number, deal_low | deal_high << 32, block)
    refill(stream)
    assert [f"{word:08x}" for word in stream["words"][:4]] == expected.split()
    assert words(stream, 4) == [int(word, 16) for word in expected.split()]


def test_all_blocks_of_a_stream_come_in_order_whatever_its_seed_number_and_deal() -> None:
    rng = random.Random(1)
    for _ in range(50):
        seed, number, deal = rng.getrandbits(64), rng.getrandbits(32), rng.getrandbits(64)
        first = rng.choice([0, rng.getrandbits(31)])
        found = words(stream_at(seed, number, deal, first), 3 * WORDS)
        key = (seed % WORD, seed >> 32)
        blocks = [philox((first + n, number, deal % WORD, deal >> 32), key) for n in range(3 * BLOCKS)]
        assert found == [word for block in blocks for word in block]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 108, 1000])
def test_small_bounds_are_met_equally_often(n: int) -> None:
    counts = np.bincount(draws(stream_at(seed=n), n, 200_000), minlength=n)
    assert len(counts) == n
    assert n == 1 or chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("n", [3 * 2**30, 2**31 + 1, 2**32 - 1])
def test_huge_bounds_are_met_equally_often(n: int) -> None:
    """Without rejection, multiplying by 3 · 2^30 would meet every third residue twice as often as the others."""
    found = draws(stream_at(seed=n), n, 100_000)
    assert 0 <= found.min() <= found.max() < n
    assert chisquare(np.bincount(found % 3, minlength=3)).pvalue > 1e-4
    assert chisquare(np.bincount(found * 16 // n, minlength=16)).pvalue > 1e-4


def accepted(n: int, word: int) -> int | None:
    """What `below(n)` makes of one word; None if it rejects it and takes the next."""
    stream = stream_at()
    stream["words"][:3] = word, 0x9E3779B9, 0x7F4A7C15
    stream["next"] = 0
    found = int(draws(stream, n, 1)[0])
    return found if stream["next"] == 1 else None


@pytest.mark.parametrize("n", [1, 5, 2**30 + 7, 3 * 2**30, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 5, 2**32 - 1])
def test_every_value_is_the_result_of_equally_many_words(n: int) -> None:
    """Exactly ⌊2^32 / n⌋ words each: counted in full where these are few, elsewhere at both ends of their interval."""
    rng = random.Random(n)
    for value in {0, 1 % n, n // 2, n - 1, *(rng.randrange(n) for _ in range(20))}:
        first, end = -(-value * WORD // n), -(-(value + 1) * WORD // n)  # the words whose product falls on the value
        edge = {*range(first, min(first + 5, end)), *range(max(first, end - 5), end)}
        results = [accepted(n, word) for word in edge]
        assert set(results) <= {value, None}
        assert end - first - results.count(None) == WORD // n


def test_rejected_words_are_passed_over() -> None:
    n = 3 * 2**30
    stream = stream_at(seed=9)
    products = [word * n for word in words(stream_at(seed=9), 400)]
    kept = [product // WORD for product in products if product % WORD >= WORD % n]
    assert len(kept) < 350  # a quarter is rejected
    assert draws(stream, n, len(kept)).tolist() == kept


def test_floats_are_the_words_over_2_to_the_32() -> None:
    out = np.zeros(100)
    fill_uniform(stream_at(seed=3), out)
    assert out.tolist() == [word / WORD for word in words(stream_at(seed=3), 100)]


def test_a_stream_opened_again_starts_anew_whatever_was_drawn_before() -> None:
    fresh = words(stream_at(5, 2, 77), 100)
    stream = stream_at(5, 1, 76)
    for drawn in (0, 1, WORDS - 1, WORDS, WORDS + 5):
        words(stream, drawn)
        open_stream(stream, np.uint64(5), np.uint64(2), np.uint64(77))
        assert words(stream, 100) == fresh


def test_streams_that_differ_in_anything_have_nothing_in_common() -> None:
    numbers = [0, 1, 2, 3, 2**31]
    large = [0, 1, 2, 2**31, 2**32, 2**32 + 1, 2**63]
    starts = {tuple(words(stream_at(seed, n, deal), 4)) for seed in large for n in numbers for deal in large}
    assert len(starts) == len(large) ** 2 * len(numbers)


def test_neighbouring_deals_are_uncorrelated() -> None:
    deals = 20_000
    first = np.array([words(stream_at(1, 0, deal), 2) for deal in range(deals)]) / WORD
    for a, b in ((first[:-1, 0], first[1:, 0]), (first[:, 0], first[:, 1])):
        assert abs(np.corrcoef(a, b)[0, 1]) < 4 / np.sqrt(deals)
