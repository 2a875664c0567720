"""A run whose steps are no whole multiples of rows, played again in float64 from the list of its update rounds.

Such steps are quotients and roots, rounded in the run and rounded here, so a decision is checked only up to a
tolerance: e (steps + entries + 16) sum |w_i moved| |x_i|, e being 16 times the rounding of the run's floats. That is
an estimate, not a proof, and certificates of these learners say that they are not exact.
"""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.additive_exact import AdditiveReplay, ReplayedStep
from littlestone.certificates.check.integer_rows import ColumnChunk, StreamFacts
from littlestone.certificates.check.rules import AdditiveClaim, CheckedStep, UpdateFacts

LEAST = 2.0**-500  # a factor that is smaller is multiplied in


class FloatAgreement(NamedTuple):
    """The agreement of a round, the best rival (-1: none), and whether an agreement of 0 is a mistake."""

    gap: float
    rival: int
    lost: bool


class FloatWeights:
    """Weights of one unit, or of one for each class: `factor` times `numbers`; and how far they were `moved` in all."""

    def __init__(self, claim: AdditiveClaim, facts: StreamFacts) -> None:
        self.network = claim.network
        self.factor = 1.0
        self.length = 0.0
        self.numbers, self.moved = np.zeros((facts.classes if claim.network else 1, facts.width)), np.zeros(facts.width)

    def score(self, columns: Array, values: Array) -> Array:
        """The score of every unit."""
        return np.asarray(self.factor * (self.numbers[:, columns] @ values))

    def step(self, row: tuple[Array, Array], units: list[tuple[int, int]], seen: UpdateFacts, by: CheckedStep) -> None:
        """Shrink the weights, add the row to some units with a sign each, and cut the weights to their longest."""
        self.length = by.shrink**2 * self.length + 2 * by.shrink * by.along * seen.agreement + by.along**2 * seen.square
        self._multiply(by.shrink)
        (columns, values), along = row, by.along / self.factor
        for unit, sign in units:
            self.numbers[unit, columns] += along * values * sign
        self.moved[columns] += abs(along) * np.abs(values)
        if self.length > by.cap**2:
            self._multiply(by.cap / sqrt(self.length))
            self.length = by.cap**2

    def _multiply(self, factor: float) -> None:
        self.factor *= factor
        if abs(self.factor) < LEAST:
            self.numbers, self.moved = self.numbers * self.factor, self.moved * abs(self.factor)
            self.factor = 1.0


def replay_in_floats(
    chunks: Iterable[ColumnChunk],
    claim: AdditiveClaim,
    facts: StreamFacts,
    classes: int,
    updated: tuple[int, ...],
    marks: tuple[int, ...],
) -> tuple[AdditiveReplay, int]:
    """Go through all rounds with the weights that the listed updates give.

    Returns:
        What the replay found.
        How many mistakes at most moved nothing.
    """
    due = dict(zip(updated, marks or (1,) * len(updated), strict=True))
    replay = AdditiveReplay()
    still = 0
    met = classes
    weights = FloatWeights(claim, facts)
    e = 2.0 ** (4 - claim.digits)
    many = 1 + claim.network
    for chunk in chunks:
        for t, code in enumerate(chunk.codes.tolist()):
            part = slice(chunk.indptr[t], chunk.indptr[t + 1])
            number = chunk.first + t
            columns = chunk.columns[part]
            values = chunk.values[part]
            scores = weights.score(columns, values)
            at = _agree(claim, scores, code, met)
            seen = UpdateFacts(at.gap, float(values @ values) * many, weights.length, len(replay.steps))
            threshold = claim.rule.threshold(seen, claim.parameters)
            size = abs(weights.factor) * float(weights.moved[columns] @ np.abs(values)) * many
            tolerance = e * (len(replay.steps) + len(columns) + 16) * (size + abs(threshold) * (size > 0))
            teaches = at.gap < threshold or (at.gap == threshold and claim.teaches_at_threshold(code, threshold))
            teaches = teaches and seen.square > 0
            near = abs(at.gap - threshold) <= tolerance and tolerance > 0
            near = near and seen.square > 0
            replay.decide(number, teaches, number in due, near, "agreement", at.gap)
            if number in due:
                rival = -1
                units = [(0, 1 if code else -1)]
                if claim.network:
                    others = set(range(met)) - {code}
                    rival = _check_rival(number, due[number] - 1, at.rival, others, scores, tolerance)
                    units = [(code, 1), (rival, -1)]
                seen = seen._replace(agreement=min(at.gap, threshold))
                weights.step((columns, values), units, seen, claim.rule.step(seen, claim.parameters))
                replay.steps.append(ReplayedStep(*chunk.row(t, facts.bits), code, rival, 1))
            surely = (number == 0 and facts.surprise) or (claim.network and code >= met)
            wrong = surely or at.gap < 0 or (at.gap == 0 and at.lost)
            sure = surely or abs(at.gap) > tolerance or size == 0
            replay.count(wrong, sure)
            still += (wrong or not sure) and number not in due
            met = max(met, code + 1)
    require(len(replay.steps) == len(updated), "an update is listed beyond the last round", NotCertified)
    return replay, still


def _agree(claim: AdditiveClaim, scores: Array, code: int, met: int) -> FloatAgreement:
    """The agreement of a round of this class with these scores, of the classes met before."""
    if not claim.network:
        return FloatAgreement(float(scores[0] if code else -scores[0]), -1, claim.loses_ties(code))
    rival = max((c for c in range(met) if c != code), key=lambda c: (scores[c], -c))
    own = float(scores[code]) if code < met else 0.0
    return FloatAgreement(own - float(scores[rival]), rival, rival < code)


def _check_rival(number: int, away: int, best: int, others: set[int], scores: Array, tolerance: float) -> int:
    """The class that a round stepped away from, refused unless it can have been the best of the others."""
    near = away == best or (away in others and scores[best] - scores[away] <= tolerance and tolerance > 0)
    require(near, f"round {number} steps away from class {away}, not from its best rival", NotCertified)
    return away
