"""Curved: certificates of the ellipsoid learner and of the kernel perceptron, checked.

The ellipsoid is computed again from the list of its updates, in floats of its own, and a decision may differ from the
run's only where |w.x| is below `TOLERANCE` times sqrt(x'Ax): an estimate of both roundings, not a proof, so such a
certificate is not exact; its witness and its logarithms are. Linear and polynomial kernels of rows of floats are
fractions, and what floats leave open is decided by them. Gaussian kernels are compared up to their rounding.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import isfinite, isqrt
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.labels import Labels
from littlestone.certificates import theorems
from littlestone.certificates.check.balanced_winnow import ln
from littlestone.certificates.check.integer_rows import Page, Seen, fresh, opened, pages
from littlestone.certificates.check.perceptron import Measured, impossible

TOLERANCE = 2.0**-24
Row = dict[int, Fraction]


class Round(NamedTuple):
    """One round: its number, label, columns with values, and whether it is listed."""

    number: int
    y: int
    columns: Array
    values: Array
    listed: bool


class Tally:
    """Counts that rounding leaves open between two ends, and the decisions that differ."""

    def __init__(self, surprise: bool) -> None:
        self.surprise, self.fewest, self.most, self.differing = surprise, 0, 0, list[int]()

    def judge(self, at: Round, score: Any, slack: Any, nothing: bool = False) -> None:
        """Refuse a decision that rounding cannot explain; count a mistake."""
        teaches = at.y * score <= 0 and not nothing
        if teaches != at.listed:
            must = "is listed and must not teach" if at.listed else "must teach and is not listed"
            near = abs(score) <= slack and slack > 0 and not nothing
            require(near, f"round {at.number} {must}: its score is {float(score):.6g}", NotCertified)
            self.differing.append(at.number)
        surprised, unsure = at.number == 0 and self.surprise, slack > 0 and abs(score) <= slack
        wrong = surprised or (at.y > 0) != (score > 0)
        self.fewest += wrong and (surprised or not unsure)
        self.most += wrong or unsure


def _rounds(again: Iterator[Page], updated: tuple[int, ...]) -> Iterator[Round]:
    listed = set(updated)
    for page in again:
        for t, code in enumerate(page.codes.tolist()):
            part, number = slice(page.indptr[t], page.indptr[t + 1]), page.first + t
            yield Round(number, 1 if code else -1, page.columns[part], page.values[part], number in listed)


def _told(certificate: Certificate, tally: Tally, exact: bool) -> tuple[Any, ...]:
    """The counts must be those of the replay, and the words those of a theorem that counts updates."""
    listed, mistakes, bound = len(certificate.updated), certificate.mistakes, certificate.bound
    require(certificate.updates == listed, f"{listed} updates are listed, not {certificate.updates}", NotCertified)
    right = type(mistakes) is int and tally.fewest <= mistakes <= tally.most
    require(right, f"the run makes {tally.fewest} to {tally.most} mistakes, not {mistakes}", NotCertified)
    words = (certificate.counts, certificate.count, certificate.scope, certificate.exact, certificate.marks)
    require(words == ("updates", None, "sequence", exact, ()), "its words are not those of the theorem", NotCertified)
    require(type(bound) is int and listed <= bound, f"{listed} updates exceed {bound!r}", NotCertified)
    return certificate.theorem, "updates", listed, bound, certificate.rounds, exact, tuple(tally.differing)


def ellipsoid(certificate: Certificate, stream: Stream, features: Any) -> tuple[Any, ...]:
    """What a report says of an ellipsoid learner, or NotCertified."""
    learner = certificate.learner
    cuts, bias, attributes = learner["cuts"], learner["bias"], learner["attributes"]
    sound = cuts in ("central", "deep") and type(attributes) is int and 1 <= attributes <= 2**15
    sound = sound and type(bias) in (int, float) and isfinite(bias) and bias >= 0
    require(sound, f"no learner has parameters {learner}", NotCertified)
    seen = opened(certificate, stream, features, float(bias), 2)
    require(seen.width <= attributes + 1, "a row has more attributes than the ellipsoid", NotCertified)
    labels = Labels(learner.get("classes", []))
    again = pages(stream, fresh(features), labels, certificate.rounds, float(bias), 2)
    tally, rows = _cut(_rounds(again, certificate.updated), attributes + 1, bool(bias), cuts == "deep", seen.surprise)
    told = (theorems.ELLIPSOID, theorems.ELLIPSOID_PROMISE)
    require((certificate.theorem, certificate.promise) == told, f"the theorem is {told}", NotCertified)
    _volume(certificate, rows, attributes + bool(bias))
    return _told(certificate, tally, exact=False)


def _cut(rounds: Iterator[Round], width: int, biased: bool, deep: bool, surprise: bool) -> tuple[Tally, list[Any]]:
    """All rounds with the ellipsoids that the listed updates leave."""
    tally, rows, d = Tally(surprise), list[Any](), width - (not biased)
    w, A = np.zeros(width), np.eye(width)
    for at in rounds:
        x = np.zeros(width)
        x[at.columns] = at.values
        direction = A @ x
        spread, score = float(x @ direction), float(w @ x)
        nothing = spread <= 0
        tally.judge(at, score, TOLERANCE * spread**0.5 if w.any() and not nothing else 0.0, nothing)
        if at.listed:
            root = spread**0.5
            depth = -at.y * score / root if deep and d > 1 else 0.0
            depth = depth if depth < 1 else 0.0
            g = direction / root
            if d == 1:
                w, A = w + at.y * g / 2, A / 4
            else:
                w = w + at.y * (1 + d * depth) / (d + 1) * g
                shrink = 2 * (1 + d * depth) / ((d + 1) * (1 + depth))
                A = d * d / (d * d - 1) * (1 - depth**2) * (A - shrink * np.outer(g, g))
            rows.append((at.columns.tolist(), at.values.tolist(), at.y))
    return tally, rows


def _volume(certificate: Certificate, rows: list[Any], d: int) -> None:
    """updates <= d ln(1 + R |u| / g) / -ln q must leave no room for one more than the bound."""
    witness, power, bound = certificate.witness, certificate.witness["exponent"], certificate.bound
    attributes, numerators, margin = witness["attributes"], witness["numerators"], witness["margin"]
    whole = all(type(number) is int for number in (*attributes, *numerators, power)) and abs(power) < 3000
    require(whole and type(margin) is float and type(bound) is int, "malformed witness", NotCertified)
    require(len(set(attributes)) == len(attributes), "the witness has an entry twice", NotCertified)
    if not rows:
        return
    u = {j + 1: Fraction(k) * Fraction(2) ** power for j, k in zip(attributes, numerators, strict=True)}
    squares = [sum((Fraction(v) ** 2 for v in values), Fraction(0)) for _, values, _ in rows]
    for columns, values, y in rows:
        agreement = y * sum((u.get(j, 0) * Fraction(v) for j, v in zip(columns, values, strict=True)), Fraction(0))
        enough = agreement >= Fraction(margin) > 0
        require(enough, "the witness lacks its margin on an update round", NotCertified)
    ratio = max(squares) * sum(k * k for k in u.values()) / Fraction(margin) ** 2
    root = Fraction(isqrt(4**64 * ratio.numerator // ratio.denominator) + 1, 2**64)
    loss = -ln(Fraction(1, 2))[1]
    if d > 1:
        loss = -ln(Fraction(d, d + 1))[1] - Fraction(d - 1, 2) * ln(Fraction(d * d, d * d - 1))[1]
    require((bound + 1) * loss > d * ln(1 + root)[1], f"the witness does not give {bound}", NotCertified)


class Kernel(NamedTuple):
    """A kernel by its numbers: of fractions exactly, of floats with a size that bounds what rounding can do."""

    name: str
    degree: int
    constant: float
    width: float
    extra: float

    def exactly(self, product: Fraction) -> Fraction:
        return (Fraction(self.constant) + product) ** self.degree + Fraction(self.extra)

    def summands(self) -> tuple[tuple[float, int], ...]:
        """What is added to products of rows, and to which power these have been raised then."""
        return (self.constant, 1), (self.extra, self.degree)

    def floats(self, products: Array, square: float, squares: Array) -> Array:
        if self.name == "GaussianKernel":
            distances = np.maximum(0.0, square + squares - 2 * products)
            return np.asarray(np.exp(-distances / (2 * self.width**2)) + self.extra)
        return np.asarray((self.constant + products) ** self.degree + self.extra)


def kernel_perceptron(certificate: Certificate, stream: Stream, features: Any) -> tuple[Any, ...]:
    """What a report says of a kernel perceptron, or NotCertified."""
    learner, kernel = certificate.learner, _kernel(certificate.learner)
    exact = kernel.name != "GaussianKernel"
    seen = opened(certificate, stream, features, 0.0, 2)
    labels = Labels(learner.get("classes", []))
    again = pages(stream, fresh(features), labels, certificate.rounds, 0.0, 2)
    tally, gram, excess = _kept(_rounds(again, certificate.updated), kernel, seen)
    promises = {theorem.name: theorem.promise for theorem in theorems.PERCEPTRON if theorem is not theorems.RUN}
    require(certificate.theorem in promises, f"no theorem is called {certificate.theorem!r}", NotCertified)
    require(certificate.promise == promises[certificate.theorem], "that is no promise of it", NotCertified)
    told = _told(certificate, tally, exact)
    _combined(certificate, gram, excess)
    return told


def _kernel(learner: dict[str, Any]) -> Kernel:
    known, bias = learner["kernel"], learner["bias"]
    require(learner["budget"] is None and type(known) is dict, "no theorem covers that kernel perceptron", NotCertified)
    name = known["name"]
    numbers = {"degree": 1, "constant": 0.0, "width": 1.0} | {k: v for k, v in known.items() if k != "name"}
    degree, constant, width = numbers["degree"], numbers["constant"], numbers["width"]
    sound = name in ("LinearKernel", "PolynomialKernel", "GaussianKernel") and len(numbers) == 3
    sound = sound and type(degree) is int and 1 <= degree <= 64
    sound = sound and all(type(k) in (int, float) and isfinite(k) and k >= 0 for k in (constant, width, bias))
    require(sound and width > 0, f"no learner has parameters {learner}", NotCertified)
    return Kernel(name, degree, float(constant), float(width), float(bias) ** 2)


def _kept(rounds: Iterator[Round], kernel: Kernel, seen: Seen) -> tuple[Tally, list[list[Fraction]], Fraction]:
    """All rounds with the rows that the listed updates keep, and the Gram matrix y y' K of these."""
    tally, gram, excess = Tally(seen.surprise), list[list[Fraction]](), Fraction(0)
    kept, signs, rows = np.zeros((0, seen.width)), np.zeros(0), list[tuple[Row, int]]()
    exact, unit = kernel.name != "GaussianKernel", 4**seen.bits  # products of rows are whole multiples of 1 / unit
    whole = all(Fraction(number) * unit**power % 1 == 0 for number, power in kernel.summands())
    limit = 2**52 / unit**kernel.degree if whole else 0.0  # up to which floats make no error
    for at in rounds:
        x = np.zeros(seen.width)
        x[at.columns] = at.values
        values = kernel.floats(kept @ x, float(x @ x), (kept * kept).sum(axis=1))
        score, terms = float(signs @ values), len(at.columns) + len(rows) + 4 * kernel.degree + 16
        sizes = (kernel.constant + np.abs(kept) @ np.abs(x)) ** kernel.degree + kernel.extra if exact else values
        slack = terms * 2.0**-50 * float(sizes.sum()) * (1.0 if exact else 1 + float(x @ x) / kernel.width**2)
        row = {j: Fraction(v) for j, v in zip(at.columns.tolist(), at.values.tolist(), strict=True) if v}
        if exact and (at.listed or abs(score) <= 2 * slack):
            own = [y * kernel.exactly(_product(row, other)) for other, y in rows]
            exactly = sum(own, Fraction(0))
            tally.judge(at, exactly, Fraction(0) if float(sizes.sum()) <= limit else Fraction(slack))
            excess += max(Fraction(0), 2 * at.y * exactly) if at.listed else 0
        else:
            own = [Fraction(y * float(v)) for v, (_, y) in zip(values, rows, strict=True)] if at.listed else []
            tally.judge(at, score, slack)
            excess += max(Fraction(0), Fraction(2 * (at.y * score + slack))) if at.listed and len(rows) else 0
        if at.listed:
            square = kernel.exactly(_product(row, row)) if exact else Fraction(1) + Fraction(kernel.extra)
            gram.append([*(at.y * k for k in own), square])
            kept, signs, rows = np.vstack((kept, x)), np.append(signs, at.y), [*rows, (row, at.y)]
    return tally, gram, excess


