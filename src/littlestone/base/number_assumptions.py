"""Number assumptions: what a plan supposes about a stream whose labels are numbers.

A rule is a constant and weights on `relevant` of the `attributes`. The constant is one of the numbers that labels may
be, and no weight changes a prediction by more than `weights`, whatever units its attribute has. Over all `examples` the
rule is off by `error`, in the root of the mean square. Learners that let any units be need to know how much larger
numbers become than the first ones: no value is more than `growth` times the first of its attribute that is not 0, and
no label is more than `growth` times as far from the first label as the first one that differs from it.

>>> print(NumberAssumptions(attributes=20, labels=(0, 10), examples=1000, relevant=5, error=0.5))
labels are from 0 to 10; a constant and weights on 5 of 20 attributes, none of which changes a prediction by more than \
10, are off by 0.5 in the root of the mean square of 1,000 rounds; at most 20 attributes are not 0 at once; no value, \
and no distance from the first label, is more than 1,000 times the first that is not 0
"""

from dataclasses import dataclass

from littlestone.base.errors import require
from littlestone.base.parameters import Checked
from littlestone.base.printed_numbers import Number, format_up

# the size of a label, and its growth
MOST = 1e100
FASTEST = 1e12


@dataclass(frozen=True, slots=True)
class NumberAssumptions(metaclass=Checked):
    """What a plan supposes about a stream whose labels are numbers.

    Args:
        attributes: How many there are, >= 1.
        labels: The lowest and the highest label.
        examples: How many rounds there will be, >= 1.
        relevant: How many attributes the rule depends on, 1 to `attributes`.
        weights: By how much one attribute changes a prediction at most; None: the distance of the two labels.
        error: How far the rule is off, in the root of the mean square, >= 0.
        active: The most attributes of a row that are not 0; None: all of them.
        growth: How many times larger than the first that is not 0 values and distances of labels become, >= 1.
        estimated: From how many rounds this was guessed; 0: it was given.
    """

    attributes: int
    labels: tuple[float, float]
    examples: int
    relevant: int = 1
    weights: float | None = None
    error: float = 0.0
    active: int | None = None
    growth: float = 1000.0
    estimated: int = 0

    def __post_init__(self) -> None:
        n = self.attributes
        k = self.relevant
        require(n >= 1, f"attributes must be at least 1, got {n}")
        require(1 <= k <= n, f"relevant must be in [1, {n}], got {k}")
        require(len(self.labels) == 2, f"labels are the lowest and the highest, got {self.labels}")
        require(self.labels[0] < self.labels[1], f"the lowest label must be below the highest, got {self.labels}")
        require(self.largest <= MOST, f"labels must be at most {MOST:g} in size, got {self.labels}")
        require(self.examples >= 1, f"examples must be at least 1, got {self.examples}")
        require(self.weights is None or 0 <= self.weights <= MOST, f"weights must be at least 0, got {self.weights}")
        require(0 <= self.error <= MOST, f"error must be at least 0, got {self.error}")
        require(self.active is None or 1 <= self.active <= n, f"active must be in [1, {n}], got {self.active}")
        require(1 <= self.growth <= FASTEST, f"growth must be in [1, {FASTEST:g}], got {self.growth}")

    @property
    def spread(self) -> float:
        """How far two labels are apart at most."""
        return self.labels[1] - self.labels[0]

    @property
    def largest(self) -> float:
        """The largest size of a label."""
        return max(map(abs, self.labels))

    @property
    def change(self) -> float:
        """By how much one attribute changes a prediction at most."""
        return self.spread if self.weights is None else self.weights

    @property
    def most(self) -> int:
        """How many attributes of a row are not 0 at most."""
        return self.attributes if self.active is None else self.active

    def refute(self, promised: Number) -> str:
        """Why a mean error is no promise, in words; nothing where it is one."""
        half = self.spread / 2
        told = f"with {self.examples:,} examples this promises nothing: half of the way from the lowest to the highest "
        return f"{told}label is never off by more than {format_up(half)}" if promised >= half else ""

    def __str__(self) -> str:
        low, high = (f"{label:g}" for label in self.labels)
        words = (
            f"labels are from {low} to {high}; a constant and weights on {self.relevant:,} of {self.attributes:,} "
            f"attributes, none of which changes a prediction by more than {self.change:g}, are off by {self.error:g} "
            f"in the root of the mean square of {self.examples:,} rounds; at most {self.most:,} attributes are not 0 "
            f"at once; no value, and no distance from the first label, is more than {self.growth:,.10g} times the "
            f"first that is not 0"
        )
        if self.estimated:
            words += f"\nestimated from the first {self.estimated:,} rounds: a guess, nothing is promised by it"
        return words
