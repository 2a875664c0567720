"""Expert advice against plain NumPy: a million experts, and a million rounds of ten.

Every pair plays the same rounds, interleaved in one process; the best of several runs counts, in processor time, which
neighbours on a shared machine disturb least. Guesses are compared.
"""

import sys
import time

import numpy as np

from littlestone.forecasts import panel
from littlestone.learner import Size
from littlestone.learners import Hedge, WeightedMajority
from littlestone.losses import Square

RATE, PENALTY = 0.5, 0.5
SHARED = 1000  # rounds whose guesses are compared: later NumPy's plain weights have all become zero
FLOORS = {
    "WeightedMajority, a round of 10^6 experts": 15.0,
    "Hedge, a round of 10^6 experts": 5.0,
    "Hedge, 10^6 rounds of 10 experts": 50.0,
    "WeightedMajority, 10^6 rounds of 10 experts": 50.0,
}


def majority_in_numpy(X, y):
    weights, guesses = np.ones(X.shape[1]), np.zeros(len(y), np.int32)
    for t in range(len(y)):
        guesses[t] = 2 * np.where(X[t], weights, 0.0).sum() > weights.sum()
        weights = np.where(X[t] == y[t], weights, weights * PENALTY)
    return guesses


def hedge_in_numpy(X, y):
    losses, guesses = np.zeros(X.shape[1]), np.zeros(len(y))
    for t in range(len(y)):
        weights = np.exp(-RATE * (losses - losses.min()))
        guesses[t] = weights @ X[t] / weights.sum()
        losses += (X[t] - y[t]) ** 2
    return guesses


def ours(learner, chunk):
    """A run that goes on with the rounds of a panel, and the guesses of its first run."""
    state = learner.start(Size(chunk.width))
    guesses = np.zeros(len(chunk), np.float64 if learner.numeric else np.int32)
    learner.replay(state, chunk, guesses)
    first = guesses.copy()
    return (lambda: learner.replay(state, chunk, guesses)), first


def race(name, learner, X, y, plainly, share=1.0, repeats=7):
    """How many times faster a round is than in NumPy, best against best, NumPy playing a share of the rounds."""
    chunk, cut = panel(X, y), int(len(y) * share)
    run, guesses = ours(learner, chunk)
    quick, plain, said = [], [], plainly(X[:cut], y[:cut])
    for _ in range(repeats):
        for times, rounds in ((quick, run), (plain, lambda: plainly(X[:cut], y[:cut]))):
            start = time.process_time()
            rounds()
            times.append(time.process_time() - start)
    ratio = min(plain) / share / min(quick)
    agreed = np.allclose(guesses[:SHARED], said[:SHARED], atol=1e-9)
    verdict = "ok" if ratio >= FLOORS[name] and agreed else "MISSED" if agreed else "GUESSES DIFFER"
    print(f"{name:<46} {ratio:7.1f}x  (floor {FLOORS[name]:g}x)  {verdict}")
    return verdict == "ok"


def main():
    rng, held = np.random.default_rng(0), []
    hedge, majority = Hedge(RATE, Square()), WeightedMajority(PENALTY)
    for label, rounds, experts, share in (("a round of 10^6 experts", 20, 10**6, 1.0),
                                          ("10^6 rounds of 10 experts", 10**6, 10, 0.01)):  # fmt: skip
        votes, outcomes = rng.random((rounds, experts)) < 0.5, rng.integers(0, 2, rounds).astype(np.int32)
        held.append(race(f"WeightedMajority, {label}", majority, votes, outcomes, majority_in_numpy, share))
        forecasts, truth = rng.random((rounds, experts)), rng.random(rounds)
        held.append(race(f"Hedge, {label}", hedge, forecasts, truth, hedge_in_numpy, share))
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
