"""Certificates on any labelled stream: golds, hunts for a violation, real data."""

import gzip
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.bound import Certificate
from littlestone.base.errors import BadInstance, BadParameter, NotCertified
from littlestone.certificates.make import margins as witness
from littlestone.certificates.make.additive import StepRun, sum_overshoot
from littlestone.certificates.make.steps import Steps, StepVectors
from littlestone.game.certify import trace_game
from places import DATA
from reference import logged

POINTS = [[0, 0], [0, 1], [1, 0], [1, 1]]


def sweeps(function, count):
    return ls.Recorded(POINTS * count, [bool(function(*x)) for x in POINTS] * count)


AND, XOR = sweeps(lambda a, b: a & b, 9), sweeps(lambda a, b: a ^ b, 5)


@pytest.mark.parametrize(
    ("learner", "stream", "theorem", "updates", "bound"),
    [
        (ls.Perceptron(), AND, "Novikoff", 18, 51),
        (ls.Perceptron(rate=0.5), AND, "Novikoff", 18, 51),
        (ls.AveragedPerceptron(), AND, "Novikoff", 18, 51),
        (ls.Network(ls.Perceptron()), AND, "Novikoff", 18, 51),
        (ls.Perceptron(), AND, "run-dependent", 18, 22),
        (ls.Perceptron(margin=3), sweeps(lambda a, b: a & b, 60), "Novikoff", 67, 153),
        (ls.Perceptron(margin=30), sweeps(lambda a, b: a & b, 300), "Novikoff", 498, 1071),
        (ls.Perceptron(margin=15, rate=0.5), sweeps(lambda a, b: a & b, 300), "Novikoff", 498, 1071),
    ],
)
def test_gold_cases_are_certified(learner, stream, theorem, updates, bound):
    certificate = ls.certify(learner, stream, theorem)
    assert (certificate.updates, certificate.bound, certificate.holds) == (updates, bound, True)
    assert ls.verify(certificate, stream).bound == bound


def test_the_default_is_the_sharpest_theorem_and_names_are_matched_in_part():
    every = [ls.certify(ls.Perceptron(), AND, name).bound for name in ("Novikoff", "hinge loss", "squared")]
    assert ls.certify(ls.Perceptron(), AND).bound == min(every) >= 18
    readable = ls.certify(ls.Perceptron(), AND, "readable").bound
    assert ls.certify(ls.Perceptron(), AND, "total deviation").bound >= readable >= min(every)


def test_no_comparator_beats_nothing_on_xor_and_no_separator_is_claimed():
    certificate = ls.certify(ls.Perceptron(), XOR)
    assert (certificate.updates, certificate.bound) == (20, 20)
    with pytest.raises(NotCertified, match="no comparator has a margin on all 20 updates"):
        ls.certify(ls.Perceptron(), XOR, "Novikoff")
    with pytest.raises(NotCertified, match="no theorem like 'Winnow'"):
        ls.certify(ls.Perceptron(), XOR, "Winnow")
    with pytest.raises(NotCertified):
        ls.certify(ls.PassiveAggressive("0"), XOR)


def test_a_game_certifies_itself():
    game = ls.play(ls.Perceptron(), AND)
    certificate = game.certificate("Novikoff")
    assert certificate == ls.certify(game.player, AND, "Novikoff") == ls.certify(ls.Perceptron(), AND, "Novikoff")
    assert (certificate.rounds, certificate.scope, certificate.exact) == (36, "sequence", True)
    rounds = [(x, bool(x[0] and x[1])) for x in POINTS] * 9
    assert certificate.updated == tuple(logged(rounds)[0])


def test_a_game_against_an_adversary_is_certified_from_its_transcript():
    game = ls.play(ls.Perceptron(bias=0), ls.BasisVectors(6), transcript=True)
    assert (game.updates, game.certificate("Novikoff").bound) == (6, 6)  # attained
    with pytest.raises(NotCertified, match="holds no witness"):
        ls.play(ls.Perceptron(bias=0), ls.BasisVectors(6)).certificate()


