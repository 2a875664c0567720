"""Runs of Winnow and Balanced Winnow played again: equal to the bit, and no count near the true one is accepted."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.learner import describe
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.winnow import (
    FloatPowers,
    replay_balanced_winnow,
    replay_winnow,
    round_power,
)
from littlestone.certificates.digest import Digest
from littlestone.game.certify import start_player
from littlestone.learners.shared.exponents import make_powers, read_power
from long_cases import leave_most_to_test_all

WINNOWS = [
    ls.Winnow(1.1, 4.0),
    ls.Winnow(2.0, 8.0),
    ls.Winnow(3.0, 9.0, strict_gt=True),
    ls.Winnow(2.0, 4.0, strict_gt=True),
    ls.Winnow(1.01, 3.0, margin=0.5),
    ls.Winnow(2.0, 6.0, margin=2.0),
    ls.Winnow(2.0, 6.0, margin=2.0, strict_gt=True),
    ls.Winnow(1.5, 4.0, eliminate=True),
    ls.Winnow(2.0, 16.0, floor=0.5),
    ls.Winnow(),
]
BALANCED = [
    ls.BalancedWinnow(factor=1.1),
    ls.BalancedWinnow(factor=2.0, bias=0),
    ls.BalancedWinnow(factor=3.0),
    ls.BalancedWinnow(margin=0.1),
    ls.BalancedWinnow(margin=0.3, bias=0),
    ls.BalancedWinnow(),
    ls.BalancedWinnow(bias=0),
]


def make_stream(seed, sparse, real, signed, rounds=300):
    """Rows that come again and again, with labels of a plane, some of them wrong."""
    rng = np.random.default_rng(seed)
    width = int(rng.integers(2, 24))
    X = (rng.random((30, width)) < rng.choice([0.2, 0.5, 0.9])).astype(real)
    X = X * rng.choice([-1, 1], X.shape).astype(real) if signed else X
    X, target = X[rng.integers(0, 30, rounds)], rng.integers(-1, 2, width)
    y = (X @ target > 0) ^ (rng.random(rounds) < rng.choice([0.0, 0.1, 0.5]))
    return ls.Recorded(scipy.sparse.csr_matrix(X) if sparse else X, y.tolist())


def play_both(learner, stream):
    """Mistakes and update rounds as the library plays the stream, and as it is played again."""
    player, digest, updated = start_player(learner, stream), Digest(), []
    for chunk in stream.chunks():
        for played in player.play_chunk(chunk, traced=True):
            updated += (digest.rounds + np.flatnonzero(played.moved)).tolist()
            digest.add(played.seen)
    form, width, kind = digest.rows.values()
    rows = ArrangedRows(stream, Indexed(), Labels(), digest.rounds, 2, form == "dense", width, kind)
    about, replay = describe(learner), replay_balanced_winnow
    if isinstance(learner, ls.Winnow):
        about, replay = about | {"threshold": float(player.state.threshold[0])}, replay_winnow
    again = replay(about, rows)
    return (player.tally.mistakes, tuple(updated)), (again.mistakes, again.updated)


@pytest.mark.parametrize("learner", leave_most_to_test_all([*WINNOWS, *BALANCED], 4), ids=str)
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_a_run_played_again_is_the_run(learner, sparse, real):
    for seed in range(8):
        seen, again = play_both(learner, make_stream(seed, sparse, real, learner in BALANCED))
        assert again == seen, seed


def test_phases_end_when_the_run_ends_them():
    """Labels of a coin, so that a phase ends when its patience does; n grows in the midst of phases."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.choice([-1.0, 0.0, 1.0], (3000, 5))
        X[:500, 3:] = 0
        X[rng.random(3000) < 0.2] = 0
        stream = ls.Recorded(X, (rng.random(3000) < 0.5).tolist())
        for learner in (ls.BalancedWinnow(), ls.BalancedWinnow(bias=0)):
            seen, again = play_both(learner, stream)
            assert again == seen
            assert len(seen[1]) > 400  # four phases at least


# --- sums so near to a level that their rounding decides ----------------------------------------------------------


def make_near_sum(seed, promotion):
    """Promotions of single attributes, then a row of them all, and the sum of its weights in the plainest order."""
    rng = np.random.default_rng(seed)
    width = int(rng.integers(3, 12))
    exponents = rng.integers(0, 9, width)
    X = np.concatenate((np.repeat(np.eye(width), exponents, axis=0), np.ones((2, width))))
    total = 0.0
    for k in exponents.tolist():
        total += promotion**k
    return X, total


