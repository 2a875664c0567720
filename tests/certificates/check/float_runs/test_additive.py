"""Runs of additive learners played again: equal to the bit, and no count near the true one is accepted."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.chunks import Examples
from littlestone.base.errors import NotCertified
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.learner import Size, describe
from littlestone.certificates.check import network
from littlestone.certificates.check.float_runs.additive import replay_unit
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatRun
from littlestone.certificates.check.float_runs.network import replay_network
from littlestone.certificates.check.float_runs.sums import FOURS, HALVES, LANES, ONE_BY_ONE, QUARTERS, add_up
from littlestone.certificates.check.same_run import require_same_run
from littlestone.certificates.digest import Digest
from littlestone.game.certify import start_player
from old_certificates import certify_as_of_old

UNITS = [
    ls.Perceptron(),
    ls.Perceptron(rate=0.3, margin=0.7),
    ls.Perceptron(tie="plus", bias=0),
    ls.Perceptron(tie="minus", rate=0.1),
    ls.Perceptron(normalized=True, margin=0.1, rate=0.1),
    ls.AveragedPerceptron(rate=0.1),
    ls.VotedPerceptron(bias=0.1),
    ls.AggressivePerceptron(bias=0.1),
    ls.PassiveAggressive("0"),
    ls.PassiveAggressive("I", aggressiveness=0.1),
    ls.PassiveAggressive("II", aggressiveness=0.3),
    ls.Alma(),
    ls.Alma(alpha=1.0, rate=0.5),
    ls.Romma(),
    ls.Romma(aggressive=True),
    ls.ShiftingPerceptron(shift=3, bias=0.1),
]
NETWORKS = [
    ls.Network(ls.Perceptron(rate=0.1)),
    ls.Network(ls.AveragedPerceptron(rate=0.1)),
    ls.Network(ls.Perceptron(rate=0.1, margin=0.2)),
    ls.Network(ls.Perceptron(normalized=True)),
    ls.Network(ls.Perceptron(rate=0.1), "each"),
    ls.Network(ls.PassiveAggressive()),
    ls.Network(ls.PassiveAggressive("II", aggressiveness=0.3)),
]


def make_stream(seed, classes, sparse, real, width):
    """Rounds whose scores are sums of many rounded products, some of them nearly 0; rows repeat."""
    rng = np.random.default_rng(seed)
    X = (rng.standard_normal((150, width)) * 10.0 ** rng.integers(-2, 3)).astype(real)
    X[rng.random(X.shape) < 0.3] = 0
    X = X[rng.integers(0, 60, 150)]
    y = rng.integers(0, classes, 150).tolist()
    return ls.Recorded(scipy.sparse.csr_matrix(X) if sparse else X, y)


def play_traced(learner, stream, real=None):
    """The mistakes, update rounds and marks of a run, as the library plays it, with weights of a type."""
    player, digest = start_player(learner, stream), Digest()
    if real is not None:
        player = ls.Player(learner)
        player.start_state(Size(stream.size().attributes, real=real))
    updated, marks = [], []
    for chunk in stream.chunks():
        for played in player.play_chunk(chunk, traced=True):
            moved = np.flatnonzero(played.moved)
            updated += (digest.rounds + moved).tolist()
            marks += [int(mark) for mark in played.moved[moved]]
            digest.add(played.seen)
    return player, digest, (player.tally.mistakes, tuple(updated), tuple(marks))


def make_cancelling(seed, classes, sparse, real, width):
    """A row (a, a), then rows (b, -b), their columns in some order: each score is 0 but for the rounding of its sum."""
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((2, 12, width // 2))
    X = np.concatenate((np.hstack((a, a))[:1], np.hstack((b, -b))))[:, rng.permutation(width // 2 * 2)].astype(real)
    y = rng.integers(0, classes, len(X)).tolist()
    X, y = np.vstack((np.zeros((classes, X.shape[1]), real), X)), [*range(classes), *y]  # so that all classes are met
    return ls.Recorded(scipy.sparse.csr_matrix(X) if sparse else X, y)


def play_both(learner, stream, real, weights=None):
    """What a run did, as the library plays it, and as it is played again."""
    network = isinstance(learner, ls.Network)
    _, digest, seen = play_traced(learner, stream, weights)
    form, width, kind = digest.rows.values()
    limit = 2**31 if network else 2
    rows = ArrangedRows(stream, Indexed(), Labels(), digest.rounds, limit, form == "dense", width, kind)
    about = {"real": np.dtype(real).name, **describe(learner)}
    return seen, (replay_network if network else replay_unit)(about, rows)[:3]


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_a_run_that_rounding_decides_is_played_again_the_same(sparse, real):
    """Learners without a constant, on rounds whose scores are nothing but what the order of a sum leaves."""
    units = [ls.Perceptron(bias=0), ls.AveragedPerceptron(bias=0), ls.Alma(bias=0), ls.Perceptron(bias=0, tie="plus")]
    networks = [ls.Network(ls.Perceptron(bias=0)), ls.Network(ls.Perceptron(bias=0), "each")]
    for learner in (*units, *networks):
        classes = (2, 5, 37) if isinstance(learner, ls.Network) else (2, 2, 2)
        for seed in range(12):
            stream = make_cancelling(seed, classes[seed % 3], sparse, real, 6 + 9 * seed)
            seen, again = play_both(learner, stream, real)
            assert again == seen, (learner, seed)


@pytest.mark.parametrize("learner", [*UNITS, *NETWORKS], ids=str)
def test_short_weights_over_long_values_are_played_again_the_same(learner):
    """As of a table with words: rows are float64 and weights float32."""
    for seed in range(6):
        classes = (2, 5, 30)[seed % 3] if isinstance(learner, ls.Network) else 2
        for make in (make_stream, make_cancelling):
            seen, again = play_both(learner, make(seed, classes, True, np.float64, 40), np.float32, np.float32)
            assert again == seen, seed


@pytest.mark.parametrize("learner", [*UNITS, *NETWORKS], ids=str)
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("width", [3, 40, 70])
def test_a_run_played_again_is_the_run(learner, sparse, real, width):
    """Every guess and update over streams in which the order of a sum decides some rounds."""
    for seed, classes in enumerate((2, 3, 37) if isinstance(learner, ls.Network) else (2, 2, 2)):
        seen, again = play_both(learner, make_stream(seed, classes, sparse, real, width), real)
        assert again == seen, seed


def test_the_orders_of_sums_differ_and_are_those_of_the_page():
    """Terms whose sum shows where rounding happened, added up as docs/certificate-format.md says."""
    rng = np.random.default_rng(0)
    for count in (0, 1, 3, 4, 7, 16, 33, 48, 70):
        terms = (rng.standard_normal(count) * 10.0 ** rng.integers(-6, 7, count)).astype(np.float32)
        found = [float(add_up(terms, count, order)) for order in (ONE_BY_ONE, QUARTERS, LANES, HALVES, FOURS)]
        assert found == [
            float(sum(terms, np.float32(0))),
            _add_quarters(terms),
            _add_lanes(terms),
            float(sum(terms[0::2], np.float32(0)) + sum(terms[1::2], np.float32(0))),
            _add_fours(terms),
        ]
    assert len(set(found)) >= 4


def _add_quarters(terms):
    whole = len(terms) // 4 * 4
    sums = [sum(terms[k:whole:4], np.float32(0)) for k in range(4)]
    sums[0] = sum(terms[whole:], sums[0])
    return float((sums[0] + sums[1]) + (sums[2] + sums[3]))


def _add_lanes(terms):
    padded = np.concatenate((terms, np.zeros(-len(terms) % 16, np.float32))).reshape(-1, 16)
    whole, rows = len(terms) // 16, [np.zeros(16, np.float32), np.zeros(16, np.float32)]
    for k, part in enumerate(padded):
        turn = k % 2 if k < whole - whole % 2 else int(k == whole)
        rows[turn] = rows[turn] + part
    level = rows[0] + rows[1]
    while len(level) > 1:
        level = level[: len(level) // 2] + level[len(level) // 2 :]
    return float(level[0])


def _add_fours(terms):
    total, whole = np.float32(0), len(terms) // 4 * 4
    for a, b, c, d in terms[:whole].reshape(-1, 4):
        total = total + ((a + b) + (c + d))
    return float(sum(terms[whole:], total))


# --- what was accepted although it was not so ---------------------------------------------------------------------


def refuse(certificate, stream, message=None, **changes):
    with pytest.raises(NotCertified, match=message):
        ls.verify(replace(certificate, **changes), stream)


def test_a_perceptron_that_made_two_mistakes_did_not_make_more():
    """Scores of exactly 0 in floats, and of about 1e-17 in exact arithmetic, on 100 equal rounds."""
    X = np.array([[0.1, 0.2, -0.3]] * 101)
    X[0] = [0.3, 0.3, 0.3]
    stream = ls.Recorded(X, [True, *[False] * 100])
    for learner in (ls.Perceptron(bias=0), ls.Perceptron(bias=0, normalized=True), ls.AggressivePerceptron(bias=0)):
        certificate = ls.certify(learner, stream)
        assert ls.verify(certificate, stream).replayed
        for wrong in {0, 1, 2, 3, 57, 101} - {certificate.mistakes}:
            refuse(certificate, stream, "mistakes", mistakes=wrong)


@pytest.mark.parametrize("learner", UNITS, ids=str)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**30), sparse=st.booleans())
def test_one_count_is_accepted(learner, seed, sparse):
    """Near decisions of decimal rows: mistakes by one more or less, an update left out or added."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-0.3, -0.1, 0.1, 0.2, 0.3], (12, 3))[rng.integers(0, 4, 30)]
    w = rng.choice([-0.1, 0.1, 0.2], 3)
    stream = ls.Recorded(scipy.sparse.csr_matrix(X) if sparse else X, (X @ w > 0).tolist())
    try:
        certificate = ls.certify(learner, stream)
    except NotCertified:  # no comparator has a margin
        return
    report = ls.verify(certificate, stream)
    assert report.replayed
    for change in (-1, 1):
        refuse(certificate, stream, mistakes=certificate.mistakes + change)
    for place in range(len(certificate.updated)):
        left = certificate.updated[:place] + certificate.updated[place + 1 :]
        marks = certificate.marks[:place] + certificate.marks[place + 1 :]
        refuse(certificate, stream, updated=left, updates=len(left), marks=marks)


