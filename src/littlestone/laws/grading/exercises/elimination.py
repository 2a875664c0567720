"""Exercises about elimination, and about who asks."""

from typing import Any

from littlestone.laws.grading import Exercise
from littlestone.laws.grading.exercises.tables import (
    list_bits,
    list_literals,
    list_subsets,
    make_and,
    make_game,
    make_or,
    make_or_of,
)
from littlestone.laws.grading.other_parts import QueryPart, QuestionPart
from littlestone.laws.grading.rules import ClassGame, show


def name_literals(literals: tuple[tuple[int, int], ...]) -> str:
    """An OR of literals in words."""
    return " or ".join(f"{'' if value else 'not '}x{i}" for i, value in literals) or "never"


def make_literals_game(n: int) -> ClassGame:
    """The game on ORs of literals: n + 1 mistakes but for the literals of the target."""
    targets = list_literals(n)
    bounds = [n + 1 - len(one) for one in targets]
    names = [name_literals(one) for one in targets]
    return make_game(f"n = {n}", map(make_or_of, targets), list_bits(n), bounds, {"n": n}, names=names)


def make_subset_game(n: int, conjunction: bool) -> ClassGame:
    """The game on monotone conjunctions, or disjunctions: n mistakes but for the attributes of the target."""
    targets = list_subsets(n)
    word, make = (" and ", make_and) if conjunction else (" or ", make_or)
    names = [word.join(f"x{i}" for i in one) or ("always" if conjunction else "never") for one in targets]
    return make_game(
        f"n = {n}", map(make, targets), list_bits(n), [n - len(one) for one in targets], {"n": n}, names=names
    )


def check_lesson(n: int, relevant: tuple[int, ...]) -> Any:
    """Make a check of a lesson about a monotone conjunction."""
    target, most = make_and(relevant), min(len(relevant) + 1, n)

    def check(said: Any) -> str:
        if len(said) > most:
            return f"{len(said)} examples, and {most} are enough"
        for x, y in said:
            if len(x) != n or any(bit not in (0, 1) for bit in x):
                return f"{show(x)} is no instance of {n} bits"
            if target(x) != y:
                return f"{show(x)} is not {show(y)}"
        for other in list_subsets(n):
            if other != relevant and all(make_and(other)(x) == y for x, y in said):
                return f"the conjunction of {show(other)} agrees with it too"
        return ""

    return check


LESSONS = [(n, tuple(relevant)) for n in (1, 2, 3, 4) for relevant in list_subsets(n)]

EXERCISES = (
    Exercise(
        title="An OR of literals",
        task=(
            "Instances have n bits, and the target is an OR of literals x_i and not x_i, perhaps of none. Make at"
            " most n + 1 - k mistakes, k the number of literals of the target; not 2n. Which target takes n + 1?"
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        notes=True,
        parts=[make_literals_game(n) for n in (1, 2, 3)],
    ),
    Exercise(
        title="A conjunction of attributes",
        task=(
            "The target is the AND of k of n attributes, x_2 and x_5, say; with k = 0 it is always true. Make at"
            " most n - k mistakes."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        notes=True,
        parts=[make_subset_game(n, conjunction=True) for n in (2, 3, 4)],
    ),
    Exercise(
        title="A disjunction of attributes",
        task="The target is the OR of k of n attributes; with k = 0 it is never true. Make at most n - k mistakes.",
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[make_subset_game(n, conjunction=False) for n in (2, 3, 4)],
    ),
    Exercise(
        title="Questions instead of examples",
        task=(
            "The target is the AND of some of n attributes. `query()` returns an instance whose label you want,"
            " or None when you know enough; `update(x, y)` hears the label; `answer()` returns the numbers of the"
            " attributes, in order. Ask at most n questions."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        methods=("query", "update", "answer"),
        notes=True,
        parts=[
            QueryPart(name=f"n = {n}", most=n, told={"n": n}, targets=[(one, make_and(one)) for one in list_subsets(n)])
            for n in (2, 4)
        ],
    ),
    Exercise(
        title="Few questions",
        task=(
            "As before, but exactly one of the n attributes is relevant, and n is a power of 2. Ask at most lg n"
            " questions."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        methods=("query", "update", "answer"),
        parts=[
            QueryPart(
                name=f"n = {n}",
                most=n.bit_length() - 1,
                told={"n": n},
                targets=[((i,), make_and((i,))) for i in range(n)],
            )
            for n in (2, 8)
        ],
    ),
    Exercise(
        title="A good teacher",
        task=(
            "The target is the AND of the attributes `relevant`, k of n, numbered from 0. `lesson(n, relevant)`"
            " returns examples ((bits), label) that leave no other conjunction possible, at most min(k + 1, n) of"
            " them."
        ),
        starter="class Teacher:\n    def lesson(self, n, relevant): ...",
        methods=("lesson",),
        notes=True,
        parts=[
            QuestionPart(
                name=name,
                method="lesson",
                questions=[(given, check_lesson(*given)) for given in LESSONS if (len(given[1]) < given[0]) == some],
            )
            for name, some in (("some attributes", True), ("all attributes", False))
        ],
    ),
)
