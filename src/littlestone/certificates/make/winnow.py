"""Winnow: what its theorems say about the promotions and demotions of a run.

A witness is a vector m of whole numbers with two more, p > q: m.x >= p on promotions and m.x <= q on demotions, up to
slacks that are summed. Linear programs propose it; it is rounded, and only then measured, in whole numbers. They charge
every unit of slack twice, so that a witness which explains nothing costs two for each promotion; the bound itself is
computed with slacks as they are.
"""

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, gcd, inf
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.bound import Certificate, Tally
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates import theorems
from littlestone.certificates.make.linear_programs import cheapest_target, covering, distinct
from littlestone.certificates.make.margins import Rows, soft_margin
from littlestone.certificates.make.step_vectors import Rule, Space
from littlestone.certificates.make.steps import Steps
from littlestone.learners.shared.winnow_bounds import Setting, reaching

BITS = 20
SHARES = (0.0, 0.25, 0.5, 0.75, 0.9)  # of the largest ceiling that the promotion allows
MANY = 100_000  # entries, beyond which one program must do
CLOSE = 1e-9  # sums nearer to a threshold than this are computed again in fractions

Choice = tuple[str, int, dict[str, Any]]  # a theorem, the bound that it gives, and the witness


class Log(NamedTuple):
    """The updates of one run: promotions and demotions as rows, and what rounding cost."""

    setting: Setting
    rows: Rows
    positive: Array
    attributes: Array
    excess: Fraction  # what decisions on the wrong side of a threshold have added to the sum of all weights
    highest: Fraction  # the largest sum that was promoted though it was not below the threshold

    @classmethod
    def of(cls, learner: dict[str, Any], steps: Steps) -> Self:
        theta, wide = float(learner["threshold"]), float(learner["margin"])
        flags = bool(learner["strict_gt"]), bool(learner["eliminate"])
        b = Fraction(float(learner["promotion"]))
        setting = Setting(b, Fraction(theta + wide), Fraction(theta - wide), *flags)
        space = Space.of(steps, Rule("perceptron", 1.0, 0.0, 0.0), 0.0)
        rows, positive = replace(space.rows, values=np.abs(space.rows.values)), steps.classes > 0
        lost = rounding(rows, positive, setting, Fraction(float(learner["floor"])))
        return cls(setting, rows, positive, space.attributes, *lost)

    @property
    def promotions(self) -> Rows:
        return self.rows.chosen(np.flatnonzero(self.positive))

    @property
    def demotions(self) -> Rows:
        return self.rows.chosen(np.flatnonzero(~self.positive))

    @property
    def exponent(self) -> int:
        """The largest exponent that a weight can have."""
        goal, over = max(self.setting.above, self.highest), self.highest >= self.setting.above
        return reaching(self.setting.promotion, goal, self.setting.strict or over)

    def demoted(self, promoted: int) -> int:
        """The most demotions beside so many promotions: the sum of all weights stays positive."""
        b, above, below = self.setting[:3]
        total = len(self.attributes) + self.excess + promoted * (b - 1) * above
        if self.setting.eliminate:
            return floor(total / below)
        return max(0, ceil(total * b / ((b - 1) * below)) - 1)


def rounding(rows: Rows, positive: Array, setting: Setting, least: Fraction) -> tuple[Fraction, Fraction]:
    """What decisions cost that exact arithmetic would have made otherwise: see `Log`."""
    b, exponents, gone = setting.promotion, np.zeros(rows.width, np.int64), np.zeros(rows.width, bool)
    lowest = -reaching(b, 1 / least) if least else -(2**62)
    base, excess, highest = float(b), Fraction(0), Fraction(0)
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


def winnow_certificate(
    learner: dict[str, Any], steps: Steps, tally: Tally, theorem: str | None, exact: bool
) -> Certificate:
    """The smallest bound among Winnow's theorems."""
    inexact = "Winnow is certified where its weights are powers of the promotion: attributes 0 or 1, a floor among them"
    require(exact, inexact, NotCertified)
    log = Log.of(learner, steps)
    choices = drift(learner, log) if learner["floor"] else targets(log)
    named = [choice for choice in choices if theorem is None or theorem.lower() in choice[0].lower()]
    if not named:
        asked = f"no theorem like {theorem!r} applies to" if theorem else "no theorem applies to"
        raise NotCertified(f"{asked} Winnow here: no witness fits its {len(steps.rounds)} updates")
    name, bound, witness = min(named, key=lambda choice: choice[1])
    promise = theorems.WINNOW[name]
    return Certificate(name, promise, "updates", tally.mistakes, tally.updates, bound, witness, scope="sequence")


def targets(log: Log) -> list[Choice]:
    """A disjunction if there is one, the best targets without slack and with it, at several ceilings."""
    b, above, below = log.setting[:3]
    up, down = distinct(log.promotions), distinct(log.demotions)
    top = 0.0 if log.setting.eliminate else float(below / (above * b))  # ceilings stay below it
    shares = SHARES if len(up.indices) + len(down.indices) <= MANY and top else SHARES[:1]
    if up.width == 0:
        return measured(log, np.zeros(0), 0.0)
    found = list[Choice]()
    cover = covering(up, down)
    if cover is not None:
        found += measured(log, cover.astype(np.float64), 0.0, exact=True)
    for share in shares:
        target = cheapest_target(up, down, share * top) if len(up) else np.zeros(up.width)
        if target is not None:
            found += measured(log, target, share * top, exact=True)
    return found + [choice for share in shares for choice in slackened(log, up, down, share * top)]