def _product(one: Row, other: Row) -> Fraction:
    return sum((v * other[j] for j, v in one.items() if j in other), Fraction(0))


def _combined(certificate: Certificate, gram: list[list[Fraction]], excess: Fraction) -> None:
    """The theorem must give the bound with u the sum of numerators times y K(x, .)."""
    witness, power = certificate.witness, certificate.witness["exponent"]
    numerators, margin = witness["numerators"], witness["margin"]
    whole = all(type(number) is int for number in (*numerators, power)) and abs(power) < 3000
    require(whole and type(margin) is float and len(numerators) == len(gram), "malformed witness", NotCertified)
    scale, size = Fraction(2) ** power, len(gram)
    full = [[gram[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    used = [j for j, k in enumerate(numerators) if k]
    loss = Fraction(0) if certificate.exact else Fraction(1, 2**40)  # of each kernel, where it is rounded
    agreements = [scale * sum((numerators[j] * row[j] for j in used), Fraction(0)) for row in full]
    worst = scale * loss * sum(abs(numerators[j]) for j in used)
    short = [max(Fraction(0), Fraction(margin) - agreement + worst) for agreement in agreements]
    norm = scale * sum((numerators[j] * agreements[j] + abs(numerators[j]) * worst for j in used), Fraction(0))
    reach = max((full[j][j] for j in range(size)), default=Fraction(0))
    squares = sum((s * s for s in short), Fraction(0))
    facts = Measured(norm, reach, excess, Fraction(margin), sum(short, Fraction(0)), squares, Fraction(0))
    require(facts.margin > 0, "the margin must be positive", NotCertified)
    told = f"the witness does not give {certificate.bound}"
    require(impossible(certificate.theorem, facts, int(certificate.bound) + 1), told, NotCertified)
