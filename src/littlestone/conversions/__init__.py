"""Learners made from learners, one conversion a file."""

from littlestone.conversions.conservative import Conservative
from littlestone.conversions.interactions import Interactions

ALL = (
    Conservative,
    Interactions,
)

__all__ = [
    "Conservative",
    "Interactions",
]
