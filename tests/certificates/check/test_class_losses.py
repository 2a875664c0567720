"""Certificates of log-loss of a softmax and of one mixed with units: true ones are accepted, changed ones refused."""

from math import log

import numpy as np
import pytest

import littlestone as ls
from certificates.check.test_losses import change, cut_rows, draw_stream
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.certificates.check import losses as checker
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.float_runs.mixtures import replay_mixture
from littlestone.certificates.make.losses import describe_fully
from littlestone.learners import Logistic

pytestmark = pytest.mark.long  # each compiles a mixture of its own

FORMS = ["softmax", "both"]


def make_late(classes=4, rounds=160):
    """A stream whose classes come one after another, the last one near the end."""
    (chunk,) = draw_stream(classes, rounds).chunks()
    X, labels = chunk.values.reshape(-1, 4), np.array(chunk.labels)
    for c in range(2, classes):
        labels[: c * 45][labels[: c * 45] == "abcdef"[c]] = "a"
    return ls.Recorded(X, labels.tolist())


@pytest.fixture(scope="module", params=FORMS)
def certified(request):
    stream = draw_stream(3, rounds=50)
    return stream, ls.certify(Logistic(classes=request.param), stream)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("share", "precision"), [(True, 32), (False, 64)])
@pytest.mark.parametrize("classes", [2, 3, pytest.param(5, marks=pytest.mark.long)])
def test_a_true_certificate_is_accepted(form, share, precision, classes):
    stream = draw_stream(classes)
    learner = Logistic(classes=form, share=share, precision=precision)
    certificate = ls.certify(learner, stream)
    report = ls.verify(Certificate.from_json(certificate.to_json()), stream)
    assert (report.counted, report.bound, report.replayed) == (certificate.count, certificate.bound, True)
    witness = certificate.witness
    assert certificate.learner["form"] == form
    assert certificate.count == ls.play(learner, stream).player.state.losses[0].sum() < certificate.bound
    assert witness["comparator"] < certificate.bound
    assert len(witness["units"]) == classes
    assert certificate.mistakes <= witness["most_mistakes"] == int(certificate.bound / log(2))
    assert 0 <= witness["floor"] <= certificate.bound
    assert ("through" in witness) == (form == "both")


@pytest.mark.parametrize("form", FORMS)
def test_late_and_declared_classes_are_certified(form):
    late, declared = make_late(), draw_stream(2, declared=("a", "b", "c"))
    certificate = ls.certify(Logistic(classes=form), late)
    assert ls.verify(certificate, late)
    (chunk,) = late.chunks()
    firsts = sorted(list(chunk.labels).index(c) for c in "abcd")
    met = 2 + sum(np.arange(160) >= first for first in firsts[2:])
    if form == "softmax" or certificate.witness["through"] == "softmax":
        assert certificate.witness["zero"] == pytest.approx(np.log(met).sum())
    certificate = ls.certify(Logistic(classes=form), declared)
    assert len(certificate.witness["units"]) == 3
    assert ls.verify(certificate, declared)


def test_units_are_gone_through_where_they_give_the_lesser_bound():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3)) @ [[1, 0.9, 0.1], [0, 0.4, 2], [0, 0, 0.3]]
    stream = ls.Recorded(X, (X @ [3, -3, 1] > 0).astype(int).tolist())
    learner = Logistic(classes="both", rates=(0.001, 0.002, 0.003, 0.004), wealths=(1e-9, 2e-9))
    certificate = ls.certify(learner, stream)
    assert certificate.witness["through"] == "units"
    assert ls.verify(certificate, stream)
    with pytest.raises(NotCertified):
        ls.verify(change(certificate, "witness.through", "softmax"), stream)


WITHIN = [
    ("witness.expected", lambda old: np.nextafter(old, 0).item()),
    ("witness.comparator", lambda old: old * (1 - 1e-8)),
    ("witness.zero", lambda old: old * (1 - 1e-8)),
    ("witness.floor", lambda old: old + 1e-3),
    ("witness.most_mistakes", lambda old: old - 1),
    ("witness.through", lambda old: "units" if old == "softmax" else "softmax"),
    ("witness.through", lambda old: "both"),
    ("witness.units", lambda old: old[:2]),
    ("witness.units.1.member", lambda old: "AdaGrad(4.0)" if old != "AdaGrad(4.0)" else "AdaGrad(1.0)"),
    ("witness.units.0.member", lambda old: "Aioli(0.5)"),
    ("witness.units.1.ridge", lambda old: 1.0 - old),
    ("witness.units.2.numerators.0", lambda old: old + 2**16),
    ("witness.units.0.attributes.0", lambda old: 99),
    ("learner.form", lambda old: "both" if old == "softmax" else "softmax"),
    ("learner.form", lambda old: "units"),
    ("learner.form", lambda old: "one"),
    ("learner.share", lambda old: False),
    ("learner.rates", lambda old: [0.125, 1.0, 4.0, 33.0]),
    ("learner.classes", lambda old: ["c", "b", "a"]),
    ("learner.weights", lambda old: {"by": "balanced"}),
]


@pytest.mark.parametrize(("path", "value"), WITHIN)
def test_a_changed_part_is_refused(certified, path, value):
    stream, certificate = certified
    with pytest.raises(NotCertified):
        ls.verify(change(certificate, path, value), stream)


@pytest.mark.parametrize("times", [1 - 1e-8, 1 + 1e-8])
def test_another_bound_is_refused(certified, times):
    stream, certificate = certified
    with pytest.raises(NotCertified, match="bound"):
        ls.verify(change(certificate, "bound", certificate.bound * times), stream)


