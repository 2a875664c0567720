"""Experts: what learners from advice share: forecasts in, charges on the books, and a witness out.

An instance is the vector of the experts' forecasts; NaN means that the expert sleeps through the round. Experts may
join at any time, by a longer vector, and leave by sleeping for good. A learner that votes sees outcomes 0 and 1, one
that predicts numbers sees floats and pays its loss. An expert's *charge* is what its weight rests on: its own losses,
and what it was charged for rounds it slept through. Every theorem here holds against the smallest charge.

A learner's file says how rounds are played (`play`, which calls a compiled loop), what its `theorem` is about, and
the `regret` that it allows; the rest is here.
"""

from abc import abstractmethod
from collections.abc import Hashable
from fractions import Fraction
from math import isfinite, log
from typing import Any, ClassVar, Self

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally, round_up
from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadInstance, NotCertified, require
from littlestone.base.features import Features
from littlestone.base.learner import Learner, Size, State, copy_state
from littlestone.base.printed_numbers import Number
from littlestone.learners.experts import pools
from littlestone.learners.experts.forecasts import ForecastChunk, Forecasts, pad_with_sleep, to_matrix
from littlestone.learners.experts.losses import Absolute, Loss
from littlestone.learners.experts.pricing import CUSTOM, ZERO_ONE
from littlestone.learners.experts.theorem import AdviceTheorem

NONE = np.zeros(0)


