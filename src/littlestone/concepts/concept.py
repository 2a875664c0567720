"""Concept classes: a finite set of concepts over a domain, and the version space of those that still agree.

A class owns its version space: `start` it whole, count the `votes` of the survivors on an instance, `keep` those that
give a label. Most classes do it in packed bits (`packed.py`); thresholds need two integers.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import product
from typing import Any, cast

import numpy as np

from littlestone.base.chunks import Chunk, Instances, Row
from littlestone.base.errors import BadInstance, require
from littlestone.base.learner import State
from littlestone.base.parameters import Checked


class ConceptClass(metaclass=Checked):
    """A finite set of concepts, numbered from 0. Subclasses are frozen dataclasses."""

    labels: tuple[Hashable, ...] = (False, True)

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of concepts."""

    @abstractmethod
    def __call__(self, x: Any) -> Any:
        """Read x as an instance of this class; BadInstance if it is not one. (So a class can serve as features.)"""

    @abstractmethod
    def instances(self) -> Iterator[Any]:
        """List every instance of the domain, in order."""

    @abstractmethod
    def label(self, index: int, x: Any) -> int:
        """Return the class number that concept `index` gives to an instance."""

    @abstractmethod
    def name(self, index: int) -> str:
        """Write concept `index` in words."""

    @abstractmethod
    def start(self) -> State:
        """Return the version space of all concepts."""

    @abstractmethod
    def votes(self, space: State, x: Any) -> tuple[int, ...]:
        """Count the survivors that give each label to x."""

    @abstractmethod
    def keep(self, space: State, x: Any, y: int) -> None:
        """Remove the survivors that do not label x as y, in place; NotRealizable, and no change, if none would stay."""

    @abstractmethod
    def survivors(self, space: State) -> int:
        """Count the concepts that remain."""

    @abstractmethod
    def survivor(self, space: State, rank: int) -> int:
        """Find the number of the survivor that has `rank` smaller ones."""

    @abstractmethod
    def cuts(self, space: State) -> int:
        """Count the rounds that removed a concept."""

    def check_space(self, space: State) -> bool:
        """Whether play could have left this version space; asked of states from files."""
        return True

    def is_affordable(self, room: int) -> bool:
        """Whether a file whose arrays take `room` bytes may name this class: how long it works is bounded."""
        return True

    width = 0  # instances are points, not rows of attributes

    def concept(self, index: int) -> "Concept":
        """Return concept `index` as a function from instances to labels."""
        require(0 <= index < self.size, f"{self} has concepts 0 to {self.size - 1}, got {index}")
        return Concept(self, index)

    def read_chunk(self, chunk: Chunk) -> Instances:
        """Read the leading rounds of a chunk whose instances belong to the domain; if the first does not, raise why."""
        return read_points(self, chunk)


class BitClass(ConceptClass):
    """A class over the instances of n bits."""

    n: int

    def __call__(self, x: Any) -> tuple[int, ...]:
        return read_grid(x, self.n, 1, str(self))

    def instances(self) -> Iterator[tuple[int, ...]]:
        return product((0, 1), repeat=self.n)


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of a class: a function from instances to labels, which `str` names."""

    concepts: ConceptClass
    index: int

    def __call__(self, x: Any) -> Hashable:
        return self.concepts.labels[self.concepts.label(self.index, self.concepts(x))]

    def __str__(self) -> str:
        return self.concepts.name(self.index)


def read_points(read: Callable[[Any], Any], chunk: Chunk) -> Instances:
    """Read the leading rounds of a chunk, up to an instance that is refused; if it is the first, raise why."""
    points: list[Any] = []
    for t in range(len(chunk)):
        try:
            points.append(read(chunk[t]))
        except BadInstance:
            if not points:
                raise
            break
    return Instances(points, chunk.labels[: len(points)])


def read_attributes(x: Any, n: int, what: str) -> list[Any]:
    """Read the n values of an instance from a sequence of them, a row of attributes, or {attribute number: value}."""
    if isinstance(x, Row):
        row = x.to_sparse()
        listed = [] if row.indices is None else row.indices.tolist()
        x = dict(zip(listed, [1] * len(listed) if row.values is None else row.values.tolist(), strict=True))
    if isinstance(x, Mapping):
        values: list[Any] = [0] * n
        for place, value in x.items():
            known = read_integer(place, n - 1)
            require(known is not None, f"{what} has attributes 0 to {n - 1}, got attribute {place!r}", BadInstance)
            values[known or 0] = value
        return values
    counted = f"{n} attribute{'' if n == 1 else 's'}"
    try:
        values = list(x.tolist() if isinstance(x, np.ndarray) else x)
    except TypeError:
        raise BadInstance(f"an instance of {what} has {counted}, got {x!r}") from None
    ordered = not isinstance(x, str | bytes | Set)
    require(ordered and len(values) == n, f"an instance of {what} has {counted}, got {x!r}", BadInstance)
    return values


def read_integer(value: Any, top: int) -> int | None:
    """Read a value as an int in [0, top]; None if it is not one. 2.0 is 2."""
    try:
        number = int(value)
        return number if 0 <= number <= top and bool(number == value) else None
    except (TypeError, ValueError, OverflowError):
        return None


def read_whole_number(x: Any, top: int, what: str) -> int:
    """Read x as a whole number in [0, top], whether it came as a number or as a row of one attribute."""
    point = read_integer(read_attributes(x, 1, what)[0] if isinstance(x, Row) else x, top)
    if point is None:
        raise BadInstance(f"an instance of {what} is a whole number in [0, {top}], got {x!r}")
    return point


def read_grid(x: Any, n: int, top: int, what: str) -> tuple[int, ...]:
    """Read x as n whole numbers in [0, top], whether it came as a sequence of them or as a row of attributes."""
    point = tuple(read_integer(value, top) for value in read_attributes(x, n, what))
    if None in point:
        allowed = "each 0 or 1" if top == 1 else f"each a whole number in [0, {top}]"
        raise BadInstance(f"an instance of {what} has {n} attribute{'' if n == 1 else 's'}, {allowed}, got {x!r}")
    return cast(tuple[int, ...], point)
