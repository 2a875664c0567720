"""Curved: what the theorems of the ellipsoid learner and of the kernel perceptron say about a run.

The ellipsoid's witness is that of Novikoff, a vector and its margin. The kernel perceptron's combines kernels at the
rows that it kept, one whole number each: dual coordinate descent finds it from their Gram matrix, and the theorems of
the Perceptron hold with |u|^2 = a'Ka and the largest K(x, x) in place of the largest |x|^2.
"""

from fractions import Fraction
from math import floor, fsum
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate, Tally
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates import theorems
from littlestone.certificates.make.margins import Dyadic, dyadic, hard_margin
from littlestone.certificates.make.perceptron import Run, up
from littlestone.certificates.make.step_vectors import Rule, Space
from littlestone.certificates.make.steps import Steps
from littlestone.certificates.theorems import Facts
from littlestone.learners.ellipsoid import Ellipsoid

LARGEST = 3000  # updates of a kernel perceptron, whose Gram matrix must be held
SWEEPS = 60


def ellipsoid_certificate(learner: dict[str, Any], steps: Steps, tally: Tally, sweeps: int) -> Certificate:
    """The bound that the separator of the updates gives; none is given where no vector separates them."""
    rule = Rule("passive", 1.0, 0.0, learner["bias"])
    space = Space.of(steps, rule, float(learner["bias"]))
    separator = hard_margin(space.rows, sweeps)
    u = dyadic(separator.vector)
    squares = space.rows.squares
    facts = Run(space, rule, np.sqrt(squares), float(squares.max(initial=0.0)), None, None, 0.0).facts(u, None)
    if len(steps.rounds) and facts.margin <= 0:
        raise NotCertified(
            f"no vector was found that separates the {len(steps.rounds)} updates: the ellipsoid needs one"
        )
    bound = 0
    if len(steps.rounds):
        ratio = float(facts.norm * facts.reach) ** 0.5 * (1 + 2.0**-40)
        attributes = int(learner["attributes"])
        promised = Ellipsoid(bias=float(learner["bias"])).bound(attributes, facts.margin, Fraction(ratio))
        bound = floor(promised.value)
    witness = _entries(space.attributes, u) | {"margin": float(facts.margin)}
    name, promise = theorems.ELLIPSOID, theorems.ELLIPSOID_PROMISE
    counts = (tally.mistakes, tally.updates)
    return Certificate(name, promise, "updates", *counts, bound, witness, scope="sequence", exact=False)


def _entries(attributes: Array, u: Dyadic) -> dict[str, Any]:
    (used,) = np.nonzero(u.numerators)
    numerators = u.numerators[used].tolist()
    return {"exponent": u.exponent, "attributes": attributes[used].tolist(), "numerators": numerators}


def kernel_certificate(learner: dict[str, Any], steps: Steps, tally: Tally, theorem: str | None) -> Certificate:
    """The smallest bound of the Perceptron's theorems in the space of the kernel."""
    require(learner["budget"] is None, "a kernel perceptron that forgets has no theorem here", NotCertified)
    require(
        isinstance(learner["kernel"], dict),
        "only Littlestone's own kernels, such as LinearKernel(), are certified",
        NotCertified,
    )
    few = len(steps.rounds) <= LARGEST
    require(few, f"a kernel perceptron is certified up to {LARGEST} updates, got {len(steps.rounds)}", NotCertified)
    gram = gram_matrix(learner["kernel"], float(learner["bias"]), steps)
    exact = learner["kernel"]["name"] != "GaussianKernel"
    reach = float(np.diag(gram).max(initial=0.0))
    covering = theorems.PERCEPTRON if theorem else theorems.SHARPEST
    named = [t for t in covering if t is not theorems.RUN and (theorem is None or theorem.lower() in t.name.lower())]
    tried = [descended(gram, np.inf, 0.0), descended(gram, 1 / reach if reach else 1.0, 0.0)]
    tried.append(descended(gram, np.inf, reach))
    best: tuple[int, theorems.Theorem, Dyadic, float] | None = None
    for alpha in tried:
        a = dyadic(alpha)
        agreements = gram @ a.floats
        loss = (2.0**-44 if exact else 2.0**-36) * (np.abs(gram) + (not exact)) @ a.floats
        for margin in (1.0, float((agreements - loss).min(initial=1.0)) * (1 - 2.0**-40)):
            short = np.maximum(0.0, margin - agreements + loss)
            norm = up(float(a.floats @ (agreements + loss)))
            sums = up(fsum(short)), up(fsum(short**2))
            facts = Facts(norm, up(reach), Fraction(margin), *sums, None, excess(gram, exact))
            for t in named:
                clean = t is not theorems.NOVIKOFF or not short.any()
                if margin > 0 and clean and (best is None or t.value(facts) < best[0]):
                    best = t.value(facts), t, a, margin
    if best is None:
        asked = f"no theorem like {theorem!r} applies" if theorem else "no theorem applies"
        raise NotCertified(f"{asked} to KernelPerceptron here: no combination of its rows has a margin")
    bound, chosen, a, margin = best
    witness = {"margin": margin, "exponent": a.exponent, "numerators": a.numerators.tolist()}
    counts = (tally.mistakes, tally.updates)
    words = (chosen.name, chosen.promise, "updates")
    return Certificate(*words, *counts, bound, witness, scope="sequence", exact=exact)


def excess(gram: Array, exact: bool) -> Fraction:
    """What agreements may have exceeded 0 by when a row was kept, twice: rounding, in the main."""
    before = np.tril(gram, -1)
    scores, loss = before.sum(axis=1), 2.0**-44 * np.abs(before).sum(axis=1)
    if exact and np.array_equal(gram, np.rint(gram)) and np.abs(gram).sum() < 2.0**52:
        loss = 0.0 * loss
    return up(2 * float(np.maximum(0.0, scores + loss).sum()))


def gram_matrix(kernel: dict[str, Any], bias: float, steps: Steps) -> Array:
    """y y' K(x, x') of all pairs of updates, in floats."""
    space = Space.of(steps, Rule("perceptron", 1.0, 0.0, 0.0), 0.0)
    sign = np.where(steps.classes > 0, 1.0, -1.0)
    dense = np.zeros((len(steps.rounds), space.rows.width))
    rows = np.repeat(np.arange(len(steps.rounds)), np.diff(space.rows.indptr))
    dense[rows, space.rows.indices] = space.rows.values * sign[rows]
    products = dense @ dense.T
    if kernel["name"] == "PolynomialKernel":
        products = (kernel["constant"] + products) ** kernel["degree"]
    if kernel["name"] == "GaussianKernel":
        squares = np.diag(products)
        distances = np.maximum(0.0, squares[:, None] + squares[None, :] - 2 * products)
        products = np.exp(-distances / (2 * kernel["width"] ** 2))
    return np.asarray((products + bias**2) * sign[:, None] * sign[None, :])


def descended(gram: Array, cap: float, damping: float) -> Array:
    """Dual variables, set to their best values one after another."""
    size = len(gram)
    alpha, agreements = np.zeros(size), np.zeros(size)
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