def test_rows_in_another_form_are_brought_into_that_of_the_run():
    """A run over dense rows is checked from sparse ones, and the other way round."""
    for seed in range(6):
        dense, sparse = (make_stream(seed, 2, sparse, np.float64, 40) for sparse in (False, True))
        for ours, theirs in ((dense, sparse), (sparse, dense)):
            certificate = ls.certify(ls.PassiveAggressive(), ours)
            assert ls.verify(certificate, theirs).replayed
        assert certificate.rows == {"form": "listed", "width": 0, "values": "float64"}


@pytest.mark.parametrize(
    "rows",
    [
        {"form": "dense", "width": 2, "values": "float64"},
        {"form": "heap", "width": 0, "values": "float64"},
        {"form": "listed", "width": 7, "values": "float64"},
        {"form": "listed", "width": 0, "values": "float16"},
        {"form": "listed", "width": 0},
        {"form": "listed", "width": 0, "values": "ones", "more": 1},
        {"form": "dense", "width": True, "values": "float64"},
    ],
)
def test_rows_that_no_run_held_are_refused(rows):
    stream = make_stream(0, 2, True, np.float64, 5)
    refuse(ls.certify(ls.Perceptron(), stream), stream, rows=rows)


def test_a_run_has_the_update_rounds_and_the_marks_of_its_certificate():
    made = ls.certify(ls.Network(ls.Perceptron()), make_stream(0, 3, True, np.float64, 5))
    run = FloatRun(made.mistakes, made.updated, made.marks)
    require_same_run(made, run)
    first, *later = made.updated
    for moved in (first - 1, first + 1):
        with pytest.raises(NotCertified, match=f"update 0 of the run is round {moved}, not {first}"):
            require_same_run(made, run._replace(updated=(moved, *later)))
    with pytest.raises(NotCertified, match="its marks are not those of the run"):
        require_same_run(made, run._replace(marks=tuple(mark % 3 + 1 for mark in made.marks)))
    with pytest.raises(NotCertified, match=f"the run makes {made.updates - 1} updates, not {made.updates}"):
        require_same_run(made, run._replace(updated=made.updated[:-1]))


