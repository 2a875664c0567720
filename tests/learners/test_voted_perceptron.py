"""The voted perceptron: the list of vectors spelled out, the perceptron that plays, and the theorem's leave-one-out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadInstance, BadParameter
from littlestone.base.learner import Size
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import Perceptron, VotedPerceptron
from reference import vote, voted_perceptron
from row_games import noisy


def played(learner, rounds):
    player = Player(learner, classes=(-1, 1))
    play(player, Recorded(np.array([x for x, _ in rounds], float), [y for _, y in rounds]))
    return player


@given(st.integers(1, 4).flatmap(lambda d: st.tuples(noisy(d, longest=60), noisy(d, longest=8))))
def test_agrees_with_its_twin_on_noisy_rounds(games):
    rounds, new = games
    player = played(VotedPerceptron(bias=0), rounds)
    scores, voters = voted_perceptron(rounds)
    state = player.state
    assert state.survival[: len(voters)].tolist() == [c for _, c in voters]
    assert not state.survival[len(voters) :].any()
    assert state.weights.tolist() == voters[-1][0]
    assert player.tally.mistakes == sum((s > 0) != (y > 0) for (_, y), s in zip(rounds, scores, strict=True))
    for x, _ in new + rounds:
        assert player.score(x) == vote(voters, x)
        assert player.predict(x) == (1 if vote(voters, x) > 0 else -1)


@given(noisy(3, longest=60), st.sampled_from([0.0, 1.0, 2.0]))
def test_plays_as_the_perceptron_does(rounds, bias):
    voted, plain = played(VotedPerceptron(bias), rounds), played(Perceptron(bias=bias), rounds)
    assert voted.tally == plain.tally
    assert voted.state.weights.tolist() == plain.state.weights.tolist()
    assert voted.state.bias.tolist() == plain.state.bias.tolist()


def test_the_vote_may_overrule_the_last_vector():
    rounds = [([1], 1)] * 6 + [([3], -1), ([0], 1)]
    player = played(VotedPerceptron(bias=0), rounds)
    learner, x = player.learner, Row(None, np.array([1.0]))
    assert learner.predict(player.state, x) == 0
    assert player.predict([1]) == 1


def test_the_survivals_count_every_round_and_the_zero_vector():
    rounds = [([1, 0], 1), ([1, 1], 1), ([0, 1], -1), ([1, 1], 1)]
    state = played(VotedPerceptron(), rounds).state
    assert state.survival.sum() == 1 + len(rounds)
    assert state.support.rows == state.counts[1]


def test_leaving_a_round_out_the_vote_errs_as_rarely_as_the_theorem_says():
    rng = np.random.default_rng(6)
    u, m, errors, updates, games = np.array([1.0, -2.0, 0.5]), 30, 0, 0, 200
    for _ in range(games):
        X = rng.normal(size=(m + 1, 3))
        y = np.sign(X @ u + 0.3 * rng.normal(size=m + 1))
        player = Player(VotedPerceptron(bias=0), classes=(-1.0, 1.0))
        play(player, Recorded(X[:m], y[:m]))
        errors += np.sign(player.score(X[m])) != y[m]
        updates += play(VotedPerceptron(bias=0), Recorded(X, y)).updates
    assert 0 < errors / games <= 2 * updates / games / (m + 1)


def test_support_grows_with_attributes_and_mistakes():
    rng = np.random.default_rng(7)
    player, rounds = Player(VotedPerceptron(bias=0), classes=(-1, 1)), []
    for t in range(60):
        x, y = np.zeros(1 + t), int(rng.choice([-1, 1]))
        x[[t, t // 2]] = 1
        player.update(dict(enumerate(x)), y)
        rounds.append((x.tolist() + [0.0] * (59 - t), y))
    _, voters = voted_perceptron(rounds)
    assert player.state.support.rows == len(voters) - 1 > 16
    assert [player.score(x) for x, _ in rounds] == [vote(voters, x) for x, _ in rounds]


def test_refuses_what_it_cannot_use():
    with pytest.raises(BadParameter, match="bias"):
        VotedPerceptron(bias=-1)
    learner, chunk = VotedPerceptron(), Examples.of(np.ones((1, 2)), np.ones(1, np.int32))
    weighty = Examples(chunk.indptr, None, chunk.values, chunk.labels, 2, np.array([2.0]))
    with pytest.raises(BadInstance, match="importance"):
        learner.replay(learner.start(Size(2)), weighty, np.zeros(1, np.int32))
