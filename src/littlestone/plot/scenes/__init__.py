"""Scenes: what a picture shows, one picture a file: marks, words and a table made from a game, without drawing it."""

from littlestone.plot.scenes.calibration import compose_calibration as compose_calibration
from littlestone.plot.scenes.crossing import compose_crossing as compose_crossing
from littlestone.plot.scenes.ellipsoids import compose_ellipsoids as compose_ellipsoids
from littlestone.plot.scenes.errors import compose_errors as compose_errors
from littlestone.plot.scenes.league import compose_league as compose_league
from littlestone.plot.scenes.mistakes import compose_mistakes as compose_mistakes
from littlestone.plot.scenes.plane import compose_plane as compose_plane
from littlestone.plot.scenes.potentials import compose_potentials as compose_potentials
from littlestone.plot.scenes.rectangles import compose_rectangles as compose_rectangles
from littlestone.plot.scenes.regret import compose_regret as compose_regret
from littlestone.plot.scenes.steps import compose_steps as compose_steps
from littlestone.plot.scenes.thresholds import compose_thresholds as compose_thresholds
from littlestone.plot.scenes.trees import compose_trees as compose_trees
from littlestone.plot.scenes.votes import compose_votes as compose_votes
from littlestone.plot.scenes.weights import compose_weights as compose_weights
