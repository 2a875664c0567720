"""Scenes: what a picture shows, one picture a file: marks, words and a table made from a game, without drawing it."""

from littlestone.plot.scenes.crossing import compose_crossing
from littlestone.plot.scenes.ellipsoids import compose_ellipsoids
from littlestone.plot.scenes.mistakes import compose_mistakes
from littlestone.plot.scenes.plane import compose_plane
from littlestone.plot.scenes.potentials import compose_potentials
from littlestone.plot.scenes.rectangles import compose_rectangles
from littlestone.plot.scenes.regret import compose_regret
from littlestone.plot.scenes.scene import Area, Line, Note, Points, Scene
from littlestone.plot.scenes.thresholds import compose_thresholds
from littlestone.plot.scenes.trees import compose_trees
from littlestone.plot.scenes.weights import compose_weights

__all__ = [
    "Area",
    "Line",
    "Note",
    "Points",
    "Scene",
    "compose_crossing",
    "compose_ellipsoids",
    "compose_mistakes",
    "compose_plane",
    "compose_potentials",
    "compose_rectangles",
    "compose_regret",
    "compose_thresholds",
    "compose_trees",
    "compose_weights",
]
