"""Ellipsoid: keep the centre of an ellipsoid that holds every good weight vector.

Start with the unit ball: centre w = 0, shape A = I over d attributes. Predict the positive class when w.x > 0. When
y w.x <= 0 and x is not zero, cut the ellipsoid through its centre and take the smallest one around the half that
agrees: with g = A x / sqrt(x'Ax),

    w <- w + y g / (d + 1),    A <- d^2 / (d^2 - 1) (A - 2 / (d + 1) g g'),    for d = 1: A <- A / 4.

`cuts="deep"` cuts where y v.x >= 0 itself begins, at a = -y w.x / sqrt(x'Ax) from the centre, which removes more; a cut
that misses the ellipsoid (a >= 1: no vector agrees with all rounds) is made through the centre, and so is every cut
for d = 1, where 0 is an end of the interval after the first. d is the number of `attributes`, or what is known of them
when the game starts, and one more with a `bias`; it stays.

Theorem. If some u has y u.x >= g > 0 on every update round and |x| <= R there, then

    updates <= d ln(1 + R |u| / g) / -ln q  <=  2 d (d + 1) ln(1 + R |u| / g),

q = d / (d + 1) (d^2 / (d^2 - 1))^((d - 1) / 2), and 1/2 for d = 1. Proof. Scale u to length 1 - r, where
r = g / (R |u| + g). The ball of radius r around it lies in the unit ball, and every v in it has y v.x >= 0 >= y w.x at
an update: no cut touches it. Every central cut multiplies the volume by q <= exp(-1 / (2 (d + 1))), a deeper one by
less, and the volume stays at least r^d times the first.

In floats the entries of A are known to about 14 digits. A round whose x'Ax is less than 2^-47 of the sum of A_ii x_i^2
is refused, so that the bound stands for any R |u| / g; up to 10^6 no round was ever refused by the attacks we know.

L. G. Khachiyan. A polynomial algorithm in linear programming. Soviet Mathematics Doklady 20:191-194, 1979.
M. Grötschel, L. Lovász and A. Schrijver. Geometric Algorithms and Combinatorial Optimization. Springer, 1988.

>>> from littlestone import play, Recorded
>>> game = play(Ellipsoid(), Recorded([[1, 0]], [True]))
>>> game.player.state.weights.round(4), game.player.learner.matrix(game.player.state).round(4)
(array([0.3333, 0.    ]), array([[0.4444, 0.    ],
       [0.    , 1.3333]]))
>>> Ellipsoid.grid(attributes=2, steps=5).mistakes
30
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, final

from littlestone.base.assumptions import Assumptions, Comparator
from littlestone.base.bound import Bound, round_up
from littlestone.base.errors import NotCertified, require, require_nonnegative
from littlestone.base.features import Indexed
from littlestone.base.learner import Learner, Size
from littlestone.base.theorem import Theorem
from littlestone.base.traits import PlanEntry, Planned, Promises
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops
from littlestone.learners.shared.second_order import (
    MATRIX_RACES,
    Confidence,
    Moved,
    SecondOrder,
    make_second_order_loops,
)

THEOREM = "Ellipsoid: every cut removes a fixed share of the volume (Khachiyan 1979)"
KHACHIYAN = Theorem(
    "Ellipsoid (Khachiyan 1979)",
    "some u has u.z >= g > 0 on every update round",
    lambda bound, m: bool(m <= bound.value),  # asked about what `Ellipsoid.bound` gives
    "volume",
)
CUTS = ("central", "deep")
UP = Context(prec=60, rounding=ROUND_CEILING)


class EllipsoidParams(NamedTuple):
    """What the loops read of an Ellipsoid; `deep` is 1 for deep cuts."""

    enough: float
    constant: float
    deep: float


@rule
def move(agreement: Any, spread: Any, dimension: Any, params: EllipsoidParams) -> Any:
    """The smallest ellipsoid around what the cut leaves; `depth` is a, zero for a central cut."""
    d = float(dimension)
    root = math.sqrt(spread)
    if dimension == 1:
        return Moved(0.5 / root, 0.0, 0.25)
    depth = -agreement / root if params.deep != 0 else 0.0
    if depth >= 1:
        depth = 0.0
    step = (1 + d * depth) / ((d + 1) * root)
    loss = 2 * (1 + d * depth) / ((d + 1) * (1 + depth) * spread)
    return Moved(step, loss, d * d / (d * d - 1) * (1 - depth * depth))


@rule
def damping(params: EllipsoidParams) -> Any:
    """What is added to x'Ax: nothing."""
    return 0.0


