"""Certificates of runs over shards, checked in exact arithmetic.

In every pass each shard is gone through from the mean of the weights that the shards of the pass before ended with.
Means are fractions: whole numbers times 2^-bits / n, n being the product of the denominators of all shares so far. Each
decision is made again from the list of update rounds (`additive_exact`), so that the witness is measured and the excess
of agreements is counted on the run as exact arithmetic has it; with share m of its shard a step counts m (`mixing` has
the theorem). The run's own floats are asked only whether rounding, that of the means included, explains a decision
that differs: a mean of J adds at most J + 4 roundings to those of its most rounded shard. A certificate that says how
its rows were held is played again bit for bit besides (`float_runs/shards.py`), so that one count alone is accepted.

Rows are checked by the digest of each shard. Shares are computed again; the mixed count and the bound are fractions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.labels import Labels
from littlestone.certificates.check.additive import find_theorem, measure_witness, read_claim
from littlestone.certificates.check.additive_exact import AdditiveReplay, ExactWeights, ReplayedStep, replay_exactly
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatRun
from littlestone.certificates.check.float_runs.shards import FloatShard, replay_passes
from littlestone.certificates.check.integer_rows import ColumnStream, StreamFacts, is_surprise, require_rising
from littlestone.certificates.check.report import Report, accept, require_words
from littlestone.certificates.check.rules import AdditiveClaim
from littlestone.certificates.check.same_run import require_same_run

EVER = 2**62  # rounds: all of a shard
PASSES = 1 << 16  # that are played again
FINE = 1024  # a bound on a count that is no whole number is a multiple of 1 / FINE
OVER = ", mixed over shards"


class ShardUpdates(NamedTuple):
    """The updates of one shard in one pass, numbered within it, and the number of its first round in the whole run."""

    first: int
    updated: tuple[int, ...]
    marks: tuple[int, ...]


@dataclass
class MeanWeights:
    """The weights that a pass starts from, in whole numbers of 2^-bits / parts, with what their rounding depends on."""

    labels: Labels
    exact: list[dict[int, int]]
    moved: Any
    parts: int = 1
    steps: int = 0

    def start(self, claim: AdditiveClaim, facts: StreamFacts) -> ExactWeights:
        """Weights of a shard that start as these."""
        weights = ExactWeights(claim, facts, len(self.labels))
        weights.parts, weights.steps, weights.moved = self.parts, self.steps, self.moved.copy()
        weights.exact, weights.far = [dict(unit) for unit in self.exact], float(self.moved.max(initial=0.0))
        for number, unit in enumerate(self.exact):
            for j, weight in unit.items():
                weights.floats[number, j] = weight / (weights.one * self.parts)
        return weights


@dataclass
class MixedReplay(AdditiveReplay):
    """What the replay of all passes found; the copies of a step are its shard's share."""

    mixed: Fraction = Fraction(0)

    def add(self, replay: AdditiveReplay, order: list[int], share: Fraction) -> None:
        """Add the steps of a shard with its share, by the class numbers of the whole run."""
        self.fewest, self.most = self.fewest + replay.fewest, self.most + replay.most
        self.excess += share * replay.excess
        self.mixed += share * len(replay.steps)
        for columns, values, code, rival, _ in replay.steps:
            away = rival if rival < 0 else order[rival]
            self.steps.append(ReplayedStep(columns, values, order[code], away, share))


class Shards(NamedTuple):
    """The shards that have rounds, what is known of each, and of all of them together."""

    streams: list[ColumnStream]
    facts: list[StreamFacts]
    every: StreamFacts
    labels: Labels  # classes as the first shard numbers them, then the next one's new ones
    orders: list[list[int]]  # the number there of each class that a shard numbers in its first pass

    @classmethod
    def survey(cls, streams: Sequence[ColumnStream], network: bool, version: int | None) -> "Shards":
        """Look at all rounds once; shards without any have no share, and are left out."""
        facts = [stream.survey(version) for stream in streams]
        kept = [(stream, found) for stream, found in zip(streams, facts, strict=True) if found.rounds]
        labels = Labels(streams[0].declared)
        tables = list[Labels]()
        for stream, _ in kept:
            own = Labels(stream.declared)
            for _ in stream.read(own):
                pass
            for name in (*own.names, *own.aliases()):
                if name is not None:
                    labels.encode_one(name, stream.limit)
            tables.append(own)
        width = max((one.width for one in facts), default=1)
        bits = max((one.bits for one in facts), default=0)
        every = StreamFacts("", 0, len(labels), width, bits, False)
        orders = [_order_classes(labels, own, network) for own in tables]
        return cls([stream for stream, _ in kept], [found for _, found in kept], every, labels, orders)


