"""Certificates of the ellipsoid learner and of the kernel perceptron, checked.

The ellipsoid is computed again from the list of its updates, in floats of its own, and a decision may differ from the
run's only where |w.x| is below `TOLERANCE` times sqrt(x'Ax): an estimate of both roundings, not a proof, so such a
certificate is not exact; its witness and its logarithms are. Linear and polynomial kernels of rows of floats are
fractions, and what floats leave open is decided by them. Gaussian kernels are compared up to their rounding.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.exact_numbers import round_root_up
from littlestone.certificates.check.additive import VECTOR, find_theorem
from littlestone.certificates.check.balanced_winnow import enclose_ln
from littlestone.certificates.check.integer_rows import ColumnChunk, StreamFacts, open_stream
from littlestone.certificates.check.known_rules import LENGTH_UNKNOWN
from littlestone.certificates.check.report import ReplayCounts, Report, require_words
from littlestone.certificates.check.rules import CLEAN, LOOSE, WitnessFacts

TOLERANCE = 2.0**-24
ELLIPSOID = "Ellipsoid (Khachiyan 1979)"
KERNELS = {"LinearKernel": set[str](), "PolynomialKernel": {"degree", "constant"}, "GaussianKernel": {"width"}}
FractionRow = dict[int, Fraction]


class ScoredRound(NamedTuple):
    """One round: its number, label, columns with values, and whether it is listed."""

    number: int
    y: int
    columns: Array
    values: Array
    listed: bool


class ScoredReplay(ReplayCounts):
    """Counts of a run that was scored again, with a slack for the rounding of both."""

    def judge(self, at: ScoredRound, score: Any, slack: Any, surprise: bool, empty: bool = False) -> None:
        """Decide a round by its score; an `empty` row never teaches."""
        near = slack > 0 and abs(score) <= slack
        self.decide(at.number, at.y * score <= 0 and not empty, at.listed, near and not empty, "score", score)
        surprised = at.number == 0 and surprise
        self.count(surprised or (at.y > 0) != (score > 0), surprised or not near)


def _list_rounds(chunks: Iterator[ColumnChunk], updated: tuple[int, ...]) -> Iterator[ScoredRound]:
    listed = set(updated)
    for chunk in chunks:
        for t, code in enumerate(chunk.codes.tolist()):
            part = slice(chunk.indptr[t], chunk.indptr[t + 1])
            number = chunk.first + t
            yield ScoredRound(number, 1 if code else -1, chunk.columns[part], chunk.values[part], number in listed)


def check_ellipsoid(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of the ellipsoid learner."""
    learner = certificate.learner
    cuts = learner["cuts"]
    bias = learner["bias"]
    attributes = learner["attributes"]
    sound = cuts in ("central", "deep") and type(attributes) is int and 1 <= attributes <= 2**15
    sound = sound and type(bias) in (int, float) and isfinite(bias) and bias >= 0
    require(sound, f"no learner has parameters {learner}", NotCertified)
    again, facts = open_stream(certificate, stream, features, float(bias), 2)
    require(facts.width <= attributes + 1, "a row has more attributes than the ellipsoid", NotCertified)
    cut = EllipsoidReplay(attributes + 1, bool(bias), cuts == "deep")
    for at in _list_rounds(again.read(), certificate.updated):
        cut.play(at, facts.surprise)
    words = (ELLIPSOID, CLEAN)
    require((certificate.theorem, certificate.promise) == words, f"the theorem is {words}", NotCertified)
    _check_volume(certificate, cut.rows, attributes + bool(bias))
    return cut.counts.check_updates(certificate, exact=False)


