"""A concept class as a pool of experts: agnostic halving."""

import math

import numpy as np
import pytest

from littlestone.base.errors import BadParameter, NotRealizable
from littlestone.concepts import Parities, Thresholds
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Halving, Hedge, ImprovedMajority, RandomizedWeightedMajority, WeightedMajority
from littlestone.learners.conversions.pool import Pool


def noisy(concepts, index, rounds, rate, seed):
    rng = np.random.default_rng(seed)
    points = list(concepts.instances())
    xs = [points[k] for k in rng.integers(0, len(points), rounds)]
    return xs, [bool(concepts.label(index, x)) != bool(rng.random() < rate) for x in xs]


@pytest.mark.parametrize("learner", [WeightedMajority(), RandomizedWeightedMajority(), ImprovedMajority()], ids=str)
def test_with_noise_the_pool_stays_within_its_bound_where_halving_gives_up(learner):
    concepts = Thresholds(30)
    xs, ys = noisy(concepts, 11, 300, 0.1, 3)
    with pytest.raises(NotRealizable):
        play(Halving(concepts), Recorded(xs, ys))
    game = play(Pool(concepts, learner), Recorded(xs, ys))
    best = min(sum(concepts.label(j, x) != y for x, y in zip(xs, ys, strict=True)) for j in range(concepts.size))
    certificate = game.certificate()
    assert certificate.holds
    assert certificate.witness["losses"] == best
    assert certificate.bound <= game.player.learner.bound(best).value + 1e-9
    assert game.mistakes < 100


def test_without_noise_and_with_penalty_zero_it_is_halving():
    concepts = Parities(4)
    xs, ys = noisy(concepts, 9, 60, 0.0, 1)
    pool, halving = (play(learner, Recorded(xs, ys), transcript=True)
                     for learner in (Pool(concepts, WeightedMajority(0)), Halving(concepts)))  # fmt: skip
    assert [round.guess for round in pool.transcript] == [round.guess for round in halving.transcript]


def test_agnostic_regret_grows_no_faster_than_the_root_of_the_rounds():
    concepts, rounds = Thresholds(14), 800
    xs, ys = noisy(concepts, 5, rounds, 0.3, 0)
    best = min(sum(concepts.label(j, x) != y for x, y in zip(xs, ys, strict=True)) for j in range(concepts.size))
    tuned = RandomizedWeightedMajority.tuned(concepts.size, best)
    game = play(Pool(concepts, tuned), Recorded(xs, ys))
    assert game.expected - best <= math.sqrt(2 * best * math.log(16)) + math.log(16)
    assert (game.expected - best) / rounds < math.sqrt(math.log(16) / rounds)


def test_what_cannot_vote_is_refused():
    with pytest.raises(BadParameter):
        Pool(Thresholds(3), Hedge())
