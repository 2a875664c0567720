"""Mixed: certificates of runs over shards, checked in exact arithmetic.

In every pass each shard is gone through from the mean of the weights that the shards of the pass before ended with.
Means are fractions: whole numbers times 2^-bits / n, n being the product of the denominators of all shares so far. Each
decision is made again from the list of update rounds (`recheck`), so that the witness is measured and the excess of
agreements is counted on the run as exact arithmetic has it; with share m of its shard a step counts m (`mixing` has
the theorem). The run's own floats are asked only whether rounding, that of the means included, explains a decision
that differs: a mean of J adds at most J + 4 roundings to those of its most rounded shard.

Rows are checked by the digest of each shard. Shares are computed again; the mixed count and the bound are fractions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.labels import Labels
from littlestone.base.learner import UNLIMITED
from littlestone.certificates import theorems
from littlestone.certificates.check.integer_rows import Seen, fresh, look, pages
from littlestone.certificates.check.perceptron import Claim, claimed, impossible, measured
from littlestone.certificates.check.perceptron_exact import Bench, Ledger, Rule, followed

EVER = 2**62  # rounds: all of a shard
PASSES = 1 << 16  # that are played again
OVER = ", mixed over shards"


@dataclass
class Mean:
    """The weights that a pass starts from, in whole numbers of 2^-bits / parts, with what their rounding depends on."""

    labels: Labels
    exact: list[dict[int, int]]
    moved: Any
    parts: int = 1
    steps: int = 0

    def bench(self, rule: Rule, seen: Seen) -> Bench:
        """A bench with these weights."""
        bench = Bench(rule, seen, len(self.labels))
        bench.parts, bench.steps, bench.moved = self.parts, self.steps, self.moved.copy()
        bench.exact, bench.far = [dict(unit) for unit in self.exact], float(self.moved.max(initial=0.0))
        for number, unit in enumerate(self.exact):
            for j, weight in unit.items():
                bench.floats[number, j] = weight / (bench.one * self.parts)
        return bench


@dataclass
class Found:
    """What the replay of all passes found; a step's copies are its shard's share."""

    whole: Ledger = field(default_factory=Ledger)
    mixed: Fraction = Fraction(0)


def mixed(certificate: Certificate, shards: Sequence[Stream], features: Any) -> tuple[Any, ...]:
    """What a report says, or NotCertified."""
    learner, about = certificate.learner, certificate.learner["mixing"]
    claim, declared = claimed(learner), list(learner.get("classes", []))
    told = f"steps of {learner['name']} are rounded before they are mixed, and their mixtures are not checked here"
    require(claim.kind == "perceptron", told, NotCertified)
    passes, weights = about["passes"], about["weights"]
    sound = len(about) == 2 and type(passes) is int and 1 <= passes <= PASSES and weights in ("uniform", "updates")
    require(sound, f"no run over shards has {about}", NotCertified)
    constant, limit = float(claim.real(claim.bias)), UNLIMITED if claim.network else 2
    digests = certificate.stream.split()
    looks = [look(shard, fresh(features), declared, EVER, constant, limit) for shard in shards]
    shards = [shard for shard, seen in zip(shards, looks, strict=True) if seen.rounds]  # others have no share
    looks = [seen for seen in looks if seen.rounds]
    require(len(digests) == len(shards), f"it is about {len(digests)} shards, not {len(shards)}", NotCertified)
    for number, (seen, digest) in enumerate(zip(looks, digests, strict=True)):
        require(seen.digest == digest, f"the rounds of shard {number} are not those of the certificate", NotCertified)
    total = passes * sum(seen.rounds for seen in looks)
    require(certificate.rounds == total, f"the shards give {total} rounds, not {certificate.rounds}", NotCertified)
    updates = _dealt(certificate, claim, [seen.rounds for seen in looks] * passes)
    rate = Fraction(float(claim.real(claim.rate)))
    digits = 24 if claim.real is np.float32 else 53
    rule = Rule(claim.kind, Fraction(claim.margin) / rate, claim.tie, rate, digits, claim.network)
    found, seen = _replayed(certificate, rule, shards, features, looks, updates, constant)
    _told(certificate, found)
    _bound(certificate, claim, found, seen)
    differing = tuple(found.whole.differing)
    return certificate.theorem, certificate.counts, found.mixed, certificate.bound, total, True, differing


def _dealt(certificate: Certificate, claim: Claim, lengths: list[int]) -> list[tuple[int, tuple[int, ...], Any]]:
    """The update rounds of each shard in each pass, numbered within it, and their marks; before them where it begins.

    The certificate numbers all rounds of a run through, pass by pass and shard by shard.
    """
    updated, marks = certificate.updated, certificate.marks
    whole = all(type(number) is int for number in (*updated, *marks))
    rising = whole and all(a < b for a, b in zip((-1, *updated), (*updated, certificate.rounds), strict=True))
    require(rising, "the update rounds are not listed in order", NotCertified)
    fits = len(marks) == len(updated) * claim.network and all(mark >= 1 for mark in marks)
    require(fits, "marks do not fit the update rounds", NotCertified)
    found, first, place = [], 0, 0
    for length in lengths:
        end = place
        while end < len(updated) and updated[end] < first + length:
            end += 1
        found.append((first, tuple(t - first for t in updated[place:end]), marks[place:end]))
        first, place = first + length, end
    return found


def _replayed(
    certificate: Certificate,
    rule: Rule,
    shards: Sequence[Stream],
    features: Any,
    looks: list[Seen],
    updates: list[tuple[int, tuple[int, ...], Any]],
    constant: float,
) -> tuple[Found, Seen]:
    """All passes once more, each shard from the mean of the pass before."""
    declared, limit = list(certificate.learner.get("classes", [])), UNLIMITED if rule.network else 2
    labels = Labels(declared)
    for shard in shards:  # classes as the first shard numbers them, then the next one's new ones
        own = Labels(declared)
        for _ in pages(shard, fresh(features), own, EVER, constant, limit):
            pass
        for name in (*own.names, *own.others()):
            if name is not None:
                labels.number(name, limit)
    width, bits = max((seen.width for seen in looks), default=1), max((seen.bits for seen in looks), default=0)
    every = Seen("", 0, len(labels), width, bits, False)
    mean = Mean(Labels(declared), [{} for _ in range(len(labels) if rule.network else 1)], np.zeros(width))
    found, turns = Found(), iter(updates)
    for number in range(certificate.learner["mixing"]["passes"] if shards else 0):
        benches, ledgers, tables = list[Bench](), list[Ledger](), list[Labels]()
        for shard, seen in zip(shards, looks, strict=True):
            first, updated, marks = next(turns)
            own, bench = mean.labels.copy(), mean.bench(rule, every._replace(surprise=seen.surprise and number == 0))
            ledger = followed(pages(shard, fresh(features), own, EVER, constant, limit), bench, updated, marks)
            found.whole.differing += [first + t for t in ledger.differing]
            benches.append(bench)
            ledgers.append(ledger)
            tables.append(own)
        counts = [len(ledger.steps) for ledger in ledgers]
        if certificate.learner["mixing"]["weights"] == "uniform" or not any(counts) or len(shards) == 1:
            counts = [1] * len(shards)
        orders = [_order(labels, own, rule.network) for own in tables]
        for ledger, order, count in zip(ledgers, orders, counts, strict=True):
            _add(found, ledger, order, Fraction(count, sum(counts)))
        mean = _mean(labels.copy(), mean, benches, orders, counts)
    return found, every


def _order(labels: Labels, own: Labels, network: bool) -> list[int]:
    """The number in the whole run of each class of a shard."""
    numbers = [None if name is None else labels.known(name) for name in (own.names or [None, None])]
    known = [number for number in numbers if number is not None]
    free = [number for number in range(len(labels)) if number not in known]
    if network and None in numbers:  # it stepped away from a class that it has not met: from which, the others decide
        require(len(labels) <= 2, "a shard has met one class only: declare the classes", NotCertified)
    return [free.pop(0) if number is None else number for number in numbers]


def _add(found: Found, ledger: Ledger, order: list[int], share: Fraction) -> None:
    """The steps of a shard with its share, by the class numbers of the whole run."""
    whole = found.whole
    whole.fewest, whole.most = whole.fewest + ledger.fewest, whole.most + ledger.most
    whole.excess += share * ledger.excess
    found.mixed += share * len(ledger.steps)
    for columns, values, code, rival, _ in ledger.steps:
        away = rival if rival < 0 else order[rival]
        whole.steps.append((columns, values, order[code], away, share))  # type: ignore[arg-type]


def _mean(labels: Labels, start: Mean, benches: list[Bench], orders: list[list[int]], counts: list[int]) -> Mean:
    """The mean of the weights on some benches, in proportion to `counts`."""
    units: list[dict[int, int]] = [{} for _ in start.exact]
    for bench, order, count in zip(benches, orders, counts, strict=True):
        for place, unit in enumerate(bench.exact):
            if len(units) == 1:
                there, times = units[0], -count if order[:2] == [1, 0] else count
            elif unit:
                there, times = units[order[place]], count
            else:
                continue
            for j, weight in unit.items():
                there[j] = there.get(j, 0) + times * weight
    total = sum(counts)
    moved = sum(count / total * bench.moved for bench, count in zip(benches, counts, strict=True)) * (1 + 2.0**-40)
    steps = max(bench.steps for bench in benches)
    if len(benches) == 1:  # the mean of one is itself, to the bit
        return Mean(labels, units, benches[0].moved, start.parts * total, steps)
    return Mean(labels, units, moved, start.parts * total, steps + len(benches) + 4)


def _told(certificate: Certificate, found: Found) -> None:
    """The counts must be those of the replay, and the words those of the theorem."""
    updates, mistakes, whole = len(certificate.updated), certificate.mistakes, found.whole
    require(certificate.updates == updates, f"{updates} updates are listed, not {certificate.updates}", NotCertified)
    between = str(whole.fewest) if whole.fewest == whole.most else f"{whole.fewest} to {whole.most}"
    right = type(mistakes) is int and whole.fewest <= mistakes <= whole.most
    require(right, f"the run makes {between} mistakes, not {mistakes}", NotCertified)
    count = certificate.count
    same = type(count) in (int, Fraction) and count == found.mixed
    require(same, f"the mixed updates are {found.mixed}, not {count}", NotCertified)
    kind = (certificate.counts, certificate.scope, certificate.exact)
    expected = ("mixed updates", "sequence", True)
    require(kind == expected, f"what is counted, scope and exact must be {expected}", NotCertified)


def _bound(certificate: Certificate, claim: Claim, found: Found, seen: Seen) -> None:
    """The theorem must make the bound itself impossible: a mixed count is no whole number."""
    name, bound = certificate.theorem.removesuffix(OVER), certificate.bound
    promises = {theorem.name: theorem.promise for theorem in theorems.PERCEPTRON}
    require(name in promises, f"no theorem is called {name!r}", NotCertified)
    told = (name + OVER, promises[name].replace("update round", "update round of every shard", 1))
    require((certificate.theorem, certificate.promise) == told, f"the theorem is {told}", NotCertified)
    if type(bound) not in (int, Fraction) or bound < 0:
        raise NotCertified(f"the bound must be a fraction, got {bound!r}")
    facts = measured(certificate, claim, found.whole, seen)
    require(facts.margin > 0, "the margin must be positive", NotCertified)
    require(impossible(name, facts, Fraction(bound)), f"the witness does not give {bound}", NotCertified)
    require(found.mixed <= bound, f"{found.mixed} exceeds the bound {bound}", NotCertified)