class EllipsoidReplay:
    """The ellipsoid of center w and matrix A that the listed updates leave, and the rows of these."""

    def __init__(self, width: int, biased: bool, deep: bool) -> None:
        self.counts = ScoredReplay()
        self.rows = list[tuple[list[int], list[float], int]]()
        self.deep = deep
        self.w, self.A, self.d = np.zeros(width), np.eye(width), width - (not biased)

    def play(self, at: ScoredRound, surprise: bool) -> None:
        """Decide a round, and cut the ellipsoid if it is listed."""
        x = np.zeros(len(self.w))
        x[at.columns] = at.values
        direction = self.A @ x
        spread = float(x @ direction)
        score = float(self.w @ x)
        slack = TOLERANCE * spread**0.5 if self.w.any() and spread > 0 else 0.0
        self.counts.judge(at, score, slack, surprise, empty=spread <= 0)
        if at.listed:
            self._cut(direction / spread**0.5, at.y, -at.y * score / spread**0.5)
            self.rows.append((at.columns.tolist(), at.values.tolist(), at.y))

    def _cut(self, g: Array, y: int, depth: float) -> None:
        """The smallest ellipsoid around the part of this one on the right side of the cut."""
        d = self.d
        if d == 1:
            self.w, self.A = self.w + y * g / 2, self.A / 4
            return
        depth = depth if self.deep and depth < 1 else 0.0
        self.w = self.w + y * (1 + d * depth) / (d + 1) * g
        shrink = 2 * (1 + d * depth) / ((d + 1) * (1 + depth))
        self.A = d * d / (d * d - 1) * (1 - depth**2) * (self.A - shrink * np.outer(g, g))


def _check_volume(certificate: Certificate, rows: list[tuple[list[int], list[float], int]], d: int) -> None:
    """Refuse a bound unless updates <= d ln(1 + R |u| / g) / -ln q leaves no room for one more than it."""
    witness = certificate.witness
    power = certificate.witness["exponent"]
    bound = certificate.bound
    attributes = witness["attributes"]
    numerators = witness["numerators"]
    margin = witness["margin"]
    whole = all(type(number) is int for number in (*attributes, *numerators, power)) and abs(power) < 3000
    require(whole and type(margin) is float and type(bound) is int, "malformed witness", NotCertified)
    require(len(set(attributes)) == len(attributes), "the witness has an entry twice", NotCertified)
    require_words(witness, VECTOR)
    if not rows:
        require(bound == 0 or certificate.version is None, "no updates have a bound of 0", NotCertified)
        return
    u = {j + 1: Fraction(k) * Fraction(2) ** power for j, k in zip(attributes, numerators, strict=True)}
    squares = [sum((Fraction(v) ** 2 for v in values), Fraction(0)) for _, values, _ in rows]
    for columns, values, y in rows:
        agreement = y * sum((u.get(j, 0) * Fraction(v) for j, v in zip(columns, values, strict=True)), Fraction(0))
        enough = agreement >= Fraction(margin) > 0
        require(enough, "the witness lacks its margin on an update round", NotCertified)
    ratio = max(squares) * sum(k * k for k in u.values()) / Fraction(margin) ** 2
    loss = -enclose_ln(Fraction(1, 2))[1]
    if d > 1:
        loss = -enclose_ln(Fraction(d, d + 1))[1] - Fraction(d - 1, 2) * enclose_ln(Fraction(d * d, d * d - 1))[1]
    most = d * enclose_ln(1 + round_root_up(ratio))[1]
    require((bound + 1) * loss > most, f"the witness does not give {bound}", NotCertified)
    tight = certificate.version is None or bound * loss <= most * (1 + LOOSE)
    require(tight, f"the witness gives less than {bound}", NotCertified)


