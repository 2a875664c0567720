"""Certificates over products of attributes and over negations: rows are made again, and nothing else is accepted."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

import littlestone as ls
from littlestone.base.bound import Certificate
from littlestone.base.chunks import Row
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.mapped_rows import MappedStream, list_products
from littlestone.learners import Arow, PassiveAggressive, Perceptron, Winnow
from littlestone.learners.conversions import Duplicated, Interactions

BITS = np.random.default_rng(0).integers(0, 2, (60, 4)).astype(float)
REALS = np.random.default_rng(1).normal(size=(60, 4)).round(2)
XOR = (BITS[:, 0] != BITS[:, 1]).tolist()
GAMES = [
    (Interactions(Perceptron()), BITS),
    (Interactions(PassiveAggressive(), degree=3), REALS),
    (Interactions(PassiveAggressive(), degree=3, bits=3), REALS.astype(np.float32)),
    (Interactions(Perceptron(), bits=3), scipy.sparse.csr_matrix(BITS)),
    (Interactions(Arow(diagonal=True)), REALS),
    (Duplicated(Winnow()), BITS),
    (Duplicated(PassiveAggressive(), attributes=4), BITS),
    (Duplicated(Interactions(Winnow(threshold=4.0))), BITS),
]


@pytest.mark.parametrize(("learner", "X"), GAMES, ids=[str(learner) for learner, _ in GAMES])
def test_the_certificate_is_that_of_the_learner_inside_and_is_accepted(learner, X):
    stream = ls.Recorded(X, XOR)
    certificate = ls.certify(learner, stream)
    report = ls.verify(Certificate.from_json(certificate.to_json()), stream)
    game = ls.play(learner, stream)
    assert (certificate.mistakes, certificate.updates) == (game.mistakes, game.updates)
    assert report.replayed
    assert certificate.holds
    assert ls.certify(game.player, stream) == certificate
    half = ls.play(learner, stream, rounds=30)
    assert ls.verify(ls.certify(half.player, stream), stream).rounds == 30


def test_products_of_two_bits_explain_xor_and_are_named_in_the_witness():
    stream = ls.Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 20, [False, True, True, False] * 20)
    certificate = ls.certify(Interactions(Perceptron()), stream, "Novikoff")
    assert certificate.witness["attributes"] == [-1, 0, 1, 2]
    assert certificate.updates == 29 <= certificate.bound
    with pytest.raises(NotCertified, match="no comparator"):
        ls.certify(Perceptron(), stream, "Novikoff")


@pytest.mark.parametrize(("degree", "bits"), [(2, None), (3, None), (4, None), (2, 3), (3, 2)])
def test_rows_are_those_that_the_learner_makes(degree, bits):
    learner = Interactions(Perceptron(), degree=degree, bits=bits)
    for x in REALS[:10]:
        made = learner.row(Row(None, x))
        listed = list_products(list(enumerate(x)), degree, bits or 0)
        assert [number for number, _ in listed] == made.indices.tolist()
        assert [float(value) for _, value in listed] == made.values.tolist()


def test_the_size_of_the_game_inside_is_known_beforehand():
    stream = ls.Recorded(BITS, XOR)
    for learner in (Interactions(Perceptron(), 3), Interactions(Perceptron(), bits=5)):
        about = {"name": "Interactions", "degree": learner.degree, "bits": learner.bits}
        assert MappedStream(stream, None, about, [], 60).size() == learner.expand_size(stream.size())


@pytest.mark.parametrize(("learner", "X"), [GAMES[1], GAMES[3], GAMES[5], GAMES[7]])
def test_what_was_changed_is_refused(learner, X):
    stream = ls.Recorded(X, XOR)
    c = ls.certify(learner, stream)
    about, inner = c.learner, c.learner["learner"]
    others = [{"degree": 4}, {"degree": "2"}, {"bits": 4}, {"attributes": 5}, {"attributes": 0.5}, {"more": 1}]
    others += [{"learner": {**inner, "classes": [True, False]}}, {"learner": {**inner, "real": "float32"}}]
    others += [{"learner": {**inner, "name": "Perceptron"}}, {"learner": "Perceptron"}, {"name": "Conservative"}]
    changed = [replace(c, learner={**about, **other}) for other in others]
    changed += [replace(c, bound=c.bound + 1), replace(c, mistakes=c.mistakes + 1), replace(c, updated=c.updated[1:])]
    changed += [replace(c, stream="0" * 64), replace(c, rounds=c.rounds - 1), replace(c, theorem="Halving")]
    for one in changed:
        if one.learner != about or one != c:
            with pytest.raises(NotCertified):
                print(one.learner, ls.verify(one, stream))
    other = ls.Recorded(X[::-1] if isinstance(X, np.ndarray) else X[::-1, :], XOR)
    with pytest.raises(NotCertified):
        ls.verify(c, other)


@pytest.mark.parametrize("attributes", [False, [], 0, 2.5, "3"], ids=repr)
def test_a_number_of_attributes_that_is_none_is_refused(attributes):
    stream = ls.Recorded([[0.0, 1.0], [1.0, 0.0]] * 6, [True, False] * 6)
    certificate = ls.certify(ls.Duplicated(ls.Perceptron()), stream)
    assert ls.verify(certificate, stream)
    for forged in (
        replace(certificate, learner=certificate.learner | {"attributes": attributes}),
        replace(certificate, version=None),
    ):
        with pytest.raises(NotCertified):
            ls.verify(forged, stream)
