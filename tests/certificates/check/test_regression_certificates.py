"""Certificates of predicted numbers: true ones are accepted, ones that were changed anywhere are refused."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import littlestone as ls
import reference
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.base.learner import describe
from littlestone.certificates.check import regression as checker
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.float_runs.regressions import replay_numbers
from littlestone.certificates.make.regression import list_choices
from littlestone.learners import CoinRegression, Ridge

LEARNERS = [
    Ridge(),
    Ridge(ridge=2.0, bias=0, guard=True),
    CoinRegression(),
    CoinRegression("pinball", quantile=0.8, wealth=0.5, guard=True),
    CoinRegression("huber", bias=0),
]


def draw_rows(rounds=120, seed=0):
    """Noisy rows in several units, of which two values are far out and some are 0, and labels far from 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 3)) * [1, 100, 0.01]
    X[rng.random(X.shape) < 0.2] = 0
    X[50] *= 40
    return X, X @ [1, 0.01, 100] + rng.normal(size=rounds) + 20


def draw_stream(seed=0):
    return ls.Recorded(*draw_rows(seed=seed))


@pytest.fixture(scope="module", params=[Ridge(), CoinRegression("pinball", 0.8), CoinRegression("huber")], ids=str)
def certified(request):
    stream = draw_stream()
    return stream, ls.certify(request.param, stream)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_true_certificate_is_accepted(learner):
    stream = draw_stream()
    game = ls.play(learner, stream)
    certificate = game.certificate()
    report = ls.verify(Certificate.from_json(certificate.to_json()), stream)
    assert (report.counts, report.counted, report.bound) == (certificate.counts, game.expected, certificate.bound)
    assert report.replayed
    assert certificate.count == game.expected < certificate.bound < 1.2 * certificate.count
    witness = certificate.witness
    assert 0 < witness["comparator"] < certificate.bound
    if isinstance(learner, Ridge):
        assert 0 < witness["floor"] <= certificate.bound
    else:
        assert "floor" not in witness
    assert (certificate.mistakes, certificate.updates) == (0, 120)
    (theorem,) = learner.theorems()
    assert (certificate.theorem, certificate.promise, certificate.counts) == (*theorem[:2], theorem.counts)
    assert theorem.name == checker.THEOREMS[type(learner).__name__]


def test_least_squares_are_the_floor_and_the_form_with_logarithms_is_larger():
    stream = draw_stream()
    certificate = ls.certify(Ridge(), stream)
    witness = certificate.witness
    rule = np.array(witness["numerators"]) * 2.0**-40  # in units of the first label
    unit = 2.0 ** (math.frexp(draw_rows()[1][0])[1] - 1)
    least = witness["comparator"] + 0.1 * float(rule @ rule) * unit**2
    assert witness["floor"] == pytest.approx(least, rel=1e-9)
    assert certificate.bound < witness["logarithms"]
    assert f"the form with logarithms allows {witness['logarithms']:.0f}"[:36] in certificate.explains
    assert "a fixed linear rule has" in str(certificate)


def test_the_gold_case_of_ridge_has_its_numbers():
    stream = ls.Recorded([[1.0], [2.0], [-1.0]], [1.0, 1.0, 0.0])
    certificate = ls.certify(Ridge(bias=0), stream)
    assert certificate.count == pytest.approx(1206457 / 746496, abs=1e-12)
    assert certificate.bound == pytest.approx(19 / 32 + 69965765 / 57480192, rel=1e-8)
    assert certificate.witness["floor"] == pytest.approx(19 / 32, abs=1e-9)
    assert certificate.witness["zero"] == pytest.approx(2)
    assert ls.verify(certificate, stream)


def test_a_bound_that_is_met_is_accepted():
    stream = ls.Recorded([[1.0], [-1.0], [1.0]], [1.0, 1.0, 0.0])
    certificate = ls.certify(Ridge(bias=0), stream)
    assert certificate.count == pytest.approx(1402 / 441)
    assert certificate.bound == pytest.approx(1402 / 441, rel=1e-8)
    assert ls.verify(certificate, stream)
    for labels in ([0.0, 0.0], [3.0, 3.0]):
        for learner in LEARNERS:
            stream = ls.Recorded([[0.0], [1.0]], labels)
            assert ls.verify(ls.certify(learner, stream), stream)