def test_only_what_was_played_is_certified():
    player = ls.play(ls.Perceptron(), AND, rounds=10).player
    certificate = ls.certify(player, AND)
    assert (certificate.rounds, certificate.updates) == (10, player.tally.updates)
    with pytest.raises(NotCertified, match="the stream has 10 rounds"):
        ls.certify(ls.play(ls.Perceptron(), AND).player, ls.Recorded(POINTS[:2] * 5, [True, False] * 5))
    with pytest.raises(NotCertified, match="not what was played"):
        ls.certify(player, sweeps(lambda a, b: a | b, 9))
    with pytest.raises(BadParameter, match="can be read again"):
        ls.certify(ls.Perceptron(), ls.BasisVectors(3))
    game = ls.play(player, AND)
    with pytest.raises(NotCertified, match="holds no witness"):
        game.certificate()  # the player had played before this game


def test_states_that_hold_a_witness_are_certified_by_it():
    stream = ls.Recorded([3, 1, 0, 5], [True] * 4)
    learner = ls.Halving(ls.Thresholds(6))
    certificate = ls.certify(learner, stream)
    assert (certificate.mistakes, certificate.bound, certificate.rounds) == (3, 3, 4)
    assert ls.verify(Certificate.from_json(certificate.to_json()), stream, learner)


LEARNERS = [
    ls.Perceptron(),
    ls.Perceptron(rate=0.25, margin=1.5, bias=2, tie="plus"),
    ls.Perceptron(tie="minus", bias=0),
    ls.AveragedPerceptron(margin=2),
    ls.AggressivePerceptron(),
    ls.AggressivePerceptron(bias=0, tie="minus"),
    ls.PassiveAggressive("I", aggressiveness=0.5),
    ls.PassiveAggressive("II", margin=2),
    ls.Perceptron(normalized=True, bias=0),
    ls.Perceptron(normalized=True, margin=1),
    ls.Network(ls.Perceptron()),
    ls.Network(ls.AveragedPerceptron(margin=1, rate=2)),
    ls.Network(ls.Perceptron(normalized=True)),
]
values = st.integers(-3, 3).map(float) | st.floats(-4, 4, width=32, allow_subnormal=False).filter(
    lambda v: v == 0 or abs(v) > 1e-6
)
games = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.tuples(st.lists(values, min_size=n, max_size=n), st.integers(0, 1)), min_size=1, max_size=30)
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(LEARNERS), games, st.sampled_from([np.float32, np.float64]), st.booleans())
def test_every_certificate_holds_and_verifies_also_after_json(learner, game, real, named):
    X = np.array([x for x, _ in game], real)
    y = [("ham", "spam")[label] if named else label for _, label in game]
    stream = ls.Recorded(X, y)
    played = ls.play(learner, stream)
    certificate = played.certificate()
    assert certificate.holds
    assert (certificate.mistakes, certificate.updates) == (played.mistakes, played.updates)
    report = ls.verify(Certificate.from_json(certificate.to_json()), stream)
    assert report
    assert report.bound == certificate.bound


@settings(max_examples=40, deadline=None)
@given(games, st.integers(2, 5), st.sampled_from([0, 1]))
def test_networks_of_many_classes_are_certified(game, classes, margin):
    rng = np.random.default_rng(len(game))
    stream = ls.Recorded([x for x, _ in game], rng.integers(0, classes, len(game)))
    certificate = ls.certify(ls.Network(ls.Perceptron(margin=margin)), stream)
    assert certificate.holds
    assert ls.verify(certificate, stream)


def test_a_first_label_that_is_a_word_is_class_0_and_costs_nothing():
    stream = ls.Recorded([[1.0], [1.0]], ["ham", "ham"])
    certificate = ls.certify(ls.Perceptron(tie="minus"), stream)
    assert (certificate.mistakes, certificate.updates, certificate.bound) == (0, 0, 0)
    assert certificate.holds  # the claim is about updates
    assert str(ls.verify(certificate, stream)).startswith("0 updates <= 0 verified over 2 rounds, exactly")


def test_an_empty_stream_and_rows_of_nothing_are_certified():
    empty = ls.Recorded(np.zeros((0, 2)), [])
    assert ls.certify(ls.Perceptron(), empty).bound == 0
    zeros = ls.Recorded(np.zeros((3, 2)), [True, False, True])
    certificate = ls.certify(ls.Perceptron(bias=0), zeros)
    assert (certificate.updates, certificate.bound) == (3, 3)
    assert ls.verify(certificate, zeros)


