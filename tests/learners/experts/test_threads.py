"""Pools so large that threads share them out play as small ones do, with the same bits on any number of cores."""

import multiprocessing

import numpy as np
import pytest

from littlestone.base.learner import Size, copy_state, fingerprint
from littlestone.learners import AdaHedge, Aggregating, Hedge, ImprovedMajority
from littlestone.learners.experts import threads
from littlestone.learners.experts.forecasts import chunk_forecasts
from littlestone.learners.experts.losses import Custom, Square

EXPERTS = 2 * threads.SECTION + 700  # two whole sections, and one whose last group is not full
LEARNERS = [
    Hedge(0.5, Square()),
    Hedge.anytime(),
    Aggregating(),
    ImprovedMajority(),
    Hedge(0.5, Square(), draws=True),
    AdaHedge(),
    Hedge(0.5, Custom(lambda forecast, outcome: (forecast - outcome) ** 2, averages=True)),
]


@pytest.fixture
def shared(monkeypatch):
    """Rounds are shared out from a size on that a test can afford; how many were."""
    played = []
    monkeypatch.setattr(threads, "MANY", EXPERTS)
    monkeypatch.setattr(
        threads, "play_in_threads", lambda *given, play=threads.play_in_threads: played.append(1) or play(*given)
    )
    return played


def rounds(learner, count=6, sleepy=()):
    rng = np.random.default_rng(3)
    X, y = rng.random((count, EXPERTS)), rng.random(count)
    if not learner.numeric:
        X, y = (X < 0.5).astype(np.float64), (y < 0.5).astype(np.int32)
    for t in sleepy:
        X[t, 5] = np.nan
    return X, y


def replayed(learner, X, y, cuts=()):
    state, guesses = learner.start(Size(EXPERTS), 7), []
    for part in np.split(np.arange(len(y)), cuts):
        said = np.zeros(len(part), np.float64 if learner.numeric else np.int32)
        assert learner.replay(state, chunk_forecasts(X[part], y[part]), said) == len(part)
        guesses += said.tolist()
    return guesses, state


@pytest.mark.parametrize(
    "learner", LEARNERS, ids=lambda learner: f"{type(learner).__name__}-{learner.expert_loss.code}"
)
def test_sections_change_nothing_but_rounding(learner, monkeypatch, shared):
    X, y = rounds(learner)
    guesses, state = replayed(learner, X, y)
    in_threads = len(shared)
    monkeypatch.setattr(threads, "MANY", 2 * EXPERTS)
    expected, whole = replayed(learner, X, y)
    assert guesses == pytest.approx(expected, rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(state.losses, whole.losses, rtol=1e-13)
    np.testing.assert_allclose(state.totals, whole.totals, rtol=1e-11, atol=1e-12)
    assert (state.counts == whole.counts).all()
    draws = isinstance(learner, AdaHedge) or getattr(learner, "draws", False)
    assert (in_threads == 0) if draws else (in_threads == len(y) - 1)  # the first round lets the experts in
    assert len(shared) == in_threads


@pytest.mark.parametrize(
    "learner", LEARNERS, ids=lambda learner: f"{type(learner).__name__}-{learner.expert_loss.code}"
)
def test_however_rounds_come_and_whoever_sleeps_the_bits_are_the_same(learner, shared):
    X, y = rounds(learner, sleepy=(4,))
    guesses, state = replayed(learner, X, y)
    for cuts in ([1], [2, 3], range(1, len(y))):
        again, other = replayed(learner, X, y, cuts)
        assert again == guesses
        assert fingerprint(other) == fingerprint(state)
    live = learner.start(Size(EXPERTS), 7)
    said = [learner.round(live, learner.features()(X[t]), y[t]) for t in range(len(y))]
    assert said == guesses
    assert fingerprint(live) == fingerprint(state)


def test_any_number_of_cores_gives_the_same_bits(monkeypatch, shared):
    learner = Hedge(0.5, Square())
    X, y = rounds(learner)
    results = []
    for cores in (1, 2, 3, 50):
        monkeypatch.setattr("littlestone.compiled.threads.count_cores", lambda cores=cores: cores)
        guesses, state = replayed(learner, X, y)
        results.append((guesses, fingerprint(copy_state(state))))
    assert all(result == results[0] for result in results)


def test_a_large_pool_agrees_with_the_textbook(shared):
    learner = Hedge(0.5, Square())
    X, y = rounds(learner)
    guesses, _ = replayed(learner, X, y)
    losses = np.zeros(EXPERTS)
    for t, outcome in enumerate(y):
        weights = np.exp(-0.5 * (losses - losses.min()))
        assert guesses[t] == pytest.approx(weights @ X[t] / weights.sum(), rel=1e-12)
        losses += (X[t] - outcome) ** 2


def test_a_forked_process_starts_threads_of_its_own(shared):
    learner = Hedge(0.5, Square())
    X, y = rounds(learner)
    guesses, _ = replayed(learner, X, y)  # the parent's threads have worked
    context = multiprocessing.get_context("fork")
    told = context.SimpleQueue()
    child = context.Process(target=lambda: told.put(replayed(learner, X, y)[0]))
    child.start()
    child.join(60)
    alive = child.is_alive()
    child.kill()
    assert not alive
    assert told.get() == guesses
