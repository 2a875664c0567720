"""Learners made from learners, one conversion a file."""

from littlestone.conversions.conservative import Conservative
from littlestone.conversions.duplicated import Duplicated
from littlestone.conversions.interactions import Interactions
from littlestone.conversions.restarting import Restarting
from littlestone.conversions.tracking import Tracking

ALL = (
    Conservative,
    Interactions,
)

__all__ = [
    "Conservative",
    "Duplicated",
    "Interactions",
    "Restarting",
    "Tracking",
]
