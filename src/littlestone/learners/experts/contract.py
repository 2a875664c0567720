"""Experts: what learners from advice share: forecasts in, charges on the books, and a witness out.

An instance is the vector of the experts' forecasts; NaN means that the expert sleeps through the round. Experts may
join at any time, by a longer vector, and leave by sleeping for good. A learner that votes sees outcomes 0 and 1, one
that predicts numbers sees floats and pays its loss. An expert's *charge* is what its weight rests on: its own losses,
and what it was charged for rounds it slept through. Every theorem here holds against the smallest charge.
"""

from abc import abstractmethod
from fractions import Fraction
from math import log
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate, Number, Tally, round_up
from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, NotCertified, require
from littlestone.base.features import Features
from littlestone.base.learner import Learner, Size, State, copy_state
from littlestone.learners.experts import threads as strips
from littlestone.learners.experts.exponential_loop import replay
from littlestone.learners.experts.forecasts import Forecasts, Rounds, matrix, padded
from littlestone.learners.experts.losses import CUSTOM, Absolute, Loss
from littlestone.learners.experts.state import CARRY, EXPERTS, FIXED, LOSS, ROUNDS, STEEP, Params, Pool, add

NONE = np.zeros(0)
COMPARED = "the expert that is named lost, and was charged asleep, what is stated"
SCHEDULED = "the experts that are named, each from its round on, lost together what is stated"


class Experts(Learner):
    """A learner from advice. Subclasses keep a state that knows each expert's losses and charges."""

    def charged_by(self) -> Loss:
        """The loss that experts and learner pay."""
        return UNIT

    def features(self) -> Features:
        loss = self.charged_by()
        return Forecasts(loss.low, loss.high)

    @abstractmethod
    def regret(self, experts: int, rounds: int, best_loss: float) -> float:
        """How much more than the best expert the theorem lets the learner lose; NotCertified if it says nothing."""

    def regret_awake(self, experts: int, awake: int, loss: float, meanwhile: float) -> float:
        """The same against an expert that lost `loss` in its `awake` rounds, where somebody slept or joined late.

        Both are compared on its awake rounds; the learner lost `meanwhile` in the others.
        """
        raise NotCertified(f"no regret is claimed for {type(self).__name__} where experts sleep or join late")

    @abstractmethod
    def record(
        self, state: State, X: Array, y: Array, guesses: Array, charges: Array, trace: Array, clean: bool
    ) -> int:  # fmt: skip
        """Play rounds, writing guesses, and, where there is room, charges and weights before the outcome.

        `clean` forecasts are known to be awake and in range: nobody has to look again.
        """

    @abstractmethod
    def experts(self, state: State) -> int:
        """How many experts were met."""

    @abstractmethod
    def losses(self, state: State) -> Array:
        """What each expert lost on the rounds it was awake."""

    @abstractmethod
    def charges(self, state: State) -> Array:
        """What each expert's weight rests on: its losses, and what it was charged asleep."""

    @abstractmethod
    def weights(self, state: State, x: Any = None) -> Array:
        """The share of each expert in the next guess, those asleep in x having none."""

    def refuse(self, x: Array, y: float) -> None:
        """Raise what is wrong with a round that the compiled loop would not play."""
        self.features()(x)
        raise BadInstance(f"forecasts {x} and outcome {y} are refused by {self}")

    def play(self, state: State, X: Array, y: Array, guesses: Array, charges: Array = NONE,
             trace: Array = NONE, clean: bool = False) -> int:  # fmt: skip
        """`record`, with the error of the first round if that is refused."""
        X = padded(X, self.experts(state))
        met = state.counts.copy()
        done = self.record(state, X, y, guesses, charges, trace, clean)
        if done == 0 and len(y):
            state.counts[:] = met  # experts who joined in the refused round have not joined
            self.refuse(X[0], float(y[0]))
        return done

    def replay(self, state: State, chunk: Chunk, guesses: Array) -> int:
        require(isinstance(chunk, Examples), f"{type(self).__name__} learns from rows of forecasts", BadInstance)
        assert isinstance(chunk, Examples)
        loss, full = self.charged_by(), chunk.width >= self.experts(state)
        clean = full and isinstance(chunk, Rounds) and chunk.clean(loss.low, loss.high)
        return self.play(state, matrix(chunk, self.experts(state)), chunk.labels, guesses, clean=clean)

    def round(self, state: State, x: Row, y: Any) -> Any:
        assert x.values is not None
        kind = np.float64 if self.numeric else np.int32
        guesses = np.zeros(1, kind)
        self.play(state, x.values[None], np.array([y], kind), guesses)
        return guesses[0].item()

    def update(self, state: State, x: Row, y: Any, guess: Any) -> None:
        self.round(state, x, y)

    def best(self, state: State) -> int:
        """The expert with the smallest charge, the first of several."""
        require(self.experts(state) > 0, "there are no experts before the first round", NotCertified)
        return int(np.argmin(self.charges(state)))

    def witness(self, state: State) -> dict[str, Any]:
        """The best expert in hindsight, as a certificate names it."""
        best, losses, charges = self.best(state), self.losses(state), self.charges(state)
        return {
            "expert": best,
            "losses": losses[best].item(),
            "charged asleep": (charges[best] - losses[best]).item(),
            "experts": self.experts(state),
        }


