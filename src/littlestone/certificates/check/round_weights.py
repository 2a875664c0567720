"""How much the rounds of a certificate count: by their class, or as they came with the stream.

A description of a learner for log-loss or for numbers has `weights` unless every round counts once:

    {"by": "balanced"}                  round n counts n / (k m): k classes came so far, m of the n rounds had its label
    {"by": "class", "each": [1, 2.5]}   by the number of its class
    {"by": "round", "digest": "..."}    as the stream says: SHA-256 of these numbers as 64-bit floats, little end first

The first two need not come with the stream. Where it has weights of its own they must be these. Certificates of
Perceptrons have no such description: what they count is the weight of updates, by the weights that the stream has.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Instances
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.integer_rows import read_rounds
from littlestone.certificates.check.report import require_words
from littlestone.environments.derived import Derived

WORDS = {"balanced": ("by",), "class": ("by", "each"), "round": ("by", "digest")}
LARGEST = 1e6  # times that a round may count


class PlainStream(Derived):
    """The rounds of a stream without their weights."""

    def chunks(self) -> Iterator[Chunk]:
        for chunk in self.stream.chunks():
            yield chunk if isinstance(chunk, Instances) else replace(chunk, importance=None)


def take_weights(given: Array | None, rounds: int) -> Array:
    """Weights that rounds came with as float64, 1 where they have none; refuse what is no weight."""
    weights = np.ones(rounds) if given is None else np.asarray(given, np.float64)
    require(bool(np.isfinite(weights).all() and (weights >= 0).all()), "weights are numbers, at least 0", NotCertified)
    return weights


def read_weights(stream: Stream, rounds: int) -> Array:
    """The weights of the first rounds of a stream, 1 where there are none."""
    chunks = take_rounds(stream.chunks(), rounds)
    parts = [take_weights(getattr(chunk, "importance", None), len(chunk)) for chunk in chunks]
    return np.concatenate([np.zeros(0), *parts])


class RoundWeights:
    """How much rounds count, in their order, as a certificate says it; None: once each."""

    def __init__(self, told: Any) -> None:
        self.told, self._hash = {"by": "class", "each": []} if told is None else told, hashlib.sha256()
        self._counts = np.zeros(0, np.int64)  # rounds of each class so far
        if told is None:
            return
        require(type(told) is dict and told.get("by") in WORDS, f"rounds do not count by {told!r}", NotCertified)
        require_words(told, WORDS[told["by"]])
        numbers = told.get("each", [1.0])
        sound = type(numbers) is list and all(type(weight) in (int, float) for weight in numbers)
        sound = sound and all(0 <= weight <= LARGEST for weight in numbers)
        require(sound, f"classes do not count {numbers!r} times", NotCertified)

    def weigh(self, codes: Array, given: Array | None) -> Array:
        """How much the next rounds count; `given` are the weights that they came with, if any."""
        known = self.told["by"]
        if known == "round":
            require(given is not None, "it is about rounds of unequal importance, and these have none", NotCertified)
            weights = take_weights(given, len(codes))
            self._hash.update(np.ascontiguousarray(weights, "<f8").data)
            return weights
        weights = self._balance(codes) if known == "balanced" else self._look_up(codes)
        same = given is None or np.array_equal(take_weights(given, len(codes)), weights)
        require(same, "the rounds do not count as the certificate says", NotCertified)
        return weights

    def finish(self) -> None:
        """Refuse, after the last round, weights of rounds that are not those of the certificate."""
        same = self.told["by"] != "round" or self._hash.hexdigest() == self.told["digest"]
        require(same, "the rounds do not count as those of the certificate", NotCertified)

    def _look_up(self, codes: Array) -> Array:
        each = self.told["each"]
        if not each:
            return np.ones(len(codes))
        enough = int(codes.max(initial=0)) < len(each)
        require(enough, f"it has weights of {len(each)} classes, and there are more", NotCertified)
        return np.asarray(np.array(each, np.float64)[codes])

    def _balance(self, codes: Array) -> Array:
        more = int(codes.max(initial=-1)) + 1 - len(self._counts)
        counts = np.pad(self._counts, (0, max(0, more)))
        weights = np.ones(len(codes))
        rounds = int(counts.sum())
        many = int(np.count_nonzero(counts))
        for t, code in enumerate(codes.tolist()):
            many += int(counts[code] == 0)
            counts[code] += 1
            rounds += 1
            weights[t] = rounds / (many * int(counts[code]))
        self._counts = counts
        return weights


def explain_weights(codes: Array, weights: Array) -> dict[str, Any] | None:
    """The shortest description of what rounds counted; None: once each."""
    if bool((weights == 1).all()):
        return None
    balanced: dict[str, Any] = {"by": "balanced"}
    if np.array_equal(RoundWeights(balanced).weigh(codes, None), weights):
        return balanced
    each = np.ones(int(codes.max(initial=0)) + 1)
    each[codes] = weights
    if np.array_equal(each[codes], weights):
        return {"by": "class", "each": each.tolist()}
    return explain_numbers(weights)


def explain_numbers(weights: Array) -> dict[str, Any] | None:
    """The description of what rounds counted where labels are numbers; None: once each."""
    if bool((weights == 1).all()):
        return None
    return {"by": "round", "digest": hashlib.sha256(np.ascontiguousarray(weights, "<f8").data).hexdigest()}


def read_weighed(rows: ArrangedRows, told: Any) -> Iterator[WeighedChunk]:
    """The rounds of a certificate from the first one on, with their weights."""
    weights = RoundWeights(told)
    first = 0
    features = rows.features.renew()
    labels = rows.labels.copy()
    for seen in read_rounds(rows.stream, features.read_chunk, labels, rows.rounds, rows.limit):
        require(isinstance(seen, Examples), "the rounds are not rows of attributes", NotCertified)
        entries = rows.arrange(seen, np.float64)
        yield WeighedChunk(first, *entries, seen.labels, weights.weigh(np.asarray(seen.labels), seen.importance))
        first += len(seen)
    weights.finish()