FORGERIES = [
    ("count", lambda c: np.nextafter(c.count, 0).item()),
    ("count", lambda c: c.count / 2),
    ("count", lambda c: None),
    ("bound", lambda c: c.bound * (1 - 1e-8)),
    ("bound", lambda c: c.bound * (1 + 1e-8)),
    ("bound", lambda c: c.count),
    ("mistakes", lambda c: 1),
    ("updates", lambda c: c.updates - 1),
    ("updated", lambda c: (0,)),
    ("marks", lambda c: (1,)),
    ("rounds", lambda c: c.rounds - 1),
    ("rounds", lambda c: 0),
    ("stream", lambda c: "0" * 64),
    ("theorem", lambda c: "Ridge"),
    ("promise", lambda c: "separable"),
    ("counts", lambda c: "absolute loss"),
    ("scope", lambda c: "iid"),
    ("exact", lambda c: True),
    ("rows", lambda c: {"form": "listed", "width": 0, "values": "float64"}),
    ("version", lambda c: 1),
    ("version", lambda c: None),
]
WITHIN = [
    ("comparator", lambda old: old * (1 - 1e-8)),
    ("comparator", lambda old: old * (1 + 1e-6)),
    ("zero", lambda old: old * (1 - 1e-8)),
    ("zero", lambda old: old * 2),
    ("more", lambda old: 1),
    ("numerators", lambda old: [old[0] + 2**30, *old[1:]]),
    ("numerators", lambda old: [0, *old[1:]]),
    ("numerators", lambda old: [2**70, *old[1:]]),
    ("numerators", lambda old: old[1:]),
    ("attributes", lambda old: [*old[:-1], 99]),
    ("attributes", lambda old: old[::-1]),
]
OWN = {
    "Ridge": [
        ("floor", lambda old: old * (1 + 1e-8)),
        ("floor", lambda old: old * (1 - 1e-6)),
        ("floor", lambda old: None),
        ("logarithms", lambda old: old * (1 - 1e-8)),
        ("logarithms", lambda old: old * 2),
        ("ridge", lambda _: 1.0),
    ],
    "CoinRegression": [
        ("floor", lambda _: 0.0),
        ("ridge", lambda _: 1.0),
        ("logarithms", lambda _: 1.0),
        ("width", lambda _: 1.0),
    ],
}
PARAMETERS = [
    ("ridge", 0.2),
    ("bias", 0.0),
    ("guard", True),
    ("criterion", "absolute"),
    ("quantile", 0.7),
    ("width", 0.2),
    ("wealth", 2.0),
    ("real", "float32"),
    ("seed", 0),
    ("classes", [0, 1]),
]


@pytest.mark.parametrize(("name", "value"), FORGERIES)
def test_a_changed_field_is_refused(certified, name, value):
    stream, certificate = certified
    if getattr(certificate, name) != value(certificate):
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, **{name: value(certificate)}), stream)


def test_a_changed_witness_is_refused(certified):
    stream, certificate = certified
    for name, value in WITHIN + OWN[certificate.learner["name"]]:
        changed = certificate.witness | {name: value(certificate.witness.get(name))}
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, witness=changed), stream)
    for name in certificate.witness:
        less = {key: value for key, value in certificate.witness.items() if key != name}
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, witness=less), stream)


def test_another_learner_is_refused(certified):
    stream, certificate = certified
    about, criterion = certificate.learner, certificate.learner.get("criterion")
    idle = {"pinball": ("width",), "huber": ("quantile",), None: ()}[criterion]  # what this learner does not use
    for name, value in PARAMETERS:
        if name not in idle:
            with pytest.raises(NotCertified):
                ls.verify(replace(certificate, learner=about | {name: value}), stream)
    other = "Ridge" if criterion else "CoinRegression"
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, learner=about | {"name": other}), stream)


def test_other_rounds_are_refused(certified):
    _, certificate = certified
    with pytest.raises(NotCertified, match="not those of the certificate"):
        ls.verify(certificate, draw_stream(seed=1))
    with pytest.raises(NotCertified):
        ls.certify(Ridge(), ls.Recorded(np.zeros((0, 2)), np.zeros(0)))


def test_labels_beyond_those_that_a_run_takes_are_not_played_again():
    about = {"name": "Ridge", "guard": False, "bias": 0.0, "ridge": 1.0}
    one = (0, np.array([0, 1, 2]), np.array([0, 0]), np.array([1.0, 1.0]))
    for far in ([1e-300, 1e300], [2.0**901, 1.0]):
        with pytest.raises(NotCertified, match="larger than labels may be"):
            replay_numbers(about, lambda far=far: [ArrangedChunk(*one, np.array(far))])


