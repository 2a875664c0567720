"""Certificates of Winnow in phases, checked: phases that ended by their caps, the last by a certificate of its own.

Phase j = 1, 2, ... is Winnow with promotion b = 1 + d / 2, d = 2^-j, and ends after the update that makes its updates
more than c_j, what Winnow's theorem allows a target of sum 2^j with margin d. With n attributes and the threshold t,
promotions are at most p = floor((2^j h + (1 - d) f) / (1 - b (1 - d))) where f = n b / ((b - 1) t) and h is the least
exponent with b^h >= t, or > t where only more than the threshold is positive; demotions are fewer than f + b p. Phases
are found again by playing the run bit for bit. A phase that ended has c_j + 1 updates; so

    updates <= sum of (c_j + 1) over the phases that ended + the bound of the last phase.
"""

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatRun
from littlestone.certificates.check.float_runs.winnow import replay_winnow
from littlestone.certificates.check.integer_rows import open_stream
from littlestone.certificates.check.report import Report, accept, require_words
from littlestone.certificates.check.shown_rounds import Check, ShownStream, read_inner

LAST = 12  # the phase that never ends
NAME = "Winnow (Littlestone 1988), phases: "
PROMISE = "each phase that ended has one update more than its margin and sum allow; in the last one, "


def count_patience(phase: int, attributes: int, threshold: Fraction, strict: bool) -> int:
    """c_j: the updates that Winnow's theorem allows for margin 2^-j and sum 2^j."""
    d = Fraction(1, 2**phase)
    b = 1 + d / 2
    highest = 0
    power = Fraction(1)
    while power < threshold or (strict and power == threshold):
        highest = highest + 1
        power = power * b
    full = b / (b - 1) * attributes / threshold
    promoted = floor((2**phase * highest + (1 - d) * full) / (1 - b * (1 - d)))
    return int(promoted + ceil(full + b * promoted) - 1)


def wrap_phases(caps: list[int], inner: Certificate | None) -> dict[str, Any]:
    """What a certificate says because of the caps of phases that ended and of the certificate of the last one."""
    return {
        "theorem": NAME + ("all have ended" if inner is None else inner.theorem),
        "promise": PROMISE + ("there is no round" if inner is None else inner.promise),
        "counts": "updates",
        "count": None,
        "bound": sum(cap + 1 for cap in caps) + (0 if inner is None else int(inner.bound)),
        "scope": "sequence",
        "exact": inner is None or inner.exact,
    }


def check_restarting(certificate: Certificate, stream: Stream, features: Any, check: Check) -> Report:
    """Check a certificate of Winnow in phases; `check` is asked about the last one."""
    about = certificate.learner
    rounds = certificate.rounds
    require_words(about, ("name", "learner", "attributes"), ("classes",))
    held = certificate.version is not None and (certificate.rows is not None or certificate.rounds == 0)
    require(held, "it does not say how its rows were held: it cannot be played again", NotCertified)
    again, _ = open_stream(certificate, stream, features, 0.0, 2)
    n = about["attributes"] or stream.size().attributes
    require(type(n) is int and n >= 1, "the phases hang on attributes known from the start", NotCertified)
    require_words(certificate.witness, ("phases", "last"))
    plain = {"name": "Winnow", "promotion": 2.0, "margin": 0.0, "floor": 0.0, "eliminate": False, "real": False}
    covered = all(about["learner"][name] == value for name, value in plain.items())
    require(covered, "phases are of a plain Winnow over 0 and 1, whose promotion they set", NotCertified)
    threshold = about["learner"]["threshold"] or n
    unit = about["learner"] | {"threshold": float(threshold)}
    begun = 0
    phase = 1
    caps = list[int]()
    ends = list[int]()
    mistakes = 0
    updated = list[int]()
    while begun < rounds:
        unit["promotion"] = 1 + 2.0 ** -min(phase, LAST) / 2
        cap = count_patience(phase, n, Fraction(threshold), unit["strict_gt"]) if phase < LAST else rounds
        run = _play(certificate, stream, features, unit, (begun, rounds))
        if len(run.updated) > cap:
            ends.append(begun + run.updated[cap] + 1)
            run = _play(certificate, stream, features, unit, (begun, ends[-1]))
            caps.append(cap)
        mistakes += run.mistakes
        updated += [begun + t for t in run.updated]
        if len(caps) < phase:
            break
        begun = ends[-1]
        phase = phase + 1
    inner = None
    require(certificate.witness["phases"] == ends, f"phases end after {ends}", NotCertified)
    if begun < rounds:
        inner = read_inner(certificate.witness["last"])
        same = inner.learner == unit | {"classes": [0, 1]} and inner.rounds == rounds - begun
        require(same, "the certificate of the last phase is about another learner or other rounds", NotCertified)
        check(inner, ShownStream(stream, features, again.declared, np.arange(begun, rounds)))
    require(inner is not None or certificate.witness["last"] is None, "there is no last phase", NotCertified)
    counted = {"mistakes": mistakes, "updates": len(updated), "updated": tuple(updated), "marks": ()}
    for name, here in (wrap_phases(caps, inner) | counted).items():
        there = getattr(certificate, name)
        require(type(here) is type(there) and here == there, f"{name} is {here!r}, not {there!r}", NotCertified)
    return replace(accept(certificate), replayed=True)


def _play(
    certificate: Certificate, stream: Stream, features: Any, unit: dict[str, Any], part: tuple[int, int]
) -> FloatRun:
    """Play Winnow afresh on the rounds from one to another."""
    begun, end = part
    about = replace(certificate, rounds=end - begun)
    if begun:
        declared = list(certificate.learner.get("classes", []))
        stream = ShownStream(stream, features, declared, np.arange(begun, end))
        features = None
        about = replace(about, learner=certificate.learner | {"classes": [0, 1]})
    with np.errstate(all="ignore"):
        return replay_winnow(unit, ArrangedRows.of(about, stream, features, 2))
