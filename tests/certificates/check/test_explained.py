"""What a comparator explains of the updates is computed again, and said to be nothing where it is nothing."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import NotCertified


def test_a_comparator_that_explains_nothing_is_said_to_explain_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), rng.integers(0, 2, 400) > 0
    noise = ls.certify(ls.Perceptron(), ls.Recorded(X, y))
    assert noise.witness["unexplained"] > 0.9
    assert "this proves the run, not its accuracy" in str(noise)
    wide = ls.Recorded(X + 2 * np.sign(X), X[:, 0] > 0)
    clear = ls.certify(ls.Perceptron(), wide)
    assert clear.witness["unexplained"] < 0.5
    assert "explains" in clear.explains
    assert "not its accuracy" not in str(clear)
    assert ls.verify(clear, wide)
    for claimed in (0.0, 0.5, -1.0, "0.9", None):
        changed = replace(noise, witness=noise.witness | {"unexplained": claimed})
        with pytest.raises(NotCertified, match="unexplained"):
            ls.verify(changed, ls.Recorded(X, y))


@pytest.mark.parametrize(
    "learner", [ls.Perceptron(rate=0.1), ls.Perceptron(normalized=True), ls.PassiveAggressive()], ids=str
)
def test_the_comparator_is_measured_on_rounds_that_taught_nothing_too(learner):
    """Its losses over all rounds, by fractions; another figure is refused, and the words give it."""
    rng = np.random.default_rng(3)
    X = rng.choice([-1.0, 0.5, 2.0], (80, 4))
    labels = (X[:, 0] + 0.3 * rng.standard_normal(80) > 0).tolist()
    stream = ls.Recorded(X, labels)
    certificate = ls.certify(learner, stream)
    w, loss = certificate.witness, Fraction(0)
    u = {j: k * Fraction(2) ** w["exponent"] for j, k in zip(w["attributes"], w["numerators"], strict=True)}
    for x, y in zip(X.tolist(), labels, strict=True):
        product = u.get(-1, Fraction(0)) + sum(u.get(j, 0) * Fraction(v) for j, v in enumerate(x))
        if getattr(learner, "normalized", False):
            product /= Fraction(math.sqrt(1 + sum(v * v for v in x)))
        loss += max(Fraction(0), Fraction(w["margin"]) - (product if y else -product))
    assert w["everywhere"] == pytest.approx(float(loss / Fraction(w["margin"])), rel=1e-9)
    assert "over all 80 rounds its own hinge loss is about" in certificate.explains
    for claimed in (w["everywhere"] * 0.99, 0.0, "5", math.nan):
        with pytest.raises(NotCertified, match="over all rounds"):
            ls.verify(replace(certificate, witness=w | {"everywhere": claimed}), stream)
