"""Certificates of Forgetrons, checked: the run played again bit for bit, and a comparator measured beside it.

With u the sum of numerators times y K(x, .) over the update rounds, L the sum of (1 - y u(x))+ on them, and Q and D of
the run, updates are at most (1 + D) |u|^2 + 2 L + Q. Kernels are floats, each within 2^-40 of its value; what that may
change is added to |u|^2 and L.
"""

from dataclasses import replace
from math import floor, isfinite
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.forgetron import replay_forgetron
from littlestone.certificates.check.integer_rows import open_stream
from littlestone.certificates.check.report import Report, accept, require_words
from littlestone.certificates.check.same_run import require_same_run

THEOREM = "Forgetron (Dekel, Shalev-Shwartz and Singer 2008)"
PROMISE = "none: it is true of every stream and of every comparator u"
OFF = 2.0**-40  # how far a kernel may be off
NEAR = 2.0**-30  # by which part of it a bound may differ
LARGEST = 3000  # updates


def compute_kernels(rows: Array, signs: Array, width: float) -> Array:
    """y y' K(x, x') of all pairs of rows, distances by differences."""
    apart = np.array([((rows - x) ** 2).sum(axis=1) for x in rows]).reshape(len(rows), len(rows))
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(-apart / (2 * width**2)) * signs[:, None] * signs[None, :])


def allow_updates(kernels: Array, shares: Array, forgotten: float, shrunk: float) -> float:
    """The bound that these shares of the rows give, before it is cut to a whole number."""
    agreements = kernels @ shares
    off = OFF * float(np.abs(shares).sum())
    square = float(shares @ agreements) + off * float(np.abs(shares).sum())
    short = float(np.maximum(0.0, 1.0 - agreements + off).sum())
    return (1.0 + shrunk) * square + 2.0 * short + forgotten


def check_forgetron(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of a Forgetron."""
    about = certificate.learner
    witness = certificate.witness
    require_words(about, ("name", "budget", "width", "real"), ("classes",))
    budget = about["budget"]
    width = about["width"]
    sound = type(budget) is int and budget >= 1 and type(width) in (int, float) and isfinite(width) and width > 0
    require(sound, f"no learner has parameters {about}", NotCertified)
    held = certificate.version is not None and (certificate.rows is not None or certificate.rounds == 0)
    require(held, "it does not say how its rows were held: it cannot be played again", NotCertified)
    again, facts = open_stream(certificate, stream, features, 0.0, 2)
    sums = np.zeros(2)
    with np.errstate(all="ignore"):
        run = replay_forgetron(about, ArrangedRows.of(certificate, stream, features, 2), sums)
    require_same_run(certificate, run)
    require(certificate.updates == len(run.updated), f"the run has {len(run.updated)} updates", NotCertified)
    require_words(witness, ("exponent", "numerators", "forgotten", "shrunk"))
    told = (witness["forgotten"], witness["shrunk"])
    same = all(type(number) is float for number in told) and told == tuple(sums.tolist())
    require(same, f"the run forgot {sums[0]!r} and shrank by {sums[1]!r}, not {told}", NotCertified)
    numerators = witness["numerators"]
    power = witness["exponent"]
    whole = type(numerators) is list and all(type(number) is int for number in (*numerators, power))
    whole = whole and len(numerators) == len(run.updated) <= LARGEST and abs(power) < 1000
    require(whole and all(abs(number) < 2**52 for number in numerators), "malformed witness", NotCertified)
    listed = set(run.updated)
    rows = np.zeros((len(run.updated), facts.width))
    signs = np.zeros(len(run.updated))
    for chunk in again.read():
        for t, code in enumerate(chunk.codes.tolist()):
            if chunk.first + t in listed:
                place = run.updated.index(chunk.first + t)
                part = slice(chunk.indptr[t], chunk.indptr[t + 1])
                rows[place, chunk.columns[part]] = chunk.values[part]
                signs[place] = 1.0 if code else -1.0
    shares = np.array(numerators, np.float64) * 2.0**power
    most = allow_updates(compute_kernels(rows, signs, float(width)), shares, *sums.tolist())
    require(isfinite(most), "the comparator is too long", NotCertified)
    bound = certificate.bound
    near = type(bound) is int and floor(most * (1 - NEAR)) <= bound <= floor(most * (1 + NEAR))
    require(near, f"the witness gives {most!r}, not {bound!r}", NotCertified)
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope, certificate.exact)
    expected = (THEOREM, PROMISE, "updates", "sequence", False)
    plain = certificate.count is None and certificate.marks == ()
    require(words == expected and plain, f"its words are {expected}, not {words}", NotCertified)
    return replace(accept(certificate), replayed=True)
