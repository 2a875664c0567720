"""Certificates of networks whose units learn on their own, by any rule with a theorem: one certificate for each unit.

The unit of class c plays its class against all others, from the first round on for the classes that are there at the
start, two at least, and for another from the round in which it is first met. So each is a run of two classes with a
certificate of its own, which is checked as such; what they count and what they allow adds up. A wrong guess of the
network is one of the unit of the true class, which did not say yes, or of the one that won, which did: so mistakes are
at most those of all units together, and one more for each class that was new.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate, Tally
from littlestone.base.chunks import Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.learner import UNLIMITED
from littlestone.certificates.check.integer_rows import open_stream, read_rounds
from littlestone.certificates.check.network import PROMISE, THEOREM
from littlestone.certificates.check.report import Report, accept, require_words
from littlestone.certificates.check.shown_rounds import Check, RearrangedStream, read_inner

TEACHES_TIES = ("Perceptron", "AveragedPerceptron", "AggressivePerceptron")  # units that could leave ties as they are


class UnitStream(RearrangedStream):
    """The rounds of a stream as the unit of a class sees them: 1 for its class and 0 for all others.

    Args:
        stream: The rounds.
        features: What reads them; None: attributes by number.
        declared: The labels that were declared.
        unit: The number of its class.
        rounds: The first round that it sees, and the end of them.
    """

    def __init__(self, stream: Stream, features: Any, declared: list[Any], unit: int, rounds: tuple[int, int]) -> None:
        super().__init__(stream, features, declared)
        self.unit, (self.first, self.last) = unit, rounds

    def chunks(self) -> Iterator[Examples]:
        at = 0
        for seen in self.read_rows(self.last, UNLIMITED):
            part = seen[max(0, self.first - at) :]
            at += len(seen)
            if len(part):
                yield part.with_labels((part.labels == self.unit).astype(np.int32))


def find_starts(stream: Stream, features: Any, declared: list[Any], rounds: int) -> list[int]:
    """The first round of each unit."""
    reading = (Indexed() if features is None else features).renew().read_chunk
    found = dict[int, int]()
    at = 0
    for seen in read_rounds(stream, reading, Labels(declared), rounds, UNLIMITED):
        codes, places = np.unique(seen.labels, return_index=True)
        for code, place in zip(codes.tolist(), places.tolist(), strict=True):
            found.setdefault(code, at + place)
        at += len(seen)
    begun = max(2, len(declared))
    return [0 if c < begun else found[c] for c in range(max(begun, len(found)))]


def wrap_units(inner: list[Certificate], starts: list[int]) -> dict[str, Any]:
    """What a certificate says because of those of the units."""
    counts = {one.counts for one in inner}
    told = f"units are certified by theorems that count different things: {', '.join(sorted(counts))}; name one of them"
    require(len(counts) == 1, told, NotCertified)
    sums = [sum((Fraction(number) for number in numbers), Fraction(0)) for numbers in
            ([one.counted for one in inner], [one.bound for one in inner])]  # fmt: skip
    taught = {t + start for one, start in zip(inner, starts, strict=True) for t in one.updated}
    return {
        "theorem": THEOREM,
        "promise": PROMISE,
        "counts": f"{counts.pop()} of units",
        "count": int(sums[0]) if sums[0].denominator == 1 else sums[0],
        "bound": int(sums[1]) if sums[1].denominator == 1 else sums[1],
        "scope": "sequence",
        "exact": all(one.exact for one in inner),
        "updated": tuple(sorted(taught)),
    }


def check_units(certificate: Certificate, stream: Stream, features: Any, check: Check, again: Tally) -> Report:
    """Check a certificate of a network of units with certificates of their own.

    Args:
        certificate: What is claimed.
        stream: The rounds.
        features: What reads them.
        check: Is asked about each unit.
        again: What the network itself counts when it plays these rounds.
    """
    open_stream(certificate, stream, features, 0.0, UNLIMITED)
    declared = list(certificate.learner.get("classes", []))
    rounds = certificate.rounds
    require_words(certificate.witness, ["units"])
    starts = find_starts(stream, features, declared, rounds)
    units = certificate.witness["units"]
    require(type(units) is list and len(units) == len(starts), f"there are {len(starts)} units", NotCertified)
    inner = [read_inner(one) for one in units]
    unit = dict(certificate.learner["learner"])
    if unit["name"] in TEACHES_TIES:
        unit["tie"] = "strict"
    unit = {"real": certificate.learner["real"]} | unit | {"classes": [0, 1]}
    replayed = True
    for c, one in enumerate(inner):
        same = one.learner == unit and one.rounds == rounds - starts[c]
        require(same, f"the certificate of unit {c} is about another learner or other rounds", NotCertified)
        report = check(one, UnitStream(stream, features, declared, c, (starts[c], rounds)))
        replayed = replayed and report.replayed
    late = sum(start > 0 for start in starts) + 1
    fits = again.mistakes <= sum(one.mistakes for one in inner) + late
    require(fits, "the network has more mistakes than its units", NotCertified)
    counted = {"mistakes": again.mistakes, "updates": again.updates, "marks": ()}
    for name, here in (wrap_units(inner, starts) | counted).items():
        there = getattr(certificate, name)
        require(type(here) is type(there) and here == there, f"{name} is {here!r}, not {there!r}", NotCertified)
    require(len(certificate.updated) in (0, again.updates), "the units are not those of the network", NotCertified)
    return replace(accept(certificate), replayed=replayed)
