"""What `certify` makes, `verify` accepts: for every learner, and for every learner inside another one."""

import numpy as np
import pytest

import littlestone as ls
from laws.examples import EXAMPLES
from littlestone.base.errors import LittlestoneError, NotCertified

ROUNDS = 24
DRAWN = np.random.default_rng(34)
TARGETS = DRAWN.normal(size=(4, 3))
ROWS = {
    "whole numbers": DRAWN.integers(-2, 3, (ROUNDS, 4)).astype(float),
    "bits": DRAWN.integers(0, 2, (ROUNDS, 4)).astype(bool),
}
NAMES = np.array(["red", "green", "blue"])
KINDS = {
    "plain": lambda learner: learner,
    "winner": lambda learner: ls.Network(learner, "winner"),
    "each": lambda learner: ls.Network(learner, "each"),
    "conservative": ls.Conservative,
    "apple tasting": lambda learner: ls.AppleTasting(learner, exploring=0.3),
    "label-efficient": lambda learner: ls.LabelEfficient(learner, asking=0.5),
}


def draw_streams():
    """Rows of whole numbers and of bits, with truth values, words and three classes; one label in ten is wrong."""
    for rows in ROWS.values():
        codes = (rows @ TARGETS).argmax(axis=1)
        codes[::10] = (codes[::10] + 1) % 3
        for labels in ((codes == 0).tolist(), NAMES[np.minimum(codes, 1)].tolist(), NAMES[codes].tolist()):
            yield ls.Recorded(rows, labels)


def count_verified(learner):
    """How many of the streams are certified, each of which must be verified."""
    verified = 0
    for stream in draw_streams():
        try:
            certificate = ls.certify(learner, stream)
        except LittlestoneError:  # it says in words why there is none
            continue
        assert ls.verify(ls.Certificate.from_json(certificate.to_json()), stream, learner)
        verified += 1
    return verified


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_certified_is_verified(kind):
    verified = 0
    for inner in EXAMPLES:
        try:
            learner = KINDS[kind](inner)
        except LittlestoneError:
            continue
        verified += count_verified(learner)
    assert verified >= {"plain": 200, "each": 100}.get(kind, 30)


REFUSED = [
    (ls.Network(ls.AggressivePerceptron(), "winner"), "names the rival of a step or counts its copies"),
    (ls.Conservative(ls.AdaGrad()), "no verifier plays AdaGrad.* again"),
    (ls.Conservative(ls.Network(ls.Perceptron())), "no verifier plays Network.* again"),
    (ls.AppleTasting(ls.WeightedMajority(), exploring=0.3), "no verifier plays WeightedMajority.* again"),
    (ls.Conservative(ls.Winnow(threshold=4.0)), "no verifier plays Winnow.* again"),
    (ls.Interactions(ls.SelectiveSampling()), "its certificate says seed too"),
    (ls.Interactions(ls.Logistic(classes="softmax")), "its certificate says form too"),
    (ls.Network(ls.SelectiveSampling(), "each"), "its certificate says seed too"),
    (ls.Network(ls.Interactions(ls.Winnow(threshold=8.0)), "each"), "a type of their own"),
]


@pytest.mark.parametrize(("learner", "why"), REFUSED, ids=lambda one: str(one)[:60])
def test_what_no_verifier_covers_is_refused_in_words(learner, why):
    stream = ls.Recorded(ROWS["bits"], (ROWS["bits"] @ TARGETS[:, 0] > 0).tolist())
    with pytest.raises(NotCertified, match=why):
        ls.certify(learner, stream)


@pytest.mark.parametrize("unit", [ls.VotedPerceptron(), ls.AggressivePerceptron(), ls.Perceptron()], ids=repr)
def test_units_that_learn_on_their_own_are_certified(unit):
    assert count_verified(ls.Network(unit, "each")) == 6