def test_dense_rows_are_not_cut_to_the_width_that_is_claimed():
    stream = make_stream(0, 2, False, np.float64, 5)
    made = ls.certify(ls.Perceptron(), stream)
    with pytest.raises(NotCertified, match="a row has more than 4 attributes"):
        ls.verify(replace(made, rows=made.rows | {"width": 4}), stream)


def test_copies_that_only_rounding_made_enough_are_one_more():
    """3 |x|^2 is more than the agreement lacks, by less than rounding leaves of it: a fourth copy is added."""
    u = 0.8717986243935993
    square = u * u + 1.0
    stream = ls.Recorded(np.array([[0.0, 3 * square], [u, 1.0]]), [True, False])
    made = ls.certify(ls.AggressivePerceptron(bias=0), stream)
    assert made.marks == (1, 4)
    assert 3 * Fraction(square) > Fraction(3 * square)
    assert ls.verify(made, stream).replayed


def test_a_certificate_without_a_version_is_read_as_it_was_made_and_the_report_says_so(monkeypatch):
    stream = make_stream(1, 2, True, np.float64, 5)
    certificate = ls.certify(ls.Perceptron(), stream)
    assert certificate.version == 2
    assert "verified over 150 rounds, exactly (" in str(ls.verify(certificate, stream))
    report = ls.verify(certify_as_of_old(ls.Perceptron(), stream, monkeypatch), stream)
    assert not report.replayed
    assert "up to the rounding of the run" in str(report)
    assert str(report).endswith("it has no version, so it was read by the rules of its day, within rounding")