def test_a_certificate_of_units_is_none_of_a_softmax(certified):
    stream, _ = certified
    certificate = ls.certify(Logistic(), stream)
    for form in FORMS:
        with pytest.raises(NotCertified):
            ls.verify(change(certificate, "learner.form", form), stream)


# --- what the bound is made of, by plain arithmetic ---------------------------------------------------------------


def replay_weighed(learner, X, y, weights):
    rows, columns = np.nonzero(X)
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(X)))))
    chunk = WeighedChunk(0, indptr, columns, X[rows, columns], y, weights)
    return replay_mixture(describe_fully(learner), [chunk], 0), chunk


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("share", [True, False])
@pytest.mark.parametrize("weighed", [False, True])
def test_the_bound_and_the_floor_are_the_sums_that_the_theorem_says(form, share, weighed):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 3)) * [1, 50, 0.1]
    X[40] *= 30
    y = rng.integers(0, 3, 90)
    y[:20] %= 2
    y[20] = 2
    weights = rng.choice([0.25, 1.0, 1.7], 90) if weighed else np.ones(90)
    weights[20] = 1.5 if weighed else 1.0
    plays = int(np.ceil(weights).sum())
    run, chunk = replay_weighed(Logistic(share=share, classes=form), X, y, weights)
    cut, units = cut_rows(X), run.classes
    order = [0, *(units.places[i] for i in range(3))]
    seen = np.arange(3)[None, :] <= np.where(np.arange(90) < 20, 1, 2)[:, None]
    late, when = (0.75, int(np.ceil(weights[:20]).sum()) + 1) if weighed else (1.0, 21)
    price = log(6) + (log(plays) if share else 0) + log(plays + 1) + late * log(when + 1)
    price += log(2) + (log(plays) if share else 0) if form == "both" else 0
    for name, member in checker.list_members(checker.read_softmax(run)).items():
        member = member._replace(times=2.0)
        k = rng.integers(-(2**21), 2**21, (3, len(units.sizes)))
        k[:, 4:] = 0
        claim = checker.claim_losses(run, [chunk], k, [member] * 3, softmax=True)
        u = k[:, order] / 2**20
        scores = np.where(seen, cut @ u.T, -np.inf)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        own = (weights * -np.log(chances[np.arange(90), y])).sum()
        r = np.sqrt(units.squares[:, order, member.place].astype(float) + 1)
        if member.kind == "AdaGrad":
            r = r / run.settings.rates[member.number]
            more = (r * u**2).sum() / 2 + units.charges[:, member.place, :2].sum()
        else:
            wealth = run.settings.wealths[member.number]
            ends, g = units.wealths[:, order, member.number], units.sums[:, order, member.place]
            q = units.bets[:, order, member.number]
            inside = np.maximum(0, np.log(2 * np.abs(u) * r / wealth) + q / 2 - 0.75)
            more = max(0, (u * g + wealth - ends).sum())
            more = more if member.kind == "Coin" else (wealth + 2 * np.abs(u) * r * inside).sum()
        assert claim.bound == pytest.approx(own + more + price, rel=1e-9), name
        assert claim.bound >= own + more + price - 1e-9
        assert claim.comparator == pytest.approx(own, rel=1e-12)
        entropy = -(weights[:, None] * chances * np.log(np.where(chances > 0, chances, 1))).sum()
        pulls = (weights[:, None] * (np.eye(3)[y] - chances)).T @ cut
        dual = entropy - (pulls**2 / (2 * 2.0 * r)).sum()
        assert claim.floor == pytest.approx(max(0, dual), rel=1e-9, abs=1e-9)
        assert claim.floor <= max(0, dual)
        assert claim.zero == pytest.approx((weights * np.log(seen.sum(axis=1))).sum())
        least = (weights / np.ceil(weights)).min()
        allowed = int(claim.bound / (least * log(2)))
        assert claim.most_mistakes == (min(90, allowed) if weighed else allowed)


def test_no_rule_is_below_the_floor():
    stream = draw_stream(3)
    learner = Logistic(rates=(1.0,), wealths=(), classes="softmax", guard=False, bias=0, precision=64)
    certificate = ls.certify(learner, stream)
    (chunk,) = stream.chunks()
    X = chunk.values.reshape(-1, 4)
    X = X / np.abs(X).max(axis=0)
    names = list(dict.fromkeys(chunk.labels))
    y = np.array([names.index(label) for label in chunk.labels])
    first = int(np.flatnonzero(y == 2)[0])
    seen = np.arange(3)[None, :] <= np.where(np.arange(160) < first, 1, 2)[:, None]
    best = np.array([unit["numerators"] for unit in certificate.witness["units"]]) / 2**20
    run, _ = replay_weighed(learner, chunk.values.reshape(-1, 4).astype(float), y, np.ones(160))
    r = np.sqrt(run.classes.squares[:, run.units.places, 0] + 1)
    rng = np.random.default_rng(0)
    for u in (best, *(best + rng.normal(size=best.shape) * 0.1 for _ in range(50))):
        scores = np.where(seen, X @ u.T, -np.inf)
        losses = np.logaddexp.reduce(scores, axis=1) - scores[np.arange(160), y]
        assert losses.sum() + (r * u**2).sum() / 2 >= certificate.witness["floor"]
    assert certificate.witness["floor"] + run.classes.charges[:, 0, :2].sum() + log(161) + log(first + 2) == (
        pytest.approx(certificate.bound, rel=1e-6)
    )  # the floor meets the bound but for what no comparator can change
