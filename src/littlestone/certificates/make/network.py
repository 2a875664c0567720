"""Network: units that learn their own class against all others, certified unit by unit; steps and bounds add up."""

from typing import Any

import numpy as np

from littlestone.base.bound import Certificate, Tally
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.make import additive
from littlestone.certificates.make.steps import TracedRun
from littlestone.learners.shared.linear import PERCEPTRON

CLASSES = 52  # of which a mark, a float, can name any set


def make(run: TracedRun) -> Certificate:
    """Every unit is a two-class run of its own, over the rounds since its class was first met."""
    learner: Any = run.learner
    steps = run.steps
    classes = run.classes
    unit = learner.learner
    known = unit.theorems() is PERCEPTRON and unit.step_rule().exact
    require(known, f"units that learn separately are certified if they are Perceptrons, got {unit}", NotCertified)
    refusal = f"at most {CLASSES} units that learn separately are certified, got {classes}"
    require(classes <= CLASSES, refusal, NotCertified)
    units = list[dict[str, Any]]()
    bound = 0
    count = 0
    moved = steps.marks.astype(np.int64)
    for c in range(classes):
        which = np.flatnonzero(moved >> c & 1)
        own = steps.select(which)._replace(classes=(steps.classes[which] == c).astype(np.int64))
        tally = Tally(updates=len(which))
        part = additive.make(run._replace(learner=learner.learner, steps=own, tally=tally, wanted=None))
        updated = own.rounds.tolist()
        units.append({"theorem": part.theorem, "bound": part.bound, "updated": updated, "witness": part.witness})
        bound = bound + int(part.bound)
        count = count + len(which)
    (theorem,) = learner.theorems()
    return run.certify(theorem, bound, {"units": units}, count=count)
