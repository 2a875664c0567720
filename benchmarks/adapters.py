"""The classifier for scikit-learn against the bare loop behind it and against scikit-learn, over the same rows.

What `fit` adds is what scikit-learn's conventions ask for: rows and labels looked at once, classes found and numbered.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import littlestone as ls
from benchmarks.linear import play_pass, run_scikit
from benchmarks.streams import make_sparse_rows, to_matrix
from benchmarks.timing import Line, measure_best, print_table
from littlestone.sklearn import OnlineClassifier

MICROSECONDS = 400  # that one row may take
ROWS = 200  # learned one by one


def compare_whole(width: int) -> list[Line]:
    """One fit over rows in memory."""
    chunk = make_sparse_rows(width)
    X, y, name = to_matrix(chunk), chunk.labels, f"2^{width.bit_length() - 1}"
    lines = []
    for learner in (ls.AveragedPerceptron(), ls.Perceptron()):
        model, kind = OnlineClassifier(learner), type(learner).__name__
        ours, bare = measure_best(lambda model=model: model.fit(X, y), play_pass(learner, chunk), turns=5)
        lines.append(Line(f"OnlineClassifier({kind}).fit, {name}", "the bare replay", bare / ours, 1 / 1.4))
    ours, theirs = measure_best(lambda: OnlineClassifier(ls.Perceptron()).fit(X, y), run_scikit(X, y), turns=3)
    lines.append(Line(f"OnlineClassifier(Perceptron).fit, {name}", "scikit-learn SGD, fastest", theirs / ours, 1))
    return lines


def play_rows(model: Any, rows: list[Any], labels: list[Any], **known: Any) -> Callable[[], None]:
    def run() -> None:
        for x, y in zip(rows, labels, strict=True):
            model.partial_fit(x, y, **known)

    return run


def compare_single_rows() -> list[Line]:
    """partial_fit of one row at a time: against the time it may take, and against scikit-learn's."""
    from sklearn.linear_model import SGDClassifier

    chunk = make_sparse_rows(2**18, ROWS)
    X = to_matrix(chunk)
    rows, labels = [X[t] for t in range(ROWS)], [chunk.labels[t : t + 1] for t in range(ROWS)]
    dense = np.random.default_rng(0).standard_normal((ROWS, 1, 20))
    sparse, plain, theirs = measure_best(
        play_rows(OnlineClassifier(), rows, labels),
        play_rows(OnlineClassifier(), list(dense), labels),
        play_rows(SGDClassifier(loss="perceptron"), rows, labels, classes=[0, 1]),
        turns=3,
    )
    limit = MICROSECONDS * 1e-6 * ROWS
    return [
        Line("partial_fit of one sparse row", f"{MICROSECONDS} microseconds", limit / sparse, 1),
        Line("partial_fit of one dense row of 20", f"{MICROSECONDS} microseconds", limit / plain, 1),
        Line("partial_fit of one sparse row", "scikit-learn SGD.partial_fit", theirs / sparse, 0.5),
    ]


def main() -> None:
    warnings.simplefilter("ignore")
    lines = [*compare_whole(2**18), *compare_whole(2**22), *compare_single_rows()]
    print_table("Adapters (500,000 rows of about 75 entries)", lines)


if __name__ == "__main__":
    main()