def test_labels_that_no_run_takes_are_refused():
    stream = ls.Recorded([[1.0], [1.0]], [1.0, 2.0])
    certificate = ls.certify(Ridge(), stream)
    with pytest.raises(NotCertified):
        ls.verify(certificate, ls.Recorded([[1.0], [1.0]], [1e-300, 1e300]))
    large = ls.Recorded([[1.0], [1.0]], [1e200, 2e200])
    with pytest.raises(NotCertified, match="too large for a sum of losses"):
        ls.certify(Ridge(), large)
    assert ls.verify(ls.certify(CoinRegression(), large), large)


# --- by plain arithmetic ------------------------------------------------------------------------------------------


def replay_rows(learner, X, y):
    rows, columns = np.nonzero(X)
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(X)))))
    chunk = ArrangedChunk(0, indptr, columns, X[rows, columns], y)
    return replay_numbers(describe(learner), lambda: [chunk]), chunk


def cut_rows(X, guard, bias):
    cut, sizes = X.copy(), np.zeros(X.shape[1])
    for x in cut:
        large = sizes > 0
        if guard:
            x[large] = np.clip(x[large], -2 * sizes[large], 2 * sizes[large])
        sizes = np.maximum(sizes, np.abs(x))
    return np.column_stack((np.full(len(X), float(bias > 0)), cut / sizes))


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_the_bound_and_the_floor_are_what_the_theorem_says(learner):
    X, y = draw_rows()
    run, chunk = replay_rows(learner, X, y)
    rows, unit = cut_rows(X, learner.guard, learner.bias), 2.0 ** (math.frexp(y[0])[1] - 1)
    rng, order = np.random.default_rng(1), [0, *(run.units.places[i] for i in range(3))]
    k = rng.integers(-(2**40), 2**40, 4)
    k[0] *= learner.bias > 0
    numerators = np.zeros(4, np.int64)
    numerators[order] = k
    times, width = 0.5, 0.3
    claim = checker.claim_numbers(run, lambda: [chunk], numerators, times, width)
    origin = y[0] / unit if learner.bias else 0.0
    told, u = y / unit - origin, k * 2.0**-40
    short = told - rows @ u
    if isinstance(learner, Ridge):
        exact = [([1.0, *x], label / unit) for x, label in zip(X.tolist(), y.tolist(), strict=True)]
        if not learner.bias:
            exact = [(x[1:], label) for x, label in exact]
        twin = reference.ridge(exact, len(exact[0][0]), learner.ridge, learner.guard, relative=learner.bias > 0)
        losses, zeros, first = short**2, told**2, origin**2
        more = learner.ridge * u @ u + sum(twin.charges)
        a, conjugate, r = 2 * short, short**2, np.full(4, 2 * learner.ridge)
        power = 2
    else:
        exact = [
            ([1.0, *x] if learner.bias else list(x), label / unit)
            for x, label in zip(X.tolist(), y.tolist(), strict=True)
        ]
        n = len(exact[0][0])
        known = learner.criterion, learner.quantile, learner.width, learner.wealth, learner.guard
        twin = reference.coin_regression(exact, n, *known, relative=learner.bias > 0)
        G, E, e = (np.array(part[-3:]) for part in (twin.G, twin.first, twin.last))
        M, S = np.array(twin.M[-3:]), np.array(twin.S[-3:])
        more = (u[1:] * G / M + E - e).sum()
        r = np.ones(4)
        r[1:] = times * np.sqrt(S / M**2 + 1) / E
        if learner.bias:
            more += u[0] * twin.G[0] + twin.first[0] - twin.last[0]
            r[0] = times * np.sqrt(twin.S[0] + 1) / twin.first[0]
        more, reach, power = max(0.0, more), learner.width * np.maximum.accumulate(np.abs(told)), 1

        def price(short):
            if learner.criterion == "huber":
                return np.where(np.abs(short) < reach, short**2 / (2 * reach), np.abs(short) - reach / 2)
            high = learner.quantile if learner.criterion == "pinball" else 1.0
            return np.where(short > 0, high * short, (high - 1 if learner.criterion == "pinball" else -1) * short)

        losses, zeros, conjugate = price(short), price(told), 0.0
        first = origin * (learner.quantile if learner.criterion == "pinball" else 1.0)  # of a label above 0
        more += first
        if learner.criterion == "huber":
            a = np.clip(short / reach, -1, 1)
            conjugate = reach * a**2 / 2
        elif learner.criterion == "pinball":
            a = np.clip(learner.quantile - 0.5 + short / width, learner.quantile - 1, learner.quantile)
        else:
            a = np.clip(short / width, -1, 1)
    scale, p = unit**power, a @ rows
    assert claim.bound == pytest.approx((losses.sum() + more) * scale, rel=1e-9)
    assert claim.bound >= (losses.sum() + more) * scale * (1 - 1e-12)
    assert claim.comparator == pytest.approx(losses.sum() * scale, rel=1e-12)
    assert claim.zero == pytest.approx((zeros.sum() + first) * scale, rel=1e-12)
    used = [0, 1, 2, 3] if learner.bias else [1, 2, 3]
    dual = (a @ told - np.sum(conjugate) - (p**2 / (2 * r))[used].sum()) * scale
    assert claim.floor == pytest.approx(max(dual, 0.0), rel=1e-9, abs=1e-6)
    if isinstance(learner, Ridge):
        logs = 0.0
        P = np.linalg.inv
        sizes, A = np.zeros(4), np.zeros((4, 4))
        cut = cut_rows(X, learner.guard, learner.bias) * np.append(1.0, run.units.sizes[order[1:]])
        for x in cut:
            sizes = np.maximum(sizes, np.abs(x))
            met = sizes > 0
            here = (A + learner.ridge * np.diag(sizes**2))[np.ix_(met, met)]
            logs += math.log1p(x[met] @ P(here) @ x[met])
            A += np.outer(x, x)
        largest = np.abs(told).max()
        larger = losses.sum() + learner.ridge * u @ u + origin**2 + largest**2 * logs
        assert claim.logarithms == pytest.approx(larger * scale, rel=1e-9)
        assert claim.bound <= claim.logarithms


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_no_rule_is_below_the_floor(learner):
    X, y = draw_rows()
    run, chunk = replay_rows(learner, X, y)
    choices = list(list_choices(run, WeighedChunk.of(chunk)))
    best = choices[-1]
    claim = checker.claim_numbers(run, lambda: [chunk], *best)
    r, rng = checker.find_number_ridges(run, best.times), np.random.default_rng(0)
    for _ in range(40):
        k = best.numerators + rng.integers(-(2**37), 2**37, 4)
        other = checker.claim_numbers(run, lambda k=k: [chunk], k, best.times, best.width)
        size = r @ (k * 2.0**-40) ** 2 / 2
        assert other.comparator + run.scale(float(size)) >= claim.floor
    near = claim.comparator + run.scale(float(r @ (best.numerators * 2.0**-40) ** 2 / 2))
    assert claim.floor >= (0.9 if isinstance(learner, CoinRegression) else 1 - 1e-9) * near


