"""Trials: games that attack the bound of a theorem, for anybody who claims it.

The other side keeps the theorem's promise and no more: it answers the opposite of the guess as long as some target of
the class agrees with all it said, or goes round and round a target that it fixed. Whoever has the theorem stays within
its bound; whoever only has the name does not.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import Halving
>>> trial = next(iter(attacks(Halving(Thresholds(6)), Halving(Thresholds(6)))))
>>> trial.counted, trial.allowed
(3, 3)
"""

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Number
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.base.learner import Learner
from littlestone.concepts.concept import ConceptClass
from littlestone.laws.rehearsal import fresh
from littlestone.learners import AveragedPerceptron, Perceptron, Winnow
from littlestone.learners.experts.contract import Experts

CONCEPTS, POINTS, SWEEPS, EXPERTS, ROUNDS = 300, 64, 40, 4, 60
NEAR = 1e-9

Target = Callable[[Any], Any]


class Trial(NamedTuple):
    """What came of a game: how many mistakes (or how much loss), how many are allowed, and against whom."""

    name: str
    counted: Number
    allowed: Number
    fault: str = ""  # what was wrong with a guess, whatever the counts are


class Suite(NamedTuple):
    """Instances, targets, and what the theorem allows when one of them labels every round."""

    points: list[Any]
    targets: list[Target]
    allowed: list[Number]


def attacks(learner: Any, claims: Learner, seed: int = 0) -> Iterator[Trial]:
    """Games against a learner that claims the theorem of one of ours."""
    if isinstance(claims, Experts):
        yield from _advice(learner, claims, seed)
        return
    suite = suite_of(claims)
    chance = random.Random(seed)
    yield _contrary(learner, claims, suite, chance)
    for index in chance.sample(range(len(suite.targets)), min(4, len(suite.targets))):
        yield _fixed(learner, claims, suite, index)


def suite_of(claims: Learner) -> Suite:
    """Where the theorem of a learner can be attacked."""
    concepts = getattr(claims, "concepts", None)
    if isinstance(concepts, ConceptClass) and concepts.size <= CONCEPTS and len(concepts.labels) == 2:
        bound = claims.bound()
        if bound.counts == "mistakes":
            points = list(islice(concepts.instances(), POINTS))
            targets: list[Target] = [concepts.concept(index) for index in range(concepts.size)]
            return Suite(points, targets, [bound.value] * concepts.size)
    if isinstance(claims, Winnow) and not claims.margin and not claims.floor:
        points = list(product((0, 1), repeat=4))
        sets = [chosen for chosen in product((0, 1), repeat=4) if sum(chosen) <= 2]
        allowed = [claims.bound(attributes=4, relevant=sum(chosen)).value for chosen in sets]
        return Suite(points, [_disjunction(chosen) for chosen in sets], allowed)
    if isinstance(claims, Perceptron | AveragedPerceptron) and not getattr(claims, "normalized", False):
        return _halfspaces(claims)
    raise BadParameter(f"no games here attack the theorem of {claims}: compare with it by like=")


def _disjunction(chosen: Sequence[int]) -> Target:
    return lambda x: any(a and b for a, b in zip(chosen, x, strict=True))


def _halfspaces(claims: Any) -> Suite:
    """All labellings of the cube by small whole weights, each with the smallest bound that Novikoff gives it."""
    bias, found = Fraction(claims.bias), dict[tuple[bool, ...], tuple[Number, tuple[int, ...]]]()
    points = [x for x in product((0, 1), repeat=3) if bias or any(x)]
    reach = max(sum(x) for x in points) + bias**2 + 2 * Fraction(claims.margin) / Fraction(claims.rate)
    for u in product(range(-3, 4), repeat=4 if bias else 3):
        scores = [_score(u, x, bias) for x in points]
        margin = min(abs(score) for score in scores)
        if margin:
            key, bound = tuple(score > 0 for score in scores), reach * sum(k * k for k in u) // margin**2
            if key not in found or bound < found[key][0]:
                found[key] = bound, u
    targets: list[Target] = [lambda x, u=u: bool(_score(u, x, bias) > 0) for _, u in found.values()]  # type: ignore[misc]
    return Suite(points, targets, [bound for bound, _ in found.values()])


def _score(u: Sequence[int], x: Sequence[int], bias: Fraction) -> Fraction:
    return sum((Fraction(a * b) for a, b in zip(u, x, strict=False)), Fraction(0)) + (u[3] * bias if bias else 0)


