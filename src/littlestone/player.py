"""Player: a learner seated at a game, with its state, features, labels and tally.

It is what users hold. It reads instances through its features, labels through its label table, and counts every
round it plays. To learn a whole stream use `play`; only the game loops.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import Halving
>>> player = Player(Halving(Thresholds(6)))
>>> player.update(3, True)
>>> player.predict(4), player.tally.mistakes
(True, 1)
"""

from collections.abc import Hashable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from littlestone.bound import Bound, Certificate, Tally
from littlestone.budgets import budget
from littlestone.errors import LittlestoneError, NotRealizable
from littlestone.examples import Array, Chunk, Examples, Row
from littlestone.labels import Labels, Numbers
from littlestone.learner import Learner, Size, State


class Player:
    """A learner and everything it has learned."""

    def __init__(self, learner: Learner, features: Any = None, classes: Iterable[Hashable] = (), seed: int = 0) -> None:
        self.learner = learner
        self.features = learner.features() if features is None else features
        self.labels = Numbers() if learner.numeric else Labels(learner.classes() or classes)
        self._declared: int = self.features.width
        self.seed = seed
        self.size: Size | None = None
        self._state: State = None
        self._rounds = self._mistakes = 0

    @property
    def state(self) -> State:
        """What has been learned: the learner's arrays."""
        if self._state is None:
            self.seat(Size())
        return self._state

    @property
    def tally(self) -> Tally:
        """Rounds, mistakes, updates and expected mistakes, from the first round on."""
        if self._state is None:  # looking at the tally must not settle the type of a state that has seen no values
            return Tally()
        learner, state = self.learner, self._state
        return Tally(self._rounds, self._mistakes, learner.moves(state), learner.expected(state))

    def seat(self, size: Size) -> None:
        """Start the state, once, from what is known before the first round; later calls change nothing.

        No attributes at the start means that nobody declared any: the learner grows as they turn up.
        """
        if self._state is None:
            self.size = size._replace(attributes=max(size.attributes, self._declared), classes=len(self.labels))
            self._state = self.learner.start(self.size, self.seed)

    def restore(self, state: State, rounds: int, mistakes: int, seed: int = 0) -> None:
        """Take up a state that was saved, with its counts."""
        self._state, self._rounds, self._mistakes, self.seed = state, rounds, mistakes, seed

    def predict(self, x: Any) -> Any:
        """The label that the player reports for x; nothing changes but, for named attributes, the dictionary."""
        seen = self.see(x)
        return self.labels.name(self.learner.readout(self.state, seen))

    def score(self, x: Any) -> Any:
        """The score behind the guess: positive for the positive class, or one number for each class."""
        seen = self.see(x)
        return self.learner.score(self.state, seen)

    def probability(self, x: Any) -> Any:
        """The chance of the positive class, or of each class, by scores seen so far; no calibration is claimed."""
        seen = self.see(x)
        return self.learner.probability(self.state, seen)

    def update(self, x: Any, y: Any) -> None:
        """Play one round: guess x, count it against y, learn."""
        self._play(self.see(x), y, None)

    def see(self, x: Any) -> Any:
        """What the learner sees of an instance, with room made for attributes it had not met."""
        seen = self.features(x)
        if self._state is None:
            real = seen.values.dtype.type if isinstance(seen, Row) and seen.values is not None else np.float64
            self.seat(Size(real=real))
        if self.features.width > self.size.attributes:  # type: ignore[union-attr]
            self._grow()
        return seen

    def guess(self, seen: Any) -> int:
        """The class guessed for an instance as the learner sees it."""
        return self.learner.predict(self.state, seen)

    def learn(self, seen: Any, y: Any, guess: int) -> bool:
        """Count and learn one round whose guess was given; whether it was a mistake."""
        return self._play(seen, y, guess)

    def _play(self, seen: Any, y: Any, guess: int | None) -> bool:
        """One round, with the guess that was given or the one the learner gives now."""
        learner, kept, before, surprise = self.learner, (self._state, self.size), None, False
        code = self.labels.known(y)
        if code is None:  # a label that was not met before; the player forgets it if the round is refused
            before = self.labels.copy()
            code, surprise = self.labels.number(y, learner.limit()), before.is_surprise(y)
            self._grow(code + 1)
        if learner.full(self._state):
            self._state = learner.grow(self._state, self._size)
        try:
            if guess is None:
                guess = learner.round(self._state, seen, code)
            else:
                learner.update(self._state, seen, code, guess)
        except LittlestoneError as problem:
            self.labels, (self._state, self.size) = before or self.labels, kept
            self._name_round(problem)
            raise
        mistake = surprise or learner.loss(guess, code) > 0
        self._rounds += 1
        self._mistakes += mistake
        return mistake

    def replay(self, chunk: Chunk, marks: Array | None = None) -> tuple[Array, Array]:
        """Play leading rounds of a chunk, compiled where the learner can: guesses and labels as class numbers.

        Fewer than the whole chunk were played when the next round is one that this player refuses; asked to
        start with that round, it raises the error. `marks`, one a round, become positive where the state moved.
        """
        if len(chunk) == 0:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        seen = self.features.chunk(chunk)
        if self._state is None:
            values = seen.values if isinstance(seen, Examples) else None
            real = values.dtype.type if values is not None else np.float64
            self.seat(Size(real=real))
        self._grow()  # seeing instances makes room for their attributes; what a refused round undoes is classes
        before = self.labels.copy()
        codes = self.labels.encode(chunk.labels[: len(seen)], self.learner.limit())
        guesses, played = np.zeros(len(codes), self.labels.dtype), 0
        for first, end in self._segments(codes):
            kept = self._state, self.size
            self._grow(0 if codes.dtype.kind == "f" else int(codes[first]) + 1)
            try:
                noted = None if marks is None else marks[first:end]
                played += self._replayed(seen.labelled(codes)[first:end], guesses[first:end], noted)
            except LittlestoneError as problem:
                self._state, self.size = kept
                if first == 0:
                    self.labels = before
                    self._name_round(problem)
                    raise
            if played < end:
                break  # the rounds before the refused one are learned and counted; asked again, it is the first
        guesses, codes = guesses[:played], codes[:played]
        if before.is_surprise(chunk.labels[0]):
            guesses[0] = -1  # no class was known to guess
        if len(guesses) < len(chunk):
            self.labels = before
            self.labels.encode(chunk.labels[: len(guesses)], self.learner.limit())
        self._rounds += len(guesses)
        self._mistakes += int(np.count_nonzero(guesses != codes))
        return guesses, codes

    def budget(self, **facts: Any) -> Bound:
        """How many mistakes are still possible if the promise is kept; `budgets` says which facts a learner needs."""
        return budget(self.learner, self.state, **facts)

    def certificate(self) -> Certificate:
        """What the learner's theorem allowed on the rounds played."""
        return self.learner.certificate(self.state, self.tally)

    def _segments(self, codes: Array) -> list[tuple[int, int]]:
        """The rounds cut before each new class, so that the state grows when it does in live play."""
        if codes.dtype.kind == "f":  # outcomes that are numbers have no classes
            return [(0, len(codes))]
        highest = np.maximum.accumulate(codes)
        new = np.flatnonzero(highest[1:] > np.maximum(highest[:-1], self._size.classes - 1)) + 1
        return list(pairwise([0, *new.tolist(), len(codes)]))

    def _replayed(self, chunk: Chunk, guesses: Array, marks: Array | None) -> int:
        """Play leading rounds, at least one, growing as often as the learner asks for it; how many were played."""
        played = 0
        while played < len(chunk):
            try:
                if marks is None:
                    done = self.learner.replay(self.state, chunk[played:], guesses[played:])
                else:
                    done = self.learner.trace(self.state, chunk[played:], guesses[played:], marks[played:])
            except LittlestoneError:
                if played == 0:
                    raise
                break
            played += done
            if played < len(chunk):
                self._state = self.learner.grow(self._state, self._size)
        return played

    @property
    def _size(self) -> Size:
        assert self.size is not None, "the player is not seated"
        return self.size

    def _grow(self, classes: int = 0) -> None:
        """Make room for attributes or classes that turned up; attributes come in powers of two."""
        size = self._size
        attributes, classes = _room(size.attributes, self.features.width), max(size.classes, classes)
        if attributes > size.attributes or classes > size.classes:
            self.size = size._replace(attributes=attributes, classes=classes)
            self._state = self.learner.grow(self._state, self.size)

    def _name_round(self, problem: LittlestoneError) -> None:
        if isinstance(problem, NotRealizable) and problem.rounds is None:
            problem.rounds = self._rounds + 1
            problem.args = (f"rounds 1 to {problem.rounds} are the shortest inconsistent prefix: {problem}",)

    def __repr__(self) -> str:
        return f"Player({self.learner}, rounds={self._rounds}, mistakes={self._mistakes})"


def _room(have: int, need: int) -> int:
    """Enough room, independent of how a stream was cut into chunks: what there is, or the next power of two."""
    return have if need <= have else 1 << (need - 1).bit_length()
