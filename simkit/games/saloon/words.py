"""Words of memory: bits put in place by one instruction, and a part of a record copied at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simkit.bits import _HAS_PDEP, _deposit
from simkit.games.saloon.state import PUBLIC_BYTES
from simkit.jit import kernel

_U = np.uint64
_ONE = _U(1)
_BYTES = ir.Constant(ir.IntType(64), PUBLIC_BYTES)

_instruction: Callable[[Any], Any] = intrinsic  # its own types ask callers for the typing context too
_copy: Callable[..., Any] = cgutils.raw_memcpy


@_instruction
def copy_public(typingctx: Any, view: Any, state: Any) -> Any:
    """Copies what all see from a STATE to a VIEW: what both begin with."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, source = (builder.bitcast(record, ir.IntType(8).as_pointer()) for record in arguments)
        _copy(builder, target, source, _BYTES, 1, align=8)
        return context.get_dummy_value()

    return types.void(view, state), generate


@kernel
def _spread_by_pdep(bits: np.uint64, word: np.uint64) -> Any:
    return _deposit(bits, word)


@kernel
def _spread_by_counting(bits: np.uint64, word: np.uint64) -> Any:
    found = _U(0)
    while bits:
        if bits & _ONE:
            found |= word & (~word + _ONE)
        word &= word - _ONE
        bits >>= _ONE
    return found


# The n-th set bit of the second word for each bit n set in the first; bits beyond are left out.
spread = _spread_by_pdep if _HAS_PDEP else _spread_by_counting
