import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from guessers import GUESSERS, Scrambled
from littlestone.base.errors import BadParameter
from littlestone.environments import ConstantExperts, RandomExperts
from littlestone.environments import random_experts as module
from littlestone.game.play import play


@pytest.mark.parametrize("rounds", [0, 1, 2, 9, 30])
def test_the_better_constant_expert_errs_in_at_most_half_of_the_rounds(rounds):
    for learner in GUESSERS:
        game = play(learner, ConstantExperts(rounds), transcript=True)
        losses = [sum(line.x[i] != line.y for line in game.transcript) for i in range(2)]
        assert tuple(losses) == game.environment.losses
        assert sum(losses) == game.mistakes == rounds
        assert min(losses) <= rounds / 2


def plain_minimum(experts, rounds):
    """The best expert's expected mistakes, over every sequence of coins; only agreement with the outcome matters."""
    total = sum(
        min(sum(losses[i::experts]) for i in range(experts)) for losses in product((0, 1), repeat=experts * rounds)
    )
    return Fraction(total, 2 ** (experts * rounds))


@pytest.mark.parametrize(("experts", "rounds"), [(1, 3), (2, 1), (2, 2), (2, 5), (3, 3), (4, 3), (6, 2), (9, 1)])
def test_the_lower_bound_is_what_counting_every_game_gives(experts, rounds):
    assert RandomExperts.lower_bound(experts, rounds) == Fraction(rounds, 2) - plain_minimum(experts, rounds)


def test_the_lower_bound_has_its_gold_values():
    bound = RandomExperts.lower_bound
    assert bound(2, 1) == Fraction(1, 4)
    assert bound(2, 2) == Fraction(3, 8)
    assert bound(2, 10) == Fraction(230945, 262144)
    assert round(float(bound(10, 100)), 5) == 7.67798
    assert round(float(bound(1000, 1000)), 5) == 51.20931
    assert bound(1, 17) == bound(5, 0) == 0


def test_the_lower_bound_is_below_the_regret_that_hedge_guarantees():
    for experts, rounds in product((2, 5, 50), (1, 10, 200)):
        assert 0 < RandomExperts.lower_bound(experts, rounds) <= math.sqrt(rounds * math.log(experts) / 2)


def test_a_rounded_lower_bound_is_still_one(monkeypatch):
    for experts, rounds in ((2, 10), (10, 100), (3, 200), (500, 4)):
        exact = RandomExperts.lower_bound(experts, rounds)
        monkeypatch.setattr(module, "EXACT", 0)
        rounded = RandomExperts.lower_bound(experts, rounds)
        monkeypatch.undo()
        assert 0 <= exact - rounded < Fraction(1, 2**64)


def test_votes_and_outcomes_are_fair_coins_independent_of_one_another():
    game = play(Scrambled(), RandomExperts(4, 4000), seed=3, transcript=True)
    votes = np.array([line.x for line in game.transcript])
    outcomes = np.array([line.y for line in game.transcript])
    assert votes.shape == (4000, 4)
    assert set(np.unique(votes)) == {0, 1}
    spread = 6 * math.sqrt(4000) / 2
    assert (abs(votes.sum(axis=0) - 2000) < spread).all()
    assert abs(outcomes.sum() - 2000) < spread
    assert (abs((votes == outcomes[:, None]).sum(axis=0) - 2000) < spread).all()
    assert abs(game.mistakes - 2000) < spread


def test_the_stream_does_not_depend_on_how_it_is_cut(monkeypatch):
    whole = [(line.x, line.y) for line in play(Scrambled(), RandomExperts(3, 50), seed=1, transcript=True).transcript]
    monkeypatch.setattr(module, "CELLS", 28)
    cut = [(line.x, line.y) for line in play(Scrambled(), RandomExperts(3, 50), seed=1, transcript=True).transcript]
    assert whole == cut


def test_a_replayed_stream_is_the_live_one():
    live = play(Scrambled(), RandomExperts(3, 200), seed=4, transcript=True)
    replayed = play(Scrambled(), RandomExperts(3, 200), seed=4)
    assert live.mistakes == replayed.mistakes
    assert live.player.state == replayed.player.state


def test_impossible_panels_are_refused():
    with pytest.raises(BadParameter, match="experts must be at least 1"):
        RandomExperts(0, 3)
    with pytest.raises(BadParameter, match="rounds must be at least 0"):
        RandomExperts(3, -1)
    with pytest.raises(BadParameter, match="experts must be at least 1"):
        RandomExperts.lower_bound(0, 3)
    with pytest.raises(BadParameter, match="rounds must be at least 0"):
        ConstantExperts(-1)
