"""Finite concept classes, one a file; laws and command line read `ALL`."""

from littlestone.concepts.concepts import Concepts
from littlestone.concepts.conjunctions import Conjunctions
from littlestone.concepts.disjunctions import Disjunctions
from littlestone.concepts.halfspaces import Halfspaces
from littlestone.concepts.intervals import Intervals
from littlestone.concepts.parities import Parities
from littlestone.concepts.programs import Programs
from littlestone.concepts.rectangles import Rectangles
from littlestone.concepts.thresholds import Thresholds

ALL = (
    Concepts,
    Conjunctions,
    Disjunctions,
    Halfspaces,
    Intervals,
    Parities,
    Programs,
    Rectangles,
    Thresholds,
)

__all__ = [
    "Concepts",
    "Conjunctions",
    "Disjunctions",
    "Halfspaces",
    "Intervals",
    "Parities",
    "Programs",
    "Rectangles",
    "Thresholds",
]
