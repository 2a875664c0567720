"""Kernels, and the rounds of a learner that is a sum of kernels at the rows it keeps.

Eight rows are scored together: their attributes are laid out side by side, so that each entry of a kept row is read
once for all of them. In a replay a block of rounds is scored against what was kept before it, and whatever is kept
meanwhile is added round by round; every score is summed in the order of the rows kept, so blocks change no bit.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require, require_nonnegative, require_positive
from littlestone.base.parameters import Checked
from littlestone.compiled import U, array_rule, kernel, read_attribute, read_value, round_exponential, rule
from littlestone.learners.shared.rounds import ROUNDS, UPDATES, find_entries, make_round
from littlestone.learners.shared.support_rows import ROWS, WIDTH, Support, drop, is_crowded, keep

HIGHEST_DEGREE = 256  # of a polynomial kernel, or of products, in a model from a file
LANES = 8  # rows scored together
WIDE = 1 << 20  # attributes beyond which laying out eight rows costs too much memory
REMOVALS = {"oldest": 0, "random": 1, "smallest": 2}
PRIME = (1 << 31) - 1
COIN = 2  # where `counts` holds the state of the coin


LINEAR = 0.0
POLYNOMIAL = 1.0
GAUSSIAN_KIND = 2.0


class KernelParams(NamedTuple):
    """What the loops read of a KernelPerceptron and its kernel."""

    extra: float  # the squared bias, which is added to every value
    kind: float  # LINEAR, POLYNOMIAL or GAUSSIAN_KIND
    size: float  # the degree or the width
    constant: float
    budget: float  # the most rows to keep; -1: any number
    removal: float  # a value of REMOVALS


@final
@dataclass(frozen=True)
class LinearKernel(metaclass=Checked):
    """The kernel x.z: the perceptron itself."""

    exact: ClassVar[bool] = True  # whether its values of whole numbers are whole numbers

    def of_products(self, products: Array) -> Array:
        """The kernel of all pairs of rows, from the matrix of their products."""
        return products

    def params(self) -> tuple[float, float, float]:
        """Kind, size and constant, as the loops read them."""
        return (LINEAR, 0.0, 0.0)


@final
@dataclass(frozen=True)
class PolynomialKernel(metaclass=Checked):
    """The kernel (constant + x.z)^degree: the perceptron over products of attributes.

    Args:
        degree: How many attributes a product has at most, >= 1.
        constant: How much products of fewer attributes count, >= 0; 0 leaves them out.
    """

    degree: int = 2
    constant: float = 1.0
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require(self.degree >= 1, f"degree must be at least 1, got {self.degree}")
        require_nonnegative(constant=self.constant)  # else the kernel is not semidefinite

    def is_affordable(self, room: int) -> bool:
        """Whether a file may name this kernel: how long it works is bounded."""
        return self.degree <= HIGHEST_DEGREE

    def of_products(self, products: Array) -> Array:
        return np.asarray((self.constant + products) ** self.degree)

    def params(self) -> tuple[float, float, float]:
        """Kind, size and constant, as the loops read them."""
        return (POLYNOMIAL, float(self.degree), float(self.constant))


@final
@dataclass(frozen=True)
class GaussianKernel(metaclass=Checked):
    """The kernel exp(-|x - z|^2 / (2 width^2)), also called RBF.

    Args:
        width: The distance over which rows are alike, > 0. Smaller separates more, and from less far away.
    """

    width: float = 1.0
    exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require_positive(width=self.width)

    def of_products(self, products: Array) -> Array:
        squares = np.diag(products)
        distances = np.maximum(0.0, squares[:, None] + squares[None, :] - 2 * products)
        return np.asarray(np.exp(-distances / (2 * self.width**2)))

    def params(self) -> tuple[float, float, float]:
        """Kind, size and constant, as the loops read them."""
        return (GAUSSIAN_KIND, float(self.width), 0.0)


COMPILED = (LinearKernel, PolynomialKernel, GaussianKernel)
GAUSSIAN = GaussianKernel()


class Dual(NamedTuple):
    """The examples kept, with y as coefficient; `counts` are rounds, updates and the state of the coin."""

    support: Support
    counts: Array


class Lane(NamedTuple):
    """A row laid out in every `lanes`-th place of z, from `at` on."""

    z: Any
    at: Any
    lanes: Any


@rule
def apply_kernel(product: Any, square: Any, other: Any, params: Any) -> Any:
    """K from x.z, |x|^2 and |z|^2, the bias included."""
    if params.kind == LINEAR:
        return product + params.extra
    if params.kind == POLYNOMIAL:
        power = 1.0
        for _ in range(int(params.size)):
            power *= params.constant + product
        return power + params.extra
    distance = max(square + other - 2.0 * product, 0.0)
    return round_exponential(-distance / (2.0 * params.size * params.size)) + params.extra


@array_rule
def scatter(rounds: Any, t: Any, lane: Any) -> Any:
    """Write row t into its lane and return its squared length."""
    square = 0.0
    row = find_entries(rounds, t)
    for k in range(row.a, row.b):
        value = np.float64(read_value(row.values, k))
        lane.z[lane.lanes * read_attribute(row.indices, k, row.a) + lane.at] = value
        square += value * value
    return square


@array_rule
def clear(rounds: Any, t: Any, lane: Any) -> None:
    """Write zeros where row t was written."""
    row = find_entries(rounds, t)
    for k in range(row.a, row.b):
        lane.z[lane.lanes * read_attribute(row.indices, k, row.a) + lane.at] = 0.0


@array_rule
def add_lane(support: Any, first: Any, lane: Any, square: Any, total: Any, params: Any) -> Any:
    """`total` plus what kept rows from `first` on add to the score of the row in one lane."""
    indptr = support.indptr
    indices = support.indices
    values = support.values
    for j in range(first, support.counts[ROWS]):
        product = 0.0
        for k in range(indptr[j], indptr[j + 1]):
            product += np.float64(values[k]) * lane.z[lane.lanes * U(np.uint32(indices[k])) + lane.at]
        total += support.coefficients[j] * apply_kernel(product, square, support.squares[j], params)
    return total


@array_rule
def add_lanes(support: Any, z: Array, norms: Array, totals: Array, products: Array, params: Any) -> None:
    """The scores of the rows in all lanes, each kept row read once; every lane sums in the order of `add_lane`."""
    indptr = support.indptr
    indices = support.indices
    values = support.values
    for j in range(support.counts[ROWS]):
        for lane in range(LANES):
            products[lane] = 0.0
        for k in range(indptr[j], indptr[j + 1]):
            at = U(LANES) * U(np.uint32(indices[k]))
            value = np.float64(values[k])
            for lane in range(LANES):
                products[lane] += value * z[at + U(lane)]
        for lane in range(LANES):
            value = apply_kernel(products[lane], norms[lane], support.squares[j], params)
            totals[lane] += support.coefficients[j] * value


@rule
def choose_victim(coefficients: Array, counts: Array, used: Any, removal: Any) -> Any:
    """The row that goes."""
    if removal == 1:
        counts[COIN] = counts[COIN] * 48271 % PRIME  # the minimal standard generator: no overflow in 64 bits
        return counts[COIN] * used // PRIME
    if removal == 2:
        least = 0
        for j in range(1, used):
            if abs(coefficients[j]) < abs(coefficients[least]):
                least = j
        return least
    return 0


@array_rule
def play(state: Any, rounds: Any, guesses: Array, params: Any, together: Any, z: Array, room: Array) -> Any:
    """Play rounds in blocks: scores against the rows kept before the block together, later rows one by one.

    `room` has three rows of a number for each lane: squared lengths, sums, products. Returns how many rounds were
    played; of these ~ if the next one has no finite score.
    """
    support = state.support
    counts = state.counts
    labels = rounds.labels
    lanes = U(together)
    norms = room[0]
    totals = room[1]
    t = 0
    while t < labels.size:
        block = min(together, labels.size - t)
        for lane in range(LANES):
            totals[lane] = 0.0
        for lane in range(block):
            norms[lane] = scatter(rounds, t + lane, Lane(z, U(lane), lanes))
        before = 0
        removed = False
        played = 0
        if together == LANES:
            before = support.counts[ROWS]
            add_lanes(support, z, norms, totals, room[2], params)
        for lane in range(block):
            if removed:
                break
            if is_crowded(support):
                return t + lane
            score = add_lane(support, before, Lane(z, U(lane), lanes), norms[lane], totals[lane], params)
            if not np.isfinite(score):
                return ~(t + lane)
            guesses[t + lane] = 1 if score > 0 else 0
            y = 1.0 if labels[t + lane] else -1.0
            counts[ROUNDS] += 1
            weight = y * read_value(rounds.importance, t + lane)
            if y * score <= 0 and weight != 0:
                if support.counts[ROWS] == params.budget:
                    used = support.counts[ROWS]
                    drop(support, choose_victim(support.coefficients, counts, used, params.removal))
                    removed = True
                keep(support, weight, rounds, t + lane)
                counts[UPDATES] += 1
            played += 1
        for lane in range(block):
            clear(rounds, t + lane, Lane(z, U(lane), lanes))
        t += played
    return labels.size


@kernel
def replay(state: Any, rounds: Any, guesses: Array, params: Any) -> Any:
    width = state.support.counts[WIDTH]
    together = LANES if rounds.labels.size > 1 and width <= WIDE else 1
    return play(state, rounds, guesses, params, together, np.zeros(width * together), np.zeros((3, LANES)))


@kernel
def score_many(support: Any, rounds: Any, params: Any, out: Array) -> None:
    """Write the scores of many rows."""
    z = np.zeros(support.counts[WIDTH] * LANES)
    room = np.zeros((3, LANES))
    score_blocks(support, rounds, params, out, z, room)


@array_rule
def score_blocks(support: Any, rounds: Any, params: Any, out: Array, z: Array, room: Array) -> None:
    """The loop of `score_many`; `room` is as in `play`."""
    lanes = U(LANES)
    norms = room[0]
    totals = room[1]
    for t in range(0, out.size, LANES):
        block = min(LANES, out.size - t)
        for lane in range(LANES):
            totals[lane] = 0.0
        for lane in range(block):
            norms[lane] = scatter(rounds, t + lane, Lane(z, U(lane), lanes))
        add_lanes(support, z, norms, totals, room[2], params)
        for lane in range(block):
            out[t + lane] = totals[lane]
            clear(rounds, t + lane, Lane(z, U(lane), lanes))


@kernel
def score_one(support: Any, indices: Any, values: Any, length: int, params: Any) -> Any:
    """The score of one row."""
    lane = Lane(np.zeros(support.counts[WIDTH]), U(0), U(1))
    rounds = make_round(indices, values, length, None, 0)
    return add_lane(support, 0, lane, scatter(rounds, 0, lane), 0.0, params)
