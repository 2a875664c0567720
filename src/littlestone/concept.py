"""Concept classes: a finite set of concepts over a domain, and the version space of those that still agree.

A class owns its version space: `start` it whole, count the `votes` of the survivors on an instance, `keep` those that
give a label. Most classes do it in packed bits (`packed.py`); thresholds need two integers.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from littlestone.errors import BadInstance, require
from littlestone.examples import Chunk, Instances, Row
from littlestone.learner import State


class ConceptClass(ABC):
    """A finite set of concepts, numbered from 0. Subclasses are frozen dataclasses."""

    labels: tuple[Hashable, ...] = (False, True)

    @property
    @abstractmethod
    def size(self) -> int:
        """How many concepts there are."""

    @abstractmethod
    def __call__(self, x: Any) -> Any:
        """x as this class writes its instances; BadInstance if it is not one. (So a class can serve as features.)"""

    @abstractmethod
    def instances(self) -> Iterator[Any]:
        """Every instance of the domain, in order."""

    @abstractmethod
    def label(self, index: int, x: Any) -> int:
        """The class number that concept `index` gives to an instance."""

    @abstractmethod
    def name(self, index: int) -> str:
        """Concept `index` in words."""

    @abstractmethod
    def start(self) -> State:
        """The version space of all concepts."""

    @abstractmethod
    def votes(self, space: State, x: Any) -> tuple[int, ...]:
        """How many survivors give each label to x."""

    @abstractmethod
    def keep(self, space: State, x: Any, y: int) -> None:
        """Remove the survivors that do not label x as y, in place; NotRealizable, and no change, if none would stay."""

    @abstractmethod
    def survivors(self, space: State) -> int:
        """How many concepts remain."""

    @abstractmethod
    def survivor(self, space: State, rank: int) -> int:
        """The number of the survivor that has `rank` smaller ones."""

    @abstractmethod
    def cuts(self, space: State) -> int:
        """How many rounds removed a concept."""

    width = 0  # instances are points, not rows of attributes

    def concept(self, index: int) -> "Concept":
        return Concept(self, index)

    def chunk(self, chunk: Chunk) -> Instances:
        """The leading rounds of a chunk whose instances belong to the domain; if the first does not, its error."""
        points: list[Any] = []
        for t in range(len(chunk)):
            try:
                points.append(self(chunk[t]))
            except BadInstance:
                if not points:
                    raise
                break
        return Instances(points, chunk.labels[: len(points)])


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of a class: a function from instances to labels, with a name."""

    concepts: ConceptClass
    index: int

    def __call__(self, x: Any) -> Hashable:
        return self.concepts.labels[self.concepts.label(self.index, self.concepts(x))]

    def __str__(self) -> str:
        return self.concepts.name(self.index)


def bits(x: Any, n: int, what: str) -> tuple[int, ...]:
    """x as n bits, whether it came as a sequence of them or as a row of attributes."""
    if isinstance(x, Row):
        values: list[Any] = [0] * n
        listed = x.sparse()
        assert listed.indices is not None
        for k, place in enumerate(listed.indices):
            require(0 <= place < n, f"{what} has attributes 0 to {n - 1}, got attribute {place}", BadInstance)
            values[place] = 1 if listed.values is None else listed.values[k]
    else:
        try:
            values = list(x)
        except TypeError:
            raise BadInstance(f"an instance of {what} is {n} bits, got {x!r}") from None
    require(len(values) == n, f"an instance of {what} is {n} bits, got {len(values)}", BadInstance)
    for value in values:
        require(value in (0, 1), f"an instance of {what} is {n} bits, each 0 or 1, got {value!r}", BadInstance)
    return tuple(int(value) for value in values)
