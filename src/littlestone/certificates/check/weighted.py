"""Certificates of a Perceptron whose rounds have weights of their own, checked in whole numbers.

A round of weight c adds c y x to w, in units of the rate. With the weights C = (sum of c) of the updates, any u and
g > 0, D the sum of c (g - u.z)+ and z = y x,

    C g - D <= u.w <= |u| |w|,       |w|^2 <= (sum of c^2 |x|^2) + excess,

so that (C g - D)^2 <= |u|^2 ((sum of c^2 |x|^2) + excess) where C g > D: Novikoff's theorem, in which what is counted
is the weight of the updates. `excess` is 2 c y w.x summed over updates in which it is positive, which only rounding can
cause. Everything is a whole multiple of a power of two; the bound is the least multiple of 2^-20 that the inequality
lets be. Which rounds were updates is known by playing the run again, bit for bit.
"""

from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.additive import VECTOR, read_claim
from littlestone.certificates.check.float_runs.additive import replay_unit
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.integer_rows import count_fraction_bits, cut_at_updates, open_stream, scale_up
from littlestone.certificates.check.report import Report, accept, require_words
from littlestone.certificates.check.round_weights import PlainStream, read_weights
from littlestone.certificates.check.same_run import require_same_run

COUNTS = "weight of updates"
THEOREM = "Perceptron, rounds of unequal weight (Novikoff 1962)"
PROMISE = "any comparator u and margin g > 0, its shortfalls (g - u.z)+ times weights summed over the update rounds"
FINE = 2**20  # the bound is a multiple of 1 / FINE
COVERED = ("Perceptron", "AveragedPerceptron")


class WeighedFacts(NamedTuple):
    """What a comparator shows on updates that have weights."""

    total: Fraction  # C
    norm: Fraction  # |u|^2
    margin: Fraction
    shortfall: Fraction  # D
    squares: Fraction  # the sum of c^2 |x|^2
    excess: Fraction

    @property
    def bound(self) -> Fraction:
        """The least multiple of 1 / FINE that is no less than any C that the theorem lets be."""
        inside = self.norm * (self.squares + self.excess) * FINE**2 / self.margin**2
        base = self.shortfall * FINE / self.margin
        low = int(base) + isqrt(inside.numerator // inside.denominator)  # a little too small at most
        while low < base or (low - base) ** 2 < inside:
            low += 1
        return Fraction(low, FINE)

    @property
    def unexplained(self) -> float:
        """The comparator's losses by those of the zero vector."""
        return float(self.shortfall / (self.margin * self.total)) if self.total else 0.0


def measure(certificate: Certificate, stream: Stream, features: Any) -> WeighedFacts:
    """Measure the witness of a certificate on the updates that it lists."""
    claim = read_claim(certificate.learner)
    witness = certificate.witness
    plain = PlainStream(stream)
    again, facts = open_stream(certificate, plain, features, claim.bias, 2)
    weights = read_weights(stream, certificate.rounds)
    power = witness["exponent"]
    whole = [*witness["attributes"], *witness["numerators"], power]
    sound = all(type(number) is int for number in whole) and abs(power) < 3000 and type(witness["margin"]) is float
    require(sound and witness["margin"] > 0, "malformed witness", NotCertified)
    u = {j + 1: k for j, k in zip(witness["attributes"], witness["numerators"], strict=True)}
    require(len(u) == len(witness["numerators"]), "the witness has an entry twice", NotCertified)
    used = weights[list(certificate.updated)] if certificate.updated else weights[:0]
    fine = count_fraction_bits(used)
    bits = facts.bits
    margin = Fraction(witness["margin"])
    unit = Fraction(2) ** power / (1 << bits)
    total = 0
    short = Fraction(0)
    squares = 0
    excess = 0
    w = dict[int, int]()
    for part in cut_at_updates(again.read(), certificate.updated):
        if part.update is None:
            continue
        columns, values = part.row(len(part.codes) - 1, bits)
        c = scale_up(float(used[part.update]), fine)
        y = 1 if part.codes[-1] else -1
        product = y * sum(u.get(j, 0) * v for j, v in zip(columns, values, strict=True))
        agreement = y * sum(w.get(j, 0) * v for j, v in zip(columns, values, strict=True))
        total = total + c
        short = short + c * max(Fraction(0), margin - unit * product)
        squares = squares + c * c * sum(v * v for v in values)
        excess = excess + 2 * c * max(0, agreement)
        for j, v in zip(columns, values, strict=True):
            w[j] = w.get(j, 0) + y * c * v
    norm = Fraction(4) ** power * sum(k * k for k in u.values())
    scale = Fraction(1, 1 << 2 * (bits + fine))
    return WeighedFacts(Fraction(total, 1 << fine), norm, margin, short / (1 << fine), scale * squares, scale * excess)


def check_weighted(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of a Perceptron whose rounds have weights."""
    about = certificate.learner
    claim = read_claim(about)
    plain = about["name"] in COVERED and claim.rule.exact and claim.margin == 0
    require(plain, f"no theorem here covers {about['name']} with such parameters and weights", NotCertified)
    require_words(certificate.witness, (*VECTOR, "unexplained", "squares"))
    held = certificate.version is not None and certificate.rows is not None
    require(held, "it does not say how its rows were held: it cannot be played again", NotCertified)
    facts = measure(certificate, stream, features)
    weights, rows = (
        read_weights(stream, certificate.rounds), ArrangedRows.of(certificate, PlainStream(stream), features, 2)
    )  # fmt: skip
    with np.errstate(all="ignore"):
        run = replay_unit(about, rows, weights=weights)
    if run is None:
        raise NotCertified("rows held so cannot be played again")
    require_same_run(certificate, run)
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope, certificate.exact)
    expected = (THEOREM, PROMISE, COUNTS, "sequence", True)
    require(words == expected and certificate.marks == (), f"its words are {expected}", NotCertified)
    same = type(certificate.updates) is int and certificate.updates == len(run.updated)
    require(same, f"the run makes {len(run.updated)} updates, not {certificate.updates}", NotCertified)
    numbers = {"count": facts.total, "bound": facts.bound}
    for name, here in numbers.items():
        there = getattr(certificate, name)
        require(type(there) in (int, Fraction) and there == here, f"{name} is {here}, not {there!r}", NotCertified)
    stated = certificate.witness["squares"]
    share = certificate.witness["unexplained"]
    require(str(stated) == str(facts.squares), f"the squares are {facts.squares}, not {stated!r}", NotCertified)
    near = type(share) is float and abs(share - facts.unexplained) <= 1e-6
    require(near, f"the comparator leaves {facts.unexplained:.6g} unexplained, not {share!r}", NotCertified)
    return replace(accept(certificate), replayed=True)
