"""What a player says of a chunk is what it says of its instances one by one."""

import numpy as np
import pytest
import scipy.sparse

from laws.examples import of
from littlestone import learners
from littlestone.base.chunks import Examples
from littlestone.base.errors import LittlestoneError
from littlestone.base.features import Indexed
from littlestone.base.traits import Probabilities, Scores
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from long_cases import leave_most_to_test_all

RNG = np.random.default_rng(5)
X = (RNG.random((60, 7)) < 0.4).astype(np.float32)
Y = X[:, 2] + X[:, 4] > 0


def rowwise():
    for make in learners.ALL:
        for learner in of(make):
            if isinstance(learner.features(), Indexed) and not learner.numeric:
                yield pytest.param(learner, id=str(learner))


@pytest.mark.parametrize("matrix", [X, scipy.sparse.csr_matrix(X)], ids=["dense", "sparse"])
@pytest.mark.parametrize("learner", leave_most_to_test_all(rowwise(), 4))
def test_a_chunk_is_predicted_as_its_rows_are(learner, matrix):
    try:
        player = play(learner, Recorded(matrix, Y)).player
    except LittlestoneError as problem:
        player = problem.game.player
    chunk = Examples.of(matrix, np.zeros(len(Y)))
    rows = [chunk[t] for t in range(len(chunk))]
    assert player.predictions(chunk) == [player.predict(x) for x in rows]
    if isinstance(learner, Scores):
        assert np.asarray(player.scores(chunk)).tolist() == [np.asarray(player.score(x)).tolist() for x in rows]
    if isinstance(learner, Probabilities):
        chances = [np.asarray(player.probability(x)).tolist() for x in rows]
        assert np.asarray(player.probabilities(chunk)).tolist() == chances


def test_rows_of_different_kinds_are_predicted_one_after_another():
    player = Player()
    player.update([1.0, 0.0], "a")
    player.update([0.0, 1.0], "b")
    kinds = [np.array([1.0, 0.0]), {1: 3.0}, np.array([0.0, 2.0], np.float32), {0: 2.0}]
    (chunk,) = Recorded(kinds, ["?"] * 4).chunks()
    assert player.predictions(chunk) == [player.predict(x) for x in kinds] == ["a", "b", "b", "a"]
