"""Bisection: ask in the middle of the thresholds that remain, answer the opposite of the guess.

On the grid 0..n it forces floor(lg(n + 2)) mistakes on every deterministic learner, which is what halving achieves.

On the real line, where a threshold labels x positive when x >= theta, there is always a middle: `Bisection.reals(T)`
forces T mistakes for any T, so no learner has a mistake bound. Numbers are exact fractions, because floats run out of
midpoints after some fifty rounds.

One infinite game, all of it labelled by one theta, needs more care. Bisection may close in on a point that it has
asked about, and then no theta is left in the limit. `Bisection.endless()` keeps, after asking the middle of
[low, high], only the third of the interval that is farthest from it. The closed thirds are nested, so some theta lies
in all of them, and it differs from every point asked: every deterministic learner errs for ever.

Boxes in R^d contain the thresholds: [theta, 1] x [-1, 1]^(d-1), asked at (x, 0, ..., 0), is `Bisection.boxes(d, T)`.
So do the prefixes [0, theta] of [0, 1], with the labels exchanged. Both classes are PAC-learnable, from about
(1 / error) ln(1 / delta) examples for prefixes by the longest prefix without a negative, and yet have no mistake bound:
learning from examples drawn independently is easier than learning from an opponent.

>>> from littlestone.concepts import Thresholds
>>> Bisection(Thresholds(14)).rounds, Bisection.reals(3).rounds, Bisection.endless().rounds
(4, 3, None)
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from littlestone.base.errors import require
from littlestone.base.exact_numbers import floor_log2
from littlestone.concepts.concept import Concept
from littlestone.concepts.thresholds import Thresholds
from littlestone.environments.adversary import Adversary


class Bisection(Adversary):
    """The adversary that halves the thresholds that remain, against whatever is guessed.

    Args:
        concepts: The thresholds on 0..n to play on; `reals`, `endless` and `boxes` play on other classes.
    """

    def __init__(self, concepts: Thresholds) -> None:
        other = f"Bisection plays on Thresholds(n), got {concepts!r}; other classes have a MistakeTree"
        require(isinstance(concepts, Thresholds), other)
        self.concepts = concepts
        self.rounds: int = floor_log2(concepts.size)
        self.start(0)

    @staticmethod
    def reals(rounds: int) -> "RealBisection":
        """Thresholds on the real line: as many mistakes as wanted."""
        require(rounds >= 0, f"rounds must be at least 0, got {rounds}")
        return RealBisection(rounds)

    @staticmethod
    def endless() -> "RealBisection":
        """One infinite sequence of mistakes with a threshold that agrees with all of it."""
        return RealBisection(None)

    @staticmethod
    def boxes(dimensions: int, rounds: int | None = None) -> "RealBisection":
        """Axis-parallel boxes; without `rounds`, one infinite sequence."""
        require(rounds is None or rounds >= 0, f"rounds must be at least 0, got {rounds}")
        return RealBisection(rounds, dimensions)

    def start(self, seed: int) -> None:
        self.low, self.high, self.left = 0, self.concepts.n + 1, self.rounds

    def ask(self) -> int | None:
        self.middle = (self.low + self.high - 1) // 2
        return self.middle if self.left else None

    def note(self, y: bool) -> None:
        self.left -= 1
        if y:
            self.high = self.middle
        else:
            self.low = self.middle + 1

    def target(self) -> Concept:
        return self.concepts.concept(self.low)

    def __repr__(self) -> str:
        return f"Bisection({self.concepts})"


@dataclass(frozen=True)
class BoxConcept:
    """The box [theta, 1] x [-1, 1]^(dimensions - 1); on the line (no dimensions) the ray of all x >= theta."""

    theta: Fraction
    dimensions: int | None = None

    def __call__(self, x: Any) -> bool:
        if self.dimensions is None:
            return bool(x >= self.theta)
        return bool(self.theta <= x[0] <= 1 and all(-1 <= side <= 1 for side in x[1:]))

    def __str__(self) -> str:
        if self.dimensions is None:
            return f"x >= {self.theta}"
        return f"[{self.theta}, 1]" + " x [-1, 1]" * (self.dimensions - 1)


class RealBisection(Adversary):
    """Bisection of the interval (0, 1), asked as numbers or as points; made by `Bisection.reals` and its like.

    Args:
        rounds: How many rounds, every one a mistake. None: an endless game, which keeps a third of the interval.
        dimensions: The dimension of the points that are asked. None: they are numbers.
    """

    def __init__(self, rounds: int | None, dimensions: int | None = None) -> None:
        require(dimensions is None or dimensions >= 1, f"dimensions must be at least 1, got {dimensions}")
        self.rounds = rounds
        self.dimensions = dimensions
        self.start(0)

    def start(self, seed: int) -> None:
        self.low, self.high, self.played = Fraction(0), Fraction(1), 0

    @property
    def middle(self) -> Fraction:
        return (self.low + self.high) / 2

    def ask(self) -> Any:
        if self.played == self.rounds:
            return None
        return self.middle if self.dimensions is None else (self.middle, *[Fraction(0)] * (self.dimensions - 1))

    def note(self, y: bool) -> None:
        self.played += 1
        kept = (self.high - self.low) / (3 if self.rounds is None else 2)
        if y:
            self.high = self.low + kept
        else:
            self.low = self.high - kept

    def target(self) -> BoxConcept:
        """The middle of what remains: it lies strictly between all points labelled so far."""
        return BoxConcept(self.middle, self.dimensions)

    def __repr__(self) -> str:
        if self.dimensions is not None:
            return f"Bisection.boxes({self.dimensions}, rounds={self.rounds})"
        return "Bisection.endless()" if self.rounds is None else f"Bisection.reals({self.rounds})"
