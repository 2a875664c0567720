"""Wrapped: learners that play by another learner, on instances that they may rewrite for it."""

from collections.abc import Callable, Hashable
from typing import Any

from littlestone.base.bound import Certificate, Tally
from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.errors import LittlestoneError
from littlestone.base.learner import Learner, Size, State
from littlestone.base.printed_numbers import Number
from littlestone.base.traits import (
    Probabilities,
    Scores,
    Witnesses,
    ask_certificate,
    require_probabilities,
    require_scores,
)
from littlestone.learners.shared.inside import expect_rows


class Wrapped(Learner):
    """A learner that plays by another one inside it."""

    @property
    def inner(self) -> Any:
        """The learner that plays; the parameter `learner` unless a subclass says otherwise."""
        return self.learner  # type: ignore[attr-defined]

    def unwrap(self, state: State) -> State:
        """The state of the learner inside."""
        return state

    def rewrite(self, state: State, x: Any) -> Any:
        """The instance as the learner inside sees it."""
        return x

    def start(self, size: Size, seed: int = 0) -> State:
        return self.inner.start(size, seed)

    def grow(self, state: State, size: Size) -> State:
        return self.inner.grow(state, size)

    def full(self, state: State, x: Any) -> bool:
        return bool(self.inner.full(self.unwrap(state), self.rewrite(state, x)))

    def predict(self, state: State, x: Any) -> int:
        return int(self.inner.predict(self.unwrap(state), self.rewrite(state, x)))

    def update(self, state: State, x: Any, y: int, guess: int) -> None:
        self.inner.update(self.unwrap(state), self.rewrite(state, x), y, guess)

    def round(self, state: State, x: Any, y: int) -> int:
        return int(self.inner.round(self.unwrap(state), self.rewrite(state, x), y))

    def readout(self, state: State, x: Any) -> int:
        return int(self.inner.readout(self.unwrap(state), self.rewrite(state, x)))

    def loss(self, guess: int, y: int) -> float:
        return float(self.inner.loss(guess, y))

    def moves(self, state: State) -> int:
        return int(self.inner.moves(self.unwrap(state)))

    def expected(self, state: State) -> Number | None:
        value: Number | None = self.inner.expected(self.unwrap(state))
        return value

    def known_labels(self) -> tuple[Hashable, ...]:
        return tuple(self.inner.known_labels())

    def limit(self) -> int:
        return int(self.inner.limit())

    @property
    def serves_apart(self) -> bool | None:  # type: ignore[override]
        found: bool | None = self.inner.serves_apart
        return found

    def replay_blocks(
        self,
        state: State,
        chunk: Chunk,
        guesses: Array,
        served: Array | None,
        rewrite: Callable[[Examples], Examples],
    ) -> int:
        """Play a chunk in blocks of rewritten rows, up to a round that is refused; how many rounds were played.

        `rewrite` is given the rounds that are left and answers a block of leading ones, or raises what is wrong with
        the first of them. `served` is as in `serve`; None: what is served is not asked for.
        """
        rows = expect_rows(self, chunk)
        played = 0
        while played < len(rows):
            try:
                block = rewrite(rows[played:])
                here = slice(played, played + len(block))
                inside = self.unwrap(state)
                if served is None:
                    done = self.inner.replay(inside, block, guesses[here])
                else:
                    done = self.inner.serve(inside, block, guesses[here], served[:, here])
            except LittlestoneError:
                if played == 0:
                    raise
                break
            played += done
            if done < len(block):
                break
        return played


class WrappedScores(Wrapped, Scores, Probabilities):
    """One that decides by the scores of the learner inside."""

    def score(self, state: State, x: Any) -> Any:
        return require_scores(self.inner).score(self.unwrap(state), self.rewrite(state, x))

    def probability(self, state: State, x: Any) -> Any:
        return require_probabilities(self.inner).probability(self.unwrap(state), self.rewrite(state, x))


class WrappedWitness(Wrapped, Witnesses):
    """One whose certificate is that of the learner inside."""

    def certificate(self, state: State, tally: Tally) -> Certificate:
        return ask_certificate(self.inner, self.unwrap(state), tally)