@final
@dataclass(frozen=True)
class Ellipsoid(SecondOrder, Promises, Planned):
    """Keep an ellipsoid around all targets that agree, and cut it through its centre after a mistake.

    Args:
        cuts: "central", or "deep" to cut beyond the centre where the example allows it.
        bias: Value of a constant attribute, >= 0; 0 leaves it out.
        attributes: How many attributes there are, >= 1; None: those known when the game starts. No more may come.
    """

    cuts: Literal["central", "deep"] = "central"
    bias: float = 0.0
    attributes: int | None = None
    remedy: ClassVar[str] = (
        "Its labels contradict each other, or their margin is too small: scale the columns, or play a Perceptron"
    )
    loops: ClassVar[Loops] = make_second_order_loops(move, EllipsoidParams, damping)

    def __post_init__(self) -> None:
        require(self.cuts in CUTS, f"cuts must be one of {', '.join(CUTS)}, got {self.cuts!r}")
        require_nonnegative(bias=self.bias)
        given = self.attributes is None or self.attributes >= 1
        require(given, f"attributes must be at least 1, or None: those known at the start; got {self.attributes}")

    @cached_property
    def params(self) -> EllipsoidParams:
        return EllipsoidParams(0.0, float(self.bias), float(self.cuts == "deep"))

    def features(self) -> Indexed:
        return Indexed(self.attributes)

    def start(self, size: Size, seed: int = 0) -> Confidence:
        attributes = size.attributes if self.attributes is None else self.attributes
        require(attributes >= 1, "the ellipsoid must know its dimension: say Ellipsoid(attributes=...)")
        return SecondOrder.start(self, size._replace(attributes=attributes), seed)

    def grow(self, state: Confidence, size: Size) -> Confidence:
        return state  # the theorem is about d attributes; a row with more is refused when it comes

    def bound(
        self,
        attributes: int | None = None,
        margin: float | Fraction = 0,
        radius: float | Fraction = 1,
        norm: float | Fraction = 1,
        readable: bool = False,
    ) -> Bound:
        """For y u.x >= margin, |x| <= radius, |u| <= norm, the bias counted; `readable`: the form with 2 d (d + 1)."""
        attributes = self.attributes if attributes is None else attributes
        if attributes is None or not margin > 0:
            raise NotCertified(f"the bound needs the attributes and a positive margin, got {attributes} and {margin}")
        require(attributes >= 1, f"attributes must be at least 1, got {attributes}")
        require(radius > 0 and norm > 0, f"radius and norm must be positive, got {radius} and {norm}")
        d = attributes + (self.bias != 0)
        ratio = Fraction(radius) * Fraction(norm) / Fraction(margin)
        factor = Fraction(2 * d * (d + 1)) if readable else d / bound_loss(d)
        promise = f"some u over {d} attributes has R |u| / margin <= {float(ratio):.6g} on every update round"
        return Bound(THEOREM, promise, factor * bound_ln(1 + ratio), counts="updates")

    @classmethod
    def grid(cls, attributes: int, steps: int, readable: bool = False) -> Bound:
        """For x and u in {-1, -1 + 1/steps, ..., 1}^d, u.x never 0: |x| and |u| <= sqrt(d), margin 1 / steps^2."""
        require(steps >= 1, f"steps must be at least 1, got {steps}")
        return cls().bound(attributes, Fraction(1, steps * steps), radius=attributes, readable=readable)

    def theorems(self) -> tuple[Theorem, ...]:
        return (KHACHIYAN,)

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls(attributes=width, bias=1)] if width <= MATRIX_RACES else []

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        c = Comparator.of(assumptions)
        n = assumptions.attributes
        if not assumptions.flips and not assumptions.drift:
            lengths = round_up(math.sqrt(c.active)), round_up(math.sqrt(c.square))
            learner = cls(bias=c.bias, attributes=n)
            bound = learner.bound(n, c.margin, *lengths)
            formula = "d ln(1 + R |u| / g) / -ln q, about 2 d (d + 1) ln(...)"
            yield PlanEntry(learner, bound.value, bound.counts, formula, float(n * n), 8.0 * n * n)

    def knows_attributes(self, attributes: int, size: Size) -> bool:
        """It is over the attributes known at the start, for good."""
        return attributes == self.attributes if self.attributes else 1 <= attributes <= size.attributes

    def is_affordable(self, room: int) -> bool:
        """Whether its state takes no more than `room` bytes."""
        return 4 * (self.attributes or 0) ** 2 <= room


def bound_ln(value: Fraction) -> Fraction:
    """A fraction at least ln(value) and within 10^-50 or so of it."""
    quotient = UP.divide(Decimal(value.numerator), Decimal(value.denominator))
    return Fraction(UP.next_plus(UP.ln(quotient)))


def bound_loss(d: int) -> Fraction:
    """A fraction at most -ln q, the logarithm of the volume that a central cut leaves, and next to it."""
    kept = -bound_ln(Fraction(d, d + 1))
    return kept - Fraction(d - 1, 2) * bound_ln(Fraction(d * d, d * d - 1)) if d > 1 else kept
