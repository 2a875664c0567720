"""How learners over literals, boxes and instances guess, learn and are bounded, written down for the checker.

A row is here a tuple of pairs of an attribute and its value, which is not 0, in ascending order.
"""

from itertools import pairwise
from typing import Any

from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.finite_rules import FiniteClaim, FiniteRule

PairedRow = tuple[tuple[int, float], ...]


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
        self.monotone = monotone
        self.attributes = attributes
        self.declared = declared
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
        n = self.attributes
        off = self.left_off
        on = n - len(self.dropped_on) if self.has_on else 0
        left = on + (n if off is None else len(off))
        words = _format_gaps(self.dropped_on, n) if self.has_on else "", _format_gaps(set(), n)
        if off is not None:
            words = words[0], _format_runs(off)
        plain, negated = words if self.decided else words[::-1]
        more = int(not self.declared and self.decided == 0) if self.monotone else 1
        bound = max(0, n + more - left)
        witness = {"attributes": n, "literals": left, "plain": plain, "negated": negated}
        return FiniteClaim("Elimination (Valiant 1984)", f"a {self.kind} labels every round", bound, witness)


class ClosureRule(FiniteRule):
    """Guess positive inside the smallest box around the positive points: each mistake but the first widens a side."""

    def __init__(self, concepts: Any) -> None:
        self.concepts = concepts
        self.low = list[int]()
        self.high = list[int]()

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
        m = self.concepts.m
        d = self.concepts.d
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
        met = len(self.labels)
        promise = "the label is a function of the instance"
        return FiniteClaim("Memorizer (Samuel 1959)", promise, met, {"instances": met})


def list_active(x: PairedRow, attributes: int) -> set[int]:
    """The attributes that are 1 in a row; one of another value, or beyond how many there are, is refused."""
    whole = all(value == 1 and attribute < attributes for attribute, value in x)
    require(whole, f"a row is not one of {attributes} attributes that are 0 or 1", NotCertified)
    return {attribute for attribute, _ in x}


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
