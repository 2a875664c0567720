"""Certificates of ALMA and ROMMA, whose rules scale all weights: true ones are accepted, changed ones refused."""

from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified

LEARNERS = [
    ls.Alma(),
    ls.Alma(alpha=0.3, margin=2, rate=0.5, bias=0),
    ls.Romma(),
    ls.Romma(aggressive=True, bias=0),
]


def draw_rounds(seed=0, wrong=0):
    """160 rows of three attributes that a hyperplane through the origin separates, but for some labels."""
    rng, u = np.random.default_rng(seed), np.array([3, -2, 1])
    X = rng.integers(-4, 5, (300, 3)).astype(float)
    X = X[np.abs(X @ u) >= 2][:160]
    return ls.Recorded(X, ((X @ u > 0) != (np.arange(160) < wrong)).tolist())


@pytest.fixture(params=LEARNERS, ids=str)
def certified(request):
    stream, learner = draw_rounds(), request.param
    return stream, ls.certify(learner, stream, learner.theorems()[0].name)


def test_a_true_certificate_is_accepted(certified):
    stream, certificate = certified
    report = ls.verify(Certificate.from_json(certificate.to_json()), stream)
    found = (report.theorem, report.counts, report.counted, report.bound, report.exact)
    assert found == (certificate.theorem, certificate.counts, certificate.counted, certificate.bound, False)
    assert 0 < certificate.counted <= certificate.bound


def test_losses_are_paid_for_where_labels_are_noisy():
    stream = draw_rounds(wrong=10)
    certificate = ls.certify(ls.Alma(), stream)
    assert certificate.theorem == "ALMA, hinge loss (Gentile 2001)"
    assert ls.verify(certificate, stream)
    with pytest.raises(NotCertified, match="lacks the margin"):
        ls.verify(replace(certificate, theorem="ALMA (Gentile 2001)"), stream)
    with pytest.raises(NotCertified):
        ls.certify(ls.Romma(), stream)


def test_changed_counts_are_refused(certified):
    stream, certificate = certified
    for changes in [
        {"mistakes": certificate.mistakes + 1},
        {"mistakes": certificate.mistakes - 1},
        {"updates": certificate.updates - 1},
        {"count": certificate.updates},
        {"counts": "steps"},
        {"rounds": certificate.rounds - 1},
        {"bound": certificate.bound - 1},
        {"bound": certificate.bound + 0.5},
        {"exact": True},
        {"marks": (1,) * certificate.updates},
    ]:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, **changes), stream)


def test_changed_update_rounds_are_refused(certified):
    stream, certificate = certified
    updated = certificate.updated
    more = next(t for t in range(certificate.rounds) if t not in updated)
    lists = [updated[1:], updated[:-1], tuple(sorted((*updated, more))), updated[::-1], (*updated, certificate.rounds)]
    for other in lists:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, updated=other, updates=len(other)), stream)


def test_changed_witnesses_are_refused(certified):
    stream, certificate = certified
    witness = certificate.witness
    first, *others = witness["numerators"]
    for changes in [
        {"margin": 2 * witness["margin"]},
        {"margin": -witness["margin"]},
        {"margin": 1},
        {"exponent": witness["exponent"] - 1},
        {"numerators": [-first, *others]},
        {"numerators": others},
        {"numerators": [float(first), *others]},
        {"attributes": [witness["attributes"][1], *witness["attributes"][1:]]},
    ]:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, witness=witness | changes), stream)


def test_changed_parameters_are_refused(certified):
    stream, certificate = certified
    learner = certificate.learner
    changed = {"rate": 1e-3, "alpha": 1, "aggressive": not learner.get("aggressive"), "bias": 7.5}
    changed = {key: value for key, value in changed.items() if key in learner}
    for changes in [*({key: value} for key, value in changed.items()), {"real": "float16"}, {"momentum": 1}]:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, learner=learner | changes), stream)
    with pytest.raises(NotCertified, match="rounds are not those"):
        ls.verify(certificate, draw_rounds(seed=1))
