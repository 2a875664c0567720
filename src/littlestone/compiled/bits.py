"""Words of 64 bits: how many are set, where the first is, floats as words, and many bytes at once."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from littlestone.compiled.llvm_vectors import spread

U = np.uint64  # places in arrays are unsigned inside loops: signed ones are checked for being negative at every use


@intrinsic
def _popcount(typingctx: Any, word: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def count_bits(word: Any) -> Any:
    """How many of the 64 bits are set."""
    return np.uint64(int(word).bit_count())


@overload(count_bits, jit_options={"forceinline": True})
def _popcount_compiled(word: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(word: Any) -> Any:
        return _popcount(word)

    return compiled


@intrinsic
def _bits_of_compiled(typingctx: Any, value: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def _float_of_compiled(typingctx: Any, bits: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


def float_to_bits(value: Any) -> Any:
    """The 64 bits of a float, as an integer."""
    return np.float64(value).view(np.int64)


def bits_to_float(bits: Any) -> Any:
    """The float that has these 64 bits."""
    return np.int64(bits).view(np.float64)


@overload(float_to_bits, jit_options={"forceinline": True})
def _bits_of(value: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(value: Any) -> Any:
        return _bits_of_compiled(value)

    return compiled


@overload(bits_to_float, jit_options={"forceinline": True})
def _float_of(bits: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(bits: Any) -> Any:
        return _float_of_compiled(bits)

    return compiled


@intrinsic
def _trailing_zeros_compiled(typingctx: Any, word: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.uint64(types.uint64), generate


def count_trailing_zeros(word: Any) -> Any:
    """How many bits below the lowest one that is set; 64 if none is."""
    return np.uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)


@overload(count_trailing_zeros, jit_options={"forceinline": True})
def _trailing_zeros(word: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(word: Any) -> Any:
        return _trailing_zeros_compiled(word)

    return compiled


@intrinsic
def _eight_bytes_compiled(typingctx: Any, data: Any, at: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(64).as_pointer())
        word = builder.load(address)
        word.align = 1
        return word

    return types.uint64(data, types.uint64), generate


def load_word(data: Any, at: Any) -> Any:
    """Bytes `at` to `at + 7` as one little-endian word; the caller answers for their being there."""
    return np.uint64(int.from_bytes(bytes(data[int(at) : int(at) + 8]), "little"))


@overload(load_word, jit_options={"forceinline": True})
def _eight_bytes(data: Any, at: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(data: Any, at: Any) -> Any:
        return _eight_bytes_compiled(data, at)

    return compiled


@intrinsic
def _not_digits_compiled(typingctx: Any, data: Any, at: Any) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = ir.VectorType(ir.IntType(8), 64)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        word = builder.load(builder.bitcast(builder.gep(array.data, [arguments[1]]), lanes.as_pointer()))
        word.align = 1
        other = builder.icmp_unsigned(">", builder.sub(word, lanes([48] * 64)), lanes([9] * 64))
        return builder.bitcast(other, ir.IntType(64))

    return types.uint64(data, types.uint64), generate


def not_digits(data: Any, at: Any) -> Any:
    """Bit k says whether byte `at + k` is no digit, for 64 bytes; the caller answers for their being there."""
    return np.uint64(sum(1 << k for k in range(64) if not 48 <= data[int(at) + k] <= 57))


@overload(not_digits, jit_options={"forceinline": True})
def _not_digits(data: Any, at: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(data: Any, at: Any) -> Any:
        return _not_digits_compiled(data, at)

    return compiled


@intrinsic
def _either_compiled(
    typingctx: Any, data: Any, at: Any, one: Any, other: Any
) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, lanes = ir.IntType(8), ir.VectorType(ir.IntType(8), 64)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        word = builder.load(builder.bitcast(builder.gep(array.data, [arguments[1]]), lanes.as_pointer()))
        word.align = 1
        hits = []
        for argument in arguments[2:]:
            hits.append(builder.icmp_unsigned("==", word, spread(builder, builder.trunc(argument, byte), 64)))
        return builder.bitcast(builder.or_(*hits), ir.IntType(64))

    return types.uint64(data, types.uint64, types.uint64, types.uint64), generate


def either(data: Any, at: Any, one: Any, other: Any) -> Any:
    """Bit k says whether byte `at + k` is one or the other, for 64 bytes; the caller answers for their being there."""
    return np.uint64(sum(1 << k for k in range(64) if data[int(at) + k] in (int(one), int(other))))


@overload(either, jit_options={"forceinline": True})
def _either(data: Any, at: Any, one: Any, other: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(data: Any, at: Any, one: Any, other: Any) -> Any:
        return _either_compiled(data, at, np.uint64(one), np.uint64(other))

    return compiled


@intrinsic
def _put_eight_bytes_compiled(
    typingctx: Any, data: Any, at: Any, word: Any
) -> Any:  # pragma: no cover - runs in the compiler
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(64).as_pointer())
        builder.store(arguments[2], address).align = 1
        return context.get_dummy_value()

    return types.void(data, types.uint64, types.uint64), generate


def store_word(data: Any, at: Any, word: Any) -> Any:
    """Write a word over bytes `at` to `at + 7`, little-endian; the caller answers for their being there."""
    data[int(at) : int(at) + 8] = np.frombuffer(int(word).to_bytes(8, "little"), np.uint8)


@overload(store_word, jit_options={"forceinline": True})
def _put_eight_bytes(data: Any, at: Any, word: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(data: Any, at: Any, word: Any) -> Any:
        return _put_eight_bytes_compiled(data, at, word)

    return compiled


def multiply_words(one: Any, other: Any) -> Any:
    """The low 64 bits of a product."""
    return np.uint64(int(one) * int(other) & (1 << 64) - 1)


@overload(multiply_words, jit_options={"forceinline": True})
def _times(one: Any, other: Any) -> Any:  # pragma: no cover - runs in the compiler
    def compiled(one: Any, other: Any) -> Any:
        return np.uint64(one) * np.uint64(other)

    return compiled