class Experts(Learner):
    """A learner from advice. Its state is an `ExpertPool`, unless it says otherwise."""

    guesses_between_forecasts: ClassVar[bool] = True  # whether every guess lies between two forecasts of the round
    rate: float | None = None  # at which weights fall, for a loss scaled to [0, 1]; None where it is not a parameter
    vote_loss: ClassVar[Loss] = Absolute()  # what experts pay, where the learner guesses one of two classes
    outcome_type: ClassVar[Any] = np.float64  # of outcomes and guesses in the loop, so that it is compiled once

    @property
    @abstractmethod
    def theorem(self) -> AdviceTheorem:
        """What the learner's theorem is about."""

    @abstractmethod
    def regret(self, experts: int, rounds: int, best_loss: float) -> float:
        """How much more than the best expert the theorem lets the learner lose; NotCertified if it says nothing."""

    @abstractmethod
    def play(self, state: State, rounds: pools.RoundArrays) -> int:
        """Play rounds by a compiled loop, up to one that is refused, and return how many were played."""

    def allow(self, experts: int, rounds: int, charge: float) -> Number:
        """What the theorem lets the learner lose if an expert has this charge; a float is still to be rounded up."""
        return charge + self.regret(experts, rounds, charge)

    def regret_awake(self, experts: int, awake: int, loss: float, meanwhile: float) -> float:
        """The regret against an expert that lost `loss` in its `awake` rounds, where some slept or joined late.

        Both are compared on its awake rounds; the learner lost `meanwhile` in the others.
        """
        charged = self.theorem.sleepers in ("mix loss", "mistakes")
        require(charged, f"no regret is claimed for {self} where experts sleep or join late", NotCertified)
        return self.regret(experts, awake, loss + (meanwhile if self.theorem.sleepers == "mistakes" else 0.0))

    @property
    def expert_loss(self) -> Loss:
        """The loss that experts and learner pay."""
        loss: Any = self.loss
        return loss if self.numeric else self.vote_loss

    @property
    def follower(self) -> Self:
        """The learner that follows the experts: this one."""
        return self

    @property
    def is_checkable(self) -> bool:
        """Whether its loss can be worked out again from the rounds alone."""
        return self.expert_loss.code != CUSTOM or self.theorem.tosses

    def known_labels(self) -> tuple[Hashable, ...]:
        return () if self.numeric else (False, True)

    def features(self) -> Features:
        return Forecasts(self.expert_loss.low, self.expert_loss.high)

    def find_forecasts(self, chunk: Chunk) -> Array:
        """The experts' forecasts in the rounds of a chunk, a row for each."""
        assert isinstance(chunk, Examples)
        return to_matrix(chunk, 0)

    def refuse(self, x: Array, y: float) -> None:
        """Raise what is wrong with a round that the compiled loop would not play."""
        if self.expert_loss.code == ZERO_ONE and not self.numeric:
            for k, vote in enumerate(x):
                voted = vote in (0, 1) or vote != vote
                require(voted, f"a vote must be 0, 1 or NaN; expert {k} says {vote}", BadInstance)
        self.features()(x)
        raise BadInstance(f"forecasts {x} and outcome {y} are refused by {self}")

    def start(self, size: Size, seed: int = 0) -> State:
        n = size.attributes
        return pools.ExpertPool(np.zeros(n), np.zeros(n), np.zeros(4), np.array([0, 0, seed & (2**63 - 1), 0, 0]))

    def grow(self, state: State, size: Size) -> State:
        first, second, *others = state  # the first two arrays are about each expert
        more = np.zeros(max(0, size.attributes - len(first)), first.dtype)
        return type(state)(np.concatenate((first, more)), np.concatenate((second, more)), *others)

    def replay(
        self, state: State, chunk: Chunk, guesses: Array, charges: Array = NONE, weights: Array = NONE
    ) -> int:  # fmt: skip
        """Play the chunk's rounds in order; where there is room, also write charges, and weights before the outcome."""
        require(isinstance(chunk, Examples), f"{type(self).__name__} learns from rows of forecasts", BadInstance)
        assert isinstance(chunk, Examples)
        loss = self.expert_loss
        met = self.experts(state)
        clean = isinstance(chunk, ForecastChunk) and chunk.width >= met and chunk.is_clean(loss.low, loss.high)
        return self._replay_rows(state, to_matrix(chunk, met), chunk.labels, guesses, charges, weights, clean)

    def _replay_rows(
        self, state: State, X: Array, y: Array, guesses: Array, charges: Array, weights: Array, clean: bool
    ) -> int:  # fmt: skip
        """`replay` for a row of forecasts for each round, of all experts met."""
        loss = self.expert_loss
        costs = NONE
        playable = loss.count_leading(y) if self.numeric else len(y)
        if loss.code == CUSTOM:
            costs, playable = loss.price_rounds(X[:playable], y)
        if playable == 0:
            return 0
        before = state.counts.copy()
        outcomes = y[:playable].astype(self.outcome_type, copy=False)
        answers = guesses[:playable] if guesses.dtype == self.outcome_type else np.zeros(playable, self.outcome_type)
        rows = np.ascontiguousarray(X[:playable]).reshape(-1), costs.reshape(-1)
        rounds = pools.RoundArrays(*rows, outcomes, answers, charges, weights.reshape(-1), True, clean)
        done = self.play(state, rounds)
        if done == 0:
            state.counts[:] = before  # experts who joined in the refused round have not joined
            self.refuse(X[0], float(y[0]))
        guesses[:done] = answers[:done]
        if loss.code == CUSTOM and not self.theorem.tosses:
            for t in range(done):  # only the user's own function knows the loss of these guesses
                charge = loss(answers[t], outcomes[t])
                pools.add_loss(state.totals, charge)
                charges[t : t + 1] = charge
        return done

    def guess(self, state: State, x: Array, weights: Array = NONE) -> Any:
        """The guess for one row of forecasts; nothing changes but `weights`, which are written where there is room."""
        row = pad_with_sleep(x[None], self.experts(state))[0]
        if len(row) > self.experts(state):
            state = copy_state(state)  # newcomers join for this guess only
        outcome = np.zeros(1, self.outcome_type)
        guess = np.zeros(1, self.outcome_type)
        if not self.play(
            state, pools.RoundArrays(row, np.zeros(len(row)), outcome, guess, NONE, weights, False, False)
        ):
            self.refuse(row, 0.0)
        return guess[0].item() if self.numeric else int(guess[0])

    def predict(self, state: State, x: Row) -> Any:
        assert x.values is not None
        return self.guess(state, x.values)

    def round(self, state: State, x: Row, y: Any) -> Any:
        assert x.values is not None
        kind = np.float64 if self.numeric else np.int32
        guesses = np.zeros(1, kind)
        row = pad_with_sleep(x.values[None], self.experts(state))
        self._replay_rows(state, row, np.array([y], kind), guesses, NONE, NONE, False)
        return guesses[0].item()

    def update(self, state: State, x: Row, y: Any, guess: Any) -> None:
        self.round(state, x, y)

    def experts(self, state: State) -> int:
        """How many experts were met."""
        return int(state.counts[pools.EXPERTS])

    def losses(self, state: State) -> Array:
        """What each expert lost on the rounds it was awake."""
        return np.array(state.losses[: self.experts(state)])

    def charges(self, state: State) -> Array:
        """What each expert's weight rests on: its losses, and what it was charged asleep."""
        met = self.experts(state)
        return np.array(state.losses[:met] + state.credit[:met])

    def weights(self, state: State, x: Any = None) -> Array:
        """The share of each expert in the next guess, those asleep in x having none."""
        loss = self.expert_loss
        usual = 0.0 if loss.code == ZERO_ONE else 0.5 * loss.low + 0.5 * loss.high
        row = np.full(self.experts(state), usual) if x is None else np.asarray(x, np.float64)
        shares = np.zeros(len(row))
        self.guess(state, row, shares)
        return shares

    def expected(self, state: State) -> Number | None:
        return float(state.totals[pools.LOSS] + state.totals[pools.CARRY])

    def moves(self, state: State) -> int:
        return int(state.counts[pools.ROUNDS])

    def best(self, state: State) -> int:
        """The expert with the smallest charge, the first of several."""
        require(self.experts(state) > 0, "there are no experts before the first round", NotCertified)
        return int(np.argmin(self.charges(state)))

    def witness(self, state: State) -> dict[str, Any]:
        """The best expert in hindsight, as a certificate names it."""
        best = self.best(state)
        losses = self.losses(state)
        charges = self.charges(state)
        lost = losses[best].item()
        asleep = (charges[best] - losses[best]).item()
        return {"expert": best, "losses": lost, "charged asleep": asleep, "experts": self.experts(state)}

    def certificate(self, state: State, tally: Tally) -> Certificate:
        """The theorem with the best expert as witness."""
        theorem = self.theorem
        best = self.best(state)
        uneven = theorem.sleepers == "none" and state.counts[pools.UNEVEN]
        late = theorem.sleepers == "no late ones" and state.counts[pools.JOINED]
        require(not uneven, f"the theorem of {self} is for experts that never sleep or join late", NotCertified)
        require(not late, "the anytime rate must fall: its theorem lets no expert join late", NotCertified)
        charge = float(self.charges(state)[best])
        allowed = self.allow(self.experts(state), self.moves(state), charge)
        bound = _round_allowed(allowed)
        shown = ".6g" if isinstance(allowed, float) else ".0f"
        promise = f"expert {best} was charged {charge:{shown}}"
        exact = theorem.counts == "mistakes"
        return Certificate(
            theorem.name, promise, theorem.counts, tally.mistakes, tally.updates, bound, self.witness(state),
            theorem.scope, exact, self.expected(state),
        )  # fmt: skip

    def recount(self, state: State, X: Array, y: Array) -> tuple[Fraction, Fraction]:
        """Work out the learner's loss on rounds that it has played.

        Here it is that of the run in floats, rounded up by half of an error that grows with the rounding that the run
        can have met. A learner whose loss can be worked out exactly does so.

        Returns:
            The loss, no smaller than it was, and by how much it may be too large.
        """
        top = self.expert_loss.top if isfinite(self.expert_loss.top) else 1.0
        steep = 8.0 * float(self.rate or 2.0) / top * (float(self.charges(state).max(initial=0.0)) + top)
        whole = np.isin(X, (0, 1)).all() and np.isin(y, (0, 1)).all()
        sums = 1 if whole else len(y)  # roundings in an expert's loss
        loose = (2.0**-46 + (16 + steep * sums) * 2.0**-53) * (64 * len(y) if np.isnan(X).any() else 1)
        error = Fraction(len(y) * top * min(1.0, loose))  # of a float, so that a certificate can state it as one
        return Fraction(float(self.expected(state) or 0.0)) + error / 2, error

    def check_state(self, state: Any, size: Size) -> bool:
        return bool(0 <= state.counts[pools.EXPERTS] <= len(state.losses))


