"""Learners without a theorem say so: in a race, and when they are to be certified; and the reason is a true one."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import NotCertified


def draw_copies(rounds):
    """Two attributes that say the label, and forty that say one thing, which is right in 80 % of the rounds."""
    rng = np.random.default_rng(0)
    y = rng.random(rounds) < 0.5
    said = np.where(rng.random(rounds) < 0.8, y, ~y)
    return ls.Recorded(np.column_stack((y, ~y, *[said, ~said] * 20)).astype(float), y)


def test_naive_bayes_errs_in_every_fifth_round_beside_a_perfect_attribute():
    stream = draw_copies(20000)
    assert 3700 < ls.play(ls.NaiveBayes(), stream).mistakes < 4300
    assert ls.play(ls.Perceptron(), stream).mistakes < 20


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        (ls.NaiveBayes(), "no theorem covers NaiveBayes.*twenty copies"),
        (ls.Interactions(ls.NaiveBayes()), "no theorem covers Interactions.*twenty copies"),
        (ls.KernelPerceptron(budget=3), "no theorem covers KernelPerceptron.*dropped"),
    ],
)
def test_a_certificate_is_refused_in_words(learner, words):
    with pytest.raises(NotCertified, match=words):
        ls.certify(learner, draw_copies(50))


def test_a_race_says_who_has_no_theorem():
    lines = repr(ls.race(draw_copies(50), [ls.NaiveBayes(), ls.Perceptron(), ls.KernelPerceptron(budget=3)]))
    without = [line for line in lines.splitlines() if line.endswith(" (no theorem)")]
    assert len(without) == 2
    assert all("NaiveBayes" in line or "KernelPerceptron" in line for line in without)
