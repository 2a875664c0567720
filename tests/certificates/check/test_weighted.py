"""Rounds of unequal weight: a bound on the weight of the updates, exact, attained, and nothing else is taken."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.weighted import WeighedFacts


class Heavy(Stream):
    """Recorded rounds with weights."""

    def __init__(self, X, y, weights):
        self.recorded, self.weights = ls.Recorded(X, y), np.asarray(weights, float)

    def size(self):
        return self.recorded.size()

    def chunks(self):
        first = 0
        for chunk in self.recorded.chunks():
            yield replace(chunk, importance=self.weights[first : first + len(chunk)])
            first += len(chunk)


def make_game(seed, rounds=120, wide=4, whole=True):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (rounds, wide)).astype(float) if whole else rng.normal(size=(rounds, wide))
    y = X @ rng.normal(size=wide) + rng.normal(size=rounds) * 0.3 > 0
    return X, y, rng.choice([0.25, 0.5, 1.0, 3.0, 7.5], rounds) if whole else rng.exponential(size=rounds)


def twin(X, y, weights, bias=1):
    """The rounds that teach a Perceptron with weights, the sum of their weights and of c^2 |x|^2, in fractions."""
    w, taught, total, squares = [Fraction(0)] * (X.shape[1] + 1), [], Fraction(0), Fraction(0)
    for t, (row, label, c) in enumerate(zip(X, y, weights, strict=True)):
        x, sign, c = [Fraction(v) for v in (*row, bias)], 1 if label else -1, Fraction(float(c))
        if sign * sum(a * b for a, b in zip(w, x, strict=True)) <= 0 and c:
            w = [a + c * sign * b for a, b in zip(w, x, strict=True)]
            taught.append(t)
            total, squares = total + c, squares + c * c * sum(v * v for v in x)
    return taught, total, squares


@pytest.mark.parametrize("seed", range(6))
def test_it_certifies_the_weight_of_the_updates_of_its_twin(seed):
    X, y, weights = make_game(seed)
    stream = Heavy(X, y, weights)
    player = ls.play(ls.Perceptron(), stream).player
    c = ls.certify(player, stream)
    taught, total, squares = twin(X, y, weights)
    assert list(c.updated) == taught
    assert c.count == total <= c.bound
    assert Fraction(c.witness["squares"]) == squares
    report = ls.verify(ls.Certificate.from_json(c.to_json()), stream)
    assert report.exact
    assert report.replayed
    assert c.bound < 3 * total  # it says something: no comparator at all allows the weight of every round


@pytest.mark.parametrize(
    "learner", [ls.Perceptron(rate=0.1, bias=0), ls.AveragedPerceptron(tie="plus"), ls.Perceptron()]
)
def test_rows_that_are_not_whole_are_checked_too(learner):
    for seed in range(3):
        X, y, weights = make_game(seed, whole=False)
        for rows in (X, X.astype(np.float32)):
            stream = Heavy(rows, y, weights)
            assert ls.verify(ls.certify(learner, stream), stream).replayed


def test_the_bound_is_attained_with_equality():
    """Basis vectors, each met once, of equal weight: with u all ones (C g)^2 = |u|^2 S."""
    n, c = 9, 2.5
    stream = Heavy(np.eye(n), [True] * n, [c] * n)
    certificate = ls.certify(ls.Perceptron(bias=0), stream)
    assert certificate.count == n * c
    assert certificate.bound - certificate.count <= Fraction(1, 100)
    facts = WeighedFacts(
        Fraction(45, 2), Fraction(n), Fraction(1), Fraction(0), Fraction(n) * Fraction(25, 4), Fraction(0)
    )
    assert facts.bound == Fraction(45, 2)  # (C g)^2 = |u|^2 S exactly


def test_weights_of_one_are_the_theorem_without_weights():
    X, y, _ = make_game(3)
    plain, heavy = ls.Recorded(X, y), Heavy(X, y, np.ones(len(y)))
    ours, theirs = ls.certify(ls.Perceptron(), heavy), ls.certify(ls.Perceptron(), plain)
    assert (ours.count, ours.updated, ours.mistakes) == (theirs.updates, theirs.updated, theirs.mistakes)
    zero = np.where(np.arange(len(y)) % 3, 1.0, 0.0)
    some = ls.certify(ls.Perceptron(), Heavy(X, y, zero))
    assert not {t for t in some.updated if zero[t] == 0}
    assert ls.verify(some, Heavy(X, y, zero))


def test_the_theorem_holds_for_every_comparator():
    worst = 0.0
    for seed in range(60):
        X, y, weights = make_game(seed, 60, 3)
        taught, total, squares = twin(X, y, weights)
        Z = np.column_stack((X, np.ones(len(X)))) * np.where(y, 1.0, -1.0)[:, None]
        for scale in (0.1, 0.5, 1.0, 3.0):
            u = scale * np.linalg.lstsq(Z, np.ones(len(y)), rcond=None)[0]
            loss = float((weights * np.maximum(0, 1 - Z @ u))[taught].sum())
            rest = float(total) - loss
            if rest > 0:
                assert rest**2 <= float(u @ u) * float(squares) * (1 + 1e-9)
                worst = max(worst, rest / np.sqrt(float(u @ u) * float(squares)))
    assert worst > 0.3


def test_every_word_is_checked():
    X, _, weights = make_game(5, 600)
    y = X[:, 0] + X[:, 1] - X[:, 2] > 0.5
    weights = np.where(weights > 1, 1.5, 0.5)
    stream = Heavy(X, y, weights)
    c = ls.certify(ls.Perceptron(), stream)
    w = c.witness
    assert w["numerators"]
    forged = [
        {"bound": c.bound + Fraction(1, 2**20)}, {"bound": c.bound - Fraction(1, 2**20)}, {"bound": float(c.bound)},
        {"count": c.count + 1}, {"count": c.count - 1}, {"count": None}, {"mistakes": c.mistakes + 1},
        {"updates": c.updates - 1}, {"updated": c.updated[1:]}, {"updated": c.updated[1:], "updates": c.updates - 1},
        {"theorem": "Perceptron (Novikoff 1962)"}, {"promise": ""}, {"scope": "iid"}, {"exact": False},
        {"counts": "updates"}, {"rows": None}, {"version": None}, {"marks": (1,) * c.updates},
        {"witness": w | {"squares": w["squares"] + 1}}, {"witness": w | {"unexplained": 0.0}},
        {"witness": w | {"margin": 2.0}}, {"witness": w | {"exponent": w["exponent"] + 1}},
        {"witness": w | {"more": 1}}, {"learner": c.learner | {"margin": 1.0}}, {"learner": c.learner | {"bias": 0.5}},
        {"learner": c.learner | {"name": "PassiveAggressive"}}, {"stream": "0" * 64}, {"rounds": c.rounds - 1},
    ]  # fmt: skip
    assert ls.verify(ls.Certificate.from_json(json.dumps(json.loads(c.to_json()))), stream)
    for change in forged:
        with pytest.raises(NotCertified):
            print(change, ls.verify(replace(c, **change), stream))
    with pytest.raises(NotCertified):
        ls.verify(c, Heavy(X, y, 2 * weights))
    with pytest.raises(NotCertified):
        ls.verify(c, ls.Recorded(X, y))
