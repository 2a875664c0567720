"""Theorems of the Perceptron family, shared by the Perceptron, its averaged and aggressive forms, kernels and networks.

With r^2 = |u|^2 (reach + excess) / g^2 and L = (sum of shortfalls) / g the first lines of `base/theorem.py` give each.

>>> from fractions import Fraction
>>> facts = StepFacts(norm=Fraction(17), reach=Fraction(3), margin=Fraction(1), length=Fraction(29))
>>> NOVIKOFF.value(facts), RUN.value(facts)
(51, 22)
"""

from littlestone.base.theorem import StepFacts, Theorem


def _hinge(f: StepFacts, m: int) -> bool:
    """u.w + m g - D <= |u| sqrt(|w|^2 + m reach + excess)"""
    rest = f.ahead + m * f.margin - f.shortfall
    return rest <= 0 or rest**2 <= f.norm * (f.begun + f.reach * m + f.excess)


def _run(f: StepFacts, m: int) -> bool:
    """m g - D <= |u| |w|"""
    rest = m * f.margin - f.shortfall
    return rest <= 0 or (f.length is not None and rest**2 <= f.norm * f.length)


def _readable(f: StepFacts, m: int) -> bool:
    """m <= L + r sqrt(L) + r^2"""
    scale = f.norm * (f.reach + f.excess)
    rest = m * f.margin**2 - f.shortfall * f.margin - scale
    return rest <= 0 or rest**2 <= scale * f.shortfall * f.margin


def _deviation(f: StepFacts, m: int) -> bool:
    """m <= r^2 + 2 L"""
    return m * f.margin**2 <= f.norm * (f.reach + f.excess) + 2 * f.shortfall * f.margin


def _squared(f: StepFacts, m: int) -> bool:
    """m <= (r + D / g)^2, D^2 the sum of the squares of the shortfalls"""
    scale = f.norm * (f.reach + f.excess)
    rest = m * f.margin**2 - scale - f.squares
    return rest <= 0 or rest**2 <= 4 * scale * f.squares


ANY = "any comparator u and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds"
NOVIKOFF = Theorem(
    "Perceptron (Novikoff 1962)",
    "some u has u.z >= g > 0 on every update round",
    _hinge,
    formula="R^2 |u|^2 / g^2",
)
HINGE = Theorem(
    "Perceptron, hinge loss",
    ANY,
    _hinge,
    formula="L + r^2/2 + r sqrt(r^2/4 + L), L the hinge loss",
    losses="hinge",
)
SQUARED = Theorem(
    "Perceptron, squared deviation (Freund and Schapire 1999)",
    ANY.replace("summed", "squared and summed"),
    _squared,
    losses="squared",
)
RUN = Theorem(
    "Perceptron, run-dependent",
    f"{ANY}, and the length of the final weights",
    _run,
    losses="hinge",
    sharp=False,
    knows_run=True,
)
READABLE = Theorem("Perceptron, hinge loss, readable form", ANY, _readable, losses="hinge", sharp=False)
DEVIATION = Theorem("Perceptron, total deviation", ANY, _deviation, losses="hinge", sharp=False)
PERCEPTRON = (NOVIKOFF, HINGE, SQUARED, RUN, READABLE, DEVIATION)
