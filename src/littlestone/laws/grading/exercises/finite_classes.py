"""Exercises about finite classes: any survivor, the majority, a random one, and the optimal guess."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from littlestone.laws.grading import Exercise
from littlestone.laws.grading.exercises.tables import (
    list_bits,
    list_functions,
    list_singletons,
    list_subsets,
    list_thresholds,
    make_game,
)
from littlestone.laws.grading.rules import BisectionGame, ClassGame

TOLD_TABLE = (
    " `table` has a row of labels for each concept, and an instance x is the number of a column; one of the rows"
    " labels every round."
)
MIXED = ("00000", "10010", "01110", "11100", "00111", "10101", "11011", "01001", "11111", "00010", "10000", "01000")
THREE = ("aab", "abc", "bca", "cab", "ccc", "bba", "acb", "aac")
LATE = (  # classes of Littlestone dimension 2 for which a majority vote errs three times, whatever it does with ties
    ("00000", "10000", "00110", "01110", "10101", "10011", "00111", "10111", "11111"),
    ("000000", "001000", "111000", "001100", "101100", "001010", "001001", "001101", "011111"),
)


def read_table(rows: tuple[str, ...]) -> list[list[bool]]:
    """A table that is written as rows of 0 and 1."""
    return [[sign == "1" for sign in row] for row in rows]


def make_table_game(name: str, table: list[list[bool]], bound: int) -> ClassGame:
    """The game on a table that the student's class is told."""
    return ClassGame(name=name, table=table, points=range(len(table[0])), bound=bound, told={"table": table})


def list_boxes(m: int, d: int) -> list[list[tuple[int, int]]]:
    """The boxes of the grid {0..m-1}^d, as an interval on each axis."""
    sides = [(low, high) for low in range(m) for high in range(low, m)]
    return [list(box) for box in product(sides, repeat=d)]


def make_box_game(m: int, d: int) -> ClassGame:
    """The game on boxes, the empty one included."""
    points = list(product(range(m), repeat=d))
    rows = [
        [all(low <= c <= high for (low, high), c in zip(box, x, strict=True)) for x in points]
        for box in list_boxes(m, d)
    ]
    table = [[False] * len(points), *rows]
    bound = 1 + d * (m - 1)
    return ClassGame(name=f"m = {m}, d = {d}", table=table, points=points, bound=bound, told={"m": m, "d": d})


def count_harmonic(r: int) -> Fraction:
    """1/2 + 1/3 + ... + 1/r."""
    return sum((Fraction(1, k) for k in range(2, r + 1)), Fraction(0))


def make_parity(chosen: tuple[int, ...]) -> Callable[[tuple[int, ...]], bool]:
    """Whether an odd number of these attributes is 1."""
    return lambda x: sum(x[i] for i in chosen) % 2 == 1


EXERCISES = (
    Exercise(
        title="Any concept that agrees",
        task="Make at most |C| - 1 mistakes by guessing as some concept does that agrees with all rounds so far."
        + TOLD_TABLE,
        starter="class Learner:\n    def __init__(self, table): ...",
        parts=[
            make_game("4 singletons", list_singletons(4), range(4), 3),
            make_game("thresholds on 0..2", list_thresholds(2), range(3), 3),
            make_table_game("12 mixed concepts", read_table(MIXED), 11),
        ],
    ),
    Exercise(
        title="Halving",
        task="Make at most floor(lg |C|) mistakes." + TOLD_TABLE,
        starter="class Learner:\n    def __init__(self, table): ...",
        parts=[
            make_game("thresholds on 0..6", list_thresholds(6), range(7), 3),
            make_game("6 singletons", list_singletons(6), range(6), 2),
            make_game("all functions on 3 points", list_functions(3), range(3), 3),
            make_table_game("12 mixed concepts", read_table(MIXED), 3),
        ],
    ),
    Exercise(
        title="Halving on a long grid",
        task=(
            'Instances are whole numbers 0, ..., n, and the concepts are "x >= j" for j = 0, ..., n + 1. Play as the'
            " majority of those that agree does, with at most floor(lg(n + 2)) mistakes, in time and memory that"
            " do not grow with n: it is 10^18 in the end."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        notes=True,
        parts=[
            *(
                make_game(f"n = {n}", list_thresholds(n), range(n + 1), (n + 2).bit_length() - 1, {"n": n})
                for n in (6, 14)
            ),
            BisectionGame(name="n = 10^18, middles", n=10**18, bound=59, told={"n": 10**18}, contrary=True),
            BisectionGame(
                name="n = 10^18, thirds", n=10**18, bound=59, told={"n": 10**18}, contrary=True, share=(1, 3)
            ),
        ],
    ),
    Exercise(
        title="Better than halving",
        task="Make no more mistakes than the Littlestone dimension of the class, which you must find yourself."
        + TOLD_TABLE,
        starter="class Learner:\n    def __init__(self, table): ...",
        parts=[
            make_table_game("9 concepts on 5 points", read_table(LATE[0]), 2),
            make_table_game("9 concepts on 6 points", read_table(LATE[1]), 2),
            make_game("thresholds on 0..6", list_thresholds(6), range(7), 3),
        ],
    ),
    Exercise(
        title="Halving with a coin",
        task=(
            "Let `predict` return the chance, as a number from 0 to 1, that the guess is True: for a concept that"
            " is drawn among all that agree. Expected mistakes are then at most 1/2 + 1/3 + ... + 1/|C|." + TOLD_TABLE
        ),
        starter="class Learner:\n    def __init__(self, table): ...",
        parts=[
            make_game(name, concepts, range(points), count_harmonic(len(concepts)), labels=(), unit="expected mistakes")
            for name, concepts, points in (
                ("3 singletons", list_singletons(3), 3),
                ("5 singletons", list_singletons(5), 5),
                ("thresholds on 0..2", list_thresholds(2), 3),
            )
        ],
    ),
    Exercise(
        title="The smallest box",
        task=(
            "Instances are points of the grid {0, ..., m - 1}^d, and those inside of some box, perhaps an empty"
            " one, are positive. Make at most 1 + d (m - 1) mistakes without a list of boxes."
        ),
        starter="class Learner:\n    def __init__(self, m, d): ...",
        parts=[make_box_game(m, d) for m, d in ((4, 1), (2, 2), (3, 2))],
    ),
    Exercise(
        title="Parities",
        task=(
            "Instances have n bits. An unknown subset of them decides: x is positive if an odd number of these is"
            " 1. Make at most n mistakes."
        ),
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[
            make_game(
                f"n = {n}",
                map(make_parity, list_subsets(n)),
                list_bits(n),
                n,
                {"n": n},
            )
            for n in (1, 2, 3)
        ],
    ),
    Exercise(
        title="Three labels",
        task="The labels are 'a', 'b' and 'c'. Make at most floor(lg |C|) mistakes." + TOLD_TABLE,
        starter="class Learner:\n    def __init__(self, table): ...",
        parts=[
            ClassGame(
                name=f"{len(rows)} concepts",
                table=[list(row) for row in rows],
                points=range(3),
                labels=("a", "b", "c"),
                bound=len(rows).bit_length() - 1,
                told={"table": [list(row) for row in rows]},
            )
            for rows in (THREE[:3], THREE)
        ],
    ),
)
