"""Expert advice against plain NumPy: a million experts, and a million rounds of ten.

Every pair plays the same rounds, interleaved, in a process of its own; the best of several runs counts, and guesses are
compared. Both sides are taken as they come, with as many threads as they start: ours share out a pool of 10^6 experts
for Hedge, NumPy's run the dot product.
"""

import subprocess
import sys
import time

import numpy as np

from benchmarks.timing import Line, print_table
from littlestone.base.learner import Size
from littlestone.learners import Hedge, WeightedMajority
from littlestone.learners.experts.forecasts import chunk_forecasts
from littlestone.learners.experts.losses import Square

RATE, PENALTY = 0.5, 0.5
PAUSE = 0.1  # seconds in which the threads of the other side fall asleep: those of NumPy's products go on spinning
TURNS = 3  # runs of one side before it is the other's turn
SHARED = 1000  # rounds whose guesses are compared: later NumPy's plain weights have all become zero
FLOORS = {
    "WeightedMajority, a round of 10^6 experts": 15.0,
    "Hedge, a round of 10^6 experts": 5.0,
    "Hedge, 10^6 rounds of 10 experts": 50.0,
    "WeightedMajority, 10^6 rounds of 10 experts": 50.0,
}


def run_majority_in_numpy(X, y):
    weights, guesses = np.ones(X.shape[1]), np.zeros(len(y), np.int32)
    for t in range(len(y)):
        guesses[t] = 2 * np.where(X[t], weights, 0.0).sum() > weights.sum()
        weights = np.where(X[t] == y[t], weights, weights * PENALTY)
    return guesses


def run_hedge_in_numpy(X, y):
    losses, guesses = np.zeros(X.shape[1]), np.zeros(len(y))
    for t in range(len(y)):
        weights = np.exp(-RATE * (losses - losses.min()))
        weights /= weights.sum()
        guesses[t] = weights @ X[t]
        losses += (X[t] - y[t]) ** 2
    return guesses


def run_ours(learner, chunk):
    """A run that goes on with the rounds of a panel, and the guesses of its first run."""
    state = learner.start(Size(chunk.width))
    guesses = np.zeros(len(chunk), np.float64 if learner.numeric else np.int32)
    learner.replay(state, chunk, guesses)
    first = guesses.copy()
    return (lambda: learner.replay(state, chunk, guesses)), first


def compare(name, learner, X, y, plainly, share=1.0, repeats=5):
    """How many times faster a round is than in NumPy, best against best, NumPy playing a share of the rounds."""
    chunk, cut = chunk_forecasts(X, y), int(len(y) * share)
    run, guesses = run_ours(learner, chunk)
    quick, plain, said = [], [], plainly(X[:cut], y[:cut])
    for _ in range(repeats):
        for times, rounds in ((quick, run), (plain, lambda: plainly(X[:cut], y[:cut]))):
            time.sleep(PAUSE)
            for _ in range(TURNS):
                start = time.perf_counter()
                rounds()
                times.append(time.perf_counter() - start)
    assert np.allclose(guesses[:SHARED], said[:SHARED], atol=1e-9), f"{name}: guesses differ"
    return min(plain) / share / min(quick)


def compare_one(name):
    """One race, by its name."""
    rng = np.random.default_rng(0)
    rounds, experts, share = (20, 10**6, 1.0) if "a round" in name else (10**6, 10, 0.01)
    if name.startswith("Hedge"):
        return compare(
            name, Hedge(RATE, Square()), rng.random((rounds, experts)), rng.random(rounds), run_hedge_in_numpy, share
        )
    votes, outcomes = rng.integers(0, 2, (rounds, experts), bool), rng.integers(0, 2, rounds).astype(np.int32)
    return compare(name, WeightedMajority(PENALTY), votes, outcomes, run_majority_in_numpy, share)


def main():
    lines = []
    for name, floor in FLOORS.items():
        asked = [sys.executable, "-m", "benchmarks.experts", name]
        said = subprocess.run(asked, check=True, stdout=subprocess.PIPE, text=True).stdout
        lines.append(Line(name, "plain NumPy", float(said), floor))
    print_table("Expert advice, always by the clock on the wall, best of 15 turns", lines)


if __name__ == "__main__":
    if sys.argv[1:]:
        print(compare_one(sys.argv[1]))
    else:
        main()
