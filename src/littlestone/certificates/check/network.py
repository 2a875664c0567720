"""Certificates of a network whose units learn on their own, checked unit by unit in exact arithmetic.

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
from littlestone.base.learner import UNLIMITED
from littlestone.certificates.check.additive import check_bound, measure_witness, read_claim
from littlestone.certificates.check.additive_exact import AdditiveReplay, ExactWeights, follow_exactly, replay_exactly
from littlestone.certificates.check.float_runs.counts import FloatRun
from littlestone.certificates.check.integer_rows import ColumnChunk, StreamFacts, Stretch, cut_at_updates, open_stream
from littlestone.certificates.check.report import Report, accept, require_words
from littlestone.certificates.check.rules import AdditiveClaim
from littlestone.certificates.check.same_run import replay_run

THEOREM = "Network, every unit by its own theorem"
PROMISE = "each unit has a witness of its own for its class against all others; bounds and steps add up"


def check_separate_units(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of a network in which every unit learns from every round."""
    learner = certificate.learner
    claim = read_claim({**learner["learner"], "real": learner["real"]})
    claim = claim._replace(parameters={**claim.parameters, "tie": "strict"})  # units of a network learn from every tie
    known = learner["updates"] == "each" and claim.rule.exact and claim.rule.network
    require(known, "only units that are Perceptrons have a theorem here", NotCertified)
    again, facts = open_stream(certificate, stream, features, claim.bias, UNLIMITED)
    require_words(certificate.witness, ["units"])
    units = certificate.witness["units"]
    classes = max(2, len(again.declared))
    require(len(units) == max(classes, facts.classes), f"there are {facts.classes} units", NotCertified)
    starts = _find_starts(again.read(), classes, len(units))
    differing = set[int]()
    whole = ExactWeights(claim._replace(network=True), facts, classes)
    run = replay_run(certificate, stream, features)
    known = run if whole.room < 0 else None  # where products may underflow, only the run itself knows its decisions
    for c, part in enumerate(units):
        seen = _label_by_class(again.read(), c, starts[c])
        differing |= _check_unit(part, c, certificate, claim, facts, seen, known is not None)
        if run is not None:
            moved = [t for t, mark in zip(run.updated, run.marks, strict=True) if mark >> c & 1]
            require(part["updated"] == moved, f"the updates of unit {c} are not those of the run", NotCertified)
    if known is None:
        replay = _count_mistakes(again.read(), whole, [part["updated"] for part in units])
    else:
        replay = AdditiveReplay(known.mistakes, known.mistakes)
    _check_sums(certificate, units, replay)
    return replace(accept(certificate, sorted(differing), replay.possible), replayed=run is not None)


def _check_unit(
    part: dict[str, Any], c: int, whole: Certificate, claim: AdditiveClaim, facts: StreamFacts,
    rounds: Iterable[ColumnChunk], known: bool,
) -> set[int]:  # fmt: skip
    """Check one unit, and return the rounds that rounding decided; `known`: its updates are those of the run."""
    require_words(part, ("theorem", "bound", "updated", "witness"))
    updated = tuple(part["updated"])
    rising = all(type(t) is int for t in updated) and all(a < b for a, b in pairwise(updated))
    require(rising, f"the updates of unit {c} are not listed in order", NotCertified)
    weights = ExactWeights(claim, facts, 2)
    if known:
        replay = follow_exactly(rounds, weights, FloatRun(0, updated, ()))
    else:
        replay = replay_exactly(rounds, weights, updated, ())
    promise = next((theorem.promise for theorem in claim.rule.theorems if theorem.name == part["theorem"]), "")
    words = {"theorem": part["theorem"], "promise": promise, "bound": part["bound"], "witness": part["witness"]}
    own = replace(whole, **words)
    check_bound(own, claim, measure_witness(own, claim, replay, facts), len(updated))
    return set(replay.differing)


def _check_sums(certificate: Certificate, units: list[dict[str, Any]], replay: AdditiveReplay) -> None:
    """Refuse sums that are not those of the units, and words that are not those of the theorem."""
    rounds = sorted({t for part in units for t in part["updated"]})
    steps = sum(len(part["updated"]) for part in units)
    bounds = sum(part["bound"] for part in units)
    right = certificate.updated == tuple(rounds) and certificate.updates == len(rounds)
    require(right, "the update rounds are not those of the units", NotCertified)
    replay.check_mistakes(certificate.mistakes)
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope, certificate.exact)
    expected = (THEOREM, PROMISE, "steps", "sequence", True)
    require(words == expected and certificate.marks == (), f"its words are {expected}", NotCertified)
    numbers = (certificate.count, certificate.bound)
    whole = all(type(number) is int for number in numbers)
    require(whole and numbers == (steps, bounds), f"units have {steps} steps and bounds of {bounds}", NotCertified)


def _find_starts(chunks: Iterable[ColumnChunk], classes: int, units: int) -> list[int]:
    """The round in which the unit of each class starts."""
    first = [0] * classes + [-1] * (units - classes)
    for chunk in chunks:
        for c in range(classes, units):
            places = np.flatnonzero(chunk.codes == c)
            if first[c] < 0 and len(places):
                first[c] = chunk.first + int(places[0])
    return first


def _label_by_class(chunks: Iterable[ColumnChunk], c: int, start: int) -> Iterator[ColumnChunk]:
    """The rounds from `start` on, labelled by whether they are of class c."""
    for chunk in chunks:
        skip = max(0, start - chunk.first)
        if skip < len(chunk.codes):
            indptr = chunk.indptr[skip:]
            codes = (chunk.codes[skip:] == c).astype(np.int64)
            yield ColumnChunk(chunk.first + skip, indptr, chunk.columns, chunk.values, codes)


def _count_mistakes(chunks: Iterable[ColumnChunk], weights: ExactWeights, updated: list[list[int]]) -> AdditiveReplay:
    """Count how often the highest score was not that of the right class, rounding allowed for at both ends."""
    replay = AdditiveReplay()
    taught = dict[int, list[int]]()
    for c, rounds in enumerate(updated):
        for t in rounds:
            taught.setdefault(t, []).append(c)
    due = sorted(taught)
    for part in cut_at_updates(chunks, tuple(due)):
        gaps, errors, slacks = weights.agree(part)
        met = weights.find_met(part.codes)
        sure = (np.abs(gaps) > errors + slacks) & (part.codes < met[:-1])
        for r in replay.count_sure(part, sure, gaps < 0):
            weights.met = int(met[r])
            replay.count(*_decide_guess(weights, part, r, Fraction(float(slacks[r]))))
        weights.met = int(met[-1])
        if part.update is not None:
            columns, values = part.row(len(gaps) - 1, weights.facts.bits)
            for c in taught[due[part.update]]:
                weights.add(columns, values, c, 1 if part.codes[-1] == c else -1)
            weights.count(columns, values, 1)
    return replay


def _decide_guess(weights: ExactWeights, part: Stretch, r: int, slack: Fraction) -> tuple[bool, bool]:
    """Decide the guess of a round by exact scores.

    Returns:
        Whether it was wrong.
        Whether rounding cannot have decided it.
    """
    code = int(part.codes[r])
    if code >= weights.met or (part.first + r == 0 and weights.facts.surprise):
        return True, True
    scores = weights.score(*part.row(r, weights.facts.bits))
    rival = weights.find_rival(scores, code)
    gap = Fraction(scores[code] - scores[rival], weights.one**2)
    return gap < 0 or (gap == 0 and rival < code), slack == 0 or abs(gap) > slack
