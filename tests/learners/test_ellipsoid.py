"""The ellipsoid: gold steps, its twin, its bounds on random games and against an adversary, and its dimension."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadInstance, BadParameter, NotCertified, TooLarge
from littlestone.base.features import Named
from littlestone.base.learner import Size, fingerprint
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import Ellipsoid
from littlestone.learners.ellipsoid import bound_ln, bound_loss
from reference import ellipsoid
from row_games import agree, noisy, scores_of, separable


def test_the_gold_steps_in_the_plane():
    player = Player(Ellipsoid(attributes=2))
    player.update([1, 0], True)
    assert player.state.weights == pytest.approx([1 / 3, 0])
    assert player.learner.matrix(player.state) == pytest.approx(np.diag([4 / 9, 4 / 3]))
    player.update([0, 1], True)
    assert player.state.weights == pytest.approx([1 / 3, 2 / (3 * math.sqrt(3))])
    assert player.learner.matrix(player.state) == pytest.approx(np.diag([16 / 27, 16 / 27]))


@pytest.mark.parametrize(("d", "ratio"), [(1, 0.5), (2, 0.7698004), (3, 0.84375), (5, 0.9042245), (10, 0.9511498)])
def test_the_volume_that_a_cut_leaves(d, ratio):
    assert math.exp(-bound_loss(d)) == pytest.approx(ratio, abs=5e-8)
    learner = Ellipsoid()
    state = learner.start(Size(d))
    x = np.arange(1.0, d + 1)
    learner.round(state, Row(None, x), 1)
    assert math.sqrt(np.linalg.det(learner.matrix(state))) == pytest.approx(ratio, abs=5e-8)


def test_the_gold_bounds_on_grids():
    for (d, n), readable, sharp in [((2, 5), 47.182, 30.057), ((3, 10), 136.971, 100.774)]:
        assert float(Ellipsoid.grid(d, n, readable=True).value) == pytest.approx(readable, abs=5e-4)
        assert float(Ellipsoid.grid(d, n).value) == pytest.approx(sharp, abs=5e-4)
        assert Ellipsoid.grid(d, n).counts == "updates"


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000))
def test_logarithms_are_rounded_up_and_hardly(value):
    above = bound_ln(value)
    assert abs(float(above) - math.log(value)) <= 1e-14 * max(1, abs(math.log(value)))
    assert bound_ln(value) + bound_ln(1 / value) >= 0  # both are at least the truth, and the truths cancel


@given(st.integers(1, 4).flatmap(noisy), st.booleans())
def test_agrees_with_its_twin_on_noisy_rounds(rounds, deep):
    learner = Ellipsoid(cuts="deep" if deep else "central")
    theirs, w, A = ellipsoid(rounds, deep)
    ours, state = scores_of(learner, rounds)
    if agree(ours, theirs) == len(rounds):
        assert state.weights == pytest.approx(w, rel=1e-6, abs=1e-9)
        assert learner.matrix(state) == pytest.approx(np.array(A), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("d", [33, 50])
def test_agrees_with_its_twin_where_rows_are_long(d):
    rng = np.random.default_rng(d)
    rounds = [(x.tolist(), y) for x, y in zip(rng.normal(size=(40, d)), rng.choice([-1, 1], 40), strict=True)]
    theirs, w, A = ellipsoid(rounds)
    learner = Ellipsoid()
    ours, state = scores_of(learner, rounds)
    assert agree(ours, theirs) == len(rounds)
    assert learner.moves(state) > 9  # changes have waited, were applied, and wait again
    assert state.weights == pytest.approx(w)
    assert learner.matrix(state) == pytest.approx(np.array(A))


@given(st.integers(0, 2**32), st.integers(1, 5), st.sampled_from(["central", "deep"]), st.sampled_from([0.0, 1.0]))
def test_never_exceeds_its_bound_on_separable_rounds(seed, d, cuts, bias):
    X, y, u = separable(seed, d, 60, margin=0.01)
    learner = Ellipsoid(cuts, bias)
    player = Player(learner)
    made = [play(player, Recorded(X, y)).updates for _ in range(8)]
    radius, margin = np.sqrt((X**2).sum(1).max() + bias**2), (y * (X @ u)).min()  # u ignores the bias
    assert learner.bound(d, margin, radius * 1.000001).allows(sum(made))
    assert learner.bound(d, margin, radius * 1.000001, readable=True).allows(sum(made))


@pytest.mark.parametrize(("d", "n"), [(1, 3), (2, 2), (2, 5), (3, 2)])
@pytest.mark.parametrize("cuts", ["central", "deep"])
def test_never_exceeds_the_grid_bound_against_an_adversary(d, n, cuts):
    """The adversary asks the grid point nearest to the boundary that some weight vector left labels otherwise."""
    axis = np.arange(-n, n + 1) / n
    points = np.stack(np.meshgrid(*[axis] * d), -1).reshape(-1, d)
    for seed in range(3):
        weights = np.random.default_rng(seed).permutation(points)
        learner = Ellipsoid(cuts)
        state, made = learner.start(Size(d)), 0
        products = np.rint(points @ weights.T * n * n)
        alive = np.ones(len(weights), bool)
        while True:
            scores = points @ state.weights
            choice = None
            for p in np.argsort(np.abs(scores)):
                for y in (-1, 1):
                    left = alive & (y * products[p] > 0)
                    if y * scores[p] <= 0 and left.any():
                        choice = p, y, left
                        break
                if choice:
                    break
            if choice is None:
                break
            p, y, alive = choice
            learner.round(state, Row(None, points[p]), int(y > 0))
            made += 1
        assert made == learner.moves(state)
        assert 0 < made
        assert Ellipsoid.grid(d, n).allows(made)


def test_a_deep_cut_leaves_less_than_a_central_one():
    x, z = Row(None, np.array([1.0, 0.0])), Row(None, np.array([1.0, 0.1]))
    volume = {}
    for cuts in ("central", "deep"):
        learner = Ellipsoid(cuts)
        state = learner.start(Size(2))
        learner.round(state, x, 1)
        learner.round(state, z, 0)
        volume[cuts] = np.linalg.det(learner.matrix(state))
    assert volume["deep"] < 0.99 * volume["central"]


def test_a_row_without_attributes_leaves_the_state_alone():
    learner = Ellipsoid()
    state = learner.start(Size(3))
    learner.round(state, Row(None, np.array([1.0, 2.0, 3.0])), 1)
    before = fingerprint(state._replace(counts=state.counts[1:], scores=0))
    for row in (Row(None, np.zeros(3)), Row(np.zeros(0, np.int32), None), Row(np.array([1], np.int32), np.zeros(1))):
        learner.round(state, row, 1)
        assert fingerprint(state._replace(counts=state.counts[1:], scores=0)) == before


def test_the_dimension_stays_and_wider_rows_are_refused():
    learner = Ellipsoid()
    state = learner.start(Size(2))
    assert learner.grow(state, Size(9)) is state
    learner.round(state, Row(None, np.array([1.0, 0.0])), 1)
    before = fingerprint(state)
    for wide in (
        Row(None, np.ones(3)),
        Row(np.array([2], np.int32), np.ones(1)),
        Row(np.array([0, 7], np.int32), None),
    ):
        for refused in (learner.predict, learner.score, lambda s, x: learner.round(s, x, 1)):
            with pytest.raises(BadInstance, match="over 2 attributes"):
                refused(state, wide)
    assert fingerprint(state) == before
    chunk, guesses = Examples.of(np.array([[1.0, 1.0, 0.0]]), np.ones(1, np.int32)), np.zeros(1, np.int32)
    with pytest.raises(BadInstance):
        learner.replay(state, chunk, guesses)
    assert fingerprint(state) == before


def test_a_refused_row_stops_a_chunk_where_it_stands():
    player = Player(Ellipsoid(attributes=2), features=Named())
    player.update({"a": 1}, True)
    player.update({"b": 1}, False)
    state = fingerprint(player.state)
    with pytest.raises(BadInstance):
        player.update({"c": 1}, True)
    assert fingerprint(player.state) == state
    player.update({"a": 1, "b": -1}, True)
    assert player.tally.rounds == 3


def test_refuses_what_its_theorem_does_not_cover():
    for bad in ({"cuts": "shallow"}, {"bias": -1}, {"bias": math.inf}, {"attributes": 0}):
        with pytest.raises(BadParameter, match=str(next(iter(bad)))):
            Ellipsoid(**bad)
    with pytest.raises(BadParameter, match="attributes"):
        Player(Ellipsoid()).update([1, 0], True)  # live play tells no dimension
    with pytest.raises(TooLarge):
        Ellipsoid().start(Size(10**6))
    with pytest.raises(NotCertified):
        Ellipsoid().bound()
    with pytest.raises(NotCertified):
        Ellipsoid().bound(attributes=3, margin=0)
    for bad in ({"radius": 0}, {"norm": -1}, {"attributes": 0}):
        with pytest.raises(BadParameter):
            Ellipsoid().bound(**({"attributes": 3, "margin": 1} | bad))
    with pytest.raises(BadParameter):
        Ellipsoid.grid(2, 0)


def test_the_bias_counts_as_an_attribute():
    assert Ellipsoid(bias=1.0).bound(2, 0.1).value == Ellipsoid().bound(3, 0.1).value
    assert Ellipsoid(attributes=4).bound(margin=0.1).value == Ellipsoid().bound(4, 0.1).value
    X, y = np.array([[2.0, 1.0], [1.0, -1.0], [0.5, 3.0]]), [True, False, True]
    folded = play(Ellipsoid(), Recorded(np.column_stack((np.full(3, 0.5), X)), y)).player
    kept = play(Ellipsoid(bias=0.5), Recorded(X, y)).player
    assert np.concatenate((kept.state.bias, kept.state.weights)) == pytest.approx(folded.state.weights)
    assert kept.learner.matrix(kept.state) == pytest.approx(folded.learner.matrix(folded.state))


def test_an_endless_noisy_game_stays_finite_and_ends_in_words():
    rng = np.random.default_rng(0)
    learner = Ellipsoid()
    state = learner.start(Size(2))
    guesses = np.zeros(20000, np.int32)
    chunk = Examples.of(rng.normal(size=(20000, 2)), rng.integers(0, 2, 20000).astype(np.int32))
    played = learner.replay(state, chunk, guesses)
    assert 10 < learner.moves(state) <= played < 20000  # what is left of the ball is too thin for floats
    assert np.isfinite(state.weights).all()
    assert np.isfinite(learner.matrix(state)).all()
    before = fingerprint(state)
    with pytest.raises(BadInstance, match=r"no digit of its x'Ax\. Its labels contradict each other"):
        learner.replay(state, chunk[played:], guesses[played:])
    with pytest.raises(BadInstance, match="no digit of its x'Ax"):
        learner.round(state, chunk[played], int(chunk.labels[played]))
    assert fingerprint(state) == before


def attack(d, margin, seed, cuts="central", inside=None):
    """Rows of length 1 that some u of length 1 labels with a margin, each one that the ellipsoid gets wrong.

    Returns:
        The mistakes and the updates until no such row is found, and whether the last one was refused.
    """
    rng = np.random.default_rng(seed)
    learner, within = Ellipsoid(cuts), np.arange(d) < (inside or d)
    state, mistakes = learner.start(Size(d)), 0
    u = rng.normal(size=d) * within
    u /= np.linalg.norm(u)
    for _ in range(4000):
        w = state.weights * within
        aside = w - (w @ u) * u
        v = rng.normal(size=d) * within if rng.random() < 0.7 or not aside.any() else -aside
        v -= (v @ u) * u
        v *= (-1 if w @ v > 0 else 1) / np.linalg.norm(v)
        x = margin * u + math.sqrt(1 - margin**2) * v
        if w @ x > 0:
            v = -aside / np.linalg.norm(aside)
            x = margin * u + math.sqrt(1 - margin**2) * v
        if w @ x > 0:
            break
        y = int(rng.integers(0, 2))
        try:
            mistakes += learner.round(state, Row(None, x if y else -x), y) != y
        except BadInstance:
            return mistakes, learner.moves(state), True
    return mistakes, learner.moves(state), False


@pytest.mark.parametrize("cuts", ["central", "deep"])
@pytest.mark.parametrize(("d", "inside"), [(2, 2), (3, 3), (5, 5), (6, 2), (20, 3)])
def test_never_exceeds_its_bound_at_any_margin_and_refuses_no_round_up_to_a_millionth(d, inside, cuts):
    for exponent in (1, 3, 5, 6, 8, 9, 10, 12, 14):
        for seed in range(2):
            mistakes, updates, refused = attack(d, 10.0**-exponent, seed, cuts, inside)
            bound = Ellipsoid().bound(d, 10.0**-exponent * (1 - 1e-3), radius=1.000001)
            assert bound.allows(max(mistakes, updates)), (exponent, mistakes, updates)
            assert not (refused and exponent <= 6)
