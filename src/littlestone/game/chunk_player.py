"""The part of a player that plays many rounds at once: its state, which grows, and the compiled replay of chunks.

`Player` adds what is done round by round, and what users ask of a model. A round that the player refuses leaves it as
it was before that round, whether it came alone or within a chunk.

>>> from littlestone.base.chunks import Examples
>>> from littlestone.learners import Perceptron
>>> player = ChunkPlayer(Perceptron())
>>> [played.guesses.tolist() for played in player.play_chunk(Examples.of([[1, 0], [0, 1]] * 2, [0, 1] * 2))]
[[0, 0, 0, 1]]
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from littlestone.base.bound import Tally
from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.environment import Environment
from littlestone.base.errors import LittlestoneError, NotRealizable
from littlestone.base.features import Indexed, Named, Words, see_rounds
from littlestone.base.labels import Labels, Numbers
from littlestone.base.learner import UNLIMITED, Learner, Size, State
from littlestone.base.locks import Lock, Shared, locked
from littlestone.base.telling import make_room, read_served, tell
from littlestone.game.growth import MEMORY, cut, cut_at_new_classes, grow_state, narrow, require_room
from littlestone.game.held_out import HeldOut, number_judged
from littlestone.game.played_rounds import PlayedRounds
from littlestone.game.refusal import Mark, changes_nothing_if_refused
from littlestone.game.turns import Turn, count_first, hold_interrupts, must_stop
from littlestone.learners.logistic import Logistic
from littlestone.learners.network import widen_to_network

LARGE = 1 << 18  # attributes times classes from which every new class is asked whether there is room for it


class ChunkPlayer(Shared):
    """A learner, its state, features and labels, and the counts of the rounds it has played; see `Player`."""

    memory: int = MEMORY  # bytes that attributes and classes which turn up may make the state take
    tells: bool = False  # whether all that the learner says is noted in rounds

    def __init__(
        self, learner: Learner | None = None, features: Any = None, classes: Iterable[Hashable] = (), seed: int = 0
    ) -> None:
        classes = tuple(classes)
        self.lock = Lock()  # held by the thread that uses the player
        self.widens = False  # to a Network, when a third class appears
        self.learner = learner = Logistic() if learner is None else learner
        self.features = learner.features() if features is None else features
        self._is_plain = features is None and type(self.features) is Indexed and self.features.attributes is None
        self.labels = Numbers() if learner.numeric else Labels(learner.known_labels() or classes)
        self._declared: int = self.features.width
        self.seed = seed
        self.size: Size | None = None
        self._state: State = None
        self._rounds = self._mistakes = 0
        self._serves = False  # whether what is served is noted in the chunk that is played
        self._turn: Turn | None = None  # how many rounds one call plays
        self._mark: Mark | None = None  # what a call that is under way goes back to if it is refused

    @property
    @locked
    def state(self) -> State:
        """What has been learned: the learner's arrays."""
        if self._state is None:
            self.start_state(Size())
        return self._state

    @property
    @locked
    def tally(self) -> Tally:
        """Rounds, mistakes, updates and expected mistakes, from the first round on."""
        if self._state is None:  # looking at the tally must not settle the type of a state that has seen no values
            return Tally()
        learner = self.learner
        state = self._state
        return Tally(self._rounds, self._mistakes, learner.moves(state), learner.expected(state))

    @locked
    def start_state(self, size: Size) -> None:
        """Start the state, once, from what is known before the first round; later calls change nothing.

        No attributes at the start means that none were declared: the learner grows as they turn up.
        """
        if self._state is None:
            size = size._replace(attributes=max(size.attributes, self._declared), classes=len(self.labels))
            self._state = self.learner.start(size, self.seed)
            self.size = size

    def start_for(self, stream: Environment) -> None:
        """Start the state from what a stream knows of its rows; how many names there are, what reads them decides."""
        size = stream.size()
        offered = stream.features()
        if offered is not None and not isinstance(offered, Indexed):
            size = size._replace(attributes=self.features.width)
        self.start_state(size)

    @property
    def may_choose(self) -> bool:
        """Whether no features were given and none is needed yet, so that the first instances decide."""
        return self._state is None and self._is_plain

    def take_features(self, features: Any) -> None:
        """Read instances by these from the first round on."""
        self.features = features
        self._declared = features.width

    def fit_features(self, x: Any) -> None:
        """Read attributes by name, or words, if the first instance has these and no features were given."""
        if self.may_choose and isinstance(x, str):
            self.take_features(Words())
        elif self.may_choose and isinstance(x, Mapping) and any(isinstance(key, str) for key in x):
            self.take_features(Named())

    @locked
    def restore(self, state: State, rounds: int, mistakes: int, seed: int = 0) -> None:
        """Take up a state that was saved, with its counts."""
        self._state = state
        self._rounds = rounds
        self._mistakes = mistakes
        self.seed = seed

    def replay(self, chunk: Chunk, marks: Array | None = None) -> tuple[Array, Array]:
        """Play leading rounds of a chunk, compiled where the learner can: guesses and labels as class numbers.

        Fewer than the whole chunk were played when the next round is one that this player refuses; asked to
        start with that round, it raises the error. `marks`, one a round, become positive where the state moved.
        """
        if len(chunk) == 0:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        with count_first():
            played = self._replay(chunk, marks)
        return played.guesses, played.labels

    def play_chunk(
        self, chunk: Chunk, traced: bool = False, held: Array | None = None, at_any_cost: bool = False
    ) -> Iterator[PlayedRounds]:
        """Play all rounds of a chunk, call by call.

        Args:
            chunk: The rounds.
            traced: Whether `PlayedRounds.moved` says which rounds moved the state.
            held: Which rounds are held out: judged by what was learned before them, and not learned.
            at_any_cost: Whether to note what is served even where that takes much longer than to play.
        """
        done = 0
        while done < len(chunk):
            left = chunk[done:] if done else chunk
            marks = np.zeros(len(left)) if traced else None
            with count_first(), self.lock:
                learner = self.learner
                self._serves = not traced and (at_any_cost or learner.serves_apart is True or learner.forecasts)
                played = self._replay(left, marks) if held is None else self._replay_around(left, marks, held[done:])
            done += played.rounds
            yield played

    @changes_nothing_if_refused
    def _replay(self, chunk: Chunk, marks: Array | None) -> PlayedRounds:
        """Play leading rounds, at least one, of a chunk that has some."""
        begun = Mark.of(self)
        seen = self._see_leading(chunk, begun)
        begun.played.clear()
        before = self.labels
        read = len(seen)
        self.labels = before.copy()
        codes = self.labels.encode(chunk.labels[:read], self._limit)
        seen = seen.with_labels(codes)
        guesses = np.zeros(len(codes), self.labels.dtype)
        played = 0
        served = self._make_served(len(codes))
        for first, end in cut_at_new_classes(codes, self._size.classes):
            kept = [(self._state, self.size, self.learner, self.widens)]  # which a round that is refused may replace
            try:
                self._grow(0 if codes.dtype.kind == "f" else int(codes[first]) + 1)
                here = slice(first, end)
                played += self._replay_growing(seen[here], guesses[here], cut(marks, here), cut(served, here), kept)
            except LittlestoneError as problem:
                self._state, self.size, self.learner, self.widens = kept[0]
                if first == 0:
                    self._name_round(problem)
                    raise
            if played < end or must_stop():
                break  # the rounds before the refused one are learned and counted; asked again, it is the first
        guesses = guesses[:played]
        codes = codes[:played]
        if played < len(chunk):
            self.labels = before.copy()
            self.labels.encode(chunk.labels[:played], self._limit)
            chunk = chunk[:played]
            seen = seen[:played]
        begun.keep_rows(self, chunk, read)
        self._rounds += played
        self._mistakes += int(np.count_nonzero(guesses != codes))
        found = self._find_served(guesses, codes, served)
        return PlayedRounds(chunk, seen, guesses, codes, cut(marks, slice(played)), None, *found, named=before.pair)

    @changes_nothing_if_refused
    def _replay_around(self, chunk: Chunk, marks: Array | None, held: Array) -> PlayedRounds:
        """Play and judge leading rounds, at least one, of a chunk that has some.

        Labels are looked up for all of these rounds at once, so a round whose label is new ends them.
        """
        own = np.flatnonzero(~held)
        known = self.labels.find
        numbered = zip(own.tolist(), chunk.labels[own].tolist(), strict=True)
        new = next((t for t, label in numbered if self.learner.numeric or known(label) is None), len(chunk))
        if new == 0:
            return self._replay(chunk[:1], None if marks is None else marks[:1])
        begun = Mark.of(self)
        seen = self._see_leading(chunk[:new], begun)
        begun.played.clear()
        own = own[own < len(seen)]
        judged = np.flatnonzero(held[: len(seen)])
        places = judged - np.arange(len(judged))  # how many rounds are learned before each that is judged
        codes = self.labels.encode(chunk.labels[own], self._limit)
        rounds = seen.take(own).with_labels(codes)
        asked = seen.take(judged)
        readouts = list[Array]()
        played = 0
        guesses = np.zeros(len(own), self.labels.dtype)
        served = self._make_served(len(own))
        for end in (*places.tolist(), len(own)):
            here = slice(played, end)
            kept = [self._state]
            try:
                played += self._replay_growing(rounds[here], guesses[here], cut(marks, here), cut(served, here), kept)
            except LittlestoneError as problem:
                self._state = kept[0]
                if not played and not readouts:
                    self._name_round(problem)
                    raise
            if played < end:
                break
            if len(readouts) < len(judged):
                readouts.append(self.learner.readouts(self.state, asked[len(readouts) : len(readouts) + 1]))
        guesses = guesses[:played]
        codes = codes[:played]
        judged = judged[: len(readouts)]
        begun.keep_rows(self, chunk[: played + len(judged)], len(seen))
        self._rounds += played
        self._mistakes += int(np.count_nonzero(guesses != codes))
        out = chunk.take(judged)
        found = HeldOut(
            out, *number_judged(self.labels, [code for part in readouts for code in part.tolist()], out.labels)
        )
        noted = (cut(marks, slice(played)), found, *self._find_served(guesses, codes, served))
        return PlayedRounds(chunk.take(own[:played]), rounds[:played], guesses, codes, *noted)

    def _make_served(self, rounds: int) -> Array | None:
        """Room for what is served in each round, if that is to be noted and says more than the guess that is played."""
        if self.tells:
            return make_room(self.learner, len(self.labels), rounds)
        more = self.learner.serves_apart is not False or self.learner.forecasts
        return np.full((3 if self.learner.forecasts else 2, rounds), np.nan) if self._serves and more else None

    def _find_served(self, guesses: Array, codes: Array, served: Array | None) -> tuple[Any, Any, Any, Any, Any]:
        """What `PlayedRounds` has of what was served: classes, scores, chances of labels and of guesses, all told."""
        if self.tells:
            told = np.asarray(served)[:, : len(guesses)]
            before = self._rounds - len(guesses)
            return *read_served(self.learner, told, guesses, codes, before), None, told
        if served is None:
            return (guesses if self.learner.serves_apart is False else None), None, None, None, None
        classes, numbers = served[:2, : len(guesses)]
        if self.learner.forecasts:
            return guesses, None, numbers, served[2, : len(guesses)], None
        return classes.astype(guesses.dtype), None if np.isnan(numbers).any() else numbers, None, None, None

    def _see_leading(self, chunk: Chunk, begun: Mark) -> Chunk:
        """What the learner sees of leading rows, fewer where the state cannot grow to what a later row needs."""
        try:
            return self.see_chunk(chunk)
        except LittlestoneError:
            begun.undo(self)
            if len(chunk) == 1:
                raise
            return self._see_leading(narrow(chunk[: len(chunk) // 2]), begun)

    @locked
    def see_chunk(self, chunk: Chunk, learned: bool = True) -> Chunk:
        """What the learner sees of leading rows of a chunk, learned or not, with room made for new attributes."""
        seen: Chunk = see_rounds(self.features, chunk, learned)
        if self._state is None:
            values = seen.values if isinstance(seen, Examples) else None
            self.start_state(Size(real=values.dtype.type if values is not None else np.float64))
        self._grow()
        return seen

    def _replay_growing(self, chunk: Chunk, guesses: Array, marks: Any, served: Any, kept: list[Any]) -> int:
        """Play leading rounds, at least one, growing as often as the learner asks for it; how many were played.

        When one was, states to go back to are forgotten, which may be as large: `kept` and that of the player's mark.
        """
        played = 0
        stopped = False
        turn = self._turn = self._turn or Turn(len(self.labels))
        if len(chunk) > turn.rounds:
            self.learner.foresee(self.state, len(chunk))
        hold_interrupts()
        while played < len(chunk) and not (played and must_stop()):
            left = chunk[played : played + turn.rounds] if len(chunk) > turn.rounds else chunk[played:]
            try:
                self._state = grow_state(self) if stopped else self._state
                here = slice(played, played + len(left))
                turn.begin()
                if served is not None:
                    note: Any = partial(tell, self.learner) if self.tells else self.learner.serve
                    done = note(self.state, left, guesses[here], served[:, here])
                elif marks is None:
                    done = self.learner.replay(self.state, left, guesses[here])
                else:
                    done = self.learner.trace(self.state, left, guesses[here], marks[here])
                turn.note(done)
            except LittlestoneError:
                if played == 0:
                    raise
                break
            played = played + done
            stopped = done < len(left)
            if played and self._mark is not None:
                del kept[:], self._mark.played[:]
        return played

    @property
    def _limit(self) -> int:
        return UNLIMITED if self.widens else self.learner.limit()

    @property
    def _size(self) -> Size:
        assert self.size is not None, "the player has no state yet"
        return self.size

    def _grow(self, classes: int = 0) -> None:
        """Make room for attributes or classes that turned up; attributes come in powers of two."""
        size = self._size
        if classes > self.learner.limit():  # no learner was asked for: go on as the network that played this game
            self.learner, self._state = widen_to_network(self.learner, self._state, size)
            self.widens = False
        attributes = size.attributes
        classes = max(size.classes, classes)
        if self.features.width > attributes:  # the room does not depend on how a stream was cut into chunks
            attributes = 1 << (self.features.width - 1).bit_length()
        if attributes > size.attributes or classes > size.classes:
            self.size = size._replace(attributes=attributes, classes=classes)
            if attributes > size.attributes or attributes * classes >= LARGE:
                require_room(self, self.size)
            self._state = self.learner.grow(self._state, self.size)

    def _name_round(self, problem: LittlestoneError) -> None:
        if isinstance(problem, NotRealizable) and problem.rounds is None:
            problem.rounds = self._rounds + 1
            problem.args = (f"rounds 1 to {problem.rounds} are the shortest inconsistent prefix: {problem}",)