@pytest.mark.parametrize("promotion", leave_most_to_test_all([1.1, 1.001, 1.7, 2.0, 3.0], 3))
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("label", [False, True])
def test_a_sum_next_to_the_threshold_is_on_the_side_of_the_run(promotion, strict, label):
    for seed in range(40):
        X, total = make_near_sum(seed, promotion)
        for threshold in (np.nextafter(total, 0), total, np.nextafter(total, 99)):
            for learner in (
                ls.Winnow(promotion, float(threshold), strict_gt=strict),
                ls.Winnow(promotion, float(threshold) - 0.25, margin=0.25, strict_gt=strict),
                ls.Winnow(promotion, float(threshold) + 0.25, margin=0.25, strict_gt=strict),
            ):
                stream = ls.Recorded(X, [True] * (len(X) - 2) + [label] * 2)
                seen, again = play_both(learner, stream)
                assert again == seen, (seed, threshold)


@pytest.mark.parametrize("factor", [1.1, 1.3, 2.0])
@pytest.mark.parametrize("bias", [0, 1])
def test_weights_that_cancel_do(factor, bias):
    """The row (x, -x) over weights (w, w) scores nothing but the weight of the constant, in whatever order."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        width = int(rng.integers(2, 9))
        single = np.repeat(np.eye(width), rng.integers(1, 3, width), axis=0)
        both = rng.permutation(2 * width)
        X = np.concatenate((np.hstack((single, single)), np.hstack((np.ones((2, width)), -np.ones((2, width))))))
        X[-1] *= -1
        stream = ls.Recorded(X[:, both], rng.integers(0, 2, len(X)).astype(bool).tolist())
        seen, again = play_both(ls.BalancedWinnow(factor=factor, bias=bias), stream)
        assert again == seen, seed


@pytest.mark.parametrize("base", [1.1, 1.001, 1.25, sqrt(3.0), 2.0, 3.0, 1e6])
def test_a_weight_is_what_the_table_of_the_run_has(base):
    for size, reach in ((1, 128), (2, 2**15)):
        table, odd = make_powers(base, size), make_powers(base, size, odd=True)
        both = FloatPowers(base, odd=True)
        for k in (*range(-120, 121), 1 - reach, -700, -300, 300, 700, reach - 1):
            if -reach < k < reach:
                assert round_power(base, k) == read_power(table, k)
                assert both.read(k) == read_power(odd, k)


def test_a_weight_far_below_all_floats_is_nothing_at_once():
    assert round_power(1.1, -(10**9)) == round_power(2.0**64, -(10**12)) == 0.0


# --- what was accepted although it was not so ---------------------------------------------------------------------


def refuse(certificate, stream, message=None, **changes):
    with pytest.raises(NotCertified, match=message):
        ls.verify(replace(certificate, **changes), stream)


def test_a_winnow_that_made_no_mistake_did_not_make_57():
    stream = ls.Recorded(np.ones((100, 2)), [True] * 100)
    certificate = ls.certify(ls.Winnow(1.1, 2.0), stream)
    assert certificate.mistakes == 0
    assert ls.verify(certificate, stream).replayed
    for wrong in (1, 57, 99, 100):
        refuse(certificate, stream, "makes 0 mistakes", mistakes=wrong)
    listed = tuple(range(3))
    refuse(certificate, stream, updated=listed, updates=3)


@pytest.mark.parametrize("learner", leave_most_to_test_all([*WINNOWS[:-2], *BALANCED], 4), ids=str)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**30), sparse=st.booleans())
def test_one_count_is_accepted(learner, seed, sparse):
    stream = make_stream(seed, sparse, np.float64, learner in BALANCED, rounds=60)
    try:
        certificate = ls.certify(learner, stream)
    except NotCertified:  # no witness fits
        return
    assert ls.verify(ls.Certificate.from_json(certificate.to_json()), stream).replayed
    for change in (-1, 1):
        refuse(certificate, stream, mistakes=certificate.mistakes + change)
    for place in range(len(certificate.updated)):
        left = certificate.updated[:place] + certificate.updated[place + 1 :]
        refuse(certificate, stream, updated=left, updates=len(left))


def test_a_promotion_whose_weights_are_no_powers_in_the_run_has_no_certificate():
    stream = ls.Recorded(np.ones((4, 2)), [True] * 4)
    with pytest.raises(NotCertified):
        ls.certify(ls.Winnow(1.0001, 2.0), stream)
    certificate = ls.certify(ls.Winnow(1.001, 2.0), stream)
    refuse(certificate, stream, "no exact powers", learner=certificate.learner | {"promotion": 1.0001})
