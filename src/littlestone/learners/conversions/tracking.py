"""Tracking: follow a target that changes, by fixed share over copies of a learner that start afresh now and then.

Copy k forgets everything after every `periods[k]` rounds; the last copy never does. Each round follows one copy, drawn
by the weights of `FixedShare`, by which a copy that turns good is found again within few rounds. All copies learn from
every round; a round costs as many times more as there are copies.

Theorem. Let N copies play T rounds, and M bound the inner learner's mistakes on rounds with one target, from a fresh
start. Against any schedule that follows one copy after another with s switches, with a = switching,

    expected mistakes <= mistakes along it + [(s+1) ln N + s ln(1/a) + (T-1-s) ln(1/(1-a))] / rate + rate T / 8,

on any rounds at all. If the target changes c times, a copy of period p alone makes at most ceil(T/p) M + c p mistakes.

Proof. The first part is the theorem of fixed share over the copies as experts. A copy of period p plays ceil(T/p)
games; in each game with one target it errs at most M times, and c games at most, of p rounds each, have more.

M. Herbster and M. K. Warmuth. Tracking the best expert. Machine Learning 32:151-178, 1998.

>>> from littlestone import Winnow
>>> learner = Tracking(Winnow(threshold=1.0), periods=(8,))
>>> int(learner.bound(rounds=1000, mistakes=2, changes=1).value - learner.bound(rounds=1000, mistakes=0).value)
258
"""

from collections.abc import Hashable
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple, final

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally, round_up
from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import LittlestoneError, NotCertified, require
from littlestone.base.learner import Learner, Size, State, copy_state
from littlestone.base.printed_numbers import Number
from littlestone.base.traits import ask_key
from littlestone.learners import FixedShare
from littlestone.learners.experts.forecasts import chunk_forecasts
from littlestone.learners.experts.schedules import find_schedule, find_switches

THEOREM = "Fixed share over restarted copies (Herbster and Warmuth 1998)"
# places in `counts`
ROUNDS = 0
ATTRIBUTES = 1
CLASSES = 2
SEED = 3


class Team(NamedTuple):
    """The copies' states, that of the shares, and which copy erred when, a row for each round.

    `counts`: rounds, attributes, classes and the seed. `real`: the floating type of the values.
    """

    copies: list[State]
    shares: State
    errors: list[Array]
    counts: Array
    real: list[Any]


