"""Restarting: Winnow without its margin stays within the bound of the phases, however its rounds are cut."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
import reference
from littlestone import laws
from littlestone.base.chunks import Row
from littlestone.base.errors import BadInstance, BadParameter, NotCertified
from littlestone.base.learner import Size, fingerprint
from littlestone.learners.conversions import Restarting


def noise(rounds, n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (rounds, n)).astype(float), rng.random(rounds) < 0.5


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_agrees_with_its_plain_twin_on_noise_through_the_ends_of_phases(seed):
    X, y = noise(420, 2, seed)
    game = ls.play(Restarting(ls.Winnow()), ls.Recorded(X, y, classes=(False, True)), transcript=True)
    guesses, ended = reference.restarting(
        [(x.astype(int).tolist(), bool(label)) for x, label in zip(X, y, strict=True)], 2
    )
    assert [one.guess for one in game.transcript] == guesses
    assert game.player.state.phases.tolist() == ended
    assert ended


def test_phases_end_at_the_same_round_however_the_rounds_are_cut():
    X, y = noise(3000, 5)
    learner, ends = Restarting(ls.Winnow()), set()
    for length in (1, 17, 1024, 3000):
        player = ls.Player(learner, classes=(False, True))
        player.start_state(Size(5))
        chunk = ls.Recorded(X, y)._chunk
        for first in range(0, 3000, length):
            part, done = chunk[first : first + length], 0
            while done < len(part):
                done += len(player.replay(part[done:])[0])
        ends.add((fingerprint(player.state), player.tally))
    assert len(ends) == 1
    assert player.tally.updates == sum(player.state.phases) + learner.phase(len(player.state.phases) + 1).moves(
        player.state.inner
    )
    assert len(player.state.phases) >= 1


def test_a_phase_has_one_update_more_than_it_may():
    X, y = noise(6000, 5, 1)
    game = ls.play(Restarting(ls.Winnow()), ls.Recorded(X, y))
    learner = game.player.learner
    assert game.player.state.phases.tolist() == [
        learner.patience(j, 5) + 1 for j in range(1, len(game.player.state.phases) + 1)
    ]


@pytest.mark.parametrize(("k", "needed"), [(1, 1), (3, 2), (5, 3)])
def test_thresholds_of_several_attributes_are_learned_within_the_bound(k, needed):
    """x_1 + ... + x_k >= r has weights 1/r each: sum k/r, margin 1/r."""
    rng = np.random.default_rng(k)
    X = rng.integers(0, 2, (3000, 6)).astype(float)
    y = X[:, :k].sum(axis=1) >= needed
    learner = Restarting(ls.Winnow())
    game = ls.play(learner, ls.Recorded(X, y))
    assert game.updates <= learner.bound(6, margin=1 / needed - 1e-12, norm=k / needed).mistakes
    assert ls.play(game.player, ls.Recorded(X, y)).mistakes == 0  # it has been learned


def test_the_bound_is_that_of_the_phases_up_to_the_one_that_fits():
    learner = Restarting(ls.Winnow(), attributes=8)
    caps = [learner.patience(j, 8) for j in (1, 2, 3)]
    assert learner.bound(margin=1, norm=1).mistakes == caps[0]
    assert learner.bound(margin=0.25, norm=1).mistakes == caps[0] + caps[1] + 1
    assert learner.bound(margin=1, norm=8).mistakes == sum(caps) + 2
    assert 7 < caps[2] / caps[1] < 9
    with pytest.raises(NotCertified, match="out of reach"):
        learner.bound(margin=2.0**-13, norm=1)


def test_obeys_every_law():
    rng = np.random.default_rng(1)
    rounds = [(x.tolist(), bool(y)) for x, y in zip(rng.integers(0, 2, (40, 2)), rng.random(40) < 0.5, strict=True)]
    learner = Restarting(ls.Winnow(), attributes=2)
    assert len(laws.check(learner, rounds)) == len(laws.LAWS)
    mixed = rounds * 5
    assert len(laws.check(learner, mixed)) == len(laws.LAWS)
    assert len(ls.play(learner, ls.Recorded([x for x, _ in mixed], [y for _, y in mixed])).player.state.phases) >= 1


def test_rows_over_more_attributes_are_refused_and_those_before_are_played():
    with pytest.raises(BadInstance, match="below 2, got 2"):
        ls.Player(Restarting(ls.Winnow(), attributes=2)).update([0, 0, 1], True)
    player = ls.Player(Restarting(ls.Winnow()), classes=(False, True))
    player.start_state(Size(2))
    with pytest.raises(BadInstance, match="fixed when it started"):
        player.update([0, 0, 1], True)
    with pytest.raises(BadInstance, match="fixed when it started") as caught:
        ls.play(player, ls.Recorded([{0: 1.0}, {2: 1.0}], [True, False]))
    assert caught.value.game.rounds == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: Restarting(ls.Perceptron()),
        lambda: Restarting(ls.BalancedWinnow()),
        lambda: Restarting(ls.Winnow(eliminate=True)),
        lambda: Restarting(ls.Winnow(floor=0.5)),
        lambda: Restarting(ls.Winnow(promotion=1.5)),
        lambda: Restarting(ls.Winnow(), attributes=0),
        lambda: Restarting(ls.Winnow()).start(Size(0)),
        lambda: Restarting(ls.Winnow()).bound(margin=0.5, norm=1),
        lambda: Restarting(ls.Winnow()).bound(4, margin=0, norm=1),
        lambda: Restarting(ls.Winnow()).bound(4, margin=0.5),
    ],
)
def test_refuses_what_the_theorem_does_not_cover(make):
    with pytest.raises(BadParameter):
        make()


def test_scores_are_those_of_the_phase_that_plays():
    learner = Restarting(ls.Winnow(), attributes=3)
    state = learner.start(Size(3))
    row = Row(None, np.array([1.0, 1.0, 0.0]))
    assert learner.score(state, row) == learner.phase(1).score(state.inner, row) == -1
