"""Human: a person at either side of the game.

`HumanLearner` shows each instance and asks for a guess; `HumanEnvironment` asks for an instance and, after hearing the
guess, for its label. How to ask and how to show are given, so that a test can be the person. A word that cannot be
read is asked for again, and q, or the end of the input, ends the game.

>>> words = iter(["y", "q"])
>>> person = HumanLearner(read=lambda question: next(words), write=print)
>>> bool(person.predict(person.start(Size()), x=7))
True
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.chunks import Array, Instances, Row
from littlestone.base.environment import Environment
from littlestone.base.errors import BadInstance, LittlestoneError, NotRealizable
from littlestone.base.features import Features
from littlestone.base.learner import Learner, Size, State
from littlestone.concepts.concept import Concept, ConceptClass

Read = Callable[[str], str]
Write = Callable[[str], Any]

YES = ("y", "yes", "true", "1", "+", "+1")
NO = ("n", "no", "false", "0", "-", "-1")


class Stopped(LittlestoneError):
    """The person ended the game; `game` is what was played."""


class WrongGuesses(NamedTuple):
    """How many rounds the person got wrong: what else they have learned only they know."""

    wrong: Array


def to_readable(x: Any) -> Any:
    """An instance as it came; only a row is written as {attribute: value}, which a person can read."""
    if not isinstance(x, Row):
        return x
    listed = x.to_sparse()
    assert listed.indices is not None
    values = [1] * listed.length if listed.values is None else listed.values.tolist()
    return dict(zip(listed.indices.tolist(), values, strict=True))


class AsGiven(Features):
    """A person sees instances as they come."""

    width = 0

    def __call__(self, x: Any) -> Any:
        return to_readable(x)

    def read_chunk(self, chunk: Any) -> Instances:
        return Instances([self(chunk[t]) for t in range(len(chunk))], chunk.labels)


@final
@dataclass(frozen=True)
class HumanLearner(Learner):
    """A person who guesses; with `concepts`, the labels are those of the class."""

    concepts: ConceptClass | None = None
    read: Read = input
    write: Write = print

    def start(self, size: Size, seed: int = 0) -> WrongGuesses:
        return WrongGuesses(np.zeros(1, np.int64))

    def predict(self, state: State, x: Any) -> int:
        labels = self.known_labels() or (False, True)
        return labels.index(_ask_label(self.read, self.write, f"{x}: your guess", labels))

    def update(self, state: State, x: Any, y: int, guess: int) -> None:
        state.wrong[0] += guess != y
        label = (self.known_labels() or (False, True))[y]
        self.write(f"  {'right' if guess == y else 'wrong'}: the label is {label}")

    def moves(self, state: State) -> int:
        return int(state.wrong[0])

    def features(self) -> AsGiven:
        return AsGiven()

    def known_labels(self) -> tuple[Hashable, ...]:
        return self.concepts.labels if self.concepts is not None else ()

    def __str__(self) -> str:
        return "you"


class HumanEnvironment(Environment):
    """A person who thinks of a concept, picks instances and tells their labels.

    With `concepts` a label that no concept of the class allows is explained and asked for again, so that the promise
    is kept.
    """

    def __init__(self, concepts: ConceptClass | None = None, read: Read = input, write: Write = print) -> None:
        self.concepts = concepts
        self.read = read
        self.write = write

    def start(self, seed: int) -> None:
        self._space = None if self.concepts is None else self.concepts.start()
        if self.concepts is not None:
            first = self.concepts.concept(0)
            last = self.concepts.concept(self.concepts.size - 1)
            self.write(f"Think of one of the {self.concepts.size} concepts of {self.concepts}: {first}, ..., {last}.")

    def classes(self) -> tuple[Hashable, ...]:
        return self.concepts.labels if self.concepts is not None else (False, True)

    def ask(self) -> Any:
        while True:
            try:
                text = _ask_word(self.read, "an instance (q ends)")
            except Stopped:
                return None
            try:
                self._x = self._parse_instance(text)
                return self._x
            except BadInstance as problem:
                self.write(f"  {problem}")

    def answer(self, guess: Any) -> Any:
        while True:
            y = _ask_label(self.read, self.write, f"I say {guess}. The label", self.classes())
            if self.concepts is None:
                return y
            try:
                self.concepts.keep(self._space, self._x, self.classes().index(y))
                return y
            except NotRealizable as problem:
                self.write(f"  {problem}: the label must be another one")

    def target(self) -> Concept | None:
        """The first concept that agrees with everything the person said."""
        if self.concepts is None or self._space is None:
            return None
        return self.concepts.concept(self.concepts.survivor(self._space, 0))

    def _parse_instance(self, text: str) -> Any:
        """The first way to read the text that makes it an instance: a number, numbers, digits, or itself."""
        readings: list[Any] = []
        for reading in (int, _parse_numbers, lambda digits: tuple(int(digit) for digit in digits), str):
            try:
                readings.append(reading(text))
            except ValueError:
                continue
        if self.concepts is None:
            return readings[0]
        for x in readings:
            try:
                return self.concepts(x)
            except BadInstance as problem:
                refused = problem
        raise refused

    def __repr__(self) -> str:
        return "you"


def _parse_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.strip("()[]").replace(",", " ").split())


def _ask_word(read: Read, question: str) -> str:
    """What the person types; Stopped on q or when there is no more input."""
    try:
        text = read(f"{question}: ").strip()
    except EOFError:
        text = "q"
    if text.lower() in ("q", "quit"):
        raise Stopped("stopped")
    return text


def _ask_label(read: Read, write: Write, question: str, labels: tuple[Hashable, ...]) -> Any:
    """One of the labels: by y or n where they are False and True, otherwise by its own name."""
    binary = labels == (False, True)
    allowed = "y/n" if binary else "/".join(map(str, labels))
    while True:
        text = _ask_word(read, f"{question} ({allowed}, q ends)")
        if binary and text.lower() in YES + NO:
            return text.lower() in YES
        for label in labels:
            if text == str(label):
                return label
        write(f"  {text!r} is none of {allowed}")