class CheckedKernel(NamedTuple):
    """A kernel by its numbers: of fractions exactly, of floats with a size that bounds what rounding can do."""

    name: str
    degree: int
    constant: float
    width: float
    extra: float

    @property
    def exact(self) -> bool:
        """Whether its values are fractions, and not exponentials."""
        return self.name != "GaussianKernel"

    def compute_exactly(self, product: Fraction) -> Fraction:
        return (Fraction(self.constant) + product) ** self.degree + Fraction(self.extra)

    def list_summands(self) -> tuple[tuple[float, int], ...]:
        """What is added to products of rows, and to which power these have been raised then."""
        return (self.constant, 1), (self.extra, self.degree)

    def compute(self, kept: Array, x: Array) -> Array:
        """The kernels of a row with others, distances by differences: nearly equal rows are told apart."""
        if self.name == "GaussianKernel":
            return np.asarray(np.exp(-self._divide(((kept - x) ** 2).sum(axis=1))) + self.extra)
        return np.asarray((self.constant + kept @ x) ** self.degree + self.extra)

    def limit_errors(self, kept: Array, x: Array, terms: int) -> tuple[float, float]:
        """How far the sum of the kernels of a row with others may be off.

        Returns:
            That of the run, whose distances are differences of squared lengths and products.
            That of `compute`.
        """
        if self.exact:
            sizes = (self.constant + np.abs(kept) @ np.abs(x)) ** self.degree + self.extra
            return (terms * 2.0**-50 * float(sizes.sum()),) * 2
        squares = (kept * kept).sum(axis=1) + x @ x
        apart = self._divide(((kept - x) ** 2).sum(axis=1))
        loss = self._divide(terms * 2.0**-50 * squares)  # of an exponent
        nearer = np.exp(-np.maximum(0.0, apart - loss))
        cancelled = float((nearer * np.minimum(1.0, 2 * loss)).sum())
        added = terms * 2.0**-50 * (float(nearer.sum()) + self.extra * len(kept))
        own = float(((1 + np.minimum(apart, 1000.0)) * np.exp(-apart)).sum()) + self.extra * len(kept)
        return cancelled + added, terms * 2.0**-50 * own

    def _divide(self, distances: Array) -> Array:
        """Squared distances in units of twice the squared width."""
        with np.errstate(over="ignore"):
            return np.asarray(distances / (2 * self.width**2))


