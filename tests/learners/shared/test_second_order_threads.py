"""Matrices so large that threads share them out: the same bits on any number of cores, however rounds come."""

import multiprocessing

import numpy as np
import pytest

from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadInstance
from littlestone.base.learner import Size, fingerprint
from littlestone.laws import chunks_agree
from littlestone.learners import Arow, Ellipsoid, SecondOrderPerceptron
from littlestone.learners.arow import Full
from littlestone.learners.shared import packed_matrix
from littlestone.learners.shared.additive import Loops
from reference import ellipsoid
from row_games import agree, scores_of

D = 44  # with a bias six tiles: a first range of sixteen rows and four further ones
LEARNERS = [Ellipsoid("deep", bias=0.5), Arow(), SecondOrderPerceptron()]


@pytest.fixture
def shared(monkeypatch):
    """Ranges of rows that a test can afford; how often products of them were asked for."""
    asked = []
    monkeypatch.setattr(packed_matrix, "FIRST", 16)
    monkeypatch.setattr(packed_matrix, "FURTHER", 8)
    monkeypatch.setattr(packed_matrix, "MANY", 0)
    monkeypatch.setattr("littlestone.compiled.threads.count_cores", lambda: 2)
    monkeypatch.setattr(
        "littlestone.learners.shared.second_order.multiply_ranges",
        lambda *given, made=packed_matrix.multiply_ranges: asked.append(1) or made(*given),
    )
    return asked


