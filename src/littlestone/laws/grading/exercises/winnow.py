"""Exercises about Winnow: few relevant attributes among many, crossing out, negations, targets that change."""

from littlestone.laws.grading import Exercise
from littlestone.laws.grading.exercises.elimination import name_literals
from littlestone.laws.grading.exercises.tables import (
    list_bits,
    list_literals,
    list_subsets,
    make_game,
    make_or,
    make_or_of,
)
from littlestone.laws.grading.rules import ClassGame, DriftGame


def count_halvings(n: int) -> int:
    """The least whole number that is not below lg n."""
    return (n - 1).bit_length()


def make_disjunction_game(n: int, k: int, factor: int) -> ClassGame:
    """The game on ORs of k of n attributes, with `factor` mistakes for each promotion that can be needed, and one."""
    targets = list_subsets(n, [k])
    names = [" or ".join(f"x{i}" for i in one) for one in targets]
    bound = factor * k * count_halvings(n) + 1
    return make_game(f"n = {n}, k = {k}", map(make_or, targets), list_bits(n), bound, {"n": n}, names=names)


def make_literal_game(n: int) -> ClassGame:
    """The game on single literals, with Winnow's bound for 2n attributes."""
    targets = [one for one in list_literals(n) if len(one) == 1]
    names = [name_literals(one) for one in targets]
    bound = 3 * count_halvings(2 * n) + 1
    return make_game(f"n = {n}, k = 1", map(make_or_of, targets), list_bits(n), bound, {"n": n}, names=names)


def allow_drift(n: int) -> "DriftGame":
    """The game on targets that change, with Winnow-R's bound."""
    return DriftGame(
        name=f"n = {n}",
        attributes=n,
        most=2,
        allowance=lambda cost: 5 * cost * count_halvings(2 * n) + 1,
        told={"n": n},
    )


EXERCISES = (
    Exercise(
        title="Winnow",
        task=(
            "The target is the OR of k of n attributes, k unknown. Make at most 3 k ceil(lg n) + 1 mistakes:"
            " weights start at 1, the threshold is n, weights of active attributes are doubled or halved."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[make_disjunction_game(n, k, 3) for n, k in ((2, 1), (3, 2), (4, 1))],
    ),
    Exercise(
        title="Winnow that crosses out",
        task="As before, with at most 2 k ceil(lg n) + 1 mistakes: nothing active in a negative is relevant.",
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[make_disjunction_game(n, k, 2) for n, k in ((2, 1), (3, 2), (4, 1))],
    ),
    Exercise(
        title="Negated attributes",
        task="The target is one literal, x_i or not x_i, of n attributes. Make at most 3 ceil(lg 2n) + 1 mistakes.",
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[make_literal_game(n) for n in (2, 3, 4)],
    ),
    Exercise(
        title="Targets that change",
        task=(
            "The target is an OR of attributes, at first of none. Between rounds attributes may leave it, which"
            " is free, or join it, c times in all. Make at most 5 c ceil(lg 2n) + 1 mistakes; c is at most 2 here."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[allow_drift(n) for n in (1, 2)],
    ),
)
