"""Grading: exercises about learners, played out against every adversary.

A student writes an ordinary class with `predict(x)` and `update(x, y)`; `grade` runs it in a process of its own,
plays every game of the exercise's parts and says how many points there are, and why not more.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from littlestone.base.errors import BadParameter, require
from littlestone.laws.grading.every_game import EveryGame, GradedRound, Outcome, show_number
from littlestone.laws.grading.other_parts import AdversaryPart, QueryPart, QuestionPart
from littlestone.laws.grading.rules import GradedGame, show
from littlestone.laws.grading.sandbox import Sandbox, StudentStopped

__all__ = ["POINTS", "Exercise", "GradeReport", "Part", "grade"]

POINTS = 10  # of an exercise
LARGEST = 1 << 20  # bytes of a student's file
SHOWN = 30  # rounds of a transcript that are printed

Part = GradedGame | AdversaryPart | QueryPart | QuestionPart


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """An exercise: a task, and games that show whether it is done.

    Args:
        title: What it is about.
        task: What to write, in sentences.
        parts: The games; the points are divided among them as evenly as can be.
        starter: The first lines of the student's class.
        notes: Whether the lecture notes set it themselves.
        methods: What the class must have.
    """

    title: str
    task: str
    parts: Sequence[Part]
    starter: str
    notes: bool = False
    methods: tuple[str, ...] = ("predict", "update")

    def divide_points(self) -> list[int]:
        """Divide the points among the parts; the last ones get what is left over."""
        count = len(self.parts)
        return [POINTS // count + (k >= count - POINTS % count) for k in range(count)]


@dataclass(frozen=True)
class GradeReport:
    """What a student's file is worth, and why.

    Args:
        number: The exercise.
        exercise: What it asks for.
        outcomes: What came of each part.
        problem: Why nothing could be played at all; nothing if it could.
    """

    number: int
    exercise: Exercise
    outcomes: Sequence[Outcome]
    problem: str = ""

    @property
    def points(self) -> int:
        """The points."""
        shares = self.exercise.divide_points()
        return sum(share for share, one in zip(shares, self.outcomes, strict=False) if one.right)

    def to_record(self) -> dict[str, Any]:
        """What is printed, as plain values."""
        parts = []
        for part, share, one in zip(self.exercise.parts, self.exercise.divide_points(), self.outcomes, strict=False):
            rounds = [{"x": r.x, "said": r.said, "y": r.y, "cost": r.cost} for r in one.rounds]
            shown = {"worst": one.worst, "allowed": one.allowed} if one.shown else {}
            about = {"proven": one.proven, "depth": one.depth, "positions": one.positions, "again": one.again}
            points = {"points": share if one.right else 0, "of": share}
            parts.append({"name": part.name, **shown, **about, **points, "problem": one.words, "rounds": rounds})
        told = {"exercise": self.number, "title": self.exercise.title, "points": self.points, "of": POINTS}
        return told | {"problem": self.problem, "parts": parts}

    def __str__(self) -> str:
        lines = [f"Exercise {self.number}: {self.exercise.title}"]
        wide = max(len(part.name) for part in self.exercise.parts)
        for part, share, one in zip(self.exercise.parts, self.exercise.divide_points(), self.outcomes, strict=False):
            worst, allowed = (show_number(one.worst), show_number(one.allowed)) if one.shown else ("-", "-")
            worst = worst if one.proven or one.right else f"at least {worst}"
            points = f"{share if one.right else 0:>2} of {share:>2}"
            lines.append(
                f"  {part.name:{wide}}  {worst:>14}  {allowed:>8}  {points}  {_tell_scope(part, one)}".rstrip()
            )
        if self.outcomes:
            lines.insert(1, f"  {'':{wide}}  {'worst case':>14}  {'allowed':>8}   points")
        failed = [(part, one) for part, one in zip(self.exercise.parts, self.outcomes, strict=False) if not one.right]
        if failed:
            part, one = min(failed, key=lambda pair: len(pair[1].rounds))
            lines += ["", *write_transcript(part, one)]
        if self.problem:
            lines += ["", self.problem]
        return "\n".join([*lines, "", f"{self.points} of {POINTS} points"])


def _tell_scope(part: Part, one: Outcome) -> str:
    """Say of which games an outcome speaks."""
    if not isinstance(part, GradedGame) or not one.shown:
        return ""
    if part.contrary:
        return "the adversary answers against every guess"
    if one.again is not None:
        return "its mistakes have no end"
    if one.proven:
        games = "games of any length" if part.rounds is None else f"games of up to {part.rounds} rounds"
        return f"all {games}: {one.positions:,} positions"
    games = f"all games of up to {one.depth} rounds"
    return games if not one.right else f"{games}; what it keeps in self grows, so that longer ones were not all played"


def write_transcript(part: Part, one: Outcome) -> list[str]:
    """The lines of the shortest game that goes wrong."""
    if not one.rounds:
        return [f"{part.name}: {one.words}"]
    said = "guess" if isinstance(part, AdversaryPart) else "you said"
    wide = max(len(show(round.x)) for round in one.rounds)
    lines = [f"{'The shortest' if one.shortest else 'A'} game in which it goes wrong ({part.name}):"]
    lines.append(f"  {'round':>5}  {'x':<{max(wide, 1)}}  {said:>8}  it was")
    for number, round in enumerate(one.rounds[:SHOWN], 1):
        cost = "" if not round.cost else "  mistake" if round.cost == 1 else f"  costs {float(round.cost):.4f}"
        cost = "" if isinstance(part, QueryPart) else cost
        guess = f"{float(round.said):.4f}" if isinstance(round.said, float | Fraction) else show(round.said)
        lines.append(f"  {number:>5}  {show(round.x):<{max(wide, 1)}}  {guess:>8}  {show(round.y)}{cost}")
    if len(one.rounds) > SHOWN:
        lines.append(f"  ... and {len(one.rounds) - SHOWN} more rounds")
    return [*lines, f"  {one.words}"]


def grade(path: str, number: int, seconds: float = 60.0, memory: int = 1 << 30, guarded: bool = True) -> GradeReport:
    """Grade a student's file.

    Args:
        path: The file, which is run in a process of its own.
        number: The exercise.
        seconds: How long all games together may take; one answer may take a twelfth of it.
        memory: How many bytes the student's process may have.
        guarded: Whether it may start no process where the system can forbid it; otherwise they are counted.
    """
    from littlestone.laws.grading.exercises import EXERCISES

    require(1 <= number <= len(EXERCISES), f"there are exercises 1 to {len(EXERCISES)}, got {number}")
    size = Path(path).stat().st_size
    require(size <= LARGEST, f"{path} has {size:,} bytes, and at most {LARGEST:,} are read", BadParameter)
    exercise, until = EXERCISES[number - 1], time.monotonic() + seconds
    outcomes: list[Outcome] = []

    def open_sandbox() -> Sandbox:
        return Sandbox(path, exercise.methods, memory, max(1.0, seconds / 12), guarded=guarded)

    try:
        with open_sandbox() as sandbox, open_sandbox() as fresh:
            if "wrong" in sandbox.found:
                return GradeReport(number, exercise, [], f"the file cannot be used: {sandbox.found['wrong']}")
            for place, part in enumerate(exercise.parts):
                left = max(1.0, (until - time.monotonic()) / (len(exercise.parts) - place))
                outcome = _grade_part(sandbox, part, time.monotonic() + left)
                outcomes.append(_play_again(fresh, part, outcome) if isinstance(part, GradedGame) else outcome)
    except StudentStopped as problem:
        return GradeReport(number, exercise, outcomes, f"it was stopped: {problem}")
    return GradeReport(number, exercise, outcomes)


def _grade_part(sandbox: Sandbox, part: Part, until: float) -> Outcome:
    return EveryGame(sandbox, part, until).play() if isinstance(part, GradedGame) else part.grade(sandbox)


def _play_again(sandbox: Sandbox, game: GradedGame, outcome: Outcome) -> Outcome:
    """Play the game of an outcome from the start, in a fresh process: it must go as it went before."""
    if not outcome.shown:
        return outcome
    end = sandbox.make(game.told)
    again = []
    for round in outcome.rounds or outcome.closest:
        end = sandbox.play_one(end.node, ("predict", round.x))
        said = end.said[0] if end.said else None
        again.append(GradedRound(round.x, said, round.y, round.cost))
        if said == round.said and not end.wrong:
            end = sandbox.play_one(end.node, ("update", round.x, round.y))
        if said != round.said or end.wrong:
            words = (
                "the same rounds went otherwise when they were played before:"
                " what it learned must be kept in self and nowhere else, and it must draw no lots"
            )
            return Outcome(rounds=again, words=words, shown=False)
    return outcome
