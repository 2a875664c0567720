"""Each: a network whose units learn apart, checked unit by unit in exact arithmetic.

A unit of class c plays against all others from the round on that its class was first met. Its decisions and its
witness are checked as those of a Perceptron; then all units are taken together once more to count the network's own
mistakes, and steps and bounds are added up.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.labels import Labels
from littlestone.base.learner import UNLIMITED
from littlestone.certificates import theorems
from littlestone.certificates.check.integer_rows import Page, Seen, fresh, opened, pages
from littlestone.certificates.check.perceptron import Claim, bounded, claimed
from littlestone.certificates.check.perceptron_exact import Bench, Rule, recheck


def each(certificate: Certificate, stream: Stream, features: Any) -> tuple[Any, ...]:
    """What a report says, or NotCertified."""
    learner = certificate.learner
    unit = {**learner["learner"], "real": learner["real"]}
    known = learner["updates"] == "each" and unit["name"] in ("Perceptron", "AveragedPerceptron")
    claim = claimed(unit)
    require(known and claim.kind == "perceptron", "only units that are Perceptrons have a theorem here", NotCertified)
    constant, declared = float(claim.real(claim.bias)), list(learner.get("classes", []))
    seen = opened(certificate, stream, features, constant, UNLIMITED)
    rounds, units = certificate.rounds, certificate.witness["units"]
    classes = max(2, len(declared))
    require(len(units) == max(classes, seen.classes), f"there are {seen.classes} units", NotCertified)
    digits = 24 if claim.real is np.float32 else 53
    rate = Fraction(float(claim.real(claim.rate)))
    rule = Rule("perceptron", Fraction(claim.margin) / rate, claim.tie, rate, digits, network=False)

    def again() -> Iterator[Page]:
        return pages(stream, fresh(features), Labels(declared), rounds, constant, UNLIMITED)

    met = _met(again(), classes, len(units))
    differing = set[int]()
    for c, part in enumerate(units):
        differing |= _unit(part, c, certificate, claim, rule, seen, _own(again(), c, met[c]))
    fewest, most = _mistakes(again(), rule._replace(network=True), seen, classes, [part["updated"] for part in units])
    _told(certificate, units, fewest, most)
    counted, bound = certificate.counted, certificate.bound
    require(counted <= bound, f"{counted} exceeds the bound {bound}", NotCertified)
    return certificate.theorem, "steps", counted, bound, rounds, True, tuple(sorted(differing))


def _unit(
    part: dict[str, Any], c: int, whole: Certificate, claim: Claim, rule: Rule, seen: Seen, own: Iterable[Page]
) -> set[int]:
    """Check one unit; the rounds that rounding decided."""
    updated = tuple(part["updated"])
    rising = all(type(t) is int for t in updated) and all(a < b for a, b in pairwise(updated))
    require(rising, f"the updates of unit {c} are not listed in order", NotCertified)
    ledger = recheck(own, rule, seen, 2, updated, ())
    promises = {theorem.name: theorem.promise for theorem in theorems.PERCEPTRON}
    promise = promises.get(part["theorem"], "")
    told = {"theorem": part["theorem"], "promise": promise, "bound": part["bound"], "witness": part["witness"]}
    bounded(replace(whole, **told), claim, ledger, seen)
    return set(ledger.differing)


def _told(certificate: Certificate, units: list[dict[str, Any]], fewest: int, most: int) -> None:
    """The sums must be those of the units, and the words those of the theorem."""
    rounds = sorted({t for part in units for t in part["updated"]})
    steps, bounds = sum(len(part["updated"]) for part in units), sum(part["bound"] for part in units)
    right = certificate.updated == tuple(rounds) and certificate.updates == len(rounds)
    require(right, "the update rounds are not those of the units", NotCertified)
    right = type(certificate.mistakes) is int and fewest <= certificate.mistakes <= most
    require(right, f"the run makes {fewest} to {most} mistakes, not {certificate.mistakes}", NotCertified)
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope, certificate.exact)
    expected = (theorems.EACH, theorems.EACH_PROMISE, "steps", "sequence", True)
    require(words == expected and certificate.marks == (), f"its words are {expected}", NotCertified)
    numbers = (certificate.count, certificate.bound)
    whole = all(type(number) is int for number in numbers)
    require(whole and numbers == (steps, bounds), f"units have {steps} steps and bounds of {bounds}", NotCertified)


def _met(again: Iterable[Page], classes: int, units: int) -> list[int]:
    """The round in which the unit of each class starts."""
    first = [0] * classes + [-1] * (units - classes)
    for page in again:
        for c in range(classes, units):
            places = np.flatnonzero(page.codes == c)
            if first[c] < 0 and len(places):
                first[c] = page.first + int(places[0])
    return first


def _own(again: Iterable[Page], c: int, start: int) -> Iterator[Page]:
    """The rounds from `start` on, labelled by whether they are of class c."""
    for page in again:
        skip = max(0, start - page.first)
        if skip < len(page.codes):
            indptr, codes = page.indptr[skip:], (page.codes[skip:] == c).astype(np.int64)
            yield Page(page.first + skip, indptr, page.columns, page.values, codes)


def _mistakes(again: Iterable[Page], rule: Rule, seen: Seen, classes: int, updated: list[list[int]]) -> tuple[int, int]:
    """How often the highest score was not that of the right class, rounding allowed for at both ends."""
    bench, fewest, most = Bench(rule, seen, classes), 0, 0
    taught = dict[int, list[int]]()
    for c, rounds in enumerate(updated):
        for t in rounds:
            taught.setdefault(t, []).append(c)
    due = sorted(taught)
    place = 0
    for page in again:
        t = 0
        while t < len(page.codes):
            stop = due[place] - page.first if place < len(due) else len(page.codes)
            end = min(stop + 1, len(page.codes))
            gaps, errors, slacks = bench.gaps(page, t, end)
            met = np.maximum.accumulate(np.concatenate(([bench.met], page.codes[t:end] + 1)))
            clear = (np.abs(gaps) > errors + slacks) & (page.codes[t:end] < met[:-1])
            clear[: int(page.first + t == 0)] = False
            wrong = int(np.count_nonzero(clear & (gaps < 0)))
            fewest, most = fewest + wrong, most + wrong
            for r in np.flatnonzero(~clear).tolist():
                bench.met = int(met[r])
                lost, sure = _lost(bench, page, t + r, Fraction(float(slacks[r])))
                fewest, most = fewest + (lost and sure), most + (lost or not sure)
            bench.met = int(met[-1])
            if stop < end:
                columns, values = page.row(stop, seen.bits)
                for c in taught[due[place]]:
                    bench.add(columns, values, c, 1 if page.codes[stop] == c else -1)
                bench.count(columns, values, 1)
                place += 1
            t = end
    return fewest, most


def _lost(bench: Bench, page: Page, t: int, slack: Fraction) -> tuple[bool, bool]:
    """Whether a round was a mistake by exact scores, and whether rounding cannot have decided it."""
    code = int(page.codes[t])
    if code >= bench.met or (page.first + t == 0 and bench.seen.surprise):
        return True, True
    scores = bench.scores(*page.row(t, bench.seen.bits))[: bench.met]
    rival = max((c for c in range(bench.met) if c != code), key=lambda c: (scores[c], -c))
    gap = Fraction(scores[code] - scores[rival], bench.one**2)
    return gap < 0 or (gap == 0 and rival < code), slack == 0 or abs(gap) > slack
