"""Compiled code: the one place that knows Numba."""

from littlestone.compiled.bits import (
    U,
    bits_to_float,
    count_bits,
    count_trailing_zeros,
    float_to_bits,
    load_word,
    mark_bytes,
    multiply_words,
    store_word,
)
from littlestone.compiled.class_sums import sum_by_class
from littlestone.compiled.compile_events import CompileClock, skip_scipy, tell_first_compile
from littlestone.compiled.decorators import (
    FOLDER,
    FRESH,
    array_kernel,
    array_rule,
    in_plain_python,
    kernel,
    long_rule,
    rule,
)
from littlestone.compiled.dense_dot import dense_dot
from littlestone.compiled.exponential import exponential, fma, round_exponential
from littlestone.compiled.late_kernels import compile_at_once, foresee, late_kernel
from littlestone.compiled.logarithm import logarithm
from littlestone.compiled.member_lanes import RICHEST, add_scores, teach_members
from littlestone.compiled.narrow_rows import NARROW, dot_registers, load_registers, step_registers, store_registers
from littlestone.compiled.pair_sums import sum_pairs
from littlestone.compiled.rows import have_same_type, is_dense, prefetch, read_attribute, read_value, write_mark
from littlestone.compiled.sorting import sort
from littlestone.compiled.symmetric import PENDING, TILE, Band, Changes, sweep_symmetric

__all__ = [
    "FOLDER", "FRESH", "NARROW", "PENDING", "RICHEST", "TILE", "Band", "Changes", "CompileClock", "U", "add_scores",
    "array_kernel", "array_rule", "bits_to_float", "compile_at_once", "count_bits", "count_trailing_zeros", "dense_dot",
    "dot_registers", "exponential", "float_to_bits", "fma", "foresee", "have_same_type", "in_plain_python",
    "is_dense", "kernel", "late_kernel", "load_registers", "load_word", "logarithm", "long_rule", "mark_bytes",
    "multiply_words", "prefetch", "read_attribute", "read_value", "round_exponential", "rule", "skip_scipy", "sort",
    "step_registers", "store_registers", "store_word", "sum_by_class", "sum_pairs", "sweep_symmetric", "teach_members",
    "tell_first_compile", "write_mark",
]  # fmt: skip
