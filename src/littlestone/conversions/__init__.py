"""Learners made from learners, one conversion a file."""

from littlestone.conversions.conservative import Conservative

__all__ = [
    "Conservative",
]
