"""Atlas: exact values of every concept class on a few points, up to symmetry.

A concept on n points is a row of n labels, a class is a set of concepts, and two classes are alike if points can be
renamed, and labels exchanged at some points, so that one becomes the other. No value below changes by that. For a class
C and a point x let C0 and C1 be the concepts that give x the label 0 and 1; x tells C apart if neither is empty.

    Littlestone dimension  L(C) = max over such x of 1 + min(L(C0), L(C1)), and 0 if there is none
    Halving, ties lost     H(C) = max over such x of 1 + H of the smaller part, of either part if they are equal, and of
                           H of the larger part
    randomized value       V(C) = max over such x of (V(C0) + V(C1) + 1) / 2, or of max(V(C0), V(C1)) if they differ by
                           more than 1: the least expected number of mistakes that a learner can hold all adversaries to
    VC dimension           the most points on which C has every row of labels
    teaching dimension     the most labels that a concept of C needs to be told from all others of C

L is what the best deterministic learner makes in the worst case (Littlestone 1988), and V what the best randomized one
does: at x with chance p of guessing 1 the adversary takes the larger of 1 - p + V(C1) and p + V(C0), and the best p
makes these equal if it can. VC dimension <= L <= lg of the size, L / 2 <= V <= L, and H is at most lg of the size.

Numbers are found without a table of all classes. Renaming and exchanging are a path of steps, each of which swaps some
bits of a class's number with bits a fixed distance above, and a class stands for its kind if no step of the path
reaches a smaller number; the upper half of such a number stands for its kind on one point less. L, H and V of a class
come from those of its parts, which have one point less too.

N. Littlestone. Learning quickly when irrelevant attributes abound. Machine Learning 2:285-318, 1988.
Y. Filmus, S. Hanneke, I. Mehalel and S. Moran. Optimal prediction using expert advice and randomized Littlestone
dimension. Conference on Learning Theory, 2023.

>>> [len(chart(points)) for points in (1, 2, 3)]  # without the empty class
[2, 5, 21]
>>> max(chart(2), key=lambda entry: entry.size)
AtlasEntry(number=15, points=2, size=4, alike=1, littlestone=2, vc=2, halving=2, randomized=Fraction(1, 1), teaching=2)
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.compiled import U, count_bits, kernel, rule
from littlestone.concepts.concepts import Concepts

MOST = 5  # points: on six there are 2^64 classes


class AtlasEntry(NamedTuple):
    """A class and its exact values.

    Args:
        number: The class: bit c is set if concept c belongs to it; bit x of c is the label of point x.
        points: How many points there are.
        size: How many concepts it has.
        alike: How many classes are like it, itself among them.
        littlestone: Its Littlestone dimension.
        vc: Its VC dimension.
        halving: The most mistakes of Halving, if every tie is lost.
        randomized: The expected mistakes of the best randomized learner in the worst case.
        teaching: Its teaching dimension.
    """

    number: int
    points: int
    size: int
    alike: int
    littlestone: int
    vc: int
    halving: int
    randomized: Fraction
    teaching: int

    @property
    def rows(self) -> list[str]:
        """Its concepts as rows of labels, one a point."""
        members = [c for c in range(1 << self.points) if self.number >> c & 1]
        return ["".join(str(c >> x & 1) for x in range(self.points)) for c in members]

    @property
    def concepts(self) -> Concepts:
        """The class itself."""
        return Concepts([[label == "1" for label in row] for row in self.rows])


class AtlasTable(NamedTuple):
    """Classes and their exact values, a column each; `randomized` is counted in 2^-points."""

    points: int
    numbers: Array
    sizes: Array
    alike: Array
    littlestone: Array
    vc: Array
    halving: Array
    randomized: Array
    teaching: Array

    def entry(self, k: int) -> AtlasEntry:
        """The class in one line of the table."""
        number, size, alike, littlestone, vc, halving, drawn, teaching = (int(part[k]) for part in self[1:])
        value = Fraction(drawn, 1 << self.points)
        return AtlasEntry(number, self.points, size, alike, littlestone, vc, halving, value, teaching)


def chart(points: int) -> list[AtlasEntry]:
    """Chart one class of each kind on these points, the empty one left out; the least number stands for its kind."""
    table = tabulate(points)
    return [table.entry(k) for k in range(len(table.numbers))]


def tabulate(points: int) -> AtlasTable:
    """Tabulate one class of each kind on these points, the empty one left out, in the order of their numbers."""
    require(1 <= points <= MOST, f"points must be 1 to {MOST}, got {points}")
    numbers, alike = find_kinds(points)
    return _measure(numbers[1:], alike[1:], points)


def describe(number: int, points: int) -> AtlasEntry:
    """Describe the kind of a class: the entry of the least number among the classes that are like it."""
    require(1 <= points <= MOST, f"points must be 1 to {MOST}, got {points}")
    most = 1 << (1 << points)
    require(1 <= number < most, f"classes on {points} points have numbers from 1 to {most - 1:,}, got {number:,}")
    masks, shifts = _list_steps(points)
    least, alike = find_least(U(number), masks, shifts)
    return _measure(np.array([least], U), np.array([alike]), points).entry(0)


def find_kinds(points: int) -> tuple[Array, Array]:
    """Find the classes that stand for their kinds, the empty one first.

    Returns:
        Their numbers, the least of each kind.
        How many classes are like each.
    """
    if points == 0:
        return np.array([0, 1], U), np.array([1, 1])
    masks, shifts = _list_steps(points)
    half = 1 << (points - 1)
    found = [find_least_below(upper << U(half), 1 << half, masks, shifts) for upper in find_kinds(points - 1)[0]]
    return np.concatenate([part[0] for part in found]), np.concatenate([part[1] for part in found])


def _list_steps(points: int) -> tuple[Array, Array]:
    """List the steps of a path that passes every renaming and exchange once: bits to swap, and how far up.

    All 2^n exchanges of labels are passed by exchanging one at a time; then two neighbouring points change places, and
    so on through all orders.
    """
    flips = [_find_bits(points, {x: 0}) for x in range(points)]
    gray = [(k & -k).bit_length() - 1 for k in range(1, 1 << points)]
    steps = [(flips[x], 1 << x) for x in gray]
    found = list(steps)
    for x in _list_exchanges(points):
        found += [(_find_bits(points, {x: 1, x + 1: 0}), 1 << x), *steps]
    return np.array([mask for mask, _ in found], U), np.array([shift for _, shift in found], U)


def _list_exchanges(points: int) -> list[int]:
    """List which neighbours change places, pair after pair, on a way through all orders (Johnson and Trotter)."""
    if points < 2:
        return []
    before = _list_exchanges(points - 1)
    found = list[int]()
    for k in range(len(before) + 1):
        down = k % 2 == 0  # the last point walks down through the others, then up again
        found += range(points - 2, -1, -1) if down else range(points - 1)
        if k < len(before):
            found.append(before[k] + (1 if down else 0))
    return found


def _find_bits(points: int, labels: dict[int, int]) -> int:
    """The concepts that give some points some labels, as bits of a number."""
    return sum(1 << c for c in range(1 << points) if all(c >> x & 1 == label for x, label in labels.items()))


@rule
def swap_bits(number: Any, mask: Any, shift: Any) -> Any:
    """Swap the bits of a mask with those that lie `shift` above them."""
    differ = ((number >> shift) ^ number) & mask
    return number ^ differ ^ (differ << shift)


@kernel
def find_least_below(first: Any, count: int, masks: Array, shifts: Array) -> Any:
    """The numbers from `first` on, `count` of them, that stand for their kinds, and how many are like each."""
    numbers = np.zeros(count, np.uint64)
    alike = np.zeros(count, np.int64)
    found = 0
    for k in range(count):
        number = U(first) + U(k)
        image = number
        times = 1
        least = True
        for step in range(masks.size):
            image = swap_bits(image, masks[step], shifts[step])
            if image < number:
                least = False
                break
            times += image == number
        if least:
            numbers[found], alike[found] = number, (masks.size + 1) // times
            found += 1
    return numbers[:found], alike[:found]


@kernel
def find_least(number: Any, masks: Array, shifts: Array) -> Any:
    """The least number like a number, and how many are like it."""
    image = U(number)
    least = U(number)
    times = 1
    for step in range(masks.size):
        image = swap_bits(image, masks[step], shifts[step])
        times += image == number
        least = min(least, image)
    return least, (masks.size + 1) // times


def _measure(numbers: Array, alike: Array, points: int) -> AtlasTable:
    """Measure classes of which it is known how many are like each."""
    littlestone, halving, drawn = solve_games(numbers, points)
    asked = sorted(range(1 << points), key=int.bit_count)
    folds = np.array([mask ^ ((1 << points) - 1) for mask in asked])  # the points that are not asked
    zeros = np.array([_find_bits(points, {x: 0}) for x in range(points)], U)
    vc, teaching = measure_labels(numbers, folds, zeros, U((1 << (1 << points)) - 1))
    sizes = np.bitwise_count(numbers).astype(np.int64)
    return AtlasTable(points, numbers, sizes, alike, littlestone, vc, halving, drawn, teaching)


def solve_games(numbers: Array, points: int) -> tuple[Array, Array, Array]:
    """Solve the games of classes by those of their parts, which have one point less.

    Returns:
        The Littlestone dimensions.
        The most mistakes of Halving if every tie is lost.
        The values with coins, in 2^-points.
    """
    if points == 0:
        nothing = np.zeros(len(numbers), np.int64)
        return nothing, nothing, nothing
    parts = solve_games(np.arange(1 << (1 << (points - 1)), dtype=U), points - 1)
    last = points - 1
    masks = np.array([_find_bits(points, {x: 1, last: 0}) if x < last else 0 for x in range(points)], U)
    shifts = np.array([(1 << last) - (1 << x) for x in range(points)], U)
    littlestone, halving, drawn = solve_by_parts(numbers, points, masks, shifts, *parts)
    return littlestone, halving, drawn


@kernel
def solve_by_parts(
    numbers: Array, points: int, masks: Array, shifts: Array, littlestone: Array, halving: Array, drawn: Array
) -> Any:
    """The values of games from those of the parts; masks and shifts bring a point to the last place."""
    one = 1 << points
    half = U(1 << (points - 1))
    values = np.zeros((3, numbers.size), np.int64)
    for k in range(numbers.size):
        for x in range(points):
            turned = swap_bits(numbers[k], masks[x], shifts[x])
            right = np.int64(turned >> half)
            left = np.int64(turned & ((U(1) << half) - U(1)))
            if right == 0 or left == 0:
                continue
            values[0, k] = max(values[0, k], 1 + min(littlestone[left], littlestone[right]))
            lefts = count_bits(U(left))
            rights = count_bits(U(right))
            small, large = (left, right) if lefts <= rights else (right, left)
            lost = max(halving[small], halving[large]) if lefts == rights else halving[small]
            values[1, k] = max(values[1, k], 1 + lost, halving[large])
            low = 2 * min(drawn[left], drawn[right])
            high = 2 * max(drawn[left], drawn[right])
            values[2, k] = max(values[2, k], high if high - low > one else (low + high + one) // 2)
    return values[0], values[1], values[2]


@kernel
def measure_labels(numbers: Array, folds: Array, zeros: Array, whole: Any) -> Any:
    """The VC and teaching dimensions: which concepts share their labels at the points that are not folded."""
    vc = np.zeros(numbers.size, np.int64)
    teaching = np.zeros(numbers.size, np.int64)
    for k in range(numbers.size):
        alone = U(0)
        for fold in folds:  # fewest points asked first
            asked = zeros.size
            seen = numbers[k]
            twice = U(0)
            for x in range(zeros.size):
                if (fold >> x) & 1:
                    shift = U(1) << U(x)
                    low = zeros[x]
                    other = ((seen & low) << shift) | ((seen >> shift) & low)
                    again = ((twice & low) << shift) | ((twice >> shift) & low)
                    seen, twice = seen | other, twice | again | (seen & other)
                    asked -= 1
            if seen == whole:
                vc[k] = asked
            if alone != numbers[k]:
                alone |= numbers[k] & ~twice
                teaching[k] = asked
    return vc, teaching
