"""Tracking: changing targets are found again, within the bound of the best schedule of copies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
import reference
from littlestone import laws
from littlestone.base.errors import BadInstance, BadParameter, NotCertified
from littlestone.base.learner import Size, fingerprint
from littlestone.learners.conversions import Tracking
from littlestone.learners.experts.schedules import find_schedule


def changing(rounds=1200, n=20, every=300, seed=0):
    """An OR of two attributes, other ones after every so many rounds."""
    rng = np.random.default_rng(seed)
    X = (rng.random((rounds, n)) < 0.3).astype(float)
    members = [rng.permutation(n)[:2] for _ in range(0, rounds, every)]
    return X, np.array([X[t, members[t // every]].any() for t in range(rounds)])


def test_finds_a_changed_target_again_within_the_bound_of_its_schedule():
    X, y = changing()
    learner = Tracking(ls.Winnow(threshold=20.0, eliminate=True), periods=(300,))
    game = ls.play(learner, ls.Recorded(X, y))
    steady = ls.play(ls.Winnow(threshold=20.0, eliminate=True), ls.Recorded(X, y))
    assert game.expected < steady.mistakes / 2  # eliminated attributes never come back
    certificate = game.certificate()
    assert certificate.holds
    assert certificate.counted == game.expected
    assert certificate.witness["schedule"][0][0] == 1
    assert type(certificate).from_json(certificate.to_json()) == certificate


def test_the_bound_for_a_changing_target_is_kept():
    X, y = changing()
    inner = ls.Winnow(threshold=20.0)
    learner = Tracking(inner, periods=(100, 300))
    most = inner.bound(attributes=20, relevant=2).mistakes
    game = ls.play(learner, ls.Recorded(X, y))
    assert game.expected <= learner.bound(rounds=1200, mistakes=most, changes=3).value
    assert learner.bound(rounds=1200, mistakes=most).value <= most + learner.share.regret(3, 1200) + 1e-6
    with pytest.raises(NotCertified, match="say how many mistakes"):
        learner.bound(rounds=10)


def test_copies_are_games_of_their_own_between_fresh_starts():
    X, y = changing(rounds=230, every=80)
    game = ls.play(Tracking(ls.Perceptron(), periods=(50, 100)), ls.Recorded(X, y))
    for k, period in enumerate((50, 100, 230)):
        made = sum(
            ls.play(ls.Perceptron(), ls.Recorded(X[t : t + period], y[t : t + period], classes=(False, True))).mistakes
            for t in range(0, 230, period)
        )
        assert game.player.state.errors[0][:, k].sum() == made


@pytest.mark.parametrize("lengths", [[1] * 230, [7] * 33, [230], [50, 51, 129]])
def test_one_game_however_the_rounds_are_cut(lengths):
    X, y = changing(rounds=230, every=80)
    learner = Tracking(ls.Winnow(threshold=20.0), periods=(50, 100))
    whole = ls.play(learner, ls.Recorded(X, y, classes=(False, True)))
    player, first = ls.Player(learner, classes=(False, True)), 0
    player.start_state(Size(20))
    for length in lengths:
        stop = min(230, first + length)
        player.replay(ls.Recorded(X[first:stop], y[first:stop])._chunk)
        first = stop
    assert player.tally == whole.tally
    assert fingerprint(player.state.copies) == fingerprint(whole.player.state.copies)
    assert fingerprint(player.state.shares) == fingerprint(whole.player.state.shares)


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=1, max_size=7),
    st.sampled_from([0.25, 0.5, 1.5, 10.0]),
)
def test_the_schedule_is_the_cheapest_of_all(errors, price):
    followed = find_schedule(np.array(errors, float), price)
    cost = sum(errors[t][k] for t, k in enumerate(followed)) + price * np.count_nonzero(np.diff(followed))
    assert cost == reference.cheapest_schedule(errors, price)


def test_obeys_every_law():
    rng = np.random.default_rng(1)
    rounds = [(x.tolist(), bool(y)) for x, y in zip(rng.integers(0, 2, (30, 3)), rng.random(30) < 0.5, strict=True)]
    learner = Tracking(ls.Perceptron(), periods=(4, 10))
    assert len(laws.check(learner, rounds)) == len(laws.LAWS)


def test_a_refused_round_changes_nothing_and_those_before_it_are_played():
    X = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [1.0, 1.0]]
    with pytest.raises(BadInstance, match=r"0 or 1, got 0\.5") as caught:
        ls.play(Tracking(ls.Winnow(threshold=2.0), periods=(3,)), ls.Recorded(X, [True, False, True, True]))
    game = caught.value.game
    assert game.rounds == 2
    assert [int(copy.counts[0]) for copy in game.player.state.copies] == [2, 2]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Tracking("winnow"),
        lambda: Tracking(ls.Hedge(1.0)),
        lambda: Tracking(ls.Network(ls.Perceptron())),
        lambda: Tracking(ls.Perceptron(), periods=()),
        lambda: Tracking(ls.Perceptron(), periods=(0,)),
        lambda: Tracking(ls.Perceptron(), switching=1.0),
        lambda: Tracking(ls.Perceptron(), rate=0.0),
        lambda: Tracking(ls.Perceptron()).bound(),
    ],
)
def test_refuses_what_has_no_meaning(make):
    with pytest.raises(BadParameter):
        make()


def test_no_rounds_no_schedule():
    learner = Tracking(ls.Perceptron())
    with pytest.raises(NotCertified, match="no schedule"):
        ls.Player(learner).certificate()
