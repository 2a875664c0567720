"""Winnow: what its theorems say about the promotions and demotions of a run.

A witness is a vector m of whole numbers with two more, p > q: m.x >= p on promotions and m.x <= q on demotions, up to
slacks that are summed. Linear programs propose it; it is rounded, and only then measured, in whole numbers. They charge
every unit of slack twice, so that a witness which explains nothing costs two for each promotion; the bound itself is
computed with slacks as they are.
"""

from dataclasses import replace
from fractions import Fraction
from math import floor, gcd, inf
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.theorem import StepRule, Theorem
from littlestone.certificates.make.linear_programs import find_cheapest_target, find_cover, merge_equal_rows
from littlestone.certificates.make.margins import Rows, fit_soft_margin
from littlestone.certificates.make.steps import StepVectors, TracedRun
from littlestone.learners.shared.winnow_theory import (
    DRIFT,
    ELIMINATION,
    MARGIN,
    OR,
    SLACK,
    PromotionFacts,
    ScheduleFacts,
    Setting,
    find_least_power,
)

BITS = 20
SHARES = (0.0, 0.25, 0.5, 0.75, 0.9)  # of the largest ceiling that the promotion allows
LARGE = 100_000  # entries, beyond which one program must do
CLOSE = 1e-9  # sums nearer to a threshold than this are computed again in fractions


class WinnowChoice(NamedTuple):
    """A theorem, the bound that it gives, and the witness."""

    theorem: Theorem
    bound: int
    witness: dict[str, Any]


class UpdateLog(NamedTuple):
    """The updates of one run: promotions and demotions as rows, and what rounding cost."""

    setting: Setting
    rows: Rows
    positive: Array
    attributes: Array
    excess: Fraction  # what decisions on the wrong side of a threshold have added to the sum of all weights
    highest: Fraction  # the largest sum that was promoted though it was not below the threshold

    @classmethod
    def of(cls, run: TracedRun) -> Self:
        """The updates of a run of Winnow, with the threshold of its game."""
        learner: Any = run.learner
        theta = float(run.state.threshold[0])
        wide = float(learner.margin)
        flags = bool(learner.strict_gt), bool(learner.eliminate)
        setting = Setting(Fraction(float(learner.promotion)), Fraction(theta + wide), Fraction(theta - wide), *flags)
        vectors = StepVectors.of(run.steps, StepRule(0.0), 0.0)
        rows = replace(vectors.rows, values=np.abs(vectors.rows.values))
        positive = run.steps.classes > 0
        lost = measure_rounding(rows, positive, setting, Fraction(float(learner.floor)))
        return cls(setting, rows, positive, vectors.attributes, *lost)

    @property
    def promotions(self) -> Rows:
        return self.rows.select(np.flatnonzero(self.positive))

    @property
    def demotions(self) -> Rows:
        return self.rows.select(np.flatnonzero(~self.positive))

    @property
    def exponent(self) -> int:
        """The largest exponent that a weight can have."""
        goal = max(self.setting.above, self.highest)
        over = self.highest >= self.setting.above
        return find_least_power(self.setting.promotion, goal, self.setting.strict or over)


def measure_rounding(rows: Rows, positive: Array, setting: Setting, least: Fraction) -> tuple[Fraction, Fraction]:
    """What decisions cost that exact arithmetic would have made otherwise: see `UpdateLog`."""
    b = setting.promotion
    exponents = np.zeros(rows.width, np.int64)
    gone = np.zeros(rows.width, bool)
    lowest = -find_least_power(b, 1 / least) if least else -(2**62)
    base = float(b)
    excess = Fraction(0)
    highest = Fraction(0)
    for t, promote in enumerate(positive.tolist()):
        active = rows.indices[rows.indptr[t] : rows.indptr[t + 1]]
        active = active[~gone[active]]
        with np.errstate(under="ignore"):
            score = float((base ** exponents[active].astype(np.float64)).sum())
        goal = setting.above if promote else setting.below
        if abs(score - float(goal)) <= CLOSE * score:
            total = sum((b ** int(e) for e in exponents[active].tolist()), Fraction(0))
            over = total - goal if promote else goal - total
            if over > 0 or (over == 0 and promote != setting.strict):
                excess += over * (b - 1 if promote else 1 if setting.eliminate else 1 - 1 / b)
                highest = max(highest, total) if promote else highest
        if promote:
            exponents[active] += 1
        elif setting.eliminate:
            gone[active] = True
        else:
            exponents[active] = np.maximum(exponents[active] - 1, lowest)
    return excess, highest


def make(run: TracedRun) -> Certificate:
    """The smallest bound among Winnow's theorems."""
    learner: Any = run.learner
    inexact = "Winnow is certified where its weights are powers of the promotion: attributes 0 or 1, a floor among them"
    require(run.state.weights.dtype.kind == "i", inexact, NotCertified)
    log = UpdateLog.of(run)
    choices = find_schedule(learner, log) if learner.floor else find_targets(log)
    best = run.choose(choices, f"no witness fits its {len(run.steps.rounds)} updates")
    about = {"threshold": float(run.state.threshold[0])}  # also where it is the number of attributes
    return run.certify(best.theorem, best.bound, best.witness, learner=about)


