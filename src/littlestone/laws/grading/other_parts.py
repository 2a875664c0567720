"""Parts of exercises in which a student's class is not a learner: adversaries, learners that ask, and answers.

An adversary is played against every learner, that is, against every sequence of guesses. A learner that asks plays
against every target. Answers are compared with what can be computed otherwise.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from littlestone.laws.grading.every_game import GradedRound, Outcome
from littlestone.laws.grading.rules import show
from littlestone.laws.grading.sandbox import Sandbox

Rounds = Sequence[GradedRound]
UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)  # what a check raises of a wrong form
NO_FORM = "that is no answer of the right form"


@dataclass(frozen=True, kw_only=True)
class AdversaryPart:
    """A class with `instance()`, `label(guess)` and `target()` that must make every learner err in every round.

    Args:
        name: What the part is called in a report.
        rounds: How many rounds it must force.
        check: What is wrong with a target, given the rounds and what `target` returned; nothing if nothing is.
        told: What the class is made with.
        labels: The two labels.
    """

    name: str
    rounds: int
    check: Callable[[Rounds, Any], str]
    told: dict[str, Any] = field(default_factory=dict)
    labels: tuple[Any, Any] = (False, True)

    def grade(self, sandbox: Sandbox) -> Outcome:
        """Play every sequence of guesses, the short ones first."""
        made = sandbox.make(self.told)
        if made.wrong:
            return Outcome(words=f"making it failed: {made.wrong}", shown=False)
        games: list[tuple[int, list[GradedRound]]] = [(made.node, [])]
        for depth in range(self.rounds):
            longer: list[tuple[int, list[GradedRound]]] = []
            for node, rounds in games:
                shown = sandbox.play_one(node, ("instance",))  # before any guess is sent
                x = shown.said[0] if shown.said else None
                for guess in self.labels:
                    end = shown if shown.wrong else sandbox.play_one(shown.node, ("label", guess), ("target",))
                    y, target = (None, None) if shown.wrong else (*end.said, None, None)[:2]
                    played = [*rounds, GradedRound(x, guess, y, int(y != guess))]
                    if problem := end.wrong or self._find_problem(played, target):
                        return Outcome(depth, self.rounds, rounds=played, words=problem)
                    longer.append((end.node, played))
            games = longer
        return Outcome(self.rounds, self.rounds, depth=self.rounds, positions=len(games))

    def _find_problem(self, played: list[GradedRound], target: Any) -> str:
        if played[-1].y not in self.labels:
            return f"label returned {played[-1].y!r}, and the labels are {self.labels[0]!r} and {self.labels[1]!r}"
        if played[-1].y == played[-1].said:
            return "the learner was right in this round: it was to err in every one"
        try:
            return self.check(played, target)
        except UNFIT:
            return f"{NO_FORM}: instance {show(played[-1].x)}, target {show(target)}"


@dataclass(frozen=True, kw_only=True)
class QueryPart:
    """A class with `query()`, `update(x, y)` and `answer()` that must find every target with few questions.

    Args:
        name: What the part is called in a report.
        most: How many questions it may ask; None from `query` ends them.
        targets: What `answer` must return, and the target as a function.
        told: What the class is made with.
    """

    name: str
    most: int
    targets: Sequence[tuple[Any, Callable[[Any], bool]]]
    told: dict[str, Any] = field(default_factory=dict)

    def grade(self, sandbox: Sandbox) -> Outcome:
        """Let it ask about each target in turn."""
        worst = 0
        for wanted, target in self.targets:
            node = sandbox.make(self.told)
            rounds: list[GradedRound] = []
            if node.wrong:
                return Outcome(words=f"making it failed: {node.wrong}", shown=False)
            while True:
                asked = sandbox.play_one(node.node, ("query",))
                x = asked.said[0] if asked.said else None
                if asked.wrong or x is None:
                    break
                try:
                    y = bool(target(x))
                except UNFIT:
                    return Outcome(rounds=rounds, words=f"query returned {show(x)}, which is no instance", shown=False)
                rounds.append(GradedRound(x, "?", y, 1))
                if len(rounds) > self.most:
                    return Outcome(len(rounds), self.most, rounds=rounds, words=self._count(len(rounds)))
                asked = sandbox.play_one(asked.node, ("update", x, y))
                if asked.wrong:
                    break
                node = asked
            if asked.wrong:
                return Outcome(rounds=rounds, words=asked.wrong, shown=False)
            end = sandbox.play_one(node.node, ("answer",))
            said = end.wrong or end.said[0]
            if said != wanted:
                words = f"answer returned {show(said)}, and the target was {show(wanted)}"
                return Outcome(len(rounds), self.most, rounds=rounds, words=words)
            worst = max(worst, len(rounds))
        return Outcome(worst, self.most, positions=len(self.targets))

    def _count(self, asked: int) -> str:
        return f"{asked} questions, and at most {self.most} are allowed"


@dataclass(frozen=True, kw_only=True)
class QuestionPart:
    """A class with a method that must answer questions rightly.

    Args:
        name: What the part is called in a report.
        method: The method.
        questions: What it is called with, and what is wrong with what it returned; nothing if nothing is.
        told: What the class is made with.
    """

    name: str
    method: str
    questions: Sequence[tuple[tuple[Any, ...], Callable[[Any], str]]]
    told: dict[str, Any] = field(default_factory=dict)

    def grade(self, sandbox: Sandbox) -> Outcome:
        """Ask one question after another."""
        made = sandbox.make(self.told)
        if made.wrong:
            return Outcome(words=f"making it failed: {made.wrong}", shown=False)
        for number, (given, check) in enumerate(self.questions):
            end = sandbox.play_one(made.node, (self.method, *given))
            said = end.said[0] if end.said else None
            try:
                problem = end.wrong or check(said)
            except UNFIT:
                problem = NO_FORM
            if problem:
                asked = f"{self.method}{show(given)}"
                words = f"{asked} returned {show(said)}: {problem}" if end.said else f"{asked}: {problem}"
                return Outcome(number, len(self.questions), words=words)
        return Outcome(len(self.questions), len(self.questions))


def expect(wanted: Any, near: float = 0.0) -> Callable[[Any], str]:
    """Make a check that an answer, a number or a label, is this one; floats may differ by `near`."""

    def check(said: Any) -> str:
        right = said == wanted or (near > 0 and abs(float(said) - float(wanted)) <= near)
        return "" if right else f"the right answer is {show(wanted)}"

    return check
