"""How learners over finite classes guess, learn and are bounded, written down from their theorems for the checker."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.coins import draw_bits, pick
from littlestone.base.errors import NotCertified, require
from littlestone.base.exact_numbers import harmonic
from littlestone.base.printed_numbers import Number
from littlestone.certificates.check.dimension import LittlestoneDimension
from littlestone.certificates.check.intervals import Enclosing
from littlestone.certificates.check.survivors import find_labeller, find_survivors
from littlestone.concepts.concept import ConceptClass

EXACT = 2**13  # concepts up to which an expectation is written down as a fraction
FINE = 2**64  # beyond, it is rounded up to a multiple of 1 / FINE


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
        first = self.space.find(0)
        promise = f"one of the {self.size} concepts of {self.concepts} labels every round"
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


class NeverMissRule(FilteringRule):
    """Guess class 1 if any survivor says so: each mistake is a false accept, and drops at least one."""

    theorem = "Apple tasting without a miss (Helmbold, Littlestone and Long 2000)"

    def guess(self, x: Any) -> int:
        return int(self.space.count_votes(x)[1] > 0)

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
        claim = super().conclude(certificate)
        expected = _add_shares(self.history)
        promise = claim.promise + ", and no label depends on the learner's coins"
        claim = replace(claim, promise=promise, counts="expected mistakes", scope="expectation", count=expected)
        if self.size <= EXACT:
            return claim
        reals = Enclosing(40)
        bound = Fraction(certificate.bound)
        most = Fraction(reals.ln(Fraction(self.size, self.space.count)).high)
        close = most <= bound <= most * (1 + Fraction(1, 2**40)) + Fraction(2, FINE)
        require(close, f"the theorem gives {float(most):.12g}, not {float(bound):.12g}", NotCertified)
        theorem = f"{self.theorem}, by H_r - H_v <= ln(r/v)"
        count = Fraction(ceil(expected * FINE), FINE)
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


class ConservativeRule(FiniteRule):
    """Another rule, shown only the rounds that it guesses wrong: they are a sequence that keeps the promise too."""

    def __init__(self, inner: FiniteRule) -> None:
        self.inner = inner
        self.shown = 0

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


class AppleTastingRule(FiniteRule):
    """Another rule, shown only what is accepted: what it says is of class 1, and what a coin picks of the rest."""

    def __init__(self, inner: FiniteRule, seed: int, exploring: float) -> None:
        self.inner = inner
        self.seed = seed
        self.exploring = exploring
        self.rounds = self.accepted = self.wrong = 0

    def guess(self, x: Any) -> int:
        explores = draw_bits(self.seed, ~self.rounds) >> 11 < self.exploring * 2.0**53
        return int(self.inner.guess(x) == 1 or explores)

    def learn(self, x: Any, y: int, guess: int) -> bool:
        moved = False
        said = self.inner.guess(x)
        if guess == 1:
            moved = self.inner.learn(x, y, said)
            self.accepted, self.wrong = self.accepted + 1, self.wrong + (said != y)
        self.rounds += 1
        return moved

    def conclude(self, certificate: Certificate) -> FiniteClaim:
        inner = self.inner.conclude(certificate)
        covered = inner.counts == "mistakes"
        require(covered, f"a bound of {inner.counts} says nothing of rounds that depend on coins", NotCertified)
        witness = {"rounds accepted": self.accepted, "agreeing with them": inner.witness}
        theorem = f"Apple tasting (Helmbold, Littlestone and Long 2000) of {inner.theorem}"
        return replace(inner, theorem=theorem, witness=witness, counts="mistakes where accepted", count=self.wrong)


def _find_largest(numbers: Any) -> int:
    """The place of the largest number, the first one of equal ones."""
    return int(np.argmax(numbers))


def _add_shares(history: list[int]) -> Fraction:
    """The sum of 1 - after / before along a history, by halves so that the fractions stay short."""
    if len(history) < 3:
        return Fraction(history[0] - history[-1], history[0])
    middle = len(history) // 2
    return _add_shares(history[: middle + 1]) + _add_shares(history[middle:])
