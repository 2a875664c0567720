"""Planner: which learner to use, and what it promises, before the first round.

Every learner's guarantee under the same assumptions, fewest mistakes first, with its formula, what a round costs and
what must be remembered, and one recommendation: the smallest guarantee among learners whose rounds are affordable.

>>> print(plan(attributes=1000, relevant=10).reason)
Winnow(eliminate=True): at most 201 mistakes, the fewest among learners of at most 1e+06 steps a round; \
RandomizedHalving would promise 53.928 expected mistakes, but its rounds take 4.1e+21 steps
"""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from littlestone.base.assumptions import Assumptions
from littlestone.base.bound import to_json_value
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.number_assumptions import NumberAssumptions
from littlestone.base.printed_numbers import Number, format_up
from littlestone.base.traits import PlanEntry, Planned, RowLearner
from littlestone.learners import list_learners

# what a round may take and a learner remember, to be recommended
STEPS = 1e6
BYTES = 2.0**30


def list_promises(assumptions: Assumptions | NumberAssumptions) -> list[PlanEntry]:
    """Every promise of every learner that covers the assumptions, smallest first; of equal ones the cheapest.

    A bound on updates is a bound on mistakes too, so it comes before one on mistakes alone.
    """
    numbers = isinstance(assumptions, NumberAssumptions)
    kinds = [kind for kind in list_learners() if issubclass(kind, Planned) and kind.numeric == numbers]
    found = [entry for kind in kinds for entry in kind.plan(assumptions)]
    return sorted(found, key=lambda e: (e.shown, e.steps, e.memory, e.counts != "updates"))


def list_silent(entries: tuple[PlanEntry, ...], numbers: bool = False) -> dict[str, str]:
    """The learners that these promises have none of, and why; only those that predict numbers if labels are these."""
    known = {type(entry.learner) for entry in entries}
    rows = [kind for kind in list_learners() if issubclass(kind, RowLearner) and kind.unplanned]
    kinds = [kind for kind in rows if kind.numeric or not numbers]
    return {kind.__name__: kind.unplanned for kind in kinds if kind not in known}


@dataclass(frozen=True, slots=True)
class Plan:
    """A table of guarantees, best first.

    Args:
        assumptions: What is supposed about the stream, of classes or of numbers.
        entries: A line for each promise, smallest first.
        steps: What a round may cost for a learner to be recommended, > 0.
    """

    assumptions: Assumptions | NumberAssumptions
    entries: tuple[PlanEntry, ...]
    steps: float = STEPS

    def affordable(self, entry: PlanEntry) -> bool:
        """Whether a round takes no more steps than allowed, and the learner no more than a gigabyte."""
        return entry.steps <= self.steps and entry.memory <= BYTES

    @property
    def recommended(self) -> PlanEntry:
        """The smallest guarantee that is affordable, the cheapest of equal ones; `reason` says if it is empty."""
        able = [entry for entry in self.entries if self.affordable(entry)]
        require(bool(able), f"no theorem covers these assumptions affordably: {self.assumptions}", NotCertified)
        return able[0]

    @property
    def reason(self) -> str:
        """Why it is recommended, in words."""
        best = self.recommended
        least = "least" if self.numbers else "fewest"
        words = f"{best.name}: at most {best.most} {best.counts}, the {least} among learners of at most "
        words += f"{self.steps:g} steps a round"
        if empty := self.assumptions.refute(best.shown):
            smallest = f"the smallest guarantee is {best.name}'s, {best.most} {best.counts}, and {empty}"
            league = "`learn --league` plays many learners and certifies what came of it"
            return f"no learner is recommended: {smallest}; {'`race` tries every learner' if self.numbers else league}"
        first = self.entries[0]
        if first.shown < best.shown:
            name = type(first.learner).__name__
            dear = f"{first.steps:.2g} steps"
            words += f"; {name} would promise {first.most} {first.counts}, but its rounds take {dear}"
        return words

    @property
    def numbers(self) -> bool:
        """Whether it is about predicted numbers."""
        return isinstance(self.assumptions, NumberAssumptions)

    def record(self) -> dict[str, Any]:
        """The plan as JSON knows it."""
        a = self.assumptions
        about = {name: getattr(a, name) for name in a.__dataclass_fields__}
        rows: list[dict[str, Any]] = [
            {
                "learner": str(entry.learner), "guarantee": _round_guarantee(entry),
                "value": to_json_value(entry.guarantee), "counts": entry.counts, "formula": entry.formula,
                "steps": entry.steps, "memory": entry.memory, "affordable": self.affordable(entry),
            }
            for entry in self.entries
        ]  # fmt: skip
        found: dict[str, Any] = {
            "assumptions": about,
            "entries": rows,
            "silent": list_silent(self.entries, self.numbers),
        }
        if any(map(self.affordable, self.entries)):
            best = self.recommended
            named = None if a.refute(best.shown) else str(best.learner)
            found |= {"recommended": named, "reason": self.reason}
        return found

    def to_json(self) -> str:
        return json.dumps(self.record())

    def __str__(self) -> str:
        names = [entry.name for entry in self.entries]
        silent = list_silent(self.entries, self.numbers)
        wide = max(map(len, names), default=0)
        lines = [str(self.assumptions), "", f"{'at most':>14}  {'':{wide}}  {'steps':>8}  {'bytes':>8}  because"]
        for entry, name in zip(self.entries, names, strict=True):
            costs = f"{entry.steps:8.2g}  {entry.memory:8.2g}"
            lines.append(f"{entry.most:>14}  {name:{wide}}  {costs}  {entry.counts} <= {entry.formula}")
        lines += [f"{'no promise':>14}  {name}: {why}" for name, why in silent.items()]
        able = any(map(self.affordable, self.entries))
        return "\n".join([*lines, "", self.reason if able else "no theorem covers these assumptions affordably"])