def find_targets(log: UpdateLog) -> list[WinnowChoice]:
    """A disjunction if there is one, the best targets without slack and with it, at several ceilings."""
    b, above, below = log.setting[:3]
    up = merge_equal_rows(log.promotions)
    down = merge_equal_rows(log.demotions)
    top = 0.0 if log.setting.eliminate else float(below / (above * b))  # ceilings stay below it
    shares = SHARES if len(up.indices) + len(down.indices) <= LARGE and top else SHARES[:1]
    if up.width == 0:
        return measure(log, np.zeros(0), 0.0)
    found = list[WinnowChoice]()
    cover = find_cover(up, down)
    if cover is not None:
        found += measure(log, cover.astype(np.float64), 0.0, exact=True)
    for share in shares:
        target = find_cheapest_target(up, down, share * top) if len(up) else np.zeros(up.width)
        if target is not None:
            found += measure(log, target, share * top, exact=True)
    return found + [choice for share in shares for choice in pay_slack(log, up, down, share * top)]


def pay_slack(log: UpdateLog, up: Rows, down: Rows, ceiling: float) -> list[WinnowChoice]:
    """The target that pays twice for what rows fall short; if no program finds one in time, one of least squares."""
    loss = inf if log.exponent == 0 else 2 / log.exponent
    barred = replace(down, copies=down.copies * (1e6 if log.setting.eliminate else 1.0))
    target = find_cheapest_target(up, barred, ceiling, loss) if loss < inf else np.ones(up.width)
    if target is None:
        reach = max(1.0, float(log.promotions.squares.max(initial=1.0)))
        target = np.maximum(fit_soft_margin(log.promotions, reach), 0.0)
    if log.setting.eliminate:
        target = np.where(np.bincount(down.indices, minlength=down.width) > 0, 0.0, target)
    return measure(log, target, ceiling)


def measure(log: UpdateLog, target: Array, ceiling: float, exact: bool = False) -> list[WinnowChoice]:
    """A target in whole numbers, and what it gives; if it is to be `exact`, p and q are what its rows have."""
    numerators = np.rint(target * 2**BITS).astype(np.int64)
    agreements = log.rows.multiply(numerators.astype(np.float64)).astype(np.int64)
    up = agreements[log.positive]
    down = agreements[~log.positive]
    p = 2**BITS
    q = floor(ceiling * 2**BITS)
    if exact and len(up) and up.min() > 0:
        p = int(up.min())
        q = int(down.max(initial=0))
    shared = gcd(*(int(k) for k in numerators[numerators > 0]), p, q)
    numerators = numerators // shared
    p = p // shared
    q = q // shared
    slack = int(np.maximum(0, p - up // shared).sum() + np.maximum(0, down // shared - q).sum())
    alike = q == 0 and bool((numerators[numerators > 0] == p).all())
    suited = [OR] * (slack == 0 and alike) + [MARGIN] * (slack == 0)
    suited = [ELIMINATION] if log.setting.eliminate else [*suited, SLACK]
    (used,) = np.nonzero(numerators)
    entries = {"attributes": log.attributes[used].tolist(), "numerators": numerators[used].tolist()}
    shown = (log.setting, len(log.attributes), log.exponent, int(numerators.sum()), p, q, slack, log.excess)
    facts = PromotionFacts(*shown)
    witness = entries | {"promoted": p, "demoted": q}
    return [WinnowChoice(theorem, theorem.value(facts), witness) for theorem in suited]


def find_schedule(learner: Any, log: UpdateLog) -> list[WinnowChoice]:
    """A schedule of disjunctions, each kept as long as any fits (Winnow-R); the additions are what counts."""
    b, above, below = log.setting[:3]
    plain = b == 2 and learner.floor == 0.5 and above == below and not log.setting[3] and not learner.eliminate
    require(plain, "drift is covered for promotion 2, floor 1/2, margin 0 and ties that say yes", NotCertified)
    size = len(log.attributes)
    require(size < 2 * above, f"Winnow-R needs a threshold above {size}/2, got {above}", NotCertified)
    schedule = list[list[Any]]()
    additions = 0
    before = set[int]()
    for first, last in cut_segments(log):
        part = np.arange(first, last)
        up, down = (log.rows.select(part[log.positive[first:last] == sign]) for sign in (True, False))
        chosen = find_cover(up, down, tuple(before))
        if chosen is None:
            return []
        now = set(np.flatnonzero(chosen).tolist())
        additions += len(now - before)
        schedule.append([first, log.attributes[sorted(now)].tolist()])
        before = now
    facts = ScheduleFacts(size, above, additions * find_least_power(b, 2 * above))
    return [WinnowChoice(DRIFT, DRIFT.value(facts), {"schedule": schedule})]


def cut_segments(log: UpdateLog) -> list[tuple[int, int]]:
    """The updates cut where no disjunction fits any longer."""
    cuts = [0]
    barred = set[int]()
    waiting = list[set[int]]()
    for t, promote in enumerate(log.positive.tolist()):
        active = set(log.rows.indices[log.rows.indptr[t] : log.rows.indptr[t + 1]].tolist())
        barred, waiting = (barred, [*waiting, active]) if promote else (barred | active, waiting)
        if not all(row - barred for row in waiting):
            cuts.append(t)
            barred, waiting = (set(), [active]) if promote else (active, [])
    ends = [*cuts[1:], len(log.positive)]
    return [(a, b) for a, b in zip(cuts, ends, strict=True) if a < b]