@pytest.mark.parametrize(
    "learner",
    [ls.Perceptron(), ls.AggressivePerceptron(), ls.Network(ls.Perceptron()), ls.KernelPerceptron(), ls.Ellipsoid()],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_rows_whose_squares_leave_the_floats_are_refused_in_words(learner):
    stream = ls.Recorded(np.array([[3.0, 0], [3, 0], [3, 1], [-1, 1]]) * 1e200, [True, False, True, True])
    with pytest.raises(BadInstance, match=r"round 1: .*: scale the column"):
        ls.certify(learner, stream)


class Weighted(ls.Recorded):
    """The same rounds, with weights of their own."""

    def chunks(self):
        for chunk in super().chunks():
            yield replace(chunk, importance=np.arange(1.0, len(chunk) + 1))


@pytest.mark.parametrize(
    "learner",
    [
        ls.Perceptron(margin=1.0),
        ls.AveragedPerceptron(margin=1.0),
        ls.AggressivePerceptron(),
        ls.PassiveAggressive(),
        ls.KernelPerceptron(),
        ls.Network(ls.Perceptron()),
        ls.Network(ls.Perceptron(), updates="each"),
        ls.WeightedMajority(),
        ls.Hedge(0.5),
        ls.Memorizer(),
        ls.PNormPerceptron(),
    ],
    ids=str,
)
def test_rounds_of_unequal_importance_are_not_certified(learner):
    labels = [False, False, False, True]
    with pytest.raises(NotCertified, match="unequal importance: certify rounds without weights"):
        ls.certify(learner, Weighted(POINTS, labels))
    if learner not in (ls.Memorizer(), ls.PNormPerceptron()):
        with pytest.raises(NotCertified, match="unequal importance"):
            ls.play(learner, Weighted(POINTS, labels)).certificate()
        with pytest.raises(NotCertified, match="equal importance"):
            ls.verify(ls.certify(learner, ls.Recorded(POINTS, labels)), Weighted(POINTS, labels))


@pytest.mark.parametrize("learner", [ls.Winnow(threshold=2), ls.BalancedWinnow(), ls.Ellipsoid()], ids=str)
def test_who_takes_all_rounds_alike_refuses_weights_before_there_is_anything_to_certify(learner):
    with pytest.raises(BadInstance, match="got rounds of other importance"):
        ls.certify(learner, Weighted(POINTS, [False, False, False, True]))


def test_a_learner_without_a_theorem_here_is_refused_in_words():
    with pytest.raises(NotCertified, match="no theorem"):
        ls.certify(ls.NaiveBayes(), ls.Recorded(POINTS, [False, False, False, True]))


def test_named_attributes_and_declared_classes_are_remembered():
    X = [{"free": 1, "money": 2}, {"hello": 1}, {"money": 1, "hello": 1}] * 4
    stream = ls.Recorded(X, ["spam", "ham", "spam"] * 4)
    player = ls.Player(ls.Perceptron(), features=ls.Named(), classes=("spam", "ham"))
    ls.play(player, stream)
    certificate = Certificate.from_json(ls.certify(player, stream).to_json())
    assert certificate.learner["classes"] == ["spam", "ham"]
    assert ls.verify(certificate, stream, features=ls.Named())


def test_the_compiled_overshoot_equals_its_plain_body():
    rng = np.random.default_rng(2)
    rows = witness.Rows.of(rng.normal(size=(30, 4)))
    arguments = (rows.indptr, rows.indices, rows.values, rng.integers(1, 4, 30), rows.squares, 0.5, 4, 2.0**-52)
    over, weights = sum_overshoot(*arguments)
    plainly, slowly = sum_overshoot.py_func(*arguments)
    assert (over, weights.tobytes()) == (plainly, slowly.tobytes())
    assert over > 0


def test_the_overshoot_covers_what_rounding_may_have_hidden():
    rng = np.random.default_rng(5)
    matrix, copies = rng.normal(size=(40, 3)) * 10.0 ** rng.integers(-9, 9, (40, 3)), rng.integers(1, 3, 40)
    rows = witness.Rows.of(matrix)
    over, weights = sum_overshoot(rows.indptr, rows.indices, rows.values, copies, rows.squares, 0.25, 3, 2.0**-52)
    w, exact = [Fraction(0)] * 3, Fraction(0)
    for z, k in zip(([Fraction(v) for v in row] for row in matrix.tolist()), copies.tolist(), strict=True):
        for _ in range(k):
            exact += 2 * max(Fraction(0), sum((a * b for a, b in zip(w, z, strict=True)), -Fraction(1, 4)))
            w = [a + b for a, b in zip(w, z, strict=True)]
    assert exact <= Fraction(over) <= exact * (1 + Fraction(1, 10**9)) + Fraction(1, 10**3)
    assert weights == pytest.approx([float(a) for a in w], rel=1e-12)


def svmlight(path):
    opened = gzip.open if path.suffix == ".gz" else open
    labels, indptr, indices, data = [], [0], [], []
    with opened(path, "rt") as lines:
        for line in lines:
            label, *entries = line.split()
            labels.append(float(label) > 0)
            for entry in entries:
                index, value = entry.split(":")
                indices.append(int(index))
                data.append(float(value))
            indptr.append(len(indices))
    return sp.csr_array((data, indices, indptr)), np.array(labels)


@pytest.mark.skipif(not DATA.exists(), reason="the real data sets are not on this machine")
def test_the_witness_on_mushrooms_is_near_the_best_margin():
    X, y = svmlight(DATA / "mushroom" / "agaricus.txt.train")
    stream = ls.Recorded(X, y)
    trace = trace_game(ls.Perceptron(), stream)
    run = StepRun.of(trace.steps, ls.Perceptron().step_rule(), np.float64)
    assert witness.find_separator(run.vectors.rows).gap < 0.05
    certificate = ls.certify(ls.Perceptron(), stream, "Novikoff")
    assert certificate.holds
    assert certificate.bound <= run.reach / witness.find_separator(run.vectors.rows).limit ** 2 * 1.11
    assert ls.verify(certificate, stream)


@pytest.mark.skipif(not DATA.exists(), reason="the real data sets are not on this machine")
@pytest.mark.parametrize(
    "learner", [ls.Perceptron(), ls.Perceptron(margin=5), ls.PassiveAggressive("I", 0.01)], ids=str
)
def test_a_census_of_incomes_that_no_plane_separates_is_certified(learner):
    X, y = svmlight(DATA / "adult" / "a1a")
    stream = ls.Recorded(X, y)
    certificate = ls.certify(learner, stream)
    assert certificate.holds
    assert ls.verify(Certificate.from_json(certificate.to_json()), stream)


def test_a_space_lists_each_column_once():
    steps = Steps(*(np.array(part) for part in ([0, 2], [1, 0], [1.0, 1.0], [2, 1], [0, 4, 4], [1.0, 2.0, 3.0])), 0)
    space = StepVectors.of(steps, ls.Perceptron().step_rule(), 0.5)
    assert space.attributes.tolist() == [-1, 0, 4]
    dense = np.zeros((2, 3))
    for t in range(2):
        part = slice(space.rows.indptr[t], space.rows.indptr[t + 1])
        dense[t, space.rows.indices[part]] = space.rows.values[part]
    assert dense.tolist() == [[0.5, 1, 2], [-0.5, 0, -3]]


def test_what_a_comparator_leaves_unexplained_is_told_without_the_room_that_a_bound_is_given():
    """Beside rows of a length of 10^9 that room is more than the check allows the share to be off by."""
    rows = [[number * 1e8] for number in (-8, -7, -22, 5, -9, -9, 6, -2, 8, 2, -2, 0)]
    stream = ls.Recorded(rows, [k in (4, 7, 8, 10) for k in range(12)])
    certificate = ls.certify(ls.PassiveAggressive("I", aggressiveness=1.0), stream)
    assert certificate.witness["attributes"] == [-1]
    assert certificate.witness["unexplained"] == pytest.approx(4 / 9, abs=1e-12)
    assert ls.verify(certificate, stream).replayed
