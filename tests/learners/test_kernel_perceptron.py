"""The kernel perceptron: gold runs, its twin, the primal perceptron inside it, budgets, batches and its bound."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadParameter
from littlestone.base.learner import Size, copy_state, fingerprint
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import KernelPerceptron, Perceptron
from littlestone.learners.shared.kernel_functions import PRIME, GaussianKernel, LinearKernel, PolynomialKernel
from reference import kernel_perceptron
from row_games import agree, noisy, scores_of

SQUARE, XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]


def dot(x, z):
    return sum(a * b for a, b in zip(x, z, strict=True))


def of_rows(K):
    """A kernel of lists as a function of the library's rows."""

    def rows(x, z):
        dense = []
        for row in (x, z):
            vector = np.zeros(8)
            vector[row.indices] = row.values
            dense.append(vector.tolist())
        return K(*dense)

    return rows


PLAIN = {
    LinearKernel(): dot,
    PolynomialKernel(3, 2.0): lambda x, z: (2 + dot(x, z)) ** 3,
    GaussianKernel(1.5): lambda x, z: math.exp(-sum((a - b) ** 2 for a, b in zip(x, z, strict=True)) / 4.5),
}


def test_the_gold_run_on_exclusive_or():
    player, dual = Player(KernelPerceptron(PolynomialKernel(2))), np.zeros(4)
    assert play(player, Recorded(SQUARE * 12, XOR * 12)).updates == 21
    support = player.state.support
    for j in range(support.rows):
        dual[SQUARE.index([int(i in support.row(j).indices) for i in range(2)])] += support.coefficients[j]
    assert dual.tolist() == [-7, 5, 5, -4]
    K = (1 + np.array(SQUARE) @ np.array(SQUARE).T) ** 2
    a = np.linalg.solve(K, XOR)  # the u that is y on every point
    assert a @ K @ a == pytest.approx(35 / 3)
    assert 21 <= K.diagonal().max() * (a @ K @ a) == pytest.approx(105)


@pytest.mark.parametrize("kernel", PLAIN, ids=repr)
@given(rounds=noisy(3, longest=30), bias=st.sampled_from([0, 1, 2]))
def test_agrees_with_its_twin_on_noisy_rounds(kernel, rounds, bias):
    theirs, kept = kernel_perceptron(rounds, lambda x, z: PLAIN[kernel](x, z) + bias**2)
    ours, state = scores_of(KernelPerceptron(kernel, bias=bias), rounds)
    if isinstance(kernel, GaussianKernel):
        agree(ours, theirs)
    else:
        assert ours == theirs
        assert state.support.coefficients[: state.support.rows].tolist() == [y for _, y in kept]


@given(st.integers(1, 5).flatmap(lambda d: noisy(d, longest=60)), st.sampled_from([0.0, 1.0, 3.0]))
def test_the_linear_kernel_is_the_perceptron(rounds, bias):
    assert (
        scores_of(KernelPerceptron(LinearKernel(), bias=bias), rounds)[0] == scores_of(Perceptron(bias=bias), rounds)[0]
    )


def victim(removal, seed):
    """The same choice, from the documented generator."""
    drawn = [0]

    def choose(kept):
        if removal == "random":
            drawn[0] = drawn[0] * 48271 % PRIME if drawn[0] else seed * 48271 % PRIME
            return drawn[0] * len(kept) // PRIME
        return 0

    return choose


@pytest.mark.parametrize("kernel", PLAIN, ids=repr)
@pytest.mark.parametrize("removal", ["oldest", "random", "smallest"])
@given(rounds=noisy(3, longest=60), budget=st.integers(1, 4), seed=st.integers(0, 99))
def test_agrees_with_its_twin_on_a_budget(kernel, removal, rounds, budget, seed):
    learner = KernelPerceptron(kernel, budget, removal)
    first = int(learner.start(Size(3), seed).counts[2])
    theirs, kept = kernel_perceptron(rounds, PLAIN[kernel], budget, victim(removal, first))
    ours, state = scores_of(learner, rounds, seed)
    assert state.support.rows <= budget
    if agree(ours, theirs) == len(rounds):
        listed = [state.support.row(j).indices.tolist() for j in range(state.support.rows)]
        assert listed == [np.flatnonzero(x).tolist() for x, _ in kept]