@pytest.mark.parametrize(
    "learner",
    [
        ls.Perceptron(rate=0.1, bias=0, tie="plus"),
        ls.Perceptron(rate=0.1, bias=0, margin=1e-30),
        ls.AggressivePerceptron(bias=0),
        ls.Network(ls.Perceptron(rate=0.1, bias=0)),
    ],
    ids=str,
)
def test_honest_certificates_of_tiny_numbers_verify(learner):
    """Products of these floats lose digits, so that no decision of the run can be told by exact arithmetic."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = (rng.standard_normal((60, 3)) * 1e-12).astype(np.float32)
        stream = ls.Recorded(X, (X[:, 0] + 0.2 * X[:, 1] > 0).tolist())
        certificate = ls.certify(learner, stream)
        assert ls.verify(certificate, stream).replayed
        refuse(certificate, stream, mistakes=certificate.mistakes + 1)
        refuse(certificate, stream, bound=certificate.bound - 1)
        if "rate=0.1" in str(learner):
            refuse(replace(certificate, rows=None), stream, "underflow")


def test_units_that_learn_on_their_own_moved_where_the_run_moved_them(monkeypatch):
    """An update taken from one unit that another shares, so that the rounds that moved something stay the same."""
    stream = make_stream(2, 3, True, np.float64, 5)
    certificate = ls.certify(ls.Network(ls.Perceptron(rate=0.1), "each"), stream)
    assert ls.verify(certificate, stream).replayed
    monkeypatch.setattr(network, "_check_unit", lambda *given: set())  # as if rounding explained any decision
    monkeypatch.setattr(network, "_check_sums", lambda *given: None)
    units = certificate.witness["units"]
    shared = next(t for t in units[0]["updated"] if t in units[1]["updated"])
    fewer = units[0] | {"updated": [t for t in units[0]["updated"] if t != shared]}
    with pytest.raises(NotCertified, match="the updates of unit 0 are not those of the run"):
        ls.verify(replace(certificate, witness={"units": [fewer, *units[1:]]}), stream)


def test_rows_of_ones_among_others_are_of_one_form():
    """As of a file in which all values of a block are 1."""
    digest, ones = Digest(), scipy.sparse.csr_matrix(np.ones((2, 2), np.float32))
    part = Examples.of(ones, [0, 1])
    digest.add(part)
    digest.add(replace(part, values=None, span=None))
    assert digest.rows == {"form": "listed", "width": 0, "values": "float32"}
    digest.add(Examples.of(ones.toarray(), [0, 1]))
    assert digest.rows is None
