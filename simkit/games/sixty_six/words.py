"""Small numbers of a deal, packed into words that are written and copied at once: in the loop every store counts.

A seat's `standing` holds points (byte 0), tricks won (1), pending points (2) and game points (4–7). The word `table`
holds what both seats see, a byte each: card led, may close, may exchange, stock open, cards in the stock, closer,
dealer and, in a view, the seat. A VIEW has the same bytes as fields of their own (see `state`), −1 where nothing is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.jit import inlined

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


def told_byte(word: Any, place: np.uint64) -> int:
    """A byte of a word, for transcripts; not compiled."""
    return int(word) >> int(place) & 255


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