@pytest.mark.parametrize("learner", [CoinRegression("pinball", 0.8), CoinRegression("huber")], ids=str)
def test_a_floor_of_an_earlier_version_is_taken_with_its_ridges_and_not_shown(learner):
    """What bets charge is not quadratic, so that the number was under something that the bound does not charge."""
    X, y = draw_rows()
    stream = ls.Recorded(X, y)
    certificate = ls.certify(learner, stream)
    run, chunk = replay_rows(learner, X, y)
    numerators = checker.read_comparator(run, certificate.witness)
    assert "at least" not in certificate.explains
    for times, taken in ((1.0, True), (10.0, True), (2.0**40, False), (2.0, False)):
        claim = checker.claim_numbers(run, lambda: [chunk], numerators, times, 0.5)
        told = {"floor": claim.floor * (1 - 2.0**-40), "ridge": times}
        told |= {"width": 0.5} if learner.criterion == "pinball" else {}
        earlier = replace(certificate, witness=certificate.witness | told)
        assert "at least" not in earlier.explains
        if taken:
            assert ls.verify(earlier, stream)
        else:
            with pytest.raises(NotCertified, match="ridge"):
                ls.verify(earlier, stream)


def test_exact_rounds_of_ridge_have_the_loss_of_their_fractions():
    rounds = [([1, 2], 3), ([0, 1], -1), ([2, -1], 4), ([1, 1], 0)]
    stream = ls.Recorded([x for x, _ in rounds], [float(y) for _, y in rounds])
    exact = [([Fraction(1), *map(Fraction, x)], Fraction(y)) for x, y in rounds]
    run = reference.ridge(exact, 3, Fraction(1, 10), relative=True)
    certificate = ls.certify(Ridge(), stream)
    lost = sum((y - z) ** 2 for (_, y), z in zip(exact, run.said, strict=True))
    assert certificate.count == pytest.approx(float(lost), rel=1e-12)
    assert certificate.bound == pytest.approx(float(run.least + sum(run.charges)), rel=1e-8)
    assert lost <= run.least + sum(run.charges)
