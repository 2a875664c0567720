"""Separation: whether a hyperplane separates the classes of a stream, with a proof of either answer.

Write z = y (x, 1) for each round, y = +1 or -1. A vector u with u.z > 0 on every round separates the classes; then the
Perceptron, passing over them again and again, stops after at most R^2 |u|^2 / g^2 updates, g being the least u.z.

Theorem (Gordan 1873). Either some u has u.z > 0 on every round, or some whole numbers a >= 0, not all 0, have
sum a z = 0; never both. In the second case the Perceptron updates for ever: if attributes are rational its weights come
back to where they were, and the updates in between are such numbers (XOR: one update a row).

Proof of "never both". 0 = u . sum a z = sum a (u.z) > 0 is absurd. So either answer is easily checked: the sign of
products, or a sum of whole multiples of rows, both in exact arithmetic here.

It looks for one x with both labels, then for u by dual coordinate descent, then for a by a linear program whose
solution is computed again in fractions, then for u by another. What floats cannot tell, a simplex in whole numbers
decides if the rounds are few; where no u in floats separates, u is given in whole numbers.

P. Gordan. Uber die Auflosung linearer Gleichungen mit reellen Coefficienten. Mathematische Annalen 6:23-28, 1873.
M. Minsky and S. Papert. Perceptrons. MIT Press, 1969.

>>> from littlestone import Recorded
>>> print(separable(Recorded([[0, 0], [0, 1], [1, 0], [1, 1]], [False, True, True, False])))
not separable: 4 of 4 rounds, taken 1 time each, cancel: the sum of y (x, 1) over them is exactly 0
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import gcd, inf, isinf, isqrt, lcm, nextafter
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.domain import WIDE
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.printed_numbers import Number, format_down, format_up
from littlestone.certificates.make.linear_programs import make_matrix, prove_inseparable, solve
from littlestone.certificates.make.margins import SWEEPS, Rows, find_separator
from littlestone.game.leading_rounds import collect_rounds, open_stream
from littlestone.guarantees.exact_simplex import decide_exactly, is_affordable, to_whole
from littlestone.guarantees.signed_rows import cancels, find_contradiction, sign_rows

EPS = 2.0**-52
# between them, sums of products of floats are wrong by little more than EPS
TINY = 2.0**-960
HUGE = 2.0**960
FEW = 64  # rows that are decided in whole numbers first
MULTIPLIERS = range(1, 64, 2)  # by which u is multiplied before it is rounded to floats


@dataclass(frozen=True, slots=True, eq=False)
class Separation:
    """The answer and its proof; true in a condition if the classes are separable.

    Args:
        rounds: How many rounds were looked at.
        classes: The labels taken for -1 and +1.
        bias: The value of the constant attribute; 0: none.
        reach: The largest |z|^2, rounded up; a fraction where floats are too coarse or too small for it.
        weights: u without its constant, in floats, or in whole numbers where no floats were found that separate; None:
            not separable.
        constant: The constant of u.
        margin: The least u.z / |u|, rounded down; a fraction where floats are too coarse or too small for it.
        limit: No vector has a larger margin; infinite where nothing is known.
        multiples: Where not separable, how often each round, by its number from 0 on, is taken in the sum that is 0.
        refused: How many rounds the Perceptron refuses, as floats do not keep to its rule for values of such size.
    """

    rounds: int
    classes: tuple[Any, ...]
    bias: float
    reach: Number
    weights: Array | None = None
    constant: Number = 0.0
    margin: Number = 0.0
    limit: float = inf
    multiples: dict[int, int] = field(default_factory=dict)
    refused: int = 0

    def __bool__(self) -> bool:
        return self.weights is not None

    @property
    def whole(self) -> bool:
        """Whether u is given in whole numbers, because no floats were found that separate."""
        return self.weights is not None and self.weights.dtype == object

    @property
    def updates(self) -> int | None:
        """The most updates of a Perceptron in exact arithmetic, however often it passes over the rounds (Novikoff).

        None: there is no end of them. The Perceptron of this library refuses `refused` of the rounds.
        """
        if not self:
            return None
        return 0 if isinf(self.margin) else int(Fraction(self.reach) / Fraction(self.margin) ** 2)

    def check(self, stream: Stream) -> bool:
        """Whether the proof is right, read again from the stream and computed in exact arithmetic."""
        rows, _, _ = sign_rows(collect_rounds(stream, self.rounds), self.bias)
        if self.weights is None:
            return cancels(rows, self.multiples)
        return bool(
            _decide_positive(rows, np.append(np.array([self.constant], self.weights.dtype), self.weights)).all()
        )

    def record(self) -> dict[str, Any]:
        """The answer and its proof, as JSON knows it; whole numbers of any length, and fractions, are texts."""
        about: dict[str, Any] = {"separable": bool(self), "rounds": self.rounds, "bias": self.bias}
        about["classes"] = [item.item() if hasattr(item, "item") else item for item in self.classes]
        if self.weights is None:
            return about | {"multiples": {str(t): count for t, count in self.multiples.items()}}
        u = [self.constant, *self.weights.tolist()]
        constant, *weights = map(str, u) if self.whole else u
        margin = str(self.margin) if isinstance(self.margin, Fraction) else None if isinf(self.margin) else self.margin
        proof = {"weights": weights, "constant": constant, "margin": margin}
        return about | proof | {"limit": None if isinf(self.limit) else self.limit, "updates": self.updates}

    def __str__(self) -> str:
        folded = "(x, 1)" if self.bias == 1 else f"(x, {self.bias:g})" if self.bias else "x"
        if self:
            most = "" if isinf(self.limit) else f" (none has more than {format_up(self.limit, 6)})"
            updates = self.updates or 0
            count = f"{updates:,}" if updates < 10**18 else format_up(updates)
            who = "the Perceptron makes"
            if self.refused:
                sizes = f"from {format_up(WIDE.least)} to {format_down(WIDE.most)}"
                who = f"the Perceptron refuses {self.refused:,} of them, whose largest value is not {sizes} in size:\n"
                who += "scale the columns; in exact arithmetic it would make"
            return (
                f"separable: u.y {folded} > 0 on all {self.rounds:,} rounds, with margin {format_down(self.margin, 6)} "
                f"for |u| = 1{most};\n{who} at most {count} updates on them, however often it passes over them"
                + (";\nu is given in whole numbers: none was found in floating point" if self.whole else "")
            )
        counts = sorted(set(self.multiples.values()))
        times = f"{counts[0]:,} to {counts[-1]:,} times" if len(counts) > 1 else f"{counts[0]} time"
        taken = f"{times}{'s' if counts == counts[:1] and counts[0] > 1 else ''} each"
        return (
            f"not separable: {len(self.multiples):,} of {self.rounds:,} rounds, taken {taken}, cancel: "
            f"the sum of y {folded} over them is exactly 0"
        )


def separable(stream: Any, bias: float = 1.0, rounds: int | None = None) -> Separation:
    """Decide whether a hyperplane separates the two classes of a stream, with a proof of either answer.

    Args:
        stream: A stream, or a file as `read` takes it.
        bias: The value of the constant attribute, >= 0; 0: only hyperplanes through the origin.
        rounds: How many rounds to look at; None: all.
    """
    stream = open_stream(stream)
    require(bias >= 0 and bias < inf, f"bias must be at least 0 and finite, got {bias}")
    rows, which, names = sign_rows(collect_rounds(stream, rounds), bias)
    about = Separation(len(rows), names, float(bias), _find_reach(rows), refused=_count_refused(rows))
    for found in (find_contradiction(rows), {int(t): 1 for t in np.flatnonzero(np.diff(rows.indptr) == 0)[:1]}):
        if found:
            return replace(about, multiples=found)
    distinct = rows.select(which)
    if not len(distinct):
        return replace(about, weights=np.zeros(rows.width - 1), margin=inf)
    decided = _decide_in_floats(about, distinct)
    if decided is None:
        decided = _decide_in_whole_numbers(about, distinct)
    if decided is None:
        problem = f"{len(rows)} rounds lie too close to a hyperplane to tell in floating point, and are too many to "
        raise NotCertified(f"{problem}decide in whole numbers: scale attributes, or look at fewer rounds")
    if not decided:
        decided = replace(decided, multiples={int(which[i]): count for i, count in decided.multiples.items()})
        require(cancels(rows, decided.multiples), "the rounds that should cancel do not", NotCertified)
    return decided


def _count_refused(rows: Rows) -> int:
    """How many rows the Perceptron refuses: the constant, column 0, does not count."""
    largest = np.zeros(len(rows))
    which = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))
    np.maximum.at(largest, which, np.where(rows.indices > 0, np.abs(rows.values), 0.0))
    return int(np.count_nonzero((largest > 0) & ((largest < WIDE.least) | (largest > WIDE.most))))


def _decide_in_floats(about: Separation, rows: Rows) -> Separation | None:
    """What descent and linear programs in floats propose, if it is true; None if it is not."""
    squares = rows.squares
    limit = inf
    if (squares > TINY).all() and (squares < HUGE).all():
        separator = find_separator(rows)
        limit = separator.limit + SWEEPS * (len(rows) + 8) * EPS * float(np.sqrt(squares.max()))
        if separator.margin > 0 and (found := _make_separation(about, rows, separator.vector, limit)):
            return found
    largest = np.zeros(rows.width)
    np.maximum.at(largest, rows.indices, np.abs(rows.values))
    exponents = np.frexp(largest)[1]
    scaled = replace(rows, values=np.ldexp(rows.values, -exponents[rows.indices]))  # the sums that are 0 are the same
    multiples = prove_inseparable(scaled)
    if multiples is not None:
        taken = {i: count for i, count in enumerate(multiples) if count}
        if cancels(rows, taken):
            return replace(about, multiples=taken)
    u = np.where(largest > 0, _find_widest(scaled), 0.0)
    above = max((np.frexp(u)[1] - exponents)[u != 0], default=0)
    return _make_separation(about, rows, np.ldexp(u, -exponents - above), limit)


def _decide_in_whole_numbers(about: Separation, rows: Rows) -> Separation | None:
    """What the simplex in whole numbers finds: for a few rows, and those that its answer gets wrong; None: too many."""
    chosen = np.arange(min(len(rows), FEW))
    while (decided := _decide_few(about, rows.select(chosen))) is not None:
        if not decided:
            return replace(decided, multiples={int(chosen[i]): count for i, count in decided.multiples.items()})
        assert decided.weights is not None
        u = np.append(np.array([decided.constant], decided.weights.dtype), decided.weights)
        wrong = np.flatnonzero(~_decide_positive(rows, u))
        if not len(wrong):
            return _make_separation(about, rows, u, inf)
        chosen = np.append(chosen, wrong[:: -(-len(wrong) // FEW)])
    return None


def _decide_few(about: Separation, rows: Rows) -> Separation | None:
    """What the simplex in whole numbers finds for all of the rows; None if they are too many for it."""
    columns = np.unique(rows.indices)
    if not is_affordable(len(rows), len(columns)):
        return None
    place = {int(column): j for j, column in enumerate(columns)}
    matrix = [[Fraction(0)] * len(columns) for _ in range(len(rows))]
    for t, row in enumerate(matrix):
        for k in range(rows.indptr[t], rows.indptr[t + 1]):
            row[place[int(rows.indices[k])]] = Fraction(float(rows.values[k]))
    lengths = [max(map(abs, column)) for column in zip(*matrix, strict=True)]
    matrix = [[value / length for value, length in zip(row, lengths, strict=True)] for row in matrix]
    factors = [Fraction(lcm(*(v.denominator for v in row)), gcd(*(v.numerator for v in row))) for row in matrix]
    whole = [[int(value * factor) for value in row] for row, factor in zip(matrix, factors, strict=True)]
    decision = decide_exactly(whole)
    if decision is None:
        return None
    if decision.multiples is not None:
        multiples = to_whole([count * factor for count, factor in zip(decision.multiples, factors, strict=True)])
        return replace(about, multiples={i: count for i, count in enumerate(multiples) if count})
    assert decision.vector is not None
    u: Array = np.zeros(rows.width, object)
    u[columns] = to_whole([weight / length for weight, length in zip(decision.vector, lengths, strict=True)])
    return _round_to_floats(about, rows, u) or _make_separation(about, rows, u, inf)


def _round_to_floats(about: Separation, rows: Rows, u: Array) -> Separation | None:
    """The separation by floats near a multiple of u; None if those that were tried do not separate."""
    largest = max(abs(weight) for weight in u)
    for multiplier in MULTIPLIERS:
        rounded = np.array([float(Fraction(multiplier * weight, largest)) for weight in u])
        if found := _make_separation(about, rows, rounded, inf):
            return found
    return None


def _bound_errors(rows: Rows, u: Array) -> Array:
    """By how much each product u.z may be wrong, in sums that may also lose numbers too small for floats."""
    sizes = replace(rows, values=np.abs(rows.values)).multiply(np.abs(u))
    counts = np.diff(rows.indptr) + 2
    return np.asarray(EPS * counts * sizes + counts * nextafter(0, 1))


def _multiply_exactly(rows: Rows, u: Array, t: int) -> Fraction:
    span = range(rows.indptr[t], rows.indptr[t + 1])
    return sum((Fraction(u[rows.indices[k]]) * Fraction(float(rows.values[k])) for k in span), Fraction(0))


def _decide_positive(rows: Rows, u: Array) -> Array:
    """Whether u.z > 0, exactly, for each row: in fractions where floats cannot tell."""
    sure = np.zeros(len(rows), bool)
    unsure = np.ones(len(rows), bool)
    if u.dtype != object:
        with np.errstate(all="ignore"):
            products = rows.multiply(u)
            errors = _bound_errors(rows, u)
        sure = products > errors
        unsure = ~sure & ~(products < -errors)
    for t in np.flatnonzero(unsure):
        sure[t] = _multiply_exactly(rows, u, int(t)) > 0
    return np.asarray(sure)


def _make_separation(about: Separation, rows: Rows, u: Array, limit: float) -> Separation | None:
    """The separation by u, its margin rounded down; None if it does not separate."""
    if not u.any() or not _decide_positive(rows, u).all():
        return None
    margin = _find_margin(rows, u)
    limit = limit if isinf(limit) else max(limit, float(margin))
    return replace(about, weights=u[1:].copy(), constant=u.tolist()[0], margin=margin, limit=limit)


def _find_margin(rows: Rows, u: Array) -> Number:
    """The least u.z / |u|, rounded down: in fractions where floats are too coarse."""
    if u.dtype != object:
        with np.errstate(all="ignore"):
            least = float((rows.multiply(u) - _bound_errors(rows, u)).min())
            square = float(u @ u)
        if TINY < least < HUGE and TINY < square < HUGE:
            return least / (float(np.sqrt(square)) * (1 + (len(u) + 8) * EPS))
    least_square = min(_multiply_exactly(rows, u, t) for t in range(len(rows))) ** 2
    ratio = least_square / sum(Fraction(weight) ** 2 for weight in u.tolist())
    digits = max(0, ratio.denominator.bit_length() - ratio.numerator.bit_length()) // 2 + 60
    root = Fraction(isqrt((ratio.numerator << 2 * digits) // ratio.denominator), 1 << digits)
    return nextafter(float(root), 0) if TINY < root < HUGE else root


def _find_reach(rows: Rows) -> Number:
    """The largest |z|^2, rounded up: in fractions where floats are too coarse."""
    squares = rows.squares
    largest = float(squares.max(initial=0.0))
    if TINY < largest < HUGE:
        return largest * (1 + (int(np.diff(rows.indptr).max()) + 8) * EPS)
    parts = [slice(rows.indptr[t], rows.indptr[t + 1]) for t in np.flatnonzero(~(squares < largest / 2))]
    return max((sum((Fraction(v) ** 2 for v in rows.values[part].tolist()), Fraction(0)) for part in parts), default=0)


def _find_widest(rows: Rows) -> Array:
    """The u of entries in [-1, 1] with the largest least u.z, by a linear program."""
    from scipy.sparse import csr_array, hstack

    left = hstack((-make_matrix(rows), csr_array(np.ones((len(rows), 1))))).tocsr()  # g - u.z <= 0
    goal = np.append(np.zeros(rows.width), -1.0)
    found = solve(goal, left, np.zeros(len(rows)), [(-1, 1)] * rows.width + [(None, None)])
    return np.zeros(rows.width) if found is None else found[:-1]
