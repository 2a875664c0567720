"""BasisVectors: the unit vectors one by one, each labelled the opposite of the guess.

Every deterministic learner errs n times, and the halfspace of u = (y_1, ..., y_n) / sqrt(n) labels every round with
margin 1 / sqrt(n), the vectors being of length 1. The Perceptron's bound R^2 / margin^2 = n is therefore attained, and
no learner has a better one. For a given margin delta this forces floor(1 / delta^2) mistakes; not the ceiling, since
for delta^2 = 2/7 the Perceptron makes at most 3. So at most floor(1 / delta^2) points of the unit ball can be
shattered with margin delta.

>>> BasisVectors.with_margin(Fraction(2, 7)).rounds
3
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from littlestone.base.chunks import Row
from littlestone.base.errors import require_count
from littlestone.base.learner import Size
from littlestone.concepts.dimension import margin_dimension
from littlestone.environments.adversary import Adversary


@dataclass(frozen=True)
class UnitVector:
    """The halfspace of u = signs / sqrt(n), whose margin on unit vectors is 1 / sqrt(n)."""

    signs: tuple[int, ...]

    @property
    def margin_squared(self) -> Fraction:
        return Fraction(1, len(self.signs))

    def __call__(self, x: Row) -> bool:
        listed = x.to_sparse()
        signs = np.array(self.signs)[listed.indices]
        return bool((signs if listed.values is None else signs * listed.values).sum() > 0)

    def __str__(self) -> str:
        shown = "".join("+" if sign > 0 else "-" for sign in self.signs[:40])
        more = "..." if len(self.signs) > 40 else ""
        return f"u = ({shown}{more}) / sqrt({len(self.signs)}), margin^2 = {self.margin_squared}"


class BasisVectors(Adversary):
    """Rounds with a separating unit vector of margin 1 / sqrt(n), every one a mistake.

    Args:
        n: How many attributes, and rounds; at least 1.
    """

    def __init__(self, n: int) -> None:
        require_count(1, n=n)
        self.rounds: int = n
        self.start(0)

    @classmethod
    def with_margin(cls, delta_squared: Fraction | int | str) -> "BasisVectors":
        """The largest n that a margin of at least delta allows, from its exact square."""
        return cls(margin_dimension(delta_squared))

    def size(self) -> Size:
        return Size(self.rounds)

    def start(self, seed: int) -> None:
        self.signs: list[int] = []

    def ask(self) -> Row | None:
        played = len(self.signs)
        return Row(np.array([played], np.int32), None) if played < self.rounds else None

    def note(self, y: bool) -> None:
        self.signs.append(1 if y else -1)

    def target(self) -> UnitVector:
        """The vector with the signs said so far, and +1 where nothing was said."""
        return UnitVector((*self.signs, *[1] * (self.rounds - len(self.signs))))

    def __repr__(self) -> str:
        return f"BasisVectors({self.rounds})"
