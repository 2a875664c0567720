"""Exercises about experts: votes, leaders, coins, and starting again."""

from collections.abc import Callable
from itertools import product
from math import log, sqrt
from typing import Any

from littlestone.base.printed_numbers import Number
from littlestone.laws.grading import Exercise
from littlestone.laws.grading.exercises.the_game import ADVERSARY
from littlestone.laws.grading.other_parts import AdversaryPart, Rounds
from littlestone.laws.grading.rules import ExpertsGame, show

TOLD = (
    " An instance is what `experts` experts say, 0 or 1 each; any label may come. L is how often the best of them errs."
)


def make_experts_game(
    experts: int, rounds: int, allowance: Callable[[Number], Number], labels: tuple[int, ...] = (0, 1)
) -> ExpertsGame:
    """The game with some experts who may say anything."""
    return ExpertsGame(
        name=f"{experts} expert{'s' if experts > 1 else ''}, {rounds} rounds",
        advice=list(product((0, 1), repeat=experts)),
        allowance=allowance,
        rounds=rounds,
        labels=labels,
        told={"experts": experts},
        unit="mistakes" if labels else "expected mistakes",
    )


def allow_majority(experts: int, best: int) -> int:
    """The largest m with N (3/4)^m >= (1/2)^L, in whole numbers."""
    m = 0
    while experts * 3 ** (m + 1) * 2**best >= 4 ** (m + 1):
        m += 1
    return m


def check_constant(rounds: Rounds, target: Any) -> str:
    """What is wrong with an expert as one that errs in at most half of the rounds."""
    for one in rounds:
        if not isinstance(one.x, tuple) or any(vote not in (0, 1) for vote in one.x) or len(one.x) != len(rounds[0].x):
            return f"{show(one.x)} is not what the experts say, 0 or 1 each"
    if isinstance(target, bool) or not isinstance(target, int) or not 0 <= target < len(rounds[0].x):
        return f"target returned {show(target)}, and the number of an expert was asked for"
    wrong = sum(one.x[target] != one.y for one in rounds)
    return f"expert {target} errs {wrong} times in {len(rounds)} rounds" if 2 * wrong > len(rounds) else ""


def weigh_experts(n: int) -> list[ExpertsGame]:
    """Games of Weighted Majority with penalty 1/2."""
    return [make_experts_game(n, rounds, lambda best: allow_majority(n, int(best))) for rounds in (7,)]


EXERCISES = (
    Exercise(
        title="Weighted Majority",
        task="Make at most (L ln 2 + ln N) / ln(4/3) mistakes: an expert that errs loses half of its weight." + TOLD,
        starter="class Learner:\n    def __init__(self, experts): ...",
        parts=[*weigh_experts(1), *weigh_experts(2), *weigh_experts(3)],
    ),
    Exercise(
        title="Follow the leader",
        task="Make at most N L + N - 1 mistakes by saying what the expert says that has erred least so far." + TOLD,
        starter="class Learner:\n    def __init__(self, experts): ...",
        parts=[
            make_experts_game(n, rounds, lambda best, n=n: n * best + n - 1)  # type: ignore[misc]
            for n, rounds in ((1, 5), (2, 7), (3, 7))
        ],
    ),
    Exercise(
        title="Halving that starts again",
        task=(
            "Make at most (L + 1) floor(lg N) + L mistakes: vote among the experts that have not erred, and start"
            " again with all of them when none is left." + TOLD
        ),
        starter="class Learner:\n    def __init__(self, experts): ...",
        parts=[
            make_experts_game(n, rounds, lambda best, n=n: (best + 1) * (n.bit_length() - 1) + best)  # type: ignore[misc]
            for n, rounds in ((1, 6), (2, 7), (3, 6))
        ],
    ),
    Exercise(
        title="The vote as a coin",
        task=(
            "Let `predict` return the chance that the guess is 1: the share of the weight that says 1, where an"
            " expert that errs loses half of its weight. Expected mistakes are at most 2 (L ln 2 + ln N)." + TOLD
        ),
        starter="class Learner:\n    def __init__(self, experts): ...",
        parts=[
            make_experts_game(n, rounds, lambda best, n=n: 2 * (best * log(2) + log(n)), ())  # type: ignore[misc]
            for n, rounds in ((1, 6), (2, 6), (3, 5))
        ],
    ),
    Exercise(
        title="A better coin",
        task=(
            "Bend the curve from share r to chance: 0 up to 1/2 - c, 1 from 1/2 + c on, a straight line between,"
            " with c = (1 + b) ln(2 / (1 + b)) / (2 (1 - b)) and b = 1/2. Expected mistakes are at most half of"
            " Weighted Majority's bound, (L ln 2 + ln N) / (2 ln(4/3))." + TOLD
        ),
        starter="class Learner:\n    def __init__(self, experts): ...",
        parts=[
            make_experts_game(n, rounds, lambda best, n=n: (best * log(2) + log(n)) / (2 * log(4 / 3)), ())  # type: ignore[misc]
            for n, rounds in ((2, 6), (3, 5))
        ],
    ),
    Exercise(
        title="Twice as bad as the best",
        task=(
            "Write an adversary with two or more experts that makes every deterministic learner err in every"
            " round while some expert errs in at most half of them: `instance()` returns what the experts say,"
            " `label(guess)` the label, 0 or 1 and not the guess, `target()` the number of such an expert."
        ),
        starter="class Adversary:\n    def __init__(self): ...",
        methods=ADVERSARY,
        parts=[AdversaryPart(name="6 rounds", rounds=6, check=check_constant, labels=(0, 1))],
    ),
    Exercise(
        title="Hedge",
        task=(
            "Let `predict` return a chance whose expected mistakes exceed those of the best of N experts by at"
            " most sqrt(T ln N / 2) in T = 6 rounds, whatever the best one loses: weights exp(-rate * loss), rate"
            " = sqrt(8 ln N / T)." + TOLD
        ),
        starter="class Learner:\n    def __init__(self, experts): ...",
        parts=[
            make_experts_game(n, 6, lambda best, n=n: best + sqrt(3 * log(n)), ())  # type: ignore[misc]
            for n in (2, 3)
        ],
    ),
)
