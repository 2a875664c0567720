"""Learner: the contract of everything that plays.

A learner is a frozen record of parameters. Everything it has learned lives in a state, a NamedTuple of arrays (or of
further states), that it is handed: it can `predict` from the state without seeing the label, and `update` the state
after seeing it. Labels are class numbers here; a `Player` translates. Only the game loops.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import LittlestoneError
from littlestone.base.features import Indexed
from littlestone.base.mixing import Mix
from littlestone.base.parameters import Checked, refuse_impossible
from littlestone.base.printed_numbers import Number
from littlestone.base.row_table import RowTable
from littlestone.base.theorem import Theorem

State = Any
UNLIMITED = 2**31  # classes of a learner that tells any number of them apart


class Size(NamedTuple):
    """What is known of a game before its next round: attributes, classes, and the floating type of the values."""

    attributes: int = 0
    classes: int = 2
    real: Any = np.float64


class Learner(metaclass=Checked):
    """A rule for the online game. Subclasses are frozen dataclasses, final, one algorithm each.

    What only some learners can do (scores, probabilities, a plane of weights, bounds) is in `base/traits.py`.
    """

    mix: ClassVar[Mix | None] = None  # how the states of several shards combine; None: they do not
    resizable: ClassVar[tuple[str, ...]] = ()  # arrays of the state whose length depends on what was played
    widening: ClassVar[tuple[str, ...]] = ()  # arrays of the state whose integers become wider in play
    serves_apart: ClassVar[bool | None] = (
        False  # whether `readout` may differ from `predict`; None: it may, and costs much more
    )
    forecasts: ClassVar[bool] = False  # whether `serve` writes the chance that it gave the label, instead of a score
    numeric: ClassVar[bool] = False  # whether guesses and labels are numbers, charged by a loss, instead of classes

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        if "bound" in vars(cls):
            cls.bound = refuse_impossible(vars(cls)["bound"])  # type: ignore[attr-defined]

    @abstractmethod
    def start(self, size: Size, seed: int = 0) -> State:
        """The state before the first round."""

    def grow(self, state: State, size: Size) -> State:
        """The state with room for a larger game; old entries keep their values."""
        return state

    def full(self, state: State, x: Any) -> bool:
        """Whether the state must `grow` before it can learn from x, for its own reasons."""
        return False

    def foresee(self, state: State, rounds: int) -> None:
        """Prepare for a number of rounds that are known to come, in a state with room for the first of them."""

    @abstractmethod
    def predict(self, state: State, x: Any) -> int:
        """The class guessed for x. Pure: nothing changes, and a coin comes from the state's seed and round."""

    @abstractmethod
    def update(self, state: State, x: Any, y: int, guess: int) -> None:
        """Learn from one round, in place. A refused round leaves the state as it was."""

    def round(self, state: State, x: Any, y: int) -> int:
        """One round whose label is known: guess, learn, and return the guess."""
        guess = self.predict(state, x)
        self.update(state, x, y, guess)
        return guess

    def replay(self, state: State, chunk: Chunk, guesses: Array) -> int:
        """Play the chunk's rounds in order, write the guesses, and return how many were played.

        Fewer than all: the state must `grow` first, or the next round is refused; if that is the chunk's first
        round, its error is raised.
        """

        def play(t: int) -> bool:
            if self.full(state, chunk[t]):
                return False
            guesses[t] = self.round(state, chunk[t], int(chunk.labels[t]))
            return True

        return _play_leading(len(chunk), play)

    def serve(self, state: State, chunk: Chunk, guesses: Array, served: Array) -> int:
        """Play as `replay` does, and write what is served in each round, before its label is seen.

        `served` has two rows: the class that `readout` says, and its score, where two classes have one.
        """

        def play(t: int) -> bool:
            served[0, t] = self.readout(state, chunk[t])
            return self.replay(state, chunk[t : t + 1], guesses[t : t + 1]) == 1

        return _play_leading(len(chunk), play)

    def trace(self, state: State, chunk: Chunk, guesses: Array, marks: Array) -> int:
        """Play as `replay` does and leave a positive mark at every round that moved the state.

        What else a mark says is decided by the learner; here it is 1.
        """

        def play(t: int) -> bool:
            before = self.moves(state)
            played = self.replay(state, chunk[t : t + 1], guesses[t : t + 1]) == 1
            marks[t] = self.moves(state) > before
            return played

        return _play_leading(len(chunk), play)

    @abstractmethod
    def moves(self, state: State) -> int:
        """How many rounds moved the state."""

    def expected(self, state: State) -> Number | None:
        """The exact expected loss so far over the learner's own coins; None where it tosses none."""
        return None

    def readout(self, state: State, x: Any) -> int:
        """The class that a player reports for x; it plays with `predict`, which may be another hypothesis."""
        return self.predict(state, x)

    def readouts(self, state: State, chunk: Chunk) -> Array:
        """What `readout` says of each instance of a chunk."""
        return np.array([self.readout(state, chunk[t]) for t in range(len(chunk))])

    def loss(self, guess: Any, y: Any, /) -> float:
        """What a round costs: 1 for a mistake."""
        return float(guess != y)

    def features(self) -> Any:
        """How a player of this learner reads an instance, unless told otherwise."""
        return Indexed()

    def known_labels(self) -> tuple[Hashable, ...]:
        """The labels known before the first round, in the order of their numbers; empty: any two."""
        return ()

    def limit(self) -> int:
        """How many classes it can tell apart."""
        return len(self.known_labels()) or 2

    def mixing(self) -> Mix | None:
        """How its states combine with these parameters; None: they do not."""
        return self.mix

    def check_state(self, state: State, size: Size) -> bool:
        """Whether play could have left this state, as far as compiled loops rely on it; asked of states from files."""
        return True

    def theorems(self) -> tuple[Theorem, ...]:
        """What bounds it with these parameters; empty where no theorem does."""
        return ()

    def lacks_theorem(self) -> str:
        """Why no theorem bounds its mistakes, and none is looked for; empty where one does."""
        inner = getattr(self, "learner", None)
        return inner.lacks_theorem() if isinstance(inner, Learner) else ""


