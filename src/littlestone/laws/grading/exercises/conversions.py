"""Exercises about conversions: conservative learners, and how many examples are enough."""

from math import ceil, log

from littlestone.laws.grading import Exercise
from littlestone.laws.grading.exercises.finite_classes import MIXED, TOLD_TABLE, read_table
from littlestone.laws.grading.exercises.tables import list_functions, list_thresholds, make_game
from littlestone.laws.grading.other_parts import QuestionPart, expect
from littlestone.laws.grading.rules import ClassGame


def count_stages(mistakes: int, error: float, confidence: float) -> int:
    """The examples of all stages: in stage i, ln(2^i / (1 - confidence)) / error without a mistake."""
    return sum(ceil((i * log(2) - log(1 - confidence)) / error) for i in range(1, mistakes + 2))


def count_elimination(n: int, error: float, confidence: float) -> int:
    """The examples that elimination needs to be within `error`, by the probability that one literal survives."""
    return ceil(n / error * (log(n) - log(1 - confidence)))


STAGES = [(10, 0.1, 0.95), (0, 0.1, 0.95), (3, 0.25, 0.9), (1, 0.05, 0.99)]
SIZES = [(100, 0.1, 0.95), (1, 0.1, 0.9), (20, 0.05, 0.99)]
RUNS = [(500, 1000), (0, 7), (1, 1), (3, 10)]

EXERCISES = (
    Exercise(
        title="A conservative learner",
        task=(
            "Keep halving's bound, floor(lg |C|), and be conservative: after a right guess nothing may change,"
            " that is, every guess on every instance stays what it was." + TOLD_TABLE
        ),
        starter="class Learner:\n    def __init__(self, table): ...",
        notes=True,
        parts=[
            make_game("thresholds on 0..4", list_thresholds(4), range(5), 2, law="conservative"),
            make_game("all functions on 3 points", list_functions(3), range(3), 3, law="conservative"),
            ClassGame(
                name="12 mixed concepts",
                table=read_table(MIXED),
                points=range(5),
                bound=3,
                told={"table": read_table(MIXED)},
                law="conservative",
            ),
        ],
    ),
    Exercise(
        title="From mistakes to PAC: stages",
        task=(
            "A conservative learner that errs at most M times plays in stages. Stage i = 1, ..., M + 1 ends with"
            " a mistake, or with the answer after ceil(ln(1 / d_i) / error) rounds without one, where d_i = (1 -"
            " confidence) / 2^i. `examples(mistakes, error, confidence)` returns how many examples all stages take"
            " at most."
        ),
        starter="class Count:\n    def examples(self, mistakes, error, confidence): ...",
        methods=("examples",),
        notes=True,
        parts=[
            QuestionPart(
                name="four settings",
                method="examples",
                questions=[(given, expect(count_stages(*given))) for given in STAGES],
            )
        ],
    ),
    Exercise(
        title="A long run without a mistake",
        task=(
            "A learner errs at most M times. `examples(mistakes, run)` returns after how many rounds there has"
            " surely been a run of `run` rounds without a mistake. The lecture says about 500,000 for M = 500 and"
            " a run of 1,000."
        ),
        starter="class Count:\n    def examples(self, mistakes, run): ...",
        methods=("examples",),
        notes=True,
        parts=[
            QuestionPart(
                name="four settings",
                method="examples",
                questions=[((m, run), expect((m + 1) * run)) for m, run in RUNS],
            )
        ],
    ),
    Exercise(
        title="Elimination from random examples",
        task=(
            "Elimination learns the AND of some of n attributes from independent examples. An attribute that is 0"
            " on positives with probability more than error / n is crossed out soon: `examples(n, error,"
            " confidence)` returns the number of examples, (n / error) (ln n + ln(1 / (1 - confidence))) rounded"
            " up, after which all of these are gone with this confidence."
        ),
        starter="class Count:\n    def examples(self, n, error, confidence): ...",
        methods=("examples",),
        notes=True,
        parts=[
            QuestionPart(
                name="three settings",
                method="examples",
                questions=[(given, expect(count_elimination(*given))) for given in SIZES],
            )
        ],
    ),
)
