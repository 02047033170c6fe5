"""A part of a record copied at once: in the loop every store counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simkit.games.saloon.state import PUBLIC_BYTES

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
