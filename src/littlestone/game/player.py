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

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import LittlestoneError, NotRealizable, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels, Numbers
from littlestone.base.learner import UNLIMITED, Learner, Size, State, copy_state
from littlestone.game.explanation import Explanation, explained, reasons
from littlestone.learners.averaged_perceptron import AveragedPerceptron
from littlestone.learners.network import Network, widened


@dataclass(slots=True, eq=False)
class Ticket:
    """A guess whose label is still to come: `guess` is the label that was reported; the rest is for its player."""

    guess: Any
    _player: "Player"
    _seen: Any
    _class: Any  # that the hypothesis which plays guessed
    _before: Labels | None  # the labels known at the time, if there were none
    _used: bool = False

    def __repr__(self) -> str:
        return f"Ticket(guess={self.guess!r}{', used' if self._used else ''})"


class Player:
    """A learner and everything it has learned."""

    def __init__(
        self,
        learner: Learner | None = None,
        features: Any = None,
        classes: Iterable[Hashable] = (),
        seed: int = 0,
    ) -> None:
        classes = tuple(classes)
        self.widens = learner is None and len(classes) <= 2  # to a Network, when a third class appears
        if learner is None:
            learner = AveragedPerceptron() if self.widens else Network(AveragedPerceptron())
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
            size = size._replace(attributes=max(size.attributes, self._declared), classes=len(self.labels))
            self._state, self.size = self.learner.start(size, self.seed), size

    def restore(self, state: State, rounds: int, mistakes: int, seed: int = 0) -> None:
        """Take up a state that was saved, with its counts."""
        self._state, self._rounds, self._mistakes, self.seed = state, rounds, mistakes, seed

    def predict(self, x: Any, ticket: bool = False) -> Any:
        """The label that the player reports for x; nothing changes but, for named attributes, the dictionary.

        With `ticket=True` it comes as the `guess` of a ticket, for a label that arrives later: `update_later`.
        """
        seen = self.see(x)
        said = self.labels.name(self.learner.readout(self.state, seen))
        if not ticket:
            return said
        before = None if self.labels.names else self.labels.copy()
        return Ticket(said, self, copy_state(seen), self.guess(seen), before)

    def update_later(self, ticket: Ticket, y: Any) -> None:
        """Learn the label of an instance that was guessed before, once; labels are learned in the order they arrive.

        The round counts as a mistake if the hypothesis that plays was wrong when the ticket was given; this is not
        always the one behind `ticket.guess`, which for an averaged learner is the average's. The learner's rule is
        applied to what it knows now, which may have changed since.
        """
        require(isinstance(ticket, Ticket), f"a ticket comes from predict(x, ticket=True), got {ticket!r}")
        require(ticket._player is self, "this ticket was given by another player, or by this one before it was saved")
        require(not ticket._used, f"this ticket was used: every label is learned once; got {y!r} for it again")
        surprise = ticket._before is not None and ticket._before.is_surprise(y)
        self._play(ticket._seen, y, ticket._class, surprise)
        ticket._used = True

    def score(self, x: Any) -> Any:
        """The score behind the guess: positive for the positive class, or one number for each class."""
        seen = self.see(x)
        return self.learner.score(self.state, seen)

    def probability(self, x: Any) -> Any:
        """The chance of the positive class, or of each class, by scores seen so far; no calibration is claimed."""
        seen = self.see(x)
        return self.learner.probability(self.state, seen)

    def explain(self, x: Any = None, top: int = 20) -> Explanation:
        """The attributes of largest weight; or, given an instance, those that add most to its score, and the score.

        With two classes a positive weight speaks for the positive one; otherwise each class has weights of its own.
        """
        seen = None if x is None else self.see(x)
        weights, constants = self.learner.plane(self.state)
        named = getattr(self.features, "name", lambda number: number)
        classes = [self.labels.name(c) for c in range(len(constants))] if len(constants) > 1 else [self.labels.name(1)]

        def name(number: int) -> Any:
            known = named(number)
            return number if known is None else known

        if seen is None:
            return explained(weights[: self.features.width], name, classes, top)
        return reasons(weights, constants, seen, name, classes, top)

    def predictions(self, chunk: Chunk) -> list[Any]:
        """What `predict` says of each instance of a chunk; labels in it are not looked at."""
        codes = [code for seen in self._see_all(chunk) for code in self.learner.readouts(self.state, seen).tolist()]
        names = {code: self.labels.name(code) for code in set(codes)}
        return [names[code] for code in codes]

    def scores(self, chunk: Chunk) -> Array:
        """What `score` says of each instance of a chunk."""
        return np.concatenate([self.learner.scores(self.state, seen) for seen in self._see_all(chunk)])

    def probabilities(self, chunk: Chunk) -> Array:
        """What `probability` says of each instance of a chunk."""
        return np.concatenate([self.learner.probabilities(self.state, seen) for seen in self._see_all(chunk)])

    def _see_all(self, chunk: Chunk) -> Iterator[Chunk]:
        """What the learner sees of a chunk, rows of one kind at a time, with room made for new attributes."""
        done = 0
        while done < len(chunk):
            seen: Chunk = self.features.chunk(chunk[done:])
            if self._state is None:
                values = seen.values if isinstance(seen, Examples) else None
                self.seat(Size(real=values.dtype.type if values is not None else np.float64))
            self._grow()
            done += len(seen)
            yield seen

    def update(self, x: Any, y: Any) -> None:
        """Play one round: guess x, count it against y, learn."""
        if type(x) is tuple and len(x) == 2 and type(self.features) is Indexed and self._state is not None:
            code = self.labels.known(y)
            guess = -1 if code is None else self.learner.pair(self._state, x, code, self.features.width)
            if guess >= 0:
                self._rounds += 1
                self._mistakes += guess != code
                return
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

    def _play(self, seen: Any, y: Any, guess: int | None, surprise: bool = False) -> bool:
        """One round, with the guess that was given or the one the learner gives now."""
        learner, kept, before = self.learner, self._kept, None
        code = self.labels.known(y)
        if code is None:  # a label that was not met before; the player forgets it if the round is refused
            before = self.labels.copy()
            code, surprise = self.labels.number(y, self._limit), surprise or before.is_surprise(y)
            self._grow(code + 1)
            learner = self.learner
        if learner.full(self._state):
            self._state = learner.grow(self._state, self._size)
        try:
            if guess is None:
                guess = learner.round(self._state, seen, code)
            else:
                learner.update(self._state, seen, code, guess)
        except LittlestoneError as problem:
            self.labels, self._kept = before or self.labels, kept
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
        codes = self.labels.encode(chunk.labels[: len(seen)], self._limit)
        guesses, played = np.zeros(len(codes), self.labels.dtype), 0
        for first, end in self._segments(codes):
            kept = self._kept
            self._grow(0 if codes.dtype.kind == "f" else int(codes[first]) + 1)
            try:
                noted = None if marks is None else marks[first:end]
                played += self._replayed(seen.labelled(codes)[first:end], guesses[first:end], noted)
            except LittlestoneError as problem:
                self._kept = kept
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
            self.labels.encode(chunk.labels[: len(guesses)], self._limit)
        self._rounds += len(guesses)
        self._mistakes += int(np.count_nonzero(guesses != codes))
        return guesses, codes

    def save(self, path: str | os.PathLike[str], about: Mapping[str, Any] | None = None) -> None:
        """Write a model file, all of it or nothing; `about` is anything in JSON to be kept with it.

        `littlestone.load` gives the same player back, to the bit. BadModel, in words, for a player that no file can
        hold: one with a function of the user's own, say.
        """
        from littlestone.game.saving import container, records

        if self._state is not None:
            self._grow()
        seat = (self.learner, self.features, self.labels, self._declared, self.seed, self.size, self._state)
        document, arrays = records.document(records.Saved(*seat, self._rounds, self._mistakes, self.widens))
        container.write(path, document | {"about": dict(about or {})}, arrays)

    @classmethod
    def of(cls, saved: Any) -> Self:
        """The player that was written down as `saved`."""
        player = cls(saved.learner, saved.features, seed=saved.seed)
        player.labels, player._declared, player.size = saved.labels, saved.declared, saved.size
        player.restore(saved.state, saved.rounds, saved.mistakes, saved.seed)
        player.widens = saved.widens
        return player

    def budget(self, **facts: Any) -> Bound:
        """How many mistakes are still possible if the promise is kept; `budgets` says which facts a learner needs."""
        from littlestone.game.budgets import budget

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
    def _kept(self) -> tuple[Any, ...]:
        """What a round may replace before it is refused."""
        return self._state, self.size, self.learner, self.widens

    @_kept.setter
    def _kept(self, kept: tuple[Any, ...]) -> None:
        self._state, self.size, self.learner, self.widens = kept

    @property
    def _limit(self) -> int:
        return UNLIMITED if self.widens else self.learner.limit()

    @property
    def _size(self) -> Size:
        assert self.size is not None, "the player is not seated"
        return self.size

    def _grow(self, classes: int = 0) -> None:
        """Make room for attributes or classes that turned up; attributes come in powers of two."""
        size = self._size
        if classes > self.learner.limit():  # nobody asked for a learner: go on as the network that played this game
            self.learner, self._state = widened(self.learner, self._state, size)
            self.widens = False
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


def reader(learner: Learner, offered: Any) -> Any:
    """What reads instances: what an environment offers, unless the learner is particular about its own."""
    own = learner.features()
    return own if offered is None or type(own) is not Indexed or own.attributes is not None else offered
