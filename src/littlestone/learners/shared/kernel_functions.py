"""Dual: kernels, and the rounds of a learner that is a sum of kernels at the rows it keeps.

Eight rows are scored together: their attributes are laid out side by side, so that each entry of a kept row is read
once for all of them. In a replay a block of rounds is scored against what was kept before it, and whatever is kept
meanwhile is added round by round; every score is summed in the order of the rows kept, so blocks change no bit.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.compiled import U, entry, kernel, place, rule
from littlestone.learners.shared.support_rows import Support, drop, is_crowded, keep

LANES = 8  # rows scored together
WIDE = 1 << 20  # attributes beyond which laying out eight rows costs too much memory
REMOVALS = {"oldest": 0, "random": 1, "smallest": 2}
PRIME = (1 << 31) - 1


@final
@dataclass(frozen=True)
class LinearKernel:
    """x.z"""

    def params(self) -> tuple[float, float, float]:
        return (0.0, 0.0, 0.0)


@final
@dataclass(frozen=True)
class PolynomialKernel:
    """(constant + x.z)^degree"""

    degree: int = 2
    constant: float = 1.0

    def __post_init__(self) -> None:
        require(self.degree >= 1, f"degree must be at least 1, got {self.degree}")
        allowed = 0 <= self.constant and math.isfinite(self.constant)
        require(allowed, f"constant must be at least 0, else the kernel is not semidefinite; got {self.constant}")

    def params(self) -> tuple[float, float, float]:
        return (1.0, float(self.degree), float(self.constant))


@final
@dataclass(frozen=True)
class GaussianKernel:
    """exp(-|x - z|^2 / (2 width^2)), also called RBF"""

    width: float = 1.0

    def __post_init__(self) -> None:
        require(0 < self.width and math.isfinite(self.width), f"width must be positive, got {self.width}")

    def params(self) -> tuple[float, float, float]:
        return (2.0, float(self.width), 0.0)


COMPILED = (LinearKernel, PolynomialKernel, GaussianKernel)
GAUSSIAN = GaussianKernel()


class Dual(NamedTuple):
    """The examples kept, with y as coefficient; `counts` are rounds, updates and the state of the coin."""

    support: Support
    counts: Array


@rule
def kernel_value(product: Any, square: Any, other: Any, params: Any) -> Any:
    """K from x.z, |x|^2 and |z|^2, the bias included."""
    extra, kind, first, second = params[0], params[1], params[2], params[3]
    if kind == 0:
        return product + extra
    if kind == 1:
        power = 1.0
        for _ in range(int(first)):
            power *= second + product
        return power + extra
    distance = max(square + other - 2.0 * product, 0.0)
    return math.exp(-distance / (2.0 * first * first)) + extra


@rule
def scatter(listed: Any, entries: Any, a: Any, b: Any, z: Array, lane: Any, lanes: Any) -> Any:
    """Write a row into its lane of z and return its squared length."""
    square = 0.0
    for k in range(a, b):
        value = np.float64(entry(entries, k))
        z[lanes * place(listed, k, a) + lane] = value
        square += value * value
    return square


@rule
def clear(listed: Any, a: Any, b: Any, z: Array, lane: Any, lanes: Any) -> None:
    for k in range(a, b):
        z[lanes * place(listed, k, a) + lane] = 0.0


@rule
def add_lane(
    indptr: Array,
    indices: Array,
    values: Array,
    coefficients: Array,
    squares: Array,
    first: Any,
    last: Any,
    z: Array,
    lane: Any,
    lanes: Any,
    square: Any,
    total: Any,
    params: Any,
) -> Any:
    """`total` plus what kept rows first to last add to the score of the row in one lane."""
    for j in range(first, last):
        product = 0.0
        for k in range(indptr[j], indptr[j + 1]):
            product += np.float64(values[k]) * z[lanes * U(np.uint32(indices[k])) + lane]
        total += coefficients[j] * kernel_value(product, square, squares[j], params)
    return total


@rule
def add_lanes(
    indptr: Array,
    indices: Array,
    values: Array,
    coefficients: Array,
    squares: Array,
    last: Any,
    z: Array,
    norms: Array,
    totals: Array,
    params: Any,
) -> None:
    """The scores of the rows in all lanes, each kept row read once; every lane sums in the order of `add_lane`."""
    products = np.zeros(LANES)
    for j in range(last):
        products[:] = 0.0
        for k in range(indptr[j], indptr[j + 1]):
            at, value = U(LANES) * U(np.uint32(indices[k])), np.float64(values[k])
            for lane in range(LANES):
                products[lane] += value * z[at + U(lane)]
        for lane in range(LANES):
            totals[lane] += coefficients[j] * kernel_value(products[lane], norms[lane], squares[j], params)


@rule
def victim(coefficients: Array, counts: Array, used: Any, removal: Any) -> Any:
    """The row that goes."""
    if removal == 1:
        counts[2] = counts[2] * 48271 % PRIME  # the minimal standard generator: no overflow in 64 bits
        return counts[2] * used // PRIME
    if removal == 2:
        least = 0
        for j in range(1, used):
            if abs(coefficients[j]) < abs(coefficients[least]):
                least = j
        return least
    return 0


@kernel
def replay(
    indptr: Array,
    indices: Array,
    values: Array,
    coefficients: Array,
    squares: Array,
    used: Array,
    counts: Array,
    pointers: Array,
    listed: Any,
    entries: Any,
    importance: Any,
    labels: Array,
    guesses: Array,
    params: Any,
) -> Any:
    """Play rounds in blocks: scores against the rows kept before the block together, later rows one by one."""
    together = LANES if labels.size > 1 and used[1] <= WIDE else 1
    lanes = U(together)
    z, norms, totals = np.zeros(used[1] * together), np.zeros(LANES), np.zeros(LANES)
    budget, removal, t = params[4], params[5], 0
    while t < labels.size:
        block = min(together, labels.size - t)
        totals[:] = 0.0
        for lane in range(block):
            a, b = U(pointers[t + lane]), U(pointers[t + lane + 1])
            norms[lane] = scatter(listed, entries, a, b, z, U(lane), lanes)
        before, removed, played = 0, False, 0
        if together == LANES:
            before = used[0]
            add_lanes(indptr, indices, values, coefficients, squares, before, z, norms, totals, params)
        for lane in range(block):
            if removed:
                break
            if is_crowded(indices, coefficients, used):
                return t + lane
            known = (indptr, indices, values, coefficients, squares, before, used[0], z, U(lane), lanes, norms[lane])
            score = add_lane(*known, totals[lane], params)
            guesses[t + lane] = 1 if score > 0 else 0
            y = 1.0 if labels[t + lane] else -1.0
            counts[0] += 1
            weight = y * entry(importance, t + lane)
            if y * score <= 0 and weight != 0:
                if used[0] == budget:
                    j = victim(coefficients, counts, used[0], removal)
                    drop(indptr, indices, values, coefficients, squares, used, j)
                    removed = True
                a, b = U(pointers[t + lane]), U(pointers[t + lane + 1])
                keep(indptr, indices, values, coefficients, squares, used, weight, listed, entries, a, b)
                counts[1] += 1
            played += 1
        for lane in range(block):
            clear(listed, U(pointers[t + lane]), U(pointers[t + lane + 1]), z, U(lane), lanes)
        t += played
    return labels.size


@kernel
def many_scores(
    indptr: Array,
    indices: Array,
    values: Array,
    coefficients: Array,
    squares: Array,
    used: Array,
    pointers: Array,
    listed: Any,
    entries: Any,
    params: Any,
) -> Any:
    """The scores of many rows."""
    lanes, rows = U(LANES), pointers.size - 1
    z, norms, totals = np.zeros(used[1] * LANES), np.zeros(LANES), np.zeros(LANES)
    scores = np.zeros(rows)
    for t in range(0, rows, LANES):
        block = min(LANES, rows - t)
        totals[:] = 0.0
        for lane in range(block):
            a, b = U(pointers[t + lane]), U(pointers[t + lane + 1])
            norms[lane] = scatter(listed, entries, a, b, z, U(lane), lanes)
        add_lanes(indptr, indices, values, coefficients, squares, used[0], z, norms, totals, params)
        for lane in range(block):
            scores[t + lane] = totals[lane]
            clear(listed, U(pointers[t + lane]), U(pointers[t + lane + 1]), z, U(lane), lanes)
    return scores


@kernel
def one_score(
    indptr: Array,
    indices: Array,
    values: Array,
    coefficients: Array,
    squares: Array,
    used: Array,
    listed: Any,
    entries: Any,
    length: int,
    params: Any,
) -> Any:
    """The score of one row."""
    one, zero, z = U(1), U(0), np.zeros(used[1])
    square = scatter(listed, entries, zero, U(length), z, zero, one)
    return add_lane(indptr, indices, values, coefficients, squares, 0, used[0], z, zero, one, square, 0.0, params)
