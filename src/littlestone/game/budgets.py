"""Budgets: how many mistakes are still possible, now, if the promise is kept.

A bound counts from the first round; a budget starts from what was learned since. It never grows, a mistake lowers it by
at least one, and so mistakes so far plus budget never exceed the bound. What the state does not know must be said: the
comparator of a Perceptron, the mistakes of the best expert, which attributes are relevant.

    Halving              floor(lg |V|), V the concepts that survive
    RandomizedHalving    H_|V| - 1, in expectation
    Consistent           |V| - 1
    StandardOptimal      Littlestone's dimension of V
    Closure              1 + d (m - 1) before the first positive point, then the steps by which the box can still grow
    Elimination          n + 1 - k before the first mistake, then the literals left, less k
    Perceptron           the largest m with u.w + m g <= |u| sqrt(|w|^2 + m R^2)
    WeightedMajority     the largest m with W ((1 + penalty) / 2)^m >= penalty^K
    Winnow               p = sum over relevant i of (E - e_i) promotions, and demotions as W + p (b - 1) t allows

>>> from littlestone import Halving, Player, Thresholds
>>> player = Player(Halving(Thresholds(14)))
>>> player.budget().mistakes
4
>>> player.update(7, False); player.budget().mistakes
3
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.bound import Bound, Number, floor_log2, harmonic, largest, round_up
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner
from littlestone.learners import (
    Closure,
    Consistent,
    Elimination,
    Halving,
    Perceptron,
    RandomizedHalving,
    StandardOptimal,
    WeightedMajority,
    Winnow,
)
from littlestone.learners.conversions import Conservative

EXACT = 2**13  # up to so many concepts the sum of reciprocals is written out


def budget(learner: Learner, state: Any, **facts: Any) -> Bound:
    """The mistakes still possible on any rounds to come that keep the promise; its scope is the class."""
    if isinstance(learner, Conservative):
        return budget(learner.learner, state.inner, **facts)
    for kind, rule in RULES.items():
        if isinstance(learner, kind):
            try:
                return rule(learner, state, **facts)  # type: ignore[no-any-return]
            except TypeError as problem:
                raise NotCertified(f"the budget of {kind.__name__} needs other facts: {problem}") from None
    raise NotCertified(f"no budget is known for {type(learner).__name__}")


def left(learner: Learner, state: Any) -> Bound | None:
    """The budget where the state alone knows it, None elsewhere."""
    try:
        return budget(learner, state)
    except NotCertified:
        return None


def _concepts(learner: Any, state: Any) -> Bound:
    alive = learner.concepts.survivors(getattr(state, "space", state))
    promise = f"one of the {alive} concepts that survive labels every round to come"
    value = floor_log2(alive) if isinstance(learner, Halving) else alive - 1
    return Bound(learner.bound().theorem, promise, value)


def _dimension(learner: StandardOptimal, state: Any) -> Bound:
    alive = learner.concepts.survivors(state)
    promise = f"one of the {alive} concepts that survive labels every round to come"
    return Bound(learner.bound().theorem, promise, learner.dimension(state))


def _box(learner: Closure, state: Any) -> Bound:
    m, empty = learner.concepts.m, bool((state.low > state.high).any())
    value = learner.bound().mistakes if empty else int((m - 1 - (state.high - state.low)).sum())
    return Bound(learner.bound().theorem, "a box around every positive point so far labels every round to come", value)


def _drawn(learner: RandomizedHalving, state: Any) -> Bound:
    alive = state.history[-1]
    value: Number = harmonic(alive, 2) if alive <= EXACT else round_up(math.log(alive))
    promise = f"one of the {alive} concepts that survive labels every round to come, whatever the coins"
    return Bound(learner.bound().theorem, promise, value, "expected mistakes")


def _literals(learner: Elimination, state: Any, relevant: int = 0) -> Bound:
    require(state.counts[2] == 0, "say at the start how many attributes there are", NotCertified)
    n, remain = len(state.on), int(state.on.sum()) + int(state.off.sum())
    value = n + 1 if not learner.monotone and state.counts[1] == 0 else remain
    require(0 <= relevant <= remain, f"{remain} literals are left, not {relevant}", NotCertified)
    promise = f"{relevant} or more of the {remain} literals that are left label every round to come"
    return Bound(learner.bound(n, 0).theorem, promise, value - relevant)


def _halfspace(learner: Perceptron, state: Any, u: Sequence[Any], margin: Any, reach: Any, constant: Any = 0) -> Bound:
    """`u` speaks of attributes, `constant` is its weight of the constant one; `reach` is the largest |x|."""
    require(not learner.normalized, "normalized rows have no budget here", NotCertified)
    rate, given = Fraction(learner.rate), [Fraction(v) for v in u]
    weights = [Fraction(float(w)) / rate for w in state.weights]
    given += [Fraction(0)] * (len(weights) - len(given))
    weights += [Fraction(0)] * (len(given) - len(weights))
    pairs = [*zip(given, weights, strict=True), (Fraction(constant), Fraction(float(state.bias[0])) / rate)]
    ahead, norm = sum((a * b for a, b in pairs), Fraction(0)), sum(a * a for a, _ in pairs)
    length, gain = sum(b * b for _, b in pairs), Fraction(margin)
    require(gain > 0, f"the margin must be positive, got {margin}", NotCertified)
    farthest = Fraction(reach) ** 2 + Fraction(learner.bias) ** 2 + 2 * Fraction(learner.margin) / rate

    def possible(m: int) -> bool:
        goal = ahead + m * gain
        return goal <= 0 or goal**2 <= norm * (length + m * farthest)

    promise = f"u has margin {margin} on every round to come, and |x| <= {reach}"
    return Bound("Perceptron (Novikoff 1962)", promise, largest(possible), "updates")


def _experts(learner: WeightedMajority, state: Any, best_loss: int) -> Bound:
    penalty, marks = Fraction(learner.penalty), learner.charges(state)
    require(len(marks) > 0, "no experts were met", NotCertified)
    fewest = int(marks.min())
    require(fewest <= best_loss, f"every expert has {fewest} marks or more, not {best_loss}", NotCertified)
    counts = np.bincount(marks - fewest).tolist()
    promise = f"one of {len(marks)} experts makes at most {best_loss} mistakes in all"
    theorem = learner.bound(1, 0).theorem
    if penalty == 0:
        require(best_loss == 0, "a penalty of 0 promises nothing once every expert erred", NotCertified)
        return Bound(theorem, promise, floor_log2(counts[0]))
    weight, fall = sum((count * penalty**gap for gap, count in enumerate(counts)), Fraction(0)), (1 + penalty) / 2
    least = penalty ** (best_loss - fewest)
    return Bound(theorem, promise, largest(lambda m: weight * fall**m >= least))


def _disjunction(learner: Winnow, state: Any, relevant: int | Sequence[int]) -> Bound:
    """`relevant` names the attributes of the disjunction, or only says how many they are."""
    plain = learner.exact and not (learner.eliminate or learner.margin or learner.floor or learner.real)
    require(plain, f"no budget is known for {learner}", NotCertified)
    promotion, threshold = Fraction(learner.promotion), Fraction(float(state.threshold[0]))
    exponents = state.weights.tolist()
    highest = 0
    while promotion**highest < threshold or (learner.strict_gt and promotion**highest == threshold):
        highest += 1
    if isinstance(relevant, int):
        require(relevant <= len(exponents), f"there are {len(exponents)} attributes, not {relevant}", NotCertified)
        chosen = sorted(exponents)[:relevant]
    else:
        chosen = [exponents[i] for i in relevant]
    raised = sum(max(highest - e, 0) for e in chosen)
    total = sum((promotion**e for e in exponents), Fraction(0)) + raised * (promotion - 1) * threshold
    lowered = math.ceil(total / ((1 - 1 / promotion) * threshold)) - 1
    promise = f"an OR of {len(chosen)} attributes labels every round"
    theorem = learner.bound(max(len(exponents), 1), len(chosen)).theorem
    return Bound(theorem, promise, raised + lowered)


RULES: dict[type[Learner], Any] = {
    Halving: _concepts,
    Consistent: _concepts,
    StandardOptimal: _dimension,
    Closure: _box,
    RandomizedHalving: _drawn,
    Elimination: _literals,
    Perceptron: _halfspace,
    WeightedMajority: _experts,
    Winnow: _disjunction,
}
