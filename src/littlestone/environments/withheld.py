"""Withheld: the rounds of a stream whose labels stay hidden until they are asked for.

`play` asks the player before each label whether it wants it: a learner that wants few, or one that sees the labels only
of what it accepted, gets those and no others, and every look is counted. The record of the game counts all mistakes;
the learner hears nothing of them. A learner that wants every label gets it.

>>> from littlestone import Recorded, SelectiveSampling, play
>>> stream = Recorded([[1, 0], [0, 1], [1, 1], [2, 1]] * 50, [True, False, True, True] * 50, [False, True])
>>> game = play(SelectiveSampling(0.01), Withheld(stream))
>>> game.rounds, game.environment.looked_up, game.mistakes == play(SelectiveSampling(0.01), stream).mistakes
(200, 8, True)
"""

from collections.abc import Hashable, Iterable
from typing import Any

from littlestone.base.environment import Environment, Stream
from littlestone.base.errors import BadParameter, require
from littlestone.base.features import Features
from littlestone.base.features.schema import Schema
from littlestone.base.learner import Size


class Withheld(Environment):
    """A stream that keeps its labels to itself until they are asked for.

    Args:
        stream: The rounds.
        classes: The labels that there are, the negative one first, as a label that is not seen cannot be met; None:
            those that the stream declares.
    """

    def __init__(self, stream: Stream, classes: Iterable[Hashable] | None = None) -> None:
        if not isinstance(stream, Stream):
            raise BadParameter(
                f"what can be withheld are the labels of a stream such as Recorded(X, y), got {stream!r}"
            )
        self.stream = stream
        self.rounds = stream.rounds
        self.looked_up = 0
        self.declared = tuple(stream.classes() if classes is None else classes)
        require(bool(self.declared), "say which classes there are: Withheld(stream, classes=[no, yes])")

    def size(self) -> Size:
        return self.stream.size()

    def classes(self) -> tuple[Hashable, ...]:
        return self.declared

    def features(self) -> Features | None:
        return self.stream.features()

    def schema(self) -> Schema | None:
        return self.stream.schema()

    def start(self, seed: int) -> None:
        self.looked_up = 0
        self._coming = ((chunk[t], chunk.labels[t]) for chunk in self.stream.chunks() for t in range(len(chunk)))

    def ask(self) -> Any:
        x, label = next(self._coming, (None, None))
        self._label: Any = label
        return x

    def answer(self, guess: Any) -> Any:
        """The label of the instance just asked, which counts as looked up."""
        self.looked_up += 1
        return self._label

    def judge(self) -> Any:
        """The same label for the record of the game: what learns must not be told."""
        return self._label

    def __repr__(self) -> str:
        return f"Withheld({self.stream})"
