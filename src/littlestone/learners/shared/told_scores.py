"""Told scores: compiled loops that write the score of each round before its label is seen (`base/telling.py`)."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.learner import State
from littlestone.base.telling import Saying


class TellsScore:
    """A learner of two classes whose `replay` takes `told`, a number for each round, and writes scores there."""

    def tell(self, state: State, chunk: Chunk, guesses: Array, told: Array) -> int:
        """The same rounds as `replay`, and their scores before each label."""
        known: Any = self
        return int(known.replay(state, chunk, guesses, told=told[0]))


class TellsAverage:
    """An additive learner of two classes, which serves what it plays or the average of it."""

    def sayings(self) -> tuple[Saying, ...]:
        """The score that is served, and that which plays where it is another one."""
        known: Any = self
        return (Saying("", "score"), Saying("played", "score")) if known.averaged else (Saying("", "score"),)

    def tell(self, state: State, chunk: Chunk, guesses: Array, told: Array) -> int:
        """The same rounds as `replay`, and the scores of both hypotheses before each label."""
        known: Any = self
        if not known.averaged:
            return int(known._replay(state, chunk, guesses, None, None, told[0]))
        served = np.zeros((2, len(chunk)))
        done = int(known._replay(state, chunk, guesses, None, served, told[1]))
        told[0, :done] = served[1, :done]
        return done

    def say(self, state: State, chunk: Chunk, out: Array) -> None:
        """Write what `tell` does, of rows that are not learned."""
        known: Any = self
        out[0] = known.scores(state, chunk)
        if known.averaged:
            out[1] = [known.last_score(state, chunk[t]) for t in range(len(chunk))]


class TellsClasses:
    """A network, which says a score for each class, and by units that report averages those that play too."""

    def sayings(self) -> tuple[Saying, ...]:
        """The scores that are served, and those that play where they are others."""
        known: Any = self
        played = (Saying("played", "scores"),) if known.serves_apart else ()
        return (Saying("", "scores"), *played)

    def tell(self, state: State, chunk: Chunk, guesses: Array, told: Array) -> int:
        """The same rounds as `replay`, and the scores of all classes before each label."""
        known: Any = self
        if known.unit is not None:
            return int(known.replay_told(state, chunk, guesses, told))
        for t in range(len(chunk)):  # units with states of their own
            scores = known.score(state, chunk[t])
            told[: len(scores), t] = scores
            if known.replay(state, chunk[t : t + 1], guesses[t : t + 1]) == 0:
                return t
        return len(chunk)

    def say(self, state: State, chunk: Chunk, out: Array) -> None:
        """Write what `tell` does, of rows that are not learned."""
        known: Any = self
        scores = known.scores(state, chunk).T
        out[: len(scores)] = scores
        if known.serves_apart:
            half = len(out) // 2
            out[half : half + len(scores)] = known._apply_blocks(state, chunk)[:, : len(scores)].T
