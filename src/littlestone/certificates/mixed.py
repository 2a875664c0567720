"""Mixed: what the theorems of additive learners say about a run over shards whose states were mixed.

The theorems are those of the Perceptron and of PassiveAggressive with mixed counts: an update of a shard with share m
counts m, and so does its shortfall (`mixing.py`; McDonald, Hall and
Mann 2010). The witness is sought among all comparators in hindsight, over the
update rounds of all shards and passes. Mixtures are rounded, and that rounding is not counted: `exact` is False.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone import theorems
from littlestone.bound import Certificate, Number, largest
from littlestone.certificates.additive import Choice, Run, passive_choices, perceptron_choices, witness
from littlestone.certificates.space import Space, rule_of
from littlestone.certificates.steps import Steps
from littlestone.certificates.witness import SWEEPS
from littlestone.errors import NotCertified

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


def mixed_certificate(
    learner: dict[str, Any],
    real: Any,
    parts: Sequence[tuple[Steps, Fraction]],
    counts: Mixed,
    sweeps: int = SWEEPS,
) -> Certificate:
    """The smallest bound on the mixed count; `parts` are the steps of each shard in each pass, with its share."""
    rule = rule_of(learner)
    if rule is None or rule.kind == "aggressive":
        raise NotCertified(f"no theorem about mixtures of {learner['name']} is checked here")
    steps = Steps.joined([Steps.none(), *(part for part, _ in parts)])
    space = Space.of(steps, rule, float(real(rule.bias)))
    copies = np.concatenate([np.zeros(0), *(np.full(len(part.rounds), float(share)) for part, share in parts)])
    space = replace(space, rows=replace(space.rows, copies=copies))
    squares = space.rows.squares
    reach = float(squares.max(initial=0.0)) + (0.0 if rule.kind == "passive" else 2 * rule.margin / rule.rate)
    lengths = np.sqrt(squares)
    if rule.normalized:
        reach = 1 + 2 * rule.margin / rule.rate / float(lengths.min(initial=np.inf))
    run = Run(space, rule, lengths, reach, None, None, 0.0)
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
        bound=_fine(run, best, sum((share * part.apart for part, share in parts), Fraction(0))),
        witness=witness(space, best),
        scope="sequence",
        exact=False,
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
