"""What learners over a finite class share: the state holds the version space, and every round filters it."""

from abc import abstractmethod
from collections.abc import Hashable
from itertools import islice
from typing import Any, ClassVar, Literal

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.learner import Learner, Size, State
from littlestone.base.printed_numbers import Number
from littlestone.base.theorem import Attack
from littlestone.base.traits import Attacked, Keyed, Promises, Remainders, Witnesses, ask_bound
from littlestone.concepts.concept import ConceptClass
from littlestone.concepts.packed import Packed, PackedSpace

# concepts and points of an attack, at most
TARGETS = 300
POINTS = 64


class VersionSpaceLearner(Learner, Keyed, Promises, Witnesses, Remainders, Attacked):
    """A learner whose state is, or has as its `space`, a version space of its `concepts`.

    Subclasses say how it guesses, and name a `theorem` and what it `counts`: `count_left` is what it still allows
    before a version space, `count_allowed` what it has allowed up to there.
    """

    concepts: ConceptClass
    theorem: ClassVar[str]
    counts: ClassVar[Literal["mistakes", "expected mistakes"]] = "mistakes"

    @abstractmethod
    def count_left(self, space: State | None) -> Number:
        """The mistakes that the theorem allows from this version space on; None: from the whole class."""

    def count_allowed(self, space: State) -> Number:
        """The mistakes that the theorem allowed on rounds that left this version space."""
        return self.count_left(None) - self.count_left(space)

    def start(self, size: Size, seed: int = 0) -> State:
        return self.concepts.start()

    def update(self, state: State, x: Any, y: int, guess: int) -> None:
        self.concepts.keep(find_space(state), x, y)

    def moves(self, state: State) -> int:
        return self.concepts.cuts(find_space(state))

    def key(self, state: State) -> Hashable:
        return pack_survivors(self.concepts, state)

    def features(self) -> ConceptClass:
        return self.concepts

    def known_labels(self) -> tuple[Hashable, ...]:
        return self.concepts.labels

    def promise(self) -> str:
        """The hypothesis that all these learners' theorems share."""
        return f"one of the {self.concepts.size} concepts of {self.concepts} labels every round"

    def witness(self, state: State) -> dict[str, Any]:
        """A concept that agrees with every round, and how many such concepts there are."""
        space = find_space(state)
        first = self.concepts.survivor(space, 0)
        return {
            "concept": first,
            "name": self.concepts.name(first),
            "concepts": self.concepts.size,
            "survivors": self.concepts.survivors(space),
        }

    def bound(self) -> Bound:
        return Bound(self.theorem, self.promise(), self.count_left(None), self.counts)

    def certificate(self, state: State, tally: Tally) -> Certificate:
        allowed = self.count_allowed(find_space(state))
        witness = self.witness(state)
        counted = tally.mistakes, tally.updates
        return Certificate(self.theorem, self.promise(), self.counts, *counted, allowed, witness, "sequence")

    def remaining(self, state: State) -> Bound:  # type: ignore[override]
        space = find_space(state)
        promise = self.survivors_promise(self.concepts.survivors(space))
        return Bound(self.theorem, promise, self.count_left(space), self.counts)

    def count_survivors(self, space: State | None) -> int:
        """How many concepts survive; None: the whole class."""
        return self.concepts.size if space is None else self.concepts.survivors(space)

    def attack(self) -> Attack | None:
        """Every concept as a target, where the class is small and its theorem counts mistakes."""
        concepts = self.concepts
        if concepts.size > TARGETS or len(concepts.labels) != 2 or self.counts != "mistakes":
            return None
        points = list(islice(concepts.instances(), POINTS))
        labels = np.array([[bool(concepts.concept(h)(x)) for x in points] for h in range(concepts.size)])
        return Attack(points, labels, [ask_bound(self).value] * concepts.size)

    def survivors_promise(self, alive: int) -> str:
        """The hypothesis under which no more than the rest of the bound is left."""
        return f"one of the {alive} concepts that survive labels every round to come"

    def check_state(self, state: State, size: Size) -> bool:
        return self.concepts.check_space(find_space(state))

    def is_affordable(self, room: int) -> bool:
        """Whether its version space takes no more than `room` bytes."""
        return not isinstance(self.concepts, Packed) or self.concepts.size <= 8 * room


def find_space(state: State) -> State:
    """The version space that a state is, or has beside other things."""
    return getattr(state, "space", state)


def pack_survivors(concepts: ConceptClass, space: State) -> int:
    """The concepts that remain, as the bits of an integer; how many rounds it took is left out."""
    if isinstance(space, PackedSpace):
        return int.from_bytes(space.alive.astype("<u8").tobytes(), "little")
    return sum(1 << concepts.survivor(space, rank) for rank in range(concepts.survivors(space)))


def find_plurality(votes: tuple[int, ...]) -> int:
    """The label with most votes, the first one on a tie."""
    return max(range(len(votes)), key=lambda label: (votes[label], -label))
