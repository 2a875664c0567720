"""Scenes: what a picture shows, one picture a file. (game, round) to marks, words and a table; no drawing library."""

from littlestone.plot.scenes.crossing import crossing
from littlestone.plot.scenes.ellipsoids import ellipsoids
from littlestone.plot.scenes.mistakes import mistakes
from littlestone.plot.scenes.plane import plane
from littlestone.plot.scenes.potentials import potentials
from littlestone.plot.scenes.rectangles import rectangles
from littlestone.plot.scenes.regret import regret
from littlestone.plot.scenes.scene import Area, Line, Note, Points, Scene
from littlestone.plot.scenes.thresholds import thresholds
from littlestone.plot.scenes.trees import trees
from littlestone.plot.scenes.weights import weights

__all__ = [
    "Area",
    "Line",
    "Note",
    "Points",
    "Scene",
    "crossing",
    "ellipsoids",
    "mistakes",
    "plane",
    "potentials",
    "rectangles",
    "regret",
    "thresholds",
    "trees",
    "weights",
]
