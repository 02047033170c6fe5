"""Philox4x32-10: every game is a pure function of (seed, deal, rotation, strategies, rules).

Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC11). The key is the 64-bit seed, the counter is
(block, stream, deal low, deal high): a stream can be opened anywhere at no cost. Eight blocks are made at a time, which
LLVM turns into vector instructions; the words come out in the order of the blocks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.jit import inlined, kernel

BLOCKS = 8
WORDS = 4 * BLOCKS

# One stream of random words. Everything is 64 bits wide: mixed widths make numba fall back to floats.
STREAM = np.dtype(
    [
        ("words", "u4", (WORDS,)),
        ("key_low", "u8"),
        ("key_high", "u8"),
        ("stream", "u8"),
        ("deal_low", "u8"),
        ("deal_high", "u8"),
        ("block", "u8"),  # the first block that is not made yet
        ("next", "i8"),  # index of the next word; WORDS when all are used
    ],
    align=True,
)

# The numbers of the streams: a player's own is FIRST_PLAYER + player, wherever the player sits.
DEAL, SHUFFLE, FIRST_PLAYER = 0, 1, 2
BRANCH = 1 << 16  # of a decision that is made by another strategy than the player's own (simkit._branch)

_U = np.uint64
_LOW, _HALF = _U(0xFFFFFFFF), _U(32)
_M0, _M1 = _U(0xD2511F53), _U(0xCD9E8D57)
_W0, _W1 = _U(0x9E3779B9), _U(0xBB67AE85)
_STEP, _RANGE = _U(BLOCKS), _U(1 << 32)


@kernel
def open_stream(stream: Any, seed: np.uint64, number: np.uint64, deal: np.uint64) -> None:
    """Points `stream` (a STREAM record) at the first word of stream `number` of a deal."""
    stream.key_low = seed & _LOW
    stream.key_high = seed >> _HALF
    stream.stream = number
    stream.deal_low = deal & _LOW
    stream.deal_high = deal >> _HALF
    stream.block = _U(0)
    stream.next = WORDS


@kernel
def refill(stream: Any) -> None:
    """Makes the next BLOCKS blocks of the stream."""
    for lane in range(BLOCKS):
        c0, c1 = (stream.block + _U(lane)) & _LOW, stream.stream
        c2, c3 = stream.deal_low, stream.deal_high
        k0, k1 = stream.key_low, stream.key_high
        for _ in range(10):
            p0, p1 = _M0 * c0, _M1 * c2
            c0, c1 = (p1 >> _HALF) ^ c1 ^ k0, p1 & _LOW
            c2, c3 = (p0 >> _HALF) ^ c3 ^ k1, p0 & _LOW
            k0, k1 = (k0 + _W0) & _LOW, (k1 + _W1) & _LOW
        stream.words[4 * lane] = np.uint32(c0)
        stream.words[4 * lane + 1] = np.uint32(c1)
        stream.words[4 * lane + 2] = np.uint32(c2)
        stream.words[4 * lane + 3] = np.uint32(c3)
    stream.block += _STEP
    stream.next = 0


@inlined
def next_word(stream: Any) -> np.uint64:
    """The next 32 random bits of the stream, as uint64."""
    if stream.next >= WORDS:
        refill(stream)
    word = _U(stream.words[_U(stream.next)])
    stream.next += 1
    return word


@inlined
def below(stream: Any, n: int) -> int:
    """A uniform integer of 0 … n − 1, n of 1 … 2^32 − 1, without bias (Lemire 2019)."""
    product = next_word(stream) * _U(n)
    if (product & _LOW) < _U(n):
        least = (_RANGE - _U(n)) % _U(n)
        while (product & _LOW) < least:
            product = next_word(stream) * _U(n)
    return np.int64(product >> _HALF)


@kernel
def uniform(stream: Any) -> float:
    """A uniform float of [0, 1) with 32 random bits."""
    return np.float64(next_word(stream)) * (1.0 / 4294967296.0)