def _round_guarantee(entry: PlanEntry) -> int | float:
    """What an entry allows as a number that JSON knows, no smaller than it is."""
    return entry.shown if isinstance(entry.shown, int) else float(format_up(entry.shown, 15))


def plan(
    attributes: int | None = None,
    relevant: int = 1,
    margin: float | None = None,
    *,
    labels: tuple[float, float] | None = None,
    steps: float = STEPS,
    assumptions: Assumptions | NumberAssumptions | None = None,
    **further: Any,
) -> Plan:
    """Every learner's guarantee under some assumptions, fewest mistakes first; of numbers, the least mean error.

    Args:
        attributes: How many attributes there are, >= 1.
        relevant: How many of them the target depends on, >= 1.
        margin: The target's margin, in (0, 1]; None: each label is the OR of the relevant attributes.
        labels: The lowest and the highest label, where labels are numbers; None: they are classes.
        steps: What a round may cost for a learner to be recommended, > 0.
        assumptions: Assumptions that `estimate` made, instead of numbers.
        further: `noise`, `drift`, `examples` and `active`, as in `Assumptions`; with `labels` `examples`, `weights`,
            `error`, `active` and `growth`, as in `NumberAssumptions`.
    """
    require((attributes is None) != (assumptions is None), "say attributes, or give assumptions, one of them")
    require(steps > 0, f"steps must be positive, got {steps}")
    if assumptions is None and labels is not None:
        require(
            margin is None, "margin is about classes, and labels from where to where about numbers: say one of them"
        )
        require(
            "examples" in further, "the mean error is promised over all rounds: say how many examples there will be"
        )
        assumptions = NumberAssumptions(attributes or 0, labels, relevant=relevant, **further)
    elif assumptions is None:
        assumptions = Assumptions(attributes or 0, relevant, margin, **further)
    return Plan(assumptions, tuple(list_promises(assumptions)), steps)


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """Two guarantees as irrelevant attributes are added; from `at` on Winnow's is the smaller one (None: not yet)."""

    attributes: Array
    winnow: Array
    perceptron: Array
    at: int | None


def crossing(relevant: int = 5, margin: float | None = None, most: int = 4096, points: int = 200) -> Crossing:
    """Balanced Winnow, 2 ln(2n) / g^2, against the Perceptron, n / (k g^2), all n attributes being -1 or 1.

    Without a margin it is that of the majority of `relevant` attributes, 1 / relevant.
    """
    require(1 <= relevant <= most, f"relevant must be in [1, {most}], got {relevant}")
    require(points >= 2, f"points must be at least 2, got {points}")
    width = 1 / relevant if margin is None else margin

    def both(n: int) -> tuple[Number, Number]:
        found = {type(entry.learner).__name__: entry.shown for entry in list_promises(Assumptions(n, relevant, width))
                 if getattr(entry.learner, "margin", 0) is not None}  # fmt: skip
        return found["BalancedWinnow"], found["Perceptron"]

    grid = np.unique(np.geomspace(relevant, most, points).astype(np.int64))
    values = np.array([both(int(n)) for n in grid])
    # n / k outgrows 2 ln 2n once, for good
    low = relevant - 1
    high = most + 1
    while high - low > 1:
        middle = (low + high) // 2
        winnow, perceptron = both(middle)
        low, high = (low, middle) if winnow < perceptron else (middle, high)
    return Crossing(grid, values[:, 0], values[:, 1], high if high <= most else None)
