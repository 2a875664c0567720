"""Certificates of what a run lost on the rounds that moved it, beside what a comparator u loses there.

Each theorem here is true of any set of update rounds whatever, so that no decision that rounding took can make it
false: the rows z of the updates are gone through once more in float64, in plain order, and give the left side and what
the run is charged. The side of u is exact, or enclosed. With sums over the updates, s = w.z, v the spread of the row
and r the ridge:

    ridge identity     sum (1 - s)^2 r / (r + v) = min over u of r |u|^2 + sum (1 - u.z)^2
    diagonal AROW      sum (1 - s)+^2 / (v + r) <= sum (1 - u.z)+^2 / r + 2 u.g + k      (g, k from the run)
    diagonal second    updates <= sum (1 - u.z)+ + sqrt(E (sum ln(1 + L_i / r) + 2 sum s+)),   E = sum (r + L_i) u_i^2
    p-norm             updates <= sum (1 - u.z)+ + |u|_q sqrt((p - 1) sum |z|_p^2)

L_i is the sum of z_i^2. What floats may be off by is added to the bound: 2^-31 of it to the first two.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import floor, fsum, inf, nextafter, sqrt
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.additive import REALS
from littlestone.certificates.check.intervals import Enclosing
from littlestone.certificates.check.report import Report, require_words
from littlestone.certificates.check.shadow_runs import follow_diagonal_arow, follow_diagonal_second_order, follow_ridge
from littlestone.certificates.check.step_rows import StepRows, replay_steps, require_claim

ANY = "none: it is true of every stream and of every comparator u"
RIDGE = "Ridge identity (Azoury and Warmuth 2001)"
AROW = "Diagonal AROW, regret of this run (implicit updates, Kulis and Bartlett 2010)"
SECOND = "Diagonal second order (after Cesa-Bianchi, Conconi and Gentile 2005)"
P_NORM = "p-norm perceptron, hinge loss (Grove, Littlestone and Schuurmans 2001, Gentile 2003)"
FURTHER = 2.0**-31  # of a bound that sums of floats may be off by
VECTOR = ("exponent", "attributes", "numerators")
REALS_OF_LOGS = Enclosing(40)


class Regret(NamedTuple):
    """What a theorem gives with a comparator."""

    theorem: str
    counts: str
    bound: float | int
    counted: float | None  # None: the updates
    exact: bool
    shown: dict[str, float]  # of the witness, besides the comparator


class Compared(NamedTuple):
    """A comparator u = k 2^exponent on the rows of the updates."""

    rows: StepRows
    whole: list[list[tuple[int, int]]]  # the rows in units of 2^-bits
    bits: int
    u: list[int]
    exponent: int

    @property
    def shorts(self) -> list[Fraction]:
        """1 - u.z of every row."""
        unit = Fraction(2) ** (self.exponent - self.bits)
        return [1 - unit * sum(self.u[j] * v for j, v in row) for row in self.whole]

    @property
    def squares(self) -> list[Fraction]:
        """The sum of z_i^2 of every column."""
        totals = [0] * self.rows.width
        for row in self.whole:
            for j, v in row:
                totals[j] += v * v
        return [Fraction(total, 4**self.bits) for total in totals]

    @property
    def entries(self) -> list[Fraction]:
        """u itself, by column."""
        unit = Fraction(2) ** self.exponent
        return [k * unit for k in self.u]


def round_up(value: Fraction) -> float:
    """A float no smaller, and larger by what sums of floats may be off."""
    return nextafter(float(value) * (1 + FURTHER), inf) if value else 0.0


def share(lost: Fraction, rows: StepRows) -> float:
    """What the comparator leaves unexplained: its loss by that of the zero vector."""
    return float(lost / len(rows)) if len(rows) else 0.0


def claim_ridge(about: Mapping[str, Any], at: Compared) -> Regret:
    """The ridge identity; the mistakes, each weighed by r / (r + v), are shown beside it."""
    r = float(about["ridge" if about["name"] == "SecondOrderPerceptron" else "regularization"])
    losses, spreads, _ = follow_ridge(at.rows, r)
    parts = [r / (r + v) for v in spreads.tolist()]
    pairs = list(zip(losses.tolist(), parts, strict=True))
    lost = sum((short**2 for short in at.shorts), Fraction(0))
    bound = round_up(Fraction(r) * sum((x * x for x in at.entries), Fraction(0)) + lost)
    shown = {
        "unexplained": share(lost, at.rows),
        "losses": fsum(loss * loss for loss, _ in pairs),
        "weighed_mistakes": fsum(part for loss, part in pairs if loss >= 1),
    }
    return Regret(RIDGE, "weighed square loss", bound, fsum(loss * loss * part for loss, part in pairs), False, shown)


def claim_diagonal_arow(about: Mapping[str, Any], at: Compared) -> Regret:
    """The regret of the implicit step, in a metric that grows."""
    r = float(about["regularization"])
    rows = at.rows
    run = follow_diagonal_arow(rows, r)
    exact = [[Fraction(x) for x in part.tolist()] for part in (run.weights, run.drift, run.squares)]
    rate = Fraction(r)
    lost = sum((max(short, Fraction(0)) ** 2 for short in at.shorts), Fraction(0))
    bound = lost / rate + Fraction(fsum(run.drift_squares.tolist())) / rate
    for u, w, drift, square in zip(at.entries, *exact, strict=True):
        stretch = 1 + square / rate
        bound += 2 * u * (stretch * w - drift / rate) - stretch * w * w
    pairs = list(zip(run.losses.tolist(), run.spreads.tolist(), strict=True))
    count = fsum(loss * loss / (v + r) for loss, v in pairs)
    shown = {"unexplained": share(lost, rows), "losses": fsum(loss * loss for loss, _ in pairs)}
    margin = Fraction(FURTHER) * (lost / rate + Fraction(count))  # what is subtracted may leave little
    return Regret(AROW, "weighed square loss", round_up(bound + margin), count, False, shown)


def claim_diagonal_second_order(about: Mapping[str, Any], at: Compared) -> Regret:
    """The closed bound; everything but the logarithms is rational, and s+ is rounded up."""
    r = Fraction(float(about["ridge"]))
    reals = REALS_OF_LOGS
    agreements = follow_diagonal_second_order(at.rows, float(r))
    ahead = Fraction(fsum(agreements.tolist())) * (1 + Fraction(1, 2**50))
    squares = at.squares
    lost = sum((max(short, Fraction(0)) for short in at.shorts), Fraction(0))
    size = sum(((r + square) * u * u for u, square in zip(at.entries, squares, strict=True)), Fraction(0))
    logs = reals.total(reals.ln(1 + square / r) for square in squares)
    most = reals.root((logs + 2 * ahead) * size) + lost
    shown = {"unexplained": share(lost, at.rows)}
    return Regret(SECOND, "updates", floor(Fraction(most.high)), None, True, shown)


def claim_p_norm(about: Mapping[str, Any], at: Compared) -> Regret:
    """The bound in a pair of dual norms; powers are those of the C library, rounded up."""
    p = float(about["power"])
    rows = at.rows
    q = p / (p - 1)
    ends = rows.indptr.tolist()
    lengths = np.array([raise_sum(np.abs(rows.values[a:b]), p) for a, b in pairwise(ends)])
    u = np.abs(np.array([float(x) for x in at.entries]))
    top = float(u.max(initial=0.0))
    norm = top * raise_sum(u[u > 0] / top, q) if top > 0 else 0.0
    lost = sum((max(short, Fraction(0)) for short in at.shorts), Fraction(0))
    most = float(lost) + norm * sqrt((p - 1) * fsum((lengths * lengths).tolist()))
    bound = floor(Fraction(most) * (1 + Fraction(1, 2**40)))
    return Regret(P_NORM, "updates", bound, None, False, {"unexplained": share(lost, rows)})


def raise_sum(values: Any, power: float) -> float:
    """The norm of some numbers that are not negative, by a power; the largest is divided out."""
    top = float(values.max(initial=0.0))
    if top == 0:
        return 0.0
    return float(top * fsum(((values / top) ** power).tolist()) ** (1 / power))


def find_constant(unit: Mapping[str, Any], real: Any) -> float:
    """The constant attribute in the floats of the run: those of the rows for diagonal AROW, otherwise long ones."""
    return float(real(unit["bias"])) if unit.get("diagonal") else float(unit["bias"])


Claim = Callable[[Mapping[str, Any], Compared], Regret]


def find_claim(about: Mapping[str, Any]) -> Claim:
    """The theorem of a learner, or of the units of a network."""
    unit = about["learner"] if about["name"] == "Network" else about
    known = {"SecondOrderPerceptron": claim_ridge, "PNormPerceptron": claim_p_norm}
    known |= {"DiagonalSecondOrder": claim_diagonal_second_order}
    known |= {"Arow": claim_diagonal_arow if unit.get("diagonal") else claim_ridge}
    network = about["name"] == "Network"
    able = about.get("updates", "winner") == "winner" if network else True
    found = known.get(unit["name"]) if able else None
    whole = found is not None and not (network and found in (claim_ridge, claim_p_norm))
    require(whole, f"no theorem here covers {about['name']}", NotCertified)
    assert found is not None
    return found


def claim_regret(about: Mapping[str, Any], rows: StepRows, u: list[int], exponent: int) -> Regret:
    """What the theorem of a learner gives with a comparator."""
    unit = about["learner"] if about["name"] == "Network" else about
    return find_claim(about)(unit, Compared(rows, *rows.scale_up(), u, exponent))


def check_regret(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of one of these theorems."""
    about = certificate.learner
    witness = certificate.witness
    unit = about["learner"] if about["name"] == "Network" else about
    find_claim(about)
    real: Any = REALS[about["real"]]
    again = replay_steps(certificate, stream, features, find_constant(unit, real))
    u, exponent = again.rows.read_vector(witness)
    claim = claim_regret(about, again.rows, u, exponent)
    require_words(witness, (*VECTOR, *claim.shown), ["classes"] if about["name"] == "Network" else [])
    same = all(type(witness[name]) is float and witness[name] == ours for name, ours in claim.shown.items())
    require(same, f"the comparator shows {claim.shown}", NotCertified)
    words = {"theorem": claim.theorem, "promise": ANY, "counts": claim.counts, "scope": "sequence"}
    return require_claim(certificate, {**words, "exact": claim.exact, "count": claim.counted, "bound": claim.bound})
