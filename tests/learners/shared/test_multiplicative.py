"""What multiplicative learners share: widening, growth, refusals, and one game however it is played."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import reference
from littlestone import Player, Recorded, play
from littlestone.base.chunks import Examples, Instances
from littlestone.base.errors import BadInstance, TooLarge
from littlestone.base.learner import Size, copy_state
from littlestone.learners import BalancedWinnow, Winnow
from littlestone.learners.shared.multiplicative import FULL, LARGEST, SINCE, PowerWeights
from littlestone.learners.shared.rounds import Rounds

LEARNERS = [
    Winnow(threshold=3.0),
    Winnow(threshold=3.0, eliminate=True),
    Winnow(1.25, threshold=4.0, margin=1.0, floor=0.8**2),
    Winnow(threshold=3.0, real=True),
    BalancedWinnow(factor=2.0),
    BalancedWinnow(margin=0.1, bias=0),
    BalancedWinnow(),
]
WIDTH = 9


def noise(rows, width=WIDTH, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (rows, width)).astype(float), rng.random(rows) < 0.5


def seated(learner, width=WIDTH):
    player = Player(learner, classes=(False, True))
    player.start_state(Size(width))
    return player


def assert_equal_states(one, two):
    for part, other in zip(one, two, strict=True):
        assert part.dtype == other.dtype
        assert part.tolist() == other.tolist()


# --- widening -----------------------------------------------------------------------------------------------------


def sinking(steps):
    """Rounds that push attribute 1 down by one every other round, attribute 0 staying about the threshold."""
    return [([1, 0, 0], True), ([1, 1, 0], False)] * steps


@pytest.mark.parametrize("twice", [1, 2])
def test_exponents_pass_the_lowest_of_one_byte(twice):
    game = sinking(300)
    expected, weights, updates = reference.winnow(game, 3, threshold=2)
    player = seated(Winnow(threshold=2.0), 3)
    X, y = np.array([x for x, _ in game], float), [y for _, y in game]
    guesses = []
    for part in np.array_split(np.arange(len(game)), twice):
        guesses += player.replay(Examples.of(X[part], np.array(y)[part]))[0].tolist()
    assert guesses == expected
    assert player.tally.updates == updates
    assert player.state.weights.dtype == np.int16
    assert [Fraction(2) ** e for e in player.state.weights.tolist()] == weights
    assert player.state.weights[1] < -290


def test_exponents_pass_the_highest_of_one_byte():
    game = [([1, 0, 0], True), ([1, 1, 0], True), ([0, 0, 1], False)] * 300
    expected, weights, updates = reference.winnow(game, 3, promotion=1.015625, threshold=16)
    player = seated(Winnow(1.015625, threshold=16.0), 3)
    for (x, y), guess in zip(game, expected, strict=True):
        assert player.predict(x) == guess
        player.update(x, y)
    assert player.tally.updates == updates
    assert [Fraction(65, 64) ** e for e in player.state.weights.tolist()] == weights
    assert player.state.weights[0] > 127
    assert player.state.weights.dtype == np.int16


@given(
    start=st.lists(st.sampled_from([-126, -125, 0, 1]), min_size=4, max_size=4),
    game=st.lists(st.tuples(st.lists(st.integers(0, 1), min_size=4, max_size=4), st.booleans()), max_size=30),
)
def test_noisy_games_cross_the_ends_of_one_byte_exactly(start, game):
    player, weights = seated(Winnow(threshold=1.5), 4), [Fraction(2) ** e for e in start]
    player.state.weights[:] = start
    player.state.counts[LARGEST] = max(map(abs, start))
    largest = max(map(abs, start))
    for x, y in game:
        guess = sum(w for w, active in zip(weights, x, strict=True) if active) >= Fraction(3, 2)
        assert player.predict(x) == guess
        player.update(x, y)
        step = 1 if guess == y else 2 if y else Fraction(1, 2)
        weights = [w * step if active else w for w, active in zip(weights, x, strict=True)]
        largest = max(largest, *np.abs(player.state.weights.astype(int)).tolist())
        assert player.state.counts[LARGEST] == largest
    assert [Fraction(2) ** e for e in player.state.weights.tolist()] == weights


def test_balanced_exponents_pass_both_ends_of_one_byte():
    rows, labels = np.array([[1, 1, 1], [1, 0, 1], [0, 1, 1]]), [True, False, False]
    player = seated(BalancedWinnow(factor=2.0, bias=0), 3)
    player.state.weights[:] = 124, 125, -126
    player.state.counts[LARGEST] = 126
    for _ in range(9):  # the endless cycle: one further out in every three sweeps
        play(player, Recorded(rows, labels))
    assert player.state.weights.tolist() == [127, 128, -129]
    assert player.state.weights.dtype == np.int16
    assert player.tally.updates == 21


def test_the_constant_attribute_counts_among_the_largest():
    player, largest, alone = seated(BalancedWinnow(factor=1.1), 2), 0, 0
    rng = np.random.default_rng(0)
    for x, y in zip(rng.integers(-1, 2, (300, 2)), rng.random(300) < 0.6, strict=True):
        player.update(x, bool(y))
        weights, bias = (np.abs(part).astype(int).max() for part in player.state[:2])
        alone += bias > max(largest, weights)
        largest = max(largest, weights, bias)
        assert player.state.counts[LARGEST] == largest
    assert alone  # so that the constant attribute was the largest by itself


def near_two_bytes():
    player = seated(Winnow(threshold=2.0), 3)
    weights = np.array([0, -32766, 0], np.int16)
    counts = player.state.counts.copy()
    counts[LARGEST] = 32766
    player._state = player.state._replace(weights=weights, bias=np.zeros(0, np.int16), counts=counts)
    return player


def test_exponents_pass_the_lowest_of_two_bytes_and_come_back():
    player = near_two_bytes()
    play(player, Recorded(np.array([x for x, _ in sinking(4)], float), [y for _, y in sinking(4)]))
    assert player.state.weights.dtype == np.int32
    assert player.state.weights.tolist() == [0, -32770, 0]
    assert player.score([0, 1, 0]) == -2.0  # 2^-32770 is 0 as a float
    for _ in range(5):
        player.update([0, 1, 0], True)
    assert player.state.weights.tolist() == [0, -32765, 0]
    player.state.weights[1] = -1074
    assert player.score([0, 1, 0]) == -2.0 + 2.0**-1074
    assert player.learner.last_score(player.state, player.see([0, 1, 0])) == 2.0**-1074


def test_exponents_beyond_four_bytes_are_refused():
    player = near_two_bytes()
    learner, size = player.learner, Size(3)
    player.state.counts[LARGEST], player.state.counts[FULL] = 32767, 1
    state = learner.grow(player.state, size)
    assert not learner.full(state, None)
    state.weights[1] = state.counts[LARGEST] = 1 - 2**31
    state.counts[LARGEST] = 2**31 - 1
    state.counts[FULL] = 1
    with pytest.raises(TooLarge):
        learner.replay(state, Examples.of([[0.0, 1.0, 0.0]], np.array([1])), np.zeros(1, np.int32))
    with pytest.raises(TooLarge):
        learner.round(learner.grow(state, size), player.see([0, 1, 0]), 1)


def test_eliminated_weights_stay_eliminated_when_exponents_widen():
    player = seated(Winnow(1.015625, threshold=16.0, eliminate=True), 3)
    player.state.weights[2] = 8  # as if earlier rounds had promoted it
    for _ in range(20):
        player.update([0, 1, 1], True)
    for _ in range(200):
        player.update([0, 0, 1], False)
    player.state.weights[1] = -128
    for _ in range(200):
        player.update([1, 1, 0], True)
    assert player.state.weights.dtype == np.int16
    assert player.state.weights[0] > 127
    assert player.state.weights[1] == -(2**15)
    assert player.score([0, 1, 0]) == -16.0


# --- one game, however it is played -------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_live_chunks_and_whole_are_one_game(learner):
    X, y = noise(500)
    whole, live, parts = seated(learner), seated(learner), seated(learner)
    guesses = whole.replay(Examples.of(X, y))[0].tolist()
    while len(guesses) < 500:
        guesses += whole.replay(Examples.of(X, y)[len(guesses) :])[0].tolist()
    for x, label, guess in zip(X, y, guesses, strict=True):
        assert live.predict(x) == guess
        live.update(x, label)
    for start in range(0, 500, 13):
        play(parts, Recorded(X[start : start + 13], y[start : start + 13]))
    assert whole.tally == live.tally == parts.tally
    assert_equal_states(whole.state, live.state)
    assert_equal_states(whole.state, parts.state)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_the_order_in_which_attributes_are_listed_does_not_matter(learner):
    X, y = noise(400, seed=3)
    order = np.random.default_rng(1).permutation(WIDTH)
    plain, sparse = play(learner, Recorded(X, y)).player, play(learner, Recorded(sp.csr_array(X), y)).player
    renamed = play(learner, Recorded(X[:, order], y)).player
    assert plain.tally == sparse.tally == renamed.tally
    assert plain.state.weights.tolist() == sparse.state.weights.tolist()
    assert plain.state.weights[order].tolist() == renamed.state.weights.tolist()


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_compiled_and_plain_loops_agree(learner):
    X, y = noise(40, width=11, seed=5)
    matrix = sp.csr_array(X)
    rows = [(None, X.ravel()), (matrix.indices.astype(np.int32), None)]
    for indptr, (indices, values) in zip((np.arange(41) * 11, matrix.indptr.astype(np.int64)), rows, strict=True):
        compiled, plain = learner.start(Size(11)), learner.start(Size(11))
        loops, powers, params = learner.loops[compiled.weights.itemsize], learner.powers(plain), learner.params(plain)
        guesses = np.zeros(40, np.int32), np.zeros(40, np.int32)
        rounds = Rounds(indptr, indices, values, None, y.astype(np.int32))
        done = loops.replay(PowerWeights(*compiled[:4], powers), rounds, guesses[0], params)
        assert loops.replay.py_func(PowerWeights(*plain[:4], powers), rounds, guesses[1], params) == done
        assert guesses[0].tolist() == guesses[1].tolist()
        assert_equal_states(compiled, plain)
        if not learner.full(compiled, None):
            row = (None, X[0], 11) if indices is None else (indices[: indptr[1]], None, int(indptr[1]))
            last = loops.score(*row, *compiled[:4], powers, *params)
            assert loops.score.py_func(*row, *plain[:4], powers, *params) == last
            guess = loops.round(*row, 1, *compiled[:4], powers, *params)
            assert loops.round.py_func(*row, 1, *plain[:4], powers, *params) == guess
            assert_equal_states(compiled, plain)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_predicting_changes_nothing(learner):
    player = seated(learner)
    X, y = noise(60, seed=8)
    for x, label in zip(X, y, strict=True):
        before = copy_state(player.state)
        player.predict(x), player.score(x), player.probability(x)
        assert_equal_states(before, player.state)
        player.update(x, label)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_attributes_that_turn_up_later_start_at_weight_one(learner):
    X, y = noise(120, width=40, seed=9)
    X[:60, 8:] = 0
    known, growing = seated(learner, 40), Player(learner, classes=(False, True))
    for x, label in zip(X, y, strict=True):
        known.update(x, label)
        growing.update((np.flatnonzero(x), None), label)
    assert len(growing.state.weights) == 64
    assert known.tally == growing.tally
    assert growing.state.weights[:40].tolist() == known.state.weights.tolist()
    fresh = learner.start(Size(1)).weights[0]
    assert set(growing.state.weights[40:].tolist()) == {fresh}


def test_large_spaces_play_the_same_game():
    """Beyond half a million attributes the loop asks for weights ahead of their use."""
    rng = np.random.default_rng(2)
    X = sp.csr_array((rng.random((300, 50)) < 0.3).astype(float))
    y, places = rng.random(300) < 0.5, np.sort(rng.choice(2**20, 50, replace=False))
    wide = sp.csr_array((X.data, places[X.indices], X.indptr), shape=(300, 2**20))
    for learner in (Winnow(threshold=4.0), BalancedWinnow(margin=0.1)):
        small, large = play(learner, Recorded(X, y)), play(learner, Recorded(wide, y))
        assert small.tally == large.tally
        assert small.player.state.weights.tolist() == large.player.state.weights[places].tolist()


def test_a_byte_an_attribute_is_all_it_takes():
    assert Winnow().start(Size(2**24)).weights.nbytes == 2**24
    assert sum(part.nbytes for part in Winnow().start(Size(2**24))) < 20 * 10**6


# --- refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [np.array, sp.csr_array])
def test_a_refused_value_stops_the_game_at_its_round(form):
    X, y = noise(30)
    X[17, 4] = 0.5
    learner = Winnow(threshold=3.0)
    with pytest.raises(BadInstance, match=r"0 or 1, got 0\.5") as problem:
        play(learner, Recorded(form(X), y))
    assert problem.value.game.rounds == 17
    before = play(learner, Recorded(form(X[:17]), y[:17]))
    assert before.tally == problem.value.game.tally
    assert_equal_states(before.player.state, problem.value.game.player.state)
    player = problem.value.game.player
    for refused in (lambda: player.update(X[17], y[17]), lambda: player.predict(X[17]), lambda: player.score(X[17])):
        with pytest.raises(BadInstance, match=r"got 0\.5"):
            refused()
    assert player.tally == before.tally


def test_a_stored_zero_is_absent():
    indices, values = np.array([0, 1, 1], np.int32), np.array([1.0, 0.0, 1.0])
    chunk = Examples(np.array([0, 2, 3]), indices, values, np.array([True, True]), 2)
    player = seated(Winnow(threshold=2.0), 2)
    player.replay(chunk[:1])
    assert player.state.weights.tolist() == [1, 0]
    player.replay(chunk[1:])
    assert player.state.weights.tolist() == [1, 1]


def test_rounds_of_unequal_importance_and_points_are_refused():
    learner, guesses = Winnow(threshold=2.0), np.zeros(1, np.int32)
    state = learner.start(Size(1))
    chunk = Examples(np.array([0, 1]), np.zeros(1, np.int32), None, np.array([1]), 1, np.array([2.0]))
    with pytest.raises(BadInstance, match="importance"):
        learner.replay(state, chunk, guesses)
    with pytest.raises(BadInstance, match="rows"):
        learner.replay(state, Instances.of([3], [1]), guesses)


def test_rows_without_attributes_are_counted():
    player = seated(Winnow(threshold=2.0), 2)
    player.update([0, 0], True)
    assert player.tally[:3] == (1, 1, 1)
    assert player.state.weights.tolist() == [0, 0]
    assert play(player, Recorded(sp.csr_array((3, 2)), [True, False, True])).mistakes == 2


def test_states_that_play_alike_have_one_key():
    learner = Winnow(threshold=2.0)
    one, two = learner.start(Size(2)), learner.start(Size(2))
    two.counts[:2] = 5, 1
    assert learner.key(one) == learner.key(two)
    two.weights[0] = 1
    assert learner.key(one) != learner.key(two)
    phased, one, two = BalancedWinnow(), BalancedWinnow().start(Size(2)), BalancedWinnow().start(Size(2))
    assert phased.key(one) != phased.key(one._replace(phases=np.array([17])))
    two.counts[SINCE] = 3  # nearer to the end of the phase
    assert phased.key(one) != phased.key(two)
    assert BalancedWinnow(factor=2.0).key(one) == BalancedWinnow(factor=2.0).key(two)
