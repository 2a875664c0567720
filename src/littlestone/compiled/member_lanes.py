"""Members of a mixture side by side: one attribute's numbers for all of them are read, used and written as vectors.

Roots and quotients are most of what a first-order member costs, and a vector of them takes about as long as one. Each
lane rounds as a number by itself does, so that it is what NumPy answers in plain Python, to the bit.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from littlestone.compiled.llvm_vectors import WORD, find_data, load, spread, store

RICHEST = 1e30  # a wealth is kept between the inverse of this and this
DOUBLE = ir.DoubleType()


class _Lanes:  # pragma: no cover - runs in the compiler
    """Vectors of float64 in an array that may have a smaller type, from a place on."""

    def __init__(self, context: Any, builder: Any, kind: Any, array: Any, place: Any) -> None:
        self.builder, self.real = builder, context.get_value_type(kind.dtype)
        self.data = builder.gep(find_data(context, builder, kind, array), [place])

    def load(self, first: int, lanes: int) -> Any:
        numbers = load(self.builder, self._find(first), ir.VectorType(self.real, lanes))
        return numbers if self.real == DOUBLE else self.builder.fpext(numbers, ir.VectorType(DOUBLE, lanes))

    def store(self, numbers: Any, first: int) -> None:
        kept = ir.VectorType(self.real, numbers.type.count)
        numbers = numbers if self.real == DOUBLE else self.builder.fptrunc(numbers, kept)
        store(self.builder, numbers, self._find(first))

    def _find(self, first: int) -> Any:
        return self.builder.gep(self.data, [WORD(first)])


def _fill(number: float, lanes: int) -> Any:  # pragma: no cover
    return ir.Constant(ir.VectorType(DOUBLE, lanes), [number] * lanes)


def _root(builder: Any, numbers: Any) -> Any:  # pragma: no cover
    kind = ir.FunctionType(numbers.type, [numbers.type])
    name = f"llvm.sqrt.v{numbers.type.count}f64"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [numbers])


def _clip(builder: Any, numbers: Any, low: Any, high: Any) -> Any:  # pragma: no cover
    above = builder.select(builder.fcmp_ordered(">", numbers, low), numbers, low)
    return builder.select(builder.fcmp_ordered("<", above, high), above, high)


def _bet(builder: Any, table: _Lanes, rates: int, wealths: int) -> Any:  # pragma: no cover
    """The shares of their wealths that coins bet."""
    totals = table.load(rates, wealths)
    squares = builder.fadd(table.load(rates + wealths + rates, wealths), _fill(1.0, wealths))
    reach = _root(builder, squares)
    clipped = _clip(builder, totals, builder.fsub(_fill(-0.0, wealths), reach), reach)
    return builder.fdiv(clipped, builder.fmul(_fill(2.0, wealths), squares))


@intrinsic(prefer_literal=True)
def add_scores(
    typingctx: Any, table: Any, here: Any, known: Any, value: Any, scores: Any, at: Any, counts: Any
) -> Any:  # pragma: no cover - runs in the compiler
    """Add what the members make of one attribute's value to their scores, from `at` on.

    `known` are the rates, and `counts` how many there are of them, and of coins.
    """
    first, coins = (count.literal_value for count in counts.types)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = _Lanes(context, builder, signature.args[0], arguments[0], arguments[1])
        sums = _Lanes(context, builder, signature.args[4], arguments[4], arguments[5])
        if first:
            rate = _Lanes(context, builder, signature.args[2], arguments[2], WORD(0)).load(0, first)
            squares = builder.fadd(numbers.load(first + coins, first), _fill(1.0, first))
            weights = builder.fdiv(builder.fmul(rate, numbers.load(0, first)), _root(builder, squares))
            added = builder.fmul(weights, spread(builder, arguments[3], first))
            sums.store(builder.fadd(sums.load(0, first), added), 0)
        if coins:
            weights = builder.fmul(_bet(builder, numbers, first, coins), numbers.load(2 * (first + coins), coins))
            added = builder.fmul(weights, spread(builder, arguments[3], coins))
            sums.store(builder.fadd(sums.load(first, coins), added), first)
        return context.get_dummy_value()

    return types.void(table, types.uint64, known, types.float64, scores, types.uint64, counts), generate


@intrinsic(prefer_literal=True)
def teach_members(
    typingctx: Any, table: Any, here: Any, pulls: Any, value: Any, at: Any, counts: Any
) -> Any:  # pragma: no cover - runs in the compiler
    """Teach the members one attribute's value; `pulls`, from `at` on, are minus the slopes of their losses."""
    first, coins = (count.literal_value for count in counts.types)
    members = first + coins

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = _Lanes(context, builder, signature.args[0], arguments[0], arguments[1])
        pulls = _Lanes(context, builder, signature.args[2], arguments[2], arguments[4])
        if coins:
            steps = builder.fmul(pulls.load(first, coins), spread(builder, arguments[3], coins))
            gained = builder.fadd(_fill(1.0, coins), builder.fmul(steps, _bet(builder, numbers, first, coins)))
            wealth = builder.fmul(numbers.load(2 * members, coins), gained)
            numbers.store(_clip(builder, wealth, _fill(1.0 / RICHEST, coins), _fill(RICHEST, coins)), 2 * members)
        if members:  # a mixture may have second-order members only
            steps = builder.fmul(pulls.load(0, members), spread(builder, arguments[3], members))
            totals = numbers.load(0, members)
            squares = numbers.load(members, members)
            numbers.store(builder.fadd(totals, steps), 0)
            numbers.store(builder.fadd(squares, builder.fmul(steps, steps)), members)
        return context.get_dummy_value()

    return types.void(table, types.uint64, pulls, types.float64, types.uint64, counts), generate
