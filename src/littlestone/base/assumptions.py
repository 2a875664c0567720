"""Assumptions: what a plan supposes about a stream, and the comparator that they vouch for.

Two kinds of target. Without a margin each label is the OR of `relevant` of the `attributes`, which are 0 or 1. With a
margin g, weights u of |u|_1 = 1, spread evenly over `relevant` attributes in [-1, 1], have y u.x >= g. In both at most
`active` attributes of a row are not 0. `noise` is the share of the `examples` whose label is wrong, `drift` how many
variables join the OR later on.

>>> print(Assumptions(attributes=1000, relevant=5))
each label is the OR of 5 of 1,000 attributes, at most 1,000 of them 1 at once
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Self

from littlestone.base.errors import require
from littlestone.base.parameters import Checked
from littlestone.base.printed_numbers import Number


@dataclass(frozen=True, slots=True)
class Assumptions(metaclass=Checked):
    """What a plan supposes about a stream.

    Args:
        attributes: How many there are, >= 1.
        relevant: How many of them the target depends on, 1 to `attributes`.
        margin: The least agreement of the target's weights, in (0, 1]; None: the target is an OR.
        noise: The share of wrong labels, in [0, 1); above 0 it needs `examples`.
        drift: How many variables join the OR later on, >= 0; only without a margin.
        examples: How many rounds there will be, >= 1; None: not known.
        active: The most attributes of a row that are not 0; None: all of them.
        estimated: From how many rounds this was guessed; 0: it was given.
    """

    attributes: int
    relevant: int = 1
    margin: float | None = None
    noise: float = 0.0
    drift: int = 0
    examples: int | None = None
    active: int | None = None
    estimated: int = 0

    def __post_init__(self) -> None:
        n = self.attributes
        k = self.relevant
        require(n >= 1, f"attributes must be at least 1, got {n}")
        require(1 <= k <= n, f"relevant must be in [1, {n}], got {k}")
        require(self.margin is None or 0 < self.margin <= 1, f"margin must be in (0, 1], got {self.margin}")
        require(0 <= self.noise < 1, f"noise must be in [0, 1), got {self.noise}")
        require(self.drift >= 0, f"drift must be at least 0, got {self.drift}")
        require(self.examples is None or self.examples >= 1, f"examples must be at least 1, got {self.examples}")
        require(self.active is None or 1 <= self.active <= n, f"active must be in [1, {n}], got {self.active}")
        known = not self.noise or self.examples is not None
        require(known, "noise is a share of the examples: say how many examples there will be")
        require(not self.drift or self.margin is None, "drift is covered where the target is an OR: leave margin out")

    @property
    def most(self) -> int:
        """How many attributes of a row are not 0 at most."""
        return self.attributes if self.active is None else self.active

    @property
    def flips(self) -> int:
        """How many labels are wrong."""
        return math.ceil(self.noise * (self.examples or 0))

    @property
    def is_exact_or(self) -> bool:
        """Whether every label is the same OR, without noise or drift."""
        return self.margin is None and not self.flips and not self.drift

    def refute(self, promised: Number) -> str:
        """Why a bound is no promise, in words; nothing where it is one."""
        empty = self.examples is not None and promised >= self.examples
        return f"with {self.examples:,} examples this promises nothing, and all others less" if empty else ""

    def __str__(self) -> str:
        n = f"{self.attributes:,}"
        k = f"{self.relevant:,}"
        if self.margin is None:
            words = f"each label is the OR of {k} of {n} attributes, at most {self.most:,} of them 1 at once"
        else:
            words = (
                f"weights of sum 1, even over {k} of {n} attributes in [-1, 1], have margin {self.margin:g}; "
                f"at most {self.most:,} attributes are not 0 at once"
            )
        if self.flips:
            words += f"; {self.flips:,} of {self.examples:,} labels are wrong"
        if self.drift:
            words += f"; {self.drift:,} more variables join on the way"
        if self.estimated:
            words += f"\nestimated from the first {self.estimated:,} rounds: a guess, nothing is promised by it"
        return words


class Comparator(NamedTuple):
    """The weights that the assumptions vouch for, by norms of them and of the rows, a constant counted if `bias`."""

    bias: float
    attributes: int
    active: int
    entries: tuple[tuple[int, Fraction], ...]  # how many weights have which size
    margin: Fraction
    shortfall: Fraction  # of a wrong label, at most

    @classmethod
    def of(cls, a: Assumptions) -> Self:
        """The comparator for the target that is assumed."""
        if a.margin is None:  # 2 for each relevant attribute, -1 for the constant
            k = min(a.relevant, a.most)
            return cls(1.0, a.attributes + 1, a.most + 1, ((a.relevant, Fraction(2)), (1, Fraction(1))),
                       Fraction(1), Fraction(2 * k))  # fmt: skip
        even = ((a.relevant, Fraction(1, a.relevant)),)
        return cls(0.0, a.attributes, a.most, even, Fraction(a.margin), 1 + Fraction(a.margin))

    def norm(self, q: float) -> float:
        """|u|_q."""
        return float(sum(count * float(size) ** q for count, size in self.entries) ** (1 / q))

    @property
    def square(self) -> Fraction:
        """|u|_2^2."""
        return sum((count * size**2 for count, size in self.entries), Fraction(0))

    @property
    def total(self) -> Fraction:
        """|u|_1."""
        return sum((count * size for count, size in self.entries), Fraction(0))
