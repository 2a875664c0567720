"""Certificates of predicted numbers over rounds that count unequally."""

import math
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from certificates.check.float_runs.test_mixtures import weigh
from certificates.check.test_regression_certificates import (
    FORGERIES,
    LEARNERS,
    OWN,
    WITHIN,
    cut_rows,
    draw_rows,
)
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.base.learner import describe
from littlestone.certificates.check import regression as checker
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.float_runs.regressions import replay_numbers
from littlestone.learners import CoinRegression, Ridge

CHOICES = (0.0, 0.3, 1.0, 1.7, 4.0)


def draw_weights(rounds=120, seed=3):
    """Weights of which the first is 0, so that labels are not counted from the first one."""
    weights = np.random.default_rng(seed).choice(CHOICES, rounds)
    weights[:2] = 0.0, 1.7
    return weights


@pytest.fixture(scope="module", params=[Ridge(), CoinRegression("pinball", 0.8)], ids=str)
def certified(request):
    stream = weigh(*draw_rows(), draw_weights())
    return stream, ls.certify(request.param, stream)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_true_certificate_is_accepted(learner):
    stream = weigh(*draw_rows(), draw_weights())
    game = ls.play(learner, stream)
    certificate = game.certificate()
    report = ls.verify(Certificate.from_json(certificate.to_json()), stream)
    assert (report.counted, report.bound) == (game.expected, certificate.bound)
    assert certificate.count == game.expected < certificate.bound < 1.2 * certificate.count
    assert certificate.learner["weights"]["by"] == "round"
    assert certificate.updates == 120


@pytest.mark.parametrize("learner", [Ridge(), CoinRegression(), CoinRegression("huber", bias=0)], ids=str)
def test_a_run_of_whole_weights_is_one_of_as_many_rounds(learner):
    X, y = draw_rows()
    twice = ls.Recorded(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    one, two = ls.certify(learner, weigh(X, y, np.full(120, 2.0))), ls.certify(learner, twice)
    assert one.count == two.count
    assert one.bound == pytest.approx(two.bound, rel=1e-8)
    if isinstance(learner, Ridge):
        assert one.witness["floor"] == pytest.approx(two.witness["floor"], rel=1e-8)
    once = ls.certify(learner, weigh(X, y, np.ones(120)))
    assert once == ls.certify(learner, ls.Recorded(X, y))
    assert ls.verify(once, weigh(X, y, np.ones(120)))


def test_a_changed_field_is_refused(certified):
    stream, certificate = certified
    for name, value in FORGERIES:
        if getattr(certificate, name) != value(certificate):
            with pytest.raises(NotCertified):
                ls.verify(replace(certificate, **{name: value(certificate)}), stream)
    for name, value in WITHIN + OWN[certificate.learner["name"]]:
        changed = certificate.witness | {name: value(certificate.witness.get(name))}
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, witness=changed), stream)


@pytest.mark.parametrize(
    "told",
    [
        None,
        {"by": "balanced"},
        {"by": "class", "each": [1.0, 1.0]},
        {"by": "class", "each": []},
        {"by": "round", "digest": "0" * 64},
        {"by": "round"},
        {"by": "turn"},
        "round",
        [],
    ],
    ids=str,
)
def test_other_weights_are_refused(certified, told):
    stream, certificate = certified
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, learner=certificate.learner | {"weights": told}), stream)
    less = {name: value for name, value in certificate.learner.items() if name != "weights"}
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, learner=less), stream)
    more = replace(certificate, learner=certificate.learner | {"weights": certificate.learner["weights"] | {"more": 1}})
    with pytest.raises(NotCertified):
        ls.verify(more, stream)


def test_rounds_with_other_weights_are_refused(certified):
    _, certificate = certified
    with pytest.raises(NotCertified, match="unequal importance, and these have none"):
        ls.verify(certificate, ls.Recorded(*draw_rows()))
    for t, weight in ((0, 1.0), (7, 0.31), (119, -1.0), (60, math.nan)):
        weights = draw_weights()
        weights[t] = weight
        with pytest.raises(NotCertified):
            ls.verify(certificate, weigh(*draw_rows(), weights))
    plain = ls.certify(Ridge(), ls.Recorded(*draw_rows()))
    with pytest.raises(NotCertified, match="do not count as the certificate says"):
        ls.verify(plain, weigh(*draw_rows(), draw_weights()))


# --- by plain arithmetic ------------------------------------------------------------------------------------------


def replay_rows(learner, X, y, weights):
    rows, columns = np.nonzero(X)
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(X)))))
    chunk = WeighedChunk(0, indptr, columns, X[rows, columns], y, weights)
    return replay_numbers(describe(learner), lambda: [chunk]), chunk


