"""Small numbers of a hand, packed into words that are written and copied at once: in the loop every store counts.

The word `table` holds the trick, a byte each: decision, pattern, size, leader, seat of the best pattern, and how many
followers come after the next one. The word `roles` holds dealer, Dreamer, Privileged player, caller, passes, the first
with six tricks and, in a view, the seat. The word `won` holds the tricks won by each seat, then two bytes each for the
hands played and the hands cancelled in a row. A VIEW has the same bytes as fields of their own (see `state`), −1 where
nothing is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simkit.jit import inlined

_U = np.uint64
_BYTE, _EIGHT = _U(0xFF), _U(8)
# Where the bytes are, as shifts: of `table`, of `roles`, and in `won` behind the seats.
DECISION, PATTERN, SIZE, LEADER, BEST_SEAT, LEFT = (_U(8 * byte) for byte in range(6))
DEALER, DREAMER, PRIVILEGED, CALLER, PASSES, FIRST_SIX, SEAT = (_U(8 * byte) for byte in range(7))
HANDS, REDEALS = _U(32), _U(48)
ONE_HAND, ONE_REDEAL = _U(1 << 32), _U(1 << 48)
_TRICKS, _TWO_BYTES = _U(0xFFFFFFFF), _U(0xFFFF)
NONE = 255  # no pattern, no such seat

# What is decided.
FIVE_TIGERS, CALL, LEAD, FOLLOW, CLAIM = range(5)


def told_byte(word: Any, place: np.uint64) -> int:
    """A byte of a word, for transcripts; not compiled."""
    return int(word) >> int(place) & 255


def told_tricks(won: Any) -> list[int]:
    """The tricks won by each seat, for transcripts; not compiled."""
    return [int(won) >> 8 * seat & 255 for seat in range(4)]


_WORD = ir.IntType(64)
_FOUR_WORDS = ir.VectorType(_WORD, 4)
_instruction: Callable[[Any], Any] = intrinsic  # its own types ask callers for the typing context too


def _place(builder: Any, record: Any, offset: Any, kind: ir.Type) -> Any:
    """The place at an offset of a record, as one of a value of this kind."""
    start = builder.bitcast(record, ir.IntType(8).as_pointer())
    return builder.bitcast(builder.gep(start, [offset]), kind.as_pointer())


@_instruction
def copy_four(typingctx: Any, target: Any, to: Any, source: Any, start: Any) -> Any:
    """Copies four words that lie together at an offset of a record to an offset of another one, all at once."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        into, to, out_of, start = arguments
        words = builder.load(_place(builder, out_of, start, _FOUR_WORDS), align=8)
        builder.store(words, _place(builder, into, to, _FOUR_WORDS), align=8)
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


@inlined
def byte_of(word: np.uint64, place: np.uint64) -> Any:
    """One of the bytes of a word, 255 for none."""
    return np.int64((word >> place) & _BYTE)


@inlined
def with_byte(word: np.uint64, place: np.uint64, value: int) -> np.uint64:
    """The word with another value of a byte."""
    return (word & ~(_BYTE << place)) | (_U(value) << place)


@inlined
def tricks_of(won: np.uint64, seat: int) -> Any:
    """The tricks that a seat has won in this hand."""
    return np.int64((won >> (_U(seat) * _EIGHT)) & _BYTE)


@inlined
def with_tricks(won: np.uint64, seat: int, tricks: int) -> np.uint64:
    """`won` with so many tricks more for a seat."""
    return won + (_U(tricks) << (_U(seat) * _EIGHT))


@inlined
def without_tricks(won: np.uint64) -> np.uint64:
    """`won` at the start of a hand."""
    return won & ~_TRICKS


@inlined
def hands_of(won: np.uint64) -> Any:
    """The hands played, cancelled ones not counted."""
    return np.int64((won >> HANDS) & _TWO_BYTES)


@inlined
def redeals_of(won: np.uint64) -> Any:
    """The hands cancelled in a row."""
    return np.int64(won >> REDEALS)


@inlined
def without_redeals(won: np.uint64) -> np.uint64:
    """`won` when a hand was not cancelled."""
    return won & (ONE_REDEAL - _U(1))


@inlined
def no_trick(decision: int) -> np.uint64:
    """`table` while no trick is being played."""
    return _U(decision) | _NO_TRICK


@inlined
def trick(pattern: int, size: int, leader: int) -> np.uint64:
    """`table` when a pattern has just been led."""
    seats = (_U(leader) << LEADER) | (_U(leader) << BEST_SEAT)
    return _U(FOLLOW) | (_U(pattern) << PATTERN) | (_U(size) << SIZE) | seats | _ONE_LEFT


_NO_TRICK = (_BYTE << PATTERN) | (_BYTE << LEADER) | (_BYTE << BEST_SEAT)
_ONE_LEFT = _U(1) << LEFT
