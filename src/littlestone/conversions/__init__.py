"""Conversions, one a file: learners made of learners."""

from littlestone.conversions.conservative import Conservative

__all__ = ["Conservative"]
