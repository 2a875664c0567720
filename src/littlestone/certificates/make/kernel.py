"""Kernel: what the theorems of the Perceptron say about a run of the kernel perceptron.

The witness combines kernels at the rows that were kept, one whole number each: dual coordinate descent finds it from
their Gram matrix, and the theorems hold with |u|^2 = a'Ka and the largest K(x, x) in place of the largest |x|^2.
"""

from dataclasses import asdict
from fractions import Fraction
from math import fsum
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.theorem import StepFacts, StepRule
from littlestone.certificates.make.additive import enlarge
from littlestone.certificates.make.steps import StepChoice, Steps, StepVectors, TracedRun, round_dyadic

LARGEST = 3000  # updates of a kernel perceptron, whose Gram matrix must be held
SWEEPS = 60
FAR = 16.0  # squared lengths, in squared widths, beyond which distances of Gaussian kernels are sums of squares


def make(run: TracedRun) -> Certificate:
    """The smallest bound of the Perceptron's theorems in the space of the kernel."""
    learner: Any = run.learner
    updates = len(run.steps.rounds)
    kernel = learner.kernel
    ours = hasattr(kernel, "of_products")
    require(ours, "only Littlestone's own kernels, such as LinearKernel(), are certified", NotCertified)
    few = f"a kernel perceptron is certified up to {LARGEST} updates, got {updates}"
    require(updates <= LARGEST, few, NotCertified)
    gram = compute_gram(kernel, float(learner.bias), run.steps)
    reach = float(np.diag(gram).max(initial=0.0))
    tried = [descend(gram, np.inf, 0.0), descend(gram, 1 / reach if reach else 1.0, 0.0), descend(gram, np.inf, reach)]
    choices = list[StepChoice]()
    for alpha in tried:
        a = round_dyadic(alpha)
        agreements = gram @ a.floats
        loss = (2.0**-44 if kernel.exact else 2.0**-36) * (np.abs(gram) + (not kernel.exact)) @ a.floats
        for margin in (1.0, float((agreements - loss).min(initial=1.0)) * (1 - 2.0**-40)):
            short = np.maximum(0.0, margin - agreements + loss)
            norm = enlarge(float(a.floats @ (agreements + loss)))
            sums = enlarge(fsum(short)), enlarge(fsum(short**2))
            facts = StepFacts(norm, enlarge(reach), Fraction(margin), *sums, None, bound_excess(gram, kernel.exact))
            for theorem in run.list_theorems():
                clean = theorem.losses != "none" or not short.any()
                if margin > 0 and clean:
                    choices.append(StepChoice(theorem, theorem.value(facts), a, margin))
    best = run.choose(choices, "no combination of its rows has a margin")
    witness = {"margin": best.margin, "exponent": best.u.exponent, "numerators": best.u.numerators.tolist()}
    about = {"kernel": {"name": type(kernel).__name__} | asdict(kernel)}
    return run.certify(best.theorem, best.bound, witness, exact=kernel.exact, learner=about)


def bound_excess(gram: Array, exact: bool) -> Fraction:
    """What agreements may have exceeded 0 by when a row was kept, twice: rounding, in the main."""
    before = np.tril(gram, -1)
    scores = before.sum(axis=1)
    loss = 2.0**-44 * np.abs(before).sum(axis=1)
    if exact and np.array_equal(gram, np.rint(gram)) and np.abs(gram).sum() < 2.0**52:
        loss = 0.0 * loss
    return enlarge(2 * float(np.maximum(0.0, scores + loss).sum()))


def compute_gram(kernel: Any, bias: float, steps: Steps) -> Array:
    """y y' K(x, x') of all pairs of updates, in floats."""
    vectors = StepVectors.of(steps, StepRule(0.0), 0.0)
    sign = np.where(steps.classes > 0, 1.0, -1.0)
    dense = np.zeros((len(steps.rounds), vectors.rows.width))
    rows = np.repeat(np.arange(len(steps.rounds)), np.diff(vectors.rows.indptr))
    dense[rows, vectors.rows.indices] = vectors.rows.values * sign[rows]
    with np.errstate(over="ignore"):
        longest = enlarge(float((dense**2).sum(axis=1).max(initial=0.0)))
    if kernel.exact or longest <= FAR * float(kernel.width) ** 2:
        kernels = kernel.of_products(dense @ dense.T)
    else:  # differences of such products would have lost too many digits
        apart = np.array([((dense - x) ** 2).sum(axis=1) for x in dense]).reshape(len(dense), len(dense))
        kernels = np.exp(-apart / (2 * float(kernel.width) ** 2))
    return np.asarray((kernels + bias**2) * sign[:, None] * sign[None, :])


def descend(gram: Array, cap: float, damping: float) -> Array:
    """Dual variables, set to their best values one after another."""
    size = len(gram)
    alpha = np.zeros(size)
    agreements = np.zeros(size)
    curvatures = np.diag(gram) + damping
    for _ in range(SWEEPS):
        for i in range(size):
            if curvatures[i] > 0:
                new = alpha[i] + (1.0 - agreements[i] - damping * alpha[i]) / curvatures[i]
                new = min(max(new, 0.0), cap)
                if new != alpha[i]:
                    agreements += gram[i] * (new - alpha[i])
                    alpha[i] = new
    return alpha
