"""Networks whose units learn on their own by any rule: certificates unit by unit, and forgeries of them."""

import json
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.separate_units import UnitStream

QUICK = {
    "passive-aggressive": ls.PassiveAggressive(),
    "winnow": ls.Winnow(threshold=3),
    "normalized": ls.Perceptron(normalized=True),
}
LONG = {
    "passive-aggressive II": ls.PassiveAggressive("II"),
    "alma": ls.Alma(),
    "aggressive": ls.AggressivePerceptron(),
    "p-norm": ls.PNormPerceptron(3.0),
    "arow": ls.Arow(bias=1),
    "diagonal arow": ls.Arow(diagonal=True, bias=1),
    "second order": ls.SecondOrderPerceptron(bias=1),
    "diagonal second order": ls.DiagonalSecondOrder(margin=0.5),
    "balanced winnow": ls.BalancedWinnow(),
    "kernel": ls.KernelPerceptron(),
}
UNITS = [*QUICK.items(), *(pytest.param(*one, marks=pytest.mark.long) for one in LONG.items())]


def draw_rows(rounds=120):
    """Rows of 0 and 1 with labels of three classes and some noise; the third class comes late."""
    rng = np.random.default_rng(0)
    X = (rng.random((rounds, 6)) < 0.4).astype(float)
    y = np.where(X[:, 0] > 0, "a", np.where(X[:, 1] > 0, "b", "c"))
    y[rng.random(rounds) < 0.05] = "b"
    y[:10][y[:10] == "c"] = "a"
    return X, y


@pytest.mark.parametrize(("name", "unit"), UNITS)
@pytest.mark.parametrize("classes", [(), ("a", "b", "c")])
def test_every_unit_is_certified_on_its_own_rounds_and_they_add_up(name, unit, classes):
    X, y = draw_rows()
    stream = ls.Recorded(X, y)
    player = ls.Player(ls.Network(unit, updates="each"), classes=classes)
    ls.play(player, stream)
    certificate = ls.Certificate.from_json(ls.certify(player, stream).to_json())
    report = ls.verify(certificate, stream)
    assert report.replayed
    assert (certificate.mistakes, certificate.updates) == player.tally[1:3]
    parts = [ls.Certificate.from_json(json.dumps(one)) for one in certificate.witness["units"]]
    assert len(parts) == 3
    assert float(certificate.bound) == pytest.approx(sum(float(one.bound) for one in parts))
    labels, numbers = y.tolist(), {"a": 0, "b": 1, "c": 2} if classes else {}
    for label in labels:
        numbers.setdefault(label, len(numbers))
    for label, c in numbers.items():  # the same run as that of the unit alone, from when its class was met
        first = labels.index(label) if c > 1 and not classes else 0
        alone = ls.Player(unit, classes=(False, True))
        game = ls.play(alone, ls.Recorded(X[first:], np.array([one == label for one in labels[first:]])))
        assert parts[c].mistakes == game.mistakes
        assert parts[c].rounds == len(labels) - first
    assert certificate.mistakes <= sum(one.mistakes for one in parts) + 3


def forge(certificate, change):
    """The certificate with its record changed."""
    record = json.loads(certificate.to_json())
    found = replace(certificate, witness=record["witness"], learner=dict(certificate.learner))
    return change(found)


def with_units(certificate, units):
    return replace(certificate, witness={"units": units})


def renamed(certificate):
    """The first unit's certificate in place of the second's."""
    first = certificate.witness["units"][0]
    return with_units(certificate, [first, first, certificate.witness["units"][2]])


FORGERIES = {
    "bound": lambda c: replace(c, bound=c.bound + 1),
    "count": lambda c: replace(c, count=c.count - 1),
    "mistakes": lambda c: replace(c, mistakes=c.mistakes - 1),
    "updates": lambda c: replace(c, updates=c.updates + 1),
    "updated": lambda c: replace(c, updated=c.updated[1:]),
    "counts": lambda c: replace(c, counts="updates of units"),
    "theorem": lambda c: replace(c, theorem="Novikoff"),
    "unit left out": lambda c: with_units(c, c.witness["units"][:2]),
    "unit of another class": renamed,
    "another learner": lambda c: replace(c, learner=c.learner | {"learner": c.learner["learner"] | {"margin": 2.0}}),
    "another type": lambda c: replace(c, learner=c.learner | {"real": "float32"}),
    "no units": lambda c: replace(c, witness={}),
    "more words": lambda c: replace(c, witness=c.witness | {"more": 1}),
    "marks": lambda c: replace(c, marks=(1,) * len(c.updated)),
}


@pytest.mark.parametrize("change", FORGERIES.values(), ids=FORGERIES)
def test_forgeries_of_units_are_refused(change):
    stream = ls.Recorded(*draw_rows(60))
    honest = ls.certify(ls.Network(ls.PassiveAggressive(), updates="each"), stream)
    assert ls.verify(honest, stream)
    with pytest.raises(NotCertified):
        ls.verify(forge(honest, change), stream)


def test_a_unit_sees_its_class_against_all_others_from_its_first_round_on():
    stream = ls.Recorded([[1], [2], [3], [4]], ["a", "b", "c", "b"])
    (chunk,) = UnitStream(stream, None, [], 2, (2, 4)).chunks()
    assert chunk.labels.tolist() == [1, 0]
    assert [chunk[t].values.tolist() for t in range(2)] == [[3], [4]]
