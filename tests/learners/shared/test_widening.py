"""A cluster's default: two classes by an averaged perceptron, a third as the network that played this very game."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import BadInstance, BadLabel
from littlestone.base.learner import fingerprint
from littlestone.cluster.passes import Job
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import AveragedPerceptron, Network
from littlestone.learners.network import widen_to_network


def make_widening():
    """The player that a cluster starts with, where no learner was named."""
    player = Player(AveragedPerceptron())
    player.widens = True
    return player


rounds = st.lists(
    st.tuples(st.lists(st.integers(-3, 3), min_size=2, max_size=2), st.sampled_from("abc")), min_size=1, max_size=30
)


@given(rounds)
def test_it_plays_the_network_of_its_learner_from_the_first_round_on(pairs):
    default, network = make_widening(), Player(Network(AveragedPerceptron()))
    for x, y in pairs:
        assert default.predict(x) == network.predict(x)
        default.update(x, y)
        network.update(x, y)
    assert default.tally == network.tally
    if len({y for _, y in pairs}) > 2:
        assert fingerprint(default.state) == fingerprint(network.state)


@given(rounds)
def test_live_and_chunked_agree_across_the_third_class(pairs):
    live, whole = make_widening(), make_widening()
    for x, y in pairs:
        live.update(np.array(x, float), y)
    game = play(whole, Recorded(np.array([x for x, _ in pairs], float), [y for _, y in pairs]))
    assert game.tally == live.tally
    assert fingerprint(live.state) == fingerprint(whole.state)
    assert live.learner == whole.learner


def test_a_refused_round_does_not_widen():
    player = make_widening()
    for x, y in (([1.0, 0], "a"), ([0, 1.0], "b")):
        player.update(x, y)
    with pytest.raises(BadLabel):
        player.update([1.0, 1.0], None)
    with pytest.raises(BadInstance):
        player.update([float("nan"), 1.0], "c")
    assert player.learner == AveragedPerceptron()
    player.update([1.0, 1.0], "c")
    assert player.learner == Network(AveragedPerceptron())
    assert player.labels.names == ["a", "b", "c"]


def test_a_learner_that_was_asked_for_refuses_a_third_class_and_names_the_network():
    player = Player(AveragedPerceptron())
    for y in "ab":
        player.update([1.0], y)
    with pytest.raises(BadLabel, match=r"Network\(learner\) or --learner network:NAME, takes any number of classes"):
        player.update([1.0], "c")


def test_only_a_margin_of_zero_widens():
    player = Player(AveragedPerceptron(margin=1))
    player.update([1.0], "a")
    with pytest.raises(ValueError, match="margin of zero"):
        widen_to_network(player.learner, player.state, player.size)


def test_three_declared_classes_are_a_network_from_the_start():
    player = Job(None, [Recorded(np.eye(3), list("abc"))])._make_player(None, ("a", "b", "c"))
    assert player.learner == Network(AveragedPerceptron())
    for _ in range(5):
        for k, label in enumerate("abc"):
            player.update(np.eye(3)[k], label)
    assert [player.predict(row) for row in np.eye(3)] == ["a", "b", "c"]
