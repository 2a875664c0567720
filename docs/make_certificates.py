"""Write docs/certificates.md from real data: `python docs/make_certificates.py FOLDER_WITH_DATA`.

Perceptron sees values as they are, Winnow which attributes are positive, Balanced Winnow their signs.
"""

import gzip
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import littlestone as ls
from littlestone.certificates.make.additive import StepRun
from littlestone.certificates.make.margins import find_separator
from littlestone.game.certify import trace_game

HERE = Path(__file__).parent
SEED = 0


def read_rows(path):
    """Lines of `label number:value ...`, in VW text with a namespace after the label; numbers from 1."""
    labels, indptr, indices, values = [], [0], [], []
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        for line in lines:
            label, *entries = line.replace("|f", "").split()
            labels.append(float(label) > 0)
            for entry in entries:
                number, value = entry.split(":")
                indices.append(int(number) - 1)
                values.append(float(value))
            indptr.append(len(indices))
    return sp.csr_array((values, indices, indptr)), np.array(labels)


def shuffle(X, y):
    order = np.random.default_rng(SEED).permutation(len(y))
    return X[order], y[order]


def list_sets(data):
    """Names and rounds; those that come in blocks of one class are shuffled."""
    yield "a9a", *read_rows(data / "adult" / "a9a.gz")
    yield "w8a, shuffled", *shuffle(*read_rows(data / "web" / "w8a.gz"))
    yield "mushroom", *read_rows(data / "mushroom" / "agaricus.txt.train")
    yield "spam stream", *read_rows(data / "spam_stream" / "spam_katakis.libsvm.gz")
    yield "rcv1", *read_rows(data / "rcv1" / "rcv1_small.dat.gz")
    yield "svmguide3, shuffled", *shuffle(*read_rows(data / "svmguide3" / "svmguide3.libsvm"))


def list_games(X, y):
    """Each learner with the rounds as it sees them."""
    X.eliminate_zeros()
    signs = X.copy()
    signs.data = np.sign(signs.data)
    present = signs.copy()
    present.data = np.maximum(present.data, 0.0)
    present.eliminate_zeros()
    return (
        (ls.Perceptron(), ls.Recorded(X, y)),
        (ls.Winnow.tuned(X.shape[1]), ls.Recorded(present, y)),
        (ls.BalancedWinnow(), ls.Recorded(signs, y)),
    )


def write_line(name, learner, stream):
    certificate = ls.certify(learner, stream)
    report = ls.verify(certificate, stream)
    assert report.replayed
    ratio = f"{certificate.bound / max(1, certificate.updates):.2f}"
    how = "exactly" if report.exact else "up to rounding"
    cells = [name, f"{certificate.rounds:,}", type(learner).__name__, f"{certificate.mistakes:,}"]
    cells += [f"{certificate.updates:,}", f"{certificate.bound:,}", ratio, certificate.theorem, how]
    return "| " + " | ".join(cells) + " |"


def describe_separation(stream):
    """The Novikoff witness of a Perceptron, and how near its margin is to the best one by its own duality gap."""
    certificate = ls.certify(ls.Perceptron(), stream, "Novikoff")
    ls.verify(certificate, stream)
    run = StepRun.of(trace_game(ls.Perceptron(), stream).steps, ls.Perceptron().step_rule(), np.float64)
    separator = find_separator(run.vectors.rows)
    return (
        f"On mushroom, which a plane separates, the Novikoff bound is {certificate.bound:,} for {certificate.updates} "
        f"updates. Its witness has margin {separator.unit_margin:.6f} for |u| = 1, and no u has more than "
        f"{separator.limit:.6f}: by its own duality gap it is within {100 * separator.gap:.3f} % of the best."
    )


def main(data):
    table, note = [], ""
    for name, X, y in list_sets(data):
        for learner, stream in list_games(X, y):
            table.append(write_line(name, learner, stream))
            print(table[-1], flush=True)
            if name == "mushroom" and isinstance(learner, ls.Perceptron):
                note = describe_separation(stream)
    head = [
        "# Certificates on real data",
        "",
        "Written by `python docs/make_certificates.py FOLDER_WITH_DATA`; every certificate was verified: its run was "
        "played again bit for bit, and where the last column says exactly, the theorem was checked in exact "
        "arithmetic.",
        "",
        "One pass each. Perceptron sees the values as they are, Winnow which attributes are positive (promotion 2, "
        "threshold n), Balanced Winnow their signs (margin unknown, in phases). The bound is on updates; without a "
        "margin a mistake is an update, but for a first label that could not be guessed. The ratio is bound by "
        "updates.",
        "",
        "| data | rounds | learner | mistakes | updates | bound | ratio | theorem | verified |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    foot = [
        "",
        note,
        "",
        "All sums of slack run over the update rounds, so a bound with slack is at most about twice the count for the "
        "additive and balanced learners, and three times the promotions for Winnow: on data that nothing separates the "
        "witness and its slack are what is learned, not the ratio. Large linear programs stop after twenty seconds "
        "with the best witness so far, or leave the search to least squares; any of these is a valid witness.",
    ]
    (HERE / "certificates.md").write_text("\n".join([*head, *table, *foot]) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
