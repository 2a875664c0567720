"""Rounds that count more than others still do after features of one's own have read them."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadInstance
from littlestone.base.features import Features


@dataclass
class Doubled(Features):
    """Twice the row that came; one whose first value is negative is refused."""

    width: int = field(default=2, init=False)

    def __call__(self, x):
        if x.values[0] < 0:
            raise BadInstance("negative")
        return Row(None, 2 * x.values)


X, Y = np.array([[1.0, 0.5], [0.25, 1.0], [2.0, 1.5], [-1.0, 0.0]]), np.array([0, 1, 0, 1])
IMPORTANCE = np.array([3.0, 0.5, 2.0, 7.0])


def test_importance_stays_with_the_rounds_that_were_read():
    chunk = replace(Examples.of(X, Y), importance=IMPORTANCE)
    assert Doubled().read_chunk(chunk).importance.tolist() == [3.0, 0.5, 2.0]
    assert Doubled().read_chunk(chunk[1:3]).importance.tolist() == [0.5, 2.0]
    assert Doubled().read_chunk(Examples.of(X, Y)).importance is None


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.Logistic()], ids=str)
def test_a_game_learns_by_the_weights_of_its_rounds(learner):
    class Weighed(ls.Recorded):
        def chunks(self):
            yield replace(Examples.of(X[:3], Y[:3]), importance=IMPORTANCE[:3])

    whole = ls.play(ls.Player(learner, Doubled(), classes=(0, 1)), Weighed(X[:3], Y[:3].tolist())).player
    live = ls.Player(learner, Doubled(), classes=(0, 1))
    plain = ls.Player(learner, Doubled(), classes=(0, 1))
    for x, y, importance in zip(X, Y, IMPORTANCE[:3], strict=False):
        live.update(Row(None, x), int(y), importance)
        plain.update(Row(None, x), int(y))
    x = Row(None, np.array([0.5, 2.0]))
    assert whole.score(x) == live.score(x) != plain.score(x)
