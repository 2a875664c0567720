"""The memorizer: one mistake for each instance, and without prior knowledge nobody does better."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.chunks import Examples, Instances, Row
from littlestone.base.errors import BadInstance, BadParameter, NotCertified, NotRealizable
from littlestone.base.learner import Size
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import Consistent, Halving, Memorizer
from tables import Table, worst_case

functions = st.dictionaries(st.integers(-5, 5) | st.sampled_from(["a", ("b", 2)]), st.integers(0, 3), min_size=1)


@settings(deadline=None)
@given(function=functions, data=st.data())
def test_guesses_as_the_plain_rule_does_and_keeps_its_bound(function, data):
    points = data.draw(st.lists(st.sampled_from(list(function))))
    rounds = [(x, function[x]) for x in points]
    stream = Recorded(points, [y for _, y in rounds], classes=(0, 1, 2, 3))
    game = play(Memorizer(), stream, transcript=True)
    assert [r.guess for r in game.transcript] == reference.memorizer(rounds)
    replayed = play(Memorizer(), stream)
    assert replayed.mistakes == game.mistakes <= len(set(points)) == game.updates
    assert replayed.player.state == game.player.state
    certificate = game.certificate()
    assert certificate.holds
    assert certificate.bound == certificate.witness["instances"] == len(set(points))


@pytest.mark.parametrize("n", range(1, 5))
def test_the_memorizing_learner_errs_at_most_once_an_instance_and_no_learner_of_every_function_does_better(n):
    every = Table(tuple(product((0, 1), repeat=n)))
    for learner in (Memorizer(), Halving(every), Consistent(every)):
        state = learner.start(Size())
        for x in range(n):  # the opposite of every guess, n mistakes in all: never refused, so some function fits
            guess = learner.predict(state, x)
            learner.update(state, x, 1 - guess, guess)
            assert learner.predict(state, x) == 1 - guess
    memorizer = Memorizer()
    worst = worst_case(memorizer, memorizer.start(Size()), range(n), lambda x: (0, 1))
    assert worst == n == memorizer.bound(instances=n).mistakes


def test_an_instance_that_comes_back_with_another_label_is_refused():
    player = Player(Memorizer())
    player.update(("a", 1), "yes")
    player.update("b", "no")
    with pytest.raises(NotRealizable, match="rounds 1 to 3 are the shortest inconsistent prefix"):
        player.update(("a", 1), "no")
    assert player.predict(("a", 1)) == "yes"
    assert player.tally[:3] == (2, 1, 2)  # the first guess is class 0, which is "yes"


def test_rows_are_remembered_by_their_numbers_however_they_are_written():
    learner = Memorizer()
    state = learner.start(Size())
    learner.update(state, Row(np.array([2, 0]), None), 1, 0)
    same = [
        Row(np.array([0, 2], np.int32), np.array([1, 1], np.float32)),
        Row(np.array([2, 1, 0]), np.array([1.0, 0.0, 1.0])),
    ]
    other = [Row(np.array([0]), None), Row(np.array([0, 2]), np.array([1.0, 2.0])), Row(np.array([0, 1]), None)]
    assert [learner.predict(state, x) for x in same + other] == [1, 1, 0, 0, 0]
    learner.update(state, Row(np.array([3, 1]), np.array([5.0, 7.0])), 1, 0)
    swapped = [Row(np.array([1, 3]), np.array(values)) for values in ([7.0, 5.0], [5.0, 7.0])]
    assert [learner.predict(state, x) for x in swapped] == [1, 0]


def test_rows_are_learned_the_same_live_and_replayed():
    X = np.random.default_rng(0).integers(0, 2, (60, 4))
    y = X @ [8, 4, 2, 1] % 3
    stream = Recorded(X, y)
    live, whole = play(Memorizer(), stream, transcript=True), play(Memorizer(), stream)
    assert live.mistakes == whole.mistakes <= whole.updates == len({tuple(x) for x in X})
    assert live.player.state == whole.player.state
    assert live.player.learner.key(live.player.state) == whole.player.learner.key(whole.player.state)


def test_refuses_an_instance_that_cannot_be_remembered():
    player = Player(Memorizer())
    with pytest.raises(BadInstance, match=r"hashable \(a tuple, not a list\), got a list"):
        player.update([1, 2], True)
    read = Memorizer().features()
    leading = read.read_chunk(Instances.of([3, "x", {}, 4], [1, 0, 1, 1]))
    assert (list(leading), leading.labels.tolist()) == ([3, "x"], [1, 0])
    with pytest.raises(BadInstance):
        read.read_chunk(Instances.of([{}, 4], [1, 1]))
    rows = Examples.of([[1, 0]], [1])
    assert read.read_chunk(rows) is rows


def test_promises_nothing_without_the_number_of_instances():
    with pytest.raises(NotCertified):
        Memorizer().bound()
    with pytest.raises(BadParameter):
        Memorizer().bound(instances=-1)
