"""Words of 64 bits, with the processor's own instructions: sets are counted and searched, fields written at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simkit.jit import kernel

_HAS_PDEP = bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))
_U = np.uint64
_ONE = _U(1)
_WORD = ir.IntType(64)
_instruction: Callable[[Any], Any] = intrinsic  # its own types ask callers for the typing context too


@_instruction
def ones(typingctx: Any, word: Any) -> Any:
    """How many bits of a uint64 are set, as int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@_instruction
def lowest(typingctx: Any, word: Any) -> Any:
    """The index (int64) of the lowest set bit of a uint64; 64 when none is set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@_instruction
def _deposit(typingctx: Any, source: Any, mask: Any) -> Any:
    """PDEP: the low bits of the first uint64 put where the second one has bits. Only on processors with BMI2."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_WORD, [_WORD, _WORD])
        function = builder.module.globals.get("llvm.x86.bmi.pdep.64")
        if function is None:
            function = ir.Function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


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


@kernel
def _nth_bit_by_pdep(word: np.uint64, n: int) -> Any:
    return lowest(_deposit(_ONE << _U(n), word))


@kernel
def _nth_bit_by_counting(word: np.uint64, n: int) -> Any:
    for _ in range(n):
        word &= word - _ONE
    return lowest(word)


# The index (int64) of the n-th set bit of a uint64, counted from 0 at the low end; n must be below ones(word).
nth_bit = _nth_bit_by_pdep if _HAS_PDEP else _nth_bit_by_counting


@kernel
def _spread_by_pdep(places: np.uint64, word: np.uint64) -> Any:
    return _deposit(places, word)


@kernel
def _spread_by_counting(places: np.uint64, word: np.uint64) -> Any:
    found = _U(0)
    while places:
        if places & _ONE:
            found |= word & (~word + _ONE)
        word &= word - _ONE
        places >>= _ONE
    return found


# Of the set bits of the second uint64 those at the places set in the first, place 0 being the lowest; a uint64.
spread = _spread_by_pdep if _HAS_PDEP else _spread_by_counting
