"""Words of 64 bits: their bits, floats as words, and bytes read and written eight or 64 at a time.

All but `mark_bytes` are plain expressions. LLVM recognises them and makes of each the one instruction that it stands
for: a population count, a count of trailing zeros, a load or a store that need not be aligned.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from littlestone.compiled.decorators import rule
from littlestone.compiled.llvm_vectors import spread

U = np.uint64  # places in arrays are unsigned inside loops: signed ones are checked for being negative at every use

ZERO, ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN = (U(k) for k in range(8))
BYTE_1, BYTE_2, BYTE_3, BYTE_4, BYTE_5, BYTE_6, BYTE_7 = (U(8 * k) for k in range(1, 8))
WIDE, BYTE = U(64), U(255)
PAIRS, FOURS, EIGHTS = U(0x5555555555555555), U(0x3333333333333333), U(0x0F0F0F0F0F0F0F0F)
ONES = U(0x0101010101010101)


def multiply_words(one: Any, other: Any) -> Any:
    """Return the low 64 bits of a product of two words."""
    return np.uint64(int(one) * int(other) & (1 << 64) - 1)


@overload(multiply_words, jit_options={"forceinline": True})
def _multiply_words(one: Any, other: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(one: Any, other: Any) -> Any:
        return np.uint64(one) * np.uint64(other)

    return compiled


@rule
def count_bits(word: Any) -> Any:
    """Return how many of the 64 bits of a word are set."""
    pairs = word - ((word >> ONE) & PAIRS)
    fours = (pairs & FOURS) + ((pairs >> TWO) & FOURS)
    return multiply_words((fours + (fours >> FOUR)) & EIGHTS, ONES) >> BYTE_7


@rule
def count_trailing_zeros(word: Any) -> Any:
    """Return how many bits lie below the lowest one that is set; 64 if none is set."""
    return count_bits(~word & (word - ONE)) if word != ZERO else WIDE


@rule
def float_to_bits(value: Any) -> Any:
    """Return the 64 bits of a float as an integer."""
    return np.float64(value).view(np.int64)


@rule
def bits_to_float(bits: Any) -> Any:
    """Return the float that has these 64 bits."""
    return np.int64(bits).view(np.float64)


@rule
def load_word(data: Any, at: Any) -> Any:
    """Return bytes `at` to `at + 7` as one little-endian word; the caller makes sure that they are there."""
    p = U(at)
    low = U(data[p]) | U(data[p + ONE]) << BYTE_1 | U(data[p + TWO]) << BYTE_2 | U(data[p + THREE]) << BYTE_3
    high = U(data[p + FOUR]) << BYTE_4 | U(data[p + FIVE]) << BYTE_5 | U(data[p + SIX]) << BYTE_6
    return low | high | U(data[p + SEVEN]) << BYTE_7


@rule
def store_word(data: Any, at: Any, word: Any) -> None:
    """Write a word over bytes `at` to `at + 7`, little-endian; the caller makes sure that they are there."""
    p = U(at)
    data[p], data[p + ONE] = word & BYTE, (word >> BYTE_1) & BYTE
    data[p + TWO], data[p + THREE] = (word >> BYTE_2) & BYTE, (word >> BYTE_3) & BYTE
    data[p + FOUR], data[p + FIVE] = (word >> BYTE_4) & BYTE, (word >> BYTE_5) & BYTE
    data[p + SIX], data[p + SEVEN] = (word >> BYTE_6) & BYTE, (word >> BYTE_7) & BYTE


@intrinsic
def _mark_bytes(typingctx: Any, data: Any, at: Any, low: Any, high: Any) -> Any:  # pragma: no cover
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = ir.VectorType(ir.IntType(8), 64)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        block = builder.load(builder.bitcast(builder.gep(array.data, [arguments[1]]), lanes.as_pointer()))
        block.align = 1
        low, high = (builder.trunc(argument, ir.IntType(8)) for argument in arguments[2:])
        above = builder.sub(block, spread(builder, low, 64))
        room = spread(builder, builder.sub(high, low), 64)
        return builder.bitcast(builder.icmp_unsigned("<=", above, room), ir.IntType(64))

    return types.uint64(data, types.uint64, types.uint64, types.uint64), generate


def mark_bytes(data: Any, at: Any, low: Any, high: Any) -> Any:
    """Return a word whose bit k says whether byte `at + k` is from `low` to `high`, both included, for 64 bytes.

    The caller makes sure that they are there.
    """
    return np.uint64(sum(1 << k for k in range(64) if low <= data[int(at) + k] <= high))


@overload(mark_bytes, jit_options={"forceinline": True})
def _mark_bytes_compiled(data: Any, at: Any, low: Any, high: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(data: Any, at: Any, low: Any, high: Any) -> Any:
        return _mark_bytes(data, at, np.uint64(low), np.uint64(high))

    return compiled
