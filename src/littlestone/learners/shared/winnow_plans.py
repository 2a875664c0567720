"""What Winnow promises under the assumptions of a plan: for an OR, for one with wrong labels, for one that drifts."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from littlestone.base.assumptions import Assumptions
from littlestone.base.traits import PlanEntry
from littlestone.learners.shared.winnow_bounds import Setting, bound_separated


def list_promises(make: Callable[..., Any], assumptions: Assumptions) -> Iterator[PlanEntry]:
    """The promises of learners that `make` builds with Winnow's parameters."""
    a, n = assumptions, assumptions.attributes
    if a.margin is not None or (a.drift and a.flips):
        return
    drifting, eliminating = make(floor=0.5), make(eliminate=True)
    if a.drift:
        bound = drifting.bound(n, additions=a.relevant + a.drift)
        formula = "5 c ceil(lg 2n) + 1, c = relevant + drift"
        yield PlanEntry(drifting, bound.value, bound.counts, formula, float(a.most), float(n))
    elif a.flips:
        slack = Fraction(min(a.relevant, a.most) * a.flips)
        setting = Setting(Fraction(2), Fraction(n), Fraction(n))
        updates = bound_separated(setting, n, Fraction(1), Fraction(a.relevant), slack)
        formula = "3 (k ceil(lg n) + k F) + 1, F wrong labels"
        yield PlanEntry(make(), sum(updates), "mistakes", formula, a.most, float(n))
    else:
        bound = make().bound(n, relevant=a.relevant)
        yield PlanEntry(make(), bound.value, bound.counts, "3 k ceil(lg n) + 1", float(a.most), float(n))
        bound = eliminating.bound(n, relevant=a.relevant)
        yield PlanEntry(eliminating, bound.value, bound.counts, "2 k ceil(lg n) + 1", float(a.most), 4.0 * n)
