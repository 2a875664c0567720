"""Dimensions: how hard a finite class is to learn, exactly, with a witness.

The Littlestone dimension of a class V of at least one concept is the depth of its deepest mistake tree,

    Ldim(V) = max over instances x of 1 + the second largest Ldim(V[x, y]) over labels y,      Ldim(one concept) = 0,

where V[x, y] are the concepts of V that label x as y. It is what the best deterministic learner must and can endure:
min over learners of the worst case = Ldim. The Vapnik-Chervonenkis dimension, of classes with two labels, is the size
of the largest set of instances that the concepts label in every way. Always VC <= Ldim <= floor(lg |V|).

The solver asks "is Ldim(V) >= d?" with a concept to a bit of an integer. Both sides of the split need 2^(d-1) concepts,
the most even splits are tried first, and every answer is remembered as a bound on that V.

N. Littlestone. Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm. Machine Learning
2:285-318, 1988. V. N. Vapnik and A. Ya. Chervonenkis. On the uniform convergence of relative frequencies of events to
their probabilities. Theory of Probability and its Applications 16:264-280, 1971.

>>> from littlestone.concepts import Thresholds
>>> vc_dimension(Thresholds(6)), littlestone_dimension(Thresholds(6))
(1, 3)
>>> from fractions import Fraction
>>> margin_dimension(Fraction(2, 7)), margin_dimension(Fraction(1, 100), attributes=20)
(3, 20)
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import TooLarge, require
from littlestone.concepts.concept import ConceptClass
from littlestone.concepts.packed import Packed
from littlestone.concepts.tree import Tree

CELLS = 2**24  # of a table: concepts times instances
STEPS = 1_000_000  # version spaces looked at for one answer


class Split(NamedTuple):
    """An instance by its column, two labels with the concepts that give them, and all columns that divide the space."""

    column: int
    sides: list[tuple[int, int]]
    dividing: list[int]


def tabulate(concepts: ConceptClass) -> tuple[list[Any], Array]:
    """Tabulate a class.

    Returns:
        Every instance.
        The class number that each concept (a row) gives to each instance (a column).
    """
    require(concepts.size >= 1, f"{concepts} has no concepts")
    most = CELLS // concepts.size
    instances = list(islice(concepts.instances(), most + 1))
    words = f"a table of {concepts} would have more than {CELLS} entries: {concepts.size} concepts by its instances"
    require(len(instances) <= most, words, TooLarge)
    labels = np.zeros((len(instances), concepts.size), np.int32)
    for row, x in zip(labels, instances, strict=True):
        if isinstance(concepts, Packed) and len(concepts.labels) == 2:
            alive = concepts.start().alive
            if concepts.sweeps.keep(alive, concepts.encode(x), 1):
                row[:] = np.unpackbits(alive.astype("<u8").view(np.uint8), count=concepts.size, bitorder="little")
        else:
            row[:] = [concepts.label(index, x) for index in range(concepts.size)]
    return instances, labels.T


def pack_members(members: Array) -> int:
    """Pack a set of concepts, given as a boolean for each, into the bits of an integer."""
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")


class Solver:
    """Exact dimensions of the version spaces of one class, remembered from question to question.

    A version space is an integer with a bit for each of the `distinct` concepts, which stand for those equal to them.
    """

    def __init__(self, concepts: ConceptClass) -> None:
        instances, labels = tabulate(concepts)
        first: dict[bytes, int] = {}
        for index, row in enumerate(np.ascontiguousarray(labels)):
            first.setdefault(row.tobytes(), index)
        self.concepts = concepts
        self.distinct = list(first.values())
        self.everything = (1 << len(self.distinct)) - 1
        columns: dict[tuple[int, ...], Any] = {}
        for x, column in zip(instances, labels[self.distinct].T, strict=True):
            parts = tuple(pack_members(column == label) for label in range(len(concepts.labels)))
            if self.everything not in parts:
                columns.setdefault(parts, x)
        self.instances, self.columns = list(columns.values()), list(columns)
        self._every = range(len(self.columns))
        self._least: dict[int, int] = {}
        self._most: dict[int, int] = {}
        self._left = STEPS

    def to_space(self, concepts: int) -> int:
        """Turn bits that are numbered as in the class into a version space of distinct concepts."""
        if len(self.distinct) == self.concepts.size:
            return concepts
        size = self.concepts.size
        flags = np.frombuffer(concepts.to_bytes((size + 7) // 8, "little"), np.uint8)
        return pack_members(np.unpackbits(flags, count=size, bitorder="little")[self.distinct])

    def find_dimension(self, space: int, limit: int = STEPS) -> int:
        """Find the Littlestone dimension of a version space; -1 if it is empty."""
        self._left = limit
        depth = self._least.get(space, 0) if space else -1
        while self._is_at_least(space, depth + 1, self._every):
            depth += 1
        return depth

    def find_tree(self, limit: int = STEPS) -> Tree:
        """Find a mistake tree whose depth is the Littlestone dimension of the class, every leaf at that depth."""
        return self._build_tree(self.everything, self.find_dimension(self.everything, limit), self._every)

    def find_shattered(self, limit: int = STEPS) -> list[int]:
        """Find the columns of a largest set of instances that the concepts label in every way."""
        self._left = limit
        best: list[int] = []
        while len(self.distinct) >> (len(best) + 1):
            found = self._extend([self.everything], self._every, len(best) + 1)
            if found is None:
                break
            best = found
        return best

    def _is_at_least(self, space: int, depth: int, columns: Sequence[int]) -> bool:
        """Whether the dimension is at least `depth`; `columns` include all that divide the space."""
        if space.bit_count() < 1 << depth:
            return False
        if depth <= 1 or self._least.get(space, 0) >= depth:
            return True
        if self._most.get(space, depth) < depth:
            return False
        if self._find_split(space, depth, columns) is None:
            self._most[space] = depth - 1
            return False
        self._least[space] = depth
        return True

    def _find_split(self, space: int, depth: int, columns: Sequence[int]) -> Split | None:
        """Find an instance with two labels whose concepts have dimension at least `depth` - 1, or None."""
        self._count_step()
        need = 1 << (depth - 1)
        dividing: list[int] = []
        even: list[tuple[int, int, list[int]]] = []
        seen: set[tuple[int, ...]] = set()
        for column in columns:
            parts = tuple([space & part for part in self.columns[column]])
            sizes = [part.bit_count() for part in parts]
            second = min(sizes) if len(sizes) == 2 else sorted(sizes)[-2]
            if second == 0 or parts in seen:
                continue
            seen.add(parts)
            dividing.append(column)
            if second >= need:
                even.append((-second, column, sizes))
        for _, column, sizes in sorted(even):
            sides: list[tuple[int, int]] = []
            able = sorted((size, label) for label, size in enumerate(sizes) if size >= need)
            for left, (_, label) in zip(range(len(able), 0, -1), able, strict=True):
                part = space & self.columns[column][label]
                if self._is_at_least(part, depth - 1, dividing):
                    sides.append((label, part))
                if len(sides) == 2:
                    return Split(column, sorted(sides), dividing)
                if len(sides) + left <= 2:
                    break
        return None

    def _build_tree(self, space: int, depth: int, columns: Sequence[int]) -> Tree:
        """Build a mistake tree of this depth, which the version space has."""
        if depth == 0:
            lowest = (space & -space).bit_length() - 1
            return Tree(concept=self.concepts.concept(self.distinct[lowest]))
        split = self._find_split(space, depth, columns)
        assert split is not None
        labels = self.concepts.labels
        below = depth - 1
        children = [(labels[label], self._build_tree(part, below, split.dividing)) for label, part in split.sides]
        return Tree(self.instances[split.column], tuple(children))

    def _extend(self, parts: list[int], columns: Sequence[int], more: int) -> list[int] | None:
        """Find `more` further columns that cut each part in every way; None if there are none."""
        if more == 0:
            return []
        self._count_step()
        need = 1 << (more - 1)
        sizes = [part.bit_count() for part in parts]
        able: list[int] = []
        for column in columns:
            ones = self.columns[column][1]
            for part, size in zip(parts, sizes, strict=True):
                positive = (part & ones).bit_count()
                if positive < need or size - positive < need:
                    break
            else:
                able.append(column)
                if more == 1:
                    return able
        for k in range(len(able) - more + 1):
            zeros, ones = self.columns[able[k]]
            halves = [part & side for part in parts for side in (zeros, ones)]
            found = self._extend(halves, able[k + 1 :], more - 1)
            if found is not None:
                return [able[k], *found]
        return None

    def _count_step(self) -> None:
        """Count a step of the search, or stop it at the limit."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge(f"the exact dimension of {self.concepts} needs more steps than the limit allows")


