"""Runs of the ellipsoid played again: equal to the bit, and no count near the true one is accepted."""

from dataclasses import asdict, replace

import numpy as np
import pytest
import scipy.sparse

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.ellipsoid import replay_ellipsoid
from littlestone.environments import recorded
from littlestone.game.certify import trace_game


def play_both(learner, stream):
    """The mistakes and update rounds of a run, as the library plays it and played again."""
    trace = trace_game(learner, stream)
    form, width, kind = trace.digest.rows.values()
    rows = ArrangedRows(stream, Indexed(), Labels(), stream.rounds, 2, form == "dense", width, kind)
    again = replay_ellipsoid(asdict(learner) | {"attributes": len(trace.player.state.weights)}, rows)
    assert again is not None, "a round of the run has no spread when it is played again"
    return (trace.player.tally.mistakes, tuple(trace.steps.rounds.tolist())), again[:2]


def make_games(seed, width, real):
    """Rounds that some weights label, then for each row its part across the last centre: a score of rounding alone."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((14, width)) * 10.0 ** rng.integers(-3, 4)
    y = X @ rng.standard_normal(width) > 0
    learner = ls.Ellipsoid(["central", "deep"][seed % 2])
    for _ in range(14):
        w = ls.play(learner, ls.Recorded(X.astype(real), y.tolist())).player.state.weights
        row = rng.standard_normal(width) * 10.0 ** rng.integers(-3, 4)
        across = (row - (row @ w) / (w @ w) * w).astype(real)
        X, y = np.vstack((X, across)), np.append(y, rng.random() < 0.5)
    return learner, X.astype(real), y


@pytest.mark.parametrize("width", [1, 2, 7, 8, 9, 32, 33, 50])
@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_a_run_that_rounding_decides_is_played_again_the_same(width, real, monkeypatch):
    """Rows along which every centre scores 0 but for its rounding; few entries or many, some of them 0."""
    monkeypatch.setattr(recorded, "ROUNDS", 11)
    for seed in range(6):
        learner, X, y = make_games(seed, width, real)
        for bias in (0.0, 0.3):
            for rows in (X, scipy.sparse.csr_matrix(X)):
                seen, again = play_both(replace(learner, bias=bias), ls.Recorded(rows, y.tolist()))
                assert again == seen, (seed, bias)


@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_scores_are_summed_as_in_the_run(real):
    """A row (a, a), which is the first centre but for a factor, then rows (b, -b), their columns in some order."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        a, b = rng.standard_normal((2, 3, 3 + seed)).astype(real)
        X = np.vstack((np.hstack((a, a))[:1], np.hstack((b, -b))))[:, rng.permutation(2 * (3 + seed))]
        for rows in (X, scipy.sparse.csr_matrix(X)):
            seen, again = play_both(ls.Ellipsoid(), ls.Recorded(rows, (rng.random(4) < 0.5).tolist()))
            assert again == seen, seed


def test_labels_that_no_weights_give_are_played_again_the_same():
    for seed in range(6):
        rng = np.random.default_rng(seed)
        stream = ls.Recorded(rng.standard_normal((60, 2)), (rng.random(60) < 0.5).tolist())
        seen, again = play_both(ls.Ellipsoid("deep"), stream)
        assert again == seen, seed


def test_cuts_that_miss_the_ellipsoid_are_made_through_its_centre():
    """Every guess is wrong until rounding moves the ellipsoid off 0, which exact cuts never do, and a cut misses it.

    Then come rows that the centre after it labels right and any other centre would not.
    """
    rng, learner, X, y, depth = np.random.default_rng(3), ls.Ellipsoid("deep", attributes=2), [], [], 0.0
    player = ls.Player(learner, classes=(False, True))
    while depth < 1:
        X.append(np.round(rng.standard_normal(2), 2))
        player.predict(X[-1])
        score, spread = X[-1] @ player.state.weights, X[-1] @ learner.matrix(player.state) @ X[-1]
        y.append(bool(score <= 0))
        player.update(X[-1], y[-1])
        depth = abs(score) / np.sqrt(spread)
    assert len(X) == 40
    assert depth > 2
    probes = rng.standard_normal((200, 2))
    told = [*y, *(probes @ player.state.weights > 0).tolist()]
    seen, again = play_both(learner, ls.Recorded(np.vstack((X, probes)), told, (False, True)))
    assert again == seen
    assert seen[1] == tuple(range(40))


def test_a_large_matrix_is_swept_in_ranges():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((14, 1300))
    learner, y = ls.Ellipsoid(), rng.random(14) < 0.5
    for t in range(5, 14):
        w = ls.play(learner, ls.Recorded(X[:t], y[:t].tolist())).player.state.weights
        X[t] -= (X[t] @ w) / (w @ w) * w
    seen, again = play_both(learner, ls.Recorded(X, y.tolist()))
    assert again == seen


@pytest.mark.parametrize("cuts", ["central", "deep"])
def test_one_count_is_accepted(cuts):
    """Decimal rows that repeat: mistakes by one more or less, an update left out or added."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.choice([-0.3, -0.1, 0.1, 0.2, 0.3], (12, 3))[rng.integers(0, 12, 30)]
        stream = ls.Recorded(X, (X @ [0.17, -0.23, 0.11] > 0).tolist())
        certificate = ls.certify(ls.Ellipsoid(cuts, bias=seed % 2), stream)
        report = ls.verify(certificate, stream)
        assert report.replayed
        assert "the counts exactly, the theorem up to the rounding of the run" in str(report)
        for change in (-1, 1):
            with pytest.raises(NotCertified):
                ls.verify(replace(certificate, mistakes=certificate.mistakes + change), stream)
        for t in range(30):
            other = tuple(sorted({*certificate.updated} ^ {t}))
            with pytest.raises(NotCertified):
                ls.verify(replace(certificate, updated=other, updates=len(other)), stream)