def slackened(log: Log, up: Rows, down: Rows, ceiling: float) -> list[Choice]:
    """The target that pays twice for what rows fall short; if no program finds one in time, one of least squares."""
    loss = inf if log.exponent == 0 else 2 / log.exponent
    barred = replace(down, copies=down.copies * (1e6 if log.setting.eliminate else 1.0))
    target = cheapest_target(up, barred, ceiling, loss) if loss < inf else np.ones(up.width)
    if target is None:
        target = np.maximum(soft_margin(log.promotions, max(1.0, float(log.promotions.squares.max(initial=1.0)))), 0.0)
    if log.setting.eliminate:
        target = np.where(np.bincount(down.indices, minlength=down.width) > 0, 0.0, target)
    return measured(log, target, ceiling)


def measured(log: Log, target: Array, ceiling: float, exact: bool = False) -> list[Choice]:
    """A target in whole numbers, and what it gives; if it is to be `exact`, p and q are what its rows have."""
    numerators = np.rint(target * 2**BITS).astype(np.int64)
    agreements = log.rows.products(numerators.astype(np.float64)).astype(np.int64)
    up, down = agreements[log.positive], agreements[~log.positive]
    p, q = 2**BITS, floor(ceiling * 2**BITS)
    if exact and len(up) and up.min() > 0:
        p, q = int(up.min()), int(down.max(initial=0))
    shared = gcd(*(int(k) for k in numerators[numerators > 0]), p, q)
    numerators, p, q = numerators // shared, p // shared, q // shared
    slack = int(np.maximum(0, p - up // shared).sum() + np.maximum(0, down // shared - q).sum())
    alike = q == 0 and bool((numerators[numerators > 0] == p).all())
    names = [theorems.WINNOW_OR] * (slack == 0 and alike) + [theorems.WINNOW_MARGIN] * (slack == 0)
    names = [theorems.WINNOW_ELIMINATION] if log.setting.eliminate else [*names, theorems.WINNOW_SLACK]
    (used,) = np.nonzero(numerators)
    entries = {"attributes": log.attributes[used].tolist(), "numerators": numerators[used].tolist()}
    most = bound(log, int(numerators.sum()), p, q, slack)
    return [(name, most, entries | {"promoted": p, "demoted": q}) for name in names]


def bound(log: Log, total: int, p: int, q: int, slack: int) -> int:
    """The most updates that a target of this sum, these levels and this slack allows."""
    b, above, below = log.setting[:3]
    left = p - b * q * above / below
    if left <= 0:
        return 2**63  # never the smallest
    fixed = q * b / (b - 1) * (len(log.attributes) + log.excess) / below
    promoted = floor((total * log.exponent + slack + fixed) / left)
    return promoted + log.demoted(promoted)


def drift(learner: dict[str, Any], log: Log) -> list[Choice]:
    """A schedule of disjunctions, each kept as long as any fits (Winnow-R); the additions are what counts."""
    b, above, below = log.setting[:3]
    plain = b == 2 and learner["floor"] == 0.5 and above == below and not log.setting[3] and not learner["eliminate"]
    require(plain, "drift is covered for promotion 2, floor 1/2, margin 0 and ties that say yes", NotCertified)
    size = len(log.attributes)
    require(size < 2 * above, f"Winnow-R needs a threshold above {size}/2, got {above}", NotCertified)
    schedule, additions, before = list[list[Any]](), 0, set[int]()
    for first, last in segments(log):
        part = np.arange(first, last)
        up, down = (log.rows.chosen(part[log.positive[first:last] == sign]) for sign in (True, False))
        chosen = covering(up, down, tuple(before))
        if chosen is None:
            return []
        now = set(np.flatnonzero(chosen).tolist())
        additions += len(now - before)
        schedule.append([first, log.attributes[sorted(now)].tolist()])
        before = now
    promoted = additions * reaching(b, 2 * above)
    most = promoted + floor((2 * size + 4 * promoted * above) / (2 * above - size + 1))
    return [(theorems.WINNOW_DRIFT, most, {"schedule": schedule})]


def segments(log: Log) -> list[tuple[int, int]]:
    """The updates cut where no disjunction fits any longer."""
    cuts, barred, waiting = [0], set[int](), list[set[int]]()
    for t, promote in enumerate(log.positive.tolist()):
        active = set(log.rows.indices[log.rows.indptr[t] : log.rows.indptr[t + 1]].tolist())
        barred, waiting = (barred, [*waiting, active]) if promote else (barred | active, waiting)
        if not all(row - barred for row in waiting):
            cuts.append(t)
            barred, waiting = (set(), [active]) if promote else (active, [])
    ends = [*cuts[1:], len(log.positive)]
    return [(a, b) for a, b in zip(cuts, ends, strict=True) if a < b]
