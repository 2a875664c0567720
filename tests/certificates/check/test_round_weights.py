"""Certificates of log-loss over rounds that count unequally: by class, balanced, or as the stream says."""

from math import log

import numpy as np
import pytest

import littlestone as ls
from certificates.check.float_runs.test_mixtures import weigh
from certificates.check.test_losses import LEARNERS, change, cut_rows, draw_stream, lose
from littlestone.base.bound import Certificate
from littlestone.base.class_weights import ClassWeights
from littlestone.base.errors import NotCertified
from littlestone.certificates.check import losses as checker
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.float_runs.mixtures import replay_mixture
from littlestone.certificates.check.round_weights import RoundWeights, explain_weights
from littlestone.certificates.make.losses import describe_fully
from littlestone.environments.derived import Weighed
from littlestone.learners import AdaGrad, Aioli, Logistic


def draw_weighed(classes=2, choices=(0.0, 0.3, 1.0, 2.5)):
    """Noisy rows that count as coins say."""
    (chunk,) = draw_stream(classes).chunks()
    weights = np.random.default_rng(7).choice(choices, len(chunk))
    return weigh(chunk.values.reshape(-1, 4), list(chunk.labels), weights)


@pytest.fixture(scope="module")
def certified():
    stream = draw_weighed()
    return stream, ls.certify(Logistic(), stream)


@pytest.mark.parametrize("learner", [*LEARNERS, Logistic(classes="softmax"), Logistic(classes="both")], ids=str)
@pytest.mark.parametrize("classes", [2, pytest.param(3, marks=pytest.mark.long)])
def test_a_true_certificate_is_accepted(learner, classes):
    stream = draw_weighed(classes, (0.3, 1.0, 2.5))
    certificate = ls.certify(learner, stream)
    report = ls.verify(Certificate.from_json(certificate.to_json()), stream)
    assert (report.counted, report.bound) == (certificate.count, certificate.bound)
    assert certificate.count == ls.play(learner, stream).player.state.losses[0].sum() < certificate.bound
    assert certificate.learner["weights"]["by"] == "round"
    assert certificate.mistakes <= certificate.witness["most_mistakes"] <= 160
    assert "as often as it was learned" in certificate.explains
    if classes == 2 and learner.members.form == "units":
        weights = stream.weights
        assert certificate.witness["zero"] == pytest.approx(weights.sum() * log(2))
        most = min(160, int(certificate.bound / (0.3 * log(2))))
        assert certificate.witness["most_mistakes"] == most


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        (ClassWeights(None), {"by": "balanced"}),
        (ClassWeights({"b": 2.5, "c": 0.5}), {"by": "class", "each": [0.5, 2.5, 1.0]}),
    ],
    ids=["balanced", "given"],
)
def test_weights_of_classes_are_part_of_the_certificate(weights, told):
    stream = draw_stream(3)  # whose classes come as c, b, a
    certificate = ls.certify(Logistic(), Weighed(stream, weights))
    assert certificate.learner["weights"] == told
    assert ls.verify(certificate, stream)
    assert ls.verify(certificate, Weighed(stream, weights))
    with pytest.raises(NotCertified, match="do not count as the certificate says"):
        ls.verify(certificate, Weighed(stream, ClassWeights({"a": 3})))
    with pytest.raises(NotCertified):
        ls.verify(ls.certify(Logistic(), stream), Weighed(stream, weights))


def test_rounds_that_all_count_once_have_no_weights():
    (chunk,) = draw_stream().chunks()
    stream = weigh(chunk.values.reshape(-1, 4), list(chunk.labels), np.ones(160))
    certificate = ls.certify(Logistic(), stream)
    assert "weights" not in certificate.learner
    assert certificate == ls.certify(Logistic(), draw_stream())
    assert ls.verify(certificate, stream)


def test_a_round_of_no_weight_lets_every_round_be_a_mistake(certified):
    stream, certificate = certified
    assert certificate.witness["most_mistakes"] == 160
    assert ls.verify(certificate, stream)


FORGERIES = [
    {"by": "balanced"},
    {"by": "class", "each": [1.0, 1.0]},
    {"by": "class", "each": [1.0]},
    {"by": "round", "digest": "0" * 64},
    {"by": "round"},
    {"by": "turn"},
    {"by": "balanced", "more": 1},
    {"by": "class", "each": ["1"]},
    {"by": "class", "each": [-1.0, 1.0]},
    "balanced",
    None,
]


@pytest.mark.parametrize("weights", FORGERIES, ids=str)
def test_other_weights_are_refused(certified, weights):
    stream, certificate = certified
    with pytest.raises(NotCertified):
        ls.verify(change(certificate, "learner.weights", weights), stream)


def test_other_weights_of_classes_are_refused():
    stream = draw_stream()
    certificate = ls.certify(AdaGrad(), Weighed(stream, ClassWeights({"a": 2.0})))
    assert ls.verify(certificate, stream)
    for weights in ({"by": "class", "each": [2.0, 1.1]}, {"by": "class", "each": [2.0]}, {"by": "balanced"}, None):
        with pytest.raises(NotCertified):
            ls.verify(change(certificate, "learner.weights", weights), stream)


