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

N. Littlestone. Learning quickly when irrelevant attributes abound. Machine Learning 2:285-318, 1988.
Y. Filmus, S. Hanneke, I. Mehalel and S. Moran. Optimal prediction using expert advice and randomized Littlestone
dimension. Conference on Learning Theory, 2023.

>>> [len(chart(points)) for points in (1, 2, 3)]  # without the empty class
[2, 5, 21]
>>> max(chart(2), key=lambda entry: entry.size)
AtlasEntry(number=15, points=2, size=4, alike=1, littlestone=2, vc=2, halving=2, randomized=Fraction(1, 1), teaching=2)
"""

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.concepts.concepts import Concepts

MOST = 4  # points: on five there are 2^32 classes


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


class GameValues(NamedTuple):
    """Values of games, a number for each class of the points there are; randomized ones are counted in 2^-n."""

    littlestone: list[int]
    halving: list[int]
    randomized: list[int]


def chart(points: int) -> list[AtlasEntry]:
    """Chart one class of each kind on these points, the empty one left out; the least number stands for its kind."""
    require(1 <= points <= MOST, f"points must be 1 to {MOST}, got {points}")
    least, found = find_least_alike(points), list[AtlasEntry]()
    values = solve_games(points)
    counts = np.bincount(least)
    for number in np.flatnonzero(counts).tolist():
        if number == 0:
            continue
        played = (values.littlestone[number], find_vc(number, points), values.halving[number])
        drawn = Fraction(values.randomized[number], 1 << points)
        size = number.bit_count()
        found.append(
            AtlasEntry(number, points, size, int(counts[number]), *played, drawn, find_teaching(number, points))
        )
    return found


def find_least_alike(points: int) -> Array:
    """The least number among the classes that are like each class, by number."""
    concepts = 1 << points
    numbers = np.arange(1 << concepts, dtype=np.int64)
    swaps = [_exchange(c, 0, x) for x in range(1, points) for c in range(concepts)]
    moves = [swaps[k : k + concepts] for k in range(0, len(swaps), concepts)]
    moves.append([c ^ 1 for c in range(concepts)])  # another label at the first point; the others follow by exchange
    images = [sum((numbers >> c & 1) << move[c] for c in range(concepts)) for move in moves]
    least, before = numbers, None
    while before is None or (least != before).any():
        before = least
        for image in images:
            least = np.minimum(least, least[image])
    return least


def _exchange(concept: int, x: int, z: int) -> int:
    """A concept with the labels of two points exchanged."""
    differ = (concept >> x ^ concept >> z) & 1
    return concept ^ (differ << x | differ << z)


def solve_games(points: int) -> GameValues:
    """Solve the games of every class by those of its parts, which have smaller numbers."""
    concepts, one = 1 << points, 1 << points
    ones = [sum(1 << c for c in range(concepts) if c >> x & 1) for x in range(points)]
    total = 1 << concepts
    littlestone, halving, drawn = [0] * total, [0] * total, [0] * total
    for number in range(1, total):
        for mask in ones:
            right, left = number & mask, number & ~mask
            if not right or not left:
                continue
            littlestone[number] = max(littlestone[number], 1 + min(littlestone[left], littlestone[right]))
            small, large = (left, right) if left.bit_count() <= right.bit_count() else (right, left)
            tied = left.bit_count() == right.bit_count()
            lost = max(halving[small], halving[large]) if tied else halving[small]
            halving[number] = max(halving[number], 1 + lost, halving[large])
            low, high = sorted((drawn[left], drawn[right]))
            drawn[number] = max(drawn[number], high if high - low > one else _halve(low + high + one))
    return GameValues(littlestone, halving, drawn)


def _halve(sum_of_values: int) -> int:
    """Half of a number that is even, because a class of n points asks about each of them once at most."""
    assert sum_of_values % 2 == 0
    return sum_of_values // 2


def find_vc(number: int, points: int) -> int:
    """The most points on which a class has every row of labels."""
    rows = [c for c in range(1 << points) if number >> c & 1]
    for size in range(points, 0, -1):
        for chosen in combinations(range(points), size):
            mask = sum(1 << x for x in chosen)
            if len({c & mask for c in rows}) == 1 << size:
                return size
    return 0


def find_teaching(number: int, points: int) -> int:
    """The most labels that a concept of a class needs to be told from all others of it."""
    rows = [c for c in range(1 << points) if number >> c & 1]
    masks = sorted(range(1 << points), key=int.bit_count)
    return max(next(mask.bit_count() for mask in masks if _tells(c, rows, mask)) for c in rows)


def _tells(concept: int, rows: list[int], mask: int) -> bool:
    """Whether the labels at some points tell a concept from all others."""
    return all(row == concept or (row ^ concept) & mask for row in rows)
