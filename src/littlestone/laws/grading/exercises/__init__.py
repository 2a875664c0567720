"""The exercises, in the order of the chapters of the course."""

from typing import NamedTuple

from littlestone.laws.grading import Exercise
from littlestone.laws.grading.exercises import (
    conversions,
    elimination,
    ellipsoid,
    experts,
    finite_classes,
    losses,
    perceptron,
    the_game,
    winnow,
)


class Chapter(NamedTuple):
    """A chapter of the course, and its exercises."""

    page: str
    title: str
    exercises: tuple[Exercise, ...]


CHAPTERS = (
    Chapter("1-the-game", "The game", the_game.EXERCISES),
    Chapter("2-finite-classes", "Finite classes", finite_classes.EXERCISES),
    Chapter("3-elimination", "Elimination, and who asks", elimination.EXERCISES),
    Chapter("4-conversions", "From mistakes to PAC", conversions.EXERCISES),
    Chapter("5-the-perceptron", "The Perceptron", perceptron.EXERCISES),
    Chapter("6-ellipsoid-and-kernels", "Ellipsoid and kernels", ellipsoid.EXERCISES),
    Chapter("7-winnow", "Winnow", winnow.EXERCISES),
    Chapter("8-experts", "Experts", experts.EXERCISES),
    Chapter("9-from-mistakes-to-losses", "From mistakes to losses", losses.EXERCISES),
)
EXERCISES = tuple(exercise for chapter in CHAPTERS for exercise in chapter.exercises)
