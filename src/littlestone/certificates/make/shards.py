"""Mixed: what the theorems of additive learners say about a run over shards whose states were mixed.

The theorems are those of the Perceptron and of PassiveAggressive with mixed counts: an update of a shard with share m
counts m, and so does its shortfall (`mixing.py`; McDonald, Hall and Mann 2010). The witness is sought among all
comparators in hindsight, over the update rounds of all shards and passes.

Rounding, that of mixtures too, can make an update of a round that exact arithmetic passes over. What agreements
exceed the margin by then adds to the squared length of the weights: it is counted for the Perceptron, from the sums of
its listed steps, and `verify` counts it exactly. Steps of PassiveAggressive and normalized ones are rounded
themselves, and that is not counted: `exact` is False.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate, Number, largest
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified
from littlestone.certificates import theorems
from littlestone.certificates.make.margins import SWEEPS, product, step
from littlestone.certificates.make.perceptron import EPS, Choice, Run, passive_choices, perceptron_choices, witness
from littlestone.certificates.make.step_vectors import Space, rule_of
from littlestone.certificates.make.steps import Steps
from littlestone.compiled import U, kernel

FINE = 1024  # a mixed count is no whole number: its bound is rounded up to a multiple of 1/1024


class Mixed(NamedTuple):
    """What a run counted: mistakes and updates of all shards, and both with each shard's share."""

    mistakes: int
    updates: int
    mixed_mistakes: Fraction
    mixed_updates: Fraction

    def plus(self, more: "Mixed") -> "Mixed":
        counts = (self.mistakes + more.mistakes, self.updates + more.updates)
        return Mixed(*counts, self.mixed_mistakes + more.mixed_mistakes, self.mixed_updates + more.mixed_updates)


class Part(NamedTuple):
    """The steps of one shard in one pass, by the class numbers of the whole run, and the shard's share."""

    number: int  # of the pass
    steps: Steps
    share: Fraction


@kernel
def exceeded(
    indptr: Array,
    indices: Array,
    values: Array,
    first: int,
    last: int,
    weights: Array,
    moved: Array,
    enough: float,
    before: int,
) -> Any:
    """Twice by how much agreements may exceed `enough` on the steps from `first` to `last`, which move the weights."""
    total = 0.0
    for t in range(first, last):
        a, b, size = U(indptr[t]), U(indptr[t + 1]), 0.0
        for k in range(a, b):
            size += moved[indices[k]] * abs(values[k])
        score = product(weights, indices, values, a, b)
        score += EPS * (before + t - first + indptr[t + 1] - indptr[t] + 4) * size
        total += 2.0 * max(0.0, score - enough)
        step(weights, 1.0, indices, values, a, b)
        for k in range(a, b):
            moved[indices[k]] += abs(values[k])
    return total


def excess_of(space: Space, parts: Sequence[Part], enough: float) -> float:
    """The mixed sum of what agreements exceeded before the steps, from the sums of the steps that are listed."""
    rows = space.rows
    start, moved = np.zeros(rows.width), np.zeros(rows.width)
    total, first, before = 0.0, 0, 0
    for _, some in groupby(parts, key=lambda part: part.number):
        shards, longest = list(some), 0
        mean, far = np.zeros(rows.width), np.zeros(rows.width)
        for part in shards:
            weights, reach, last = start.copy(), moved.copy(), first + len(part.steps.rounds)
            steps = (rows.indptr, rows.indices, rows.values, first, last)
            total += float(part.share) * exceeded(*steps, weights, reach, enough, before)
            mean += float(part.share) * weights
            far += float(part.share) * reach
            first, longest = last, max(longest, last - first)
        start, moved, before = mean, far, before + longest + len(shards) + 4
    return total


def mixed_certificate(
    learner: dict[str, Any], real: Any, parts: Sequence[Part], counts: Mixed, sweeps: int = SWEEPS
) -> Certificate:
    """The smallest bound on the mixed count."""
    rule = rule_of(learner)
    if rule is None or rule.kind == "aggressive":
        raise NotCertified(f"no theorem about mixtures of {learner['name']} is checked here")
    steps = Steps.joined([Steps.none(), *(part.steps for part in parts)])
    space = Space.of(steps, rule, float(real(rule.bias)))
    copies = np.concatenate([np.zeros(0), *(np.full(len(part.steps.rounds), float(part.share)) for part in parts)])
    space = replace(space, rows=replace(space.rows, copies=copies))
    squares, enough = space.rows.squares, 0.0 if rule.kind == "passive" else rule.margin / float(real(rule.rate))
    reach, lengths = float(squares.max(initial=0.0)) + 2 * enough, np.sqrt(squares)
    if rule.normalized:
        reach = 1 + 2 * enough / float(lengths.min(initial=np.inf))
    run = Run(space, rule, lengths, reach, None, None, excess_of(space, parts, enough) if rule.exact else 0.0)
    if rule.kind == "passive":
        choices, counted = passive_choices(run, sweeps), "mixed mistakes"
        count = counts.mixed_mistakes
    else:
        choices, counted = perceptron_choices(run, list(theorems.SHARPEST), sweeps), "mixed updates"
        count = counts.mixed_updates
    if not choices:
        raise NotCertified(f"no comparator has a margin on all {len(steps.rounds)} update rounds of the shards")
    best = min(choices, key=lambda choice: choice.bound)
    return Certificate(
        theorem=f"{best.theorem}, mixed over shards",
        promise=best.promise.replace("update round", "update round of every shard", 1),
        counts=counted,
        mistakes=counts.mistakes,
        updates=counts.updates,
        bound=_fine(run, best, sum((part.share * part.steps.apart for part in parts), Fraction(0))),
        witness=witness(space, best),
        scope="sequence",
        exact=rule.exact,
        count=count,
        learner=learner,
    )


def _fine(run: Run, best: Choice, apart: Fraction) -> Number:
    """The bound on a count that is no whole number, rounded up; mistakes on rows that teach nothing come on top."""
    if run.rule.kind == "passive":
        return best.bound + 1 + apart
    theorem = next(each for each in theorems.SHARPEST if each.name == best.theorem)
    facts = run.facts(best.u, best.margin)
    possible: Callable[..., bool] = theorem.possible
    return Fraction(largest(lambda m: possible(facts, Fraction(m, FINE))) + 1, FINE)
