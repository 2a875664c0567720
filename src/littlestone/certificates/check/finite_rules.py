"""How learners over finite classes guess, learn and are bounded, written down from their theorems for the checker.

An instance is a point of the class's domain or a row: pairs of an attribute and its value, which is not 0, in ascending
order.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate, Number, harmonic
from littlestone.base.coins import pick
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.dimension import LittlestoneDimension
from littlestone.certificates.check.intervals import Enclosing
from littlestone.certificates.check.survivors import find_labeller, find_survivors
from littlestone.concepts.concept import ConceptClass

EXACT = 2**13  # concepts up to which an expectation is written down as a fraction
FINE = 2**64  # beyond, it is rounded up to a multiple of 1 / FINE
PairedRow = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class FiniteClaim:
    """What a certificate must say besides the counts of mistakes and updates."""

    theorem: str
    promise: str
    bound: Number
    witness: dict[str, Any]
    counts: str = "mistakes"
    scope: str = "sequence"
    exact: bool = True
    count: Number | None = None


class FiniteRule(ABC):
    """What a learner does in a round, and what its theorem allows after the last one."""

    @abstractmethod
    def guess(self, x: Any) -> int:
        """The class number guessed for an instance."""

    @abstractmethod
    def learn(self, x: Any, y: int, guess: int) -> bool:
        """Learn from a round and return whether the state moved; refuse a round that breaks the promise."""

    @abstractmethod
    def conclude(self, certificate: Certificate) -> FiniteClaim:
        """What the certificate must say; a number of which only a range is known here is taken from it."""


class FilteringRule(FiniteRule):
    """A learner that drops the concepts which a round contradicts."""

    theorem: str

    def __init__(self, concepts: ConceptClass, seed: int = 0) -> None:
        self.concepts, self.size, self.seed, self.space = concepts, concepts.size, seed, find_survivors(concepts)
        self.rounds = self.cuts = 0

    def learn(self, x: Any, y: int, guess: int) -> bool:
        cut = self.space.keep(x, y)
        self.rounds, self.cuts = self.rounds + 1, self.cuts + cut
        return cut

    def conclude(self, certificate: Certificate) -> FiniteClaim:
        first, promise = self.space.find(0), f"one of the {self.size} concepts of {self.concepts} labels every round"
        witness = {"concept": first, "name": self.concepts.name(first), "concepts": self.size}
        return FiniteClaim(self.theorem, promise, self.find_bound(), witness | {"survivors": self.space.count})

    @abstractmethod
    def find_bound(self) -> Number:
        """What the theorem allows a run that ends with these survivors."""


class HalvingRule(FilteringRule):
    """Guess the label that most survivors give: each mistake drops at least half of them."""

    theorem = "Halving (Barzdin and Freivald 1972, Angluin 1988)"

    def guess(self, x: Any) -> int:
        return _find_largest(self.space.count_votes(x))

    def find_bound(self) -> int:
        return (self.size // self.space.count).bit_length() - 1


class ConsistentRule(FilteringRule):
    """Guess what one survivor says, the lowest or one drawn again after each cut: each mistake drops that one."""

    theorem = "Consistent learner (Gold 1967, Mitchell 1982)"

    def __init__(self, concepts: ConceptClass, seed: int, choice: str) -> None:
        super().__init__(concepts, seed)
        require(choice in ("lowest", "random"), f"no choice is {choice!r}", NotCertified)
        self.draws = choice == "random"

    def guess(self, x: Any) -> int:
        rank = pick(self.seed, self.cuts, self.space.count) if self.draws else 0
        return self.concepts.label(self.space.find(rank), x)

    def find_bound(self) -> int:
        return self.size - self.space.count


class RandomizedHalvingRule(FilteringRule):
    """Guess what one survivor says, drawn in every round.

    The chance of a mistake is j / r where j of r survivors are dropped, and j / r <= 1/r + ... + 1/(r - j + 1). So with
    v survivors in the end the expected mistakes are at most 1/(v + 1) + ... + 1/|H| <= ln(|H| / v).
    """

    theorem = "Randomized halving (Maass 1991)"

    def __init__(self, concepts: ConceptClass, seed: int) -> None:
        super().__init__(concepts, seed)
        self.history = [self.size]

    def guess(self, x: Any) -> int:
        return self.concepts.label(self.space.find(pick(self.seed, self.rounds, self.space.count)), x)

    def learn(self, x: Any, y: int, guess: int) -> bool:
        cut = super().learn(x, y, guess)
        self.history += [self.space.count] * cut
        return cut

    def find_bound(self) -> Fraction:
        return harmonic(self.size, self.space.count + 1) if self.size <= EXACT else Fraction(0)

    def conclude(self, certificate: Certificate) -> FiniteClaim:
        claim, expected = super().conclude(certificate), _add_shares(self.history)
        promise = claim.promise + ", and no label depends on the learner's coins"
        claim = replace(claim, promise=promise, counts="expected mistakes", scope="expectation", count=expected)
        if self.size <= EXACT:
            return claim
        reals, bound = Enclosing(40), Fraction(certificate.bound)
        most = Fraction(reals.ln(reals.of(Fraction(self.size, self.space.count))).high)
        close = most <= bound <= most * (1 + Fraction(1, 2**40)) + Fraction(2, FINE)
        require(close, f"the theorem gives {float(most):.12g}, not {float(bound):.12g}", NotCertified)
        theorem, count = f"{self.theorem}, by H_r - H_v <= ln(r/v)", Fraction(ceil(expected * FINE), FINE)
        return replace(claim, theorem=theorem, exact=False, bound=bound, count=count)


class StandardOptimalRule(FilteringRule):
    """Guess the label whose survivors have the largest Littlestone dimension: each mistake takes at least 1 off it."""

    theorem = "Standard optimal algorithm (Littlestone 1988)"

    def __init__(self, concepts: ConceptClass, seed: int) -> None:
        super().__init__(concepts, seed)
        self.dimension, self.label = LittlestoneDimension(concepts), find_labeller(concepts)

    def guess(self, x: Any) -> int:
        members = self.space.list_numbers()
        given = self.label(members, x)
        return _find_largest([self.dimension.find(members[given == y]) for y in range(len(self.concepts.labels))])

    def find_dimensions(self) -> dict[str, int]:
        """The dimension of the class, and of those that survive."""
        left = self.dimension.find(self.space.list_numbers())
        return {"dimension": self.dimension.find(range(self.size)), "dimension left": left}

    def find_bound(self) -> int:
        found = self.find_dimensions()
        return found["dimension"] - found["dimension left"]

    def conclude(self, certificate: Certificate) -> FiniteClaim:
        claim = super().conclude(certificate)
        return replace(claim, witness=claim.witness | self.find_dimensions())


class EliminationRule(FiniteRule):
    """Guess the label that one literal alone decides if a literal fires; drop those that fire where the other is right.

    An on-literal fires where its attribute is 1, an off-literal where it is 0. `attributes` is how many there are;
    where they were not `declared` before the first round, more might have turned up at any time, and off-literals of
    these fire on every row until the first mistake drops them all.
    """

    def __init__(self, target: str, monotone: bool, attributes: int, declared: bool) -> None:
        known = target in ("disjunction", "conjunction") and monotone in (False, True) and attributes >= 0
        require(known, "no learner has such parameters", NotCertified)
        self.kind, self.decided = f"monotone {target}" if monotone else target, int(target == "disjunction")
        self.monotone, self.attributes, self.declared = monotone, attributes, declared
        self.has_on, self.has_off = not monotone or self.decided == 1, not monotone or self.decided == 0
        self.dropped_on, self.left_off = set[int](), None if self.has_off else set[int]()  # None: all of them

    def _fires(self, active: set[int]) -> bool:
        """Whether a literal fires on a row, given the attributes that are 1 in it."""
        if self.has_on and active - self.dropped_on:
            return True
        if self.left_off is None:
            return not self.declared or len(active) < self.attributes
        return not self.left_off <= active

    def guess(self, x: PairedRow) -> int:
        return self.decided if self._fires(list_active(x, self.attributes)) else 1 - self.decided

    def learn(self, x: PairedRow, y: int, guess: int) -> bool:
        active = list_active(x, self.attributes)
        fires = self._fires(active)
        require(fires or y != self.decided, f"no {self.kind} labels every round", NotCertified)
        if y == self.decided or not fires:
            return False
        self.dropped_on |= active
        self.left_off = set(active) if self.left_off is None else self.left_off & active
        return True

    def conclude(self, certificate: Certificate) -> FiniteClaim:
        n, off = self.attributes, self.left_off
        on = n - len(self.dropped_on) if self.has_on else 0
        left = on + (n if off is None else len(off))
        words = _format_gaps(self.dropped_on, n) if self.has_on else "", _format_gaps(set(), n)
        if off is not None:
            words = words[0], _format_runs(off)
        plain, negated = words if self.decided else words[::-1]
        more = int(not self.declared and self.decided == 0) if self.monotone else 1
        bound, witness = (
            max(0, n + more - left),
            {"attributes": n, "literals": left, "plain": plain, "negated": negated},
        )
        return FiniteClaim("Elimination (Valiant 1984)", f"a {self.kind} labels every round", bound, witness)


class ClosureRule(FiniteRule):
    """Guess positive inside the smallest box around the positive points: each mistake but the first widens a side."""

    def __init__(self, concepts: Any) -> None:
        self.concepts, self.low, self.high = concepts, list[int](), list[int]()

    def guess(self, x: tuple[int, ...]) -> int:
        inside = all(a <= place <= b for a, place, b in zip(self.low, x, self.high, strict=False))
        return int(bool(self.low) and inside)

    def learn(self, x: tuple[int, ...], y: int, guess: int) -> bool:
        inside = self.guess(x)
        require(y >= inside, f"no box holds the positive points and not {x}", NotCertified)
        if y > inside:
            self.low = [min(pair) for pair in zip(self.low or x, x, strict=True)]
            self.high = [max(pair) for pair in zip(self.high or x, x, strict=True)]
        return y > inside

    def conclude(self, certificate: Certificate) -> FiniteClaim:
        m, d = self.concepts.m, self.concepts.d
        promise = f"a box on the grid of {m} points a side in {d} dimensions labels every round"
        bound = 1 + sum(self.high) - sum(self.low) if self.low else 0
        witness = {"box": [self.low, self.high] if self.low else None}
        return FiniteClaim("Closure (Helmbold, Sloan and Warmuth 1990)", promise, bound, witness)


class MemorizerRule(FiniteRule):
    """Guess the label that the instance had, 0 for a new one: each mistake is on a new instance."""

    def __init__(self) -> None:
        self.labels: dict[Any, int] = {}

    def guess(self, x: Any) -> int:
        return self.labels.get(x, 0)

    def learn(self, x: Any, y: int, guess: int) -> bool:
        new = x not in self.labels
        require(self.labels.setdefault(x, y) == y, f"{x!r} has two labels", NotCertified)
        return new

    def conclude(self, certificate: Certificate) -> FiniteClaim:
        met, promise = len(self.labels), "the label is a function of the instance"
        return FiniteClaim("Memorizer (Samuel 1959)", promise, met, {"instances": met})


class ConservativeRule(FiniteRule):
    """Another rule, shown only the rounds that it guesses wrong: they are a sequence that keeps the promise too."""

    def __init__(self, inner: FiniteRule) -> None:
        self.inner, self.shown = inner, 0

    def guess(self, x: Any) -> int:
        return self.inner.guess(x)

    def learn(self, x: Any, y: int, guess: int) -> bool:
        if guess != y:
            self.inner.learn(x, y, guess)
            self.shown += 1
        return guess != y

    def conclude(self, certificate: Certificate) -> FiniteClaim:
        inner = self.inner.conclude(certificate)
        covered = inner.counts != "expected mistakes"
        require(covered, "an expectation over coins says nothing of rounds that depend on them", NotCertified)
        witness = {"rounds shown": self.shown, "agreeing with them": inner.witness}
        theorem = f"Conservative conversion (Littlestone 1989) of {inner.theorem}"
        return replace(inner, theorem=theorem, witness=witness)


def list_active(x: PairedRow, attributes: int) -> set[int]:
    """The attributes of a row of so many attributes that are 1; one with another value is refused."""
    whole = all(value == 1 and attribute < attributes for attribute, value in x)
    require(whole, f"a row is not one of {attributes} attributes that are 0 or 1", NotCertified)
    return {attribute for attribute, _ in x}


def _find_largest(numbers: Any) -> int:
    """The place of the largest number, the first one of equal ones."""
    return int(np.argmax(numbers))


def _add_shares(history: list[int]) -> Fraction:
    """The sum of 1 - after / before along a history, by halves so that the fractions stay short."""
    if len(history) < 3:
        return Fraction(history[0] - history[-1], history[0])
    middle = len(history) // 2
    return _add_shares(history[: middle + 1]) + _add_shares(history[middle:])


def _format_runs(attributes: set[int]) -> str:
    """Attributes, counted from 1, as ranges such as "x1-x5 x100"."""
    firsts = sorted(attribute for attribute in attributes if attribute - 1 not in attributes)
    lasts = sorted(attribute for attribute in attributes if attribute + 1 not in attributes)
    return " ".join(_format_run(first, last) for first, last in zip(firsts, lasts, strict=True))


def _format_gaps(dropped: set[int], attributes: int) -> str:
    """The same of all attributes but some."""
    ends = pairwise([-1, *sorted(dropped), attributes])
    return " ".join(_format_run(before + 1, after - 1) for before, after in ends if after - before > 1)


def _format_run(first: int, last: int) -> str:
    return f"x{first + 1}" if first == last else f"x{first + 1}-x{last + 1}"