class VotingExperts(Experts):
    """A learner from advice whose theorem allows a number of mistakes if the best expert loses little."""

    def regret(self, experts: int, rounds: int, best_loss: float) -> float:
        return float(self.allow(experts, rounds, best_loss)) - best_loss

    def bound(self, experts: int | None = None, best_loss: float | None = None) -> Bound:
        """The mistakes, or expected mistakes, allowed when one of the experts loses at most `best_loss`."""
        if experts is None or best_loss is None:
            raise NotCertified("say how many experts there are and how much the best one loses")
        require(experts >= 1 and best_loss >= 0, f"need experts >= 1, best_loss >= 0, got {experts}, {best_loss}")
        errs = self.expert_loss.code == ZERO_ONE
        promise = f"makes at most {best_loss} mistakes" if errs else f"loses at most {best_loss}"
        value = _round_allowed(self.allow(experts, 0, best_loss))
        return Bound(self.theorem.name, f"one of {experts} experts {promise}", value, self.theorem.counts)


def _round_allowed(allowed: Number) -> Number:
    """What a theorem allows as a certificate states it: a float is rounded up."""
    return round_up(allowed) if isinstance(allowed, float) else allowed


def refuse_zero(penalty: float | Fraction, charge: float) -> None:
    """Refuse a penalty of 0 where every expert erred: all weight is gone, and the theorems say nothing."""
    require(penalty > 0 or charge == 0, "a penalty of 0 promises nothing once every expert erred", NotCertified)


def to_rate(penalty: float | Fraction) -> float:
    """The rate at which a weight falls by `penalty` for every unit lost; as good as infinite for a penalty of 0."""
    return log(1 / penalty) if penalty else pools.STEEP


def make_params(loss: Loss, kind: float, rate: float, schedule: float = pools.FIXED) -> pools.Params:
    """The parameters of the loop of exponential weights for a learner that pays a loss."""
    return pools.Params(kind, rate, schedule, loss.code, loss.shape, float(loss.low), float(loss.high), loss.top)
