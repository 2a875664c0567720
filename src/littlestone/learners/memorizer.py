"""Memorizer: guess what was seen before.

Predict the label that this very instance had; one never seen is guessed to be of class 0. Remember every instance.

Theorem. If the label is a function of the instance, any function of any number of classes, then on any sequence

    mistakes <= the number of distinct instances.

Proof. An instance is mistaken only when it is met for the first time. Without prior knowledge no learner does better:
if every function is possible, every instance can be given another label than the one that was guessed for it.

A. L. Samuel. Some studies in machine learning using the game of checkers. IBM Journal of Research and Development
3:210-229, 1959 (rote learning).

>>> Memorizer().bound(instances=12).mistakes
12
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.chunks import Chunk, Examples, Row
from littlestone.base.errors import BadInstance, NotCertified, NotRealizable, require
from littlestone.base.features import Features
from littlestone.base.learner import Learner, Size
from littlestone.base.traits import Keyed, Promises, Witnesses
from littlestone.concepts.concept import read_points

THEOREM = "Memorizer (Samuel 1959)"
PROMISE = "the label is a function of the instance"


class Memory(NamedTuple):
    """The class of every instance met so far."""

    labels: dict[Hashable, int]


@dataclass(frozen=True)
class AsTheyAre(Features):
    """Any hashable instance, or a row of attributes, as it is."""

    width: int = 0

    def __call__(self, x: Any) -> Any:
        if not isinstance(x, Row):
            try:
                hash(x)
            except TypeError:
                allowed = "an instance to be remembered must be hashable (a tuple, not a list)"
                raise BadInstance(f"{allowed}, got a {type(x).__name__}") from None
        return x

    def read_chunk(self, chunk: Chunk) -> Chunk:
        return chunk if isinstance(chunk, Examples) else read_points(self, chunk)


@final
@dataclass(frozen=True)
class Memorizer(Learner, Keyed, Promises, Witnesses):
    """Guess the label that this very instance had before; it has no parameters."""

    def start(self, size: Size, seed: int = 0) -> Memory:
        return Memory({})

    def predict(self, state: Memory, x: Any) -> int:
        return state.labels.get(find_key(x), 0)

    def update(self, state: Memory, x: Any, y: int, guess: int) -> None:
        known = state.labels.setdefault(find_key(x), y)
        if known != y:
            raise NotRealizable(f"{x!r} was of class {known} before, now it is of class {y}")

    def moves(self, state: Memory) -> int:
        return len(state.labels)

    def key(self, state: Memory) -> Hashable:
        return frozenset(state.labels.items())

    def features(self) -> AsTheyAre:
        return AsTheyAre()

    def limit(self) -> int:
        return 2**31 - 1

    def bound(self, instances: int | None = None) -> Bound:
        """Bound the mistakes by one for each of the `instances` of the domain."""
        if instances is None:
            raise NotCertified("a memorizer promises nothing unless it is said how many instances there are")
        require(instances >= 0, f"there must be at least 0 instances, got {instances}")
        return Bound(THEOREM, f"{PROMISE}, and there are {instances} instances", instances)

    def certificate(self, state: Memory, tally: Tally) -> Certificate:
        met = len(state.labels)
        witness = {"instances": met}
        return Certificate(THEOREM, PROMISE, "mistakes", tally.mistakes, tally.updates, met, witness, "sequence")

    def check_state(self, state: Memory, size: Size) -> bool:
        return all(type(number) is int and 0 <= number < size.classes for number in state.labels.values())


def find_key(x: Any) -> Hashable:
    """Find what stands for an instance in the memory: itself, or the bytes of a row in one way of writing it."""
    if not isinstance(x, Row):
        return x  # type: ignore[no-any-return]
    row = x.to_sparse()
    indices = np.asarray(row.indices, np.int64)
    order = np.argsort(indices, kind="stable")
    values = np.ones(len(order)) if row.values is None else row.values[order].astype(np.float64)
    listed = values != 0
    return indices[order][listed].tobytes(), values[listed].tobytes()
