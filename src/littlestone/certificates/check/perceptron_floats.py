"""Rerun: a run whose steps are not whole numbers, played again in float64 from the list of its update rounds.

Passive-aggressive and normalized steps are quotients and roots, rounded in the run and rounded here, so a decision is
checked only up to a tolerance: e (steps + entries + 16) sum |w_i moved| |x_i|, e being 16 times the rounding of the
run's floats. That is an estimate, not a proof, and certificates of these learners say that they are not exact.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.integer_rows import Page, Seen
from littlestone.certificates.check.perceptron_exact import Ledger


class Rule(NamedTuple):
    """A rule by its parameters; a network doubles the squared length of a step's direction."""

    kind: str  # normalized or passive
    margin: float
    tie: str
    rate: float
    digits: int
    network: bool
    variant: str = ""
    aggressiveness: float = 0.0

    def step(self, agreement: float, square: float) -> float:
        """How far along the direction; 0 where there is none."""
        if square == 0:
            return 0.0
        if self.kind == "normalized":
            return float(self.rate / np.sqrt(square))
        if self.variant == "I":
            return min(self.aggressiveness, (self.margin - agreement) / square)
        return (self.margin - agreement) / (square + (0.5 / self.aggressiveness if self.variant == "II" else 0.0))


def recount(
    pages: Iterable[Page], rule: Rule, seen: Seen, classes: int, updated: tuple[int, ...], marks: tuple[int, ...]
) -> tuple[Ledger, int]:
    """All rounds with the weights that the listed updates give, and how many mistakes at most moved nothing."""
    ledger, due, still, met = Ledger(), dict(zip(updated, marks or (1,) * len(updated), strict=True)), 0, classes
    weights = np.zeros((seen.classes if rule.network else 1, seen.width))
    moved, e = np.zeros(seen.width), 2.0 ** (4 - rule.digits)
    for page in pages:
        for t, code in enumerate(page.codes.tolist()):
            part, number = slice(page.indptr[t], page.indptr[t + 1]), page.first + t
            columns, values = page.columns[part], page.values[part]
            scores = weights[:, columns] @ values
            size = float(moved[columns] @ np.abs(values)) * (1 + rule.network)
            tolerance = e * (len(ledger.steps) + len(columns) + 16) * (size + abs(rule.margin) * (size > 0))
            gap, rival, lost = _gap(rule, scores, code, met)
            square = float(values @ values) * (1 + rule.network)
            _judge(rule, ledger, number, code, gap, tolerance, square > 0, number in due)
            if number in due:
                if rule.network:
                    rival = _rival(due[number] - 1, code, met, scores, rival, tolerance, number)
                length = rule.step(min(gap, rule.margin), square)
                weights[code if rule.network else 0, columns] += length * values * (1 if code or rule.network else -1)
                if rule.network:
                    weights[rival, columns] -= length * values
                moved[columns] += abs(length) * np.abs(values)
                row = page.row(t, seen.bits)
                ledger.steps.append((*row, code, rival if rule.network else -1, 1))
            unsure = abs(gap) <= tolerance and size > 0
            surely = (number == 0 and seen.surprise) or (rule.network and code >= met)
            wrong = surely or gap < 0 or (gap == 0 and lost)
            ledger.fewest += wrong and (surely or not unsure)
            ledger.most += wrong or unsure
            still += (wrong or unsure) and number not in due
            met = max(met, code + 1)
    require(len(ledger.steps) == len(updated), "an update is listed beyond the last round", NotCertified)
    return ledger, still


def _gap(rule: Rule, scores: Any, code: int, met: int) -> tuple[float, int, bool]:
    """The agreement, the best rival, and whether an agreement of 0 is a mistake."""
    if not rule.network:
        return float(scores[0] if code else -scores[0]), -1, code != int(rule.tie == "plus")
    rival = max((c for c in range(met) if c != code), key=lambda c: (scores[c], -c))
    own = float(scores[code]) if code < met else 0.0
    return own - float(scores[rival]), rival, rival < code


def _judge(
    rule: Rule, ledger: Ledger, number: int, code: int, gap: float, tolerance: float, some: bool, listed: bool
) -> None:
    """Refuse a decision that rounding cannot explain."""
    at_margin = rule.network or rule.tie == "strict" or rule.margin > 0 or code != int(rule.tie == "plus")
    at_margin = at_margin and rule.kind != "passive"  # a loss of 0 is a step of 0
    teaches = some and (gap < rule.margin or (gap == rule.margin and at_margin))
    if teaches != listed:
        near = some and abs(gap - rule.margin) <= tolerance and tolerance > 0
        must = "must teach and is not listed" if teaches else "is listed and must not teach"
        require(near, f"round {number} {must}: its agreement is {gap:.6g}", NotCertified)
        ledger.differing.append(number)


def _rival(given: int, code: int, met: int, scores: Any, best: int, tolerance: float, number: int) -> int:
    """The class that was stepped away from, if it can have been the best other one."""
    known = 0 <= given < met and given != code
    near = known and (given == best or (scores[best] - scores[given] <= tolerance and tolerance > 0))
    require(near, f"round {number} steps away from class {given}, not from its best rival", NotCertified)
    return given
