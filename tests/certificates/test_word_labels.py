"""Certificates of games whose labels are words, the first of which is guessed before it has a name."""

import sys
from importlib import import_module

import numpy as np
import pytest

import littlestone as ls
from littlestone.certificates.rounds import write_rounds
from places import ROOT

sys.path.insert(0, str(ROOT / "verifier"))
vectors = import_module("make_vectors")
sys.path.remove(str(ROOT / "verifier"))
vectors.load_verifier()
STANDALONE = vectors.load_one_file("littlestone_verify_more")

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(60, 3))
BITS = (RNG.random((60, 5)) < 0.4) * 1.0
LEARNERS = [
    ls.Perceptron(),
    ls.AveragedPerceptron(),
    ls.Interactions(ls.Perceptron()),
    ls.AppleTasting(ls.Perceptron()),
    ls.Conservative(ls.Perceptron()),
    ls.SelectiveSampling(),
    ls.PassiveAggressive(),
    ls.KernelPerceptron(ls.LinearKernel()),
    ls.Forgetron(),
    ls.ShiftingPerceptron(),
    ls.Arow(),
    ls.Logistic(),
    ls.Memorizer(),
    ls.Network(ls.Perceptron()),
    ls.Network(ls.Perceptron(), "each"),
    ls.Network(ls.PassiveAggressive(), "each"),
]
BINARY = [ls.Winnow(threshold=3.0), ls.Restarting(ls.Winnow()), ls.Network(ls.Winnow(threshold=3.0), "each")]


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("learner", [*LEARNERS, *BINARY], ids=str)
def test_an_honest_certificate_of_words_is_true_or_not_covered(learner, first):
    rows = BITS if learner in BINARY else ROWS
    truth = rows[:, 0] + rows[:, 1] > 0.5
    truth[0] = first
    stream = ls.Recorded(rows, ["yes" if one else "no" for one in truth])
    certificate = ls.certify(learner, stream)
    assert certificate.mistakes == ls.play(learner, stream).mistakes
    assert ls.verify(certificate, stream)
    data = ("\n".join(write_rounds(stream)) + "\n").encode()
    assert vectors.ask_one_file(STANDALONE, certificate.to_json(), "game.rounds", data) in ("true", "not covered")
