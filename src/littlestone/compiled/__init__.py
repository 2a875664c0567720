"""Compiled code: the one place that knows Numba."""

from littlestone.compiled.bits import (
    U,
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
from littlestone.compiled.class_sums import column_sums
from littlestone.compiled.decorators import FOLDER, FRESH, kernel, lean, light, rule, stage
from littlestone.compiled.dense_dot import dense_dot
from littlestone.compiled.exponential import exponential, fma
from littlestone.compiled.narrow_rows import NARROW, held_dot, held_step, hold, release
from littlestone.compiled.rows import entry, is_dense, note, place, prefetch, same_type
from littlestone.compiled.sorting import sort
from littlestone.compiled.symmetric import PENDING, TILE, symmetric_sweep

__all__ = [
    "FOLDER",
    "FRESH",
    "NARROW",
    "PENDING",
    "TILE",
    "U",
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
