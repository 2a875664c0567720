"""Exercises about the game itself: remembering, one exception, and classes that cannot be learned."""

from typing import Any

from littlestone.laws.grading import Exercise
from littlestone.laws.grading.exercises.tables import list_functions, list_singletons, make_game
from littlestone.laws.grading.other_parts import AdversaryPart, Rounds
from littlestone.laws.grading.rules import ClassGame, show

ADVERSARY = ("instance", "label", "target")
ROUNDS = 6


def check_threshold(rounds: Rounds, target: Any) -> str:
    """What is wrong with a threshold as the target of these rounds."""
    if isinstance(target, bool) or not isinstance(target, int | float):
        return f"target returned {show(target)}, and a number was asked for"
    wrong = [one for one in rounds if (one.x >= target) != one.y]
    return f"target {show(target)} says otherwise of {show(wrong[0].x)}" if wrong else ""


def check_prefix(rounds: Rounds, target: Any) -> str:
    """What is wrong with the end of a prefix of [0, 1] as the target of these rounds."""
    if isinstance(target, bool) or not isinstance(target, int | float) or not 0 <= target <= 1:
        return f"target returned {show(target)}, and a number from 0 to 1 was asked for"
    outside = [one for one in rounds if not 0 <= one.x <= 1]
    if outside:
        return f"{show(outside[0].x)} does not lie between 0 and 1"
    wrong = [one for one in rounds if (one.x <= target) != one.y]
    return f"the prefix up to {show(target)} says otherwise of {show(wrong[0].x)}" if wrong else ""


def check_box(rounds: Rounds, target: Any) -> str:
    """What is wrong with a box as the target of these rounds."""
    try:
        (left, right), (low, high) = target
        wrong = [one for one in rounds if (left <= one.x[0] <= right and low <= one.x[1] <= high) != one.y]
    except (TypeError, ValueError, IndexError):
        return f"target returned {show(target)}, and ((left, right), (low, high)) was asked for"
    return f"the box {show(target)} says otherwise of {show(wrong[0].x)}" if wrong else ""


COLOURS = ("red", "green", "blue")

EXERCISES = (
    Exercise(
        title="Remember",
        task="Labels follow no rule, but an instance keeps its label. Make at most one mistake on each instance.",
        starter="class Learner:\n    def __init__(self): ...",
        parts=[
            make_game(f"{n} instance{'s' if n > 1 else ''}", list_functions(n), range(n), n, {}) for n in (1, 2, 3, 4)
        ],
    ),
    Exercise(
        title="Always the same",
        task="Every instance has the same label, one of `labels`. Make at most one mistake.",
        starter="class Learner:\n    def __init__(self, labels): ...",
        parts=[
            ClassGame(
                name=f"{count} labels",
                table=[[label] * 2 for label in COLOURS[:count]],
                points=(0, 1),
                bound=1,
                labels=COLOURS[:count],
                told={"labels": COLOURS[:count]},
            )
            for count in (2, 3)
        ],
    ),
    Exercise(
        title="One exception",
        task="Of n instances 0, ..., n - 1 exactly one is positive, or none is. Make at most one mistake.",
        starter="class Learner:\n    def __init__(self, n): ...",
        parts=[make_game(f"n = {n}", [*list_singletons(n), lambda x: False], range(n), 1, {"n": n}) for n in (1, 2, 5)],
    ),
    Exercise(
        title="Thresholds on the real line cannot be learned",
        task=(
            'Some number t decides the labels: "x >= t" is true. Write the adversary: `instance()` returns a number,'
            " `label(guess)` the label, which must not be the guess, and `target()` a t that agrees with all"
            " labels so far. It is played against every sequence of guesses."
        ),
        starter="class Adversary:\n    def __init__(self): ...",
        methods=ADVERSARY,
        notes=True,
        parts=[AdversaryPart(name=f"{t} rounds", rounds=t, check=check_threshold) for t in (2, ROUNDS)],
    ),
    Exercise(
        title="Prefixes of [0, 1] cannot be learned with finitely many mistakes",
        task=(
            "Instances are numbers from 0 to 1, and some a decides: x is positive if x <= a. The class is easy to"
            " learn from independent examples. Write the adversary, as before; `target()` returns a."
        ),
        starter="class Adversary:\n    def __init__(self): ...",
        methods=ADVERSARY,
        notes=True,
        parts=[AdversaryPart(name=f"{t} rounds", rounds=t, check=check_prefix) for t in (2, ROUNDS)],
    ),
    Exercise(
        title="Rectangles in the plane cannot be learned",
        task=(
            "Instances are pairs of numbers, and those inside of some rectangle with sides along the axes are"
            " positive. Write the adversary, as before; `target()` returns ((left, right), (low, high)), the sides"
            " included."
        ),
        starter="class Adversary:\n    def __init__(self): ...",
        methods=ADVERSARY,
        notes=True,
        parts=[AdversaryPart(name=f"{t} rounds", rounds=t, check=check_box) for t in (2, ROUNDS)],
    ),
)
