"""Certificates: what certifying a pass costs in passes, and what verifying a long log exactly costs in seconds."""

import numpy as np

import littlestone as ls
from benchmarks.streams import make_sparse_rows, to_matrix
from benchmarks.timing import Line, measure_best, print_table, read_clock

UPDATES, PATIENCE = 10_000, 60.0  # updates of a log that must be verified within this many seconds


def measure_certifying() -> list[Line]:
    """A pass is the stream learned once. Certifying learns it once, hashes it and seeks a witness.

    The ratio is passes per certificate upside down, so that more is better as everywhere: its floor is 1/5.
    """
    chunk = make_sparse_rows(2**18)
    stream = ls.Recorded(to_matrix(chunk), chunk.labels)
    learner = ls.Perceptron()
    one, certified = measure_best(lambda: ls.play(learner, stream), lambda: ls.certify(learner, stream), turns=5)
    certificate = ls.certify(learner, stream)
    print(f"learned once: {one:.3f} s; learned and certified: {certified:.3f} s, {certified / one:.1f} passes")
    print(f"{certificate.updates:,} updates <= {certificate.bound:,} ({certificate.theorem})")
    return [
        Line("certify a pass over 500,000 rows, 2^18 (the pass included)", "learning them once", one / certified, 0.2)
    ]


def measure_verifying() -> list[Line]:
    """Whole-number rows with noisy labels, until the Perceptron has updated often enough."""
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, (40_000, 20)).astype(np.float64)
    y = (X @ rng.integers(-3, 4, 20) > 0) ^ (rng.random(len(X)) < 0.2)
    rounds = ls.certify(ls.Perceptron(), ls.Recorded(X, y)).updated[UPDATES - 1] + 1
    stream = ls.Recorded(X[:rounds], y[:rounds])
    certificate = ls.certify(ls.Perceptron(), stream)
    begun = read_clock()
    report = ls.verify(certificate, stream)
    took = read_clock() - begun
    print(f"{report} in {took:.1f} s")
    return [Line(f"verify {certificate.updates} updates exactly", f"{PATIENCE:g} seconds", PATIENCE / took, 1.0)]


def main() -> None:
    print_table("Certificates", [*measure_certifying(), *measure_verifying()])


if __name__ == "__main__":
    main()