def _contrary(learner: Any, claims: Learner, suite: Suite, chance: random.Random) -> Trial:
    """Ask where the opposite of the guess leaves most targets, and answer it, until none is left anywhere."""
    seat, mistakes = _seated(learner, claims, suite), 0
    labels = np.array([[bool(target(x)) for x in suite.points] for target in suite.targets])
    while mistakes <= max(suite.allowed):
        guesses = np.array([truth_of(seat.guess(x)) for x in suite.points])
        left = (labels != guesses).sum(axis=0)
        if not left.any():
            break
        at = chance.choice(np.flatnonzero(left == left.max()).tolist())
        labels = labels[labels[:, at] != guesses[at]]
        seat.round(suite.points[at], not guesses[at])
        mistakes += 1
    agreeing = [
        h for h, target in enumerate(suite.targets) if [bool(target(x)) for x in suite.points] in labels.tolist()
    ]
    return Trial("the opposite of every guess", mistakes, min(suite.allowed[h] for h in agreeing))


def _fixed(learner: Any, claims: Learner, suite: Suite, index: int) -> Trial:
    """Go round all instances with one target."""
    seat, target, mistakes = _seated(learner, claims, suite), suite.targets[index], 0
    for x in suite.points * SWEEPS:
        y = bool(target(x))
        mistakes += truth_of(seat.round(x, y)) != y
    return Trial(f"round and round target {index}", mistakes, suite.allowed[index])


def _seated(learner: Any, claims: Learner, suite: Suite) -> Any:
    return fresh(learner, [(x, bool(suite.targets[0](x))) for x in suite.points])


def truth_of(guess: Any) -> bool:
    """A guess of one of two classes: False, 0 and -1 are the negative one."""
    return not isinstance(guess, str | tuple | list) and guess is not None and float(guess) > 0


def _advice(learner: Any, claims: Experts, seed: int) -> Iterator[Trial]:
    """Experts of whom one is good, all are equal, or all are coins; outcomes by chance or against the guess."""
    if claims.theorem.tosses:
        raise BadParameter(
            f"{claims} tosses coins: a game shows one of many outcomes, and its theorem is about the mean"
        )
    for name in ("one honest expert among liars", "experts who toss coins", "experts who agree"):
        for spiteful in (False, True):
            yield _panel(learner, claims, name, spiteful, random.Random(f"{name} {seed}"))


def _panel(learner: Any, claims: Experts, name: str, spiteful: bool, chance: random.Random) -> Trial:
    loss = claims.expert_loss
    low, high = (0.0, 1.0) if loss.binary or not claims.numeric else (float(loss.low), float(loss.high))
    first, last = (0.125, 0.875) if claims.numeric else (0, 1)
    ends = [low + first * (high - low), low + last * (high - low)]
    seat = fresh(learner, [((ends[1],) * EXPERTS, high)])
    lost, total, fault = np.zeros(EXPERTS), 0.0, ""
    for t in range(ROUNDS):
        y = chance.choice((0.0, 1.0))
        x = _forecasts(name, y, ends, chance)
        guess = seat.guess(x)
        said = float(guess) if claims.numeric else float(truth_of(guess))
        if spiteful:
            y = float(said < (low + high) / 2)
        inside = (min(x), max(x)) if claims.guesses_between_forecasts else (low, high)
        if not fault and not inside[0] - NEAR <= said <= inside[1] + NEAR:
            fault = f"in round {t + 1} it guesses {said}, which is not between {inside[0]} and {inside[1]}"
        y = low + y * (high - low)
        total += loss(min(max(said, loss.low), loss.high), y) if claims.numeric else float(said != y)
        lost += [loss(v, y) for v in x]
        seat.player.update(x, y if claims.numeric else bool(y))
    best = float(lost.min())
    try:
        allowed = best + claims.regret(EXPERTS, ROUNDS, best)
    except NotCertified as problem:
        raise BadParameter(f"{claims} claims no theorem here: {problem}") from None
    against = f"{name}, {'outcomes against the guess' if spiteful else 'outcomes by chance'}"
    return Trial(against, total - NEAR if claims.numeric else int(total), allowed, fault)


def _forecasts(name: str, y: float, ends: list[float], chance: random.Random) -> tuple[float, ...]:
    if name == "one honest expert among liars":
        return (*(ends[int(1 - y)],) * (EXPERTS - 1), ends[int(y)])
    if name == "experts who agree":
        return (chance.choice(ends),) * EXPERTS
    return tuple(chance.choice(ends) for _ in range(EXPERTS))
