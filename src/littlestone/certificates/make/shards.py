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

from littlestone.base.bound import Certificate, largest
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified
from littlestone.base.printed_numbers import Number
from littlestone.certificates.make.additive import EPS, StepRun, describe_witness, find_choices
from littlestone.certificates.make.margins import SWEEPS, multiply_row, step
from littlestone.certificates.make.steps import StepChoice, Steps, StepVectors
from littlestone.compiled import U, kernel

FINE = 1024  # a mixed count is no whole number: its bound is rounded up to a multiple of 1/1024


class MixedCounts(NamedTuple):
    """What a run counted: mistakes and updates of all shards, and both with each shard's share."""

    mistakes: int
    updates: int
    mixed_mistakes: Fraction
    mixed_updates: Fraction

    def plus(self, more: "MixedCounts") -> "MixedCounts":
        counts = (self.mistakes + more.mistakes, self.updates + more.updates)
        return MixedCounts(*counts, self.mixed_mistakes + more.mixed_mistakes, self.mixed_updates + more.mixed_updates)


class ShardSteps(NamedTuple):
    """The steps of one shard in one pass, by the class numbers of the whole run, and the shard's share."""

    number: int  # of the pass
    steps: Steps
    share: Fraction


@kernel
def sum_excess(
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
        a = U(indptr[t])
        b = U(indptr[t + 1])
        size = 0.0
        for k in range(a, b):
            size += moved[indices[k]] * abs(values[k])
        score = multiply_row(weights, indices, values, a, b)
        score += EPS * (before + t - first + indptr[t + 1] - indptr[t] + 4) * size
        total += 2.0 * max(0.0, score - enough)
        step(weights, 1.0, indices, values, a, b)
        for k in range(a, b):
            moved[indices[k]] += abs(values[k])
    return total


def measure_excess(vectors: StepVectors, parts: Sequence[ShardSteps], enough: float) -> float:
    """The mixed sum of what agreements exceeded before the steps, from the sums of the steps that are listed."""
    rows = vectors.rows
    start = np.zeros(rows.width)
    moved = np.zeros(rows.width)
    total = 0.0
    first = 0
    before = 0
    for _, some in groupby(parts, key=lambda part: part.number):
        shards = list(some)
        longest = 0
        mean = np.zeros(rows.width)
        far = np.zeros(rows.width)
        for part in shards:
            weights = start.copy()
            reach = moved.copy()
            last = first + len(part.steps.rounds)
            steps = (rows.indptr, rows.indices, rows.values, first, last)
            total += float(part.share) * sum_excess(*steps, weights, reach, enough, before)
            mean += float(part.share) * weights
            far += float(part.share) * reach
            first, longest = last, max(longest, last - first)
        start = mean
        moved = far
        before = before + longest + len(shards) + 4
    return total


def make_mixed(learner: Any, real: Any, parts: Sequence[ShardSteps], counts: MixedCounts) -> Certificate:
    """The smallest bound on the mixed count."""
    theorems = learner.theorems()
    rule = learner.step_rule() if theorems and theorems[0].kind == "steps" else None
    if rule is None or rule.copies or (rule.network and theorems[0].counts == "mistakes"):
        raise NotCertified(f"no theorem about mixtures of {type(learner).__name__} is checked here")
    steps = Steps.join([Steps.empty(), *(part.steps for part in parts)])
    run = StepRun.of(steps, rule, real)
    copies = np.concatenate([np.zeros(0), *(np.full(len(part.steps.rounds), float(part.share)) for part in parts)])
    vectors = replace(run.vectors, rows=replace(run.vectors.rows, copies=copies))
    excess = measure_excess(vectors, parts, run.enough) if rule.exact else 0.0
    run = run._replace(vectors=vectors, excess=excess)
    choices = find_choices(run, [theorem for theorem in theorems if theorem.sharp], SWEEPS)
    if not choices:
        raise NotCertified(f"no comparator has a margin on all {len(steps.rounds)} update rounds of the shards")
    best = min(choices, key=lambda choice: choice.bound)
    idle = sum((part.share * part.steps.idle_mistakes for part in parts), Fraction(0))
    mistakes = best.theorem.counts == "mistakes"
    return Certificate(
        theorem=f"{best.theorem.name}, mixed over shards",
        promise=best.theorem.promise.replace("update round", "update round of every shard", 1),
        counts=f"mixed {best.theorem.counts}",
        mistakes=counts.mistakes,
        updates=counts.updates,
        bound=best.bound + 1 + idle if mistakes else _round_up(run, best),
        witness=describe_witness(vectors, best),
        scope="sequence",
        exact=rule.exact,
        count=counts.mixed_mistakes if mistakes else counts.mixed_updates,
    )


def _round_up(run: StepRun, best: StepChoice) -> Number:
    """The bound on a count that is no whole number, as a multiple of 1/1024 above it."""
    facts = run.measure(best.u, best.margin)
    possible: Callable[..., bool] = best.theorem.possible
    return Fraction(largest(lambda m: possible(facts, Fraction(m, FINE))) + 1, FINE)
