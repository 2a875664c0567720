"""Theorems by short names, as tests of certificates call them."""

from littlestone.base.theorem import StepFacts as Facts
from littlestone.learners.balanced_winnow import BalancedWinnow
from littlestone.learners.passive_aggressive import PassiveAggressive
from littlestone.learners.shared.linear import (
    DEVIATION,
    HINGE,
    NOVIKOFF,
    PERCEPTRON,
    READABLE,
    RUN,
    SQUARED,
)
from littlestone.learners.shared.winnow_theory import DRIFT, ELIMINATION, MARGIN, OR, SLACK

__all__ = ["DEVIATION", "HINGE", "NOVIKOFF", "PERCEPTRON", "READABLE", "RUN", "SQUARED", "Facts"]

PASSIVE = {variant: PassiveAggressive(variant).theorems()[0].name for variant in ("0", "I", "II")}
WINNOW = {theorem.name: theorem.promise for theorem in (OR, MARGIN, SLACK, ELIMINATION, DRIFT)}
WINNOW_OR, WINNOW_MARGIN, WINNOW_SLACK, WINNOW_ELIMINATION, WINNOW_DRIFT = WINNOW
_balanced = (*BalancedWinnow(margin=0.5).theorems(), *BalancedWinnow().theorems())
BALANCED_PROMISE = {theorem.name: theorem.promise for theorem in _balanced}
BALANCED, BALANCED_SLACK, BALANCED_PHASES = BALANCED_PROMISE