@lru_cache(maxsize=32)
def get_solver(concepts: ConceptClass) -> Solver:
    """Return the solver of a class, the same one at every call, so that nothing is worked out twice."""
    return Solver(concepts)


@overload
def vc_dimension(concepts: ConceptClass, witness: Literal[False] = False, limit: int = STEPS) -> int: ...
@overload
def vc_dimension(concepts: ConceptClass, witness: Literal[True], limit: int = STEPS) -> tuple[Any, ...]: ...
def vc_dimension(concepts: ConceptClass, witness: bool = False, limit: int = STEPS) -> int | tuple[Any, ...]:
    """Find the Vapnik-Chervonenkis dimension of a class with two labels, exactly.

    Args:
        concepts: The class.
        witness: Return a largest shattered set of instances instead of its size.
        limit: How many sets of instances the search may look at before it raises TooLarge.
    """
    labels = len(concepts.labels)
    require(labels == 2, f"the VC dimension is defined for two labels, but {concepts} has {labels}")
    found = get_solver(concepts)
    columns = found.find_shattered(limit)
    return tuple(found.instances[column] for column in columns) if witness else len(columns)


@overload
def littlestone_dimension(concepts: ConceptClass, tree: Literal[False] = False, limit: int = STEPS) -> int: ...
@overload
def littlestone_dimension(concepts: ConceptClass, tree: Literal[True], limit: int = STEPS) -> Tree: ...
def littlestone_dimension(concepts: ConceptClass, tree: bool = False, limit: int = STEPS) -> int | Tree:
    """Find the Littlestone dimension of a class with any set of labels, exactly.

    Args:
        concepts: The class.
        tree: Return a mistake tree of that depth instead of the number.
        limit: How many version spaces the search may look at before it raises TooLarge.
    """
    found = get_solver(concepts)
    return found.find_tree(limit) if tree else found.find_dimension(found.everything, limit)


def margin_dimension(margin_squared: Fraction | int | str, attributes: int | None = None) -> int:
    """Find how many points of the unit ball halfspaces through 0 can label in every way with a margin, exactly.

    It is floor(1 / margin^2), and at most the number of attributes. No more points can be: whatever a learner guesses,
    some labelling of n such points makes it err n times, and the Perceptron errs at most 1 / margin^2 times. That
    many can be: the first n unit vectors have margin 1 / sqrt(n) with every labelling. `BasisVectors` plays that game.

    Args:
        margin_squared: The square of the margin, exact, in (0, 1]; a float would round it.
        attributes: The dimension of the space; None: any number.
    """
    require(
        not isinstance(margin_squared, float),
        f"the squared margin must be exact, such as Fraction(1, 100); got the float {margin_squared}",
    )
    square = Fraction(margin_squared)
    require(0 < square <= 1, f"the squared margin must be in (0, 1], got {square}")
    require(attributes is None or attributes >= 1, f"attributes must be at least 1, or None; got {attributes}")
    most = int(1 / square)
    return most if attributes is None else min(most, attributes)