def rounds(count=40):
    """Rows, some of few entries, with labels at random."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(count, D))
    X[::3, 10:] = 0
    return Examples.of(X, rng.integers(0, 2, count).astype(np.int32)).to_sparse()


def listed(x):
    return Row(np.arange(len(x), dtype=np.int32), np.array(x))


def replayed(learner, chunk, cuts=()):
    state, guesses = learner.start(Size(D)), []
    for part in np.split(np.arange(len(chunk)), cuts):
        said = np.zeros(len(part), np.int32)
        assert learner.replay(state, chunk[int(part[0]) : int(part[-1]) + 1], said) == len(part)
        guesses += said.tolist()
    assert state.counts[0] == state.scores.sum() == len(chunk)
    return guesses, fingerprint(state)


@pytest.mark.long
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_any_number_of_cores_live_in_chunks_and_plainly_the_bits_are_the_same(learner, shared, monkeypatch):
    chunk = rounds()
    expected = replayed(learner, chunk)
    assert 9 < len(shared) < len(chunk)  # rows of few entries sweep only to apply what waits
    for cores in (1, 3, 50):
        monkeypatch.setattr("littlestone.compiled.threads.count_cores", lambda cores=cores: cores)
        assert replayed(learner, chunk, [cores % 7, 11]) == expected
    for plainly in (False, True):
        if plainly:
            owner = Full if isinstance(learner, Arow) else type(learner)
            monkeypatch.setattr(owner, "loops", Loops(*(loop.py_func for loop in owner.loops)))
            monkeypatch.setattr(packed_matrix, "sweep", packed_matrix.sweep.py_func)
            assert replayed(learner, chunk) == expected
        live, guesses = learner.start(Size(D)), []
        for t, label in enumerate(chunk.labels):
            guesses.append(learner.predict(live, chunk[t]))
            learner.update(live, chunk[t], int(label), guesses[-1])
        assert (guesses, fingerprint(live)) == expected


def test_ranges_change_nothing_but_rounding(shared, monkeypatch):
    learner, chunk, states = Arow(), rounds(), []
    for first in (16, 1024):
        monkeypatch.setattr(packed_matrix, "FIRST", first)
        states.append(learner.start(Size(D)))
        learner.replay(states[-1], chunk, np.zeros(len(chunk), np.int32))
    assert shared
    assert states[0].weights == pytest.approx(states[1].weights, rel=1e-11)
    assert learner.matrix(states[0]) == pytest.approx(learner.matrix(states[1]), rel=1e-11)


def test_agrees_with_its_twin(shared):
    rng, learner = np.random.default_rng(4), Ellipsoid()
    game = [(x.tolist(), y) for x, y in zip(rng.normal(size=(30, D)), rng.choice([-1, 1], 30), strict=True)]
    theirs, w, A = ellipsoid(game)
    ours, state = scores_of(learner, game)
    assert agree(ours, theirs) == len(game)
    assert len(shared) == learner.moves(state) > 9
    assert state.weights == pytest.approx(w)
    assert learner.matrix(state) == pytest.approx(np.array(A))


def test_attributes_known_beforehand_and_those_that_turn_up_give_the_same_bits(shared):
    """A chunk makes room for all its attributes at once: the matrix is of several ranges before it is in live play."""
    rng = np.random.default_rng(0)
    rows = [rng.normal(size=d) for d in [5, 12, 16, 17, 19, *range(34, 74, 2)]]  # room comes in powers of two
    game = [(listed(row), bool(rng.integers(2))) for row in rows]
    assert chunks_agree(Arow(), game, cuts=[[], [5], [9, 13]])
    assert shared


def test_a_refused_row_stops_a_chunk_after_shared_rounds(shared):
    learner = Ellipsoid()
    state, X = learner.start(Size(40)), np.random.default_rng(1).normal(size=(3, 40))
    wide = Examples.of(np.column_stack((X, [0, 0, 1])), np.array([1, 0, 1], np.int32)).to_sparse()
    said = np.zeros(3, np.int32)
    assert learner.replay(state, wide, said) == 2
    before = fingerprint(state)
    for refused in (lambda: learner.replay(state, wide[2:], said), lambda: learner.round(state, wide[2], 1)):
        with pytest.raises(BadInstance, match="over 40 attributes"):
            refused()
    assert fingerprint(state) == before
    assert len(shared) == learner.moves(state) > 0


def test_rounds_that_teach_nothing_and_rows_of_few_entries_are_left_to_the_loop(shared):
    learner = Ellipsoid()
    state, x = learner.start(Size(40)), listed(np.ones(40))
    learner.round(state, x, 1)
    assert len(shared) == 1
    for _ in range(3):
        assert learner.round(state, x, 1) == 1
    few = listed([1.0, -2.0, 1.0])
    assert learner.round(state, few, 1) == 0
    assert learner.moves(state) == 2
    assert len(shared) == 1


def test_an_interrupted_round_leaves_the_matrix_as_it_was(shared, monkeypatch):
    """An interrupt is heard of when a sweep returns, and every fifth sweep applies what waits."""
    learner, rows = Ellipsoid(), [listed(x) for x in np.random.default_rng(2).normal(size=(5, 40))]
    state = learner.start(Size(40))

    def interrupted(*given):
        sweep(*given)
        raise KeyboardInterrupt

    for x in rows[:4]:
        learner.round(state, x, 1 - learner.predict(state, x))
    before, counts, sweep = learner.matrix(state), state.counts.copy(), packed_matrix.sweep
    with monkeypatch.context() as patch:
        patch.setattr(packed_matrix, "sweep", interrupted)
        patch.setattr("littlestone.compiled.threads.count_cores", lambda: 1)
        with pytest.raises(KeyboardInterrupt):
            learner.round(state, rows[4], 1 - learner.predict(state, rows[4]))
    assert learner.matrix(state) == pytest.approx(before, rel=1e-12)
    assert state.counts[2] == 0 < counts[2]
    assert (state.counts[:2] == counts[:2]).all()


def test_a_forked_process_plays_on(shared):
    chunk = rounds(8)
    expected = replayed(Ellipsoid(), chunk)  # the parent's threads have worked
    context = multiprocessing.get_context("fork")
    told = context.SimpleQueue()
    child = context.Process(target=lambda: told.put(replayed(Ellipsoid(), chunk)))
    child.start()
    child.join(60)
    alive = child.is_alive()
    child.kill()
    assert not alive
    assert told.get() == expected