def check_shards(certificate: Certificate, streams: Sequence[Stream], features: Any) -> Report:
    """Check a certificate of passes over shards."""
    learner = certificate.learner
    about = certificate.learner["mixing"]
    claim = read_claim(learner)
    declared = list(learner.get("classes", []))
    message = f"steps of {learner['name']} are rounded before they are mixed, and their mixtures are not checked here"
    require(claim.rule.exact and not claim.rule.marked, message, NotCertified)
    passes = about["passes"]
    weights = about["weights"]
    require_words(about, ("passes", "weights"), ["places"])
    sound = type(passes) is int and 1 <= passes <= PASSES and weights in ("uniform", "updates")
    require(sound, f"no run over shards has {about}", NotCertified)
    read = [ColumnStream(stream, features, declared, EVER, claim.bias, claim.limit) for stream in streams]
    shards = Shards.survey(read, claim.network, certificate.version)
    digests = certificate.stream.split(" ") if certificate.stream else []
    many = len(shards.streams)
    require(len(digests) == many, f"it is about {len(digests)} shards, not {many}", NotCertified)
    for number, (facts, digest) in enumerate(zip(shards.facts, digests, strict=True)):
        require(facts.digest == digest, f"the rounds of shard {number} are not those of the certificate", NotCertified)
    total = passes * sum(facts.rounds for facts in shards.facts)
    require(certificate.rounds == total, f"the shards give {total} rounds, not {certificate.rounds}", NotCertified)
    replay = _replay(certificate, claim, shards)
    run = _replay_floats(certificate, shards)
    _check_counts(certificate, replay)
    _check_bound(certificate, claim, replay, shards.every)
    return replace(accept(certificate, replay.differing, replay.possible), replayed=run is not None)


def _replay_floats(certificate: Certificate, shards: Shards) -> FloatRun | None:
    """Play the run again bit for bit and refuse counts that are not its own; None if it cannot be played so."""
    about = certificate.learner
    many = len(shards.streams)
    places = about["mixing"].get("places", list(range(many)))
    rising = len(places) == many and all(type(place) is int for place in places)
    rising = rising and all(a < b for a, b in pairwise((-1, *places, 2**31)))
    require(rising, f"{many} shards cannot have the places {places}", NotCertified)
    if certificate.version is None or certificate.rows is None:
        return None
    rows = [
        ArrangedRows.of(certificate, stream.stream, stream.features, stream.limit)._replace(rounds=facts.rounds)
        for stream, facts in zip(shards.streams, shards.facts, strict=True)
    ]
    with np.errstate(all="ignore"):  # of a run that leaves its floats, no decision is the one that is claimed
        run = replay_passes(about, list(map(FloatShard, rows, places, shards.orders)), shards.labels)
    if run is not None:
        require_same_run(certificate, run)
    return run


def _deal_updates(certificate: Certificate, claim: AdditiveClaim, lengths: list[int]) -> list[ShardUpdates]:
    """Share out the updates, which a certificate numbers through, pass by pass and shard by shard."""
    updated = certificate.updated
    marks = certificate.marks
    require_rising(updated, marks, certificate.rounds)
    fits = len(marks) == len(updated) * claim.network and all(mark >= 1 for mark in marks)
    require(fits, "marks do not fit the update rounds", NotCertified)
    found = []
    first = 0
    place = 0
    for length in lengths:
        end = place
        while end < len(updated) and updated[end] < first + length:
            end += 1
        found.append(ShardUpdates(first, tuple(t - first for t in updated[place:end]), marks[place:end]))
        first = first + length
        place = end
    return found


