"""Compiled code: the one place that knows Numba."""

from littlestone.kernel.columns import column_sums
from littlestone.kernel.compiled import FOLDER, FRESH, kernel, lean, light, rule, stage
from littlestone.kernel.entries import entry, is_dense, note, place, prefetch, same_type
from littlestone.kernel.lanes import dense_dot
from littlestone.kernel.powers import exponential, fma
from littlestone.kernel.registers import NARROW, held_dot, held_step, hold, release
from littlestone.kernel.sorting import sort
from littlestone.kernel.symmetric import PENDING, TILE, symmetric_sweep
from littlestone.kernel.words import (
    bits_of,
    eight_bytes,
    either,
    float_of,
    not_digits,
    popcount,
    put_eight_bytes,
    times,
    trailing_zeros,
)

__all__ = [
    "FOLDER",
    "FRESH",
    "NARROW",
    "PENDING",
    "TILE",
    "bits_of",
    "column_sums",
    "dense_dot",
    "eight_bytes",
    "either",
    "entry",
    "exponential",
    "float_of",
    "fma",
    "held_dot",
    "held_step",
    "hold",
    "is_dense",
    "kernel",
    "lean",
    "light",
    "not_digits",
    "note",
    "place",
    "popcount",
    "prefetch",
    "put_eight_bytes",
    "release",
    "rule",
    "same_type",
    "sort",
    "stage",
    "symmetric_sweep",
    "times",
    "trailing_zeros",
]
