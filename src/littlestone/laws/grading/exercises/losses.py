"""Exercises about losses of chances: mixtures, counts, and means."""

from math import log

from littlestone.laws.grading import Exercise
from littlestone.laws.grading.rules import CountGame, ExpertsGame


def lose_log(said: float, y: int) -> float:
    """What an expert loses that gave 1 this chance."""
    return -log(said if y else 1 - said)


def best_constant(zeros: int, ones: int) -> float:
    """The log-loss of the best constant chance on these numbers of labels."""
    total = zeros + ones
    return -sum(count * log(count / total) for count in (zeros, ones) if count)


def best_mean(zeros: int, ones: int) -> float:
    """The squared loss of the best constant on these numbers of labels."""
    return zeros * ones / max(zeros + ones, 1)


EXERCISES = (
    Exercise(
        title="A mixture of chances",
        task=(
            "An instance has the chance of a 1 by each of `experts` experts. Return a chance whose log-loss, -ln"
            " of the chance that you gave the label, is at most that of the best expert + ln N, summed over all"
            " rounds."
        ),
        starter="class Learner:\n    def __init__(self, experts): ...",
        parts=[
            ExpertsGame(
                name=f"{n} experts, {rounds} rounds",
                advice=advice,
                charge=lose_log,
                allowance=lambda best, n=n: best + log(n),  # type: ignore[misc]
                rounds=rounds,
                labels=(),
                told={"experts": n},
                unit="nats of log-loss",
                loss="log",
            )
            for n, rounds, advice in (
                (2, 5, [(0.25, 0.75), (0.5, 0.75), (0.75, 0.25)]),
                (3, 4, [(0.25, 0.5, 0.75), (0.75, 0.25, 0.5)]),
            )
        ],
    ),
    Exercise(
        title="Counting",
        task=(
            "Instances say nothing. Return a chance of 1 whose log-loss exceeds that of the best constant chance,"
            " chosen afterwards, by at most ln(T + 1) after any T rounds."
        ),
        starter="class Learner:\n    def __init__(self): ...",
        parts=[
            CountGame(
                name="9 rounds",
                allowance=lambda zeros, ones: best_constant(zeros, ones) + log(zeros + ones + 1),
                rounds=9,
                labels=(),
                unit="nats of log-loss",
                loss="log",
            )
        ],
    ),
    Exercise(
        title="Counting, half as dear",
        task=(
            "As before, with at most ln(T) / 2 + ln 2 more than the best constant: half a count for each label at"
            " the start, instead of one, is enough (Krichevsky and Trofimov 1981)."
        ),
        starter="class Learner:\n    def __init__(self): ...",
        parts=[
            CountGame(
                name="9 rounds",
                allowance=lambda zeros, ones: best_constant(zeros, ones) + log(max(zeros + ones, 1)) / 2 + log(2),
                rounds=9,
                labels=(),
                unit="nats of log-loss",
                loss="log",
            )
        ],
    ),
    Exercise(
        title="The mean so far",
        task=(
            "Instances say nothing. Return a number p; a round costs (p - y)^2. Lose at most 1/4 + (2/2 - 1/4) +"
            " (2/3 - 1/9) + ... + (2/T - 1/T^2) more than the best constant in T rounds."
        ),
        starter="class Learner:\n    def __init__(self): ...",
        parts=[
            CountGame(
                name="9 rounds",
                allowance=lambda zeros, ones: (
                    best_mean(zeros, ones) + 0.25 + sum(2 / t - 1 / t**2 for t in range(2, zeros + ones + 1))
                ),
                rounds=9,
                labels=(),
                unit="squared loss",
                loss="square",
            )
        ],
    ),
)
