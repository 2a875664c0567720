"""Scenes: what a picture shows, one picture a file. (game, round) to marks, words and a table; no drawing library."""

from littlestone.scenes.mistakes import mistakes
from littlestone.scenes.scene import Area, Line, Note, Points, Scene

__all__ = ["Area", "Line", "Note", "Points", "Scene", "mistakes"]
