"""Runs over shards played again: equal to the bit, whatever was mixed, and no count near the true one is accepted."""

import pathlib
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.base.mixing import join_along_tree
from littlestone.certificates.check import shards
from littlestone.certificates.check.float_runs.counts import FloatState
from littlestone.certificates.check.float_runs.shards import FloatShard, add_along_tree, mix
from littlestone.cluster.passes import Job, certify_passes, play_pass
from long_cases import leave_most_to_test_all

LEARNERS = [
    ls.Perceptron(rate=0.1),
    ls.Perceptron(bias=0, tie="plus"),
    ls.AveragedPerceptron(rate=0.3, margin=0.7),
    ls.Network(ls.Perceptron(rate=0.1)),
    ls.Network(ls.AveragedPerceptron(rate=0.3, margin=0.2)),
]


def make_shards(seed, many, classes, sparse=False, real=np.float64, empty=0.2, whole=False):
    """Shards of rows whose scores are sums of rounded products, of different lengths, some of them without rounds.

    Rows repeat with other labels, so that many agreements are close to 0; later shards meet classes that earlier ones
    do not, and each meets them in an order of its own.
    """
    rng, found = np.random.default_rng(seed), []
    points = (rng.standard_normal((12, 7)) * 10.0 ** rng.integers(-2, 3)).astype(real)
    points = rng.integers(-2, 3, (12, 3)).astype(real) if whole else points
    points[rng.random(points.shape) < 0.3] = 0
    for number in range(many):
        rounds = 0 if rng.random() < empty else int(rng.integers(classes + 2, classes + 20))
        X = points[rng.integers(0, len(points), rounds)]
        most = classes if number else max(2, classes - 1)
        y = np.concatenate((rng.permutation(most), rng.integers(0, most, rounds)))[:rounds]
        found.append(ls.Recorded(scipy.sparse.csr_matrix(X) if sparse else X, [f"class {c}" for c in y]))
    return found


def certify_and_verify(learner, streams, weights="uniform", passes=3):
    """The certificate of a run as JSON gives it back, and the report after the run was played again."""
    made = ls.Certificate.from_json(certify_passes(Job(learner, streams, weights), passes).to_json())
    report = ls.verify(made, streams)
    assert report.replayed
    assert "exactly" in str(report)
    assert "open" not in str(report)
    return made, report


def list_weights(player):
    """The weights of a player's state, that of the constant first, with a column for each class it has met."""
    arrays = player.learner.mixing().weigh(player.state).arrays
    return np.concatenate((arrays["bias"], arrays["weights"]))[:, : len(player.labels)]


def play_to_the_bit(monkeypatch, learner, streams, weights, passes):
    """The certificate of a run, after its weights were found to be those of the run played again."""
    runs, compare = [], shards.require_same_run
    with monkeypatch.context() as patch:
        patch.setattr(shards, "require_same_run", lambda *given: runs.append(given[1]) or compare(*given))
        made, _ = certify_and_verify(learner, streams, weights, passes)
    job = Job(learner, streams, weights)
    player = job.start_player()
    for number in range(passes):
        player, _ = play_pass(player, job, number + 1)
    end, theirs = runs[-1].end, list_weights(player)
    assert end.weights.dtype == player.size.real
    ours = np.concatenate((end.bias.reshape(1, -1), end.weights.reshape(-1, theirs.shape[1])))
    assert ours.tolist() == theirs[: len(ours)].tolist()
    assert not theirs[len(ours) :].any()
    return made


@pytest.mark.parametrize("learner", leave_most_to_test_all(LEARNERS, 3), ids=str)
@pytest.mark.parametrize("weights", ["uniform", "updates"])
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_a_run_over_shards_is_played_again_to_the_bit(monkeypatch, learner, weights, sparse, real):
    """The counts, and the weights that all passes come to."""
    for seed in range(8):
        classes = (2, 4)[seed % 2] if isinstance(learner, ls.Network) else 2
        streams = make_shards(seed, (1, 2, 3, 5, 6, 7, 9, 13)[seed], classes, sparse, real)
        made = play_to_the_bit(monkeypatch, learner, streams, weights, 1 + seed % 4)
        assert made.learner["real"] == np.dtype(real).name
        for wrong in (made.mistakes - 1, made.mistakes + 1):
            with pytest.raises(NotCertified, match="mistakes"):
                ls.verify(replace(made, mistakes=wrong), streams)


@pytest.mark.parametrize("classes", [32, 33, 40])
def test_networks_of_many_classes_are_played_again_over_shards(classes):
    certify_and_verify(ls.Network(ls.Perceptron(rate=0.1)), make_shards(classes, 3, classes, empty=0))


def test_what_exact_arithmetic_leaves_open_is_decided_by_the_run():
    """Of small whole numbers, means of shards leave scores that are 0 but for their rounding."""
    learner, wide = ls.Perceptron(rate=0.1, bias=0), 0
    for seed in range(6):
        streams = make_shards(seed, 5, 2, whole=True)
        made, report = certify_and_verify(learner, streams, passes=4)
        low, high = report.possible
        wide += low < high
        for mistakes in range(low, high + 1):
            if mistakes != made.mistakes:
                with pytest.raises(NotCertified, match=f"the run makes {made.mistakes} mistakes"):
                    ls.verify(replace(made, mistakes=mistakes), streams)
        old = ls.verify(replace(made, rows=None), streams)
        assert not old.replayed
        assert old.possible == report.possible
        assert (low == high) == ("open" not in str(old))
    assert wide > 1


