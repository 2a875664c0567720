"""Exercises about ellipsoids and kernels."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from littlestone.laws.grading import Exercise
from littlestone.laws.grading.exercises.tables import make_game
from littlestone.laws.grading.other_parts import QuestionPart, expect

Matrix = tuple[tuple[float, ...], ...]
NEAR = 1e-6
MATRICES: tuple[Matrix, ...] = (
    ((2.0, 0.0), (0.0, 1.0)),
    ((0.0, 1.0), (2.0, 0.0)),
    ((1.0, 1.0), (0.0, 1.0)),
    ((-1.0, 0.0), (0.0, 3.0)),
    ((1.0, 2.0, 0.0), (0.0, 1.0, 0.5), (0.0, 0.0, 1.0)),
)


def check_symmetric(matrix: Matrix) -> Callable[[Any], str]:
    """Make a check that a matrix is symmetric, positive definite, and maps the unit ball to the same ellipsoid."""
    m = np.array(matrix)

    def check(said: Any) -> str:
        s = np.array(said, float)
        if s.shape != m.shape:
            return f"a matrix of {len(m)} rows and columns was asked for"
        if not np.allclose(s, s.T, atol=NEAR):
            return "it is not symmetric"
        if np.linalg.eigvalsh(s).min() <= 0:
            return "it is not positive definite"
        return "" if np.allclose(s @ s.T, m @ m.T, atol=NEAR) else "its ellipsoid is another one"

    return check


def list_points(matrix: Matrix) -> list[tuple[tuple[Any, ...], Callable[[Any], str]]]:
    """Ask of points inside and outside of an ellipsoid, none of them near its surface."""
    m = np.array(matrix)
    center = np.arange(1.0, len(matrix) + 1)
    asked = []
    for signs in product((-1.0, 0.0, 1.0), repeat=len(matrix)):
        for far in (0.9, 1.1):
            length = np.linalg.norm(signs)
            ball = far * np.array(signs) / (length or 1.0)
            point = (m @ ball + center).round(9)
            inside = far < 1 or length == 0
            given = (matrix, tuple(center.tolist()), tuple(point.tolist()))
            asked.append((given, expect(inside)))
    return asked


def step(center: Any, matrix: Any, x: Any, y: int) -> tuple[Any, Any]:
    """One step of the ellipsoid learner after a mistake."""
    a = np.array(matrix, float)
    row = np.array(x, float)
    d = len(x)
    along = a @ row / np.sqrt(row @ a @ row)
    if d == 1:
        return np.array(center) + y * along / 2, a / 4
    return np.array(center) + y * along / (d + 1), d * d / (d * d - 1) * (a - 2 / (d + 1) * np.outer(along, along))


def check_step(center: Any, matrix: Any, x: Any, y: int) -> Callable[[Any], str]:
    """Make a check of a step of the ellipsoid learner."""
    right = step(center, matrix, x, y)

    def check(said: Any) -> str:
        found = [np.array(part, float) for part in said]
        for name, mine, wanted in zip(("center", "matrix"), found, right, strict=True):
            if mine.shape != wanted.shape or not np.allclose(mine, wanted, atol=NEAR):
                return f"the {name} is {np.round(wanted, 4).tolist()}"
        return ""

    return check


EYE = ((1.0, 0.0), (0.0, 1.0))
STEPS = [
    ((0.0, 0.0), EYE, (1.0, 0.0), 1),
    ((0.0, 0.0), EYE, (0.0, 2.0), -1),
    ((1 / 3, 0.0), ((4 / 9, 0.0), (0.0, 4 / 3)), (0.0, 1.0), 1),
    ((0.5, -0.25), ((1.0, 0.5), (0.5, 2.0)), (1.0, -3.0), 1),
    ((0.0,), ((1.0,),), (2.0,), -1),
]


def find_ratio(d: int) -> float:
    """By which factor the volume shrinks with a mistake in d dimensions."""
    return 0.5 if d == 1 else float((d * d / (d * d - 1)) ** (d / 2) * (1 - 2 / (d + 1)) ** 0.5)


SIGNS = {n: list(product((-1, 1), repeat=n)) for n in (2, 3, 4)}


def make_unit(weights: tuple[int, ...]) -> Callable[[tuple[int, ...]], int]:
    """The sign of a sum of two signs and a constant, each with a weight."""
    return lambda x: 1 if weights[0] * x[0] + weights[1] * x[1] + weights[2] > 0 else -1


def make_function(values: tuple[int, ...]) -> Callable[[tuple[int, ...]], int]:
    """The function of two signs that has these four values."""
    return lambda x: values[(x[0] + 1) + (x[1] + 1) // 2]


EXERCISES = (
    Exercise(
        title="Every ellipsoid has a symmetric matrix",
        task=(
            "The ellipsoid of a matrix M is the image M w of the unit ball. `symmetric(matrix)` returns a"
            " symmetric positive definite matrix with the same ellipsoid: from M = U D V^T it is U D U^T. NumPy"
            " may be used."
        ),
        starter="class Algebra:\n    def symmetric(self, matrix): ...",
        methods=("symmetric",),
        notes=True,
        parts=[
            QuestionPart(
                name="five matrices",
                method="symmetric",
                questions=[((matrix,), check_symmetric(matrix)) for matrix in MATRICES],
            )
        ],
    ),
    Exercise(
        title="Is a point inside?",
        task=(
            "`contains(matrix, center, point)` says whether a point lies in the ellipsoid {M w + v : |w| <= 1}, v"
            " the center. For a symmetric M it is (x - v)^T M^-2 (x - v) <= 1; not every M that is asked about is"
            " symmetric."
        ),
        starter="class Algebra:\n    def contains(self, matrix, center, point): ...",
        methods=("contains",),
        notes=True,
        parts=[
            QuestionPart(name=f"matrix {number}", method="contains", questions=list_points(matrix))
            for number, matrix in enumerate(MATRICES, 1)
        ],
    ),
    Exercise(
        title="A step of the ellipsoid learner",
        task=(
            "`step(center, matrix, x, y)` returns the center and the matrix A after a mistake on x, whose label"
            " is y. After (1, 0) with label 1, from the unit ball, A is diag(4/9, 4/3). In one dimension A is"
            " divided by 4."
        ),
        starter="class Algebra:\n    def step(self, center, matrix, x, y): ...",
        methods=("step",),
        parts=[
            QuestionPart(name="five steps", method="step", questions=[(given, check_step(*given)) for given in STEPS])
        ],
    ),
    Exercise(
        title="How fast the volume shrinks",
        task=(
            "`ratio(d)` returns the exact factor by which a mistake shrinks the volume of the ellipsoid in d"
            " dimensions, not the upper bound exp(-1 / (2d + 2))."
        ),
        starter="class Algebra:\n    def ratio(self, d): ...",
        methods=("ratio",),
        parts=[
            QuestionPart(
                name="five dimensions",
                method="ratio",
                questions=[((d,), expect(find_ratio(d), NEAR)) for d in (2, 3, 5, 10, 1)],
            )
        ],
    ),
    Exercise(
        title="Exclusive or",
        task=(
            "Instances are pairs of -1 and 1, labels are -1 and 1, and any of the 16 functions may be the target,"
            " exclusive or among them. Make at most 4 mistakes; a Perceptron can, if it sees the right attributes."
        ),
        starter="class Learner:\n    def __init__(self): ...",
        parts=[
            make_game("the threshold functions", map(make_unit, SIGNS[3]), SIGNS[2], 4, {}, labels=(-1, 1)),
            make_game("all functions", map(make_function, SIGNS[4]), SIGNS[2], 4, {}, labels=(-1, 1)),
        ],
    ),
)