class Pooled(Experts):
    """A learner whose state is a `Pool`; subclasses give the loss they pay and the `loop` that plays rounds."""

    @abstractmethod
    def loop(self, *arguments: Any) -> int:
        """Play rounds: state, forecasts, outcomes, guesses, charges, trace, whether to learn, and
        whether the forecasts are clean; the number of rounds played."""

    def start(self, size: Size, seed: int = 0) -> Pool:
        n = size.attributes
        return Pool(np.zeros(n), np.zeros(n), np.zeros(4), np.array([0, 0, seed & (2**63 - 1), 0, 0]))

    def grow(self, state: Pool, size: Size) -> Pool:
        more = np.zeros(max(0, size.attributes - len(state.losses)))
        losses, credit = np.concatenate((state.losses, more)), np.concatenate((state.credit, more))
        return state._replace(losses=losses, credit=credit)

    def dry(self, state: Pool, x: Array, trace: Array) -> float:
        """The guess for one row of forecasts; nothing changes but what `trace` shows."""
        x = padded(x[None], self.experts(state))
        if x.shape[1] > self.experts(state):
            state = copy_state(state)  # newcomers are seated for this guess only
        guess = np.zeros(1)
        if not self.loop(*state, x[0], np.zeros(x.size), np.zeros(1), guess, NONE, trace, False, False):
            self.refuse(x[0], 0.0)
        return float(guess[0])

    def predict(self, state: Pool, x: Row) -> Any:
        assert x.values is not None
        guess = self.dry(state, x.values, NONE)
        return guess if self.numeric else int(guess)

    def record(
        self, state: Pool, X: Array, y: Array, guesses: Array, charges: Array, trace: Array, clean: bool
    ) -> int:  # fmt: skip
        loss, playable, costs = self.charged_by(), len(y), NONE
        if self.numeric:
            playable = loss.leading(y)
        if loss.code == CUSTOM:
            costs, playable = loss.priced(X[:playable], y)
        if playable == 0:
            return 0
        heard, said = y[:playable].astype(np.float64), np.zeros(playable)  # floats, so that a loop is compiled once
        rows = np.ascontiguousarray(X[:playable]).reshape(-1)
        done = self.loop(*state, rows, costs.reshape(-1), heard, said, charges, trace.reshape(-1), True, clean)
        guesses[:done] = said[:done]
        if loss.code == CUSTOM and not getattr(self, "draws", False):
            self._charge(state, loss, said[:done], heard, charges)
        return done

    def _charge(self, state: Pool, loss: Loss, said: Array, heard: Array, charges: Array) -> None:
        """Charge the learner for guesses whose loss only the user's own function knows."""
        for t, guess in enumerate(said):
            charge = loss(guess, heard[t])
            add(state.totals, charge)
            charges[t : t + 1] = charge

    def experts(self, state: Pool) -> int:
        return int(state.counts[EXPERTS])

    def losses(self, state: Pool) -> Array:
        return np.array(state.losses[: self.experts(state)])

    def charges(self, state: Pool) -> Array:
        met = self.experts(state)
        return np.array(state.losses[:met] + state.credit[:met])

    def weights(self, state: Pool, x: Any = None) -> Array:
        low, high = self.charged_by().low, self.charged_by().high
        row = np.full(self.experts(state), 0.5 * low + 0.5 * high) if x is None else np.asarray(x, np.float64)
        shares = np.zeros(len(row))
        self.dry(state, row, shares)
        return shares

    def expected(self, state: Pool) -> Number | None:
        return float(state.totals[LOSS] + state.totals[CARRY])

    def moves(self, state: Pool) -> int:
        return int(state.counts[ROUNDS])

    def certified(self, state: Pool, tally: Tally, theorem: str, bound: float, counts: str) -> Certificate:
        """A certificate with the best expert as witness; an expectation over the learner's coins, if it tosses any."""
        promise = f"expert {self.best(state)} was charged {self.charges(state).min():.6g}"
        allowed, count = round_up(bound), self.expected(state)
        scope = "sequence" if self.numeric and not getattr(self, "draws", False) else "expectation"
        parts = (tally.mistakes, tally.updates, allowed, self.witness(state), scope, False, count)
        return Certificate(theorem, promise, counts, *parts)  # type: ignore[arg-type]


class Weighing(Pooled):
    """A learner by exponential weights; subclasses give the `params` of the loop."""

    @abstractmethod
    def params(self) -> Params:
        """What the compiled loop reads."""

    def loop(self, *arguments: Any) -> int:
        *state, x, costs, outcomes, guesses, charges, trace, learning, clean = arguments
        params, pool, experts = self.params(), Pool(*state), x.size // len(outcomes)
        if experts < strips.MANY:
            return int(replay(params, *arguments))
        for t, y in enumerate(outcomes):  # round by round, so that it does not matter how they come
            row, one = slice(t * experts, (t + 1) * experts), slice(t, t + 1)
            if strips.fits(params, pool, x[row], trace[row], learning, clean):
                guesses[t], charges[one] = strips.play(params, pool, x[row], costs[row], float(y))
                continue
            given = x[row], costs[row], outcomes[one], guesses[one], charges[one], trace[row]
            if not replay(params, *pool, *given, learning, clean):
                return t
        return len(outcomes)


UNIT = Absolute()


def steepness(penalty: float | Fraction) -> float:
    """The rate at which a weight falls by `penalty` for every unit lost; as good as infinite for a penalty of 0."""
    return log(1 / penalty) if penalty else STEEP


def paying(loss: Loss, kind: float, rate: float, schedule: float = FIXED) -> Params:
    """The loop's parameters for a learner that pays a loss."""
    return Params(kind, rate, schedule, loss.code, loss.shape, float(loss.low), float(loss.high), loss.top)