def _replay(certificate: Certificate, claim: AdditiveClaim, shards: Shards) -> MixedReplay:
    """Go through all passes once more, each shard from the mean of the pass before."""
    about = certificate.learner["mixing"]
    units = len(shards.labels) if claim.network else 1
    mean = MeanWeights(
        Labels(certificate.learner.get("classes", [])), [{} for _ in range(units)], np.zeros(shards.every.width)
    )
    found = MixedReplay()
    turns = iter(_deal_updates(certificate, claim, [facts.rounds for facts in shards.facts] * about["passes"]))
    for number in range(about["passes"] if shards.streams else 0):
        ends = list[ExactWeights]()
        replays = list[AdditiveReplay]()
        for stream in shards.streams:
            turn = next(turns)
            surprise = number == 0 and is_surprise(stream.stream, certificate.learner)
            weights = mean.start(claim, shards.every._replace(surprise=surprise))
            replay = replay_exactly(stream.read(mean.labels.copy()), weights, turn.updated, turn.marks)
            found.differing += [turn.first + t for t in replay.differing]
            ends.append(weights)
            replays.append(replay)
        counts = [len(replay.steps) for replay in replays]
        if about["weights"] == "uniform" or not any(counts) or len(replays) == 1:
            counts = [1] * len(replays)
        orders = [list(range(len(shards.labels)))] * len(replays) if number else shards.orders
        for replay, order, count in zip(replays, orders, counts, strict=True):
            found.add(replay, order, Fraction(count, sum(counts)))
        mean = _mix(shards.labels.copy(), mean, ends, orders, counts)
    return found


def _order_classes(labels: Labels, own: Labels, network: bool) -> list[int]:
    """The number in the whole run of each class of a shard."""
    numbers = [None if name is None else labels.find(name) for name in (own.names or [None, None])]
    known = [number for number in numbers if number is not None]
    free = [number for number in range(len(labels)) if number not in known]
    if network and None in numbers:  # it stepped away from a class that it has not met: from which, the others decide
        require(len(labels) <= 2, "a shard has met one class only: declare the classes", NotCertified)
    return [free.pop(0) if number is None else number for number in numbers]


def _mix(
    labels: Labels, start: MeanWeights, ends: list[ExactWeights], orders: list[list[int]], counts: list[int]
) -> MeanWeights:
    """The mean of the weights with which shards ended, in proportion to `counts`."""
    units: list[dict[int, int]] = [{} for _ in start.exact]
    for weights, order, count in zip(ends, orders, counts, strict=True):
        for place, unit in enumerate(weights.exact):
            if len(units) == 1:
                there = units[0]
                times = -count if order[:2] == [1, 0] else count
            elif unit:
                there = units[order[place]]
                times = count
            else:
                continue
            for j, weight in unit.items():
                there[j] = there.get(j, 0) + times * weight
    total = sum(counts)
    moved = sum(count / total * weights.moved for weights, count in zip(ends, counts, strict=True)) * (1 + 2.0**-40)
    steps = max(weights.steps for weights in ends)
    if len(ends) == 1:  # the mean of one is itself, to the bit
        return MeanWeights(labels, units, ends[0].moved, start.parts * total, steps)
    return MeanWeights(labels, units, moved, start.parts * total, steps + len(ends) + 4)


def _check_counts(certificate: Certificate, found: MixedReplay) -> None:
    """Refuse counts that are not those of the replay, and words that are not those of the theorem."""
    updates = len(certificate.updated)
    count = certificate.count
    require(certificate.updates == updates, f"{updates} updates are listed, not {certificate.updates}", NotCertified)
    found.check_mistakes(certificate.mistakes)
    same = type(count) in (int, Fraction) and count == found.mixed
    require(same, f"the mixed updates are {found.mixed}, not {count}", NotCertified)
    kind = (certificate.counts, certificate.scope, certificate.exact)
    expected = ("mixed updates", "sequence", True)
    require(kind == expected, f"what is counted, scope and exact must be {expected}", NotCertified)


def _check_bound(certificate: Certificate, claim: AdditiveClaim, found: MixedReplay, facts: StreamFacts) -> None:
    """Refuse a bound unless the theorem makes the bound itself impossible: a mixed count is no whole number."""
    name = certificate.theorem.removesuffix(OVER)
    bound = certificate.bound
    if type(bound) not in (int, Fraction) or bound < 0:
        raise NotCertified(f"the bound must be a fraction, got {bound!r}")
    witness = measure_witness(certificate, claim, found, facts)
    theorem = find_theorem(claim.rule.theorems, name, witness)
    words = (name + OVER, theorem.promise.replace("update round", "update round of every shard", 1))
    require((certificate.theorem, certificate.promise) == words, f"the theorem is {words}", NotCertified)
    impossible = theorem.impossible(witness, Fraction(bound), claim.parameters)
    require(impossible, f"the witness does not give {bound}", NotCertified)
    less = Fraction(bound) - Fraction(1, FINE)
    if certificate.version is not None and less > 0:
        loose = theorem.impossible(witness.loosen(len(found.steps), claim.rule.normalized), less, claim.parameters)
        require(not loose, f"the witness gives less than {bound}", NotCertified)
