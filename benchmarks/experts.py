"""Expert advice against plain NumPy: a million experts, and a million rounds of ten.

Every pair plays the same rounds, interleaved in one process; the best of several runs counts, in processor time, which
neighbours on a shared machine disturb least. Guesses are compared.
"""

import sys
import time

import numpy as np

from littlestone.learner import Size
from littlestone.learners import Hedge, WeightedMajority
from littlestone.losses import Square

SHARED = 1000  # rounds whose guesses are compared: later NumPy's plain weights have all become zero
FLOORS = {
    "WeightedMajority, a round of 10^6 experts": 15.0,
    "Hedge, a round of 10^6 experts": 5.0,
    "Hedge, 10^6 rounds of 10 experts": 50.0,
    "WeightedMajority, 10^6 rounds of 10 experts": 50.0,
}


def majority_in_numpy(X, y, penalty):
    weights, guesses = np.ones(X.shape[1]), np.zeros(len(y), np.int32)
    for t in range(len(y)):
        guesses[t] = 2 * np.where(X[t], weights, 0.0).sum() > weights.sum()
        weights = np.where(X[t] == y[t], weights, weights * penalty)
    return guesses


def hedge_in_numpy(X, y, rate):
    losses, guesses = np.zeros(X.shape[1]), np.zeros(len(y))
    for t in range(len(y)):
        weights = np.exp(-rate * (losses - losses.min()))
        guesses[t] = weights @ X[t] / weights.sum()
        losses += (X[t] - y[t]) ** 2
    return guesses


def ours(learner, X, y, state=None):
    state = learner.start(Size(X.shape[1])) if state is None else state
    guesses = np.zeros(len(y), np.float64 if learner.numeric else np.int32)
    learner.play(state, X, y, guesses)
    return guesses


def race(name, fast, slow, share, repeats=7):
    """How many times faster a round is, best against best; `slow` may play only a share of the rounds."""
    quick, plain = [], []
    fast(), slow()
    for _ in range(repeats):
        for times, run in ((quick, fast), (plain, slow)):
            start = time.process_time()
            guesses = run()
            times.append(time.process_time() - start)
            assert guesses is not None
    agreed = np.allclose(fast()[:SHARED], slow()[:SHARED], atol=1e-9)
    ratio = min(plain) / share / min(quick)
    verdict = "ok" if ratio >= FLOORS[name] and agreed else "MISSED" if agreed else "GUESSES DIFFER"
    print(f"{name:<46} {ratio:7.1f}x  (floor {FLOORS[name]:g}x)  {verdict}")
    return verdict == "ok"


def main():
    rng, many, few = np.random.default_rng(0), 10**6, 10
    held = []
    X, y = rng.random((20, many)) < 0.5, rng.integers(0, 2, 20).astype(np.int32)
    bits = X.view(np.uint8)
    learner = WeightedMajority(0.5)
    held.append(race("WeightedMajority, a round of 10^6 experts", lambda: ours(learner, bits, y),
                     lambda: majority_in_numpy(X, y, 0.5), 1.0))  # fmt: skip
    P, z = rng.random((20, many)), rng.random(20)
    hedge = Hedge(0.5, Square())
    held.append(
        race("Hedge, a round of 10^6 experts", lambda: ours(hedge, P, z), lambda: hedge_in_numpy(P, z, 0.5), 1.0)
    )
    rounds, part = 10**6, 0.01
    P, z = rng.random((rounds, few)), rng.random(rounds)
    cut = int(rounds * part)
    held.append(race("Hedge, 10^6 rounds of 10 experts", lambda: ours(hedge, P, z),
                     lambda: hedge_in_numpy(P[:cut], z[:cut], 0.5), part))  # fmt: skip
    X = rng.random((rounds, few)) < 0.5
    y = rng.integers(0, 2, rounds).astype(np.int32)
    bits = X.view(np.uint8)
    held.append(race("WeightedMajority, 10^6 rounds of 10 experts", lambda: ours(learner, bits, y),
                     lambda: majority_in_numpy(X[:cut], y[:cut], 0.5), part))  # fmt: skip
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
