"""Soundness: what compiled loops take on trust, checked of a state that came from a file.

A loop looks nothing up twice: it takes row pointers, attribute numbers, exponents, counts of classes and of experts
from the state and reads memory there. So a state from outside must be one that play could have left, as far as any of
these numbers goes. Its arrays have the types and shapes of a state that starts (`FREE` and `WIDER` say which may have
grown), and the check of its type, in the list at the end, accepts what they hold. Weights may be any numbers.
Types go by name here, since a file's learner is one of the library's: whoever loads one does not wait for the others.

`affordable` judges a learner's parameters alone: those that decide how long a loaded player works, or how much memory
it takes before a single array is compared, must stay within what is stated here.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from littlestone.base.learner import Learner, Size, State

if TYPE_CHECKING:
    from littlestone.concepts.packed import PackedSpace
    from littlestone.concepts.thresholds import ThresholdSpace
    from littlestone.learners.balanced_winnow import Balance
    from littlestone.learners.closure import BoxState
    from littlestone.learners.consistent import ConsistentState
    from littlestone.learners.conversions.conservative import Shown
    from littlestone.learners.elimination import Literals
    from littlestone.learners.experts.state import ExpertPool
    from littlestone.learners.experts.voting_loop import Marks
    from littlestone.learners.memorizer import Memory
    from littlestone.learners.naive_bayes import Counts
    from littlestone.learners.randomized_halving import Draws
    from littlestone.learners.shared.kernel_functions import Dual
    from littlestone.learners.shared.network_loops import Blocks
    from littlestone.learners.shared.network_separate import Apart
    from littlestone.learners.shared.second_order import Confidence
    from littlestone.learners.shared.support_rows import Support
    from littlestone.learners.voted_perceptron import Voters
    from littlestone.learners.winnow import Sums

FREE: dict[str, tuple[str, ...]] = {  # arrays that may have another shape than in a state that starts
    "Support": ("indptr", "indices", "values", "coefficients", "squares"),
    "Voters": ("survival",),
    "Balance": ("phases",),
    "Confidence": ("weights", "matrix", "pending"),
}
WIDER = {"Sums": ("weights", "bias"), "Balance": ("weights", "bias")}  # arrays that widen in play
EXPONENTS = (np.int8, np.int16, np.int32)

DEGREE = 256  # of a polynomial kernel or of products
STEPS = 1 << 16  # of a program
LITERALS = 1 << 20  # attributes of a conjunction, times its literals where their number is fixed
DIMENSIONS = 1 << 16  # of a grid


def sound(learner: Any, state: State, size: Size) -> bool:
    """Whether the learner's loops may be trusted with a state of the right types and shapes."""
    match type(learner).__name__:
        case "Interactions":
            return sound(learner.learner, state, learner.expanded(size))
        case "Arow":
            return sound(learner.variant, state, size)
    return CHECKS[type(state).__name__](learner, state, size)


def affordable(part: Any, bytes: int) -> bool:
    """Whether a learner, class or kernel may be built whose state takes no more than so many bytes."""
    match type(part).__name__:
        case "PolynomialKernel" | "Interactions":
            return bool(part.degree <= DEGREE)
        case "Parities":
            return bool(part.n <= 64)
        case "Programs":
            return bool(part.bits <= 64 and part.steps <= STEPS)
        case "Conjunctions" | "Disjunctions":
            return bool(part.n * max(1, part.k or 0) <= LITERALS)
        case "Halfspaces":
            return bool(part.d <= DIMENSIONS and part.n < 2**31)
        case "Rectangles":
            return bool(part.d <= DIMENSIONS and part.m < 2**31)
        case "Ellipsoid":
            return bool(4 * (part.attributes or 0) ** 2 <= bytes)
        case "Closure":
            return bool(16 * part.concepts.d <= bytes)
        case "Consistent" | "Halving" | "RandomizedHalving" | "StandardOptimal":
            from littlestone.concepts.packed import Packed

            return not isinstance(part.concepts, Packed) or part.concepts.size <= 8 * bytes
    return True


def _always(learner: Learner, state: State, size: Size) -> bool:
    return True


def _blocks(learner: Learner, state: "Blocks", size: Size) -> bool:
    return bool(2 <= state.counts[2] <= size.classes)


def _apart(learner: Any, state: "Apart", size: Size) -> bool:
    return 2 <= state.counts[2] <= size.classes and all(sound(learner.learner, unit, size) for unit in state.units)


def _support(support: "Support", size: Size) -> bool:
    rows, attributes, most = (int(count) for count in support.counts)
    indptr, indices, kept = support.indptr, support.indices, len(support.coefficients)
    alike = len(indptr) == kept + 1 and len(support.squares) == kept and len(support.values) == len(indices)
    if not alike or not 0 <= rows <= kept or attributes != size.attributes:
        return False
    used = indptr[: rows + 1]
    if used[0] != 0 or (np.diff(used) < 0).any() or not used[-1] <= most <= len(indices):
        return False
    listed = indices[: used[-1]]
    return bool(listed.min(initial=0) >= 0 and listed.max(initial=-1) < attributes)


def _dual(learner: Any, state: "Dual", size: Size) -> bool:
    from littlestone.learners.shared.kernel_functions import PRIME

    budget = learner.budget is None or state.support.rows <= learner.budget
    return budget and 0 < state.counts[2] < PRIME and _support(state.support, size)


def _voters(learner: Learner, state: "Voters", size: Size) -> bool:
    return len(state.survival) == len(state.support.indptr) and _support(state.support, size)