def test_updates_that_exact_arithmetic_excuses_are_refused():
    """A round whose agreement is nothing but rounding may be listed or not, unless the run is played again."""
    streams, excused = make_shards(20, 3, 2, empty=0, whole=True), 0
    made, _ = certify_and_verify(ls.Perceptron(rate=0.1, bias=0), streams, passes=4)
    for t in range(made.rounds):
        updated = tuple(sorted({*made.updated} ^ {t}))
        count = made.count + Fraction(len(updated) - made.updates, 3)
        with pytest.raises(NotCertified) as problem:
            ls.verify(replace(made, updated=updated, updates=len(updated), count=count), streams)
        excused += "of the run is round" in str(problem.value)
    assert excused > 1


def test_shards_without_rounds_hold_their_places_in_the_sum():
    """(a + b) + c and a + (b + c) differ in their last bit, and so do two runs over the same three shards."""
    streams, nothing = make_shards(60, 3, 2, empty=0, whole=True), ls.Recorded(np.zeros((0, 3)), [])
    apart, learner = [streams[0], nothing, *streams[1:]], ls.Perceptron(rate=0.1, bias=0)
    together, _ = certify_and_verify(learner, streams, passes=4)
    made, _ = certify_and_verify(learner, apart, passes=4)
    # The first guess of each shard is the label that it meets first.
    assert (together.mistakes, made.mistakes) == (85, 78)
    assert "places" not in together.learner["mixing"]
    assert made.learner["mixing"]["places"] == [0, 2, 3]
    assert ls.verify(made, streams).replayed  # the certificate knows where shards without rounds were
    for certificate, places in ((made, [0, 1, 2]), (together, [0, 2, 3])):
        learner = certificate.learner | {"mixing": certificate.learner["mixing"] | {"places": places}}
        with pytest.raises(NotCertified, match="mistakes"):
            ls.verify(replace(certificate, learner=learner), apart)


def test_a_shard_that_could_not_be_read_holds_its_place_too(tmp_path):
    rng, paths = np.random.default_rng(2), [str(tmp_path / f"{number}.svm") for number in range(4)]
    for path in (paths[0], *paths[2:]):
        rows = (f"{rng.choice([-1, 1])} 1:{rng.integers(-2, 3)} 2:{rng.integers(1, 3)}" for _ in range(30))
        pathlib.Path(path).write_text("\n".join([*rows, ""]))
    made = certify_passes(Job(ls.Perceptron(rate=0.1), paths, on_error="skip"), 3)
    assert made.learner["mixing"]["places"] == [0, 2, 3]
    assert ls.verify(made, [ls.read(path) for path in (paths[0], *paths[2:])]).replayed


def test_a_pass_without_updates_leaves_the_weights_as_they_were(monkeypatch):
    """Shares by updates are then all 0; a mean of equal weights would be rounded once more."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((11, 15, 3))
    rows[..., 0] += np.where(rows[..., 0] > 0, 1.0, -1.0)
    streams = [ls.Recorded(X, np.where(X[:, 0] > 0, "yes", "no")) for X in rows]
    made = play_to_the_bit(monkeypatch, ls.Perceptron(rate=0.1), streams, "updates", 12)
    assert 0 < made.updated[-1] < made.rounds - 2 * sum(map(len, rows))
    start = FloatState(np.array([0.1, 0.7]), np.array([0.3]))
    places = [FloatShard(None, place, [0, 1]) for place in range(11)]
    assert mix(start, [start] * 11, [0] * 11, places, 2) is start


def test_the_mixture_of_one_shard_is_that_shard(monkeypatch):
    """A product with its number of updates, divided by it, would be rounded twice."""
    for seed in range(10):
        play_to_the_bit(monkeypatch, ls.Perceptron(rate=0.1), make_shards(seed, 1, 2, empty=0), "updates", 3)


def test_shards_whose_rows_are_held_in_several_forms_are_verified_up_to_rounding():
    streams = [*make_shards(60, 2, 2, empty=0, whole=True), *make_shards(61, 1, 2, True, empty=0, whole=True)]
    made = certify_passes(Job(ls.Perceptron(rate=0.1, bias=0), streams), 3)
    assert made.rows is None
    report = ls.verify(made, streams)
    assert not report.replayed
    assert "up to the rounding of the run" in str(report)


@pytest.mark.parametrize("places", [[0, 1], [0, 1, 1], [1, 0, 2], [-1, 0, 1], [0, 1, 2.0], [0, 1, True], [0, 1, 2**31]])
def test_places_that_shards_cannot_have_are_refused(places):
    streams = make_shards(3, 3, 2, empty=0)
    made, _ = certify_and_verify(ls.Perceptron(rate=0.1), streams)
    mixing = made.learner["mixing"] | {"places": places}
    with pytest.raises(NotCertified, match="places"):
        ls.verify(replace(made, learner=made.learner | {"mixing": mixing}), streams)


def test_the_tree_of_the_checker_is_that_of_the_run():
    rng = np.random.default_rng(1)
    for many in range(1, 40):
        parts = rng.standard_normal((many, 3)) * 10.0 ** rng.integers(-9, 9, (many, 3))
        gone = {*range(1, many)} & {*rng.integers(0, 40, many // 3).tolist()}
        things = [None if place in gone else part for place, part in enumerate(parts)]
        whole = join_along_tree(lambda a, b: a if b is None else b if a is None else a + b, things)
        ours = add_along_tree({place: part for place, part in enumerate(things) if part is not None})
        assert ours.tolist() == whole.tolist()