@final
@dataclass(frozen=True)
class Tracking(Learner):
    """Fixed share over restarted copies of a learner.

    Args:
        learner: The learner to copy, of two classes, such as Winnow().
        periods: After how many rounds each copy starts afresh, whole numbers >= 1; one more copy never does. Choose
            them near the number of rounds for which a target stays.
        rate: How fast a copy's weight falls with its mistakes, in (0, 600]. Larger follows a good copy sooner.
        switching: The share of its weight that every copy gives up each round, in (0, 1). About how often, per round,
            another copy becomes the best one.
    """

    learner: Learner
    periods: tuple[int, ...] = (64, 512, 4096)
    rate: float = 0.5
    switching: float = 0.01

    def __post_init__(self) -> None:
        inner = self.learner
        require(isinstance(inner, Learner), f"learner must be a Learner such as Winnow(), got {inner!r}")
        two = not inner.numeric and inner.limit() == 2
        require(two, f"copies vote between two classes, got {inner!r}")
        counted = min(self.periods, default=0) >= 1
        require(counted, f"periods must be whole numbers of rounds, at least one of them, got {self.periods}")
        _ = self.share

    @property
    def share(self) -> FixedShare:
        """The learner that chooses among the copies."""
        return FixedShare(self.rate, self.switching, draws=True)

    def start(self, size: Size, seed: int = 0) -> Team:
        count = len(self.periods) + 1
        copies = [self.learner.start(size, seed) for _ in range(count)]
        errors = [np.zeros((1, count), np.uint8)]
        counts = np.array([0, size.attributes, size.classes, seed])
        return Team(copies, self.share.start(Size(count), seed), errors, counts, [size.real])

    def grow(self, state: Team, size: Size) -> Team:
        grown = [self.learner.grow(copy, size) for copy in state.copies]
        counts = state.counts.copy()
        counts[ATTRIBUTES], counts[CLASSES] = size.attributes, size.classes
        return state._replace(copies=grown, counts=counts)

    def predict(self, state: Team, x: Any) -> int:
        votes = [float(self.learner.predict(copy, x)) for copy in state.copies]
        return int(self.share.guess(state.shares, np.array(votes)))

    def update(self, state: Team, x: Any, y: int, guess: int) -> None:
        votes = np.zeros((1, len(state.copies)))
        for k, copy in enumerate(state.copies):
            if self.learner.full(copy, x):
                state.copies[k] = copy = self.learner.grow(copy, self._read_size(state))
            votes[0, k] = self.learner.round(copy, x, y)
        self._follow(state, votes, np.array([y]))

    def replay(self, state: Team, chunk: Chunk, guesses: Array) -> int:
        played = 0
        while played < len(chunk):
            due = min(p - int(state.counts[ROUNDS]) % p for p in self.periods)
            part = chunk[played : played + due]
            try:
                votes = self._collect_votes(state, part)
            except LittlestoneError:
                if played == 0:
                    raise
                break
            guesses[played : played + len(votes)] = self._follow(state, votes, part.labels[: len(votes)])
            played += len(votes)
            if len(votes) < len(part):
                break
        return played

    def moves(self, state: Team) -> int:
        return int(state.counts[ROUNDS])

    def expected(self, state: Team) -> Number | None:
        return self.share.expected(state.shares)

    def key(self, state: Team) -> Hashable:
        copies = tuple(ask_key(self.learner, copy) for copy in state.copies)
        return copies, ask_key(self.share, state.shares), *state.counts

    def features(self) -> Any:
        return self.learner.features()

    def known_labels(self) -> tuple[Hashable, ...]:
        return self.learner.known_labels()

    def bound(self, rounds: int = 0, mistakes: int | None = None, changes: int = 0) -> Bound:
        """For a number of rounds and of changes of the target, and at most `mistakes` of the learner for one target."""
        require(rounds >= 1, f"say how many rounds there are, at least 1; got {rounds}")
        if mistakes is None:
            raise NotCertified("say how many mistakes the inner learner makes at most while the target stays")
        alone = min(-(-rounds // p) * mistakes + changes * p for p in self.periods)
        steady = mistakes if changes == 0 else rounds
        promise = f"the target changes {changes} times, and while it stays a fresh copy errs at most {mistakes} times"
        regret = round_up(self.share.regret(len(self.periods) + 1, rounds))
        return Bound(THEOREM, promise, min(alone, steady) + regret, "expected mistakes")

    def certificate(self, state: Team, tally: Tally) -> Certificate:
        """The theorem with the schedule of copies that makes its bound smallest, all in hindsight."""
        rounds = int(state.counts[ROUNDS])
        require(rounds > 0, "there is no schedule before the first round", NotCertified)
        errors, (price, fixed) = state.errors[0][:rounds], self._find_prices(rounds, len(state.copies))
        path = find_schedule(errors.astype(np.float64), price)
        starts = find_switches(path)
        along = int(errors[np.arange(rounds), path].sum())
        switches = len(starts) - 1
        names = [*(f"afresh every {p}" for p in self.periods), "never afresh"]
        witness = {
            "mistakes along the schedule": along, "switches": switches,
            "schedule": [[first + 1, names[path[first]]] for first in starts],
        }  # fmt: skip
        bound = along + round_up((switches * price + fixed) + self.rate * rounds / 8)
        promise = f"a schedule of copies with {switches} switches makes {along} mistakes"
        return Certificate(THEOREM, promise, "expected mistakes", tally.mistakes, tally.updates, bound, witness,
                           "expectation", False, self.expected(state), rounds)  # fmt: skip

    def _find_prices(self, rounds: int, copies: int) -> tuple[float, float]:
        """What the bound charges for schedules.

        Returns:
            The price of a switch, and what is due without any.
        """
        stay = -log(1 - self.switching)
        leave = -log(self.switching)
        return (log(copies) + leave - stay) / self.rate, (log(copies) + (rounds - 1) * stay) / self.rate

    def _read_size(self, state: Team) -> Size:
        """The size of the game that the copies play."""
        return Size(int(state.counts[ATTRIBUTES]), int(state.counts[CLASSES]), state.real[0])

    def _collect_votes(self, state: Team, chunk: Chunk) -> Array:
        """Let every copy play the leading rounds that all can play, and return their guesses, a row for each round."""
        kept = copy_state(state.copies)
        rounds = len(chunk)
        guesses = np.zeros((len(state.copies), rounds), np.int32)
        shortest = rounds
        problem = None
        for k in range(len(state.copies)):
            done, problem = self._play_copy(state, k, chunk, guesses[k])
            if problem is not None and done == 0:
                state.copies[:] = kept
                raise problem
            shortest = min(shortest, done)
        if shortest < rounds:  # a round that some copy refuses is refused by all
            state.copies[:] = kept
            return self._collect_votes(state, chunk[:shortest])
        return guesses.T.astype(np.float64)

    def _play_copy(self, state: Team, k: int, chunk: Chunk, guesses: Array) -> tuple[int, LittlestoneError | None]:
        """Let one copy play, growing as often as it must.

        Returns:
            How many rounds it played, and the error of the round after them, if it refused one.
        """
        done = 0
        while done < len(chunk):
            try:
                more = self.learner.replay(state.copies[k], chunk[done:], guesses[done:])
            except LittlestoneError as problem:
                return done, problem
            done += more
            if done < len(chunk):
                state.copies[k] = self.learner.grow(state.copies[k], self._read_size(state))
        return done, None

    def _follow(self, state: Team, votes: Array, labels: Array) -> Array:
        """Follow the copies through rounds they have played, note which erred, and let those that are due forget."""
        first = int(state.counts[ROUNDS])
        rounds = len(votes)
        guesses = np.zeros(rounds)
        self.share.replay(state.shares, chunk_forecasts(votes, labels.astype(np.float64)), guesses)
        while first + rounds > len(state.errors[0]):
            state.errors[0] = np.concatenate((state.errors[0], np.zeros_like(state.errors[0])))
        state.errors[0][first : first + rounds] = votes != labels[:, None]
        state.counts[ROUNDS] += rounds
        for k, period in enumerate(self.periods):
            if state.counts[ROUNDS] % period == 0:
                state.copies[k] = self.learner.start(self._read_size(state), int(state.counts[SEED]))
        return guesses.astype(np.int32)
