"""Published figures: mean mistake rates on svmguide3 over random orders, as in the manual of LIBOL.

Features as they are in the file, no bias, r = 1 for AROW and a = 1 for the second-order perceptron. LIBOL gives means
over 20 orders; one order spreads by about .008. The data are not part of this repository: LITTLESTONE_DATA names a
folder that has them, or a folder beside the repository does.
"""

import os
from pathlib import Path

import numpy as np
import pytest

from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Arow, Perceptron, SecondOrderPerceptron
from places import ROOT

FILE = "svmguide3/svmguide3.libsvm"


@pytest.fixture(scope="module")
def svmguide3():
    named = os.environ.get("LITTLESTONE_DATA")
    beside = ROOT.parent.glob(f"*/data/{FILE}")
    path = Path(named) / FILE if named else next(beside, None)
    if path is None or not path.exists():
        pytest.skip(f"{FILE} is not here; LITTLESTONE_DATA may name the folder that has it")
    X, y = np.zeros((1243, 22)), np.zeros(1243)
    for t, line in enumerate(path.read_text().splitlines()):
        label, *entries = line.split()
        y[t] = float(label)
        for entry in entries:
            number, value = entry.split(":")
            X[t, int(number) - 1] = float(value)
    return X, y


@pytest.mark.parametrize(
    ("learner", "rate"),
    [(Arow(1.0), 0.222), (Perceptron(bias=0), 0.332), (SecondOrderPerceptron(1.0), 0.297)],
    ids=["arow", "perceptron", "second-order perceptron"],
)
def test_the_mean_mistake_rate_is_the_published_one(svmguide3, learner, rate):
    X, y = svmguide3
    rates = []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(y))
        rates.append(play(learner, Recorded(X[order], y[order], classes=(-1.0, 1.0))).mistakes / len(y))
    assert np.mean(rates) == pytest.approx(rate, abs=0.006)
