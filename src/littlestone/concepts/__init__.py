"""Finite concept classes, one a file, each imported when it is first used; laws and the command line read `ALL`."""

from typing import TYPE_CHECKING

from littlestone.base.lazy import import_lazily, snake

if TYPE_CHECKING:
    from littlestone.concepts.concept import ConceptClass
    from littlestone.concepts.concepts import Concepts
    from littlestone.concepts.conjunctions import Conjunctions
    from littlestone.concepts.decision_lists import DecisionLists
    from littlestone.concepts.disjunctions import Disjunctions
    from littlestone.concepts.halfspaces import Halfspaces
    from littlestone.concepts.intervals import Intervals
    from littlestone.concepts.parities import Parities
    from littlestone.concepts.programs import Programs
    from littlestone.concepts.rectangles import Rectangles
    from littlestone.concepts.thresholds import Thresholds

    ALL: tuple[type[ConceptClass], ...]

__all__ = [
    "Concepts", "Conjunctions", "DecisionLists", "Disjunctions", "Halfspaces", "Intervals", "Parities", "Programs",
    "Rectangles", "Thresholds",
]  # fmt: skip

__getattr__ = import_lazily("littlestone.concepts", {name: snake(name) for name in __all__}, __all__)
