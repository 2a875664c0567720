"""Finite concept classes, one a file."""

from littlestone.concepts.parities import Parities
from littlestone.concepts.thresholds import Thresholds

ALL = (Parities, Thresholds)

__all__ = ["Parities", "Thresholds"]