@pytest.mark.parametrize("path", ["witness.comparator", "witness.zero", "witness.expected"])
def test_a_changed_number_is_refused(certified, path):
    stream, certificate = certified
    with pytest.raises(NotCertified):
        ls.verify(change(certificate, path, lambda old: old * (1 - 1e-8)), stream)


def test_rounds_without_their_weights_are_refused(certified):
    stream, certificate = certified
    (chunk,) = stream.chunks()
    bare = ls.Recorded(chunk.values.reshape(-1, 4), list(chunk.labels))
    with pytest.raises(NotCertified, match="unequal importance, and these have none"):
        ls.verify(certificate, bare)
    stream.weights[5], kept = 0.9, stream.weights[5]
    with pytest.raises(NotCertified):
        ls.verify(certificate, stream)
    stream.weights[5] = kept


def test_balanced_weights_do_not_depend_on_how_rounds_are_cut():
    codes = np.random.default_rng(0).integers(0, 4, 50)
    whole, parts = RoundWeights({"by": "balanced"}), RoundWeights({"by": "balanced"})
    expected = ClassWeights(None).weigh(codes)
    assert np.array_equal(whole.weigh(codes, None), expected)
    assert np.array_equal(np.concatenate([parts.weigh(codes[a : a + 7], None) for a in range(0, 50, 7)]), expected)
    assert explain_weights(codes, expected) == {"by": "balanced"}
    assert explain_weights(codes, np.ones(50)) is None


# --- what the bound is made of, by plain arithmetic ---------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
def test_the_bound_is_the_sum_that_the_theorem_says(classes):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 3)) * [1, 50, 0.1]
    X[40] *= 30
    y = rng.integers(0, classes, 90)
    y[:20] %= 2
    y[20] = classes - 1
    weights = rng.choice([0.25, 1.0, 1.7], 90)
    weights[20] = 1.5
    plays = np.where(weights > 1, 2, 1)
    rows, columns = np.nonzero(X)
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=90))))
    chunk = WeighedChunk(0, indptr, columns, X[rows, columns], y, weights)
    run = replay_mixture(describe_fully(Logistic()), [chunk], 0)
    cut, units, many = cut_rows(X), run.units, 1 if classes == 2 else classes
    price, order = log(8) + log(plays.sum()), [0, *(units.places[i] for i in range(3))]
    of_round = np.repeat(np.arange(90), plays)
    for name, member in checker.list_members(run).items():
        k = rng.integers(-(2**21), 2**21, (many, len(units.sizes)))
        k[:, 4:] = 0
        claim = checker.claim_losses(run, [chunk], k, [member] * many)
        total = losses = 0.0
        for c in range(many):
            start = run.starts[c]
            u, told = k[c][order] / 2**20, y == (1 if many == 1 else c)
            own = weights * lose(u, cut, told)
            r = np.sqrt(units.squares[c, order, min(member.place, 5)].astype(float) + 1)
            g, charged = units.sums[c, order, min(member.place, 5)], units.charges[c, member.place, :2].sum()
            if member.kind == "AdaGrad":
                more = (r / run.settings.rates[member.number]) @ u**2 / 2 + charged
            elif member.kind == "Aioli":
                s, there = np.nan_to_num(run.scores[:, c, member.number]), of_round >= start
                p, kappa = 1 / (1 + np.exp(-s)), run.settings.kappas[member.number]
                z, yes, each = (cut @ u)[of_round] - s, told[of_round], (weights / plays)[of_round]
                near = np.logaddexp(0, np.where(yes, -s, s)) + (p - yes) * z + kappa * p * (1 - p) * z**2 / 2
                slack = each * (near - lose(u, cut, told)[of_round])
                more = 0.1 * u @ u / 2 + charged + max(0, slack[there].sum())
            else:
                wealth, q = run.settings.wealths[member.number], units.bets[c, order, member.number]
                inside = np.maximum(0, np.log(2 * np.abs(u) * r / wealth) + q / 2 - 0.75)
                run_form = max(0, (u * g + wealth - units.wealths[c, order, member.number]).sum())
                more = run_form if member.kind == "Coin" else (wealth + 2 * np.abs(u) * r * inside).sum()
            total, losses = total + own[start:].sum() + more + price, losses + own[start:].sum()
        news = 0.75 * log(plays[:20].sum() + 1) if classes == 3 else 0
        assert claim.bound == pytest.approx(total + news, rel=1e-9), name
        assert claim.comparator == pytest.approx(losses, rel=1e-12)
        assert claim.most_mistakes == min(90, many // 3 + int(total / (0.25 * log(2) * (1 if many == 1 else 2))))


def test_a_run_of_whole_weights_is_one_of_as_many_rounds():
    """A round that counts twice is played twice: the same losses as if it came twice, but for the guard."""
    (chunk,) = draw_stream().chunks()
    X, y = chunk.values.reshape(-1, 4).astype(float), list(chunk.labels)
    twice = ls.Recorded(np.repeat(X, 2, axis=0), [label for label in y for _ in range(2)])
    for learner in (AdaGrad(guard=False), Aioli(guard=False), Logistic(guard=False)):
        one, two = ls.certify(learner, weigh(X, y, np.full(160, 2.0))), ls.certify(learner, twice)
        assert (one.count, one.learner["weights"]) == (two.count, {"by": "class", "each": [2.0, 2.0]})
        assert one.bound == pytest.approx(two.bound, rel=1e-9)
        assert one.mistakes <= two.mistakes
