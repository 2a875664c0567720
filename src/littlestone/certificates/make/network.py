"""Each: a network whose units learn apart, certified unit by unit; steps and bounds add up."""

from typing import Any

import numpy as np

from littlestone.base.bound import Certificate, Tally
from littlestone.base.errors import NotCertified, require
from littlestone.certificates import theorems
from littlestone.certificates.make.perceptron import linear_certificate
from littlestone.certificates.make.step_vectors import rule_of
from littlestone.certificates.make.steps import Steps

CLASSES = 52  # of which a mark, a float, can name any set


def each_certificate(
    learner: dict[str, Any], real: Any, steps: Steps, tally: Tally, classes: int, sweeps: int
) -> Certificate:
    """Every unit is a two-class run of its own, over the rounds since its class was first met."""
    unit = learner["learner"]
    rule = rule_of(unit) if isinstance(unit, dict) else None
    known = rule is not None and rule.kind == "perceptron" and rule.exact
    require(known, f"units that learn apart are certified if they are Perceptrons, got {unit}", NotCertified)
    require(classes <= CLASSES, f"at most {CLASSES} units that learn apart are certified, got {classes}", NotCertified)
    units, bound, count = list[dict[str, Any]](), 0, 0
    moved = steps.marks.astype(np.int64)
    for c in range(classes):
        which = np.flatnonzero(moved >> c & 1)
        own = steps.chosen(which)._replace(classes=(steps.classes[which] == c).astype(np.int64))
        part = linear_certificate(unit, real, own, Tally(updates=len(which)), None, sweeps)
        updated = own.rounds.tolist()
        units.append({"theorem": part.theorem, "bound": part.bound, "updated": updated, "witness": part.witness})
        bound, count = bound + int(part.bound), count + len(which)
    return Certificate(
        theorem=theorems.EACH,
        promise=theorems.EACH_PROMISE,
        counts="steps",
        mistakes=tally.mistakes,
        updates=tally.updates,
        bound=bound,
        witness={"units": units},
        scope="sequence",
        count=count,
    )