def test_the_smallest_coefficient_goes_first():
    learner = KernelPerceptron(LinearKernel(), budget=2, removal="smallest")
    X, y, importance = np.eye(4), np.ones(4, np.int32), np.array([3.0, 0.5, 2.0, 0.0])
    state, chunk = learner.start(Size(4)), Examples.of(X, y)
    chunk = Examples(chunk.indptr, None, chunk.values, y, 4, importance)
    assert learner.replay(state, chunk, np.zeros(4, np.int32)) == 4
    assert state.support.coefficients[:2].tolist() == [3, 2]  # a round of no importance teaches nothing
    assert learner.moves(state) == 3


@pytest.mark.parametrize("budget", [None, 5])
@pytest.mark.parametrize("kernel", [LinearKernel(), PolynomialKernel(3, 2.0)], ids=repr)
def test_any_function_of_two_rows_will_do(kernel, budget):
    rng = np.random.default_rng(0)
    X, y = rng.integers(-2, 3, (70, 8)), rng.choice([-1, 1], 70)
    fast = play(KernelPerceptron(kernel, budget, "random"), Recorded(X, y), seed=3).player
    slow = play(KernelPerceptron(of_rows(PLAIN[kernel]), budget, "random"), Recorded(X, y), seed=3).player
    assert fast.tally == slow.tally
    assert fingerprint(fast.state) == fingerprint(slow.state)
    chunk = Examples.of(X.astype(float), y)
    assert (fast.learner.scores(fast.state, chunk) == slow.learner.scores(slow.state, chunk)).all()


@pytest.mark.parametrize("budget", [None, 7])
@pytest.mark.parametrize("kernel", PLAIN, ids=repr)
@pytest.mark.parametrize("sparse", [False, True])
def test_blocks_chunks_and_single_rounds_agree_to_the_last_bit(kernel, budget, sparse):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(75, 6)) * (rng.random((75, 6)) < 0.6), rng.integers(0, 2, 75).astype(np.int32)
    learner, chunk = KernelPerceptron(kernel, budget, "random", bias=0.5), Examples.of(X, y)
    chunk = chunk.to_sparse() if sparse else chunk
    games = []
    for cut in (1, 3, 8, 75):
        state, guesses, played = learner.start(Size(6), 5), np.zeros(75, np.int32), 0
        while played < 75:
            done = learner.replay(state, chunk[played : played + cut], guesses[played : played + cut])
            if done < min(cut, 75 - played):
                assert learner.full(state, None)
                state = learner.grow(state, Size(6))
            played += done
        games.append((guesses.tolist(), fingerprint(state)))
    assert all(game == games[0] for game in games)
    one_by_one = [learner.score(state, chunk[t]) for t in range(75)]
    assert learner.scores(state, chunk).tolist() == one_by_one


@pytest.mark.parametrize("kernel", PLAIN, ids=repr)
def test_never_exceeds_its_bound_on_separable_rounds(kernel):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 4))
    K = np.array([[PLAIN[kernel](x, z) for z in X] for x in X])
    a = rng.normal(size=40) * (rng.random(40) < 0.2)
    values = K @ a
    y = np.sign(values)
    player = Player(KernelPerceptron(kernel))
    for _ in range(12):
        play(player, Recorded(X, y))
    assert 0 < player.tally.updates <= K.diagonal().max() * (a @ K @ a) / np.abs(values).min() ** 2


def test_a_gaussian_learns_what_no_line_separates():
    player = Player(KernelPerceptron(GaussianKernel(0.5)))
    for _ in range(4):
        last = play(player, Recorded(SQUARE, XOR))
    assert last.mistakes == 0


def test_scoring_changes_nothing():
    learner = KernelPerceptron(GaussianKernel())
    state, x = scores_of(learner, [([1, 2], 1), ([2, 1], -1)])[1], Row(None, np.array([1.0, 1.0]))
    before = fingerprint(copy_state(state))
    learner.score(state, x), learner.predict(state, x), learner.scores(state, Examples.row(x, 0))
    assert fingerprint(state) == before


def test_refuses_bad_parameters():
    for bad in ({"kernel": "rbf"}, {"budget": 0}, {"removal": "newest"}, {"bias": -1}):
        with pytest.raises(BadParameter, match=next(iter(bad))):
            KernelPerceptron(**bad)
    for make, bad in (
        (PolynomialKernel, {"degree": 0}),
        (PolynomialKernel, {"constant": -1}),
        (GaussianKernel, {"width": 0}),
    ):
        with pytest.raises(BadParameter, match=next(iter(bad))):
            make(**bad)