def _sums(learner: Any, state: "Sums", size: Size) -> bool:
    from littlestone.learners.shared.exponents import ROOM
    from littlestone.learners.shared.multiplicative import LARGEST

    threshold = float(state.threshold[0])
    if not (0 < threshold < np.inf and learner.margin < threshold and state.bias.dtype == state.weights.dtype):
        return False
    if state.weights.dtype.kind == "f":
        return bool(np.isfinite(state.weights).all() and state.weights.min(initial=0) >= 0)
    known = state.weights.itemsize < 4 or state.weights.max(initial=0) < len(learner.powers(state)) // 2
    return bool(known) and _largest(state.weights) <= state.counts[LARGEST] <= ROOM[state.weights.itemsize]


def _balance(learner: Any, state: "Balance", size: Size) -> bool:
    from littlestone.learners.shared.multiplicative import LARGEST

    largest = max(_largest(state.weights), _largest(state.bias))
    fits = state.bias.dtype == state.weights.dtype and state.phases.ndim == 1
    return bool(fits and largest <= state.counts[LARGEST] <= learner.params(state)[0])


def _largest(exponents: Any) -> int:
    """The exponent furthest from 0; the lowest integer, which stands for the weight 0, is none."""
    from littlestone.learners.shared.exponents import ROOM

    living = exponents[exponents != -1 - ROOM[exponents.itemsize]]
    return max(-int(living.min(initial=0)), int(living.max(initial=0)))


def _confidence(learner: Any, state: "Confidence", size: Size) -> bool:
    from littlestone.compiled import PENDING
    from littlestone.learners.shared.packed_matrix import room, start_of

    attributes = len(state.weights)
    rows = room(attributes + (learner.bias != 0))
    whole = state.pending.shape == (PENDING, rows) and len(state.matrix) == int(start_of(np.uint64(rows)))
    if type(learner).__name__ == "Ellipsoid":  # it is over the attributes known at the start, for good
        given = attributes == learner.attributes if learner.attributes else 1 <= attributes <= size.attributes
    else:
        given = attributes == size.attributes
    return bool(whole and given and 0 <= state.counts[2] <= PENDING)


def _counts(learner: Learner, state: "Counts", size: Size) -> bool:
    return bool(1 <= state.counts[1] <= size.classes)


def _pool(learner: Learner, state: "ExpertPool", size: Size) -> bool:
    from littlestone.learners.experts.state import EXPERTS

    return bool(0 <= state.counts[EXPERTS] <= len(state.losses))


def _marks(learner: Any, state: "Marks", size: Size) -> bool:
    from littlestone.learners.experts.state import EXPERTS, ROUNDS
    from littlestone.learners.experts.voting_loop import FEWEST, LOW, MISTAKES

    met, low, fewest = (int(state.counts[place]) for place in (EXPERTS, LOW, FEWEST))
    mistakes, rounds = int(state.counts[MISTAKES]), int(state.counts[ROUNDS])
    if not 0 <= met <= len(state.marks) or not 0 <= mistakes <= rounds < 2**31:
        return False
    marks = state.marks[:met]
    return bool(0 <= low <= fewest <= marks.min(initial=rounds) and marks.max(initial=0) <= rounds)


def _literals(learner: Learner, state: "Literals", size: Size) -> bool:
    return bool(state.on.max(initial=0) <= 1 and state.off.max(initial=0) <= 1)


def _space(learner: Any, state: "PackedSpace", size: Size) -> bool:
    whole = learner.concepts.start().alive
    survivors = int(np.bitwise_count(state.alive).sum(dtype=np.int64))
    return 1 <= survivors == state.counts[0] and not (state.alive & ~whole).any() and state.counts[1] >= 0


def _interval(learner: Any, state: "ThresholdSpace", size: Size) -> bool:
    low, high = (int(end) for end in state.ends)
    return bool(0 <= low <= high <= learner.concepts.n + 1)


def _chosen(learner: Any, state: "ConsistentState", size: Size) -> bool:
    return sound(learner, state.space, size)


def _draws(learner: Any, state: "Draws", size: Size) -> bool:
    history, concepts = state.history, learner.concepts
    if not sound(learner, state.space, size) or not all(type(left) is int for left in history):
        return False
    ends = history[:1] == [concepts.size] and history[-1] == concepts.survivors(state.space)
    return ends and all(before > after for before, after in pairwise(history))


def _box(learner: Any, state: "BoxState", size: Size) -> bool:
    low, high, m = state.low, state.high, learner.concepts.m
    return bool((low >= 0).all() and (low <= m).all() and (high >= -1).all() and (high < m).all())


def _memory(learner: Learner, state: "Memory", size: Size) -> bool:
    return all(type(number) is int and 0 <= number < size.classes for number in state.labels.values())


def _shown(learner: Any, state: "Shown", size: Size) -> bool:
    return sound(learner.learner, state.inner, size)


CHECKS: dict[str, Callable[[Any, Any, Size], bool]] = {
    "Weights": _always,  # no number of an additive learner's state is a place in memory
    "Blocks": _blocks,
    "Apart": _apart,
    "Dual": _dual,
    "Voters": _voters,
    "Sums": _sums,
    "Balance": _balance,
    "Confidence": _confidence,
    "Counts": _counts,
    "ExpertPool": _pool,
    "Marks": _marks,
    "Literals": _literals,
    "PackedSpace": _space,
    "ThresholdSpace": _interval,
    "ConsistentState": _chosen,
    "Draws": _draws,
    "BoxState": _box,
    "Memory": _memory,
    "Shown": _shown,
}
