"""Small numbers of a deal, packed into words that are written and copied at once: in the loop every store counts.

A seat's `standing` holds points (byte 0), tricks won (1), pending points (2) and game points (4–7). The word `table`
holds what both seats see, a byte each: card led, may close, may exchange, stock open, cards in the stock, closer,
dealer and, in a view, the seat. A VIEW has the same bytes as fields of their own (see `state`), −1 where nothing is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_U = np.uint64
_BYTE = _U(0xFF)
TRICK, PENDING, GAME_POINTS = 1 << 8, 1 << 16, 1 << 32  # one of them, added to a standing
# Where the bytes are, as shifts: of a standing, and of `table`.
POINTS, TRICKS, PENDING_BYTE = _U(0), _U(8), _U(16)
LED, MAY_CLOSE, MAY_EXCHANGE, OPEN, STOCK, CLOSER, DEALER, SEAT = (_U(8 * byte) for byte in range(8))
_LEAD = _U(0xFFFFFF)  # the bytes that are of one lead
_NOTHING = _BYTE
NONE = 255  # no card led, no closer
_EIGHT, _SIXTEEN, _HALF = _U(8), _U(16), _U(32)


def inlined(function: Any) -> Any:
    """Compiles a function as `kernel` does, always into its callers: a call costs as much as many of them do.

    What such a function calls is compiled into it as well, unless another caller had it compiled before.
    """
    return numba.njit(nogil=True, forceinline=True)(function)


def told_byte(word: Any, place: np.uint64) -> int:
    """A byte of a word, for transcripts; not compiled."""
    return int(word) >> int(place) & 255


_instruction: Callable[[Any], Any] = intrinsic  # its own types ask callers for the typing context too


@_instruction
def put_word(typingctx: Any, record: Any, offset: Any, word: Any) -> Any:
    """Writes a uint64 at an offset of a record, over all fields that lie there: the low byte first.

    Every processor that numba compiles for keeps the low byte of a word first.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
        place = builder.bitcast(builder.gep(start, [arguments[1]]), ir.IntType(64).as_pointer())
        builder.store(arguments[2], place, align=8)
        return context.get_dummy_value()

    return types.void(record, types.int64, types.uint64), generate


@inlined
def points_of(standing: np.uint64) -> Any:
    """The points that count."""
    return np.int64(standing & _BYTE)


@inlined
def tricks_of(standing: np.uint64) -> Any:
    """The tricks won."""
    return np.int64((standing >> _EIGHT) & _BYTE)


@inlined
def pending_of(standing: np.uint64) -> Any:
    """The points of a marriage that wait for the first trick."""
    return np.int64((standing >> _SIXTEEN) & _BYTE)


@inlined
def game_points_of(standing: np.uint64) -> Any:
    """The game points."""
    return np.int64(standing >> _HALF)


@inlined
def byte_of(table: np.uint64, place: np.uint64) -> Any:
    """One of the bytes of `table`, 255 for none."""
    return np.int64((table >> place) & _BYTE)


@inlined
def with_byte(table: np.uint64, place: np.uint64, value: int) -> np.uint64:
    """`table` with another value of a byte."""
    return (table & ~(_BYTE << place)) | (_U(value) << place)


@inlined
def with_led(table: np.uint64, card: int) -> np.uint64:
    """`table` with a card led; what else the lead could have been is over."""
    return (table & ~_LEAD) | _U(card)


@inlined
def without_led(table: np.uint64, may_close: int, may_exchange: int) -> np.uint64:
    """`table` for a player about to lead."""
    return (table & ~_LEAD) | _NOTHING | (_U(may_close) << MAY_CLOSE) | (_U(may_exchange) << MAY_EXCHANGE)