def _play_leading(rounds: int, play: Callable[[int], bool]) -> int:
    """Play rounds by number until one must wait; how many were played. Only the first one's refusal is raised."""
    for t in range(rounds):
        try:
            if not play(t):
                return t
        except LittlestoneError:
            if t == 0:
                raise
            return t
    return rounds


def describe(learner: Learner) -> dict[str, Any]:
    """A learner's name and parameters, as JSON keeps them."""
    known: Any = learner  # a learner defined elsewhere may be no dataclass
    parameters = {part.name: getattr(known, part.name) for part in (fields(known) if is_dataclass(known) else ())}
    return {"name": type(learner).__name__} | {name: _describe_value(value) for name, value in parameters.items()}


def _describe_value(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    return describe(value) if isinstance(value, Learner) else str(value)


def copy_state(state: State) -> State:
    """An independent copy of a state."""
    if isinstance(state, np.ndarray | RowTable):
        return state.copy()
    if isinstance(state, tuple):
        parts = [copy_state(part) for part in state]
        return type(state)(*parts) if hasattr(state, "_fields") else tuple(parts)
    if isinstance(state, dict):
        return {key: copy_state(part) for key, part in state.items()}
    return [copy_state(part) for part in state] if isinstance(state, list) else state


def fingerprint(state: State) -> Hashable:
    """A hashable value, equal exactly when two states are."""
    if isinstance(state, np.ndarray):
        return (state.dtype.str, state.shape, state.tobytes())
    if isinstance(state, RowTable):
        return (state.shape, *(fingerprint(part) for part in state.list_changed()))
    if isinstance(state, list | tuple):
        return tuple(fingerprint(part) for part in state)
    return frozenset((key, fingerprint(part)) for key, part in state.items()) if isinstance(state, dict) else state
