"""Scenes: what a picture shows, one picture a file. (game, round) to marks, words and a table; no drawing library."""

from littlestone.scenes.crossing import crossing
from littlestone.scenes.ellipsoids import ellipsoids
from littlestone.scenes.mistakes import mistakes
from littlestone.scenes.plane import plane
from littlestone.scenes.potentials import potentials
from littlestone.scenes.rectangles import rectangles
from littlestone.scenes.regret import regret
from littlestone.scenes.scene import Area, Line, Note, Points, Scene
from littlestone.scenes.thresholds import thresholds
from littlestone.scenes.trees import trees
from littlestone.scenes.weights import weights

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
