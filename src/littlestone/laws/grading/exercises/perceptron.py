"""Exercises about the Perceptron: its bound, rows of any length, the adversary that attains the bound, bold steps."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from littlestone.laws.grading import Exercise
from littlestone.laws.grading.exercises.tables import list_bits
from littlestone.laws.grading.exercises.the_game import ADVERSARY
from littlestone.laws.grading.other_parts import AdversaryPart, Rounds
from littlestone.laws.grading.rules import ClassGame, show

Vector = tuple[int, ...]


def dot(u: Iterable[Any], x: Iterable[Any]) -> Any:
    """The dot product."""
    return sum(a * b for a, b in zip(u, x, strict=True))


def make_halfspace_game(
    name: str, points: list[Vector], weights: list[Vector], bias: bool = False, unit: bool = False, law: str = ""
) -> ClassGame:
    """The game in which one of these weight vectors decides the sign of every point, with Novikoff's bound for each.

    With a `bias` the last weight is added to the score, and the points have a 1 as well. Where rows are to be of `unit`
    length, the bound is that of the rows divided by their lengths.
    """
    rows = [(*x, 1) if bias else x for x in points]
    bounds: dict[tuple[int, ...], tuple[int, str]] = {}
    for u in weights:
        scores = [dot(u, x) for x in rows]
        if 0 in scores:
            continue
        if unit:
            margin = min(Fraction(score * score, dot(x, x)) for score, x in zip(scores, rows, strict=True))
            most = int(Fraction(dot(u, u)) / margin)
        else:
            most = max(dot(x, x) for x in rows) * dot(u, u) // min(score * score for score in scores)
        labels = tuple(1 if score > 0 else -1 for score in scores)
        bounds[labels] = min(bounds.get(labels, (most, show(u))), (most, show(u)))
    return ClassGame(
        name=name,
        table=list(bounds),
        points=points,
        bound=[most for most, _ in bounds.values()],
        names=[f"the weights {u}" for _, u in bounds.values()],
        labels=(-1, 1),
        told={"n": len(points[0])},
        law=law,
    )


def check_basis(rounds: Rounds, target: Any) -> str:
    """What is wrong with a weight vector as the target of unit vectors with margin 1 / sqrt(their number)."""
    n = len(rounds[0].x)
    for one in rounds:
        length = dot(one.x, one.x)
        if len(one.x) != n or abs(length - 1) > 1e-9:
            return f"{show(one.x)} has length {length**0.5:.4f}, and rows of length 1 were asked for"
        if len(target) != n:
            return f"target returned {show(target)}, and {n} weights were asked for"
        score = one.y * dot(target, one.x)
        if score <= 0 or n * score * score < dot(target, target) * (1 - 1e-9):
            far = f"{score / max(dot(target, target), 1e-300) ** 0.5:.4f}"
            return f"the margin of {show(target)} on {show(one.x)} is {far}, and 1 / sqrt({n}) was asked for"
    return ""


SMALL = [u for u in product((-2, -1, 0, 1, 2), repeat=2) if any(u)]
BIASED = list(product((-3, -2, -1, 0, 1, 2, 3), repeat=3))

EXERCISES = (
    Exercise(
        title="The Perceptron",
        task=(
            "Instances are rows of n numbers, labels are -1 and 1, and some weight vector u decides: the label is"
            " the sign of u.x. Make at most R^2 |u|^2 / g^2 mistakes, where R is the length of the longest row and"
            " g the smallest |u.x|. `update` is called in every round."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[
            make_halfspace_game("three points", [(1, 0), (0, 1), (1, 1)], SMALL),
            make_halfspace_game("four points", [(1, 0), (0, 1), (1, 1), (1, -1)], SMALL),
            make_halfspace_game("four rows of three numbers", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)], BIASED),
        ],
    ),
    Exercise(
        title="A Perceptron with a threshold",
        task=(
            "Instances have two bits, and the label is 1 or -1 as w.x is larger than some threshold or smaller:"
            " AND, OR and twelve other functions. Make at most 3 (|w|^2 + t^2) / g^2 mistakes."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[
            make_halfspace_game("all threshold functions of two bits", list_bits(2), BIASED, bias=True),
        ],
    ),
    Exercise(
        title="Rows of any length",
        task=(
            "As in the exercise on the Perceptron, but some rows are much longer than others. Make at most 1 /"
            " g^2 mistakes, where g is the smallest |u.x| / (|u| |x|)."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[
            make_halfspace_game("a long row and a short one", [(20, 0), (-3, 4)], SMALL, unit=True),
            make_halfspace_game("a longer one", [(100, 0), (-3, 4), (0, 1)], SMALL, unit=True),
        ],
    ),
    Exercise(
        title="No learner does better",
        task=(
            "Write an adversary that makes every learner err in n rounds: `instance()` returns a row of n numbers"
            " of length 1, `label(guess)` the label, -1 or 1 and not the guess, and `target()` weights u with y"
            " u.x >= |u| / sqrt(n) in every round."
        ),
        starter="class Adversary:\n    def __init__(self, n): ...",
        methods=ADVERSARY,
        notes=True,
        parts=[
            AdversaryPart(name=f"n = {n}", rounds=n, check=check_basis, told={"n": n}, labels=(-1, 1))
            for n in (1, 2, 5)
        ],
    ),
    Exercise(
        title="Never the same mistake twice running",
        task=(
            "Change the Perceptron's step so that a row that was just learned is guessed rightly when it comes"
            " again at once, whatever its label, and keep the bound R^2 |u|^2 / g^2. A step that ends at a score"
            " of 0 is too short."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        notes=True,
        parts=[
            make_halfspace_game("three points", [(1, 0), (0, 1), (1, 1)], SMALL, law="at once"),
            make_halfspace_game("two long rows", [(3, 1), (1, 1)], SMALL, law="at once"),
        ],
    ),
)
