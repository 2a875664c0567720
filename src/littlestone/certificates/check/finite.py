"""Certificates of learners over finite classes, and over literals, boxes and instances, checked from the rounds alone.

Nothing of a learner is run here. Of the learner that a certificate speaks of, the checker takes its name, its
parameters and its concept class; how such a learner guesses, what it drops and what its theorem allows is written down
once more in `finite_rules.py` and `row_rules.py`, and `survivors.py` says what is trusted of a concept class. The
certificate must say what comes out: counts, update rounds, bound and witness.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate, to_json_value
from littlestone.base.chunks import Chunk, Examples, Instances
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.learner import UNLIMITED, Learner, describe
from littlestone.certificates.check import finite_rules as rules
from littlestone.certificates.check.integer_rows import is_surprise, read_rounds, require_same_rounds
from littlestone.certificates.check.mapped_rows import number_product
from littlestone.certificates.check.report import Report, accept, is_same_json
from littlestone.certificates.check.row_rules import (
    ClosureRule,
    EliminationRule,
    MemorizerRule,
    PairedRow,
    list_active,
)
from littlestone.certificates.digest import Digest, list_entries

FILTERING = {
    "Halving": rules.HalvingRule,
    "NeverMiss": rules.NeverMissRule,
    "RandomizedHalving": rules.RandomizedHalvingRule,
    "StandardOptimal": rules.StandardOptimalRule,
}
CONVERSIONS = ("AppleTasting", "Conservative", "Duplicated", "Interactions")
FINITE = {*FILTERING, "Consistent", "Elimination", "Closure", "Memorizer", *CONVERSIONS}
Expansion = Callable[[PairedRow], PairedRow]


class FiniteLearner(NamedTuple):
    """The innermost learner that a certificate speaks of, and what was made of it: see `CONVERSIONS`."""

    about: dict[str, Any]
    concepts: Any
    expansions: list[Expansion]  # of a row, one after another
    doubled: int  # attributes that `Duplicated` makes, 0 where it is not used
    conservative: int  # how often only mistakes are passed on
    exploring: float | None  # the chance of accepting what is rejected, where only what is accepted is passed on


@dataclass
class FiniteRun:
    """One way in which the rounds may have been played, and what it counts; `problem` says why it was not."""

    rule: rules.FiniteRule
    mistakes: int = 0
    updated: list[int] = field(default_factory=list)
    problem: NotCertified | None = None

    def play(self, number: int, x: Any, y: int, surprising: bool) -> None:
        """Play a round; no guess can have meant a label that is `surprising`."""
        try:
            guess = self.rule.guess(x)
            if self.rule.learn(x, y, guess):
                self.updated.append(number)
            self.mistakes += surprising or guess != y
        except NotCertified as problem:
            self.problem = self.problem or problem


def check_finite(certificate: Certificate, stream: Stream, learner: Learner | None, features: Any) -> Report:
    """Check a certificate of a learner over a finite class, which must be passed, or over rows or any instances."""
    besides = ("real", "classes", "seed")
    about = {key: value for key, value in certificate.learner.items() if key not in besides}
    same = learner is None or about == describe(learner)
    require(same, f"the certificate is about {about}, not {learner and describe(learner)}", NotCertified)
    known = _unwrap(about, learner, stream)
    declared = list(certificate.learner.get("classes", []))
    labels = Labels(declared)
    limit = UNLIMITED if known.about["name"] == "Memorizer" else 2
    if known.concepts is not None:
        own = list(getattr(known.concepts, "labels", (False, True)))
        same = declared == own and list(map(type, declared)) == list(map(type, own))
        require(same, f"no classes are {declared}", NotCertified)
        limit = len(own)
    runs = _find_runs(certificate, known)
    digest = Digest(certificate.version)
    read = _find_reader(known, stream, features)
    for chunk in read_rounds(stream, read, labels, certificate.rounds, limit):
        for number, (x, y) in enumerate(_list_rounds(chunk), start=digest.rounds):
            for expand in known.expansions:
                x = expand(x)
            for run in runs:
                run.play(number, x, y, number == 0 and is_surprise(stream, certificate.learner))
        digest.add(chunk)
    require_same_rounds(certificate, digest.rounds, digest.text())
    problem = NotCertified("no run is left")
    for run in runs:
        try:
            return _compare(certificate, run)
        except NotCertified as found:
            problem = found
    raise problem


def _unwrap(about: dict[str, Any], learner: Any, stream: Stream) -> FiniteLearner:
    """What a certificate says of its learner, conversions taken off."""
    expansions = list[Expansion]()
    doubled = 0
    conservative = 0
    exploring = None
    if about["name"] == "AppleTasting":
        about, learner, exploring = about["learner"], getattr(learner, "learner", None), about["exploring"]
        known = type(exploring) in (int, float) and 0 < exploring <= 1
        require(known, f"no learner explores with the chance {exploring!r}", NotCertified)
    while about["name"] in CONVERSIONS:
        require(about["name"] != "AppleTasting", "what is accepted is chosen outside of everything else", NotCertified)
        if about["name"] == "Conservative":
            conservative += 1
        elif about["name"] == "Duplicated":
            attributes = about["attributes"] or stream.size().attributes
            known = type(attributes) is int and attributes >= 1
            require(known, "negations are of attributes known from the start", NotCertified)
            expansions.append(partial(_add_negations, attributes=attributes))
            doubled = 2 * attributes
        else:
            degree = about["degree"]
            bits = about["bits"]
            known = type(degree) is int and degree >= 2 and (bits is None or (type(bits) is int and 1 <= bits <= 30))
            require(known, f"no learner has parameters {about}", NotCertified)
            expansions.append(partial(_add_products, degree=degree, bits=bits))
            doubled = 0
        about = about["learner"]
        learner = getattr(learner, "learner", None)
    name = about["name"]
    require(name in FINITE, f"no theorem here covers {name}", NotCertified)
    concepts = getattr(learner, "concepts", None)
    needed = name not in ("Elimination", "Memorizer")
    require(concepts is not None or not needed, f"to check a certificate of {name}, pass the learner", NotCertified)
    return FiniteLearner(about, concepts if needed else None, expansions, doubled, conservative, exploring)


def _find_runs(certificate: Certificate, known: FiniteLearner) -> list[FiniteRun]:
    """The ways in which the learner may have played: two, where attributes may have been declared or not."""
    name = known.about["name"]
    seed = certificate.learner.get("seed", 0)
    found = list[rules.FiniteRule]()
    tosses = name == "RandomizedHalving" or known.exploring is not None or known.about.get("choice") == "random"
    seeded = type(seed) is int and (tosses or "seed" not in certificate.learner)
    require(seeded, "a seed is a whole number, of a learner that tosses coins", NotCertified)
    seed &= 2**63 - 1
    if name in FILTERING:
        found.append(FILTERING[name](known.concepts, seed))
    elif name == "Consistent":
        found.append(rules.ConsistentRule(known.concepts, seed, known.about["choice"]))
    elif name == "Elimination":
        witness = certificate.witness
        for _ in range(known.conservative + (known.exploring is not None)):
            witness = witness["agreeing with them"]
        attributes = witness["attributes"]
        declarations = (True,) if known.doubled else (True, False)
        fits = type(attributes) is int and attributes == (known.doubled or attributes)
        require(fits, f"there are {known.doubled} attributes and negations, not {attributes}", NotCertified)
        words = known.about["target"], known.about["monotone"], attributes
        found += [EliminationRule(*words, declared) for declared in declarations]
    else:
        found.append(ClosureRule(known.concepts) if name == "Closure" else MemorizerRule())
    for _ in range(known.conservative):
        found = [rules.ConservativeRule(rule) for rule in found]
    if known.exploring is not None:
        found = [rules.AppleTastingRule(rule, seed, known.exploring) for rule in found]
    return [FiniteRun(rule) for rule in found]


def _find_reader(known: FiniteLearner, stream: Stream, features: Any) -> Callable[[Any], Chunk]:
    """What reads the chunks of a stream as such a learner does."""
    if features is None and known.about["name"] == "Memorizer" and not known.expansions:
        return lambda chunk: chunk if isinstance(chunk, Examples) else Instances(list(chunk), chunk.labels)
    return (features or known.concepts or stream.features() or Indexed()).read_chunk


def _list_rounds(chunk: Any) -> Iterator[tuple[Any, int]]:
    """The instances of a chunk as rules know them, and their class numbers."""
    codes = np.asarray(chunk.labels).tolist()
    if not isinstance(chunk, Examples):
        yield from zip(map(chunk.__getitem__, range(len(chunk))), codes, strict=True)
        return
    require(chunk.importance is None, "the rounds are not of equal importance", NotCertified)
    counts, attributes, values = list_entries(chunk, np.arange(len(chunk)))
    entries = zip(attributes.tolist(), values.tolist(), strict=True)
    for count, code in zip(counts.tolist(), codes, strict=True):
        yield tuple(sorted(next(entries) for _ in range(count))), code


def _add_negations(x: PairedRow, attributes: int) -> PairedRow:
    """Number 2i where attribute i is 1, and number 2i + 1 where it is 0."""
    active = list_active(x, attributes)
    return tuple((2 * i + (i not in active), 1.0) for i in range(attributes))


def _add_products(x: PairedRow, degree: int, bits: int | None) -> PairedRow:
    """The products of 1 to `degree` attributes that are 1, each under its number."""
    active = sorted(list_active(x, UNLIMITED))
    sets = [chosen for size in range(1, degree + 1) for chosen in combinations(active, size)]
    return tuple((number, 1.0) for number in sorted({number_product(chosen, degree, bits or 0) for chosen in sets}))


def _compare(certificate: Certificate, run: FiniteRun) -> Report:
    """Refuse a certificate that says anything else than what a run gives."""
    if run.problem is not None:
        raise run.problem
    claim = run.rule.conclude(certificate)
    mistakes = run.mistakes
    updated = tuple(run.updated)
    require(certificate.updated == updated and certificate.marks == (), "the update rounds are others", NotCertified)
    expected = vars(claim) | {"mistakes": mistakes, "updates": len(updated)}
    for name, here in expected.items():
        there = getattr(certificate, name)
        same = is_same_json(to_json_value(there), to_json_value(here))
        require(same and type(there) is not float, f"{name} is {here!r}, not {there!r}", NotCertified)
    return accept(certificate)
