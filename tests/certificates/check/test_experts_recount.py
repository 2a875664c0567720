"""Exact recounts of votes."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import NotCertified
from littlestone.certificates.check.experts_recount import recount
from littlestone.environments import Panel
from littlestone.game.play import play
from littlestone.learners import FollowTheLeader, Hedge, RandomizedWeightedMajority, WeightedMajority

bits = st.sampled_from([0, 1])
panels = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.tuples(st.lists(bits, min_size=n, max_size=n), bits), min_size=1, max_size=20)
)


@given(panels, st.sampled_from([Fraction(1, 2), Fraction(1, 3), 0.9, 0]))
def test_a_recount_confirms_what_was_played(rounds, penalty):
    X, y = [x for x, _ in rounds], [y for _, y in rounds]
    for learner in (WeightedMajority(penalty), FollowTheLeader()):
        game, exact = play(learner, Panel(X, y)), recount(learner, X, y)
        assert (exact.mistakes, exact.guesses) == (game.mistakes, tuple(game.ledger.guesses.tolist()))
        assert exact.losses == tuple(learner.losses(game.player.state).tolist())
    for learner in (RandomizedWeightedMajority(penalty), FollowTheLeader(random=True)):
        assert play(learner, Panel(X, y)).expected == pytest.approx(float(recount(learner, X, y).mistakes), abs=1e-12)


def test_what_cannot_be_counted_exactly_says_so():
    with pytest.raises(NotCertified):
        recount(Hedge(), [[1]], [1])
    with pytest.raises(NotCertified):
        recount(WeightedMajority(), [[0.5]], [1])
