"""Catalogue: what each learner's theorem promises under given assumptions, what a round costs, what it must remember.

Each entry is a learner ready to play, set as its theorem wants it. Numbers come from the learners' own bounds wherever
these cover the case; with wrong labels, from the theorem about hinge loss at the comparator of the assumptions.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from littlestone.base.bound import Bound, Number, round_up
from littlestone.base.learner import Learner
from littlestone.certificates.theorems import HINGE, Facts
from littlestone.concepts import Disjunctions
from littlestone.concepts.concept import ConceptClass
from littlestone.guarantees.assumptions import Assumptions
from littlestone.learners import (
    BalancedWinnow,
    Elimination,
    Ellipsoid,
    Halving,
    ImprovedMajority,
    KernelPerceptron,
    PassiveAggressive,
    Perceptron,
    PNormPerceptron,
    RandomizedHalving,
    WeightedMajority,
    Winnow,
)
from littlestone.learners.balanced_winnow import factor_for, log_between
from littlestone.learners.conversions.pool import LIMIT, Pool
from littlestone.learners.shared.kernel_functions import LinearKernel
from littlestone.learners.shared.winnow_bounds import Setting, separated

SILENT = {
    "Arow": "its bound depends on the rows that will come",
    "SecondOrderPerceptron": "its bound depends on the rows that will come",
    "NaiveBayes": "no bound on its mistakes is known",
}


class Entry(NamedTuple):
    """A learner, what it promises, in which words, and what it costs: steps a round and bytes in all."""

    learner: Learner
    guarantee: Number
    counts: str
    formula: str
    steps: float
    memory: float

    @property
    def name(self) -> str:
        """The learner as one would write it, what is at its default left out."""
        known: Any = self.learner
        said = []
        for part in known.__dataclass_fields__.values():
            value = getattr(known, part.name)
            if isinstance(value, Learner | ConceptClass):
                said.append(type(value).__name__)
            elif value != part.default:
                said.append(f"{part.name}={value:.4g}" if isinstance(value, float) else f"{part.name}={value!r}")
        return f"{type(known).__name__}({', '.join(said)})"

    @property
    def shown(self) -> int:
        """The whole number that it allows."""
        return math.floor(self.guarantee)


class Comparator(NamedTuple):
    """The weights that the assumptions vouch for, by norms of them and of the rows, a constant counted if `bias`."""

    bias: float
    attributes: int
    active: int
    entries: tuple[tuple[int, Fraction], ...]  # so many weights of such a size
    margin: Fraction
    shortfall: Fraction  # of a wrong label, at most

    @classmethod
    def of(cls, a: Assumptions) -> "Comparator":
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
        return sum((count * size**2 for count, size in self.entries), Fraction(0))

    @property
    def total(self) -> Fraction:
        return sum((count * size for count, size in self.entries), Fraction(0))


def entries(a: Assumptions) -> Iterator[Entry]:
    """Every guarantee that covers the assumptions."""
    if a.drift:
        yield from _drifting(a)
        return
    yield from _additive(a)
    yield from _multiplicative(a)
    if a.margin is None:
        yield from _classes(a)


def _drifting(a: Assumptions) -> Iterator[Entry]:
    if a.flips == 0:
        bound = Winnow(floor=0.5).bound(a.attributes, additions=a.relevant + a.drift)
        yield _entry(Winnow(floor=0.5), bound, "5 c ceil(lg 2n) + 1, c = relevant + drift", a.most, a.attributes)


def _additive(a: Assumptions) -> Iterator[Entry]:
    c, n = Comparator.of(a), a.attributes
    lost = c.shortfall * a.flips
    facts = Facts(c.square, Fraction(c.active), c.margin, lost)
    form = "R^2 |u|^2 / g^2" if not lost else "L + r^2/2 + r sqrt(r^2/4 + L), L the hinge loss"
    value = HINGE.value(facts)
    yield Entry(Perceptron(bias=c.bias), value, "updates", form, a.most, 8.0 * n)
    if not lost:
        passive = PassiveAggressive(variant="0", bias=c.bias)
        yield Entry(passive, value, "mistakes", form, a.most, 8.0 * n)
    kernel = KernelPerceptron(LinearKernel(), bias=c.bias)
    yield Entry(kernel, value, "updates", form, float(a.most * value), 12.0 * a.most * value)
    if n >= 3:
        p = PNormPerceptron.tuned(n, bias=c.bias)
        radius, norm = c.active ** (1 / p.power), c.norm(p.power / (p.power - 1))
        square, reach = round_up(norm**2), round_up((p.power - 1) * radius**2)
        power = HINGE.value(Facts(square, reach, c.margin, lost))
        shape = "(p - 1) |x|_p^2 |u|_q^2 / g^2" if not lost else "the same with |u|_q and (p - 1) |x|_p^2"
        yield Entry(p, power, "updates", f"{shape}, p = 2 ln n", 8.0 * a.most, 16.0 * n)
    if not lost:
        lengths = round_up(math.sqrt(c.active)), round_up(math.sqrt(c.square))
        learner = Ellipsoid(bias=c.bias, attributes=n)
        bound = learner.bound(n, c.margin, *lengths)
        formula = "d ln(1 + R |u| / g) / -ln q, about 2 d (d + 1) ln(...)"
        yield Entry(learner, bound.value, bound.counts, formula, float(n * n), 8.0 * n * n)


def _multiplicative(a: Assumptions) -> Iterator[Entry]:
    c, n = Comparator.of(a), a.attributes
    margin, lost = c.margin / c.total, c.shortfall / c.total * a.flips
    if 2.0**-14 <= margin:
        balanced = BalancedWinnow(margin=min(float(margin), 0.999), bias=int(c.bias))
        factor = Fraction(factor_for(balanced.margin or 0.0))
        gain = margin * log_between(factor)[0] - log_between((factor + 1 / factor) / 2)[1]
        slack = lost * log_between(factor)[1]
        value = (log_between(Fraction(2 * c.attributes))[1] + slack) / gain
        form = "(ln 2n + h D) / (h d - ln cosh h)" if lost else "about 2 ln(2n) / d^2"
        yield Entry(balanced, value, "updates", f"{form}, d = g / |u|_1", 2.0 * a.most, 2.0 * n)
        if not lost:
            phases = BalancedWinnow(bias=int(c.bias))
            formula = "about (32/3) ln(2n) / d^2, d not told"
            yield _entry(phases, phases.bound(n, margin), formula, 2.0 * a.most, 2.0 * n)
    if a.margin is not None:
        return
    if not a.flips:
        formula = "3 k ceil(lg n) + 1"
        yield _entry(Winnow(), Winnow().bound(n, relevant=a.relevant), formula, a.most, 1.0 * n)
        fewer = Winnow(eliminate=True)
        yield _entry(fewer, fewer.bound(n, relevant=a.relevant), "2 k ceil(lg n) + 1", a.most, 4.0 * n)
    else:
        setting = Setting(Fraction(2), Fraction(n), Fraction(n))
        slack = Fraction(min(a.relevant, a.most) * a.flips)
        updates = separated(setting, n, Fraction(1), Fraction(a.relevant), slack)
        yield Entry(Winnow(), sum(updates), "mistakes", "3 (k ceil(lg n) + k F) + 1, F wrong labels", a.most, 1.0 * n)


def _classes(a: Assumptions) -> Iterator[Entry]:
    """Learners over the class of all such ORs."""
    n, k = a.attributes, a.relevant
    concepts, size = Disjunctions(n, k, monotone=True), math.comb(n, k)
    if not a.flips:
        gone = Elimination(monotone=True)
        yield _entry(gone, gone.bound(n, k), "n - k", a.most, 2.0 * n)
        bound, harmonic = size.bit_length() - 1, math.log(size)
        yield Entry(Halving(concepts), bound, "mistakes", "floor(lg C(n, k))", size / 64, size / 8)
        random = RandomizedHalving(concepts)
        yield Entry(random, round_up(harmonic), "expected mistakes", "ln C(n, k)", size / 64, size / 8)
    elif size <= LIMIT:
        for voter in (WeightedMajority(), ImprovedMajority()):
            value = voter.bound(size, a.flips)
            formula = f"{'' if isinstance(voter, WeightedMajority) else 'half of '}2.41 (F + lg C(n, k))"
            yield Entry(Pool(concepts, voter), value.value, value.counts, formula, float(size), 8.0 * size)


def _entry(learner: Learner, bound: Bound, formula: str, steps: float, memory: float) -> Entry:
    return Entry(learner, bound.value, bound.counts, formula, float(steps), float(memory))
