"""Runs of kernel perceptrons played again: equal to the bit, and no count near the true one is accepted."""

from dataclasses import asdict, replace

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.learner import Size
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.kernel import FloatKernel, compute_kernel, replay_kernel
from littlestone.compiled import kernel
from littlestone.environments import recorded
from littlestone.game.certify import trace_game
from littlestone.learners.shared.kernel_functions import (
    GaussianKernel,
    LinearKernel,
    PolynomialKernel,
    apply_kernel,
)

LEARNERS = [
    ls.KernelPerceptron(LinearKernel()),
    ls.KernelPerceptron(LinearKernel(), bias=0.3),
    ls.KernelPerceptron(PolynomialKernel(2)),
    ls.KernelPerceptron(PolynomialKernel(3, 0.1), bias=0.7),
    ls.KernelPerceptron(PolynomialKernel(5, 0)),
    ls.KernelPerceptron(GaussianKernel()),
    ls.KernelPerceptron(GaussianKernel(0.3), bias=0.1),
    ls.KernelPerceptron(GaussianKernel(7.0), bias=0.3),
]


def describe_run(learner, real=np.float64):
    """What a certificate says of the learner."""
    kernel = {"name": type(learner.kernel).__name__, **asdict(learner.kernel)}
    return {"name": "KernelPerceptron", "real": np.dtype(real).name, "kernel": kernel, "bias": learner.bias}


def make_random(rng, width, real):
    """Rows that repeat, some of them shorter and longer than others by far."""
    X = rng.standard_normal((90, width)) * 10.0 ** rng.integers(-3, 7) / 10.0 ** rng.integers(0, 2, (90, 1))
    X[rng.random(X.shape) < 0.3] = 0
    return X[rng.integers(0, 50, 90)].astype(real), rng.integers(0, 2, 90)


def make_tied(rng, width, real):
    """Rows of few values: many distances are the same, and sums of kernels cancel but for their rounding."""
    X = rng.choice([0.0, 0.1, 0.3, 1.0], (90, width)) * rng.choice([-1.0, 1.0], (90, 1))
    return X.astype(real), rng.integers(0, 2, 90)


def make_cancelling(rng, width, real):
    """Rows (a, a) and (-a, -a), then rows (b, -b): each is as far from one as from the other, but for rounding."""
    a, b = rng.standard_normal((2, 12, max(1, width // 2)))
    a = np.hstack((a, a))[np.arange(12) // 2] * np.where(np.arange(12) % 2, -1.0, 1.0)[:, None]
    X = np.vstack((a, np.hstack((b, -b))))[:, rng.permutation(a.shape[1])]
    return X.astype(real), np.concatenate((np.arange(12) % 2, rng.integers(0, 2, 12)))


def play_again(learner, stream, real):
    """The run over a stream, played again: its mistakes and update rounds."""
    chunk = next(iter(stream.chunks()))
    dense, kind = chunk.indices is None, chunk.values.dtype.name
    rows = ArrangedRows(stream, Indexed(), Labels(), stream.rounds, 2, dense, chunk.width if dense else 0, kind)
    return replay_kernel(describe_run(learner, real), rows)[:2]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("make", [make_random, make_tied, make_cancelling])
@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_a_run_played_again_is_the_run(learner, make, real, monkeypatch):
    """Over several chunks of rows."""
    monkeypatch.setattr(recorded, "ROUNDS", 17)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = make(rng, int(rng.integers(1, 40)), real)
        stream = ls.Recorded(scipy.sparse.csr_matrix(X) if seed % 2 else X, y.tolist())
        trace = trace_game(learner, stream)
        seen = trace.player.tally.mistakes, tuple(trace.steps.rounds.tolist())
        assert play_again(learner, stream, real) == seen, seed


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_rows_are_kept_in_the_type_of_the_run(learner):
    """Long floats that a run in short ones keeps: their squared lengths stay those of the rows as they came."""
    for seed in range(6):
        X, y = make_tied(np.random.default_rng(seed), 3, np.float64)
        stream, player = ls.Recorded(X, y.tolist()), ls.Player(learner)
        player.start_state(Size(3, real=np.float32))
        seen = ls.play(player, stream)
        mistakes, updated = play_again(learner, stream, np.float32)
        assert (mistakes, len(updated)) == (seen.mistakes, seen.updates), seed


@kernel
def compute_both(products, squares, ours, theirs, out):
    """The kernel of the replay and of the run, from the same products and squared lengths."""
    for k in range(products.size):
        out[0, k] = compute_kernel(products[k], squares[0, k], squares[1, k], ours)
        out[1, k] = apply_kernel(products[k], squares[0, k], squares[1, k], theirs)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_kernel_is_the_same_to_the_bit(learner):
    rng = np.random.default_rng(0)
    squares = rng.exponential(10.0 ** rng.integers(-3, 3, 20_000), (2, 20_000))
    products = rng.uniform(-1.1, 1.1, 20_000) * squares.min(axis=0)
    out = np.zeros((2, 20_000))
    compute_both(products, squares, FloatKernel.of(describe_run(learner)), learner.params, out)
    assert (out[0] == out[1]).all()


def refuse(certificate, stream, message=None, **changes):
    with pytest.raises(NotCertified, match=message):
        ls.verify(replace(certificate, **changes), stream)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**30), sparse=st.booleans(), real=st.sampled_from([np.float32, np.float64]))
def test_one_count_is_accepted(learner, seed, sparse, real):
    """Near decisions of decimal rows: mistakes by one more or less, an update left out, added or moved."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-0.3, -0.1, 0.1, 0.2, 0.3], (12, 3))[rng.integers(0, 4, 25)].astype(real)
    stream = ls.Recorded(scipy.sparse.csr_matrix(X) if sparse else X, (X @ [0.1, -0.2, 0.1] > 0).tolist())
    certificate = ls.certify(learner, stream)
    report = ls.verify(certificate, stream)
    assert report.replayed
    assert ("exactly" in str(report)) == certificate.exact or "the counts exactly" in str(report)
    for change in (-1, 1):
        refuse(certificate, stream, mistakes=certificate.mistakes + change)
    for t in range(25):
        other = tuple(sorted({*certificate.updated} ^ {t}))
        refuse(certificate, stream, updated=other, updates=len(other))


def test_a_tie_that_rounding_decides_has_one_count():
    """Rows of equal numbers are as far from v as from v backwards: only its rounding says what a run guesses."""
    rng = np.random.default_rng(1)
    v = rng.standard_normal(12)
    first, X = np.array([v, v[::-1]]), np.repeat(rng.standard_normal((200, 1)), 12, axis=1)
    learner = ls.KernelPerceptron(GaussianKernel(2.0))
    player = ls.play(learner, ls.Recorded(first, [True, False])).player
    scores = np.array([player.score(x) for x in X])
    X, scores = X[scores != 0], scores[scores != 0]
    stream = ls.Recorded(np.vstack((first, X)), [True, False, *(scores > 0).tolist()])
    certificate = ls.certify(learner, stream)
    report = ls.verify(certificate, stream)
    assert (report.replayed, certificate.mistakes, certificate.updates) == (True, 2, 2)
    assert report.possible[1] - report.possible[0] == len(X) > 50
    assert ", the counts exactly, the theorem up to the rounding of the run" in str(report)
    for wrong in (0, 1, *range(3, len(X))):
        refuse(certificate, stream, "mistakes", mistakes=wrong)
