"""Rules on the shared loop: shrink all weights in every round (NORMA), a rate for each attribute (AdaGrad)."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp

from littlestone.base.chunks import Examples
from littlestone.base.learner import Size
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops, make_additive_loops
from littlestone.learners.shared.linear import Linear, ScaledLinear, read_rounds
from littlestone.learners.shared.network_loops import make_unit_loops
from littlestone.learners.shared.rules import Beside, Step, keep_weight


class RateParams(NamedTuple):
    enough: float
    tie: float
    constant: float
    times: float
    rate: float
    decay: float


@rule
def shrink_and_step(seen, params):
    """w <- (1 - rate decay) w in every round, and rate y x more where the margin is below 1 (NORMA)."""
    return Step(1.0 - params.rate * params.decay, params.rate if seen.agreement < 1 else 0.0)


@rule
def step_by_one(seen, params):
    return 1.0


@rule
def adapt(squares, moved, params):
    return params.rate / math.sqrt(squares + moved * moved) if moved != 0 else 0.0


@rule
def add_moved(squares, value, moved, now, params):
    return squares + value * value


ADAPTIVE = Beside(adapt, add_moved, keep_weight)


@dataclass(frozen=True)
class Norma(ScaledLinear):
    rate: float = 0.25
    decay: float = 0.1
    bias: float = 1.0
    loops: ClassVar[Loops] = make_additive_loops(shrink_and_step, RateParams, scaling=True)

    @cached_property
    def params(self):
        return RateParams(math.inf, -1.0, self.bias, 1.0, self.rate, self.decay)


@dataclass(frozen=True)
class AdaGrad(Linear):
    rate: float = 0.5
    bias: float = 1.0
    stride: ClassVar[int] = 2
    loops: ClassVar[Loops] = make_additive_loops(step_by_one, RateParams, ADAPTIVE)
    units: ClassVar = make_unit_loops(step_by_one, RateParams, ADAPTIVE)

    @cached_property
    def params(self):
        return RateParams(1.0, -1.0, self.bias, 1.0, self.rate, 0.0)


def plain_norma(X, y, rate=0.25, decay=0.1):
    w = np.zeros(X.shape[1])
    for x, sign in zip(X, y, strict=True):
        short = sign * (w @ x) < 1
        w = (1 - rate * decay) * w + (rate * sign * x if short else 0)
    return w


def plain_adagrad(X, y, rate=0.5):
    w, squares = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for x, sign in zip(X, y, strict=True):
        if sign * (w @ x) <= 1:
            squares += x * x
            used = x != 0
            w[used] += rate * sign * x[used] / np.sqrt(squares[used])
    return w


LEARNERS = [(Norma(), plain_norma), (AdaGrad(), plain_adagrad)]


@pytest.fixture
def data():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 7)) * (rng.random((3000, 7)) < 0.6)
    return X, ((X[:, 0] > 0) ^ (rng.random(3000) < 0.1)).astype(np.int32)


@pytest.mark.parametrize(("learner", "plain"), LEARNERS, ids=lambda part: type(part).__name__)
@pytest.mark.parametrize("form", [np.array, sp.csr_array])
def test_the_loop_does_what_the_rule_says(learner, plain, form, data):
    X, y = data
    state = learner.start(Size(7))
    learner.replay(state, Examples.of(form(X), y), np.zeros(len(y), np.int32))
    weights, constants = learner.plane(state)
    expected = plain(np.column_stack([X, np.ones(len(X))]), 2 * y - 1.0)
    assert [*weights[:, 0], *constants] == pytest.approx(expected, rel=1e-7, abs=1e-10)


@pytest.mark.parametrize(("learner", "plain"), LEARNERS, ids=lambda part: type(part).__name__)
def test_live_play_chunks_and_plain_python_leave_the_same_bits(learner, plain, data):
    X, y = data
    chunk, ends = Examples.of(sp.csr_array(X[:300]), y[:300]), []
    for size in (300, 37, 1):
        state = learner.start(Size(7))
        for t in range(0, 300, size):
            part = chunk[t : t + size]
            learner.replay(state, part, np.zeros(len(part), np.int32))
        ends.append([part.tobytes() for part in state])
    live, slow, guesses = learner.start(Size(7)), learner.start(Size(7)), np.zeros(300, np.int32)
    for t in range(300):
        learner.round(live, chunk[t], int(chunk.labels[t]))
    learner.loops.replay.py_func(slow, read_rounds(learner, chunk), guesses, learner.params)
    ends += [[part.tobytes() for part in live], [part.tobytes() for part in slow]]
    assert all(end == ends[0] for end in ends)


def test_a_rule_that_shrinks_moves_the_state_in_every_round(data):
    X, y = data
    learner, marks = Norma(), np.zeros(len(y))
    state = learner.start(Size(7))
    learner.trace(state, Examples.of(X, y), np.zeros(len(y), np.int32), marks)
    assert learner.moves(state) == len(y) == np.count_nonzero(marks)
    kept = np.append(state.weights, state.bias)
    assert state.scale[1] == pytest.approx(kept @ kept, rel=1e-9)


def test_a_number_beside_each_weight_also_serves_a_network(data):
    from littlestone.learners import Network

    X, y = data
    network = Network(AdaGrad(), updates="each")
    state, single = network.start(Size(7)), AdaGrad().start(Size(7))
    guesses = np.zeros(len(y), np.int32)
    network.replay(state, Examples.of(X, y), guesses)
    AdaGrad().replay(single, Examples.of(X, y), guesses)
    weights = network.plane(state)[0]
    assert weights[:, 1] == pytest.approx(AdaGrad().plane(single)[0][:, 0], rel=1e-9)
    assert weights[:, 0] == pytest.approx(-weights[:, 1], rel=1e-9)
