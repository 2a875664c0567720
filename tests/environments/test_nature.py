import numpy as np
import pytest

from guessers import Always
from littlestone.base.errors import BadParameter, TooLarge
from littlestone.concepts import Parities, Thresholds
from littlestone.environments import Nature
from littlestone.environments.teacher import Conjunction
from littlestone.game.play import play
from littlestone.learners import Halving


def test_every_instance_is_equally_likely_by_default():
    game = play(Always(), Nature(Thresholds(9).concept(4)), rounds=4000, seed=5, transcript=True)
    counts = np.bincount([line.x for line in game.transcript], minlength=10)
    assert len(counts) == 10
    assert 400 - 6 * 19 < counts.min() <= counts.max() < 400 + 6 * 19  # six standard deviations


def test_halving_learns_from_it_within_its_bound():
    for seed in range(5):
        game = play(Halving(Parities(6)), Nature(Parities(6).concept(37)), rounds=200, seed=seed)
        assert game.certificate().holds
        assert game.certificate().witness["survivors"] == 1
        assert str(game.target) == "x1 + x3 + x6 mod 2"


def test_a_distribution_draws_from_the_seeded_generator():
    nature = Nature(lambda x: "big" if x > 6 else "small", lambda rng: int(rng.integers(10)), classes=("small", "big"))
    game = play(Always(1), nature, rounds=50, transcript=True)
    assert all((line.x > 6) == (line.y == "big") for line in game.transcript)
    assert game.mistakes == sum(line.y == "small" for line in game.transcript)
    assert nature.classes() == ("small", "big")


def test_it_tells_the_number_of_attributes_before_the_first_round_without_losing_an_instance():
    drawn = []

    def distribution(rng):
        drawn.append(tuple(rng.integers(2, size=5).tolist()))
        return drawn[-1]

    game = play(Always(), Nature(Conjunction(frozenset({1})), distribution), rounds=3, transcript=True)
    assert game.environment.size().attributes == 5
    assert [line.x for line in game.transcript] == drawn[:3]


def test_points_that_are_no_vectors_have_no_attributes():
    nature = Nature(Thresholds(9).concept(4))
    nature.start(0)
    assert nature.size().attributes == 0


def test_it_has_no_end_of_its_own():
    assert Nature(Thresholds(3).concept(1)).rounds is None
    with pytest.raises(BadParameter, match="say how many rounds"):
        play(Always(), Nature(Thresholds(3).concept(1)))


def test_what_it_cannot_draw_from_is_refused():
    with pytest.raises(TooLarge, match="more than 1048576 instances"):
        Nature(Thresholds(10**9).concept(5))
    with pytest.raises(BadParameter, match="needs a distribution"):
        Nature(lambda x: True)
    with pytest.raises(BadParameter, match="target must be"):
        Nature(3)
