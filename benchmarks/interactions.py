"""Products of attributes, formed and played block by block, against scikit-learn's expansion and the same learner.

Both sides start from the same rows in memory and end with the same kind of state; their side materialises the expanded
matrix first, as one must without `Interactions`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import littlestone as ls
from benchmarks.linear import play_pass
from benchmarks.streams import to_matrix
from benchmarks.timing import Line, measure_best, print_table
from littlestone.base.chunks import Examples
from littlestone.learners.conversions import Interactions


def rows(count: int, active: int, width: int, seed: int = 0) -> Examples:
    """Make rows with `active` of `width` attributes, float32."""
    rng = np.random.default_rng(seed)
    chosen = np.sort(np.argsort(rng.random((count, width)), axis=1)[:, :active], axis=1).astype(np.int32)
    values = rng.random(count * active, dtype=np.float32) + np.float32(0.5)
    labels = rng.integers(0, 2, count).astype(np.int32)
    return Examples(np.arange(count + 1) * active, chosen.ravel(), values, labels, width)


def materialised(chunk: Examples, degree: int) -> Callable[[], None]:
    from sklearn.preprocessing import PolynomialFeatures

    X: Any = to_matrix(chunk)

    def run() -> None:
        expanded = PolynomialFeatures(degree, interaction_only=True, include_bias=False).fit_transform(X)
        play_pass(ls.Perceptron(), Examples.of(expanded, chunk.labels))()

    return run


def main() -> None:
    lines = []
    for name, chunk, degree in (
        ("pairs, 14 of 120 attributes", rows(60_000, 14, 120), 2),
        ("triples, 14 of 120 attributes", rows(20_000, 14, 120), 3),
        ("pairs, 75 of 1000 attributes", rows(5_000, 75, 1000), 2),
    ):
        ours, theirs = measure_best(
            play_pass(Interactions(ls.Perceptron(), degree), chunk), materialised(chunk, degree)
        )
        lines.append(Line(f"Perceptron over {name}", "PolynomialFeatures, then Perceptron", theirs / ours, 1.5))
    print_table("Products of attributes, one pass", lines)


if __name__ == "__main__":
    main()
