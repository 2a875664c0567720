"""Live play of the default learner, row by row, gives the bits of a chunk."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import littlestone as ls
from littlestone.base.chunks import Examples
from littlestone.base.learner import fingerprint

ROWS = np.random.default_rng(0).normal(size=(600, 57))
LABELS = (ROWS[:, 0] + ROWS[:, 1] > 0).tolist()
DICTS = [{f"a{k}": value for k, value in enumerate(row)} for row in ROWS.tolist()]


def test_rows_that_come_alone_give_the_bits_of_a_chunk():
    for learner in (ls.Logistic(), ls.Logistic(classes="both"), ls.AdaGrad(), ls.Aioli()):
        alone, others = ls.Player(learner), [ls.Player(learner) for _ in range(2)]
        for x, y in zip(ROWS[:80], LABELS, strict=False):
            for player in (alone, *others):  # which share a learner and take turns
                assert player.predict(x) == player.predictions(Examples.of([x], [y]))[0]
                player.update(x, y)
        whole = ls.play(learner, ls.Recorded(ROWS[:80], LABELS[:80])).player
        for player in (alone, *others):
            assert fingerprint(player.state[1:]) == fingerprint(whole.state[1:])  # without the room for attributes
        assert ask_in_threads(others) == [ask_all(whole)] * 2


def ask_all(player):
    return [player.probability(x) for x in ROWS[80:120]]


def ask_in_threads(players):
    with ThreadPoolExecutor(len(players)) as pool:
        return list(pool.map(ask_all, players))


def test_a_long_chunk_is_predicted_row_for_row():
    player = ls.play(ls.Perceptron(), ls.Recorded(ROWS, LABELS)).player
    many = np.tile(ROWS, (50, 1))  # more than one turn
    assert player.predictions(Examples.of(many, [False] * len(many))) == player.predict_many(ROWS) * 50