def charge_ridge(rows, told, weights, first, ridge):
    """What each play of Ridge lost and is charged, by inverses; sizes are reached in the first rounds here."""
    A, b = ridge * np.eye(rows.shape[1]), np.zeros(rows.shape[1])
    lost, charged, logs = 0.0, 0.0, 0.0
    for x, y, weight in zip(rows, told, weights, strict=True):
        plays = max(1, math.ceil(weight))
        for _ in range(plays):
            c, p, q = weight / plays, x @ np.linalg.solve(A, b), x @ np.linalg.solve(A, x)
            z = p / (1 + q)
            if first is not None and c > 0:
                z, first = z - first, None
            lost += c * (y - z) ** 2
            charged += c * (y - z) ** 2 - c * (y - p) ** 2 / (1 + c * q)
            most = [c * q / (1 + c * q) * s**2 + 2 * q * (1 - c) / (1 + c * q) * s * t
                    - (2 * q - c * q + q**2) / (1 + c * q) * t**2
                    for s, t in ((1.0, (1 - c) / (2 - c + q)),)]  # fmt: skip
            logs += c * max(math.log1p(c * q), *most)
            A += c * np.outer(x, x)
            b += c * y * x
    return lost, charged, logs


def test_ridge_is_charged_what_its_theorem_says_with_weights():
    X, y = draw_rows()
    X[0] = np.abs(X).max(axis=0)  # the largest sizes are there from the first round on
    weights = draw_weights()
    run, chunk = replay_rows(Ridge(), X, y, weights)
    unit = 2.0 ** (math.frexp(y[0])[1] - 1)
    origin, rows = y[1] / unit, cut_rows(X, False, 1.0)
    told = y / unit - np.where(np.arange(120) >= 1, origin, 0.0)
    lost, charged, logs = charge_ridge(rows, told, weights, origin, 0.1)
    assert run.made == pytest.approx(lost * unit**2, rel=1e-9)
    assert run.first == 1.7 / 2
    k = np.random.default_rng(0).integers(-(2**40), 2**40, 4)
    numerators = np.zeros(4, np.int64)
    numerators[[0, *(run.units.places[i] for i in range(3))]] = k
    claim, u = checker.claim_numbers(run, lambda: [chunk], numerators, 1.0, 1.0), k * 2.0**-40
    loss, size = weights @ (told - rows @ u) ** 2, 0.1 * u @ u
    assert claim.bound == pytest.approx((loss + size + charged) * unit**2, rel=1e-9)
    assert claim.comparator == pytest.approx(loss * unit**2, rel=1e-12)
    first = 0.85 * origin**2
    assert claim.zero == pytest.approx((weights @ told**2 + first) * unit**2, rel=1e-12)
    larger = loss + size + first + np.abs(told).max() ** 2 * logs
    assert claim.logarithms == pytest.approx(larger * unit**2, rel=1e-9)
    a = 2 * weights * (told - rows @ u)
    dual = a @ told - weights @ (told - rows @ u) ** 2 - ((a @ rows) ** 2).sum() / (4 * 0.1)
    assert claim.floor == pytest.approx(max(0.0, dual) * unit**2, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_no_game_with_weights_exceeds_what_any_comparator_allows(learner):
    """Games with labels that no rule fits, in any units, and comparators far and near."""
    for seed in range(25):
        rng = np.random.default_rng(seed)
        T, n = int(rng.integers(2, 40)), int(rng.integers(1, 4))
        X = rng.choice([-1.0, 0.0, 0.3, 1.0], (T, n)) * 10.0 ** rng.integers(-4, 5, n)
        X *= np.linspace(0.1, 1, T)[:, None] if seed % 2 else 1.0
        y = rng.choice([-1.0, 0.0, 5.0], T) if seed % 3 else rng.normal(size=T) + 50
        weights = rng.choice(CHOICES, T)
        run, chunk = replay_rows(learner, X, y, weights)
        rows = len(run.units.sizes)
        rules = np.vstack([np.zeros((1, rows), np.int64), rng.integers(-(2**41), 2**41, (5, rows))])
        rules[:, 0] *= learner.bias > 0
        claims = [(checker.claim_numbers(run, lambda chunk=chunk: [chunk], k, 1.0, 0.1), k) for k in rules]
        ridges = checker.find_number_ridges(run, 1.0)
        for claim, k in claims:
            assert run.made <= claim.bound * (1 + 1e-9) + 1e-300
            size = run.scale(float(ridges @ (k * 2.0**-40) ** 2 / 2))
            assert all(other.floor <= (claim.comparator + size) * (1 + 1e-9) for other, _ in claims)
            if isinstance(learner, Ridge):
                assert claim.bound <= claim.logarithms * (1 + 1e-9)