def check_kernel_perceptron(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of a kernel perceptron."""
    kernel = _read_kernel(certificate.learner)
    again, facts = open_stream(certificate, stream, features, 0.0, 2)
    replay = _replay_kernel(_list_rounds(again.read(), certificate.updated), kernel, facts)
    report = replay.check_updates(certificate, kernel.exact)
    _check_combination(certificate, replay)
    return report


def _read_kernel(learner: dict[str, Any]) -> CheckedKernel:
    known = learner["kernel"]
    bias = learner["bias"]
    require(learner["budget"] is None and type(known) is dict, "no theorem covers that kernel perceptron", NotCertified)
    name = known["name"]
    numbers = {key: value for key, value in known.items() if key != "name"}
    sound = type(name) is str and set(numbers) == KERNELS.get(name)
    degree = numbers.get("degree", 1)
    constant = numbers.get("constant", 0.0)
    width = numbers.get("width", 1.0)
    sound = sound and type(degree) is int and 1 <= degree <= 64
    sound = sound and all(type(k) in (int, float) and isfinite(k) and k >= 0 for k in (constant, width, bias))
    require(sound and width > 0, f"no learner has parameters {learner}", NotCertified)
    return CheckedKernel(name, degree, float(constant), float(width), float(bias) ** 2)


@dataclass
class KernelReplay(ScoredReplay):
    """What the replay found: the Gram matrix y y' K of the rows that were kept, its lower half, and the excess."""

    gram: list[list[Fraction]] = field(default_factory=list)
    excess: Fraction = Fraction(0)


def _replay_kernel(rounds: Iterator[ScoredRound], kernel: CheckedKernel, facts: StreamFacts) -> KernelReplay:
    """Go through all rounds with the rows that the listed updates keep."""
    # products are whole multiples of 1 / unit
    replay = KernelReplay()
    exact = kernel.exact
    unit = 4**facts.bits
    kept = np.zeros((0, facts.width))
    signs = np.zeros(0)
    rows = list[tuple[FractionRow, int]]()
    whole = all(Fraction(number) * unit**power % 1 == 0 for number, power in kernel.list_summands())
    limit = 2**52 / unit**kernel.degree if whole else 0.0  # up to which floats make no error
    for at in rounds:
        x = np.zeros(facts.width)
        x[at.columns] = at.values
        values = kernel.compute(kept, x)
        score = float(signs @ values)
        terms = len(at.columns) + len(rows) + 4 * kernel.degree + 16
        slack, own_error = kernel.limit_errors(kept, x, terms)
        row = {j: Fraction(v) for j, v in zip(at.columns.tolist(), at.values.tolist(), strict=True) if v}
        if exact and (at.listed or abs(score) <= 2 * slack):
            own = [y * kernel.compute_exactly(_multiply(row, other)) for other, y in rows]
            exactly = sum(own, Fraction(0))
            replay.judge(
                at, exactly, Fraction(0) if slack <= limit * terms * 2.0**-50 else Fraction(slack), facts.surprise
            )
            replay.excess += max(Fraction(0), 2 * at.y * exactly) if at.listed else 0
        else:
            own = [Fraction(y * float(v)) for v, (_, y) in zip(values, rows, strict=True)] if at.listed else []
            replay.judge(at, score, slack + own_error, facts.surprise)
            more = at.listed and len(rows) > 0
            replay.excess += max(Fraction(0), Fraction(2 * (at.y * score + own_error))) if more else 0
        if at.listed:
            square = kernel.compute_exactly(_multiply(row, row)) if exact else Fraction(1) + Fraction(kernel.extra)
            replay.gram.append([*(at.y * k for k in own), square])
            kept = np.vstack((kept, x))
            signs = np.append(signs, at.y)
            rows = [*rows, (row, at.y)]
    return replay


def _multiply(one: FractionRow, other: FractionRow) -> Fraction:
    return sum((v * other[j] for j, v in one.items() if j in other), Fraction(0))


def _check_combination(certificate: Certificate, replay: KernelReplay) -> None:
    """Refuse a bound that the theorem does not give with u the sum of numerators times y K(x, .)."""
    witness = certificate.witness
    power = certificate.witness["exponent"]
    gram = replay.gram
    require_words(witness, ("margin", "exponent", "numerators"))
    numerators = witness["numerators"]
    margin = witness["margin"]
    whole = all(type(number) is int for number in (*numerators, power)) and abs(power) < 3000
    require(whole and type(margin) is float and len(numerators) == len(gram), "malformed witness", NotCertified)
    scale = Fraction(2) ** power
    size = len(gram)
    full = [[gram[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    used = [j for j, k in enumerate(numerators) if k]
    loss = Fraction(0) if certificate.exact else Fraction(1, 2**40)  # of each kernel, where it is rounded
    agreements = [scale * sum((numerators[j] * row[j] for j in used), Fraction(0)) for row in full]
    worst = scale * loss * sum(abs(numerators[j]) for j in used)
    short = [max(Fraction(0), Fraction(margin) - agreement + worst) for agreement in agreements]
    norm = scale * sum((numerators[j] * agreements[j] + abs(numerators[j]) * worst for j in used), Fraction(0))
    squares = [full[j][j] for j in range(size)]
    lengths = max(squares, default=Fraction(0)), min(squares, default=Fraction(0))
    losses = sum(short, Fraction(0)), sum((s * s for s in short), Fraction(0))
    measured = WitnessFacts(norm, *lengths, Fraction(margin), *losses, Fraction(0), replay.excess)
    theorem = find_theorem(LENGTH_UNKNOWN, certificate.theorem, measured)
    require(certificate.promise == theorem.promise, "that is no promise of it", NotCertified)
    impossible = theorem.impossible(measured, int(certificate.bound) + 1, {})
    require(impossible, f"the witness does not give {certificate.bound}", NotCertified)
    if certificate.version is not None and certificate.bound > 0:
        wide = scale * sum(abs(numerators[j]) for j in used) * (1 + lengths[0]) * LOOSE * 4  # of an agreement
        wider = measured._replace(
            norm=norm + wide * scale * sum(abs(numerators[j]) for j in used),
            shortfall=losses[0] + size * wide,
            squares=losses[1] + 2 * wide * losses[0] + size * wide**2,
        ).loosen(size, unit=False)
        loose = theorem.impossible(wider, int(certificate.bound), {})
        require(not loose, f"the witness gives less than {certificate.bound}", NotCertified)
