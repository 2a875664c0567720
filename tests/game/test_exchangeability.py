import re

import numpy as np
import pytest

from coverage_of import keeps
from littlestone import (
    AveragedPerceptron,
    Bisection,
    Halving,
    Hedge,
    Perceptron,
    Recorded,
    Thresholds,
    Winnow,
    drift,
    play,
)
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.game.exchangeability import find_mistakes
from littlestone.game.leading_rounds import collect_rounds
from reference import permutation_chance


def gaussian(rng, rounds, noise=0.1):
    X = rng.normal(size=(rounds, 3))
    return X, (X @ np.array([1.0, 2.0, -1.0]) > 0) ^ (rng.random(rounds) < noise)


def test_independent_rounds_are_objected_to_no_more_often_than_promised():
    """400 streams of 40 rounds, 9 shuffles each, alarm 0.1; false-alarm rate of this test in `coverage_of`."""
    trials = 400
    objections = sum(
        bool(
            drift(Perceptron(), Recorded(*gaussian(np.random.default_rng(seed), 40)), shuffles=9, alarm=0.1, seed=seed)
        )
        for seed in range(trials)
    )
    assert keeps(objections, trials, 0.1)
    assert objections > trials / 20  # exact, up to ties: an idle check would not object at all


def test_a_target_that_changes_and_labels_that_come_in_blocks_are_objected_to():
    rng = np.random.default_rng(0)
    X, y = gaussian(rng, 2000)
    changed = np.where(np.arange(2000) < 1000, y, ~y)
    found = drift(Perceptron(), Recorded(X, changed))
    assert found
    assert found.chance == 0.01
    assert "do not look exchangeable" in str(found)
    assert re.search(r"out of line are rounds [\d,]+ to [\d,]+: \d+ mistakes, \d+ to \d+ when shuffled", str(found))
    order = np.argsort(y, kind="stable")
    assert drift(Perceptron(), Recorded(X[order], y[order]))


def test_shuffled_rounds_meet_no_objection():
    rng = np.random.default_rng(1)
    X, y = gaussian(rng, 2000)
    for learner in (Perceptron(), AveragedPerceptron(), Winnow(threshold=2.0)):
        found = drift(learner, Recorded(np.abs(X) > 0.5, y))
        assert not found
        assert str(found).startswith("no objection: ")


def test_the_chance_is_that_of_the_plain_twin():
    for seed in range(20):
        found = drift(Perceptron(), Recorded(*gaussian(np.random.default_rng(seed), 50)), shuffles=19, alarm=0.1)
        games = np.column_stack((found.games, found.repeats)).tolist()
        assert found.chance == permutation_chance(games)
        assert found.games.shape == (20, 16)


def test_the_first_game_is_the_one_that_was_played():
    X, y = gaussian(np.random.default_rng(2), 300)
    stream = Recorded(X, y)
    game = play(Perceptron(), stream)
    found = game.drift()
    assert found.mistakes[0] == game.mistakes
    wrong = find_mistakes(Perceptron(), collect_rounds(stream), (False, True))
    assert found.repeats[0] == sum(a and b for a, b in zip(wrong[1:], wrong[:-1], strict=True))
    assert found.games[0].tolist() == [
        int(wrong[a:b].sum()) for a, b in zip(found.edges[:-1], found.edges[1:], strict=True)
    ]


def test_points_of_a_domain_are_shuffled_too():
    concepts, rng = Thresholds(30), np.random.default_rng(3)
    points = rng.integers(0, 31, 200).tolist()
    assert not drift(Halving(concepts), Recorded(points, [x >= 7 for x in points]))
    stream = Recorded(sorted(points), [x >= 7 for x in sorted(points)])
    assert drift(Halving(concepts), stream).mistakes[0] == play(Halving(concepts), stream).mistakes
    assert len(set(drift(Halving(concepts), stream).mistakes)) > 1


def test_a_stream_without_rounds_or_without_mistakes_meets_no_objection():
    assert not drift(Perceptron(), Recorded(np.zeros((0, 2)), np.zeros(0, bool)))
    assert not drift(Perceptron(), Recorded(np.ones((5, 1)), [False] * 5))


def test_reordered_rounds_are_the_same_rounds():
    rng = np.random.default_rng(4)
    X = np.where(rng.random((30, 5)) < 0.5, 0.0, rng.normal(size=(30, 5)))
    order = rng.permutation(30)
    for chunk in (collect_rounds(Recorded(X, np.arange(30))), collect_rounds(Recorded(X, np.arange(30))).to_sparse()):
        other = chunk.take(order)
        for t, source in enumerate(order):
            row = other[t].to_sparse()
            dense = np.zeros(5)
            dense[row.indices] = row.values
            assert np.array_equal(dense, X[source])
        assert other.labels.tolist() == order.tolist()


def test_rounds_are_held_across_chunks_and_up_to_a_number():
    stream = Recorded(np.eye(7), list("abcdefg"))
    whole = stream._chunk
    stream.chunks = lambda: iter([whole[:3], whole[3:4], whole[4:]])
    assert collect_rounds(stream).labels.tolist() == list("abcdefg")
    five = collect_rounds(stream, 5)
    assert len(five) == 5
    assert [five[t].to_sparse().indices.tolist() for t in range(5)] == [[t] for t in range(5)]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"alarm": 0}, "got 0"), ({"alarm": 0.001}, "needs 999 shuffles, got 99"), ({"shuffles": 5}, "needs 99 shuffles")],
)
def test_alarms_that_so_few_shuffles_cannot_give_are_refused(options, message):
    with pytest.raises(BadParameter, match=message):
        drift(Perceptron(), Recorded([[1.0]], [True]), **options)


def test_what_cannot_be_shuffled_is_refused():
    concepts = Thresholds(6)
    with pytest.raises(BadParameter, match="only a stream"):
        drift(Halving(concepts), Bisection(concepts))
    with pytest.raises(NotCertified, match="is no stream"):
        play(Halving(concepts), Bisection(concepts)).drift()
    with pytest.raises(NotCertified, match="predicts numbers"):
        drift(Hedge(1.0), Recorded([[1.0]], [1.0]))
