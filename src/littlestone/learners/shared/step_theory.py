"""Step theory: what follows from the theorems of an additive learner, whichever they are.

A learner says how it steps (`step_rule`) and lists theorems about steps. From these alone follow what is left of a
bound in the middle of a game, rounds that attack it, and what it promises under a plan's assumptions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np

from littlestone.base.assumptions import Assumptions, Comparator
from littlestone.base.bound import Bound
from littlestone.base.errors import NotCertified, require
from littlestone.base.theorem import Attack, StepFacts, StepRule, Theorem
from littlestone.base.traits import Attacked, PlanEntry, Planned, Remainders

# whole weights of the targets of an attack, and its attributes
LARGEST_WEIGHT = 3
CUBE = 3


class StepTheory(Remainders, Attacked, Planned):
    """An additive learner with weights `weights` and `bias` in its state, `stride` numbers for each attribute."""

    stride: ClassVar[int]
    planned: ClassVar[bool] = True  # whether a plan should say what it promises

    def step_rule(self) -> StepRule:
        """How it steps, as far as its theorems need to know."""
        raise NotImplementedError

    def theorems(self) -> tuple[Theorem, ...]:
        """Its theorems about steps; none unless a learner lists some."""
        return ()

    def remaining(  # type: ignore[override]
        self, state: Any, u: Sequence[Any], margin: Any, reach: Any, constant: Any = 0
    ) -> Bound:
        """What the theorem allows from here on, for a target that the user vouches for.

        Args:
            state: The state now.
            u: The target's weights of the attributes.
            margin: What y u.x is at least on every round to come, > 0.
            reach: The largest |x| of a round to come, the constant attribute left out.
            constant: The target's weight of the constant attribute.
        """
        rule = self.step_rule()
        theorem = self._find_strict_theorem()
        require(not rule.normalized, f"no theorem of {self} is about the rest of a game", NotCertified)
        rate = Fraction(rule.rate)
        given = [Fraction(v) for v in u]
        weights = [Fraction(float(w)) / rate for w in state.weights[:: self.stride]]
        given += [Fraction(0)] * (len(weights) - len(given))
        weights += [Fraction(0)] * (len(given) - len(weights))
        pairs = [*zip(given, weights, strict=True), (Fraction(constant), Fraction(float(state.bias[0])) / rate)]
        ahead = sum((a * b for a, b in pairs), Fraction(0))
        norm = sum((a * a for a, _ in pairs), Fraction(0))
        farthest = Fraction(reach) ** 2 + Fraction(rule.bias) ** 2 + 2 * Fraction(rule.margin) / rate
        begun = sum((b * b for _, b in pairs), Fraction(0))
        facts = StepFacts(norm, farthest, Fraction(margin), ahead=ahead, begun=begun)
        promise = f"u has margin {margin} on every round to come, and |x| <= {reach}"
        counts: Any = "updates" if theorem.counts == "steps" else theorem.counts  # copies are at least as many
        return Bound(theorem.name, promise, apply_theorem(theorem, facts), counts)

    def attack(self) -> Attack | None:
        """All labellings of the cube by small whole weights, each with the smallest bound that the theorem gives it."""
        rule = self.step_rule()
        if (rule.normalized and rule.margin) or not any(theorem.kind == "steps" for theorem in self.theorems()):
            return None
        theorem = self._find_strict_theorem()
        bias = Fraction(rule.bias)
        points = [x for x in product((0, 1), repeat=CUBE) if bias or any(x)]
        z = np.array([(*x, 1) if bias else x for x in points])
        reach = max(sum(x) for x in points) + bias**2 + 2 * Fraction(rule.margin) / Fraction(rule.rate)
        found = dict[tuple[bool, ...], int]()
        for u in product(range(-LARGEST_WEIGHT, LARGEST_WEIGHT + 1), repeat=z.shape[1]):
            scaled = [Fraction(k) for k in u[:CUBE]] + [Fraction(k) * bias for k in u[CUBE:]]
            scores = [sum((a * int(b) for a, b in zip(scaled, row, strict=True)), Fraction(0)) for row in z]
            margin = min(abs(score) for score in scores)
            if margin:
                labels = tuple(score > 0 for score in scores)
                facts = StepFacts(Fraction(sum(k * k for k in u)), reach, margin)
                if rule.normalized:  # u divided by its margin on rows of length 1
                    least = min(score**2 / (sum(x) + bias**2) for x, score in zip(points, scores, strict=True))
                    facts = StepFacts(facts.norm / least, Fraction(1), Fraction(1))
                bound = apply_theorem(theorem, facts)
                found[labels] = min(bound, found.get(labels, bound))
        return Attack(points, np.array(list(found)), list(found.values()))

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        if assumptions.drift or not cls.planned:
            return
        c = Comparator.of(assumptions)
        learner: Any = cls(bias=c.bias) if any(part.name == "bias" for part in fields(cls)) else cls()  # type: ignore[arg-type,call-arg]
        yield from learner.promise(assumptions, c)

    def promise(self, assumptions: Assumptions, c: Comparator) -> Iterator[PlanEntry]:
        """What its theorems give for a comparator; nothing where wrong labels are not covered."""
        lost = c.shortfall * assumptions.flips
        n = assumptions.attributes
        facts = StepFacts(c.square, Fraction(c.active), c.margin, lost)
        suited = [t for t in self.theorems() if t.formula and (t.losses == "none") == (not lost)]
        if suited:
            theorem = min(suited, key=lambda t: apply_theorem(t, facts))
            value = apply_theorem(theorem, facts)
            yield PlanEntry(self, value, theorem.counts, theorem.formula, assumptions.most, 8.0 * n)  # type: ignore[arg-type]

    def _find_strict_theorem(self) -> Theorem:
        """The theorem about targets that never fall short of their margin."""
        strict = [theorem for theorem in self.theorems() if theorem.kind == "steps" and theorem.losses == "none"]
        require(bool(strict), f"no theorem of {self} is about every round to come", NotCertified)
        return strict[0]


def apply_theorem(theorem: Theorem, facts: StepFacts) -> int:
    """A theorem's bound, the comparator stretched to the margin that the theorem speaks of."""
    require(facts.margin > 0, f"the margin must be positive, got {facts.margin}", NotCertified)
    if theorem.margin is None:
        return theorem.value(facts)
    margin = Fraction(theorem.margin)
    stretch = margin / facts.margin
    once = {"shortfall": facts.shortfall * stretch, "ahead": facts.ahead * stretch}
    twice = {"norm": facts.norm * stretch**2, "squares": facts.squares * stretch**2}
    return theorem.value(facts._replace(margin=margin, **once, **twice))
